import Foundation
import TestSupport
import Testing

@testable import Library

/// The states of a call of the read hook.
@Suite struct HookCallTests {
  private static let now = Date(timeIntervalSince1970: 1_795_234_310)

  private static func failure(_ attempts: Int, after seconds: Int64, _ reason: String = "r")
    -> HookCall.Failure
  {
    HookCall.Failure(
      attempts: attempts, retryTime: Int64(now.timeIntervalSince1970) + seconds, reason: reason)
  }

  private static func call(_ state: HookCall.State, isOwn: Bool = true) -> HookCall {
    HookCall(key: "k", url: "https://a.example/", title: "", state: state, isFromThisDevice: isOwn)
  }

  private static let transitions: [(HookCall.State, HookCall.Outcome, HookCall.State?)] = [
    (.waiting, .succeeded, nil),
    (.waiting, .interrupted, .waiting),
    (.waiting, .failed("r"), .failed(failure(1, after: 300))),
    (.failed(failure(1, after: -1)), .failed("r"), .failed(failure(2, after: 600))),
    (.failed(failure(3, after: -1)), .succeeded, nil),
    (.failed(failure(3, after: -1)), .interrupted, .failed(failure(3, after: -1))),
    (.failed(failure(12, after: -1)), .failed("r"), .failed(failure(13, after: 86_400))),
    (.failed(failure(19, after: -1)), .failed("r"), .abandoned(failure(20, after: 86_400))),
    (.abandoned(failure(20, after: 0)), .succeeded, nil),
    (.abandoned(failure(20, after: 0)), .failed("r"), .abandoned(failure(20, after: 86_400))),
  ]

  @Test(arguments: transitions)
  func `an attempt changes the state`(
    _ state: HookCall.State, _ outcome: HookCall.Outcome, _ next: HookCall.State?
  ) {
    #expect(state.after(outcome, at: Self.now) == next)
  }

  @Test func `the reason of a failure is short`() {
    let reason = String(repeating: "x", count: 5000)
    let next = HookCall.State.waiting.after(.failed(reason), at: Self.now)
    #expect(next?.failure?.reason.count == 200)
  }

  private static let pauses: [(HookCall.State, Bool, Bool)] = [
    (.waiting, true, true), (.waiting, false, false),
    (.failed(failure(1, after: 10)), true, false), (.failed(failure(1, after: 0)), true, true),
    (.failed(failure(1, after: -5)), false, false),
    // The clock was years ahead when the call failed.
    (.failed(failure(1, after: 90_000_000)), true, true),
    (.abandoned(failure(20, after: -5)), true, false),
  ]

  @Test(arguments: pauses)
  func `a call of this device is due when its pause has passed`(
    _ state: HookCall.State, _ isOwn: Bool, _ isDue: Bool
  ) {
    #expect(Self.call(state, isOwn: isOwn).isDue(at: Self.now) == isDue)
  }

  private static let forms: [(HookCall.State, String)] = [
    (.waiting, "waiting"),
    (
      .failed(
        HookCall.Failure(attempts: 2, retryTime: 1_795_234_310, reason: "exit status 1: a b")),
      "failed 2 1795234310 exit status 1: a b"
    ),
    (
      .abandoned(HookCall.Failure(attempts: 20, retryTime: 7, reason: "")), "abandoned 20 7 "
    ),
  ]

  @Test(arguments: forms)
  func `a state is read back from its stored form`(_ state: HookCall.State, _ text: String) {
    #expect(state.text == text)
    #expect(HookCall.State(text: text) == state)
  }

  @Test(arguments: [
    "", "1", "later 1 2 3", "failed", "failed 1 2", "failed x 2 r", "failed 0 2 r",
    "failed 999 2 r", "failed 1 99999999999999999999 r", "failed 1 9999999999999999 r",
  ])
  func `any other stored value is a call that waits`(_ text: String) {
    #expect(HookCall.State(text: text) == .waiting)
  }

  @Test func `the name of the attribute is stored`() {
    #expect(LibraryAttribute.readCall.text == "read-call")
    #expect(LibraryAttribute(text: "read-call") == .readCall)
  }

  @Test func `a page is marked with and without a call`() {
    func values(_ changes: [LibraryChange]) -> [String] {
      changes.map { "\($0.attribute.text)=\($0.value ?? "-")" }
    }
    #expect(values(LibraryChange.marking("k", isRead: true)) == ["read=1"])
    #expect(
      values(LibraryChange.marking("k", isRead: true, callsHook: true))
        == ["read=1", "read-call=-", "read-call=waiting"])
    #expect(
      values(LibraryChange.marking("k", isRead: false, callsHook: true))
        == ["read=-", "read-call=-"])
  }
}
