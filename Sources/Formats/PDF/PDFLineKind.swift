/// The role of a line in a column of a PDF page, which determines its layout in the output.
enum PDFLineKind: Equatable {
  case text
  /// Code, in a monospaced font with this character width in points.
  case code(Double)
  /// A table row, whose cells are aligned with those of neighbouring rows.
  case row
  /// A line of a table of contents.
  case contentsEntry
  /// A line of a displayed formula with vertically stacked parts.
  case formula
  /// A line whose break is kept; see `PDFUnfilledLines`.
  case unfilled

  /// Returns whether a line of this kind continues a block that begins with a line of another kind.
  func continues(in firstKind: PDFLineKind) -> Bool {
    switch (firstKind, self) {
    case (.code(let one), .code(let other)): abs(one - other) < one * 0.03
    case (.row, .row), (.contentsEntry, .contentsEntry), (.formula, .formula),
      (.unfilled, .unfilled):
      true
    default: false
    }
  }

  /// Returns the kinds of lines, given from top to bottom. Each line is compared with a few
  /// neighbours.
  static func kinds(of lines: [PDFLine]) -> [PDFLineKind] {
    var kinds = lines.map { line -> PDFLineKind in
      if line.isContentsEntry { return .contentsEntry }
      return PDFLayoutText.characterWidth(of: line).map { .code($0) } ?? .text
    }
    markShortCode(lines, &kinds)
    spreadCode(lines, &kinds)
    PDFTableRowFinder.mark(in: lines, &kinds)
    return kinds
  }

  /// Marks adjacent lines as code that are too short to be recognized alone, if all their words
  /// have the same character width.
  private static func markShortCode(_ lines: [PDFLine], _ kinds: inout [PDFLineKind]) {
    var start = 0
    while start < lines.count {
      guard kinds[start] == .text, let pitch = PDFLayoutText.uniformCharacterWidth(of: lines[start])
      else {
        start += 1
        continue
      }
      var (end, counts) = (start + 1, lines[start].words.map { $0.text.unicodeScalars.count })
      while end < lines.count, kinds[end] == .text,
        lines[end].box.centerY - lines[end - 1].box.centerY < lines[end].wordHeight * 1.6,
        let next = PDFLayoutText.uniformCharacterWidth(of: lines[end]),
        abs(next - pitch) < pitch * 0.03
      {
        counts += lines[end].words.map { $0.text.unicodeScalars.count }
        end += 1
      }
      if end - start > 1, counts.count >= 3, counts.reduce(0, +) >= 12, Set(counts).count > 1 {
        for index in start..<end { kinds[index] = .code(pitch) }
      }
      start = end
    }
  }

  /// Marks short lines next to lines of code as code, and a single line of code within a paragraph
  /// as text.
  private static func spreadCode(_ lines: [PDFLine], _ kinds: inout [PDFLineKind]) {
    func spread(from index: Int, to next: Int) {
      guard case .code(let pitch) = kinds[index], kinds[next] == .text,
        abs(lines[index].box.centerY - lines[next].box.centerY) < lines[index].wordHeight * 2.6,
        PDFLayoutText.characterWidth(of: lines[next], near: pitch) != nil
      else { return }
      kinds[next] = .code(pitch)
    }
    for index in lines.indices.dropLast() { spread(from: index, to: index + 1) }
    for index in lines.indices.dropFirst().reversed() { spread(from: index, to: index - 1) }
    for index in lines.indices {
      guard case .code = kinds[index] else { continue }
      func isBeside(_ other: Int) -> Bool {
        lines.indices.contains(other) && kinds[other] == .text
          && abs(lines[other].box.centerY - lines[index].box.centerY) < lines[index].wordHeight
            * 1.6
      }
      func isCode(_ other: Int) -> Bool {
        guard lines.indices.contains(other), case .code = kinds[other] else { return false }
        return true
      }
      if !isCode(index - 1), !isCode(index + 1), isBeside(index - 1) || isBeside(index + 1) {
        kinds[index] = .text
      }
    }
  }
}
