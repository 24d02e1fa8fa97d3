import Document
import ReaderMode
import Testing

/// Authors and dates in the last line of a text.
@Suite struct LastLineTests {
  private static let text = String(
    repeating: "<p>A text, with commas, which is long enough, so that it counts as one.</p>",
    count: 12)

  @Test(
    arguments: [
      ("<p><em>By Jane Doe</em></p>", "Jane Doe", ""),
      ("<p>Written by Jane Doe on 5 March 2026.</p>", "Jane Doe", "2026-03-05"),
      ("<p>Posted on March 5, 2026 by Jane Doe</p>", "Jane Doe", "2026-03-05"),
      ("<p>Published: 5 March 2026</p>", "", "2026-03-05"),
      ("<p>Last updated: 5 March 2026</p>", "", "2026-03-05"),
      ("<p>This page was last updated on March 5, 2026.</p>", "", "2026-03-05"),
      ("<hr>Letzte Änderung: <i>05.03.2026</i>", "", "2026-03-05"),
      ("<p>Letzte Aktualisierung am 5. März 2026</p>", "", "2026-03-05"),
      ("<p>最終更新日：2026年3月5日</p>", "", "2026-03-05"),
      ("<p>Last modified: Tue May 4 10:15:00 PDT 1999</p>", "", "1999-05-04T10:15:00-07:00"),
      ("<p>Filed 3/5/2026 by Jane Doe</p>", "Jane Doe", "2026-03-05"),
      ("<p>$Id: f,v 1.3 2026/03/05 10:15:00 doe Exp $</p>", "", "2026-03-05T10:15:00"),
      ("<p>The bridge was last painted on March 5, 2026.</p>", "", ""),
      ("<p>It was mended on 5 March 2026.</p>", "", ""), ("<p>By the river.</p>", "", ""),
      ("<p>In 2019 it was mended by Jane Doe.</p>", "", ""), ("<p>Jane Doe</p>", "", ""),
      ("<p>5 March 2019: mended by Jane Doe</p>", "", ""), ("<p>Von Haus zu Haus.</p>", "", ""),
      ("<p>Published by Faber &amp; Faber, 5 March 2026</p>", "", ""),
      ("<p>Film released 5 March 2026</p>", "", ""), ("<p>Released: 5 March 2026</p>", "", ""),
      ("<blockquote><p>It was old.</p><p>By Jane Doe</p></blockquote>", "", ""),
      ("<ul><li>The bridge was old.</li><li>By Jane Doe</li></ul>", "", ""),
    ] as [(line: String, name: String, date: String)])
  func `the last line may name the author and the date`(
    _ row: (line: String, name: String, date: String)
  ) throws {
    let html = "<title>The bridge</title><main><h1>The bridge</h1>\(Self.text)\(row.line)</main>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let metadata = try #require(document.readerFacts).metadata
    #expect(metadata.byline == row.name && metadata.date == row.date)
  }
}
