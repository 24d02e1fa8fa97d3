/// Writes lines that keep their columns: code in a monospaced font, tables, and tables of contents.
struct PDFLayoutText {
  /// Returns the character width in points if the line is set in a monospaced font; nil otherwise.
  /// If `adjacentWidth`, the character width of adjacent code, is given, a short line is recognized
  /// if its character width is about the same.
  static func characterWidth(of line: PDFLine, near adjacentWidth: Double? = nil) -> Double? {
    guard let pitch = uniformCharacterWidth(of: line) else { return nil }
    if let adjacentWidth {
      return abs(pitch - adjacentWidth) < adjacentWidth * 0.03 ? adjacentWidth : nil
    }
    let counts = line.words.map { $0.text.unicodeScalars.count }
    // A few letters of a proportional font can have equal widths by chance.
    let isSure = line.words.count >= 3 && counts.reduce(0, +) >= 8 && Set(counts).count > 1
    return isSure ? pitch : nil
  }

  /// Returns the character width in points if all words of a line have the same, also in a short
  /// line; nil otherwise.
  static func uniformCharacterWidth(of line: PDFLine) -> Double? {
    let counts = line.words.map { $0.text.unicodeScalars.count }
    let total = counts.reduce(0, +)
    let width = line.words.reduce(0) { $0 + $1.box.width }
    guard total > 0, width > 0 else { return nil }
    let pitch = width / Double(total)
    let isEven = zip(line.words, counts).allSatisfy { word, count in
      abs(word.box.width / Double(count) - pitch) < pitch * 0.03
    }
    guard isEven else { return nil }
    for (index, word) in line.words.enumerated().dropFirst() {
      let cells = (word.box.left - line.words[index - 1].box.right) / pitch
      guard cells > 0.7, abs(cells - cells.rounded()) < 0.2 else { return nil }
    }
    return pitch
  }

  /// Returns lines as text whose columns are aligned with spaces.
  /// - Parameters:
  ///   - lines: At least one.
  ///   - characterWidth: The character width of a monospaced font; nil for a proportional one.
  /// - Returns: The text, with gaps filled by spaces.
  static func alignedText(of lines: [PDFLine], characterWidth: Double?) -> String {
    let left = lines.map(\.box.left).min() ?? 0
    let cellWidth = characterWidth ?? averageWidth(of: lines)
    let maxFontSize = lines.map(\.wordHeight).max() ?? 1
    let lineDistances = zip(lines.dropFirst(), lines).map { $0.box.centerY - $1.box.centerY }
      .sorted()
    let lineDistance =
      lineDistances.isEmpty
      ? maxFontSize : max(maxFontSize * 0.8, lineDistances[lineDistances.count / 3])
    var text = ""
    for (index, line) in lines.enumerated() {
      if index > 0 {
        let hasGapAbove = line.box.centerY - lines[index - 1].box.centerY > lineDistance * 1.6
        text += hasGapAbove ? "\n\n" : "\n"
      }
      var column = 0
      for (number, word) in line.words.enumerated() {
        let wordColumn = min(maxColumns, Int(((word.box.left - left) / cellWidth).rounded()))
        let gap = number == 0 ? 0 : word.box.left - line.words[number - 1].box.right
        let minSpaceCount =
          number == 0 ? 0 : gap < line.wordHeight * 0.09 ? 0 : gap > maxFontSize * 1.2 ? 2 : 1
        // Words of the same cell are separated by one space.
        let isSeparateCell = characterWidth != nil || gap > maxFontSize * 0.8 || number == 0
        let spaces = isSeparateCell ? max(minSpaceCount, wordColumn - column) : minSpaceCount
        text += String(repeating: " ", count: spaces) + word.text
        column += spaces + word.text.count
      }
    }
    return characterWidth == nil ? narrowed(text) : text
  }

  /// Returns a table with less space between its columns if that makes it fit into a terminal.
  /// Only columns of spaces that all lines share are removed.
  private static func narrowed(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
    let width = lines.map(\.count).max() ?? 0
    guard width > maxUnnarrowedWidth else { return text }
    var isBlank = [Bool](repeating: true, count: width)
    for line in lines {
      for (column, character) in line.enumerated() where character != " " {
        isBlank[column] = false
      }
    }
    var keptColumns: [Int] = []
    for gap in stride(from: maxNarrowedGap, through: minNarrowedGap, by: -1) {
      var run = 0
      keptColumns = isBlank.indices.filter { column in
        run = isBlank[column] ? run + 1 : 0
        return run <= gap
      }
      if keptColumns.count <= maxUnnarrowedWidth { break }
    }
    return lines.map { line in
      String(keptColumns.prefix { $0 < line.count }.map { line[$0] })
    }.joined(separator: "\n")
  }

  /// The width of a table that is not narrowed, in columns.
  private static let maxUnnarrowedWidth = 80
  /// The maximum number of spaces that remain in a narrowed gap.
  private static let maxNarrowedGap = 12
  /// The minimum number of spaces that remain in a narrowed gap.
  private static let minNarrowedGap = 2

  /// Returns the lines of a table of contents, indented by level.
  static func entries(_ lines: ArraySlice<PDFLine>) -> String {
    let left = lines.map(\.box.left).min() ?? 0
    return lines.map { line in
      let level = min(8, Int((line.box.left - left) / line.wordHeight))
      return String(repeating: "\u{2003}", count: level)
        + line.words.map(\.text).joined(separator: " ")
    }.joined(separator: "\n")
  }

  private static let maxColumns = 400

  private static func averageWidth(of lines: [PDFLine]) -> Double {
    var (width, count) = (0.0, 0)
    for line in lines {
      for word in line.words {
        width += word.box.width
        count += word.text.count
      }
    }
    return max(1, width / Double(max(1, count)))
  }
}
