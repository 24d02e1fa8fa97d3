import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Freshness")
struct FreshnessTests {
  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60")], nil, 50.0, .maxAge),
      ([("Cache-Control", "max-age=60")], 90.0, 80, .rule),
      ([("Cache-Control", "no-cache, max-age=60")], nil, 50, .noCache),
      ([("Cache-Control", "no-cache=x, max-age=60")], nil, 50, .maxAge),
      ([("Date", Sample.date(-10)), ("Expires", Sample.date(20))], nil, 20, .expires),
      ([("Last-Modified", Sample.date(-1010))], nil, 90, .heuristic), ([], nil, -10, .unspecified),
    ] as [([(String, String)], Double?, Double, FreshnessTerm.LifetimeSource)])
  func `the end of freshness and its source are reported`(
    _ fields: [(String, String)], _ rule: Double?, _ seconds: Double,
    _ ground: FreshnessTerm.LifetimeSource
  ) {
    var stored = Sample.stored(200, fields, age: 10)
    stored.lifetimeOverride = rule
    let term = FreshnessTerm(of: stored, now: Sample.now)
    #expect(term.source == ground && term.end == Sample.now + seconds)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: StoredResponse
    let timeToLive: Int

    init(
      _ name: String, _ fields: [(String, String)], status: Int = 200, age: TimeInterval = 0,
      _ timeToLive: Int
    ) {
      testDescription = name
      stored = Sample.stored(status, fields, age: age)
      self.timeToLive = timeToLive
    }
  }

  static let rows: [Row] = [
    .init("§4.2.1 max-age", [("Cache-Control", "max-age=60")], age: 10, 50),
    .init(
      "§4.2.1 max-age before Expires",
      [("Cache-Control", "max-age=60"), ("Expires", Sample.date(999))], 60),
    .init("§4.2.1 a private cache ignores s-maxage", [("Cache-Control", "s-maxage=60")], 0),
    .init(
      "§4.2.1 invalid max-age is stale",
      [("Cache-Control", "max-age=x"), ("Expires", Sample.date(99))], 0),
    .init(
      "§5.3 Expires minus Date", [("Expires", Sample.date(0)), ("Date", Sample.date(-100))], 0),
    .init(
      "§5.3 Expires with a wrong clock",
      [("Expires", Sample.date(500)), ("Date", Sample.date(400))],
      100),
    .init(
      "§5.3 Expires: 0 is in the past", [("Expires", "0"), ("Last-Modified", Sample.date(-1000))], 0
    ),
    .init(
      "§5.3 Expires in another zone is in the past",
      [("Expires", "Thu, 18 Aug 2050 02:01:18 AEST")], 0),
    .init(
      "§4.2.1 two Expires that differ",
      [("Expires", Sample.date(9)), ("Expires", Sample.date(99))], 0),
    .init("§4.2.2 10 % of Last-Modified", [("Last-Modified", Sample.date(-1000))], 100),
    .init("§4.2.2 at most a day is guessed", [("Last-Modified", Sample.date(-99_999_999))], 86_400),
    .init("§4.2.2 no guess for 1970", [("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT")], 0),
    .init("§4.2.2 Last-Modified in the future", [("Last-Modified", Sample.date(99))], 0),
    .init("§4.2.2 no guess for 201", [("Last-Modified", Sample.date(-1000))], status: 201, 0),
    .init("§4.2.2 a guess for 404", [("Last-Modified", Sample.date(-1000))], status: 404, 100),
    .init(
      "§4.2.2 public allows a guess",
      [("Last-Modified", Sample.date(-1000)), ("Cache-Control", "public")], status: 201, 100),
    .init("§4.2.3 Age counts", [("Cache-Control", "max-age=60"), ("Age", "50")], 10),
    .init("§5.1 the first Age counts", [("Cache-Control", "max-age=60"), ("Age", "50, 1")], 10),
    .init("§5.1 Age that is no number", [("Cache-Control", "max-age=60"), ("Age", "-50")], 60),
    .init(
      "§4.2.3 a Date in the past", [("Cache-Control", "max-age=60"), ("Date", Sample.date(-50))], 10
    ),
    .init(
      "§4.2.3 a Date in the future", [("Cache-Control", "max-age=60"), ("Date", Sample.date(50))],
      60),
    .init("§1.2.2 a huge max-age", [("Cache-Control", "max-age=99999999999")], 1 << 31),
    .init(
      "an hour in the future", [("Cache-Control", "max-age=60")], age: -3600, 60),
    .init(
      "years in the future", [("Cache-Control", "max-age=999999999")], age: -300_000_000, 0),
    .init(
      "years in the future, Expires", [("Expires", Sample.date(600_000_000))], age: -300_000_000, 0),
    .init("no information", [], 0),
  ]

  @Test(arguments: rows)
  func `the remaining lifetime of a response is computed`(_ row: Row) {
    let freshness = Freshness(of: row.stored, now: Sample.now)
    #expect(freshness.timeToLive == row.timeToLive)
    #expect(freshness.isFresh == (row.timeToLive > 0))
  }

  @Test func `a rule does not make a response from the future fresh`() {
    var stored = Sample.stored(200, [], age: -300_000_000)
    stored.lifetimeOverride = 60
    #expect(!Freshness(of: stored, now: Sample.now).isFresh)
    #expect(Freshness(of: stored, now: Sample.now + 300_000_001).isFresh)
  }

  @Test(
    arguments: [
      ("60", 60.0), ("315360000", 315_360_000), ("99999999999999999999", 0), ("0", 0), ("x", 0),
    ] as [(String, Double)])
  func `an implausible Age says nothing about the date of the content`(
    _ age: String, _ expected: Double
  ) {
    let response = Sample.stored(200, [("Age", age)]).response
    #expect(
      Freshness.receivedAge(of: response, requestTime: Sample.now, responseTime: Sample.now)
        == expected)
  }

  @Test func `§4.2.3: the duration of the request is added to the age`() {
    var stored = Sample.stored(200, [("Cache-Control", "max-age=60"), ("Age", "10")])
    stored.requestTime = Sample.now - 5
    #expect(Freshness(of: stored, now: Sample.now + 1).age == 16)
  }
}
