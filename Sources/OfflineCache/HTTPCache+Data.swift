public import Foundation
import Synchronization

extension HTTPCache {
  /// Loads a URL with all of its content, redirects followed: `URLSession.data(for:)` as it is safe
  /// on every platform.
  ///
  /// Cancelling the task ends the load. When a saved copy answers while the server is still being
  /// asked, the refresh goes on behind it; `finishBackgroundWork` waits for it.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded. The content is in memory: `sizeLimit`, in bytes, bounds it
  ///     also when it comes from the archive.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  /// - Returns: the content and the answer. An answer of any status is returned, an error page too.
  /// - Throws: why there is no complete answer; `transport` with the kind `cancelled` when the task
  ///   was cancelled, with `tooLarge` beyond the limit.
  public func data(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) async throws(LoadError) -> LoadedContent {
    let collection = ContentCollection(limit: options.sizeLimit)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        collection.begin(continuation)
        let load = start(
          request, options: options, maxRedirects: maxRedirects, event: collection.take)
        collection.didStart(load)
      }
    } onCancel: {
      collection.cancel()
    }.get()
  }

  /// Loads a URL with all of its content, redirects followed, by GET; see `data(for:)`.
  /// - Parameters:
  ///   - url: what is asked.
  ///   - options: how each hop is loaded.
  /// - Returns: the content and the answer.
  /// - Throws: why there is no complete answer.
  public func data(
    from url: WebURL, options: LoadOptions = LoadOptions()
  ) async throws(LoadError) -> LoadedContent {
    try await data(for: WebRequest(url: url), options: options)
  }

  /// Loads a URL with all of its content, redirects followed, by GET; see `data(for:)`.
  /// - Parameters:
  ///   - url: what is asked.
  ///   - options: how each hop is loaded.
  /// - Returns: the content and the answer.
  /// - Throws: why there is no complete answer.
  public func data(
    from url: URL, options: LoadOptions = LoadOptions()
  ) async throws(LoadError) -> LoadedContent {
    try await data(for: WebRequest(written: url.absoluteString), options: options)
  }
}

/// All of the content of an answer.
public struct LoadedContent: Sendable, Equatable {
  /// The content, decoded.
  public var content: Data
  /// The head of the final answer, and where it comes from.
  public var answer: Answer
  /// The URL that gave it, with its fragment.
  public var url: WebURL

  /// Makes it from its parts.
  public init(content: Data, answer: Answer, url: WebURL) {
    (self.content, self.answer, self.url) = (content, answer, url)
  }
}

/// Puts the events of a load together, and carries a task's end to the load.
private final class ContentCollection: Sendable {
  typealias Continuation = CheckedContinuation<Result<LoadedContent, LoadError>, Never>

  private struct State {
    var content = Data()
    var head: (answer: Answer, url: WebURL)?
    /// Until the end.
    var continuation: Continuation?
    var load: Navigation?
    var isCancelled = false
  }

  private let limit: Int64
  private let state = Mutex(State())

  init(limit: Int64) {
    self.limit = limit
  }

  func begin(_ continuation: Continuation) {
    state.withLock { $0.continuation = continuation }
  }

  func didStart(_ load: Navigation) {
    let isCancelled = state.withLock { state in
      if state.continuation != nil { state.load = load }
      return state.isCancelled
    }
    if isCancelled { load.cancel() }
  }

  func cancel() {
    let load = state.withLock { state in
      state.isCancelled = true
      return state.load
    }
    load?.cancel()
  }

  func take(_ event: NavigationEvent) {
    switch event {
    case .response(let answer, let url):
      state.withLock { $0.head = (answer, url) }
    case .data(let bytes):
      let isTooLarge = state.withLock { state in
        guard state.continuation != nil else { return false }
        guard Int64(state.content.count + bytes.count) <= limit else { return true }
        state.content.append(contentsOf: bytes)
        return false
      }
      if isTooLarge { end(.failure(.transport(.tooLarge(limit: limit)))) }
    case .finished(let stored):
      end(nil, stored)
    case .failed(let error): end(.failure(error))
    case .redirected, .refreshed, .checked: break
    }
  }

  /// Resumes the task, once.
  /// - Parameters:
  ///   - result: what it gets; nil is what was collected.
  ///   - stored: the version that holds it.
  private func end(_ result: Result<LoadedContent, LoadError>?, _ stored: StoredResponse? = nil) {
    let (continuation, load, whole) = state.withLock { state in
      defer { (state.continuation, state.load, state.content) = (nil, nil, Data()) }
      let whole = state.head.map { head in
        var answer = head.answer
        answer.stored = answer.stored ?? stored
        return LoadedContent(content: state.content, answer: answer, url: head.url)
      }
      return (state.continuation, state.load, whole)
    }
    if case .failure = result { load?.cancel() }
    let headless = LoadError.transport(TransportFailure(.incomplete, "the answer has no head"))
    continuation?.resume(returning: result ?? whole.map { .success($0) } ?? .failure(headless))
  }
}
