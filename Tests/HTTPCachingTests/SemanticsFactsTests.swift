import Foundation
import HTTPTypes
import Testing

import HTTPCaching

/// Facts that a widely used package with the same purpose tests (http-cache-semantics for
/// JavaScript), as this project's own table. Where this package decides otherwise, the row has the
/// section of the RFC that requires or permits it.
@Suite("Facts that other packages test")
struct SemanticsFactsTests {
  typealias Lines = [(String, String)]

  struct Fact: CustomTestStringConvertible, Sendable {
    enum Check: Sendable {
      /// Whether the response is stored.
      case stored(Bool)
      /// The freshness lifetime in seconds.
      case lifetime(Double)
      /// How the response may be reused for a request with these fields, some seconds after the
      /// response.
      case reuse(Lines, after: Double, Reuse)
      /// Whether the request selects the response.
      case selected(Lines, Bool)
      /// `If-None-Match` and `If-Modified-Since` of the conditional request.
      case conditions(Lines, method: String, String?, String?)
      /// Whether a 304 with these fields updates the response.
      case updated(Lines, Bool)
    }

    let testDescription: String
    let kind: CacheKind
    let requestFields: Lines
    let method: String
    let status: Int
    let fields: Lines
    let check: Check
    /// The reason, with its section, for a result that differs from the other package.
    let difference: String?

    init(
      _ text: String, _ fields: Lines, _ check: Check, in kind: CacheKind = .shared,
      requestFields: Lines = [], method: String = "GET", status: Int = 200,
      differs difference: String? = nil
    ) {
      testDescription = text + (difference.map { " (differs: \($0))" } ?? "")
      (self.kind, self.requestFields, self.method) = (kind, requestFields, method)
      (self.status, self.fields, self.check) = (status, fields, check)
      self.difference = difference
    }
  }

  static func control(_ value: String) -> Lines { [("Cache-Control", value)] }
  static let modified = ("Last-Modified", "Mon, 07 Mar 2016 11:52:56 GMT")
  static let now = ("Date", Example.date(0))
  static let anHour = ("Expires", Example.date(3600))
  static let expired = ("Expires", "Sat, 07 May 2016 15:35:18 GMT")
  static let tag = ("ETag", "\"123456789\"")
  static let fresh = Fact.Check.reuse([], after: 0, .fresh)
  static let validate = Fact.Check.reuse([], after: 0, .validate)

  static let responses: [Fact] = [
    .init("no directive: not fresh", [], .lifetime(0)),
    .init("max-age is the lifetime", control("public, max-age=999999"), .lifetime(999_999)),
    .init("Expires minus Date is the lifetime", [now, ("Expires", Example.date(2))], .lifetime(2)),
    .init(
      "Expires without Date counts from the reception", control("public") + [anHour],
      .lifetime(3600)),
    .init("an old file is fresh for a while", [now, modified], .lifetime(86_400)),
    .init("Pragma: no-cache in a response", [("Pragma", "no-cache"), modified], validate),
    .init("no-store beside max-age", control("no-store, public, max-age=1"), .stored(false)),
    .init("private in a proxy", control("private, max-age=1234"), .stored(false)),
    .init(
      "private in a browser", control("private, max-age=1234"), .lifetime(1234), in: .private),
    .init(
      "Set-Cookie in a proxy", control("max-age=99") + [("Set-Cookie", "foo=bar")], .lifetime(99),
      differs: "§7.3: Set-Cookie does not inhibit caching"),
    .init(
      "Set-Cookie in a browser", control("max-age=99") + [("Set-Cookie", "foo=bar")],
      .lifetime(99), in: .private),
    .init(
      "Set-Cookie with public", control("max-age=5, public") + [("Set-Cookie", "foo=bar")],
      .lifetime(5)),
    .init("max-age=0", control("public, max-age=0"), .lifetime(0)),
    .init(
      "503 with max-age", control("public, max-age=1000"), .lifetime(1000), status: 503,
      differs: "§3: public permits to store any final status"),
    .init("301 is heuristically fresh", [now, modified], fresh, status: 301),
    .init("303 without a lifetime", [modified], .stored(false), status: 303),
    .init("303 with a lifetime", control("max-age=1000"), fresh, status: 303),
    .init(
      "412 with max-age", control("public, max-age=1000"), .lifetime(1000), status: 412,
      differs: "§3: public permits it, unless the client had set the precondition"),
    .init(
      "412 to a condition of the client", control("public, max-age=1000"), .stored(false),
      requestFields: [("If-Match", "\"1\"")], status: 412),
    .init(
      "max-age and a past Expires", control("public, max-age=9999") + [expired], .lifetime(9999)),
    .init(
      "s-maxage and a past Expires in a proxy", control("public, s-maxage=9999") + [expired],
      .lifetime(9999)),
    .init(
      "s-maxage and a past Expires in a browser", control("public, s-maxage=9999") + [expired],
      .lifetime(0), in: .private),
    .init("max-age and a later Expires", control("public, max-age=333") + [anHour], .lifetime(333)),
  ]

