import Foundation
import HTTPTypes
import Testing

import HTTPCaching

/// The caching rules of RFC 9111 as used by another program's cache. Times are seconds after an
/// arbitrary date.
@Suite("A cache entry")
struct CacheEntryTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private static func fields(_ lines: [(String, String)]) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in lines {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
  }

  private static func request(
    _ lines: [(String, String)] = [], method: HTTPRequest.Method = .get
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: "https", authority: "h.example", path: "/a?b",
      headerFields: fields(lines))
  }

  private static func entry(
    _ lines: [(String, String)], for request: HTTPRequest = request(),
    status: HTTPResponse.Status = .ok
  ) -> CacheEntry? {
    CacheEntry(
      request, HTTPResponse(status: status, headerFields: fields(lines)), requestTime: start,
      responseTime: start)
  }

  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60")], 200, true), ([], 200, true), ([], 500, false),
      ([("Cache-Control", "max-age=60")], 500, true), ([("Cache-Control", "no-store")], 200, false),
      ([("Cache-Control", "max-age=60")], 304, false),
      ([("Cache-Control", "max-age=60")], 206, false),
    ] as [([(String, String)], Int, Bool)])
  func `§3: a response that may not be stored or could never be reused gives nil`(
    _ lines: [(String, String)], _ status: Int, _ isKept: Bool
  ) {
    #expect((Self.entry(lines, status: .init(code: status)) != nil) == isKept)
  }

  @Test(
    arguments: [
      (428, false), (429, false), (431, false), (511, false), (430, true), (503, true),
    ] as [(Int, Bool)])
  func `RFC 6585: some statuses are never stored or reused, whatever the lifetime`(
    _ status: Int, _ isStored: Bool
  ) throws {
    let head = ResponseHead(
      status: status, fields: Example.fieldLines([("Cache-Control", "public, max-age=60")]))
    let request = WebRequest(url: try #require(WebURL("https://h.example/a")))
    #expect(Storability.isStorable(head, for: request, in: .private) == isStored)
    #expect(Storability.isStorable(head, for: request, in: .shared) == isStored)
    let entry = Self.entry([("Cache-Control", "max-age=60")], status: .init(code: status))
    #expect((entry?.isReusable ?? false) == isStored)
  }

  @Test func `§3: responses to POST are not stored`() {
    #expect(Self.entry([("Cache-Control", "max-age=60")], for: Self.request(method: .post)) == nil)
  }

  @Test(
    arguments: [
      ("max-age=60", [], 30.0, Reuse.fresh), ("max-age=60", [], 60, .validate),
      ("max-age=60", [("Cache-Control", "max-stale=10")], 65, .stale(refreshes: false)),
      ("max-age=60", [("Cache-Control", "max-stale=10")], 75, .validate),
      ("max-age=60, must-revalidate", [("Cache-Control", "max-stale")], 65, .validate),
      ("max-age=60, stale-while-revalidate=10", [], 65, .stale(refreshes: true)),
      ("max-age=60", [("Cache-Control", "no-cache")], 0, .validate),
      ("max-age=60", [("Pragma", "no-cache")], 0, .validate),
      ("max-age=60", [("Cache-Control", "min-fresh=40")], 30, .validate),
      ("max-age=60, no-cache", [], 0, .validate),
    ] as [(String, [(String, String)], Double, Reuse)])
  func `§4.2, §5.2: an entry is reused while fresh, or stale if client or server permit it`(
    _ control: String, _ lines: [(String, String)], _ seconds: Double, _ expected: Reuse
  ) throws {
    let entry = try #require(Self.entry([("Cache-Control", control)]))
    let now = Self.start + seconds
    #expect(entry.reuse(for: Self.request(lines), now: now) == expected)
    #expect(entry.age(now: now) == seconds)
    #expect(entry.timeToLive(now: now) == 60 - seconds)
  }

  @Test func `RFC 5861 §4: a stale entry is permitted after an error within stale-if-error`() throws
  {
    let entry = try #require(Self.entry([("Cache-Control", "max-age=60, stale-if-error=100")]))
    #expect(entry.isPermittedOnError(for: Self.request(), now: Self.start + 150))
    #expect(!entry.isPermittedOnError(for: Self.request(), now: Self.start + 170))
  }

  @Test func `§4.1: Vary compares request fields, ignoring the order and case of languages`()
    throws
  {
    let request = Self.request([("Accept-Language", "de, en;q=.5")])
    let entry = try #require(
      Self.entry([("Vary", "Accept-Language"), ("Cache-Control", "max-age=60")], for: request))
    #expect(entry.isSelected(by: Self.request([("Accept-Language", "EN;q=.5,de")])))
    #expect(!entry.isSelected(by: Self.request([("Accept-Language", "fr")])))
    #expect(!entry.isSelected(by: Self.request()))
    #expect(entry.reuse(for: Self.request(), now: Self.start) == .validate)
  }

  @Test func `§3.5: a response to a request with credentials is reused only with them`() throws {
    let request = Self.request([("Authorization", "Basic YTpi")])
    let entry = try #require(Self.entry([("Cache-Control", "max-age=60")], for: request))
    #expect(entry.isPrivate)
    #expect(entry.isSelected(by: request))
    #expect(!entry.isSelected(by: Self.request()))
  }

  @Test func `§4.3: validators are sent to the server, and a 304 updates the matching entry`()
    throws
  {
    let entry = try #require(
      Self.entry([("ETag", "\"a\""), ("Cache-Control", "max-age=60"), ("X-Old", "1")]))
    let question = entry.validation(of: Self.request())
    #expect(question.headerFields[.ifNoneMatch] == "\"a\"")
    let laterDate = Self.start + 100
    func renewed(_ status: HTTPResponse.Status, _ lines: [(String, String)]) -> CacheEntry? {
      entry.updated(
        by: HTTPResponse(status: status, headerFields: Self.fields(lines)), to: question,
        requestTime: laterDate, responseTime: laterDate)
    }
    let fresh = try #require(
      renewed(.notModified, [("ETag", "\"a\""), ("Cache-Control", "max-age=5")]))
    #expect(fresh.timeToLive(now: laterDate) == 5)
    #expect(fresh.response.fields["X-Old"] == "1")
    #expect(renewed(.notModified, [("ETag", "\"b\"")]) == nil)
    #expect(renewed(.ok, [("ETag", "\"a\"")]) == nil)
    let plain = try #require(Self.entry([("Cache-Control", "max-age=60")]))
    #expect(plain.validation(of: Self.request()) == Self.request())
  }

  @Test func `§4.3.4: a validation by GET or HEAD may add a field to Vary`() throws {
    let entry = try #require(Self.entry([("ETag", "\"a\""), ("Vary", "Accept")]))
    let lines = [("ETag", "\"a\""), ("Vary", "Accept, X-Lang"), ("Cache-Control", "max-age=60")]
    let request = Self.request([("X-Lang", "de")])
    let updated = entry.updated(
      by: HTTPResponse(status: .notModified, headerFields: Self.fields(lines)),
      to: entry.validation(of: request), requestTime: Self.start, responseTime: Self.start)
    let described = entry.updated(
      byHead: HTTPResponse(status: .ok, headerFields: Self.fields(lines)),
      to: Self.request([("X-Lang", "de")], method: .head), requestTime: Self.start,
      responseTime: Self.start)
    for entry in [updated, described] {
      let entry = try #require(entry)
      #expect(entry.varying.map(\.name) == ["accept", "x-lang"])
      #expect(entry.reuse(for: request, now: Self.start) == .fresh)
      #expect(!entry.isSelected(by: Self.request([("X-Lang", "fr")])))
      #expect(!entry.isSelected(by: Self.request([("X-Lang", "de"), ("Accept", "a/b")])))
    }
  }
}

