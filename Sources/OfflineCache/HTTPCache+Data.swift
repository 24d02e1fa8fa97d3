public import Foundation
import Synchronization

extension HTTPCache {
  /// Loads the complete content of a URL and follows redirects, as `URLSession.data(for:)` does.
  /// The method does not use URLSession, so it works in the same way on every platform.
  ///
  /// Cancelling the task cancels the load. If a saved copy is served while the server is still
  /// being contacted, the revalidation continues in the background; `finishBackgroundWork` waits
  /// for it.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain. Because the content is held
  ///     in memory, `maxSize` (in bytes) also applies to content from the archive.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  /// - Returns: The content and the response, whatever its status; error pages are returned as
  ///   well.
  /// - Throws: The reason why there is no complete response: for example, `transport` with the kind
  ///   `cancelled` if the task was cancelled, or with the kind `tooLarge` if the content exceeds
  ///   the limit.
  public func data(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) async throws(LoadError) -> LoadedContent {
    let collection = ContentCollection(maxLength: options.maxSize)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        collection.begin(continuation)
        let load = start(
          request, options: options, maxRedirects: maxRedirects, event: collection.receive)
        collection.didStart(load)
      }
    } onCancel: {
      collection.cancel()
    }.get()
  }

  /// Loads the complete content of a URL with GET and follows redirects; see `data(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content and the response.
  /// - Throws: The reason why there is no complete response.
  public func data(
    from url: WebURL, options: LoadOptions = LoadOptions()
  ) async throws(LoadError) -> LoadedContent {
    try await data(for: WebRequest(url: url), options: options)
  }

  /// Loads the complete content of a URL with GET and follows redirects; see `data(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content and the response.
  /// - Throws: The reason why there is no complete response.
  public func data(
    from url: URL, options: LoadOptions = LoadOptions()
  ) async throws(LoadError) -> LoadedContent {
    try await data(for: WebRequest(written: url.absoluteString), options: options)
  }
}

/// A response with its complete content.
public struct LoadedContent: Sendable, Equatable {
  /// The content, decoded. All functions of the libraries that receive or return content use this
  /// type; `Data(bytes)` converts it.
  public var bytes: [UInt8]
  /// The head of the final response, and its source.
  public var answer: LoadedResponse
  /// The URL of the final response, with its fragment.
  public var url: WebURL

  /// Creates loaded content from its parts.
  public init(bytes: [UInt8], answer: LoadedResponse, url: WebURL) {
    (self.bytes, self.answer, self.url) = (bytes, answer, url)
  }
}

/// Collects the events of a load, and cancels the load if its task is cancelled.
private final class ContentCollection: Sendable {
  typealias Continuation = CheckedContinuation<Result<LoadedContent, LoadError>, Never>

  private struct State {
    var collector: ResponseCollector
    /// The continuation of the task; nil before the load begins and after the task was resumed.
    var continuation: Continuation?
    var load: Navigation?
    var isCancelled = false
  }

  private let maxLength: Int64
  private let state: Mutex<State>

  init(maxLength: Int64) {
    self.maxLength = maxLength
    state = Mutex(State(collector: ResponseCollector(maxLength: maxLength)))
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

  func receive(_ event: NavigationEvent) {
    let (end, isTooLong) = state.withLock { state in
      if state.continuation != nil { state.collector.receive(event) }
      return (state.collector.result, state.collector.isTooLong)
    }
    if isTooLong { return finish(.transport(.tooLarge(limit: maxLength))) }
    switch end {
    case .success: finish(nil)
    case .failure(let error): finish(error)
    case nil: break
    }
  }

  /// Resumes the task, at most once.
  /// - Parameter error: The error; nil to return the response.
  private func finish(_ error: LoadError?) {
    let (continuation, load, response) = state.withLock { state in
      let collector = state.collector
      defer {
        (state.continuation, state.load) = (nil, nil)
        state.collector.dropContent()
      }
      return (state.continuation, state.load, collector)
    }
    if let error {
      load?.cancel()
      continuation?.resume(returning: .failure(error))
    } else if var reply = response.response, let url = response.url {
      reply.stored = reply.stored ?? response.stored
      let content = LoadedContent(bytes: response.content, answer: reply, url: url)
      continuation?.resume(returning: .success(content))
    } else {
      continuation?.resume(returning: .failure(.missingHead))
    }
  }
}
