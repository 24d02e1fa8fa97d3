/// The state machine of one navigation: events go in, actions come out. It performs no I/O;
/// `NavigationContext` performs the actions, and `RedirectWalk` chooses the URLs.
///
/// A navigation sends the requests of a redirect chain one after the other. Each request has a
/// number, so that late events of an earlier request are recognized. The legal transitions are:
///
/// - `idle` (no request was sent): to `loading` with the first request, to `ended` with an error.
/// - `loading` (the current request is running): to `loading` with the next request, to `ended`
///   with the last event.
/// - `ended`: final.
///
/// An event that a state does not expect has no effect.
struct NavigationMachine: Sendable, Equatable {
  /// The current state.
  private(set) var state = State.idle
  /// The number of requests that have begun, which is also the number of the latest request.
  private var requestCount = 0
  /// The result of a background revalidation that arrived before the last event.
  private var revalidation: NavigationEvent?

  /// A state; the comment of `NavigationMachine` lists the transitions.
  enum State: Sendable, Equatable {
    /// No request was sent.
    case idle
    /// The request with this number is the current one.
    case loading(Int, Part)
    /// The last event was reported. The result of the background revalidation that belongs to the
    /// request with this number may still follow; nil if that result is not reported.
    case ended(revalidated: Int?)
  }

  /// The part of the response that the current request receives.
  enum Part: Sendable, Equatable {
    /// The head is expected. Meanwhile, the other scheme may be tried in a concurrent attempt.
    case head(Attempt?)
    /// The content of a redirect is discarded. The redirect is followed when it is complete.
    case redirect(LoadedResponse)
    /// The content is delivered to the client.
    case content
  }

  /// A concurrent attempt with http while https does not connect. The events of the attempt are
  /// buffered until one of the two requests is chosen.
  struct Attempt: Sendable, Equatable {
    /// The number of the request.
    let number: Int
    /// The events so far.
    var events: [CacheEvent] = []
  }

  /// The role of a request in the navigation.
  enum Role: Sendable, Equatable {
    /// The request is the one whose response is followed or delivered.
    case current
    /// The request is the concurrent attempt with the other scheme.
    case attempt
  }

  /// The number of the current request; nil before the first one and after the end.
  var current: Int? {
    switch state {
    case .loading(let number, _): number
    case .idle, .ended: nil
    }
  }

  /// The concurrent attempt; nil if there is none.
  var attempt: Attempt? {
    guard case .loading(_, .head(let attempt)) = state else { return nil }
    return attempt
  }

  /// Whether the content of the current request belongs to a redirect and is discarded.
  var discardsContent: Bool {
    guard case .loading(_, .redirect) = state else { return false }
    return true
  }

  /// Whether the last event was reported.
  var hasEnded: Bool {
    guard case .ended = state else { return false }
    return true
  }

  /// Returns whether the request with a number is the current one and has no response yet.
  func isAwaitingHead(of number: Int) -> Bool {
    guard case .loading(number, .head) = state else { return false }
    return true
  }

  /// Returns the role of a request; nil if its events are ignored.
  func role(of number: Int) -> Role? {
    switch state {
    case .idle: nil
    case .loading(number, _): .current
    case .loading: attempt?.number == number ? .attempt : nil
    case .ended(let revalidated): revalidated == number ? .current : nil
    }
  }

  // MARK: Requests

  /// Makes a new request the current one. No attempt may be running, because it would not be
  /// cancelled.
  /// - Returns: The number of the request.
  mutating func beginRequest() -> Int {
    assert(attempt == nil)
    requestCount += 1
    state = .loading(requestCount, .head(nil))
    return requestCount
  }

  /// Begins the concurrent attempt with the other scheme.
  /// - Returns: The number of the attempt's request; nil unless the head of the current request is
  ///   expected and no attempt is running.
  mutating func beginAttempt() -> Int? {
    guard case .loading(let number, .head(nil)) = state else { return nil }
    requestCount += 1
    state = .loading(number, .head(Attempt(number: requestCount)))
    return requestCount
  }

  // MARK: Events

