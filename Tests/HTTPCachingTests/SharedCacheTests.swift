import Foundation
import HTTPTypes
import Testing

import HTTPCaching

@Suite("A shared cache")
struct SharedCacheTests {
  struct StorabilityCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var requestFields: [(String, String)] = []
    var status = 200
    let control: String
    let isShared: Bool
    let isPrivate: Bool

    init(
      _ section: String, _ control: String, requestFields: [(String, String)] = [],
      status: Int = 200,
      shared isShared: Bool, private isPrivate: Bool
    ) {
      testDescription = "\(section): \(control), \(status), \(requestFields)"
      (self.requestFields, self.status, self.control) = (requestFields, status, control)
      (self.isShared, self.isPrivate) = (isShared, isPrivate)
    }
  }

  static let credentials = [("Authorization", "Basic YTpi")]
  static let storing: [StorabilityCase] = [
    .init("§3", "max-age=60", shared: true, private: true),
    .init("§3", "x=1", shared: true, private: true),
    .init("§3", "no-store", shared: false, private: false),
    .init("§3", "x=1", status: 302, shared: false, private: false),
    .init("§3", "private", status: 302, shared: false, private: true),
    .init("§3", "s-maxage=60", status: 302, shared: true, private: false),
    .init("§3", "public", status: 500, shared: true, private: true),
    .init("§5.2.2.7", "private, max-age=60", shared: false, private: true),
    .init("§5.2.2.7", "PRIVATE, s-maxage=60", shared: false, private: true),
    .init("§5.2.2.7", "private=\"\", max-age=60", shared: false, private: true),
    .init("§5.2.2.7", "private=\"X-User\", max-age=60", shared: true, private: true),
    .init("§5.2.2.7", "private=x-user", shared: true, private: true),
    .init("§5.2.2.7", "private=\"X-User\", private", shared: false, private: true),
    .init("§5.2.2.7", "private=\"x-user, Vary\"", shared: false, private: true),
    .init("§5.2.2.3", "must-understand, no-store, max-age=60", shared: true, private: true),
    .init(
      "§5.2.2.3", "must-understand, no-store, max-age=60", status: 299, shared: false,
      private: false),
    .init("§5.2.2.3", "must-understand, max-age=60", status: 299, shared: false, private: false),
    .init("§3.5", "max-age=60", requestFields: credentials, shared: false, private: true),
    .init(
      "§3.5", "proxy-revalidate, max-age=60", requestFields: credentials, shared: false,
      private: true),
    .init("§3.5", "public", requestFields: credentials, shared: true, private: true),
    .init("§3.5", "s-maxage=0", requestFields: credentials, shared: true, private: true),
    .init("§3.5", "must-revalidate", requestFields: credentials, shared: true, private: true),
    .init("§3.5", "public, private", requestFields: credentials, shared: false, private: true),
    .init(
      "§4", "max-age=60", requestFields: [("X-Forwarded-Host", "other.example")], shared: false,
      private: false),
    .init(
      "§5.2.1.5", "max-age=60", requestFields: [("Cache-Control", "no-store")], shared: false,
      private: false),
  ]

  @Test(arguments: storing)
  func `a response is stored if its directives permit it for this kind of cache`(
    _ row: StorabilityCase
  ) {
    for (kind, isStored) in [(CacheKind.shared, row.isShared), (.private, row.isPrivate)] {
      let entry = Example.entry(
        [("Cache-Control", row.control)], for: Example.request(row.requestFields),
        status: row.status,
        in: kind)
      #expect((entry != nil) == isStored, "in a \(kind) cache")
    }
  }

  @Test func `§5.2.2.7: fields for one user are not stored by a shared cache`() throws {
    let lines = [("Cache-Control", "private=\"X-User, set-cookie\""), ("X-User", "1")]
    let all = lines + [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Other", "2")]
    let shared = try #require(Example.entry(all, in: .shared))
    #expect(shared.response.fields.lines.map(\.name) == ["Cache-Control", "X-Other"])
    let confirmation = ResponseHead(Example.response(lines, status: 304))
    #expect(shared.head(updatedBy: confirmation).fields["X-User"] == nil)
    let privateEntry = try #require(Example.entry(all))
    #expect(privateEntry.head(updatedBy: confirmation).fields["X-User"] == "1")
    #expect(privateEntry.response.fields["X-User"] == "1")
  }

  @Test(
    arguments: [
      ("s-maxage=60, max-age=10", 60.0, 10.0), ("max-age=10, s-maxage=60", 60, 10),
      ("s-maxage=0, max-age=10", 0, 10), ("s-maxage=x, max-age=10", 0, 10),
      ("S-MaxAge=\"60\", max-age=10", 60, 10), ("s-maxage=60", 60, 100), ("max-age=10", 10, 10),
    ] as [(String, Double, Double)])
  func `§4.2.1: s-maxage overrides max-age and Expires in a shared cache`(
    _ control: String, _ shared: Double, _ own: Double
  ) throws {
    let lines = [
      ("Cache-Control", control), ("Date", Example.date(0)), ("Expires", Example.date(100)),
    ]
    for (kind, lifetime) in [(CacheKind.shared, shared), (.private, own)] {
      let entry = try #require(Example.entry(lines, in: kind))
      #expect(entry.timeToLive(now: Example.start) == lifetime, "in a \(kind) cache")
    }
  }

  @Test(
    arguments: [
      ("max-age=10", true, true), ("max-age=10, must-revalidate", false, false),
      ("max-age=10, proxy-revalidate", false, true), ("max-age=99, s-maxage=10", false, true),
      ("max-age=10, PROXY-REVALIDATE", false, true), ("max-age=10, no-cache", false, false),
    ] as [(String, Bool, Bool)])
  func `§4.2.4, §5.2.2: some directives forbid the use of a stale response`(
    _ control: String, _ shared: Bool, _ own: Bool
  ) throws {
    let permissions = ", stale-if-error=1000, stale-while-revalidate=1000"
    let stale = Example.start + 120
    for (kind, isAllowed) in [(CacheKind.shared, shared), (.private, own)] {
      let entry = try #require(Example.entry([("Cache-Control", control + permissions)], in: kind))
      let patient = Example.request([("Cache-Control", "max-stale")])
      #expect((entry.reuse(for: patient, now: stale) != .validate) == isAllowed, "\(kind)")
      #expect((entry.reuse(for: Example.request(), now: stale) != .validate) == isAllowed)
      #expect(entry.isPermittedOnError(for: Example.request(), now: stale) == isAllowed)
    }
  }

  @Test func `§3.5: a public response to a request with credentials is for everyone`() throws {
    let originalRequest = Example.request(Self.credentials)
    let entry = try #require(
      Example.entry([("Cache-Control", "public, max-age=60")], for: originalRequest, in: .shared))
    #expect(!entry.isPrivate && entry.varying.isEmpty)
    for request in [
      originalRequest, Example.request(), Example.request([("Authorization", "Basic eDp5")]),
    ] {
      #expect(entry.reuse(for: request, now: Example.start) == .fresh)
    }
  }

  @Test func `§4.1, §7.3: cookies select a response in a shared cache only if Vary names them`()
    throws
  {
    let (one, other) = (Example.request([("Cookie", "a=1")]), Example.request([("Cookie", "a=2")]))
    let control = [("Cache-Control", "max-age=60")]
    let plain = try #require(Example.entry(control, for: one, in: .shared))
    #expect(plain.isSelected(by: other) && plain.isSelected(by: Example.request()))
    let varying = try #require(
      Example.entry(control + [("Vary", "Cookie")], for: one, in: .shared))
    #expect(varying.isSelected(by: one))
    #expect(!varying.isSelected(by: other) && !varying.isSelected(by: Example.request()))
  }

  @Test func `§5.2.2.7: a response that becomes private may be used once more, and is removed`()
    throws
  {
    let entry = try #require(
      Example.entry([("ETag", "\"1\""), ("Cache-Control", "max-age=60")], in: .shared))
    let validationRequest = entry.validation(of: Example.request())
    for control in ["private", "no-store", "private=\"Vary\""] {
      let updated = try #require(
        entry.updated(
          by: Example.response([("ETag", "\"1\""), ("Cache-Control", control)], status: 304),
          to: validationRequest, requestTime: Example.start, responseTime: Example.start))
      #expect(!updated.isReusable)
      #expect(updated.reuse(for: Example.request(), now: Example.start) == .validate)
      #expect([updated].selected(by: Example.request()) == nil)
    }
  }

  @Test(
    arguments: [
      ("bytes=0-3", "s-maxage=60", true), ("bytes=0-3", "max-age=60, s-maxage=x", false),
      ("bytes=0-3", "x", false),
    ] as [(String, String, Bool)])
  func `§3.3: a part is stored if its lifetime in this kind of cache is explicit`(
    _ range: String, _ control: String, _ isStored: Bool
  ) {
    let entry = Example.entry(
      [("Cache-Control", control), ("Content-Range", "bytes 0-3/10")],
      for: Example.request([("Range", range)]), status: 206, length: 4, in: .shared)
    #expect((entry != nil) == isStored)
  }
}
