import Dispatch
import Foundation

/// The state of a `Navigation`. It performs the actions of its `NavigationMachine`, and `walk`
/// chooses the requests of the redirect chain.
///
/// All methods are called on the queue of the navigation.
struct NavigationContext {
  /// A function that delivers the events to the client.
  typealias Receiver = @Sendable (NavigationEvent) -> Void

  /// The navigation. This reference is weak because the running requests retain the navigation.
  weak var navigation: Navigation?
  private let cache: HTTPCache
  private let loader: RequestLoader
  private let acknowledgesManually: Bool

  /// The receiver of the events; nil after the last one, because it may retain the navigation. The
  /// running request also retains the receiver, for the result of a background revalidation.
  private var receiver: Receiver?
  private var walk: RedirectWalk
  private var machine = NavigationMachine()
  /// The running requests by number: the current request, and the concurrent attempt with the other
  /// scheme.
  private var requests: [Int: RunningRequest] = [:]

  init(
    _ cache: HTTPCache, _ walk: RedirectWalk, _ steps: @escaping RequestLoader,
    acknowledgesManually: Bool, event: @escaping Receiver
  ) {
    self.acknowledgesManually = acknowledgesManually
    self.cache = cache
    self.walk = walk
    self.loader = steps
    receiver = event
  }

  /// The current request; nil before the first one and after the last event.
  var request: RunningRequest? { machine.current.flatMap { requests[$0] } }

  mutating func begin() {
    do throws(LoadError) {
      let step = walk.begin()
      try send(step)
      watchScheme()
    } catch {
      // No event may be reported while `start` is running.
      navigation?.perform { $0.handle(.failed(error)) }
    }
  }

  mutating func cancel() { handle(.cancelled) }

  // MARK: Actions

  /// Passes an event to the machine and performs the resulting actions.
  private mutating func handle(_ event: NavigationMachine.Event) { handle(event, for: receiver) }

  /// Passes an event to the machine and performs the resulting actions. The receiver is a
  /// parameter, because the result of a background revalidation may follow the last event.
  private mutating func handle(_ event: NavigationMachine.Event, for receiver: Receiver?) {
    for action in machine.handle(event) { perform(action, for: receiver) }
  }

  private mutating func perform(_ action: NavigationMachine.Action, for receiver: Receiver?) {
    switch action {
    case .report(let event): receiver?(event)
    case .follow(let response): follow(response, for: receiver)
    case .cancel(let number): requests.removeValue(forKey: number)?.cancel()
    case .replay(let events, let number):
      guard let receiver else { return }
      requests = requests.filter { $0.key == number }
      for event in events { receive(event, of: number, for: receiver) }
    case .compareConnections: compareConnections()
    case .keepScheme: walk.recordResponse()
    case .end: (self.receiver, requests) = (nil, [:])
    }
  }

  private mutating func follow(_ redirect: LoadedResponse, for receiver: Receiver?) {
    do throws(LoadError) {
      let step = walk.follow(redirect) { receiver?($0) }
      try send(step)
    } catch {
      handle(.failed(error))
    }
  }

  /// Sends the next request of the redirect chain, which becomes the current one.
  private mutating func send(_ step: RedirectWalk.Step) throws(LoadError) {
    guard !machine.hasEnded, let receiver, let navigation else { return }
    switch step {
    case .end(let error): throw error
    case .load(let redirectStep):
      let previous = machine.current
      let number = machine.beginRequest()
      // The request retains the navigation while it runs; `end` breaks the retain cycle.
      requests[number] = try loader(redirectStep, cache, navigation.queue) { event in
        navigation.performNow { $0.receive(event, of: number, for: receiver) }
      }
      if let previous { requests[previous] = nil }
    }
  }

  // MARK: Events of requests

  private mutating func receive(
    _ event: CacheEvent, of number: Int, for receiver: @escaping Receiver
  ) {
    switch machine.role(of: number) {
    case .current: receive(event, for: receiver)
    case .attempt: handle(.attemptReceived(event), for: receiver)
    case nil: break
    }
  }

