@testable import Library
import ReaderMode
import Document
import TestSupport
import Testing

@testable import Pages

@Suite struct PageChangesTests {
  private func document(_ html: String) -> Document { Document(bytes: Array(html.utf8)) }

  /// Returns one line per mark: the number of its change, its kind and text.
  private func lines(_ changes: PageChanges, of page: Document) -> [String] {
    changes.changedParagraphs.map { paragraph in
      let text = String(
        decoding: page.text[Int(paragraph.source.lowerBound)..<Int(paragraph.source.upperBound)],
        as: UTF8.self)
      return "\(paragraph.changeIndex) \(paragraph.kind) \(text)"
    }
  }

  @Test(
    arguments: [
      ("<p>One.<p>Two.", "<p>One.<p>Two.", []),
      (
        "<p>The quick fox runs<p>same", "<p>The slow fox runs<p>same",
        ["0 changed The slow fox runs"]
      ),
      ("<p>same<p>other", "<p>same<p>new<p>other", ["0 inserted new"]),
      ("<p>same<p>gone<p>other", "<p>same<p>other", ["0 gap other"]),
      ("<p>same<p>gone", "<p>same", ["0 gap same"]),
      ("<p>gone<p>same", "<p>same", ["0 gap same"]),
      // An insertion next to a deletion is one change, marked at existing text.
      (
        "<p>same<p>wholly gone<p>other", "<p>same<p>something new<p>other",
        ["0 inserted something new"]
      ),
      (
        "<p>a<p>b<p>c<p>d", "<p>a<p>new<p>b<p>c<p>d<p>newer",
        ["0 inserted new", "1 inserted newer"]
      ),
      (
        "<pre>a = 1\nb = 2\nc = 3</pre>", "<pre>a = 1\nb = 9\nc = 3</pre>", ["0 changed b = 9"]
      ),
      (
        "<table><tr><th>A<th>B<tr><td>one<td>2</table>",
        "<table><tr><th>A<th>B<tr><td>one<td>3</table>", ["0 changed one3"]
      ),
      ("", "<p>all", ["0 inserted all"]), ("<p>all", "", []),
    ] as [(String, String, [String])])
  func `paragraphs that differ are marked`(_ old: String, _ new: String, _ expected: [String])
    throws
  {
    let page = document(new)
    let changes = try #require(PageChanges(from: document(old), to: page))
    #expect(lines(changes, of: page) == expected)
    #expect(changes.starts.count == Set(changes.changedParagraphs.map(\.changeIndex)).count)
  }

  @Test func `a paragraph is found by any offset within it`() throws {
    let page = document("<p>same<p>new words here<p>other")
    let changes = try #require(PageChanges(from: document("<p>same<p>other"), to: page))
    let paragraph = try #require(changes.changedParagraphs.first)
    for source in paragraph.source { #expect(changes.paragraph(at: source) == 0) }
    #expect(changes.paragraph(at: paragraph.source.lowerBound - 1) == nil)
    #expect(changes.paragraph(at: paragraph.source.upperBound) == nil)
    #expect(changes.firstParagraph(endingAfter: paragraph.source.upperBound) == 1)
  }

  @Test func `marks of any two pages are ordered and within the page`() throws {
    var random = SplitMix64(seed: 5)
    let pieces = ["<p>", "<li>", "<pre>", "</pre>", "<table><tr><td>", "a ", "b\n", "é", "<h2>"]
    for _ in 0..<300 {
      let pages = (0..<2).map { _ in
        document(
          (0..<Int(random.next() % 40)).map { _ in pieces[Int(random.next() % 9)] }.joined())
      }
      let changes = try #require(PageChanges(from: pages[0], to: pages[1]))
      var end: UInt32 = 0
      for paragraph in changes.changedParagraphs {
        #expect(paragraph.source.lowerBound >= end)
        #expect(Int(paragraph.source.upperBound) <= pages[1].text.count)
        #expect(paragraph.changeIndex < changes.count)
        end = paragraph.source.upperBound
      }
    }
  }

  @Test func `texts beyond the limit are not compared`() {
    var long = Document()
    long.text = [UInt8](repeating: 0x61, count: PageChanges.maxTextLength)
    #expect(PageChanges(from: long, to: document("<p>a")) == nil)
  }
}