  /// Changes the state.
  /// - Parameter event: The event.
  /// - Returns: The actions to perform, in this order.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .redirect(let response): return receive(.redirect(response))
    case .response(let head):
      guard case .loading(_, .head) = state else { return [] }
      return receive(.content) + [.report(head)]
    case .finished(let last):
      if case .loading(_, .redirect(let response)) = state { return [.follow(response)] }
      return dropAttempt() + end(with: last)
    case .failed(let error): return dropAttempt() + end(with: .failed(error))
    case .revalidated(let result): return receive(revalidation: result)
    case .attemptReceived(let event): return receive(fromAttempt: event)
    case .attemptChosen(let cancelsCurrent):
      guard case .loading(let number, .head(let attempt?)) = state else { return [] }
      state = .loading(attempt.number, .head(nil))
      let replay = Action.replay(attempt.events, of: attempt.number)
      return cancelsCurrent ? [.cancel(number), replay] : [replay]
    case .attemptDropped: return dropAttempt()
    case .cancelled: return cancel()
    }
  }

  private mutating func receive(_ part: Part) -> [Action] {
    guard case .loading(let number, .head) = state else { return [] }
    let actions = dropAttempt()
    state = .loading(number, part)
    return actions
  }

  private mutating func receive(fromAttempt event: CacheEvent) -> [Action] {
    guard case .loading(let number, .head(var attempt?)) = state else { return [] }
    attempt.events.append(event)
    state = .loading(number, .head(attempt))
    guard attempt.events.count == 1 else { return [] }
    // If the attempt fails, the assumed scheme may use the rest of its time, and its error is
    // reported.
    if case .failed = event { return [.keepScheme] + dropAttempt() }
    return [.compareConnections]
  }

  private mutating func receive(revalidation result: NavigationEvent) -> [Action] {
    switch state {
    // The result of revalidating a saved redirect is not reported.
    case .idle, .loading(_, .redirect), .ended(revalidated: nil): return []
    case .loading:
      revalidation = result
      return []
    case .ended: return [.report(result)]
    }
  }

  private mutating func dropAttempt() -> [Action] {
    guard case .loading(let number, .head(let attempt?)) = state else { return [] }
    state = .loading(number, .head(nil))
    return [.cancel(attempt.number)]
  }

  private mutating func end(with last: NavigationEvent) -> [Action] {
    let revalidated: Int?
    switch state {
    case .idle: revalidated = nil
    case .loading(let number, let part):
      if case .redirect = part { revalidated = nil } else { revalidated = number }
    case .ended: return []
    }
    state = .ended(revalidated: revalidated)
    let results = [last, revalidation].compactMap { $0 }.map(Action.report)
    revalidation = nil
    return results + [.end]
  }

  private mutating func cancel() -> [Action] {
    guard !hasEnded else {
      // The background revalidation continues, but its result is not reported.
      state = .ended(revalidated: nil)
      return []
    }
    let cancelled = LoadError.transport(TransportFailure(.cancelled, "cancelled"))
    let running = current.map { [Action.cancel($0)] } ?? []
    let actions = dropAttempt() + [.report(.failed(cancelled))] + running + [.end]
    (state, revalidation) = (.ended(revalidated: nil), nil)
    return actions
  }
}

extension NavigationMachine {
  /// An event of a navigation.
  enum Event: Sendable, Equatable {
    /// The head of a redirect was received.
    case redirect(LoadedResponse)
    /// The head of the final response was received; the value is the event that reports it.
    case response(NavigationEvent)
    /// The content is complete; the value is the event that reports this, unless the response is a
    /// redirect.
    case finished(NavigationEvent)
    /// An error of the current request, or of sending the next one, ended the navigation.
    case failed(LoadError)
    /// A background revalidation ended: `refreshed` or `checked`.
    case revalidated(NavigationEvent)
    /// The concurrent attempt received an event.
    case attemptReceived(CacheEvent)
    /// The concurrent attempt replaces the current request, which is cancelled if it is still
    /// running.
    case attemptChosen(cancelsCurrent: Bool)
    /// The concurrent attempt is not needed.
    case attemptDropped
    /// The client cancelled the navigation.
    case cancelled
  }

  /// An action that the driver performs.
  enum Action: Sendable, Equatable {
    /// Deliver an event to the client.
    case report(NavigationEvent)
    /// Send the request to which a redirect leads.
    case follow(LoadedResponse)
    /// Cancel the request with this number.
    case cancel(Int)
    /// Process the buffered events of the concurrent attempt as events of the current request.
    case replay([CacheEvent], of: Int)
    /// Choose the concurrent attempt unless the current request is connected by now.
    case compareConnections
    /// Stop trying the other scheme.
    case keepScheme
    /// Release everything except what a background revalidation needs.
    case end
  }
}
