import Document
import DOM

/// Shows comma-separated values (RFC 4180), or values with another separator, as a table.
struct DelimitedFormatter {
  /// The range of a value in the text, without the quotation marks around it.
  private struct Cell {
    var start: UInt32
    var end: UInt32
    var quoting = Quoting.none

    var isEmpty: Bool { start >= end }
  }

  /// The quotation marks of a value.
  private enum Quoting {
    case none
    /// The value is in quotation marks.
    case around
    /// The value is in quotation marks, and contains doubled ones, or such with a backslash.
    case aroundAndWithin
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  /// The quotation mark around values.
  private let quote: UInt8
  /// Whether quotation marks within values have a backslash, as some databases write them.
  private let usesBackslashes: Bool
  private var cells: [Cell] = []
  /// The index after the last cell of each row.
  private var rowEnds: [Int] = []
  private var columnCount = 0

  /// Maximum number of cells of a table. A larger table is shown as text, which scrolls without
  /// delay at any size.
  private static let maxCells = 400_000
  /// Maximum number of columns of a table. A wider table is shown as text.
  private static let maxColumns = 300

  /// Creates the document of a text: a table, or the text itself if it has only one column or is
  /// too large.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - separator: The separator of values; nil to detect it.
  /// - Returns: The document.
  static func document(of text: [UInt8], separator: UInt8?) -> Document {
    var text = text
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    var start = 0
    var separator = separator
    // A first line that spreadsheets write to declare the separator (`sep=;`).
    if text.starts(with: "sep=".utf8), text.count > 5, text[5] == 0x0A || text[5] == 0x0D {
      separator = text[4]
      start = text[5] == 0x0D && text.count > 6 && text[6] == 0x0A ? 7 : 6
    }
    let quote = DelimitedValues.quotationMark(of: text, from: start)
    var formatter = DelimitedFormatter(
      text, separator ?? Self.separator(of: text, from: start, quote), quote)
    guard formatter.scanCells(from: start), formatter.columnCount > 1 else {
      var document = PlainTextFormatter.document(of: text)
      if formatter.columnCount > 1 {
        document.notice = "this table is too large to draw and is shown as text"
      }
      return document
    }
    return formatter.tableDocument
  }

  private init(_ bytes: [UInt8], _ separator: UInt8, _ quote: UInt8) {
    self.bytes = bytes
    (self.separator, self.quote) = (separator, quote)
    usesBackslashes = DelimitedValues.useBackslashes(bytes, before: quote)
  }

  // MARK: Reading

  /// Finds the cells from an index to the end of the text.
  /// - Returns: Whether the number of cells is small enough for a table.
  private mutating func scanCells(from start: Int) -> Bool {
    var index = start
    var rowStart = 0
    // A separator is followed by a value, even at the end of the text.
    var isExpected = false
    while index < bytes.count || isExpected {
      index = readCell(from: index)
      isExpected = index < bytes.count && bytes[index] == separator
      if isExpected {
        index += 1
      } else {
        endRow(from: rowStart)
        rowStart = cells.count
        if index < bytes.count, bytes[index] == 0x0D { index += 1 }
        if index < bytes.count, bytes[index] == 0x0A { index += 1 }
      }
      guard cells.count <= Self.maxCells, cells.count - rowStart <= Self.maxColumns,
        rowEnds.count * columnCount <= Self.maxCells
      else {
        columnCount = max(columnCount, 2)
        return false
      }
    }
    return true
  }

  /// Ends a row. An empty line is not a row.
  private mutating func endRow(from start: Int) {
    let isEmpty = cells.count == start + 1 && cells[start].start == cells[start].end
    if isEmpty, cells[start].quoting == .none {
      cells.removeLast()
    } else {
      rowEnds.append(cells.count)
      columnCount = max(columnCount, cells.count - start)
    }
  }

  /// Reads a cell.
  /// - Returns: The index after it: that of a separator or line end, or the end of the text.
  private mutating func readCell(from start: Int) -> Int {
    var first = start
    while first < bytes.count, bytes[first] == 0x20, separator != 0x20 { first += 1 }
    if first < bytes.count, bytes[first] == quote, separator != quote,
      let (cell, end) = quotedCell(from: first, isAtCellStart: first == start)
    {
      cells.append(cell)
      return end
    }
    let end = endOfCell(from: start)
    cells.append(Cell(start: UInt32(start), end: UInt32(end)))
    return end
  }