@Suite("Messages of swift-http-types")
struct HTTPTypesTests {
  @Test func `names keep their case, repeated fields their order, and non-ASCII bytes their value`()
    throws
  {
    let odd = try #require(HTTPField.Name("X-oDd"))
    var fields = HTTPFields()
    fields.append(HTTPField(name: odd, value: [0x66, 0xFC, 0x72]))
    fields.append(HTTPField(name: .setCookie, value: "a=1"))
    fields.append(HTTPField(name: odd, value: "für"))
    fields.append(HTTPField(name: .setCookie, value: "b=2"))
    let lines = FieldLines(fields)
    #expect(
      lines.lines.map { $0.name.lowercased() } == ["x-odd", "set-cookie", "x-odd", "set-cookie"])
    #expect(lines.lines.map(\.value) == ["für", "a=1", "für", "b=2"])
    #expect(lines.lines[0].name == "X-oDd")
    #expect(HTTPFields(lines)[values: odd] == ["für", "für"])
  }

  @Test(
    arguments: [
      ([0x2F, 0xE9, 0x3F, 0xFC], "Location", "/%E9?%FC"),
      ([0x2F, 0xE9], "content-location", "/%E9"),
      (Array("/é".utf8), "Location", "/é"), ([0x2F, 0xE9], "X-Location", "/é"),
    ] as [([UInt8], String, String)])
  func `octets of a URL that are not UTF-8 are percent-encoded`(
    _ value: [UInt8], _ name: String, _ text: String
  ) throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    #expect(FieldLines(fields).lines.map(\.value) == [text])
  }

  @Test(arguments: ["", "a b", "naïve", "a:"])
  func `an invalid HTTP field is left out`(_ name: String) {
    let lines = FieldLines([.init(name, "x"), .init("Accept", "y")])
    #expect(HTTPFields(lines).map(\.value) == ["y"])
  }

  @Test func `a line break in a value cannot create another field`() {
    let fields = HTTPFields(FieldLines([.init("Accept", "x\r\nCookie: y")]))
    #expect(fields[.accept] == "x  Cookie: y")
  }

  @Test func `a request is unchanged after conversion in both directions`() throws {
    let request = WebRequest(
      method: "PATCH", url: try #require(WebURL("https://h.example:8443/a/b?c")),
      fields: FieldLines([.init("a", "b")]))
    let httpRequest = try #require(HTTPRequest(request))
    #expect(httpRequest.authority == "h.example:8443" && httpRequest.path == "/a/b?c")
    #expect(WebRequest(httpRequest) == request)
    #expect(WebRequest(HTTPRequest(method: .get, scheme: nil, authority: nil, path: "*")) == nil)
    let page = try #require(WebURL("https://h/"))
    #expect(HTTPRequest(WebRequest(method: "A B", url: page)) == nil)
    #expect(HTTPRequest(WebRequest(url: try #require(WebURL("mailto:a@b")))) == nil)
  }

  @Test(arguments: [100, 200, 304, 599, 999])
  func `a response is unchanged after conversion in both directions`(_ status: Int) {
    let head = ResponseHead(
      status: status, reason: "So", fields: FieldLines([.init("a", "b"), .init("a", "c")]))
    #expect(ResponseHead(HTTPResponse(head)) == head)
  }
}
