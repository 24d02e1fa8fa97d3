import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Decisions about copies")
struct CopyPolicyTests {
  private static let copy = Sample.stored(id: "copy")
  private static let older = Sample.stored(age: 60, id: "older")
  private static let bad = Sample.stored(503, id: "bad")
  private static let redirect = Sample.stored(302, [("Location", "/next")], id: "redirect")
  private static let failure = TransportFailure(.timedOut, "late")

  // MARK: Copies that cannot be read

  /// The source as which an unreadable copy was to be delivered, and the outcomes.
  struct UnreadableCase: Sendable {
    let source: LoadedResponse.Source
    let outcomeWithFallback: CachePolicy.UnreadableOutcome
    let outcomeWithoutFallback: CachePolicy.UnreadableOutcome
    var isExchanging = false
  }

  static let unreadable = [
    UnreadableCase(
      source: .saved(.failure(failure)), outcomeWithFallback: .serve(copy),
      outcomeWithoutFallback: .fail),
    UnreadableCase(
      source: .saved(.status(503)), outcomeWithFallback: .serve(copy), outcomeWithoutFallback: .fail
    ),
    UnreadableCase(
      source: .saved(.suspect(.errorPage)), outcomeWithFallback: .serve(copy),
      outcomeWithoutFallback: .fail),
    UnreadableCase(
      source: .saved(.offlineMode), outcomeWithFallback: .serve(copy), outcomeWithoutFallback: .fail
    ),
    UnreadableCase(
      source: .saved(.waiting), outcomeWithFallback: .serve(copy), outcomeWithoutFallback: .wait),
    UnreadableCase(
      source: .saved(.requested), outcomeWithFallback: .fail, outcomeWithoutFallback: .fail),
    UnreadableCase(
      source: .saved(.preferred), outcomeWithFallback: .decide, outcomeWithoutFallback: .decide),
    UnreadableCase(
      source: .saved(.preferred), outcomeWithFallback: .serve(copy), outcomeWithoutFallback: .wait,
      isExchanging: true),
    UnreadableCase(
      source: .saved(.permitted), outcomeWithFallback: .decide, outcomeWithoutFallback: .decide),
    UnreadableCase(
      source: .saved(.permitted), outcomeWithFallback: .serve(copy), outcomeWithoutFallback: .wait,
      isExchanging: true),
    UnreadableCase(source: .fresh, outcomeWithFallback: .decide, outcomeWithoutFallback: .decide),
    UnreadableCase(
      source: .validated, outcomeWithFallback: .decide, outcomeWithoutFallback: .decide),
    UnreadableCase(
      source: .validated, outcomeWithFallback: .decide, outcomeWithoutFallback: .decide,
      isExchanging: true),
    UnreadableCase(source: .seed, outcomeWithFallback: .decide, outcomeWithoutFallback: .decide),
  ]

  @Test(arguments: unreadable)
  func `another response takes the place of an unreadable one`(_ row: UnreadableCase) {
    let outcomes = [Self.copy, nil].map { fallback in
      CachePolicy.outcome(
        ofUnreadable: row.source, fallback: fallback, isExchanging: row.isExchanging)
    }
    #expect(outcomes == [row.outcomeWithFallback, row.outcomeWithoutFallback])
  }

  // MARK: Versions that the user requested

  @Test func `the previous good version is chosen`() {
    let visible = [Self.copy, Self.bad, Self.older]
    let chosen = CachePolicy.chosenCopy(.previous, identified: nil, among: visible)
    #expect(chosen?.id == "older")
    #expect(CachePolicy.chosenCopy(.previous, identified: nil, among: [Self.copy]) == nil)
    #expect(CachePolicy.chosenCopy(.previous, identified: nil, among: []) == nil)
  }

  @Test func `the version with an ID is chosen, whatever it is`() {
    let chosen = CachePolicy.chosenCopy(.id("b"), identified: Self.bad, among: [Self.copy])
    #expect(chosen?.id == "bad")
    #expect(CachePolicy.chosenCopy(.id("x"), identified: nil, among: [Self.copy]) == nil)
  }

  @Test(arguments: [CopySelection.previous, .id("x")])
  func `a redirect leads to the page of which a version is requested`(_ selection: CopySelection) {
    let visible = [Self.bad, Self.redirect]
    // The redirect is the previous version of the error page, or replaces an unknown one.
    let chosen = CachePolicy.chosenCopy(selection, identified: nil, among: visible)
    #expect(chosen?.id == "redirect")
  }

  // MARK: The fallback delay

  @Test func `pauses are watched only if there is a copy and the delay covers the head alone`() {
    var options = LoadOptions()
    options.pauseFallbackDelay = 3
    #expect(CachePolicy.pauseDelay(options, fallback: Self.copy) == 3)
    #expect(CachePolicy.pauseDelay(options, fallback: nil) == nil)
    options.fallbackDelayCoversContent = true
    #expect(CachePolicy.pauseDelay(options, fallback: Self.copy) == nil)
    #expect(CachePolicy.pauseDelay(LoadOptions(), fallback: Self.copy) == nil)
  }

  @Test(
    arguments: [
      (true, 1, 2), (true, 2.5, 0.5), (true, 3, nil), (true, 9, nil), (false, 1, nil),
    ] as [(Bool, TimeInterval, TimeInterval?)])
  func `the delay is extended while content arrives`(
    _ hasHead: Bool, _ quiet: TimeInterval, _ further: TimeInterval?
  ) {
    var options = LoadOptions()
    options.pauseFallbackDelay = 3
    #expect(CachePolicy.furtherDelay(options, hasHead: hasHead, quiet: quiet) == further)
    options.fallbackDelayCoversContent = true
    #expect(CachePolicy.furtherDelay(options, hasHead: hasHead, quiet: quiet) == nil)
    options.fallbackDelayCoversContent = false
    options.pauseFallbackDelay = nil
    #expect(CachePolicy.furtherDelay(options, hasHead: hasHead, quiet: quiet) == nil)
  }

  // MARK: Redirects of background revalidations

  private static func result(
    of event: CacheEvent, from source: LoadedResponse.Source? = .network,
    check: StoredResponse.Check? = nil
  ) -> CacheEvent {
    var saved = copy
    saved.lastCheck = check
    let head = source.map {
      LoadedResponse(response: Sample.response(), source: $0, stored: check == nil ? nil : saved)
    }
    return CachePolicy.revalidationResult(of: event, head, copy: copy, now: Sample.now)
  }

  @Test func `the target of the redirects is a newer version, the same one, or none`() {
    var newer = Self.copy
    newer.payloadDigest = "another"
    let unchanged = CacheEvent.checked(.init(date: Sample.now, result: .unchanged))
    let failed = CacheEvent.checked(.init(date: Sample.now, result: .failed(.badRedirect)))
    let check = StoredResponse.Check(date: Sample.now - 5, result: .status(500))
    #expect(Self.result(of: .finished(newer)) == .refreshed(newer))
    #expect(Self.result(of: .finished(Self.copy)) == unchanged)
    #expect(Self.result(of: .finished(nil)) == unchanged)
    var suspect = newer
    suspect.rejectionReason = .errorPage
    #expect(Self.result(of: .finished(suspect)) == unchanged)
    #expect(Self.result(of: .failed(.closed)) == failed)
    #expect(Self.result(of: .failed(.closed), from: nil) == failed)
    #expect(Self.result(of: .finished(newer), from: .saved(.offlineMode)) == failed)
    // The load of the target has recorded why the copy is shown.
    #expect(
      Self.result(of: .finished(newer), from: .saved(.status(500)), check: check)
        == .checked(check))
  }
}
