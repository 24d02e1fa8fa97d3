import Document
import Foundation
import OfflineCache
import Testing

@testable import Pages

/// The time to wait that a server states with an error.
struct WaitTextTests {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  private static func text(_ field: String?, status: Int) -> String? {
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/", document: Document(),
      provenance: Provenance(source: .network), status: status)
    page.loadTrace.fields["Retry-After"] = field
    return page.waitText(now: now)
  }

  @Test(
    arguments: [
      ("1", "it asks to wait 1 second"), ("119", "it asks to wait 119 seconds"),
      ("120", "it asks to wait 2 minutes"), ("121", "it asks to wait 3 minutes"),
      ("7200", "it asks to wait 2 hours"), ("172800", "it asks to wait 2 days"),
      ("Wed, 18 Nov 2026 13:06:40 GMT", "it asks to wait 2 hours"),
      ("99999999999999999999", "it asks to wait 7 days"),
      ("0", nil), ("Fri, 13 Nov 2020 00:00:00 GMT", nil), ("soon", nil), (nil, nil),
    ] as [(String?, String?)])
  func `the time to wait is stated in words`(_ field: String?, _ text: String?) {
    #expect(Self.text(field, status: 503) == text)
    #expect(Self.text(field, status: 429) == text)
    #expect(Self.text(field, status: 200) == nil)
  }
  @Test func `a part of a second is rounded up`() {
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/", document: Document(),
      provenance: Provenance(source: .network), status: 503)
    page.loadTrace.fields["Retry-After"] = "Wed, 18 Nov 2026 13:06:40 GMT"
    let date = Self.now + 7200
    #expect(page.waitText(now: date - 0.25) == "it asks to wait 1 second")
    #expect(page.waitText(now: date) == nil)
  }
}
