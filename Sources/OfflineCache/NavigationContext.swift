import Dispatch
import Foundation

/// The state of a `Navigation`, which sends the requests of a redirect chain one after the other.
///
/// All methods are called on the queue of the navigation.
struct NavigationContext {
  /// The navigation, which the running request retains.
  weak var navigation: Navigation?
  private let cache: HTTPCache
  private let loader: RequestLoader
  private let acknowledgesManually: Bool

  /// The receiver of the events; nil after the last one, because it may retain the navigation. The
  /// running request retains it, too, for the result of a background revalidation.
  private var receiver: (@Sendable (NavigationEvent) -> Void)?
  private var walk: RedirectWalk?
  /// The concurrent attempt by the other scheme; see `SchemeChoice`.
  private var concurrentAttempt: ConcurrentAttempt?
  /// The running request.
  private(set) var request: RunningRequest?
  /// The number of the running request; events of earlier ones are ignored.
  private var number = 0
  /// The redirect that is followed when its content is complete.
  private var redirect: LoadedResponse?
  private var isOver = false
  private var isCancelled = false
  /// The number of requests begun so far.
  private var requestCount = 0
  /// The result of the background revalidation, if it arrived before the last event.
  private var refresh: NavigationEvent?

  init(
    _ cache: HTTPCache, _ steps: @escaping RequestLoader, acknowledgesManually: Bool,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    self.acknowledgesManually = acknowledgesManually
    self.cache = cache
    self.loader = steps
    receiver = event
  }

  mutating func begin(_ request: WebRequest, options: LoadOptions, maxRedirects: Int) {
    do throws(LoadError) {
      walk = RedirectWalk(request, options: options, limit: maxRedirects, cache: cache)
      if let step = walk?.begin() { try perform(step) }
      watchScheme()
    } catch {
      // No event may be reported while `start` is running.
      navigation?.perform { $0.end(.failed(error)) }
    }
  }

  mutating func cancel() {
    isCancelled = true
    guard !isOver else { return }
    let step = request
    dropConcurrentAttempt()
    end(.failed(.transport(TransportFailure(.cancelled, "cancelled"))))
    step?.cancel()
  }

  // MARK: Requests and their events

  private mutating func perform(_ step: RedirectWalk.Step) throws(LoadError) {
    guard !isOver, let receiver, let navigation else { return }
    switch step {
    case .end(let error): throw error
    case .load(let redirectStep):
      requestCount += 1
      number = requestCount
      redirect = nil
      // The request retains the navigation while it runs; `end` breaks the retain cycle.
      self.request = try loader(redirectStep, cache, navigation.queue) { [number] event in
        navigation.performNow { $0.receive(event, of: number, for: receiver) }
      }
    }
  }

  private mutating func receive(
    _ event: CacheEvent, of number: Int, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    if number == concurrentAttempt?.number { return receiveConcurrent(event, for: receiver) }
    guard number == self.number else { return }
    switch event {
    case .refreshed(let stored): report(refresh: .refreshed(stored), to: receiver)
    case .checked(let check): report(refresh: .checked(check), to: receiver)
    case _ where isOver: break
    case .response(let response):
      if let step = walk?.otherScheme(after: response) { return change(to: step) }
      dropConcurrentAttempt()
      if let walk, walk.isRedirect(response) {
        redirect = response
      } else {
        if let walk {
          receiver(.response(walk.addingOtherScheme(response), url: walk.source(of: response)))
        }
        walk?.recordResponse()
      }
    case .data(let bytes):
      if redirect == nil { receiver(.data(bytes)) }
      if redirect != nil || !acknowledgesManually { request?.acknowledge(bytes.count) }
    case .finished(let stored):
      guard let redirect else { return end(.finished(stored)) }
      do throws(LoadError) {
        if let step = walk?.follow(redirect, event: receiver) { try perform(step) }
      } catch {
        end(.failed(error))
      }
    case .failed(let error): receiveFailure(error, for: receiver)
    }
  }

  private mutating func receiveFailure(
    _ error: LoadError, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    guard case .transport(let failure) = error, let step = walk?.otherScheme(after: failure) else {
      dropConcurrentAttempt()
      return end(.failed(walk?.errorToReport(error) ?? error))
    }
    guard let concurrentAttempt else { return change(to: step) }
    promote(concurrentAttempt, for: receiver)
  }

