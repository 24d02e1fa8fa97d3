import Testing

@testable import OfflineCache
@testable import WebArchive

/// Truncated pages whose truncation HTTP cannot detect.
struct CutPageTests {
  private typealias Row = RejectionReasonTests.Row

  private static let long = Page.frame(
    "The harbour", (0..<6).map { _ in Page.sentences.map { "<p>\($0)</p>" }.joined() }.joined())

  private static func beginning(_ share: Double, of page: String = long) -> String {
    String(page.prefix(Int(Double(page.count) * share)))
  }

  @Test func `a page truncated to a half does not replace the complete one`() {
    for share in [0.2, 0.35, 0.5] {
      let row = Row("", Self.beginning(share), nil) { $0.copy = Self.long }
      #expect(RejectionReasonTests.judge(row) == .cutOff, "\(share)")
    }
  }

  @Test func `a page that ends with the connection needs its end tag`() {
    let row = Row("", Self.beginning(0.9), nil) {
      $0.copy = Self.long
      $0.isCloseDelimited = true
    }
    #expect(RejectionReasonTests.judge(row) == .cutOff)
  }

  @Test(arguments: [
    Row("more than half, of the declared length", beginning(0.6), nil) { $0.copy = long },
    Row(
      "other words by https",
      "<h1>News</h1>" + String(repeating: "<p>Quite another text here.", count: 9),
      nil
    ) {
      $0.copy = long
      $0.url = "https://site.example.org/page"
    },
    Row("a site that never writes end tags", beginning(0.4), nil) { $0.copy = beginning(0.9) },
    Row("a shorter page with its end", Page.frame("Harbour", "<p>\(Page.sentences[0])</p>"), nil) {
      $0.copy = long
      $0.isCloseDelimited = true
    },
    Row("scripts behind the end", long + "<script>measure()</script>", nil) {
      $0.copy = long + String(repeating: "<!-- -->", count: 40)
      $0.isCloseDelimited = true
    },
    Row("nothing to compare with", beginning(0.4), nil) {
      $0.copy = nil
      $0.isCloseDelimited = true
    },
    Row("a longer page", beginning(1, of: long.replacing("</body></html>", with: "") + long), nil) {
      $0.copy = long
      $0.isCloseDelimited = true
    },
  ])
  func `a page that may be a new version is accepted`(_ row: RejectionReasonTests.Row) {
    #expect(RejectionReasonTests.judge(row) == nil)
  }
}
