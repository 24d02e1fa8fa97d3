@testable import Pages
import Reader
import Testing

@testable import TerminalUI

/// The outline of a book.
@Suite struct BookOutlineTests {
  private typealias Entry = PartList.Entry

  /// Returns the outline of a book with three parts, each entry as its indentation, title and
  /// target. The fragments `a` and `b` of a part are at 10 and 20.
  private func outline(
    _ entries: [Entry], shown: Int?, headings: [(title: String, offset: UInt32)] = []
  ) -> [String] {
    let parts = ["one", "two", "three"].map {
      PartList.Part(url: DocumentAddress($0), title: "Part \($0)")
    }
    let list = PartList(
      title: "Book", contentsURL: "b", parts: parts, index: shown, entries: entries)
    let outline = BookOutline(
      parts: list, shownPartHeadings: headings.map { ListEntry($0.title, to: .offset($0.offset)) },
      anchorOffset: { ["a": 10, "b": 20][$0] ?? 0 }, detailText: { "\($0)" })
    return outline.entries.map { entry in
      let target =
        switch entry.target {
        case .page(let url): url
        case .offset(let offset): "@\(offset)"
        default: "-"
        }
      return "\(entry.indentation) \(entry.title) \(target)"
    }
  }

  @Test func `chapters that are sections of one file are listed with their levels`() {
    let entries = [
      Entry(title: "A", part: "one", fragment: "a"),
      Entry(title: "B", part: "one", fragment: "b", level: 1),
      Entry(title: "Two", part: "two"), Entry(title: "Three", part: "three"),
    ]
    #expect(
      outline(entries, shown: nil) == ["0 A one#a", "2 B one#b", "0 Two two", "0 Three three"])
    #expect(outline(entries, shown: 0) == ["0 A @10", "2 B @20", "0 Two two", "0 Three three"])
  }

  @Test func `headings that the contents lack are below the entry before them`() {
    let entries = [
      Entry(title: "One", part: "one"), Entry(title: "Two", part: "two"),
      Entry(title: "B", part: "two", fragment: "b"), Entry(title: "Three", part: "three"),
    ]
    let headings: [(title: String, offset: UInt32)] = [
      ("TWO", 2), ("New", 12), ("b.", 20), ("Last", 30),
    ]
    #expect(
      outline(entries, shown: 1, headings: headings) == [
        "0 One one", "0 Two @0", "2 New @12", "0 B @20", "2 Last @30", "0 Three three",
      ])
  }

  @Test func `parts and headings without an entry are listed in reading order`() {
    let entries = [
      Entry(title: "Group", part: nil), Entry(title: "Three", part: "three", level: 1),
    ]
    #expect(
      outline(entries, shown: 2) == [
        "0 Group -", "0 Part one one", "0 Part two two", "2 Three @0",
      ])
    #expect(
      outline(entries, shown: 1, headings: [("H", 5)]) == [
        "0 Group -", "0 Part one one", "0 H @5", "2 Three three",
      ])
    #expect(
      outline([Entry(title: "One", part: "one")], shown: 0) == [
        "0 One @0", "0 Part two two", "0 Part three three",
      ])
  }
}