  /// Returns the index of the next separator or line end, or the end of the text.
  private func endOfCell(from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != separator, bytes[index] != 0x0A,
      bytes[index] != 0x0D
    {
      index += 1
    }
    return index
  }

  /// Reads a cell in quotation marks. At most one cell is searched to the end of the text without
  /// success: all quotation marks after it are doubled.
  /// - Parameters:
  ///   - start: The index of the opening quotation mark.
  ///   - isAtCellStart: Whether no spaces are before it. After spaces, a quotation mark may be part
  ///     of a text, so the closing one must be on the same line.
  /// - Returns: The cell and the index after it. If text follows the closing quotation mark, the
  ///   cell is that text together with the quotation marks. Nil if there is no closing one.
  private func quotedCell(from start: Int, isAtCellStart: Bool) -> (Cell, end: Int)? {
    var index = start + 1
    var hasQuotes = false
    while index < bytes.count, isAtCellStart || bytes[index] != 0x0A && bytes[index] != 0x0D {
      guard bytes[index] == quote else {
        let isEscape = usesBackslashes && bytes[index] == UInt8(ascii: "\\")
        hasQuotes = hasQuotes || isEscape
        index += isEscape ? 2 : 1
        continue
      }
      guard index + 1 < bytes.count, bytes[index + 1] == quote else {
        let end = endOfCell(from: index + 1)
        let isWhole = bytes[(index + 1)..<end].allSatisfy(\.isWhiteSpace)
        let cell =
          isWhole
          ? Cell(
            start: UInt32(start + 1), end: UInt32(index),
            quoting: hasQuotes ? .aroundAndWithin : .around)
          : Cell(start: UInt32(start), end: UInt32(end))
        return (cell, end)
      }
      hasQuotes = true
      index += 2
    }
    return nil
  }

