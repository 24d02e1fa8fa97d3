import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Validation")
struct ValidationTests {
  @Test func `§3.2: a 304 updates fields except those of the content and the connection`() {
    let stored = Sample.response(
      200,
      [
        ("ETag", "\"1\""), ("X-A", "1"), ("x-a", "2"), ("Content-Length", "9"), ("X-B", "old"),
        ("Content-Type", "text/html"),
      ])
    let update = Sample.response(
      304,
      [
        ("X-A", "3"), ("X-A", "4"), ("Content-Length", "0"), ("Connection", "X-B"), ("X-B", "new"),
        ("Keep-Alive", "1"), ("Content-Encoding", "gzip"), ("X-C", "5"),
        ("Content-Type", "text/plain"),
      ])
    let merged = Validation.merged(stored, with: update)
    #expect(merged.status == 200)
    #expect(merged.fields.values(of: "x-a") == ["3", "4"])
    #expect(merged.fields["Content-Length"] == "9")
    #expect(merged.fields["X-B"] == "old")
    #expect(merged.fields["X-C"] == "5")
    #expect(merged.fields["Keep-Alive"] == nil)
    #expect(merged.fields["Content-Encoding"] == nil)
    #expect(merged.fields["Content-Type"] == "text/html")
  }

  @Test func `RFC 9110 §6.6.1: a 304 without Date is as old as its receipt`() {
    let lines = [("Date", Sample.date(-3600)), ("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]
    var stored = Sample.stored(200, lines)
    let rows: [([(String, String)], Double)] = [
      ([], 0), ([("Age", "9")], 9), ([("Date", Sample.date(-30))], 30),
    ]
    for (fields, age) in rows {
      stored.response = Validation.merged(
        Sample.response(200, lines), with: Sample.response(304, fields))
      #expect(Freshness(of: stored, now: stored.responseTime).age == age, "\(fields)")
    }
  }

  @Test(
    arguments: [
      ("If-None-Match", "\"1\"", true), ("If-None-Match", "W/\"1\"", true),
      ("If-None-Match", "\"0\", \"1\"", true), ("If-None-Match", "*", true),
      ("If-None-Match", "\"2\"", false), ("If-None-Match", "garbage", false),
      ("If-None-Match", "\"a, b\", W/\"1\"", true), ("If-None-Match", "", false),
      ("If-None-Match", #""a\", "1""#, true), ("If-None-Match", #""a\"1""#, false),
      ("If-Modified-Since", Sample.date(-100), true),
      ("If-Modified-Since", Sample.date(-101), false),
      ("If-Modified-Since", "yesterday", false),
    ] as [(String, String, Bool)])
  func `§4.3.2: a client's own conditions are evaluated`(
    _ name: String, _ value: String, _ isNotModified: Bool
  ) {
    let stored = Sample.stored(200, [("ETag", "\"1\""), ("Last-Modified", Sample.date(-100))])
    #expect(
      Validation.isNotModified(Sample.request("GET", [(name, value)]), stored: stored)
        == isNotModified)
  }

  @Test func `§4.3.2: If-None-Match takes precedence over If-Modified-Since`() {
    let stored = Sample.stored(200, [("ETag", "\"1\""), ("Last-Modified", Sample.date(-100))])
    let request = Sample.request(
      "GET", [("If-None-Match", "\"2\""), ("If-Modified-Since", Sample.date(0))])
    #expect(!Validation.isNotModified(request, stored: stored))
  }

  @Test func `§4.3.2: the Date is used if there is no Last-Modified`() {
    let stored = Sample.stored(200, [("Date", Sample.date(-50))])
    let conditionalRequest = { Sample.request("GET", [("If-Modified-Since", Sample.date($0))]) }
    #expect(Validation.isNotModified(conditionalRequest(-50), stored: stored))
    #expect(!Validation.isNotModified(conditionalRequest(-51), stored: stored))
  }

  static func storedResponse(_ tag: String?, _ modified: TimeInterval? = nil, id: String)
    -> StoredResponse
  {
    var fields: [(String, String)] = []
    if let tag { fields.append(("ETag", tag)) }
    if let modified { fields.append(("Last-Modified", Sample.date(modified))) }
    return Sample.stored(200, fields, id: id)
  }

  struct SentCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let candidates: [StoredResponse]
    var requestFields: [(String, String)] = []
    let tags: String?
    let date: String?
  }

  static let sent: [SentCase] = [
    .init(
      testDescription: "both validators", candidates: [storedResponse("\"1\"", -9, id: "a")],
      tags: "\"1\"", date: Sample.date(-9)),
    .init(
      testDescription: "a date in the future is not a validator",
      candidates: [storedResponse("\"1\"", 99_999, id: "a")], tags: "\"1\"", date: nil),
    .init(
      testDescription: "a date a little later than the response",
      candidates: [storedResponse("\"1\"", 999, id: "a")], tags: "\"1\"", date: Sample.date(999)),
    .init(
      testDescription: "several variants",
      candidates: [storedResponse("\"1\"", id: "a"), storedResponse("W/\"2\"", -9, id: "b")],
      tags: "\"1\", W/\"2\"", date: nil),
    .init(
      testDescription: "the client's tags stay",
      candidates: [storedResponse("\"1\"", id: "a")],
      requestFields: [("If-None-Match", "\"0\", \"1\"")],
      tags: "\"1\", \"0\"", date: nil),
    .init(
      testDescription: "a client's * asks for any",
      candidates: [storedResponse("\"1\"", id: "a")], requestFields: [("If-None-Match", "*")],
      tags: "\"1\"",
      date: nil),
    .init(
      testDescription: "the client's date is replaced",
      candidates: [storedResponse(nil, -9, id: "a")],
      requestFields: [("If-Modified-Since", Sample.date(-5))],
      tags: nil, date: Sample.date(-9)),
    .init(
      testDescription: "the client's date does not stay beside our tag",
      candidates: [storedResponse("\"1\"", id: "a")],
      requestFields: [("If-Modified-Since", Sample.date(-5))],
      tags: "\"1\"", date: nil),
    .init(
      testDescription: "an empty tag is not a validator",
      candidates: [storedResponse("", -9, id: "a")], tags: nil, date: Sample.date(-9)),
  ]

  @Test func `§4.3.1: neither a modification date in the future nor an empty tag is a validator`() {
    for (modified, isUsable) in [(-9.0, true), (999, true), (99_999, false)] {
      let stored = Self.storedResponse(nil, modified, id: "a")
      #expect(Validation.canValidate(stored, by: Sample.request()) == isUsable)
    }
    let ahead = Sample.stored(
      200, [("Last-Modified", Sample.date(99_999)), ("Date", Sample.date(99_999))])
    #expect(Validation.canValidate(ahead, by: Sample.request()))
    #expect(!Validation.canValidate(Sample.stored(200, [("ETag", "")]), by: Sample.request()))
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", false), ("Tue, 01 Jan 1980 00:00:01 GMT", false),
      ("Thu, 15 Nov 1990 00:00:00 GMT", true), ("yesterday", true),
    ] as [(String, Bool)])
  func `§4.3.1: the zero of a clock is not a validator`(_ modified: String, _ isUsable: Bool) {
    let stored = Sample.stored(200, [("Last-Modified", modified)])
    #expect(Validation.canValidate(stored, by: Sample.request()) == isUsable)
    let tagged = Sample.stored(200, [("Last-Modified", modified), ("ETag", "\"1\"")])
    let request = Validation.conditional(Sample.request(), validating: [tagged])
    #expect(request.fields["If-None-Match"] == "\"1\"")
    #expect(request.fields["If-Modified-Since"] == (isUsable ? modified : nil))
  }