  static let requests: [Fact] = [
    .init(
      "no-store in the request", control("public, max-age=222"), .stored(false),
      requestFields: control("no-store")),
    .init("POST", control("public"), .stored(false), method: "POST"),
    .init(
      "POST with a lifetime", control("public, max-age=222"), .stored(false), method: "POST",
      differs: "§3: a cache need not understand POST, whose content is a part of its key"),
    .init(
      "public response to credentials", control("public, max-age=222"), fresh,
      requestFields: [("Authorization", "test")]),
    .init(
      "response to credentials", control("max-age=111"), .stored(false),
      requestFields: [("Authorization", "test")]),
    .init("PUT", [anHour], .stored(false), in: .private, method: "PUT"),
    .init("DELETE", [anHour], .stored(false), in: .private, method: "DELETE"),
    .init("TRACE", [anHour], .stored(false), in: .private, method: "TRACE"),
    .init("OPTIONS", [anHour], .stored(false), in: .private, method: "OPTIONS"),
    .init(
      "HEAD", control("max-age=2"), .stored(false), method: "HEAD",
      differs: "§4.3.5: a response to HEAD only updates a stored one"),
    .init("GET for GET", control("max-age=2"), fresh),
    .init("proxy-revalidate while fresh", control("max-age=2, proxy-revalidate "), fresh),
    .init(
      "proxy-revalidate while fresh, in a browser", control("max-age=2, proxy-revalidate "), fresh,
      in: .private),
    .init("302 with Expires", [now, anHour], fresh, status: 302),
    .init("an unknown directive", control("max-age=2"), .reuse(control("fine"), after: 0, .fresh)),
    .init("no-cache", control("max-age=2"), .reuse(control("no-cache"), after: 0, .validate)),
    .init(
      "Pragma: no-cache", control("max-age=2"),
      .reuse([("Pragma", "no-cache")], after: 0, .validate)),
    .init(
      "a part without a range in the request",
      control("max-age=60") + [("Content-Range", "bytes 100-100/200")], .stored(false), status: 206),
  ]

