import TestSupport
import Testing

@testable import Crawl

/// The resources that a page and its style sheets need in a browser.
@Suite struct PagePartsTests {
  private static let sheets: [(String, imports: [String], others: [String])] = [
    ("@import 'a.css';", ["a.css"], []),
    ("@import url(a.css) screen; b{}", ["a.css"], []),
    ("@IMPORT/**/URL( \"a.css\" ) layer(x);", ["a.css"], []),
    ("@import 'a.css' supports(font-format('woff2'));", ["a.css"], []),
    ("@charset \"utf-8\"; @namespace url(http://x/); p{}", [], []),
    ("p{background:url(a.png)}", [], ["a.png"]),
    ("p{background:url( 'a b.png' )}", [], ["a b.png"]),
    ("p{background:u\\72l(a.png)}", [], ["a.png"]),
    ("p{background:url(a\\29 .png)}", [], ["a).png"]),
    ("p{background:url(\"a\\\nb\")}", [], ["ab"]),
    ("p{background:url(a b.png), url(c.png)}", [], ["c.png"]),
    ("p{background:url(a'b), url(c.png)}", [], ["c.png"]),
    ("/* url(no.png) */ p{src:url(f.woff2) format('woff2')}", [], ["f.woff2"]),
    ("p{content:'url(no.png)'}", [], []),
    ("p{content:'open\nurl(a.png)'}", [], ["a.png"]),
    ("p{background:image-set('a.png' 1x, url(b.png) 2x)}", [], ["a.png", "b.png"]),
    ("p{fill:url(#gradient)} myurl(a) 1url(b)", [], []),
    ("p{background:url(a.png", [], ["a.png"]),
    ("p{background:url(\\0 x)}", [], ["\u{FFFD}x"]),
    ("@font-face{src:url(a.woff2),url(b.woff)}", [], ["a.woff2", "b.woff"]),
    ("p{background:url()} q{background:url('')}", [], []),
  ]

  @Test(arguments: sheets.indices)
  func `the references of a style sheet are found`(_ index: Int) {
    let (sheet, imports, others) = Self.sheets[index]
    let found = StyleReferences(Array(sheet.utf8))
    #expect(found.imports == imports, "\(sheet)")
    #expect(found.otherReferences == others, "\(sheet)")
  }

  private func parts(_ page: String) -> [String] {
    PageParts(page: Array(page.utf8), charset: "utf-8").parts.map { "\($0.kind) \($0.target)" }
  }

  @Test func `the query of a reference is encoded as the page, but not in styles`() {
    let page =
      Array("<base href='/b?".utf8) + [0xF2] + Array("'><img src='/i?".utf8) + [0xF2]
      + Array("' style='background:url(/s?".utf8) + [0xF2] + Array(")'>".utf8)
    let parts = PageParts(page: page, charset: "windows-1251")
    #expect(parts.base == "/b?%F2")
    #expect(parts.parts.map(\.target) == ["/s?т", "/i?%F2"])
  }

  @Test func `the resources that a page needs in a browser are found`() {
    #expect(
      parts(
        """
        <!doctype html><base href="/b/"><link REL="Alternate StyleSheet" href='a.css?x&amp;y'>
        <link rel=preload as=font href=f.woff2><link rel=icon href=i.ico><link rel=next href=no>
        <!-- <script src=no.js></script> --><script src=s.js>"<img src=no>"</script>
        <style>@import "b.css"; p{background:url(p.png)}</style>
        <p style="background:url(&quot;q.png&quot;)"><a href=no>x</a>
        <img src=m.png srcset="n.png 1x, o.png,p.png 2x"><img src="data:image/png,x">
        <textarea><img src=no></textarea><input type=image src=r.png><video poster=v.jpg src=no>
        <img src="never closed
        """) == [
          "sheet a.css?x&y", "other f.woff2", "other i.ico", "script s.js", "sheet b.css",
          "other p.png", "other q.png", "image m.png", "image n.png", "image o.png,p.png",
          "image r.png", "image v.jpg",
        ])
    #expect(
      PageParts(page: Array("<base href=/b/><base href=/c/>".utf8), charset: nil).base == "/b/")
  }

  @Test func `the number of references in random input is bounded`() {
    var random = SplitMix64(seed: 11)
    let pieces = [
      "url(", "@import", "'", "\"", "\\", "(", ")", "{", "}", "/*", "*/", ";", "\n", "\u{0}", "a",
      "\\41 ", "<style", "<link rel=stylesheet href=", "<!--", ">", "=", "&amp", "src",
      "image-set(",
    ].map { Array($0.utf8) }
    for _ in 0..<400 {
      var text: [UInt8] = []
      for _ in 0..<Int(random.next() % 60) {
        if random.next() % 4 == 0 { text.append(UInt8(truncatingIfNeeded: random.next())) }
        text += pieces[Int(random.next() % UInt64(pieces.count))]
      }
      let sheet = StyleReferences(text)
      #expect(sheet.imports.count + sheet.otherReferences.count <= StyleReferences.maxReferences)
      #expect(PageParts(page: text, charset: nil).parts.count <= PageParts.maxReferences)
    }
    let many = Array(String(repeating: "p{background:url(a)}", count: 20_000).utf8)
    #expect(StyleReferences(many).otherReferences.count == StyleReferences.maxReferences)
    let deep = Array(String(repeating: "f(", count: 200_000).utf8)
    #expect(StyleReferences(deep).otherReferences.isEmpty)
  }
}