  @Test(arguments: sent)
  func `§4.3.1: conditions are sent for the candidates`(_ row: SentCase) {
    let request = Validation.conditional(
      Sample.request("GET", row.requestFields), validating: row.candidates)
    #expect(request.fields["If-None-Match"] == row.tags)
    #expect(request.fields["If-Modified-Since"] == row.date)
  }

  struct Confirmation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var response: [(String, String)] = []
    let candidates: [StoredResponse]
    var requestFields: [(String, String)] = []
    let confirmed: String?
  }

  static let pair = [storedResponse("\"1\"", -9, id: "a"), storedResponse("\"2\"", -5, id: "b")]
  /// A response that nginx compressed, so that its tag is weak.
  static let compressed = Sample.stored(
    200,
    [("ETag", "W/\"1\""), ("Last-Modified", Sample.date(-9)), ("Date", Sample.date(0))], id: "c")
  static let confirmations: [Confirmation] = [
    .init(
      testDescription: "a strong tag selects", response: [("ETag", "\"2\"")], candidates: pair,
      confirmed: "b"),
    .init(
      testDescription: "a strong tag that is nobody's", response: [("ETag", "\"3\"")],
      candidates: pair, confirmed: nil),
    .init(
      testDescription: "a strong tag of a weak one", response: [("ETag", "\"1\"")],
      candidates: [storedResponse("W/\"1\"", -9, id: "a")], confirmed: "a"),
    .init(
      testDescription: "a tag without the coding that the stored one names",
      response: [("ETag", "\"1\"")], candidates: [storedResponse("\"1-gzip\"", -9, id: "a")],
      confirmed: "a"),
    .init(
      testDescription: "another tag without the coding that the stored one names",
      response: [("ETag", "\"2\"")], candidates: [storedResponse("\"1-gzip\"", -9, id: "a")],
      confirmed: nil),
    .init(
      testDescription: "a strong tag selects the strong one", response: [("ETag", "\"1\"")],
      candidates: [storedResponse("W/\"1\"", id: "a"), storedResponse("\"1\"", id: "b")],
      confirmed: "b"),
    .init(
      testDescription: "a strong tag beside the date of the response with the weak one",
      response: [("ETag", "\"1\""), ("Last-Modified", Sample.date(-9))], candidates: [compressed],
      confirmed: "c"),
    .init(
      testDescription: "a strong tag beside another date than that of the weak one",
      response: [("ETag", "\"1\""), ("Last-Modified", Sample.date(-8))], candidates: [compressed],
      confirmed: nil),
    .init(
      testDescription: "another strong tag beside the same date",
      response: [("ETag", "\"2\""), ("Last-Modified", Sample.date(-9))], candidates: [compressed],
      confirmed: nil),
    .init(
      testDescription: "a weak tag beside another date than that of the weak one",
      response: [("ETag", "W/\"1\""), ("Last-Modified", Sample.date(-8))],
      candidates: [compressed], confirmed: "c"),
    .init(
      testDescription: "a weak tag compares weakly", response: [("ETag", "W/\"2\"")],
      candidates: pair, confirmed: "b"),
    .init(testDescription: "no validator, one asked about", candidates: [pair[0]], confirmed: "a"),
    .init(testDescription: "no validator, several asked about", candidates: pair, confirmed: nil),
    .init(
      testDescription: "no validator, and a tag of the client's", candidates: [pair[0]],
      requestFields: [("If-None-Match", "\"0\"")], confirmed: nil),
    .init(
      testDescription: "another date", response: [("Last-Modified", Sample.date(-1))],
      candidates: [storedResponse(nil, -9, id: "a")], confirmed: nil),
    .init(
      testDescription: "the same date", response: [("Last-Modified", Sample.date(-9))],
      candidates: [storedResponse(nil, -9, id: "a")], confirmed: "a"),
    .init(
      testDescription: "nothing asked about", response: [("ETag", "\"1\"")], candidates: [],
      confirmed: nil),
  ]

  @Test(arguments: confirmations)
  func `§4.3.4: a 304 confirms the matching response`(_ row: Confirmation) {
    let stored = Validation.confirmed(
      by: Sample.response(304, row.response), among: row.candidates,
      for: Sample.request("GET", row.requestFields))
    #expect(stored?.id == row.confirmed)
  }

  @Test(arguments: [
    ("W/\"1\"", "\"1\"", "W/\"1\""), ("\"1\"", "W/\"1\"", "W/\"1\""),
    ("\"1--gzip\"", "\"1\"", "\"1--gzip\""), ("\"1\"", "\"1-gzip\"", "\"1-gzip\""),
    ("\"1-gzip\"", "W/\"1-gzip\"", "W/\"1-gzip\""),
  ])
  func `§4.3.4: a tag stays weak, and names its coding, when a 304 confirms it`(
    _ stored: String, _ received: String, _ merged: String
  ) {
    let head = Validation.merged(
      Sample.response(200, [("ETag", stored)]), with: Sample.response(304, [("ETag", received)]))
    #expect(head.fields.values(of: "ETag") == [merged])
  }

  @Test
  func `§4.3.3: a 304 for the client's own tag is passed on, and any other is revalidated`() {
    let request = Sample.request("GET", [("If-None-Match", "\"0\"")])
    func outcome(_ tag: String) -> CachePolicy.Outcome {
      CachePolicy.receive(
        Sample.response(304, [("ETag", tag)]), for: request, revalidating: Self.pair,
        fallback: Self.pair[0], goodCopy: Self.pair[0], options: LoadOptions(), now: Sample.now)
    }
    #expect(outcome("\"0\"") == .pass(isStored: false, rejectionReason: nil))
    #expect(outcome("W/\"0\"") == .pass(isStored: false, rejectionReason: nil))
    #expect(outcome("\"7\"") == .retry)
  }

  @Test(arguments: [206, 412, 416])
  func `a response to a client's own condition or range is not a failure`(_ status: Int) {
    func outcome(_ fields: [(String, String)]) -> CachePolicy.Outcome {
      CachePolicy.receive(
        Sample.response(status), for: Sample.request("GET", fields), revalidating: [],
        fallback: Self.pair[0], goodCopy: nil, options: LoadOptions(), now: Sample.now)
    }
    #expect(outcome([("Range", "bytes=0-1")]) == .pass(isStored: false, rejectionReason: nil))
    #expect(outcome([]) != .pass(isStored: false, rejectionReason: nil))
  }

  @Test func `§4.3.1: one response of each variant is validated, except private ones`() {
    func variant(_ id: String, _ name: String, _ value: String, _ tag: String) -> StoredResponse {
      Sample.stored(
        200, [("Vary", name), ("ETag", tag)], id: id,
        varying: [.init(name: name, value: value)])
    }
    let others = [
      variant("b", "accept", "x", "\"2\""), variant("older", "accept", "x", "\"3\""),
      variant("same", "accept", "y", "\"1\""), variant("c", "accept", "z", "\"4\""),
      variant("mine", "cookie", "hmac", "\"5\""),
    ]
    let variants = Variants<StoredResponse>(matching: [Self.pair[0]], others: others)
    #expect(Validation.candidates(variants, base: Self.pair[0]).map(\.id) == ["a", "b", "c"])
    let dated = Self.storedResponse(nil, -9, id: "d")
    #expect(Validation.candidates(variants, base: dated).map(\.id) == ["d"])
  }
}
