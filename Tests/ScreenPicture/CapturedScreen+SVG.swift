extension CapturedScreen {
  /// The size of a cell and the font size, in pixels, for a common monospaced font.
  private static let cell = (width: 9.63, height: 19.0)
  private static let fontSize = 16.0
  /// The distance of the baseline from the top of a cell, in pixels.
  private static let baseline = 14.6
  /// The width of the margin around the screen, in pixels.
  private static let margin = 12.0

  /// Returns the screen as an image (SVG 1.1). Each word has an explicit position, so that the
  /// columns are correct in any font.
  /// - Parameters:
  ///   - columns: the number of columns of the terminal.
  ///   - rows: the number of rows of the terminal.
  ///   - isDark: whether the terminal has light text on a dark background by default.
  /// - Returns: the text of the file.
  package func svg(columns: Int, rows: Int, isDark: Bool) -> String {
    Self.frame(
      columns: columns, rows: rows, isDark: isDark,
      around: drawings(columns: columns, rows: rows, isDark: isDark).joined())
  }

  /// Returns the SVG file around the drawings of rows: its size, font and background.
  static func frame(columns: Int, rows: Int, isDark: Bool, around drawings: String) -> String {
    let width = Double(columns) * Self.cell.width + 2 * Self.margin
    let height = Double(rows) * Self.cell.height + 2 * Self.margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
      width="\(number(width))" height="\(number(height))" \
      font-family="'DejaVu Sans Mono', Menlo, 'Liberation Mono', 'Cascadia Mono', monospace" \
      font-size="\(number(fontSize))" fill="\(ink(isDark))" shape-rendering="crispEdges">
      <rect width="100%" height="100%" fill="\(paper(isDark))"/>
      \(drawings)</svg>

      """
  }

  /// Returns the SVG elements of each row, from the top; an empty string for a blank row.
  func drawings(columns: Int, rows: Int, isDark: Bool) -> [String] {
    self.rows.prefix(rows).enumerated().map { row, cells in
      Self.runs(of: cells.filter { $0.column + $0.width <= columns }).map {
        Self.drawing(of: $0, row: row, isDark: isDark)
      }.joined()
    }
  }

  private static func paper(_ isDark: Bool) -> String { isDark ? "#121212" : "#ffffff" }
  private static func ink(_ isDark: Bool) -> String { isDark ? "#d8d8d8" : "#1c1c1c" }

  /// Returns the runs of adjacent cells with the same style.
  private static func runs(of cells: [Cell]) -> [ArraySlice<Cell>] {
    var runs: [ArraySlice<Cell>] = []
    var start = 0
    for index in cells.indices.dropFirst() where cells[index].style != cells[index - 1].style {
      runs.append(cells[start..<index])
      start = index
    }
    return cells.isEmpty ? [] : runs + [cells[start...]]
  }

  private static func drawing(of cells: ArraySlice<Cell>, row: Int, isDark: Bool) -> String {
    guard let first = cells.first, let last = cells.last else { return "" }
    let style = first.style
    let top = margin + Double(row) * cell.height
    let (left, right) = (x(first.column), x(last.column + last.width))
    var foreground = style.foreground.map(name) ?? ink(isDark)
    var background = style.background.map(name)
    if style.isReversed { (foreground, background) = (background ?? paper(isDark), foreground) }
    var svg = ""
    if let background {
      svg += """
        <rect x="\(number(left))" y="\(number(top))" width="\(number(right - left))" \
        height="\(number(cell.height))" fill="\(background)"/>

        """
    }
    let color = foreground == ink(isDark) ? "" : " fill=\"\(foreground)\""
    let weight = style.isBold ? " font-weight=\"bold\"" : ""
    let slant = style.isItalic ? " font-style=\"italic\"" : ""
    let opacity = style.isDim ? " opacity=\"0.6\"" : ""
    let tokens = pieces(of: cells)
    if let word = tokens.first {
      let rest = tokens.dropFirst().map {
        "<tspan x=\"\(number(x($0.column)))\">\(escaped($0.text))</tspan>"
      }.joined()
      svg += """
        <text x="\(number(x(word.column)))" y="\(number(top + baseline))"\
        \(color)\(weight)\(slant)\(opacity)>\(escaped(word.text))\(rest)</text>

        """
    }
    for (isDrawn, height) in [(style.isUnderlined, baseline + 2), (style.isStruck, baseline - 5)]
    where isDrawn {
      svg += """
        <rect x="\(number(left))" y="\(number(top + height))" width="\(number(right - left))" \
        height="1" fill="\(foreground)"/>

        """
    }
    return svg
  }

  /// Returns the texts that are drawn as one element, with their first columns: a run of ASCII
  /// characters, or a repeated character.
  private static func pieces(of cells: ArraySlice<Cell>) -> [(column: Int, text: String)] {
    var tokens: [(column: Int, text: String)] = []
    var before: Cell?
    for cell in cells {
      if let before, isOnePiece(before.text, cell.text), let last = tokens.indices.last {
        tokens[last].text += cell.text
      } else if cell.text != " " {
        tokens.append((cell.column, cell.text))
      }
      before = cell.text == " " ? nil : cell
    }
    return tokens
  }

  private static func isOnePiece(_ one: String, _ other: String) -> Bool {
    let isASCII = (one + other).utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    return isASCII || one == other
  }

  private static func x(_ column: Int) -> Double { margin + Double(column) * cell.width }

  /// Returns a number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func name(of color: Color) -> String {
    switch color {
    case .rgb(let red, let green, let blue): hex(Int(red), Int(green), Int(blue))
    case .indexed(let index): indexed(Int(index))
    }
  }

  /// Returns a colour of xterm's palette; the first sixteen are those of the Tango palette, which
  /// many terminals use.
  private static func indexed(_ index: Int) -> String {
    let first = [
      "#2e3436", "#cc0000", "#4e9a06", "#c4a000", "#3465a4", "#75507b", "#06989a", "#d3d7cf",
      "#555753", "#ef2929", "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#34e2e2", "#eeeeec",
    ]
    if index < 16 { return first[index] }
    if index >= 232 {
      let gray = 8 + 10 * (index - 232)
      return hex(gray, gray, gray)
    }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    return hex(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }

  private static func hex(_ red: Int, _ green: Int, _ blue: Int) -> String {
    "#"
      + [red, green, blue].map { part in
        let digits = String(part, radix: 16)
        return digits.utf8.count < 2 ? "0" + digits : digits
      }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
