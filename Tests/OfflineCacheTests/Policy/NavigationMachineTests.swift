import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Tables of events, with the actions and the state to which they lead.
@Suite("The state machine of a navigation")
struct NavigationMachineTests {
  typealias Machine = NavigationMachine

  /// A change of the machine.
  enum Input: Sendable {
    /// A request becomes the current one and gets this number.
    case request(Int)
    /// The concurrent attempt begins and gets this number; nil if it may not begin.
    case attempt(Int?)
    /// An event.
    case event(Machine.Event)
  }

  /// A named sequence of steps from the initial state.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [Step]

    init(_ name: String, _ steps: [Step]) {
      (testDescription, self.steps) = (name, steps)
    }
  }

  /// A change, the actions that it causes, and the state after it.
  struct Step: Sendable {
    let input: Input
    let actions: [Machine.Action]
    let state: Machine.State

    init(_ input: Input, _ actions: [Machine.Action] = [], _ state: Machine.State) {
      (self.input, self.actions, self.state) = (input, actions, state)
    }

    init(_ event: Machine.Event, _ actions: [Machine.Action] = [], _ state: Machine.State) {
      self.init(.event(event), actions, state)
    }
  }

  static let copy = Sample.stored(id: "copy")
  static let redirect = LoadedResponse(
    response: Sample.response(302, [("Location", "/next")]), source: .network)
  static let page = LoadedResponse(response: Sample.response(), source: .network)
  static let url = Sample.request().url
  static let head = NavigationEvent.response(page, url: url)
  static let finished = NavigationEvent.finished(nil)
  static let refreshed = NavigationEvent.refreshed(copy)
  static let error = LoadError.transport(TransportFailure(.timedOut, "late"))
  static let cancelled = NavigationEvent.failed(
    .transport(TransportFailure(.cancelled, "cancelled")))

  // Steps with which several rows begin.

  static let first = Step(.request(1), [], .loading(1, .head(nil)))
  static let attempted = [
    first, Step(.attempt(2), [], .loading(1, .head(Machine.Attempt(number: 2)))),
  ]
  static let answered = [first, Step(.response(head), [.report(head)], .loading(1, .content))]
  static let redirected = [
    first, Step(.redirect(redirect), [], .loading(1, .redirect(redirect))),
  ]
  static let responding =
    attempted + [
      Step(
        .attemptReceived(.response(page)), [.compareConnections],
        .loading(1, .head(Machine.Attempt(number: 2, events: [.response(page)]))))
    ]

  static let chains: [Row] = [
    Row(
      "a response is reported",
      answered + [
        Step(.finished(finished), [.report(finished), .end], .ended(revalidated: 1))
      ]),
    Row(
      "a redirect is followed when it is complete",
      redirected + [
        Step(.finished(finished), [.follow(redirect)], .loading(1, .redirect(redirect))),
        Step(.request(2), [], .loading(2, .head(nil))),
        Step(.response(head), [.report(head)], .loading(2, .content)),
        Step(.finished(finished), [.report(finished), .end], .ended(revalidated: 2)),
      ]),
    Row(
      "a redirect that may not be followed fails",
      redirected + [
        Step(.failed(error), [.report(.failed(error)), .end], .ended(revalidated: nil))
      ]),
    Row(
      "a first request that may not be sent fails",
      [Step(.failed(error), [.report(.failed(error)), .end], .ended(revalidated: nil))]),
    Row(
      "content without a head is complete",
      [first, Step(.finished(finished), [.report(finished), .end], .ended(revalidated: 1))]),
    Row(
      "a failure in the content ends the navigation",
      answered + [
        Step(.failed(error), [.report(.failed(error)), .end], .ended(revalidated: 1)),
        Step(.failed(error), [], .ended(revalidated: 1)),
        Step(.finished(finished), [], .ended(revalidated: 1)),
      ]),
    Row(
      "a second head is ignored",
      answered + [
        Step(.response(head), [], .loading(1, .content)),
        Step(.redirect(redirect), [], .loading(1, .content)),
      ]),
    Row(
      "events before the first request are ignored",
      [
        Step(.response(head), [], .idle), Step(.redirect(redirect), [], .idle),
        Step(.revalidated(refreshed), [], .idle), Step(.attempt(nil), [], .idle),
        Step(.attemptDropped, [], .idle),
      ]),
  ]

  static let revalidations: [Row] = [
    Row(
      "the result of a revalidation follows the last event",
      answered + [
        Step(.finished(finished), [.report(finished), .end], .ended(revalidated: 1)),
        Step(.revalidated(refreshed), [.report(refreshed)], .ended(revalidated: 1)),
      ]),
    Row(
      "an early result of a revalidation waits for the last event",
      answered + [
        Step(.revalidated(refreshed), [], .loading(1, .content)),
        Step(
          .finished(finished), [.report(finished), .report(refreshed), .end],
          .ended(revalidated: 1)),
      ]),
    Row(
      "the revalidation of a saved redirect is not reported",
      redirected + [
        Step(.revalidated(refreshed), [], .loading(1, .redirect(redirect))),
        Step(.failed(error), [.report(.failed(error)), .end], .ended(revalidated: nil)),
        Step(.revalidated(refreshed), [], .ended(revalidated: nil)),
      ]),
    Row(
      "a cancelled navigation reports no revalidation, neither an early one nor a late one",
      answered + [
        Step(.revalidated(refreshed), [], .loading(1, .content)),
        Step(.cancelled, [.report(cancelled), .cancel(1), .end], .ended(revalidated: nil)),
        Step(.revalidated(refreshed), [], .ended(revalidated: nil)),
      ]),
    Row(
      "a navigation cancelled after its end reports no revalidation",
      answered + [
        Step(.finished(finished), [.report(finished), .end], .ended(revalidated: 1)),
        Step(.cancelled, [], .ended(revalidated: nil)),
        Step(.revalidated(refreshed), [], .ended(revalidated: nil)),
      ]),
  ]

  static let attempts: [Row] = [
    Row(
      "the attempt is cancelled by a response of the assumed scheme",
      attempted + [
        Step(.response(head), [.cancel(2), .report(head)], .loading(1, .content)),
        Step(.attemptChosen(cancelsCurrent: true), [], .loading(1, .content)),
      ]),
    Row(
      "the attempt is cancelled by a redirect of the assumed scheme",
      attempted + [
        Step(.redirect(redirect), [.cancel(2)], .loading(1, .redirect(redirect)))
      ]),
    Row(
      "the attempt is chosen because it responds first",
      responding + [
        Step(
          .attemptReceived(.finished(nil)), [],
          .loading(
            1, .head(Machine.Attempt(number: 2, events: [.response(page), .finished(nil)])))),
        Step(
          .attemptChosen(cancelsCurrent: true),
          [.cancel(1), .replay([.response(page), .finished(nil)], of: 2)],
          .loading(2, .head(nil))),
        Step(.response(head), [.report(head)], .loading(2, .content)),
      ]),
    Row(
      "the attempt is chosen because the assumed scheme failed",
      attempted + [
        Step(.attemptChosen(cancelsCurrent: false), [.replay([], of: 2)], .loading(2, .head(nil)))
      ]),
    Row(
      "the attempt is dropped because the assumed scheme is connected",
      responding + [Step(.attemptDropped, [.cancel(2)], .loading(1, .head(nil)))]),
    Row(
      "the attempt fails, and the assumed scheme may use the rest of its time",
      attempted + [
        Step(
          .attemptReceived(.failed(error)), [.keepScheme, .cancel(2)], .loading(1, .head(nil))),
        Step(.attemptReceived(.failed(error)), [], .loading(1, .head(nil))),
      ]),
    Row(
      "the assumed scheme fails with an error that the other one cannot avoid",
      attempted + [
        Step(
          .failed(error), [.cancel(2), .report(.failed(error)), .end], .ended(revalidated: 1))
      ]),
    Row(
      "both requests are cancelled with the navigation",
      attempted + [
        Step(
          .cancelled, [.cancel(2), .report(cancelled), .cancel(1), .end],
          .ended(revalidated: nil))
      ]),
    Row(
      "there is no attempt beside another one, a redirect or content",
      attempted + [
        Step(.attempt(nil), [], .loading(1, .head(Machine.Attempt(number: 2)))),
        Step(.redirect(redirect), [.cancel(2)], .loading(1, .redirect(redirect))),
        Step(.attempt(nil), [], .loading(1, .redirect(redirect))),
      ]),
  ]

  @Test(arguments: chains + revalidations + attempts)
  func `each event leads to its actions and state`(_ row: Row) {
    var machine = Machine()
    for (index, step) in row.steps.enumerated() {
      switch step.input {
      case .request(let number): #expect(machine.beginRequest() == number, "step \(index)")
      case .attempt(let number): #expect(machine.beginAttempt() == number, "step \(index)")
      case .event(let event): #expect(machine.handle(event) == step.actions, "step \(index)")
      }
      #expect(machine.state == step.state, "step \(index)")
    }
  }

  @Test func `events of earlier requests and of a dropped attempt are ignored`() {
    var machine = Machine()
    #expect(machine.role(of: 0) == nil)
    let first = machine.beginRequest()
    #expect(machine.beginAttempt() == 2)
    #expect(machine.role(of: first) == .current)
    #expect(machine.role(of: 2) == .attempt)
    #expect(machine.role(of: 3) == nil)
    _ = machine.handle(.attemptChosen(cancelsCurrent: true))
    #expect(machine.role(of: first) == nil)
    #expect(machine.role(of: 2) == .current)
    _ = machine.handle(.redirect(Self.redirect))
    #expect(machine.discardsContent)
    #expect(machine.beginRequest() == 3)
    #expect(!machine.discardsContent)
    #expect(machine.role(of: 2) == nil)
    _ = machine.handle(.cancelled)
    #expect(machine.role(of: 3) == nil)
    #expect(machine.current == nil)
  }

  @Test func `only a request without a response awaits its head`() {
    var machine = Machine()
    #expect(!machine.isAwaitingHead(of: 1))
    _ = machine.beginRequest()
    #expect(machine.isAwaitingHead(of: 1))
    #expect(!machine.isAwaitingHead(of: 2))
    _ = machine.handle(.redirect(Self.redirect))
    #expect(!machine.isAwaitingHead(of: 1))
  }
}
