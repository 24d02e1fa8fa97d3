import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Tables of events, with the actions and the state to which they lead.
@Suite("The state machine of a load")
struct FetchMachineTests {
  typealias Machine = FetchMachine

  /// A named sequence of steps from the initial state.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [Step]

    init(_ name: String, _ steps: [Step]) {
      (testDescription, self.steps) = (name, steps)
    }
  }

  /// An event, the actions that it causes, and the state after it.
  struct Step: Sendable {
    let event: Machine.Event
    let actions: [Machine.Action]
    let state: Machine.State

    init(_ event: Machine.Event, _ actions: [Machine.Action] = [], _ state: Machine.State) {
      (self.event, self.actions, self.state) = (event, actions, state)
    }
  }

  static let now = Sample.now
  static let copy = Sample.stored(id: "copy")
  static let newer = Sample.stored(id: "newer")
  static let head = Sample.response(304)
  static let failure = TransportFailure(.timedOut, "late")
  static let failed = CacheEvent.failed(.transport(failure))

  static func check(_ result: StoredResponse.Check.Result) -> StoredResponse.Check {
    .init(date: now, result: result)
  }

  static func checked(_ result: StoredResponse.Check.Result) -> CacheEvent {
    .checked(check(result))
  }

  static let pass = CachePolicy.Outcome.pass(isStored: true, rejectionReason: nil)
  static let keep = CachePolicy.Outcome.keep(
    copy, reason: .status(503), isStored: false, rejectionReason: nil)
  static let refresh = CachePolicy.Outcome.refresh(copy, head)

  static func completed(
    _ change: (inout Machine.CompletedResponse) -> Void = { _ in }
  ) -> Machine.Event {
    var response = Machine.CompletedResponse(saved: newer, date: now, isNewContent: true)
    response.hasFallback = true
    change(&response)
    return .completed(response)
  }

  // Steps with which several rows begin.

  static let sent = Step(.sent(usesFallbackDelay: true), [.startTimer], .awaitingResponse)
  static let streaming = [
    sent,
    Step(
      .response(pass, hasFallback: false, at: now),
      [.stopTimer, .receive(.streaming, isStored: true, nil)], .streaming),
  ]
  static let buffering = [
    sent,
    Step(
      .response(pass, hasFallback: true, at: now),
      [.receive(.buffering, isStored: true, nil), .watchPauses], .buffering),
  ]
  static let servedMeanwhile = [
    sent, Step(.delayExpired, [.serveFallback(.waiting)], .awaitingResponse),
    Step(.headDelivered, [.stopTimer], .serving(.awaitingResponse)),
  ]
  static let revalidating =
    servedMeanwhile + [
      Step(
        .contentEnded(.finished(copy)), [.stopTimer, .report(.finished(copy))],
        .revalidating(.awaitingResponse, isReported: true))
    ]
  static let receiving =
    revalidating + [
      Step(
        .response(pass, hasFallback: true, at: now), [.receive(.buffering, isStored: true, nil)],
        .revalidating(.receiving, isReported: true))
    ]

  static let answers: [Row] = [
    Row(
      "a stored response is served without a request",
      [
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
        Step(
          .contentEnded(.finished(copy)), [.stopTimer, .report(.finished(copy)), .end], .finished),
      ]),
    Row(
      "stored content turns out to be damaged",
      [
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
        Step(.contentEnded(failed), [.stopTimer, .report(failed), .end], .finished),
      ]),
    Row(
      "no response is possible",
      [
        Step(
          .contentEnded(.failed(.notSaved)), [.stopTimer, .report(.failed(.notSaved)), .end],
          .finished)
      ]),
    Row(
      "a request is refused, and nothing is saved",
      [
        Step(.refused(failure, fallback: nil), [.stopTimer, .report(failed), .end], .finished)
      ]),
    Row(
      "a request is refused, and the copy is served",
      [
        Step(
          .refused(failure, fallback: .failure(failure)),
          [.stopTimer, .serveFallback(.failure(failure))], .deciding),
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
      ]),
    Row(
      "a response is streamed",
      streaming + [
        Step(completed(), [.stopTimer, .report(.finished(newer)), .end], .finished)
      ]),
    Row(
      "a streamed response breaks off",
      streaming + [
        Step(
          .failed(failure, fallback: .failure(failure), at: now),
          [.stopTimer, .report(failed), .end], .finished)
      ]),
    Row(
      "a buffered response is served",
      buffering + [
        Step(completed(), [.stopTimer, .serveBuffer], .deciding),
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
      ]),
    Row(
      "a buffered response is rejected in favour of the copy",
      buffering + [
        Step(
          completed { $0.rejectionReason = .loginWall },
          [
            .stopTimer, .record(check(.suspect(.loginWall))),
            .serveFallback(.suspect(.loginWall)),
          ], .deciding)
      ]),
    Row(
      "a rejected response is served if there is nothing else",
      buffering + [
        Step(
          completed {
            $0.rejectionReason = .loginWall
            $0.hasFallback = false
          }, [.stopTimer, .serveBuffer], .deciding)
      ]),
    Row(
      "the target of redirects is rejected in favour of the page before them",
      buffering + [
        Step(
          completed {
            $0.targetRejection = .frontPage
            $0.hasFallbackPage = true
          }, [.stopTimer, .serveFallbackPage(.frontPage)], .deciding)
      ]),
    Row(
      "the disk is full, and the response is requested again without a buffer",
      buffering + [
        Step(.bufferFailed, [.stopTimer, .requestWithoutFallback], .deciding), sent,
        streaming[1],
      ]),
    Row(
      "the network fails, and the copy is served",
      [
        sent,
        Step(
          .failed(failure, fallback: .failure(failure), at: now),
          [
            .stopTimer, .record(check(.failed(failure))), .serveFallback(.failure(failure)),
          ], .deciding),
      ]),
    Row(
      "the network fails, and nothing is saved",
      [
        sent,
        Step(
          .failed(failure, fallback: nil, at: now), [.stopTimer, .report(failed), .end], .finished),
      ]),
    Row(
      "the exchange ends without a response",
      [
        sent,
        Step(
          .completed(nil), [.stopTimer, .report(.failed(.missingHead)), .end], .finished),
      ]),
    Row(
      "the server confirms the stored response",
      [
        sent,
        Step(
          .response(refresh, hasFallback: true, at: now),
          [.stopTimer, .confirm(copy, head, isServed: true)], .deciding),
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
      ]),
    Row(
      "the request is repeated without conditions",
      [
        sent,
        Step(
          .response(.retry, hasFallback: true, at: now), [.requestAgain], .awaitingResponse), sent,
      ]),
    Row(
      "a repeated request is refused",
      [
        sent,
        Step(
          .response(.retry, hasFallback: false, at: now), [.requestAgain], .awaitingResponse),
        Step(.refused(failure, fallback: nil), [.stopTimer, .report(failed), .end], .finished),
      ]),
    Row(
      "an error page is rejected, and its rest is received after the copy was served",
      [
        sent,
        Step(
          .response(keep, hasFallback: true, at: now),
          [
            .receive(.discarding, isStored: false, nil), .record(check(.status(503))),
            .serveFallback(.status(503)),
          ], .discarding),
        Step(.headDelivered, [.stopTimer], .serving(.discarding(nil))),
        Step(
          .contentEnded(.finished(copy)), [.stopTimer, .report(.finished(copy))],
          .revalidating(.discarding(nil), isReported: true)),
        Step(completed(), [.end], .finished),
      ]),
    Row(
      "an error page is rejected, but the copy is damaged",
      [
        sent,
        Step(
          .response(keep, hasFallback: true, at: now),
          [
            .receive(.discarding, isStored: false, nil), .record(check(.status(503))),
            .serveFallback(.status(503)),
          ], .discarding),
        Step(
          .contentEnded(failed), [.stopTimer, .report(failed)],
          .revalidating(.discarding(nil), isReported: true)),
        Step(.failed(failure, fallback: nil, at: now), [.end], .finished),
      ]),
  ]

  static let revalidations: [Row] = [
    Row(
      "the server confirms the copy that was served",
      revalidating + [
        Step(
          .response(refresh, hasFallback: true, at: now),
          [.confirm(copy, head, isServed: false), .report(checked(.unchanged)), .end], .finished)
      ]),
    Row(
      "a newer version is reported",
      receiving + [Step(completed(), [.report(.refreshed(newer)), .end], .finished)]),
    Row(
      "the same content is reported as unchanged",
      receiving + [
        Step(
          completed { $0.isNewContent = false }, [.report(checked(.unchanged)), .end], .finished)
      ]),
    Row(
      "a rejected version is recorded and reported",
      receiving + [
        Step(
          completed { $0.rejectionReason = .signInPage },
          [
            .record(check(.suspect(.signInPage))), .report(checked(.suspect(.signInPage))), .end,
          ], .finished)
      ]),
    Row(
      "a failure without a copy to fall back on is reported, but not recorded",
      revalidating + [
        Step(
          .failed(failure, fallback: nil, at: now), [.report(checked(.failed(failure))), .end],
          .finished)
      ]),
    Row(
      "a failure while the content is received is recorded",
      receiving + [
        Step(
          .failed(failure, fallback: .failure(failure), at: now),
          [.record(check(.failed(failure))), .report(checked(.failed(failure))), .end], .finished)
      ]),
    Row(
      "redirects are followed before the result is reported",
      receiving + [
        Step(
          completed { $0.redirectsElsewhere = true }, [.followRedirect],
          .revalidating(.followingRedirects, isReported: true)),
        Step(
          .redirectsEnded(.refreshed(newer)), [.report(.refreshed(newer)), .end], .finished),
      ]),
    Row(
      "an error page is recorded and reported after its end",
      revalidating + [
        Step(
          .response(keep, hasFallback: true, at: now),
          [.receive(.discarding, isStored: false, nil), .record(check(.status(503)))],
          .revalidating(.discarding(checked(.status(503))), isReported: true)),
        Step(completed(), [.report(checked(.status(503))), .end], .finished),
      ]),
    Row(
      "a repeated request that is refused has no result",
      revalidating + [
        Step(
          .response(.retry, hasFallback: true, at: now), [.requestAgain],
          .revalidating(.awaitingResponse, isReported: true)),
        Step(.refused(failure, fallback: .failure(failure)), [.end], .finished),
      ]),
    Row(
      "the result is reported after the copy if the server is faster than the client",
      servedMeanwhile + [
        Step(
          .response(pass, hasFallback: true, at: now), [.receive(.buffering, isStored: true, nil)],
          .serving(.receiving)),
        Step(completed(), [], .serving(.ended(.refreshed(newer)))),
        Step(
          .contentEnded(.finished(copy)),
          [.stopTimer, .report(.finished(copy)), .report(.refreshed(newer)), .end], .finished),
      ]),
    Row(
      "the content pauses, and the copy is served while the rest is received",
      buffering + [
        Step(.delayExpired, [.serveFallback(.waiting)], .buffering),
        Step(.headDelivered, [.stopTimer], .serving(.receiving)),
        Step(.delayExpired, [], .serving(.receiving)),
      ]),
  ]

  static let ends: [Row] = [
    Row("cancelled before it begins", [Step(.cancelled, [.end], .finished)]),
    Row(
      "cancelled while waiting for the head",
      [sent, Step(.cancelled, [.stopExchange, .end], .finished)]),
    Row(
      "cancelled while the content is streamed",
      streaming + [Step(.cancelled, [.stopExchange, .end], .finished)]),
    Row(
      "cancelled while a copy is served: its revalidation goes on, but is not reported",
      servedMeanwhile + [
        Step(
          .cancelled, [.dropContent], .revalidating(.awaitingResponse, isReported: false)),
        Step(
          .response(refresh, hasFallback: true, at: now),
          [.confirm(copy, head, isServed: false), .end], .finished),
      ]),
    Row(
      "cancelled while a stored response is served",
      [
        Step(.headDelivered, [.stopTimer], .serving(.ended(nil))),
        Step(.cancelled, [.dropContent, .end], .finished),
      ]),
    Row(
      "the revalidation is stopped while a copy is served",
      servedMeanwhile + [
        Step(.revalidationStopped, [.stopExchange], .serving(.ended(nil))),
        Step(
          .contentEnded(.finished(copy)), [.stopTimer, .report(.finished(copy)), .end], .finished),
      ]),
    Row(
      "the revalidation is stopped in the background",
      revalidating + [Step(.revalidationStopped, [.stopExchange, .end], .finished)]),
    Row(
      "the client still waits for the response that is not a revalidation",
      [sent, Step(.revalidationStopped, [], .awaitingResponse)]),
    Row(
      "aborted while waiting",
      [
        sent, Step(.aborted, [.stopExchange, .stopTimer, .report(stopped), .end], .finished),
      ]),
    Row(
      "aborted while a copy is served and its revalidation runs",
      servedMeanwhile + [
        Step(.aborted, [.stopExchange, .dropContent, .report(stopped), .end], .finished)
      ]),
    Row(
      "aborted during a revalidation in the background",
      revalidating + [Step(.aborted, [.stopExchange, .end], .finished)]),
    Row(
      "aborted after an error page was rejected: the known result is reported",
      revalidating + [
        Step(
          .response(keep, hasFallback: true, at: now),
          [.receive(.discarding, isStored: false, nil), .record(check(.status(503)))],
          .revalidating(.discarding(checked(.status(503))), isReported: true)),
        Step(.aborted, [.stopExchange, .report(checked(.status(503))), .end], .finished),
      ]),
  ]

  static let stopped = CacheEvent.failed(.transport(TransportFailure(.cancelled, "stopped")))

  @Test(arguments: answers + revalidations + ends)
  func `each event leads to its actions and state`(_ row: Row) {
    var machine = Machine()
    for (number, step) in row.steps.enumerated() {
      #expect(machine.handle(step.event) == step.actions, "step \(number)")
      #expect(machine.state == step.state, "step \(number)")
    }
  }

  /// One event of each kind.
  static let events: [Machine.Event] = [
    .sent(usesFallbackDelay: true), .refused(failure, fallback: nil),
    .refused(failure, fallback: .failure(failure)), .response(pass, hasFallback: true, at: now),
    .response(pass, hasFallback: false, at: now), .response(.retry, hasFallback: true, at: now),
    .response(refresh, hasFallback: true, at: now), .response(keep, hasFallback: true, at: now),
    .bufferFailed, completed(), completed { $0.redirectsElsewhere = true }, .completed(nil),
    .failed(failure, fallback: nil, at: now),
    .failed(failure, fallback: .failure(failure), at: now), .delayExpired, .headDelivered,
    .contentEnded(.finished(copy)), .redirectsEnded(.refreshed(newer)), .cancelled,
    .revalidationStopped, .aborted,
  ]

  /// Every state that any sequence of events reaches, with the client's events before it.
  private static func reachableStates() -> [Machine] {
    var reachedStates: [Machine] = [Machine()]
    var index = 0
    while index < reachedStates.count {
      for event in events {
        var machine = reachedStates[index]
        _ = machine.handle(event)
        if !reachedStates.contains(machine) { reachedStates.append(machine) }
      }
      index += 1
    }
    return reachedStates
  }

  @Test func `a finished load does nothing`() {
    var machine = Machine()
    _ = machine.handle(.cancelled)
    for event in Self.events {
      #expect(machine.handle(event) == [])
      #expect(machine.state == .finished)
    }
  }

  @Test func `the end is the last action, and only when a load is finished`() {
    let states = Self.reachableStates()
    #expect(states.count > 15)
    for state in states {
      for event in Self.events {
        var machine = state
        let actions = machine.handle(event)
        let endsNow = state.state != .finished && machine.state == .finished
        #expect(actions.count { $0 == .end } == (endsNow ? 1 : 0), "\(state.state): \(event)")
        #expect(!endsNow || actions.last == .end, "\(state.state): \(event)")
      }
    }
  }

  @Test func `the client gets one last event, and nothing after it was cancelled`() {
    for state in Self.reachableStates() {
      for event in Self.events {
        var machine = state
        let endCount = machine.handle(event).count { action in
          switch action {
          case .report(.finished), .report(.failed): true
          default: false
          }
        }
        let hadEnd =
          switch state.state {
          case .revalidating, .finished: true
          default: false
          }
        #expect(endCount <= (hadEnd ? 0 : 1), "\(state.state): \(event)")
        guard event == .cancelled else { continue }
        for later in Self.events {
          var machine = machine
          let reports = machine.handle(later).contains { action in
            if case .report = action { return true }
            return false
          }
          #expect(!reports, "\(state.state): \(later)")
        }
      }
    }
  }

  @Test func `every load can be finished by the server and the client, and by the cache`() {
    for state in Self.reachableStates() {
      var aborted = state
      _ = aborted.handle(.aborted)
      #expect(aborted.state == .finished)
      var machine = state
      for event in [
        .failed(Self.failure, fallback: nil, at: Self.now), .redirectsEnded(.refreshed(Self.newer)),
        .contentEnded(Self.failed),
      ] as [Machine.Event] {
        _ = machine.handle(event)
      }
      #expect(machine.state == .finished, "\(state.state)")
    }
  }
}
