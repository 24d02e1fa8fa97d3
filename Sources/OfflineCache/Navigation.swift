import Dispatch
import Foundation

/// An event of a navigation: any number of `redirected`, one `response`, any number of `data`, then
/// `finished`; or `failed` at any point. If a saved copy was served while the server was still
/// being contacted, `refreshed` or `checked` follows `finished`.
public enum NavigationEvent: Sendable {
  /// A redirect was followed.
  case redirected(from: WebURL, to: WebURL, Answer)
  /// The head of the final response was received; contains its URL with the fragment.
  case response(Answer, url: WebURL)
  /// A piece of the content.
  case data([UInt8])
  /// The content is complete; contains the saved version that holds it, if there is one.
  case finished(StoredResponse?)
  /// No complete response is available.
  case failed(LoadError)
  /// The server sent a newer version, which is now saved.
  case refreshed(StoredResponse)
  /// The server was contacted; the served copy remains the newest good version.
  case checked(StoredResponse.Check)
}

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
      request, options: options, maxRedirects: maxRedirects, through: DirectHops(), event: event)
  }

  /// Loads a URL and follows redirects; `hops` sends the requests to the cache.
  package func start(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, through hops: any HopLoader,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    let navigation = Navigation(self, hops, event: event)
    navigation.begin(request, options: options, maxRedirects: maxRedirects)
    return navigation
  }

  /// Delivers the saved response for a URL with redirects followed, as `start` does in the mode
  /// `cacheOnly`. It is intended for callers that examine many copies without showing them. Blocks
  /// until the last event.
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
      var walk = RedirectWalk(request, options: options, limit: maxRedirects, cache: self)
      var step = walk.begin()
      while case .load(let hop) = step {
        guard let redirect = read(hop, walk, event) else { return }
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
    _ hop: Hop, _ walk: RedirectWalk, _ event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Answer? {
    let isOver = DispatchSemaphore(value: 0)
    let redirect = HopRedirect()
    load(hop, isHere: true) { part in
      switch part {
      case .response(let answer):
        if walk.isRedirect(answer) {
          redirect.set(answer)
        } else {
          event(.response(walk.marked(answer), url: walk.source(of: answer)))
        }
      case .data(let bytes): if redirect.answer == nil { event(.data(bytes)) }
      case .finished(let stored):
        if redirect.answer == nil { event(.finished(stored)) }
        isOver.signal()
      case .failed(let error):
        redirect.set(nil)
        event(.failed(error))
        isOver.signal()
      case .refreshed, .checked: break
      }
    }
    isOver.wait()
    return redirect.answer
  }
}

/// The redirect that a request received, shared by its load and the waiting thread.
///
/// `@unchecked Sendable`: the load sets the value before it signals its end.
private final class HopRedirect: @unchecked Sendable {
  private(set) var answer: Answer?

  func set(_ answer: Answer?) { self.answer = answer }
}

/// A running load with its redirects, as returned by `HTTPCache.start`.
///
/// `@unchecked Sendable`: its state is accessed only on its own serial queue.
public final class Navigation: @unchecked Sendable {
  private let cache: HTTPCache
  private let hops: any HopLoader
  private let acknowledgesManually: Bool
  private let queue = DispatchQueue(label: "offread.navigation", target: .global())

  // The following properties are used on the queue only.

  /// The receiver of the events; nil after the last one, because it may retain this object. The
  /// running request retains it, too, for the result of a background revalidation.
  private var receiver: (@Sendable (NavigationEvent) -> Void)?
  private var walk: RedirectWalk?
  /// The concurrent attempt by the other scheme; see `SchemeChoice`.
  private var rival: Rival?
  private var hop: (any RunningHop)?
  /// The number of the running request; events of earlier ones are ignored.
  private var number = 0
  /// The redirect that is followed when its content is complete.
  private var redirect: Answer?
  private var isOver = false
  private var isCancelled = false
  /// The number of requests begun so far.
  private var hopCount = 0
  /// The result of the background revalidation, if it arrived before the last event.
  private var refresh: NavigationEvent?

  init(
    _ cache: HTTPCache, _ hops: any HopLoader, acknowledgesManually: Bool = false,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    self.acknowledgesManually = acknowledgesManually
    self.cache = cache
    self.hops = hops
    receiver = event
  }

  /// Stops the load. Unless it has ended, the last event is `failed` with `cancelled`. If a copy
  /// was already served, its background revalidation continues and its result is saved.
  public func cancel() {
    queue.async {
      self.isCancelled = true
      guard !self.isOver else { return }
      let hop = self.hop
      self.dropRival()
      self.end(.failed(.transport(TransportFailure(.cancelled, "cancelled"))))
      hop?.cancel()
    }
  }

  /// Acknowledges that the client consumed `count` bytes of content, if acknowledgement is manual.
  package func acknowledge(_ count: Int) {
    queue.async { self.hop?.acknowledge(count) }
  }

  /// Calls a closure with the running request, on the queue.
  func onQueue(_ body: @escaping @Sendable ((any RunningHop)?) -> Void) {
    queue.async { body(self.hop) }
  }

  func begin(_ request: WebRequest, options: LoadOptions, maxRedirects: Int) {
    // Runs on the thread of the caller: the queue is idle, and waking its thread is avoided.
    queue.sync {
      do throws(LoadError) {
        walk = RedirectWalk(request, options: options, limit: maxRedirects, cache: cache)
        if let step = walk?.begin() { try take(step) }
        watchScheme()
      } catch {
        // No event may be reported while `start` is running.
        queue.async { self.end(.failed(error)) }
      }
    }
  }

