import Document
import ReaderMode
import TestSupport
import Testing

@testable import Layout

/// The positions at which the text of a document is shown.
@Suite struct PageSourcesTests {
  private static func layouts(
    _ document: Document, widths: [Int] = [20, 37, 60, 100]
  ) -> [(plain: PageLayout, recorded: PageLayout)] {
    widths.flatMap { width in
      [LayoutOptions.BidiOrdering.off, .app].map { bidi in
        var options = LayoutOptions(width: width)
        (options.bidiOrdering, options.foldsDetails, options.isCentered) = (
          bidi, true, width == 100
        )
        options.textWidth = min(72, width)
        let plain = PageLayout(document, options: options)
        options.recordsSources = true
        return (plain, PageLayout(document, options: options))
      }
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `recorded parts have the text of the document, and change nothing else`(
    _ fixture: GoldenCase
  ) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    for (plain, recorded) in Self.layouts(document) {
      var rest = recorded
      (rest.sourceSpans, rest.documentText) = ([], [])
      #expect(plain == rest)
      var end: UInt32 = 0
      for index in recorded.lines.indices {
        for span in recorded.sourceSpans(ofLine: index) {
          #expect(span.start >= end && span.start < span.end)
          #expect(span.end <= recorded.lines[index].end)
          end = span.end
          guard Int(span.sourceRange.upperBound) <= document.text.count else {
            Issue.record("\(span) is beyond the text")
            continue
          }
          if span.replacedLength != nil { continue }
          let shown = recorded.text[Int(span.start)..<Int(span.end)]
          let own = document.text[
            Int(span.sourceRange.lowerBound)..<Int(span.sourceRange.upperBound)]
          // A space is shown for a no-break space.
          #expect(shown.elementsEqual(own) || Array(shown) == [0x20])
        }
      }
    }
  }

  private static let html = """
    <p>One day it rained, and the ship came home with strange things that nobody knew.</p>
    <table><tr><th>Name<th>Notes<tr><td>First thing<td>A long note that is wrapped in its cell
    <tr><td rowspan=2>Both rows<td>x<tr><td>y z</table>
    <p>東京は日本の首都です。人口が多い。東京は日本の首都です。</p><p>שלום עולם. זה טוב מאוד היום.</p>
    """

  @Test func `every word is found on a line that shows it`() {
    let document = Document(bytes: Array(Self.html.utf8), mediaType: "text/html")
    for (_, layout) in Self.layouts(document, widths: [40, 60, 100]) {
      let words = DocumentWords(document)
      var offset: UInt32 = 0
      while let word = words.word(endingAfter: offset) {
        let line = layout.line(showing: word.lowerBound)
        let bytes = layout.bytes(ofLine: line, showing: word)
        #expect(!bytes.isEmpty, "\(word) at \(layout.width) columns")
        if let first = bytes.first {
          #expect(layout.text[first.lowerBound] == document.text[Int(word.lowerBound)])
        }
        offset = word.upperBound
      }
    }
  }

  @Test func `a passage over two cells leaves out the border between them`() throws {
    let html = "<table><tr><th>Ab<th>Cd<tr><td>e<td>f</table>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 40)
    options.recordsSources = true
    let layout = PageLayout(document, options: options)
    let line = layout.line(showing: 1)
    #expect(layout.line(showing: 2) == line)
    let parts = layout.bytes(ofLine: line, showing: 1..<3)
    #expect(parts.map { String(decoding: layout.text[$0], as: UTF8.self) } == ["b", "C"])
    #expect(layout.bytes(ofLine: line, showing: 4..<6).isEmpty)
  }

  @Test func `a passage includes the delimiters and superscripts inside it`() {
    let html = "<p>a <del>b</del> x<sup>2</sup> c</p>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 40)
    options.recordsSources = true
    let layout = PageLayout(document, options: options)
    let all = layout.bytes(ofLine: 0, showing: 0..<UInt32(document.text.count))
    #expect(all.map { String(decoding: layout.text[$0], as: UTF8.self) } == ["a ~~b~~ x² c"])
  }

  @Test func `a part of the lines is copied without what is before and after it`() throws {
    let html = "<ul><li>One day it rained, and then the ship came home</ul><pre>if x\n  y\n</pre>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 24)
    options.recordsSources = true
    let layout = PageLayout(document, options: options)
    func copied(_ passage: Range<UInt32>) throws -> String {
      let lines = (
        first: layout.line(showing: passage.lowerBound),
        last: layout.line(showing: passage.upperBound - 1)
      )
      let start = try #require(layout.bytes(ofLine: lines.first, showing: passage).first)
      let end = try #require(layout.bytes(ofLine: lines.last, showing: passage).last)
      return layout.text(
        ofLines: lines.first...lines.last, within: start.lowerBound..<end.upperBound)
    }
    #expect(try copied(4..<26) == "day it rained, and the")
    #expect(try copied(0..<7) == "• One day")
  }
}