  static let ages: [Fact] = [
    .init(
      "a tenth of 100 seconds",
      [("Last-Modified", Example.date(-105)), ("Date", Example.date(-5))],
      .lifetime(10), in: .private),
    .init(
      "a tenth of 100 days",
      [("Last-Modified", Example.date(-105 * 86_400)), ("Date", Example.date(-5 * 86_400))],
      .lifetime(86_400), in: .private,
      differs: "§4.2.2: the heuristic lifetime is limited, here to a day"),
    .init(
      "max-age with an old Date", control("max-age=60") + [("Date", Example.date(-120))], validate,
      in: .private, differs: "§4.2.3: the apparent age counts"),
    .init(
      "max-age with a future Date", control("max-age=60") + [("Date", Example.date(120))],
      .lifetime(60), in: .private),
    .init(
      "stale-if-error does not prolong the lifetime", control("max-age=60, stale-if-error=200"),
      .lifetime(60), in: .private, differs: "RFC 5861 §4: the response is stale meanwhile"),
    .init(
      "stale-while-revalidate", control("max-age=60, stale-while-revalidate=200"),
      .reuse([], after: 120, .stale(refreshes: true)), in: .private),
    .init(
      "stale-while-revalidate with must-revalidate",
      control("max-age=60, stale-while-revalidate=200, must-revalidate"),
      .reuse([], after: 120, .validate), in: .private),
    .init(
      "max-stale", control("max-age=60, stale-while-revalidate=200"),
      .reuse(control("max-stale"), after: 100, .stale(refreshes: false)), in: .private),
    .init(
      "after stale-while-revalidate", control("max-age=60, stale-while-revalidate=200"),
      .reuse([], after: 261, .validate), in: .private),
    .init(
      "max-age before s-maxage in a browser", control("s-maxage=60, max-age=180"), .lifetime(180),
      in: .private),
    .init(
      "old beyond max-age and s-maxage", control("s-maxage=60, max-age=180") + [("Age", "360")],
      validate, in: .private),
    .init(
      "max-age of the request with stale-while-revalidate",
      control("max-age=60, stale-while-revalidate=200"),
      .reuse(control("max-age=100"), after: 70, .validate), in: .private),
    .init(
      "max-age and max-stale of the request",
      control("max-age=60, stale-while-revalidate=200"),
      .reuse(control("max-age=100, max-stale"), after: 70, .stale(refreshes: false)), in: .private),
    .init(
      "unterminated max-stale", control("max-age=60"),
      .reuse(control("max-stale=\"10"), after: 65, .validate), in: .private),
    .init("Expires in the future", [tag, now, anHour], fresh, in: .private),
    .init(
      "max-age of the request above the age", [now, anHour, ("Age", "60")],
      .reuse(control("max-age=90"), after: 0, .fresh), in: .private),
    .init(
      "max-age of the request below the age", [now, anHour, ("Age", "60")],
      .reuse(control("max-age=30"), after: 0, .validate), in: .private),
    .init(
      "min-fresh above the lifetime", control("max-age=60"),
      .reuse(control("min-fresh=120"), after: 0, .validate), in: .private),
    .init(
      "min-fresh below the lifetime", control("max-age=60"),
      .reuse(control("min-fresh=10"), after: 0, .fresh), in: .private),
    .init(
      "max-stale above the staleness", control("max-age=120"),
      .reuse(control("max-stale=180"), after: 240, .stale(refreshes: false)), in: .private),
    .init(
      "max-stale below the staleness", control("max-age=120"),
      .reuse(control("max-stale=10"), after: 240, .validate), in: .private),
    .init(
      "max-stale with must-revalidate", control("max-age=120, must-revalidate"),
      .reuse(control("max-stale"), after: 360, .validate), in: .private),
    .init(
      "a small difference of the clocks",
      control("private, max-age=60, s-maxage=60") + [("Date", Example.date(-7)), tag], fresh,
      in: .private),
  ]

  static let variants: [Fact] = [
    .init(
      "the same value", control("max-age=5") + [("Vary", "weather")],
      .selected([("weather", "nice")], true), requestFields: [("weather", "nice")]),
    .init(
      "another value", control("max-age=5") + [("Vary", "weather")],
      .selected([("weather", "bad")], false), requestFields: [("weather", "nice")]),
    .init(
      "Vary: *", control("max-age=5") + [("Vary", "*")], .selected([("weather", "ok")], false),
      requestFields: [("weather", "ok")]),
    .init(
      "another case", control("max-age=5") + [("Vary", "Weather")],
      .selected([("weather", "bad")], false), requestFields: [("weather", "BAD")]),
    .init(
      "a field that Vary does not name", control("max-age=5") + [("Vary", "moon-phase")],
      .selected([("weather", "bad")], true), requestFields: [("weather", "nice")]),
    .init(
      "an absent field that appears", control("max-age=5") + [("Vary", "moon-phase, weather")],
      .selected([("weather", "nice"), ("moon-phase", "")], false),
      requestFields: [("weather", "nice")]),
    .init(
      "one of two values", control("max-age=5") + [("Vary", "weather, sun")],
      .selected([("sun", "shining"), ("weather", "bad")], false),
      requestFields: [("sun", "shining"), ("weather", "nice")]),
    .init(
      "another order", control("max-age=5") + [("Vary", "sun, weather")],
      .selected([("weather", "nice"), ("sun", "shining")], true),
      requestFields: [("sun", "shining"), ("weather", "nice")]),
  ]

