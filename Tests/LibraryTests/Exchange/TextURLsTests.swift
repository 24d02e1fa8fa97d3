@testable import Exchange
import Testing

/// URLs in running text.
@Suite struct TextURLsTests {
  @Test(
    arguments: [
      ("Tides: https://a.test/1", ["https://a.test/1"]),
      ("\"https://a.test/1\"", ["https://a.test/1"]),
      ("See https://a.test/1, and (http://b.test/2).", ["https://a.test/1", "http://b.test/2"]),
      ("A place (https://a.test/x_(y)) by the sea", ["https://a.test/x_(y)"]),
      ("Seen https://a.test/x?a=(b)&c=[d]!", ["https://a.test/x?a=(b)&c=[d]"]),
      ("潮汐「https://a.test/潮」。", ["https://a.test/潮"]),
      ("old,https://a.test/?u=https://b.test/,new", ["https://a.test/?u=https://b.test/,new"]),
      ("*https://a.test/1*", ["https://a.test/1"]), ("[https://a.test/1][b]", ["https://a.test/1"]),
      ("[tide https://a.test/1], https://[::1]/", ["https://a.test/1", "https://[::1]/"]),
      ("![T](https://a.test/i.png)", []), ("view-source:https://a.test/", ["https://a.test/"]),
      ("xhttps://a.test/ /login?u=https://a.test/", []), ("https://", []), ("https://.", []),
      ("ftp://a.test/ mailto:a@a.test www.a.test http", []), ("", []),
    ] as [(String, [String])])
  func `URLs are found without the punctuation around them`(_ line: String, _ urls: [String]) {
    #expect(TextURLs.all(in: line) == urls)
  }

  private static func list(_ text: String) -> ImportedList? { ImportedList(Array(text.utf8)) }

  @Test func `lines of a list with text before their URLs are imported`() throws {
    let list = try #require(
      Self.list("https://a.test/1 A title\nTides: https://a.test/2\n\"https://a.test/3\"\nwords\n"))
    #expect(list.links.map(\.url) == (1...3).map { "https://a.test/\($0)" })
    #expect(list.links.map(\.title) == ["A title", "", ""])
    #expect(list.skippedLines.map(\.text) == ["words"])
  }

  @Test func `a text is a list if at least half of its lines contain URLs`() {
    let line = "A line about https://a.test/1 and more\n"
    #expect(Self.list(line + "words\n")?.links.map(\.url) == ["https://a.test/1"])
    #expect(Self.list(line + "words\nwords\n") == nil)
    #expect(Self.list("{ broken: \"https://a.test/1\"") == nil)
    #expect(Self.list("[{ broken: \"https://a.test/1\"") == nil)
    #expect(Self.list("[toc]\nhttps://a.test/1\n")?.links.count == 1)
    // The lines of a chat begin with a date.
    #expect(Self.list("[02/01/2020, 10:15] A: https://a.test/1 B\n")?.links.count == 1)
  }
}