  private mutating func report(
    refresh event: NavigationEvent, to receiver: @Sendable (NavigationEvent) -> Void
  ) {
    // The revalidation of a saved redirect is not reported.
    guard redirect == nil, !isCancelled else { return }
    if isOver { receiver(event) } else { refresh = event }
  }

  private mutating func end(_ last: NavigationEvent) {
    guard !isOver else { return }
    isOver = true
    receiver?(last)
    if let refresh, !isCancelled { receiver?(refresh) }
    refresh = nil
    receiver = nil
    request = nil
  }
}

// MARK: The other scheme

/// The concurrent attempt by http while https does not connect. Its events are buffered until one
/// of the two is chosen.
private struct ConcurrentAttempt {
  let request: RunningRequest
  /// The number of the request.
  let number: Int
  var events: [CacheEvent] = []
}

extension NavigationContext {
  /// Starts a timer after which the other scheme is tried if the assumed one has no connection.
  private func watchScheme() {
    guard let patience = walk?.schemeFallbackDelay else { return }
    let number = number
    navigation?.queue.asyncAfter(
      deadline: .now() + max(0, min(1e6, patience))
    ) { [weak navigation] in
      navigation?.performNow { context in context.runIfUnanswered(number) { $0.useOtherScheme() } }
    }
  }

  /// Calls `then` if the first request still runs without a connection to the server, and `other`
  /// if it has a connection.
  private func runIfUnanswered(
    _ number: Int, else other: (@Sendable (inout NavigationContext) -> Void)? = nil,
    then: @escaping @Sendable (inout NavigationContext) -> Void
  ) {
    guard number == self.number, !isOver, let request, let navigation else { return }
    request.checkConnection { isConnected in
      navigation.perform { context in
        guard number == context.number, !context.isOver else { return }
        if isConnected { other?(&context) } else { then(&context) }
      }
    }
  }

  /// Tries the other scheme, because the assumed one has no connection.
  private mutating func useOtherScheme() {
    guard let walk, walk.schemeFallbackDelay != nil else { return }
    guard walk.racesSchemes else {
      if let step = self.walk?.otherSchemeAfterSilence() { change(to: step) }
      return
    }
    var rivalWalk = walk
    guard case .load(let redirect)? = rivalWalk.otherSchemeAfterSilence(), let receiver,
      let navigation
    else { return }
    requestCount += 1
    let running = try? loader(redirect, cache, navigation.queue) { [number = requestCount] event in
      navigation.performNow { $0.receive(event, of: number, for: receiver) }
    }
    concurrentAttempt = running.map { ConcurrentAttempt(request: $0, number: requestCount) }
  }

  /// Cancels the request by the assumed scheme and continues with the other one.
  private mutating func change(to step: RedirectWalk.Step) {
    request?.cancel()
    do throws(LoadError) {
      try perform(step)
    } catch {
      end(.failed(error))
    }
  }

  private mutating func receiveConcurrent(
    _ event: CacheEvent, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    concurrentAttempt?.events.append(event)
    guard let concurrentAttempt, concurrentAttempt.events.count == 1 else { return }
    if case .failed = event {
      // The assumed scheme may use the rest of its time, and its error is reported.
      walk?.recordResponse()
      return dropConcurrentAttempt()
    }
    runIfUnanswered(number, else: { $0.dropConcurrentAttempt() }) { context in
      guard let concurrentAttempt = context.concurrentAttempt,
        context.walk?.otherSchemeAfterSilence() != nil
      else {
        return
      }
      context.request?.cancel()
      context.promote(concurrentAttempt, for: receiver)
    }
  }

  /// Replaces the first request by the concurrent attempt; `walk` is already at its URL.
  private mutating func promote(
    _ rival: ConcurrentAttempt, for receiver: @escaping @Sendable (NavigationEvent) -> Void
  ) {
    self.concurrentAttempt = nil
    (request, number) = (rival.request, rival.number)
    for event in rival.events { receive(event, of: number, for: receiver) }
  }

  private mutating func dropConcurrentAttempt() {
    concurrentAttempt?.request.cancel()
    concurrentAttempt = nil
  }
}
