import Pages
import Document
import Reader

/// The outline of a book: its table of contents, with the parts and headings that it does not list.
struct BookOutline {
  /// The parts of the book.
  let parts: PartList
  /// The headings of the part on the screen.
  let shownPartHeadings: [ListEntry]
  /// Returns the offset of a fragment in the part on the screen.
  let anchorOffset: (_ fragment: String) -> UInt32
  /// Returns the text at the right end of an entry with an offset.
  let detailText: (_ offset: UInt32) -> String

  /// The entries. Those of the part on the screen have offsets as targets.
  var entries: [ListEntry] {
    let indices = Dictionary(
      parts.parts.enumerated().map { ($1.url, $0) }, uniquingKeysWith: { first, _ in first })
    let listed = Set(parts.entries.compactMap(\.part))
    var rows: [ListEntry] = []
    var next = 0
    for entry in parts.entries {
      let index = entry.part.flatMap { indices[$0] }
      while let index, next < index {
        if !listed.contains(parts.parts[next].url) { rows += unlistedPartEntries(next) }
        next += 1
      }
      rows.append(row(of: entry, isShown: index != nil && index == parts.index))
    }
    for index in next..<max(next, parts.parts.count)
    where !listed.contains(parts.parts[index].url) {
      rows += unlistedPartEntries(index)
    }
    guard let index = parts.index, listed.contains(parts.parts[index].url) else { return rows }
    return addingHeadings(to: rows)
  }

  /// Returns the rows of a part that the table of contents leaves out.
  private func unlistedPartEntries(_ index: Int) -> [ListEntry] {
    if index == parts.index, !shownPartHeadings.isEmpty { return shownPartHeadings }
    let part = parts.parts[index]
    return [ListEntry(SafeText.line(part.title), to: .page(part.url.text))]
  }

  private func row(of entry: PartList.Entry, isShown: Bool) -> ListEntry {
    var row = ListEntry(
      SafeText.line(entry.title), to: entry.url.map { .page($0.text) } ?? .nowhere)
    row.indentation = entry.level * 2
    if isShown {
      let offset = anchorOffset(entry.fragment)
      row.target = .offset(offset)
      row.details[.extraText] = detailText(offset)
    }
    return row
  }

  /// Adds the headings to the entries of their part, by their offsets. Headings at the same offset
  /// as an entry, or with the same text, are left out.
  private func addingHeadings(to rows: [ListEntry]) -> [ListEntry] {
    let shown = rows.filter { $0.targetOffset != nil }
    let (titles, offsets) = (Set(shown.map(\.filterText)), Set(shown.compactMap(\.targetOffset)))
    let unnamed = shownPartHeadings.filter { heading in
      !titles.contains(heading.filterText) && !offsets.contains(heading.targetOffset ?? 0)
    }
    var rest = unnamed[...]
    var result: [ListEntry] = []
    for (index, row) in rows.enumerated() {
      result.append(row)
      guard row.targetOffset != nil else { continue }
      // Headings before the first entry follow it, like those after it.
      let following = rows[(index + 1)...].lazy.compactMap(\.targetOffset).first ?? .max
      let own = rest.prefix { ($0.targetOffset ?? 0) < following }
      rest = rest.dropFirst(own.count)
      result += own.map { heading in
        var heading = heading
        heading.indentation = row.indentation + max(2, heading.indentation)
        return heading
      }
    }
    return result
  }
}

extension ListEntry {
  /// The offset that the entry leads to; nil if it has another target.
  fileprivate var targetOffset: UInt32? {
    if case .offset(let offset) = target { offset } else { nil }
  }
}
