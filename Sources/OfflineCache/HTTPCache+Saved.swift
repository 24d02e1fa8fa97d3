import Dispatch
import Synchronization

extension HTTPCache {
  /// Gives what is saved of a URL, redirects followed: the events that `start` gives in the mode
  /// `cacheOnly`, without a session. It is for who looks at many copies and shows none of them; a session
  /// costs more than the copy. Blocks until the last event.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is read; the mode is `cacheOnly` in any case.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  ///   - event: called for each event, one at a time, on a thread of the load.
  package func readSaved(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (SessionEvent) -> Void
  ) {
    let walk = SavedWalk(limit: maxRedirects, event)
    var options = options
    options.mode = .cacheOnly
    guard let url = WebURL(request.url) else {
      return event(.failed(.transport(TransportFailure(.badURL, "not a URL: \(request.url)"))))
    }
    var hop = (request: request, url: url)
    hop.request.url = url.withoutFragment.description
    while true {
      _ = load(hop.request, options: options, standIn: nil, isHere: true) { [url = hop.url] event in
        walk.take(event, at: url.description)
      }
      guard let next = walk.next(after: hop) else { return }
      hop = next
      // An id names a version of the first URL; its target is taken as it is.
      if case .id = options.copy { options.copy = .latest }
    }
  }
}

/// The way from copy to copy of one `readSaved`.
private final class SavedWalk: Sendable {
  private let limit: Int
  private let event: @Sendable (SessionEvent) -> Void
  private let isHopOver = DispatchSemaphore(value: 0)

  private struct State {
    /// The redirect that the hop gave.
    var redirect: Answer?
    var count = 0
    var visited: Set<String> = []
  }

  private let state = Mutex(State())

  init(limit: Int, _ event: @escaping @Sendable (SessionEvent) -> Void) {
    self.limit = limit
    self.event = event
  }

  func take(_ event: CacheEvent, at url: String) {
    let isRedirect = state.withLock { state in
      if case .response(let answer) = event, limit > 0, Redirection.isRedirect(answer.response) {
        state.redirect = answer
      }
      return state.redirect != nil
    }
    switch event {
    case .response(let answer): if !isRedirect { self.event(.response(answer, url: url)) }
    case .data(let bytes): if !isRedirect { self.event(.data(bytes)) }
    case .finished(let stored):
      if !isRedirect { self.event(.finished(stored)) }
      isHopOver.signal()
    case .failed(let error):
      state.withLock { $0.redirect = nil }
      self.event(.failed(error))
      isHopOver.signal()
    case .refreshed, .checked: break
    }
  }

  /// Waits for the end of a hop.
  /// - Returns: the next hop, or nil after the last event.
  func next(
    after hop: (request: WebRequest, url: WebURL)
  ) -> (request: WebRequest, url: WebURL)? {
    isHopOver.wait()
    let (redirect, count) = state.withLock { state in
      defer { (state.redirect, state.count) = (nil, state.count + 1) }
      state.visited.insert(hop.request.url)
      return (state.redirect, state.count)
    }
    guard let redirect else { return nil }
    do throws(LoadError) {
      guard count < limit else { throw .tooManyRedirects(limit: limit) }
      let next = try Redirection.request(after: redirect.response, to: hop.request, at: hop.url)
      event(.redirected(from: hop.url.description, to: next.url.description, redirect))
      guard state.withLock({ !$0.visited.contains(next.request.url) }) else {
        throw .redirectLoop(url: next.request.url)
      }
      return next
    } catch {
      event(.failed(error))
      return nil
    }
  }
}
