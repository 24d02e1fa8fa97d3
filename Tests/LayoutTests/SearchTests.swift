import ReaderMode
import Foundation
import Document
import Testing

@testable import Layout

@Suite struct SearchTests {
  private let layout = PageLayout(
    Document(
      bytes: Array(
        """
        <p>The Fox and the fox met a Straße in Zürich, ZÜRICH, where words go over the end.</p>
        <ul><li>a list item that is long enough to be wrapped, well-known</ul>
        """.utf8)),
    options: LayoutOptions(width: 30))

  private func found(_ needle: String) -> [String] {
    var result: [String] = []
    for match in layout.matches(of: needle) {
      let text = String(decoding: layout.text[match.byteRange], as: UTF8.self)
      if match.occurrenceNumber < result.count {
        result[match.occurrenceNumber] += "|" + text
      } else {
        result.append(text)
      }
    }
    return result
  }

  @Test func `lowercase matches both cases, and uppercase only itself`() {
    #expect(found("fox") == ["Fox", "fox"])
    #expect(found("Fox") == ["Fox"])
    #expect(found("zürich") == ["Zürich", "ZÜRICH"])
    #expect(found("straße") == ["Straße"])
  }

  @Test(
    arguments: [
      ("zurich", ["Zürich", "ZU\u{308}RICH", "zurich"]), ("zürich", ["Zürich", "ZU\u{308}RICH"]),
      ("zu\u{308}rich", ["Zürich", "ZU\u{308}RICH"]), ("ZÜRICH", ["ZU\u{308}RICH"]),
      ("Zurich", ["Zürich"]), ("ueber", []), ("e", ["é", "e\u{301}", "ế", "E"]),
      ("\u{301}", ["\u{301}"]),
      ("han", ["Hàn"]), ("漢", ["漢"]),
    ] as [(String, [String])])
  func `accents are ignored unless one is typed`(needle: String, expected: [String]) {
    let html = "<p>Zürich ZU\u{308}RICH zurich; é x\u{301} e\u{301} ế E; Hàn 漢".replacing(
      "x", with: "")
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let layout = PageLayout(document, options: LayoutOptions(width: 80))
    let found = layout.matches(of: needle).map {
      String(decoding: layout.text[$0.byteRange], as: UTF8.self)
    }
    #expect(expected.allSatisfy(found.contains), "\(found)")
    if needle.count > 1 || expected.count == 1 { #expect(Set(found) == Set(expected), "\(found)") }
  }

  @Test(
    arguments: [
      ("漢字", ["漢(かん)字"]), ("食べ物", ["食(た)べ物"]), ("べ物", ["べ物"]), ("東京都", ["東京（とうきょう）都"]),
      ("漢(かん", ["漢(かん"]), ("かん", ["かん"]), ("北京", ["北(běi)京"]), ("物漢", []), ("京都", ["京（とうきょう）都"]),
      ("都は", []), ("字は", ["字(じ)は"]),
    ] as [(String, [String])])
  func `readings in parentheses are ignored within a word`(needle: String, expected: [String]) {
    let html = """
      <p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>は、<ruby>食<rt>た</rt></ruby>べ<ruby>物<rt>もの</rt></ruby>
      (漢) 東京（とうきょう）都（1）は <ruby>北<rt>běi</rt>京<rt>jīng</rt></ruby>
      """
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8")
    let layout = PageLayout(document, options: LayoutOptions(width: 80))
    let found = layout.matches(of: needle).map {
      String(decoding: layout.text[$0.byteRange], as: UTF8.self)
    }
    #expect(found == expected)
    #expect(document.offsets(of: needle).count == expected.count)
  }

  @Test func `a match can continue on the next line of a paragraph`() {
    #expect(found("fox met a straße in zürich") == ["fox met a|Straße in Zürich"])
    #expect(found("that is long enough to be").joined().contains("|"))
  }

  @Test func `words on consecutive lines are not joined`() {
    #expect(found("aStraße").isEmpty)
    #expect(found("fox  and") == ["Fox and"])
  }

  @Test func `ornaments and text of other blocks are not part of a match`() {
    #expect(found("•").isEmpty)
    #expect(found("end. a list").isEmpty)
    #expect(found("").isEmpty)
    #expect(found("nowhere").isEmpty)
  }

  @Test func `matches do not overlap`() {
    let layout = PageLayout(
      Document(bytes: Array("<p>aaaa aa".utf8), mediaType: "text/html"),
      options: LayoutOptions(width: 30))
    #expect(layout.matches(of: "aa").map(\.byteRange) == [0..<2, 2..<4, 5..<7])
  }

  @Test(arguments: [
    "a", "fox", "FOX", "straße", "strasse", "zurich", "the  end", "met a", "end.a", "needle", "",
    "\u{301}", "wrapped, well", "autobahn", "bahn", "10 km",
  ])
  func `a search of the document finds the same matches as one of its lines`(needle: String) throws
  {
    let document = Document(
      bytes: Array(
        """
        <p>The Fox and the fox met a Straße in Zürich, ZÜRICH, where words go over the end.</p>
        <details><summary>a fox</summary><p>the <b>end</b> of a needle<img alt="a wrapped, well-known fox"></p>
        <p>Auto&shy;bahn, 10&nbsp;km</p><pre>a  fox
        met a</pre></details>
        """.utf8))
    let layout = PageLayout(document, options: LayoutOptions(width: 20))
    let onLines = Set(layout.matches(of: needle).map(\.occurrenceNumber)).count
    let offsets = document.offsets(of: needle)
    #expect(offsets.count == onLines)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
    for offset in offsets {
      let rest = String(decoding: document.text[Int(offset)...], as: UTF8.self)
      let begins = rest.range(of: needle.prefix(1), options: [.caseInsensitive, .anchored]) != nil
      #expect(begins, "\(rest.prefix(20))")
    }
  }
}
