import Document
import Layout
import ReaderMode
import Testing

@testable import TerminalUI

/// Finding several terms at once.
@Suite struct FindTermsTests {
  @Test func `several terms are found separately, from top to bottom`() {
    let page = Document(bytes: Array("<p>one two one</p><p>twofold and one</p>".utf8))
    let layout = PageLayout(page, options: LayoutOptions(width: 40))
    let find = PageMatches("one\ntwo", in: layout)
    #expect(find.occurrenceCount == 5)
    #expect(find.matches.map(\.occurrenceNumber) == [0, 1, 2, 3, 4])
    let texts = find.matches.map { String(decoding: layout.text[$0.byteRange], as: UTF8.self) }
    #expect(texts == ["one", "two", "one", "two", "one"])
    #expect(PageMatches("one", in: layout).occurrenceCount == 3)
    let overlapping = PageMatches("two\ntwofold", in: layout)
    #expect(overlapping.occurrenceCount == 2)
  }
}
