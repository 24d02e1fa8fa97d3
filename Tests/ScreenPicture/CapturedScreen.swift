package import Layout

/// The content of a terminal's screen, as captured by a multiplexer: rows of text with SGR
/// sequences (ECMA-48 8.3.117). Other sequences and control characters are ignored.
package struct CapturedScreen: Sendable, Equatable {
  /// The rows from top to bottom, each a list of cells from the left.
  package var rows: [[Cell]]

  /// A character with its position and style.
  package struct Cell: Sendable, Equatable {
    /// The character, one grapheme cluster.
    package var text: String
    /// The first column of the character, from 0.
    package var column: Int
    /// The width of the character in columns.
    package var width: Int
    /// The style of the character.
    package var style: Style
  }

  /// The colours and attributes of a character; nil colours are the terminal's defaults.
  package struct Style: Sendable, Equatable {
    package var foreground: Color?
    package var background: Color?
    package var isBold = false, isDim = false, isItalic = false
    package var isUnderlined = false, isReversed = false, isStruck = false

    package init() {}
  }

  /// A colour that is not the terminal's default.
  package enum Color: Sendable, Equatable {
    /// An entry of xterm's palette.
    case indexed(UInt8)
    /// An sRGB colour.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// Parses a capture. Rows and columns beyond the first `limit` are omitted.
  package init(_ text: String, widths: DisplayWidth = DisplayWidth(), limit: Int = 1000) {
    var style = Style()
    rows = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(limit).map { line in
      Self.row(Array(line.utf8), &style, widths, limit)
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
  }

  private static func row(
    _ bytes: [UInt8], _ style: inout Style, _ widths: DisplayWidth, _ limit: Int
  ) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    var start = 0
    while start < bytes.count {
      if bytes[start] == 0x1B {
        start = sequence(in: bytes, at: start, &style)
        continue
      }
      let end = bytes[start...].firstIndex(of: 0x1B) ?? bytes.count
      for (range, width) in GraphemeClusters(bytes, in: start..<end, widths: widths) {
        let text = String(decoding: bytes[range], as: UTF8.self)
        let isSafe = text.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value)
        }
        guard isSafe, width > 0, column + width <= limit else { continue }
        cells.append(Cell(text: text, column: column, width: width, style: style))
        column += width
      }
      start = end
    }
    return cells
  }

  /// Parses a sequence that begins with ESC, and applies it to the style.
  /// - Returns: the index after the sequence.
  private static func sequence(in bytes: [UInt8], at start: Int, _ style: inout Style) -> Int {
    guard start + 1 < bytes.count else { return bytes.count }
    guard bytes[start + 1] == UInt8(ascii: "[") else { return start + 2 }
    guard let end = bytes[(start + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return bytes.count
    }
    if bytes[end] == UInt8(ascii: "m") {
      let numbers = bytes[(start + 2)..<end].split(
        omittingEmptySubsequences: false, whereSeparator: { $0 == 0x3B || $0 == 0x3A }
      ).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
      style.apply(numbers[...])
    }
    return end + 1
  }
}

extension CapturedScreen.Style {
  /// Applies the parameters of one SGR sequence.
  fileprivate mutating func apply(_ numbers: ArraySlice<Int>) {
    var rest = numbers
    while let number = rest.popFirst() {
      switch number {
      case 0: self = CapturedScreen.Style()
      case 1: isBold = true
      case 2: isDim = true
      case 3: isItalic = true
      case 4: isUnderlined = true
      case 7: isReversed = true
      case 9: isStruck = true
      case 22: (isBold, isDim) = (false, false)
      case 23: isItalic = false
      case 24: isUnderlined = false
      case 27: isReversed = false
      case 29: isStruck = false
      case 30...37: foreground = .indexed(UInt8(number - 30))
      case 38: foreground = Self.color(&rest)
      case 39: foreground = nil
      case 40...47: background = .indexed(UInt8(number - 40))
      case 48: background = Self.color(&rest)
      case 49: background = nil
      case 90...97: foreground = .indexed(UInt8(number - 82))
      case 100...107: background = .indexed(UInt8(number - 92))
      default: break
      }
    }
  }

  /// Parses the parameters after 38 or 48: 5 and an entry of the palette, or 2 and three
  /// components. Returns nil if they are invalid.
  private static func color(_ rest: inout ArraySlice<Int>) -> CapturedScreen.Color? {
    switch rest.popFirst() {
    case 5: return rest.popFirst().flatMap(UInt8.init(exactly:)).map { .indexed($0) }
    case 2:
      let parts = (0..<3).compactMap { _ in rest.popFirst().flatMap(UInt8.init(exactly:)) }
      return parts.count == 3 ? .rgb(parts[0], parts[1], parts[2]) : nil
    default: return nil
    }
  }
}
