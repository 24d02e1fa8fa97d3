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

/// Collects the events of a load, and cancels the load if its task is cancelled.
private final class ContentCollection: Sendable {
  typealias Continuation = CheckedContinuation<Result<LoadedContent, LoadError>, Never>

  private struct State {
    var collector: ResponseCollector
    var phase = Phase.idle
    /// Whether the task is cancelled, which may happen in every phase, even before the load starts.
    var isCancelled = false
  }

  /// The phase of a load. The legal transitions are:
  ///
  /// - `idle`: to `starting` when the task waits.
  /// - `starting`: to `loading` when the load has started, to `ended` with its result.
  /// - `loading`: to `ended` with the result of the load.
  /// - `ended` (the task was resumed): final.
  private enum Phase {
    case idle
    case starting(Continuation)
    case loading(Continuation, Navigation)
    case ended

    var isWaiting: Bool {
      switch self {
      case .starting, .loading: true
      case .idle, .ended: false
      }
    }

    /// The load; nil unless it is running.
    var load: Navigation? { if case .loading(_, let load) = self { load } else { nil } }

    /// The continuation of the task while it waits; otherwise nil.
    var continuation: Continuation? {
      switch self {
      case .starting(let continuation), .loading(let continuation, _): continuation
      case .idle, .ended: nil
      }
    }
  }

  private let maxLength: Int64
  private let state: Mutex<State>

  init(maxLength: Int64) {
    self.maxLength = maxLength
    state = Mutex(State(collector: ResponseCollector(maxLength: maxLength)))
  }

  func begin(_ continuation: Continuation) {
    state.withLock { $0.phase = .starting(continuation) }
  }

  func didStart(_ load: Navigation) {
    let isCancelled = state.withLock { state in
      if case .starting(let continuation) = state.phase {
        state.phase = .loading(continuation, load)
      }
      return state.isCancelled
    }
    if isCancelled { load.cancel() }
  }

  func cancel() {
    let load = state.withLock { state in
      state.isCancelled = true
      return state.phase.load
    }
    load?.cancel()
  }

  func receive(_ event: NavigationEvent) {
    let (end, isTooLong) = state.withLock { state in
      if state.phase.isWaiting { state.collector.receive(event) }
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
        state.phase = .ended
        state.collector.dropContent()
      }
      return (state.phase.continuation, state.phase.load, collector)
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
