import Foundation

/// The state machine of one load: events go in, actions come out. It performs no I/O and does not
/// know the time; `FetchTask` performs the actions and passes their results back as events.
///
/// A load serves a client and may exchange messages with a server at the same time. The legal
/// transitions are:
///
/// ```
///    ┌───── confirmed, failed ─────┐
///    v                             │
/// deciding ── request sent ──> awaitingResponse ── response head ──> streaming ──> finished
///    │                             ├──> buffering ──> deciding                       ^
///    │                             ├──> discarding ─┐                                │
///    └─────── stored response ─────┴────────────────┴──> serving ──> revalidating ───┘
/// ```
///
/// - `deciding` (the client waits, no request is running): to `awaitingResponse` when a request is
///   sent, to `serving` with a stored or generated response, to `finished` with an error.
/// - `awaitingResponse` (the client waits): to `streaming`, `buffering` or `discarding` with the
///   response head; to `deciding` when the stored response is confirmed or the request fails; to
///   `serving` with the fallback response after the delay.
/// - `buffering` (the client waits): to `deciding` when the response is complete, fails or cannot
///   be buffered; to `serving` with the fallback response after a pause.
/// - `discarding` (the client waits): to `serving` with the fallback response; to `deciding` when
///   the request fails.
/// - These three: to `revalidating` if the fallback response is damaged; to `finished` with an
///   error if there is none, or if the response ends without a head.
/// - `streaming` (the client receives content from the server): to `finished`.
/// - `serving` (the client receives other content, and `Revalidation` is the server's side): to
///   `revalidating` with the client's last event if a request is running, or else to `finished`.
/// - `revalidating` (the client has its last event): to `finished` with the end of the request.
/// - `finished`: final.
///
/// `cancelled` and `aborted` lead from every state to `finished`, except that a background
/// revalidation survives `cancelled`. `revalidationStopped` ends the server's side of `serving` and
/// `revalidating`. An event that a state does not expect has no effect.
struct FetchMachine: Sendable, Equatable {
  /// The current state.
  private(set) var state = State.deciding

  /// A state; the comment of `FetchMachine` lists the transitions.
  enum State: Sendable, Equatable {
    /// The response is being chosen.
    case deciding
    /// A request was sent, and its response head is expected.
    case awaitingResponse
    /// The response is received completely before the client gets it, because a fallback response
    /// can still replace it.
    case buffering
    /// The response was rejected, and the fallback response is being opened. The rest of the
    /// rejected response is still received, because it may be stored.
    case discarding
    /// The client receives the content as it arrives.
    case streaming
    /// The client receives a response that no longer comes from the network.
    case serving(Revalidation)
    /// The client has received its last event. If `isReported` is true, the result of the
    /// revalidation may still follow.
    case revalidating(Revalidation, isReported: Bool)
    /// The load is over.
    case finished
  }

  /// The server's side of a load whose client receives a stored response.
  enum Revalidation: Sendable, Equatable {
    /// The head of the response is expected.
    case awaitingResponse
    /// The content of the response is received.
    case receiving
    /// The response was rejected, but its rest is still received, because it may be stored. The
    /// value is the result to report, if any.
    case discarding(CacheEvent?)
    /// The target of a redirect is being loaded.
    case followingRedirects
    /// No request is running. The value is the result to report (`refreshed` or `checked`), if any.
    case ended(CacheEvent?)
  }

  /// Whether the client still waits for a response head or an error.
  var isClientWaiting: Bool {
    switch state {
    case .deciding, .awaitingResponse, .buffering, .discarding: true
    case .streaming, .serving, .revalidating, .finished: false
    }
  }

  /// Whether events of the server are expected.
  var isExchanging: Bool {
    switch state {
    case .awaitingResponse, .buffering, .discarding, .streaming: true
    case .serving(let revalidation), .revalidating(let revalidation, _):
      switch revalidation {
      case .awaitingResponse, .receiving, .discarding: true
      case .followingRedirects, .ended: false
      }
    case .deciding, .finished: false
    }
  }

