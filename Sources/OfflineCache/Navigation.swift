import Dispatch
import Foundation
import Synchronization

extension HTTPCache {
  /// Loads a URL and follows redirects.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  ///   - event: Called for each event, one at a time, on a queue of the load. While it runs, at
  ///     most about 1 MB of content is buffered.
  /// - Returns: The navigation, which can be cancelled.
  @discardableResult
  public func start(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: FetchTask.direct,
      event: event)
  }

  /// Loads a URL and follows redirects; the caller acknowledges content with
  /// `Navigation.acknowledge`.
  package func startAcknowledging(
    _ request: WebRequest, options: LoadOptions,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: RedirectFollower.defaultMaxRedirects,
      through: FetchTask.direct, acknowledgesManually: true, event: event)
  }

  /// Loads a URL and follows redirects; `steps` sends the requests to the cache. If
  /// `acknowledgesManually` is true, the caller acknowledges content with `Navigation.acknowledge`.
  package func start(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int,
    through steps: @escaping RequestLoader, acknowledgesManually: Bool = false,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    let walk = RedirectWalk(request, options: options, maxRedirects: maxRedirects, cache: self)
    let navigation = Navigation(
      self, walk, steps, acknowledgesManually: acknowledgesManually, event: event)
    navigation.begin()
    return navigation
  }

  /// Delivers the saved response for a URL with redirects followed, as `start` does in the mode
  /// `cacheOnly`. Intended for callers that examine many copies without showing them. Blocks until
  /// the last event.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain; their mode is ignored.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  ///   - event: Called for each event, one at a time, on a thread of the load.
  package func readSaved(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    var options = options
    options.mode = .cacheOnly
    do throws(LoadError) {
      var walk = RedirectWalk(request, options: options, maxRedirects: maxRedirects, cache: self)
      var step = walk.begin()
      while case .load(let redirectStep) = step {
        guard let redirect = read(redirectStep, walk, event) else { return }
        step = walk.follow(redirect, event: event)
      }
      if case .end(let error) = step { throw error }
    } catch {
      event(.failed(error))
    }
  }

  /// Reads the saved response to one request of a redirect chain.
  /// - Returns: The response if it is a redirect to follow; nil after the last event.
  private func read(
    _ step: RedirectStep, _ walk: RedirectWalk,
    _ event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> LoadedResponse? {
    let isOver = DispatchSemaphore(value: 0)
    let redirect = Mutex<LoadedResponse?>(nil)
    load(step, runsOnCallingThread: true) { part in
      switch part {
      case .response(let response):
        if walk.isRedirect(response) {
          redirect.withLock { $0 = response }
        } else {
          event(.response(walk.addingOtherScheme(response), url: walk.source(of: response)))
        }
      case .data(let bytes): if redirect.withLock({ $0 == nil }) { event(.data(bytes)) }
      case .finished(let stored):
        if redirect.withLock({ $0 == nil }) { event(.finished(stored)) }
        isOver.signal()
      case .failed(let error):
        redirect.withLock { $0 = nil }
        event(.failed(error))
        isOver.signal()
      case .refreshed, .checked: break
      }
    }
    isOver.wait()
    return redirect.withLock(\.self)
  }
}

/// A running load with its redirects, as returned by `HTTPCache.start`.
///
/// The state of the navigation is used on its own serial queue only. The lock is therefore never
/// contended; the receiver of the events is called while the lock is held.
public final class Navigation: Sendable {
  let queue = DispatchQueue(label: "offread.navigation", target: .global())
  private let context: Mutex<NavigationContext>

  init(
    _ cache: HTTPCache, _ walk: RedirectWalk, _ steps: @escaping RequestLoader,
    acknowledgesManually: Bool = false, event: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    context = Mutex(
      NavigationContext(
        cache, walk, steps, acknowledgesManually: acknowledgesManually, event: event))
    context.withLock { $0.navigation = self }
  }

  /// Stops the load. Unless it has ended, the last event is `failed` with `cancelled`. If a copy
  /// was already served, its background revalidation continues and its result is saved.
  public func cancel() {
    perform { $0.cancel() }
  }

  /// Acknowledges that the client consumed `count` bytes of content, if the navigation was started
  /// with manual acknowledgement.
  package func acknowledge(_ count: Int) {
    perform { $0.request?.acknowledge(count) }
  }

  /// Reports whether the running request has a connection; see `RunningRequest`.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    perform { context in
      guard let step = context.request else { return report(false) }
      step.checkConnection(report)
    }
  }

  func begin() {
    // The load begins on the thread of the caller: the queue is idle, and this avoids waking its
    // thread.
    queue.sync { performNow { $0.begin() } }
  }

  /// Calls a function with the state, on the queue.
  func perform(_ body: @escaping @Sendable (inout NavigationContext) -> Void) {
    queue.async { self.performNow(body) }
  }

  /// Calls a function with the state; must be called on the queue.
  func performNow(_ body: @Sendable (inout NavigationContext) -> Void) {
    context.withLock { body(&$0) }
  }
}
