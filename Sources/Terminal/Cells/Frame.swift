import DOM
package import Layout

/// The content of the screen: a grid of cells and the position of the cursor.
///
/// Cells are the last safeguard before the terminal: whatever text is put into a frame, no cell
/// contains a control character (C0, DEL, C1), a line separator or an invisible character.
package struct Frame: Sendable, Equatable {
  /// The number of rows and columns.
  package let size: Size
  /// The widths of characters.
  package let widths: DisplayWidth
  /// The component that reorders bidirectional text.
  package let bidi: LayoutOptions.BidiOrdering
  /// All cells, row by row.
  package private(set) var cells: [Cell]
  /// The position of the cursor, always within the frame.
  package private(set) var cursor = Position(row: 0, column: 0)
  /// Whether the cursor is visible, as in prompts and in linear mode. Even an invisible cursor is
  /// on the focused item, for screen readers.
  package var isCursorVisible = false
  /// The images drawn over the cells.
  package private(set) var graphics: [Graphic] = []

  /// The content of one column of a row.
  package struct Cell: Sendable, Equatable {
    /// One grapheme cluster; empty in all columns of a wide cluster but the first.
    package fileprivate(set) var text: String
    /// The width in columns; 0 in all columns of a wide cluster but the first.
    package fileprivate(set) var width: UInt8
    package fileprivate(set) var style: CellStyle

    static func blank(_ style: CellStyle) -> Cell { Cell(text: " ", width: 1, style: style) }
  }

  /// A position on the screen, counted from 0.
  package struct Position: Sendable, Equatable {
    package var row: Int, column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// Creates a blank frame of at least 1×1.
  package init(
    size: Size, widths: DisplayWidth = DisplayWidth(), bidi: LayoutOptions.BidiOrdering = .off
  ) {
    self.bidi = bidi
    self.widths = widths
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    cells = Array(repeating: .blank(CellStyle()), count: self.size.columns * self.size.rows)
  }

  /// Returns the cell at a position, which must be within the frame.
  package subscript(row: Int, column: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// Moves the cursor to a position, or to the nearest one within the frame.
  package mutating func moveCursor(row: Int, column: Int) {
    cursor = Position(
      row: min(max(0, row), size.rows - 1), column: min(max(0, column), size.columns - 1))
  }

  /// Fills a row with blanks of the given style.
  package mutating func clear(row: Int, style: CellStyle) {
    guard (0..<size.rows).contains(row) else { return }
    for column in 0..<size.columns { cells[row * size.columns + column] = .blank(style) }
  }

  /// Fills some columns of a row with blanks of the given style.
  package mutating func clear(row: Int, columns: Range<Int>, style: CellStyle) {
    guard (0..<size.rows).contains(row) else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      blankWideCharacter(row * size.columns + column)
      cells[row * size.columns + column] = .blank(style)
    }
  }

  /// Writes text from a column on, clipped at the end of the row or at `endColumn`. Text that
  /// contains right-to-left letters is reordered.
  /// - Returns: The column after the text.
  @discardableResult
  package mutating func put(
    _ text: String, row: Int, column: Int, style: CellStyle, endColumn: Int = .max
  ) -> Int {
    if bidi != .off, text.utf8.contains(where: { $0 >= 0xD6 }), Array(text.utf8).hasRightToLeft {
      return put(rightToLeft: text, row: row, column: column, style: style, endColumn: endColumn)
    }
    var column = column
    widths.forEachCluster(in: CharacterRole.sanitizedForTerminal(text)) { cluster, width in
      put(
        cluster: cluster, width: width, row: row, column: &column, endColumn: endColumn,
        style: style)
    }
    return column
  }

  /// Writes text wrapped into the given rows; text that does not fit is dropped.
  package mutating func put(
    wrapped text: String, rows: Range<Int>, columns: Range<Int>, style: CellStyle
  ) {
    let lines = widths.wrapped(text, to: max(1, columns.count))
    for (row, line) in zip(rows, lines) {
      put(line, row: row, column: columns.lowerBound, style: style, endColumn: columns.upperBound)
    }
  }

  /// Returns the bytes of a text in which each isolate is terminated.
  private static func withMatchedIsolates(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var depth = 0
    for part in text.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: \.value.isIsolateControl)
    {
      bytes += CharacterRole.sanitizedForTerminal(String(part)).utf8
      guard part.endIndex < text.endIndex else { continue }
      let isolate = text.unicodeScalars[part.endIndex]
      // An unmatched PDI would terminate the isolate around the whole text.
      guard isolate.value != 0x2069 || depth > 0 else { continue }
      depth += isolate.value == 0x2069 ? -1 : 1
      bytes += String(isolate).utf8
    }
    return bytes + String(repeating: "\u{2069}", count: depth).utf8
  }

  /// Writes text that contains right-to-left letters. Its only invisible characters may be isolates
  /// (`SafeText.bidiIsolated`).
  private mutating func put(
    rightToLeft text: String, row: Int, column: Int, style: CellStyle, endColumn: Int
  ) -> Int {
    var bytes = Self.withMatchedIsolates(text)
    var end = column
    if bidi == .terminal {
      bytes = Array("\u{2068}".utf8) + bytes + Array("\u{2069}".utf8)
      widths.forEachCluster(in: bytes, 0..<bytes.count) { range, width in
        let cluster = String(decoding: bytes[range], as: UTF8.self)
        if width == 0, appendIsolate(cluster, row: row, column: end) { return }
        put(
          cluster: cluster, width: width, row: row, column: &end, endColumn: endColumn, style: style
        )
      }
      return end
    }
    for cluster in VisualLine(bytes, widths: widths).clusters {
      let shownText =
        cluster.replacementText ?? String(decoding: bytes[cluster.textRange], as: UTF8.self)
      if cluster.width == 0, shownText.unicodeScalars.first?.value.isIsolateControl ?? true {
        continue
      }
      end = column + cluster.column
      put(
        cluster: shownText, width: cluster.width, row: row, column: &end, endColumn: endColumn,
        style: style)
    }
    return end
  }

  /// Writes one cluster and advances the column. A cluster outside the frame or the limit is
  /// dropped, and a wide character that is cut by the limit is replaced by blanks.
  package mutating func put(
    cluster: String, width: Int, row: Int, column: inout Int, endColumn: Int, style: CellStyle
  ) {
    let endColumn = min(endColumn, size.columns)
    guard (0..<size.rows).contains(row), column >= 0, column < endColumn else {
      column += width
      return
    }
    let index = row * size.columns + column
    if width == 0 {
      // A lone combining mark joins the preceding cluster.
      if column > 0, cells[index - 1].width == 1, cells[index - 1].text.utf8.count < 32 {
        cells[index - 1].text += Self.sanitized(cluster)
      }
      return
    }
    let end = min(index + width, row * size.columns + endColumn)
    for covered in index..<end { blankWideCharacter(covered) }
    if index + width > end {
      for cell in index..<end { cells[cell] = .blank(style) }
    } else {
      cells[index] = Cell(
        text: Self.sanitized(cluster), width: UInt8(min(width, 255)), style: style)
      for cell in index + 1..<max(index + 1, end) {
        cells[cell] = Cell(text: "", width: 0, style: style)
      }
    }
    column += width
  }

  /// Appends an isolate control of the layout (UAX 9) to the cluster before a column. Such controls
  /// never come from a page, because they are removed when the document is built.
  /// - Returns: Whether `text` is an isolate control.
  package mutating func appendIsolate(_ text: String, row: Int, column: Int) -> Bool {
    guard let scalar = text.unicodeScalars.first, (0x2066...0x2069).contains(scalar.value) else {
      return false
    }
    guard (0..<size.rows).contains(row), (1...size.columns).contains(column) else { return true }
    var index = row * size.columns + column - 1
    while index > row * size.columns, cells[index].width == 0 { index -= 1 }
    cells[index].text.unicodeScalars.append(scalar)
    return true
  }

  /// Draws an image over blank cells. It is not shown if any of its cells is not blank when the
  /// screen is presented.
  package mutating func put(_ graphic: Graphic) {
    graphics.append(graphic)
  }

  /// The images that can be shown: all of their cells are on the screen and blank.
  var visibleGraphics: [Graphic] {
    graphics.filter { graphic in
      graphic.visibleRows.lowerBound >= 0 && graphic.visibleRows.upperBound <= size.rows
        && !graphic.visibleRows.isEmpty
        && graphic.columns.lowerBound >= 0 && graphic.columns.upperBound <= size.columns
        && graphic.visibleRows.allSatisfy { row in
          graphic.columns.allSatisfy { cells[row * size.columns + $0].text == " " }
        }
    }
  }

  /// Replaces the wide character that includes a cell by blanks.
  private mutating func blankWideCharacter(_ index: Int) {
    var head = index
    while head > 0, cells[head].width == 0 { head -= 1 }
    for cell in head..<head + max(1, Int(cells[head].width)) where cell < cells.count {
      cells[cell] = .blank(cells[cell].style)
    }
  }

  /// Returns the cluster with each character that is not safe replaced by U+FFFD.
  private static func sanitized(_ cluster: String) -> String {
    if cluster.unicodeScalars.allSatisfy({ isSafe($0) }) { return cluster }
    return String(
      String.UnicodeScalarView(cluster.unicodeScalars.map { isSafe($0) ? $0 : "\u{FFFD}" }))
  }

  /// Returns whether a terminal only displays the character and has no other reaction to it.
  package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch CharacterRole(scalar) {
    case .visible, .variationSelector: true
    case .control, .separator, .lineBreakControl, .invisible: false
    }
  }

  /// The rows as text, without trailing blanks.
  package var textRows: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns { line += self[row, column].text }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}