  // MARK: On the queue

  private func take(_ step: RedirectWalk.Step) throws(LoadError) {
    guard !isOver, let receiver else { return }
    switch step {
    case .end(let error): throw error
    case .load(let hop):
      hopCount += 1
      number = hopCount
      redirect = nil
      // The request retains this object while it runs; `end` breaks the retain cycle.
      self.hop = try hops.begin(hop, in: cache, on: queue) { [number] event in
        self.take(event, of: number, for: receiver)
      }
    }
  }

  private func take(
    _ event: CacheEvent, of number: Int, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    if number == rival?.number { return takeFromRival(event, for: receiver) }
    guard number == self.number else { return }
    switch event {
    case .refreshed(let stored): take(refresh: .refreshed(stored), for: receiver)
    case .checked(let check): take(refresh: .checked(check), for: receiver)
    case _ where isOver: break
    case .response(let answer):
      if let step = walk?.otherScheme(after: answer) { return change(to: step) }
      dropRival()
      if let walk, walk.isRedirect(answer) {
        redirect = answer
      } else {
        if let walk { receiver(.response(walk.marked(answer), url: walk.source(of: answer))) }
        walk?.noteAnswer()
      }
    case .data(let bytes):
      if redirect == nil { receiver(.data(bytes)) }
      if redirect != nil || !acknowledgesManually { hop?.acknowledge(bytes.count) }
    case .finished(let stored):
      guard let redirect else { return end(.finished(stored)) }
      do throws(LoadError) {
        if let step = walk?.follow(redirect, event: receiver) { try take(step) }
      } catch {
        end(.failed(error))
      }
    case .failed(let error): takeFailure(error, for: receiver)
    }
  }

  private func takeFailure(
    _ error: LoadError, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    guard case .transport(let failure) = error, let step = walk?.otherScheme(after: failure) else {
      dropRival()
      return end(.failed(walk?.reported(error) ?? error))
    }
    guard let rival else { return change(to: step) }
    promote(rival, for: receiver)
  }

  private func take(
    refresh event: NavigationEvent, for receiver: @Sendable (NavigationEvent) -> Void
  ) {
    // The revalidation of a saved redirect is not reported.
    guard redirect == nil, !isCancelled else { return }
    if isOver { receiver(event) } else { refresh = event }
  }

  private func end(_ last: NavigationEvent) {
    guard !isOver else { return }
    isOver = true
    receiver?(last)
    if let refresh, !isCancelled { receiver?(refresh) }
    refresh = nil
    receiver = nil
    hop = nil
  }
}

// MARK: The other scheme

/// The concurrent attempt by http while https does not connect. Its events are buffered until one
/// of the two is chosen.
private struct Rival {
  let hop: any RunningHop
  /// The number of the request.
  let number: Int
  var events: [CacheEvent] = []
}

extension Navigation {
  /// Starts a timer after which the other scheme is tried if the assumed one has no connection.
  private func watchScheme() {
    guard let patience = walk?.schemePatience else { return }
    let number = number
    queue.asyncAfter(deadline: .now() + max(0, min(1e6, patience))) { [weak self] in
      self?.ifSilent(number) { $0.stayedSilent() }
    }
  }

  /// Calls `then` if the first request still runs without a connection to the server, and `other`
  /// if it has a connection.
  private func ifSilent(
    _ number: Int, else other: (@Sendable (Navigation) -> Void)? = nil,
    then: @escaping @Sendable (Navigation) -> Void
  ) {
    guard number == self.number, !isOver, let hop else { return }
    hop.checkConnection { isConnected in
      self.queue.async {
        guard number == self.number, !self.isOver else { return }
        if isConnected { other?(self) } else { then(self) }
      }
    }
  }

  private func stayedSilent() {
    guard let walk, walk.schemePatience != nil else { return }
    guard walk.racesSchemes else {
      if let step = self.walk?.otherSchemeAfterSilence() { change(to: step) }
      return
    }
    var rivalWalk = walk
    guard case .load(let hop)? = rivalWalk.otherSchemeAfterSilence(), let receiver else { return }
    hopCount += 1
    let running = try? hops.begin(hop, in: cache, on: queue) { [number = hopCount] event in
      self.take(event, of: number, for: receiver)
    }
    rival = running.map { Rival(hop: $0, number: hopCount) }
  }

  /// Cancels the request by the assumed scheme and continues with the other one.
  private func change(to step: RedirectWalk.Step) {
    hop?.cancel()
    do throws(LoadError) {
      try take(step)
    } catch {
      end(.failed(error))
    }
  }

  private func takeFromRival(
    _ event: CacheEvent, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    rival?.events.append(event)
    guard let rival, rival.events.count == 1 else { return }
    if case .failed = event {
      // The assumed scheme may use the rest of its time, and its error is reported.
      walk?.noteAnswer()
      return dropRival()
    }
    ifSilent(number, else: { $0.dropRival() }) { navigation in
      guard let rival = navigation.rival,
        navigation.walk?.otherSchemeAfterSilence() != nil
      else { return }
      navigation.hop?.cancel()
      navigation.promote(rival, for: receiver)
    }
  }

  /// Replaces the first request by the concurrent attempt; `walk` is already at its URL.
  private func promote(
    _ rival: Rival, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    self.rival = nil
    (hop, number) = (rival.hop, rival.number)
    for event in rival.events { take(event, of: number, for: receiver) }
  }

  private func dropRival() {
    rival?.hop.cancel()
    rival = nil
  }
}