  /// Changes the state.
  /// - Parameter event: The event.
  /// - Returns: The actions to perform, in this order.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .sent(let isPatient): return handleSent(isPatient: isPatient)
    case .refused(let failure, let reason): return handleRefusal(failure, fallback: reason)
    case .response(let outcome, let hasFallback, let date):
      return handleResponse(outcome, hasFallback: hasFallback, at: date)
    case .bufferFailed:
      guard state == .buffering else { return [] }
      state = .deciding
      return [.stopTimer, .requestWithoutFallback]
    case .completed(let response): return handleCompletion(response)
    case .failed(let failure, let reason, let date):
      return handleFailure(failure, fallback: reason, at: date)
    case .delayExpired:
      guard state == .awaitingResponse || state == .buffering else { return [] }
      return [.serveFallback(.waiting)]
    case .headDelivered: return handleResponse()
    case .contentEnded(let last): return endClient(with: last)
    case .redirectsEnded(let result):
      guard revalidation == .followingRedirects else { return [] }
      return revalidate(.ended(result))
    case .cancelled: return handleCancellation()
    case .revalidationStopped: return stopRevalidation()
    case .aborted: return handleAbortion()
    }
  }

  // MARK: Requests and responses

  private mutating func handleSent(isPatient: Bool) -> [Action] {
    guard state == .deciding || state == .awaitingResponse else { return [] }
    state = .awaitingResponse
    return isPatient ? [.startTimer] : []
  }

  private mutating func handleRefusal(
    _ failure: TransportFailure, fallback reason: CopyReason?
  ) -> [Action] {
    if revalidation == .awaitingResponse { return revalidate(.ended(nil)) }
    guard state == .deciding || state == .awaitingResponse else { return [] }
    state = .deciding
    // If the request was not sent, this does not count as a check of the copy.
    guard let reason else { return finish(.failed(.transport(failure))) }
    return [.stopTimer, .serveFallback(reason)]
  }

  private mutating func handleResponse(
    _ outcome: CachePolicy.Outcome, hasFallback: Bool, at date: Date
  ) -> [Action] {
    let isWaiting = state == .awaitingResponse
    guard isWaiting || revalidation == .awaitingResponse else { return [] }
    switch outcome {
    case .retry: return [.requestAgain]
    case .refresh(let stored, let merged):
      if isWaiting { state = .deciding }
      let confirm = Action.confirm(stored, merged, isServed: isWaiting)
      let result = CacheEvent.checked(.init(date: date, result: .unchanged))
      return isWaiting ? [.stopTimer, confirm] : revalidate(.ended(result), after: [confirm])
    case .pass(let isStored, let rejectionReason):
      // If there is a fallback response, a network response is delivered only once it is complete.
      let isStreaming = isWaiting && !hasFallback
      if isWaiting { state = isStreaming ? .streaming : .buffering }
      let receive = Action.receive(
        isStreaming ? .streaming : .buffering, isStored: isStored, rejectionReason)
      guard !isStreaming else { return [.stopTimer, receive] }
      return isWaiting ? [receive, .watchPauses] : revalidate(.receiving, after: [receive])
    case .keep(_, let reason, let isStored, let rejectionReason):
      let check = reason.check(at: date)
      let actions =
        [.receive(.discarding, isStored: isStored, rejectionReason)] + check.recordActions
      guard isWaiting else {
        return revalidate(.discarding(check.map(CacheEvent.checked)), after: actions)
      }
      state = .discarding
      return actions + [.serveFallback(reason)]
    }
  }

  private mutating func handleCompletion(_ response: CompletedResponse?) -> [Action] {
    switch state {
    case .streaming: return finish(.finished(response?.saved))
    case .buffering:
      guard let response else { return finish(.failed(.missingHead)) }
      state = .deciding
      if let rejectionReason = response.rejectionReason, response.hasFallback {
        let reason = CopyReason.suspect(rejectionReason)
        return [.stopTimer] + reason.check(at: response.date).recordActions + [
          .serveFallback(reason)
        ]
      }
      if let rejectionReason = response.rejectionReason ?? response.targetRejection,
        response.hasFallbackPage
      {
        return [.stopTimer, .serveFallbackPage(rejectionReason)]
      }
      return [.stopTimer, .serveBuffer]
    case .awaitingResponse, .discarding: return finish(.failed(.missingHead))
    case .serving(.receiving), .revalidating(.receiving, _):
      return response.map { concludeRevalidation($0) } ?? revalidate(.ended(nil))
    case .serving(.discarding(let result)), .revalidating(.discarding(let result), _):
      return revalidate(.ended(result))
    case .serving(.awaitingResponse), .revalidating(.awaitingResponse, _):
      return revalidate(.ended(nil))
    case .deciding, .serving, .revalidating, .finished: return []
    }
  }

  private mutating func concludeRevalidation(_ response: CompletedResponse) -> [Action] {
    if let rejectionReason = response.rejectionReason ?? response.targetRejection {
      let check = CopyReason.suspect(rejectionReason).check(at: response.date)
      return revalidate(.ended(check.map(CacheEvent.checked)), after: check.recordActions)
    }
    if response.redirectsElsewhere { return revalidate(.followingRedirects) + [.followRedirect] }
    if let saved = response.saved, response.isNewContent {
      return revalidate(.ended(.refreshed(saved)))
    }
    return revalidate(.ended(.checked(.init(date: response.date, result: .unchanged))))
  }

  private mutating func handleFailure(
    _ failure: TransportFailure, fallback reason: CopyReason?, at date: Date
  ) -> [Action] {
    let check = reason?.check(at: date)
    switch state {
    case .streaming: return finish(.failed(.transport(failure)))
    case .awaitingResponse, .buffering, .discarding:
      guard let reason else { return finish(.failed(.transport(failure))) }
      state = .deciding
      return [.stopTimer] + check.recordActions + [.serveFallback(reason)]
    case .serving(.discarding(let result)), .revalidating(.discarding(let result), _):
      // The response has been rejected, so the way in which it ended does not matter.
      return revalidate(.ended(result))
    case .serving(.awaitingResponse), .serving(.receiving),
      .revalidating(.awaitingResponse, _), .revalidating(.receiving, _):
      let result = check ?? .init(date: date, result: .failed(failure))
      return revalidate(.ended(.checked(result)), after: check.recordActions)
    case .deciding, .serving, .revalidating, .finished: return []
    }
  }

  // MARK: The client

  private mutating func handleResponse() -> [Action] {
    switch state {
    case .deciding: state = .serving(.ended(nil))
    case .awaitingResponse: state = .serving(.awaitingResponse)
    case .buffering: state = .serving(.receiving)
    case .discarding: state = .serving(.discarding(nil))
    case .streaming, .serving, .revalidating, .finished: return []
    }
    return [.stopTimer]
  }

  /// Delivers the last event of the response to the client.
  private mutating func endClient(with last: CacheEvent) -> [Action] {
    switch state {
    case .deciding, .streaming: return finish(last)
    case .awaitingResponse: state = .revalidating(.awaitingResponse, isReported: true)
    case .buffering: state = .revalidating(.receiving, isReported: true)
    case .discarding: state = .revalidating(.discarding(nil), isReported: true)
    case .serving(let revalidation): state = .revalidating(revalidation, isReported: true)
    case .revalidating, .finished: return []
    }
    return [.stopTimer, .report(last)] + finishIfDone()
  }

  private mutating func handleCancellation() -> [Action] {
    switch state {
    case .serving(let revalidation), .revalidating(let revalidation, _):
      state = .revalidating(revalidation, isReported: false)
      return [.dropContent] + finishIfDone()
    case .awaitingResponse, .buffering, .discarding, .streaming:
      state = .finished
      return [.stopExchange, .end]
    case .deciding:
      state = .finished
      return [.end]
    case .finished: return []
    }
  }

  private mutating func stopRevalidation() -> [Action] {
    guard let revalidation, isExchanging || revalidation == .followingRedirects else { return [] }
    return [.stopExchange] + revalidate(.ended(revalidation.result))
  }

  private mutating func handleAbortion() -> [Action] {
    let stopped = CacheEvent.failed(.transport(TransportFailure(.cancelled, "stopped")))
    switch state {
    case .finished: return []
    case .deciding, .awaitingResponse, .buffering, .discarding, .streaming:
      return [.stopExchange] + finish(stopped)
    case .serving(let revalidation):
      state = .revalidating(.ended(revalidation.result), isReported: true)
      return [.stopExchange, .dropContent, .report(stopped)] + finishIfDone()
    case .revalidating: return stopRevalidation()
    }
  }

  // MARK: Both sides

  /// The server's side while the client receives a stored response; nil in other states.
  private var revalidation: Revalidation? {
    switch state {
    case .serving(let revalidation), .revalidating(let revalidation, _): revalidation
    default: nil
    }
  }

  /// Changes the state of the server's side, and ends the load if both sides are done.
  private mutating func revalidate(
    _ next: Revalidation, after actions: [Action] = []
  ) -> [Action] {
    if case .revalidating(_, let isReported) = state {
      state = .revalidating(next, isReported: isReported)
    } else {
      state = .serving(next)
    }
    return actions + finishIfDone()
  }

  private mutating func finishIfDone() -> [Action] {
    guard case .revalidating(.ended(let result), let isReported) = state else { return [] }
    state = .finished
    guard let result, isReported else { return [.end] }
    return [.report(result), .end]
  }

  private mutating func finish(_ last: CacheEvent) -> [Action] {
    state = .finished
    return [.stopTimer, .report(last), .end]
  }
}

extension FetchMachine.Revalidation {
  /// The result of the revalidation that is known so far; nil if there is none.
  fileprivate var result: CacheEvent? {
    switch self {
    case .discarding(let result), .ended(let result): result
    case .awaitingResponse, .receiving, .followingRedirects: nil
    }
  }
}

extension StoredResponse.Check? {
  /// The action that records the check, if there is one.
  fileprivate var recordActions: [FetchMachine.Action] { map { [.record($0)] } ?? [] }
}

extension CopyReason {
  /// Returns the record of the failed check for which a copy is served; nil if the reason is not a
  /// failed check.
  func check(at date: Date) -> StoredResponse.Check? {
    switch self {
    case .failure(let failure): .init(date: date, result: .failed(failure))
    case .status(let status): .init(date: date, result: .status(status))
    case .suspect(let rejectionReason): .init(date: date, result: .suspect(rejectionReason))
    case .offlineMode, .waiting, .requested, .preferred, .permitted: nil
    }
  }
}

extension LoadError {
  /// The error for an exchange that ended without a response head.
  static let missingHead = LoadError.transport(
    TransportFailure(.incomplete, "the response has no head"))
}
