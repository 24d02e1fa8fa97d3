import Crawl
import Foundation
import Library
import OfflineCache
import Testing

@testable import Saving

/// Tables of the changes that the library records for the pages of a save.
@Suite struct SaveChangesTests {
  private static let url = "https://a.example/p"
  private static let now = Date(timeIntervalSince1970: 1_000_000)

  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var result = SaveOutcome.Result.saved
    var outcome: @Sendable (inout SaveOutcome) -> Void = { _ in }
    var page: @Sendable (inout LibraryPage) -> Void = { _ in }
    var request: @Sendable (inout SaveRequest) -> Void = { _ in }
    var isFeed = false
    var isNamed = true
    var changes: [String]

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "saved",
      changes: ["queued", "notBefore", "failed", "pinned=1", "crawlScope", "frames"]),
    Row(
      name: "saved, with title, tags and interval", outcome: { $0.title = "T" },
      request: { ($0.tags, $0.interval) = (["x"], 60) },
      changes: [
        "queued", "notBefore", "failed", "title=T", "pinned=1", "crawlScope", "frames", "tag(x)=1",
        "interval=60.0",
      ]),
    Row(
      name: "saved by a request that pins nothing", request: { $0.pinsPages = false },
      changes: ["queued", "notBefore", "failed", "frames"]),
    Row(
      name: "saved, lacking a frame", outcome: { ($0.lacksParts, $0.isQueued) = (true, true) },
      changes: ["queued=", "notBefore", "pinned=1", "crawlScope", "frames"]),
    Row(
      name: "saved, with frames", outcome: { $0.neededKeys = ["a", "b"] },
      changes: ["queued", "notBefore", "failed", "pinned=1", "crawlScope", "frames=a\nb"]),
    Row(
      name: "saved, with the scope of an earlier save", page: { $0.crawlScope = #"{"depth":2}"# },
      changes: ["queued", "notBefore", "failed", "pinned=1", #"crawlScope={"depth":2}"#, "frames"]),
    Row(
      name: "saved, as the target of a link", isNamed: false,
      changes: ["queued", "notBefore", "failed"]),
    Row(name: "saved, a feed", isFeed: true, changes: ["queued", "notBefore", "failed"]),
    Row(name: "refused by its site", result: .refused, changes: ["queued", "notBefore", "failed"]),
    Row(
      name: "not loaded", result: .failed("no"), outcome: { $0.isQueued = true },
      changes: ["queued=", "notBefore", "pinned=1", "failed=no"]),
    Row(
      name: "not loaded, queued before", result: .failed("no"), outcome: { $0.isQueued = true },
      page: { $0.queuedDate = now }, changes: ["notBefore", "pinned=1", "failed=no"]),
    Row(
      name: "not loaded for the same reason", result: .failed("no"),
      outcome: { $0.isQueued = true }, page: { ($0.queuedDate, $0.failure) = (now, "no") },
      changes: ["notBefore", "pinned=1"]),
    Row(
      name: "not loaded, gone before", result: .failed("no"), outcome: { $0.isQueued = true },
      page: { ($0.queuedDate, $0.failure) = (now, "404") }, changes: ["notBefore", "pinned=1"]),
    Row(
      name: "busy", result: .failed("busy"),
      outcome: { ($0.isQueued, $0.retryAfter) = (true, Date(timeIntervalSince1970: 1_000_060)) },
      changes: ["queued=", "notBefore=1000060", "pinned=1", "failed=busy"]),
    Row(
      name: "gone, and pinned", result: .failed("410"),
      outcome: { ($0.lastingFailure, $0.isRetried) = (.gone, true) }, page: { $0.pinnedDate = now },
      changes: ["failed=410", "notBefore=1172800"]),
    Row(
      name: "gone for four days", result: .failed("410"),
      outcome: { ($0.lastingFailure, $0.isRetried) = (.gone, true) },
      page: {
        ($0.failure, $0.failedSince) = ("410", Date(timeIntervalSince1970: 1_000_000 - 4 * 86_400))
      },
      changes: ["failed=410", "notBefore=1518400"]),
    Row(
      name: "gone, unknown", result: .failed("410"), outcome: { $0.lastingFailure = .gone },
      changes: []),
    Row(
      name: "not confirmed",
      outcome: { ($0.isUnconfirmed, $0.isQueued) = (true, true) }, page: { $0.queuedFrom = "f" },
      changes: [
        "queued", "notBefore", "failed", "queued=f", "unconfirmed=1", "pinned=1", "crawlScope",
        "frames",
      ]),
    Row(
      name: "confirmed", page: { $0.isUnconfirmed = true },
      changes: ["queued", "notBefore", "failed", "unconfirmed", "pinned=1", "crawlScope", "frames"]),
    Row(
      name: "rejected", result: .kept("rejected"), outcome: { $0.isRejected = true },
      changes: [
        "rejections=\(Refusals().adding(dayOf: now).text)", "pinned=1", "crawlScope", "frames",
      ]),
    Row(
      name: "rejected on the same day", result: .kept("rejected"),
      outcome: { $0.isRejected = true }, page: { $0.refusals = Refusals().adding(dayOf: now) },
      changes: ["pinned=1", "crawlScope", "frames"]),
    Row(
      name: "forbidden by the settings", result: .failed("no"), outcome: { $0.isUnstorable = true },
      changes: ["queued", "notBefore", "failed"]),
    Row(
      name: "forbidden by the settings, queued before", result: .failed("no"),
      outcome: { $0.isUnstorable = true }, page: { $0.queuedDate = now },
      changes: ["queued", "notBefore", "failed"]),
    Row(
      name: "trusted after a rejection", page: { $0.refusals = Refusals().adding(dayOf: now) },
      changes: ["queued", "notBefore", "failed", "rejections", "pinned=1", "crawlScope", "frames"]),
  ]

  @Test(arguments: rows)
  func `the library records the expected changes of a page`(_ row: Row) throws {
    var request = SaveRequest(pages: [Self.url])
    row.request(&request)
    var outcome = SaveOutcome(url: Self.url, depth: row.isNamed ? 0 : 1, result: row.result)
    row.outcome(&outcome)
    var page = LibraryPage(key: Self.url)
    row.page(&page)
    let facts = SaveChanges.Facts(page: page, isFeed: row.isFeed, now: Self.now)
    let changes = SaveChanges(request).changes(outcome, try Self.visit(row.isNamed), facts)
    #expect(changes.allSatisfy { $0.key == Self.url })
    #expect(
      changes.map { "\($0.attribute)" + ($0.value.map { "=" + $0 } ?? "") }.map {
        $0.replacing("\"", with: "")
      } == row.changes.map { $0.replacing("\"", with: "") })
  }

  @Test(
    arguments: [
      // The failure, the recorded one, whether the page is queued, and the changes.
      ("404", "", false, ["failed=404"]), ("404", "404", false, []),
      ("host", "404", false, ["failed=host"]), ("404", "", true, ["failed=404"]),
      ("", "404", false, ["failed"]), ("", "", false, []),
      ("", "404", true, ["queued", "notBefore", "failed"]),
    ] as [(String, String, Bool, [String])])
  func `a link that leads to no page is recorded until there is one`(
    _ failure: String, _ known: String, _ isQueued: Bool, _ expected: [String]
  ) throws {
    var request = SaveRequest(pages: ["https://a.example/"])
    request.collection = CollectionRequest()
    var outcome = SaveOutcome(
      url: Self.url, depth: 1, result: failure.isEmpty ? .saved : .failed(failure))
    outcome.lastingFailure = LastingFailure(rawValue: failure)
    var page = LibraryPage(key: Self.url)
    page.failure = known
    if isQueued { page.queuedDate = Self.now }
    var entry = try Self.visit(false)
    entry.isRequested = false
    let facts = SaveChanges.Facts(page: page, now: Self.now)
    let changes = SaveChanges(request).changes(outcome, entry, facts)
    #expect(
      changes.map { "\($0.attribute)" + ($0.value.map { "=" + $0 } ?? "") } == expected)
    page.failure = failure
    #expect(page.isDeadLink == (!failure.isEmpty && !isQueued))
  }

  private static func visit(_ isNamed: Bool) throws -> LinkFrontier.Entry {
    var frontier = LinkFrontier(CrawlBounds())
    frontier.add(url, isNamed: isNamed)
    let visit = frontier.next()
    return try #require(visit)
  }

  @Test(
    arguments: [
      (SaveOutcome.Result.saved, true, true, false),
      (.failed("no"), true, true, true),
      (.failed("no"), true, false, false),
      (.failed("no"), false, true, false),
      (.kept("no"), true, true, false),
      (.refused, true, true, false),
    ] as [(SaveOutcome.Result, Bool, Bool, Bool)])
  func `a named page that could not be loaded is queued, unless there is no directory`(
    _ result: SaveOutcome.Result, _ isNamed: Bool, _ hasDirectory: Bool, _ isQueued: Bool
  ) throws {
    let changes = SaveChanges(SaveRequest(pages: [Self.url]))
    let outcome = SaveOutcome(url: Self.url, depth: isNamed ? 0 : 1, result: result)
    let entry = try Self.visit(isNamed)
    #expect(
      changes.isQueued(outcome, entry, nil, isFeed: false, hasDirectory: hasDirectory) == isQueued)
    #expect(!changes.isQueued(outcome, entry, nil, isFeed: true))
    var forbidden = outcome
    forbidden.isUnstorable = true
    #expect(!changes.isQueued(forbidden, entry, nil, isFeed: false))
  }

  @Test func `a check reports which pages are queued, and queues none`() throws {
    var request = SaveRequest(pages: [Self.url])
    request.options.mode = .cacheOnly
    let changes = SaveChanges(request)
    let failed = SaveOutcome(url: Self.url, depth: 0, result: .failed("not saved"))
    var page = LibraryPage(key: Self.url)
    let entry = try Self.visit(true)
    #expect(!changes.isQueued(failed, entry, page, isFeed: false))
    page.queuedDate = Self.now
    #expect(changes.isQueued(failed, entry, page, isFeed: false))
    let saved = SaveOutcome(url: Self.url, depth: 0, result: .unchanged)
    #expect(!changes.isQueued(saved, entry, page, isFeed: false))
  }

  @Test func `a repeated failure of the same kind is excused if the request allows it`() {
    var request = SaveRequest(pages: [Self.url])
    var page = LibraryPage(key: Self.url)
    page.failure = "404"
    for (excuses, failure, expected) in [
      (false, LastingFailure.notFound, false), (true, .notFound, true), (true, .gone, false),
    ] {
      request.excusesRepeatedFailures = excuses
      var outcome = SaveOutcome(url: Self.url, depth: 0, result: .failed("404"))
      outcome.lastingFailure = failure
      SaveChanges(request).addHistory(of: page, to: &outcome, now: Self.now)
      #expect(outcome.isExcused == expected)
      #expect(!outcome.isRetried)
    }
  }

  @Test func `the number of pages is recorded only if a size limit was reached`() {
    var request = SaveRequest(pages: [Self.url])
    request.bounds.depth = 1
    #expect(SaveChanges(request).pageLimitChanges([Self.url], maxPages: 3).isEmpty)
    request.bounds.maxBytes = 1000
    let changes = SaveChanges(request).pageLimitChanges([Self.url], maxPages: 0)
    #expect(changes.map { CrawlScope(text: $0.value ?? "")?.maxPages } == [1])
  }
}
