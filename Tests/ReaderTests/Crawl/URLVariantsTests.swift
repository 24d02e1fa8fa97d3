import OfflineCache
import Testing

@testable import Crawl

@Suite struct URLVariantsTests {
  private var variants = URLVariants()

  private func form(_ url: String) throws -> String {
    variants.form(of: try #require(WebURL(url)))
  }

  private mutating func record(_ url: String, _ content: Int) throws {
    variants.record(try #require(WebURL(url)), content: content)
  }

  @Test mutating func `a parameter with many values but one content is redundant at its position`()
    throws
  {
    for value in 1...4 { try record("http://a.example/p?ref=\(value)&id=7", 1) }
    #expect(try form("http://a.example/p?ref=9&id=7") == "http://a.example/p?id=7")
    for other in ["http://a.example/q?ref=9", "http://b.example/p?ref=9&id=7"] {
      #expect(try form(other) == other)
    }
  }

  @Test mutating func `two values with the same content are not enough evidence`() throws {
    for value in 1...3 { try record("http://a.example/list?page=\(value)", 1) }
    #expect(try form("http://a.example/list?page=9") == "http://a.example/list?page=9")
  }

  @Test mutating func `a single page that differs keeps all values`() throws {
    for value in 1...9 { try record("http://a.example/list?page=\(value)", 1) }
    try record("http://a.example/list?page=10", 2)
    #expect(try form("http://a.example/list?page=11") == "http://a.example/list?page=11")
  }

  @Test
  mutating func
    `an identifier that is redundant at several positions is redundant on the whole site`()
    throws
  {
    for page in 1...3 {
      for session in ["0a1b2c3d4e", "5f6a7b8c9d"] {
        try record("http://a.example/\(page)?sid=\(session)", page)
      }
    }
    #expect(try form("http://a.example/9?sid=77aa88bb99") == "http://a.example/9")
    // A short value may select the page.
    #expect(try form("http://a.example/9?sid=2") == "http://a.example/9?sid=2")
    try record("http://a.example/list?sid=0a1b2c3d4e", 8)
    try record("http://a.example/list?sid=5f6a7b8c9d", 9)
    #expect(
      try form("http://a.example/9?sid=77aa88bb99") == "http://a.example/9?sid=77aa88bb99")
  }

  @Test mutating func `an identifier in the path is redundant only at its position`() throws {
    for session in ["0a1b2c3d4e", "5f6a7b8c9d", "11aa22bb33", "44cc55dd66"] {
      try record("http://a.example/\(session)/page", 1)
    }
    #expect(try form("http://a.example/99ff88ee77/page") == "http://a.example/*/page")
    let other = "http://a.example/99ff88ee77/other"
    #expect(try form(other) == other)
  }

  @Test(
    arguments: [
      ("http://a.example/p;jsessionid=1A2B?x=1", "http://a.example/p?x=1"),
      ("http://a.example/p?PHPSESSID=abc", "http://a.example/p"),
      ("http://a.example/p?x=1&PHPSESSID=abc&y=2", "http://a.example/p?x=1&y=2"),
      ("http://a.example/app/(S(abc123))/p.aspx", "http://a.example/app/p.aspx"),
      ("http://a.example/p?ASPSESSIONIDQQAC=XYZ", "http://a.example/p"),
      ("http://a.example/p?sid=12", "http://a.example/p?sid=12"),
      ("http://a.example/p?t=1&sid=0123456789abcdef0123456789abcdef", "http://a.example/p?t=1"),
      ("http://a.example/p?s=0123456789abcdef0123456789abcdef&t=1", "http://a.example/p?t=1"),
      (
        "http://a.example/p?session_id=0123456789abcdef0123456789abcdef",
        "http://a.example/p?session_id=0123456789abcdef0123456789abcdef"
      ),
      (
        "http://a.example/p?s=the+words+of+a+search+with+a+long+text",
        "http://a.example/p?s=the+words+of+a+search+with+a+long+text"
      ),
      ("http://a.example/wiki/Lake_(S)", "http://a.example/wiki/Lake_(S)"),
      ("http://a.example/p;v=1/q?", "http://a.example/p;v=1/q?"),
    ] as [(String, String)])
  func `well-known session ids are removed`(_ url: String, _ expected: String) {
    #expect(SessionIdentifiers.removed(from: url) == expected)
  }

  @Test func `links that differ only in a session id are merged, and requested pages are all kept`()
  {
    var bounds = CrawlBounds()
    bounds.depth = 1
    var frontier = LinkFrontier(bounds)
    let added = [1, 2, 2].map { frontier.add("http://a.example/p;jsessionid=\($0)") }
    #expect(added == [true, true, false])
    let first = frontier.next()!
    frontier.recordFinished(
      first,
      links: [
        "http://a.example/p", "http://a.example/q?PHPSESSID=1", "http://a.example/q?PHPSESSID=2",
      ])
    let urls = [frontier.next(), frontier.next(), frontier.next()].map { $0?.url }
    #expect(urls == ["http://a.example/p;jsessionid=2", "http://a.example/q?PHPSESSID=1", nil])
  }
}