  /// Handles an event of the current request.
  private mutating func receive(_ event: CacheEvent, for receiver: @escaping Receiver) {
    switch event {
    case .refreshed(let stored): handle(.revalidated(.refreshed(stored)), for: receiver)
    case .checked(let check): handle(.revalidated(.checked(check)), for: receiver)
    case _ where machine.hasEnded: break
    case .response(let response):
      if let step = walk.otherScheme(after: response) ?? walk.reload(after: response) {
        return change(to: step)
      }
      guard !walk.isRedirect(response) else { return handle(.redirect(response), for: receiver) }
      let head = walk.addingOtherScheme(response)
      handle(.response(.response(head, url: walk.source(of: response))), for: receiver)
      walk.recordResponse()
    case .data(let bytes):
      let isDiscarded = machine.discardsContent
      if !isDiscarded { receiver(.data(bytes)) }
      if isDiscarded || !acknowledgesManually { request?.acknowledge(bytes.count) }
    case .finished(let stored): handle(.finished(.finished(stored)), for: receiver)
    case .failed(let error): receiveFailure(error, for: receiver)
    }
  }

  private mutating func receiveFailure(_ error: LoadError, for receiver: @escaping Receiver) {
    guard case .transport(let failure) = error,
      let step = walk.otherScheme(after: failure) ?? walk.returnToPage(after: failure)
    else {
      return handle(.failed(walk.errorToReport(error)), for: receiver)
    }
    guard machine.attempt != nil else { return change(to: step) }
    // `walk` has just moved to the URL that the attempt already requests.
    handle(.attemptChosen(cancelsCurrent: false), for: receiver)
  }
}

// MARK: The other scheme

extension NavigationContext {
  /// Starts a timer after which the other scheme is tried, unless a connection was made with the
  /// assumed scheme.
  private func watchScheme() {
    guard let patience = walk.schemeFallbackDelay, let number = machine.current else { return }
    navigation?.queue.asyncAfter(
      deadline: .now() + max(0, min(1e6, patience))
    ) { [weak navigation] in
      navigation?.performNow { context in context.runIfUnanswered(number) { $0.useOtherScheme() } }
    }
  }

  /// Calls `then` if a request has neither a response nor a connection to the server, and `other`
  /// if it has a connection.
  private func runIfUnanswered(
    _ number: Int, else other: (@Sendable (inout NavigationContext) -> Void)? = nil,
    then: @escaping @Sendable (inout NavigationContext) -> Void
  ) {
    guard machine.isAwaitingHead(of: number), let request, let navigation else { return }
    request.checkConnection { isConnected in
      navigation.perform { context in
        guard context.machine.isAwaitingHead(of: number) else { return }
        if isConnected { other?(&context) } else { then(&context) }
      }
    }
  }

  /// Tries the other scheme, because no connection was made with the assumed scheme.
  private mutating func useOtherScheme() {
    guard walk.schemeFallbackDelay != nil else { return }
    guard walk.racesSchemes else {
      if let step = walk.otherSchemeAfterSilence() { change(to: step) }
      return
    }
    // The walk remains at the assumed scheme until the attempt is chosen.
    var attempted = walk
    guard case .load(let redirect)? = attempted.otherSchemeAfterSilence(), let receiver,
      let navigation, let number = machine.beginAttempt()
    else { return }
    let running = try? loader(redirect, cache, navigation.queue) { event in
      navigation.performNow { $0.receive(event, of: number, for: receiver) }
    }
    requests[number] = running
    if running == nil { handle(.attemptDropped) }
  }

  /// Cancels the request with the assumed scheme, and continues with the request of the other
  /// scheme.
  private mutating func change(to step: RedirectWalk.Step) {
    request?.cancel()
    do throws(LoadError) {
      try send(step)
    } catch {
      handle(.failed(error))
    }
  }

  /// Chooses the concurrent attempt, which has responded first, unless the current request has a
  /// connection by now.
  private func compareConnections() {
    guard let number = machine.current else { return }
    runIfUnanswered(number, else: { $0.handle(.attemptDropped) }) { context in
      guard context.machine.attempt != nil, context.walk.otherSchemeAfterSilence() != nil else {
        return
      }
      context.handle(.attemptChosen(cancelsCurrent: true))
    }
  }
}