  static let validations: [Fact] = [
    .init("HEAD", [tag], .conditions([], method: "HEAD", tag.1, nil)),
    .init("POST", [tag, modified], .conditions([], method: "POST", nil, nil)),
    .init("an entity tag", [tag], .conditions([], method: "GET", tag.1, nil)),
    .init("a date", [modified], .conditions([], method: "GET", nil, modified.1)),
    .init("both", [tag, modified], .conditions([], method: "GET", tag.1, modified.1)),
    .init("no validator", [], .conditions([], method: "GET", nil, nil)),
    .init(
      "the client's own tags", [tag],
      .conditions(
        [("If-None-Match", "\"foo\", \"bar\"")], method: "GET", "\"123456789\", \"foo\", \"bar\"",
        nil)),
    .init(
      "the client's own date with POST", [modified],
      .conditions([("If-Modified-Since", "yesterday")], method: "POST", nil, "yesterday"),
      differs: "RFC 9110 §13.1.3: a condition of the client is forwarded as it is"),
    .init(
      "Vary: *", [tag, ("Vary", "*")], .conditions([], method: "GET", tag.1, nil),
      differs: "§4.3.1: tags of responses that are not selected may be sent"),
    .init("304 with the tag", [tag], .updated([tag], true)),
    .init(
      "304 with the weak tag", [("ETag", "W/\"1\"")], .updated([("ETag", "W/\"1\"")], true)),
    .init("304 with the date", [modified], .updated([modified], true)),
    .init("304 with both", [tag, modified], .updated([tag, modified], true)),
    .init(
      "304 with the tag and another date", [tag, modified],
      .updated([tag, ("Last-Modified", Example.date(-5))], true)),
    .init(
      "304 with another tag and the date", [tag, modified],
      .updated([("ETag", "\"bad\""), modified], false)),
    .init(
      "304 without a validator", [tag], .updated([], true),
      differs: "§4.3.4 names no response; as one was validated, and browsers do so, it is updated"),
    .init("304 with a tag for a dated response", [modified], .updated([tag], false)),
    .init(
      "304 with a date for a tagged response", [tag], .updated([modified], true),
      differs: "RFC 9110 §15.4.5: a 304 has the tag that a 200 would have had; some servers omit it"
    ),
    .init("304 with another tag", [tag], .updated([("ETag", "\"other\"")], false)),
    .init(
      "304 with another date", [modified], .updated([("Last-Modified", "dunno")], false)),
  ]

  @Test(arguments: responses + requests + ages + variants + validations)
  func `a response is stored, reused, selected and validated as stated`(_ fact: Fact) throws {
    let entry = Example.entry(
      fact.fields, for: Example.request(fact.requestFields, method: fact.method),
      status: fact.status,
      in: fact.kind)
    if case .stored(let isStored) = fact.check {
      #expect((entry != nil) == isStored)
      return
    }
    let stored = try #require(entry)
    switch fact.check {
    case .stored: break
    case .lifetime(let seconds):
      #expect(stored.timeToLive(now: Example.start) + stored.age(now: Example.start) == seconds)
    case .reuse(let lines, let seconds, let reuse):
      #expect(stored.reuse(for: Example.request(lines), now: Example.start + seconds) == reuse)
    case .selected(let lines, let isSelected):
      #expect(stored.isSelected(by: Example.request(lines)) == isSelected)
    case .conditions(let lines, let method, let tags, let date):
      let fields = stored.validation(of: Example.request(lines, method: method)).headerFields
      #expect(fields[.ifNoneMatch] == tags)
      #expect(fields[.ifModifiedSince] == date)
    case .updated(let lines, let isUpdated):
      let updated = stored.updated(
        by: Example.response(lines, status: 304), to: stored.validation(of: Example.request()),
        requestTime: Example.start, responseTime: Example.start)
      #expect((updated != nil) == isUpdated)
    }
  }

  /// Status codes that are stored with `Expires` alone; the other package stores the first ones
  /// only because it understands them, and none of the last (§3: `Expires` permits any final
  /// status).
  @Test(
    arguments: [
      ([200, 203, 204, 300, 301, 302, 307, 308, 404, 405, 410, 414, 501], true),
      ([100, 101, 102, 206, 304, 428, 429, 431, 511], false),
      (
        [
          201, 202, 205, 207, 305, 306, 400, 401, 402, 403, 406, 408, 409, 411, 412, 413, 415, 416,
          417, 418, 500, 502, 503, 504, 505, 506,
        ], true
      ),
    ] as [([Int], Bool)])
  func `§3, RFC 6585: most final responses with an explicit lifetime are stored`(
    _ codes: [Int], _ isStored: Bool
  ) {
    for code in codes {
      let entry = Example.entry([("Date", Example.date(0)), Self.anHour], status: code)
      #expect((entry != nil) == isStored, "\(code)")
    }
  }

  @Test func `the table has every fact, and names the section of each difference`() {
    let facts = Self.responses + Self.requests + Self.ages + Self.variants + Self.validations
    #expect(facts.count >= 66)
    #expect(Set(facts.map(\.testDescription)).count > 66)
    #expect(facts.compactMap(\.difference).allSatisfy { $0.contains("§") })
  }
}