  /// Detects the separator: the one with the same number of occurrences on most of the first lines;
  /// a comma if there is none.
  private static func separator(of text: [UInt8], from start: Int, _ quote: UInt8) -> UInt8 {
    let comma = UInt8(ascii: ",")
    let candidates: [UInt8] = [comma, UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
    var counts = Array(repeating: [0], count: candidates.count)
    var isQuoted = false
    var hasSeparatingComma = false
    let end = min(text.count, start + 16_384)
    for position in start..<max(start, end) {
      let byte = text[position]
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A {
        for index in counts.indices { counts[index].append(0) }
      } else if let index = candidates.firstIndex(of: byte) {
        counts[index][counts[index].count - 1] += 1
        if byte == comma, !hasSeparatingComma {
          hasSeparatingComma = !mayBePunctuation(text, at: position)
        }
      }
    }
    // The last line may be incomplete.
    if counts[0].count > 1 { counts = counts.map { Array($0.dropLast()) } }
    if !hasSeparatingComma, counts.dropFirst().contains(where: { isBeside(counts[0], $0) }) {
      counts[0] = counts[0].map { _ in 0 }
    }
    let scores = counts.map { lines in
      (lines.count { $0 == lines.first && $0 > 0 }, lines.reduce(0, +))
    }
    let best = scores.indices.max { (scores[$0].0, scores[$0].1) < (scores[$1].0, scores[$1].1) }
    guard let best, scores[best].1 > 0 else { return comma }
    return scores.indices.first { scores[$0] == scores[best] }.map { candidates[$0] } ?? comma
  }

  /// Returns whether a comma may be part of a value, because a space follows it or digits surround
  /// it: `April 15, 2023` or `1,50`.
  private static func mayBePunctuation(_ text: [UInt8], at index: Int) -> Bool {
    guard index + 1 < text.count else { return false }
    return text[index + 1] == 0x20
      || text[index + 1].isDigit && index > 0 && text[index - 1].isDigit
  }

  /// Whether a character that occurs `others` times on each line is on several lines, and on every
  /// line with commas.
  private static func isBeside(_ commas: [Int], _ others: [Int]) -> Bool {
    others.count { $0 > 0 } > 1 && zip(commas, others).allSatisfy { $0 == 0 || $1 > 0 }
  }

  // MARK: Writing

  private var tableDocument: Document {
    var writer = DocumentWriter(capacity: bytes.count)
    writer.keepsWhiteSpace = false
    // Rows with a single value are lines above the table, such as a title or a comment.
    let firstRow = zip(rowEnds, 1...).prefix { $0 == $1 }.count
    for cell in cells[..<firstRow] { write(cell, to: &writer) }
    let hasHeader = hasHeader(in: firstRow)
    let alignments = alignments(from: hasHeader ? firstRow + 1 : firstRow)
    writer.begin(.table)
    var first = firstRow
    for (row, end) in rowEnds.enumerated().dropFirst(firstRow) {
      let isHeader = row == firstRow && hasHeader
      writer.begin(.row(isHeader: isHeader))
      for (column, cell) in cells[first..<end].enumerated() {
        writer.begin(
          .cell(isHeader: isHeader, columns: 1, rows: 1, alignment: alignments[column]))
        write(cell, to: &writer)
        writer.end()
      }
      writer.end()
      first = end
    }
    writer.end()
    return writer.document
  }

  private func write(_ cell: Cell, to writer: inout DocumentWriter) {
    var range = Int(cell.start)..<Int(cell.end)
    while let first = range.first, bytes[first].isWhiteSpace { range = range.dropFirst() }
    if cell.quoting == .aroundAndWithin {
      var text: [UInt8] = []
      var index = range.lowerBound
      while index < range.upperBound {
        let isPair =
          index + 1 < range.upperBound && bytes[index + 1] == quote
          && (bytes[index] == quote
            || usesBackslashes && bytes[index] == UInt8(ascii: "\\"))
        text.append(bytes[isPair ? index + 1 : index])
        index += isPair ? 2 : 1
      }
      writer.writeLinkingURLs(text, 0..<text.count)
    } else {
      writer.writeLinkingURLs(bytes, range)
    }
    writer.endLeaf(.paragraph)
  }

  /// Returns the cells of a row.
  private func row(_ index: Int) -> ArraySlice<Cell> {
    cells[(index == 0 ? 0 : rowEnds[index - 1])..<rowEnds[index]]
  }

  /// Returns whether a row contains column names: it has several cells, which are texts, or texts
  /// followed by successive years, unlike the values below. The column of row names needs no name,
  /// and neither does a column without values at the end.
  private func hasHeader(in firstRow: Int) -> Bool {
    guard firstRow + 1 < rowEnds.count, case var names = row(firstRow), names.count > 1 else {
      return false
    }
    while let last = names.last, last.isEmpty, isEmptyColumn(names.count - 1) { names.removeLast() }
    let hasRowNames = names.first?.isEmpty == true && row(firstRow + 1).first?.isEmpty == false
    if hasRowNames { names.removeFirst() }
    let texts = names.prefix { !isNumber($0) }
    let years = names[texts.endIndex...]
    let below = row(firstRow + 1).dropFirst(years.startIndex - row(firstRow).startIndex)
    return texts.allSatisfy { !$0.isEmpty } && (hasRowNames || !texts.isEmpty) && !names.isEmpty
      && (years.isEmpty || areYears(years) && !areYears(below.prefix(years.count)))
  }

  private func isEmptyColumn(_ column: Int) -> Bool {
    rowEnds.indices.allSatisfy { row($0).dropFirst(column).first?.isEmpty != false }
  }

  /// Returns whether several cells are successive years.
  private func areYears(_ cells: ArraySlice<Cell>) -> Bool {
    let years = cells.map { cell in
      Int(String(decoding: bytes[Int(cell.start)..<Int(cell.end)], as: UTF8.self))
    }
    guard years.count > 1, let first = years[0], 1000...2999 ~= first else { return false }
    return years.enumerated().allSatisfy { $1 == first + $0 }
  }

  /// Returns the alignment of each column: right for columns of numbers. `firstRow` is the first
  /// one with values.
  private func alignments(from firstRow: Int) -> [Document.Alignment] {
    var numbers = Array(repeating: 0, count: columnCount)
    var texts = Array(repeating: 0, count: columnCount)
    for index in rowEnds.indices.dropFirst(firstRow) {
      for (column, cell) in row(index).enumerated() where !cell.isEmpty {
        if isNumber(cell) { numbers[column] += 1 } else { texts[column] += 1 }
      }
    }
    return (0..<columnCount).map { numbers[$0] > 0 && texts[$0] == 0 ? .right : .unset }
  }

  private func isNumber(_ cell: Cell) -> Bool {
    let text = bytes[Int(cell.start)..<Int(cell.end)]
    guard text.count < 40, text.contains(where: \.isDigit) else { return false }
    return text.allSatisfy { $0.isDigit || " -+.,%eE".utf8.contains($0) }
  }
}
