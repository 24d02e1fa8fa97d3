import Document
import Reader

extension Browser {
  /// Returns the table of contents of a book, with the parts and headings that it does not name.
  /// - Parameters:
  ///   - parts: The parts of the book.
  ///   - headings: The headings of the part on the screen.
  /// - Returns: The entries. Those of the part on the screen have offsets as targets.
  func contentsEntries(of parts: PartList, headings: [ListEntry]) -> [ListEntry] {
    let indices = Dictionary(
      parts.parts.enumerated().map { ($1.url, $0) }, uniquingKeysWith: { first, _ in first })
    let listed = Set(parts.entries.map(\.part))
    var rows: [ListEntry] = []
    var next = 0
    // Adds the parts up to `end` that the table of contents leaves out.
    func addUnlisted(before end: Int) {
      while next < end {
        let (part, isShown) = (parts.parts[next], next == parts.index)
        next += 1
        guard !listed.contains(part.url) else { continue }
        if isShown, !headings.isEmpty {
          rows += headings
        } else {
          rows.append(ListEntry(SafeText.line(part.title), to: .page(part.url)))
        }
      }
    }
    for entry in parts.entries {
      let index = indices[entry.part]
      if let index { addUnlisted(before: index) }
      rows.append(row(of: entry, isShown: index != nil && index == parts.index))
    }
    addUnlisted(before: parts.parts.count)
    guard let index = parts.index, listed.contains(parts.parts[index].url) else { return rows }
    return Self.adding(headings, to: rows)
  }

  private func row(of entry: PartList.Entry, isShown: Bool) -> ListEntry {
    var target = entry.part.isEmpty ? ListEntry.Target.nowhere : .page(entry.url)
    var note = ""
    if isShown, let view {
      let offset = Self.anchor(entry.fragment, in: view.page.document) ?? 0
      target = .offset(offset)
      note = "\(view.percent(of: view.line(of: offset), height: bodyHeight))%"
    }
    var row = ListEntry(SafeText.line(entry.title), to: target)
    row.indent = entry.level * 2
    if !note.isEmpty { row.details[.note] = note }
    return row
  }

  /// Adds headings to the entries of their part, by their offsets. Headings at the same offset as
  /// an entry, or with the same text, are left out.
  private static func adding(_ headings: [ListEntry], to rows: [ListEntry]) -> [ListEntry] {
    let shown = rows.filter { $0.offset != nil }
    let (titles, offsets) = (Set(shown.map(\.filterText)), Set(shown.compactMap(\.offset)))
    var rest = headings.filter { heading in
      !titles.contains(heading.filterText) && !offsets.contains(heading.offset ?? 0)
    }[...]
    var result: [ListEntry] = []
    for (index, row) in rows.enumerated() {
      result.append(row)
      guard row.offset != nil else { continue }
      // Headings before the first entry follow it, like those after it.
      let following = rows[(index + 1)...].lazy.compactMap(\.offset).first ?? .max
      let own = rest.prefix { ($0.offset ?? 0) < following }
      rest = rest.dropFirst(own.count)
      result += own.map { heading in
        var heading = heading
        heading.indent = row.indent + max(2, heading.indent)
        return heading
      }
    }
    return result
  }
}

extension ListEntry {
  /// The offset that the entry leads to; nil if it has another target.
  fileprivate var offset: UInt32? {
    if case .offset(let offset) = target { offset } else { nil }
  }
}
