import Dispatch
import Foundation

/// What a navigation reports: any number of `redirected`, one `response`, any number of `data`, then
/// `finished`; or `failed`, at any point. When a copy answered while the server was still being asked,
/// one of `refreshed` and `checked` follows `finished`.
public enum NavigationEvent: Sendable {
  /// A redirect was followed.
  case redirected(from: WebURL, to: WebURL, Answer)
  /// The head of the final answer and the URL that gave it, with its fragment.
  case response(Answer, url: WebURL)
  /// A piece of the content.
  case data([UInt8])
  /// The content is complete; the version that holds it, when it is saved.
  case finished(StoredResponse?)
  /// There is no (complete) answer.
  case failed(LoadError)
  /// The server had a newer version, which is saved now.
  case refreshed(StoredResponse)
  /// The server was asked; the copy stays the newest good version.
  case checked(StoredResponse.Check)
}

extension HTTPCache {
  /// Loads a URL, redirects followed.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  ///   - event: called for each event, one at a time, on a queue of the load; while it runs no more
  ///     than about 1 MB of content queues up behind it.
  /// - Returns: the navigation, to cancel it.
  @discardableResult
  public func start(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: DirectHops(), event: event)
  }

  /// The same, with hops that another loader takes to the cache.
  package func start(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, through hops: any HopLoader,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    let navigation = Navigation(self, hops, event: event)
    navigation.begin(request, options: options, maxRedirects: maxRedirects)
    return navigation
  }

  /// Gives what is saved of a URL, redirects followed: the events that `start` gives in the mode
  /// `cacheOnly`. It is for who looks at many copies and shows none of them. Blocks until the last event.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is read; the mode is `cacheOnly` in any case.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  ///   - event: called for each event, one at a time, on a thread of the load.
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

  /// Reads one hop of a walk through what is saved.
  /// - Returns: the redirect that it gives, or nil after the last event.
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

/// The redirect that a hop gives, for its load and for who waits for it.
///
/// Unchecked: the load sets it before it says that it is over.
private final class HopRedirect: @unchecked Sendable {
  private(set) var answer: Answer?

  func set(_ answer: Answer?) { self.answer = answer }
}

/// A running load with its redirects: what `HTTPCache.start` returns.
///
/// Unchecked: its state is used on its own serial queue only.
public final class Navigation: @unchecked Sendable {
  private let cache: HTTPCache
  private let hops: any HopLoader
  private let acknowledgesManually: Bool
  private let queue = DispatchQueue(label: "offread.navigation", target: .global())

  // The rest is used on the queue only.

  /// Gets the events; nil when nothing follows but what the refresh behind a copy says, since it may
  /// hold this object. The hop has it too, for that.
  private var receiver: (@Sendable (NavigationEvent) -> Void)?
  private var walk: RedirectWalk?
  /// The concurrent attempt by the other scheme; see `SchemeChoice`.
  private var rival: Rival?
  private var hop: (any RunningHop)?
  /// Which hop is running; events of earlier ones are dropped.
  private var number = 0
  /// The redirect that is followed once its content is complete.
  private var redirect: Answer?
  private var isOver = false
  private var isCancelled = false
  /// The number of requests begun so far.
  private var hopCount = 0
  /// What the refresh behind a copy said before the end was told.
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

  /// Stops; unless the load has ended, `failed` with `cancelled` is the last event. When a copy has
  /// answered, the refresh behind it goes on and is saved.
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

  /// Says that so many bytes of content were used up, where that is not said by taking them.
  package func acknowledge(_ count: Int) {
    queue.async { self.hop?.acknowledge(count) }
  }

  /// Calls a closure with the running request, on the queue.
  func onQueue(_ body: @escaping @Sendable ((any RunningHop)?) -> Void) {
    queue.async { body(self.hop) }
  }

  func begin(_ request: WebRequest, options: LoadOptions, maxRedirects: Int) {
    // On the thread of the caller: the queue is free, and its thread need not be woken.
    queue.sync {
      do throws(LoadError) {
        walk = RedirectWalk(request, options: options, limit: maxRedirects, cache: cache)
        if let step = walk?.begin() { try take(step) }
        watchScheme()
      } catch {
        // Never while `start` is still being called.
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
      // The hop keeps this object while it goes on; `end` breaks the circle.
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
    // What follows a redirect's own copy concerns nobody.
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

/// The concurrent attempt by http while https does not connect. Its events are buffered until one of the two is
/// chosen.
private struct Rival {
  let hop: any RunningHop
  /// The number of its request.
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

  /// Calls `then` if the first request still runs without a connection to the server, and `other` if it has a
  /// connection.
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

  /// Replaces the first request by the concurrent attempt. `walk` is at its URL already.
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
