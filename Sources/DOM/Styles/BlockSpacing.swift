/// The margins and paddings of an element (CSS Box 4), and the indentation of its first line (CSS
/// Text 3 §8.1), in pixels.
package struct BlockSpacing: Equatable {
  /// The margins or the paddings; nil for those that are not declared.
  private struct Edges: Equatable {
    var top: Int16?
    var bottom: Int16?
    var left: Int16?
    var right: Int16?

    /// Applies edges of higher precedence.
    mutating func apply(_ others: Self) {
      top = others.top ?? top
      bottom = others.bottom ?? bottom
      left = others.left ?? left
      right = others.right ?? right
    }

    /// Reads a declaration, given the rest of the property's name. Values that cannot be evaluated
    /// count as 0.
    mutating func read(_ side: StyleBytes, _ value: StyleBytes) {
      if side.isEmpty {
        let values = value.split(whereSeparator: \.isWhiteSpace)
        guard (1...4).contains(values.count) else { return }
        top = values[0].spacing
        bottom = values[values.count > 2 ? 2 : 0].spacing
        left = values[values.count == 4 ? 3 : min(1, values.count - 1)].spacing
        right = values[min(1, values.count - 1)].spacing
      } else if side.isWord("-top") || side.isWord("-block-start") {
        top = value.spacing
      } else if side.isWord("-bottom") || side.isWord("-block-end") {
        bottom = value.spacing
      } else if side.isWord("-left") || side.isWord("-inline-start") {
        left = value.spacing
      } else if side.isWord("-right") || side.isWord("-inline-end") {
        right = value.spacing
      } else if side.isWord("-inline") {
        let values = value.split(whereSeparator: \.isWhiteSpace)
        guard let first = values.first, let last = values.last, values.count <= 2 else { return }
        (left, right) = (first.spacing, last.spacing)
      }
    }
  }

  private var margins = Edges()
  private var paddings = Edges()
  private var textIndent: Int16?

  package init() {}

  /// The margins above and below, at least 0.
  package var margin: (above: Int, below: Int) {
    (max(0, Int(margins.top ?? 0)), max(0, Int(margins.bottom ?? 0)))
  }

  /// The paddings above and below, at least 0.
  package var padding: (above: Int, below: Int) {
    (max(0, Int(paddings.top ?? 0)), max(0, Int(paddings.bottom ?? 0)))
  }

  /// The distance of the first line from the left edge of the container, at least 0.
  package var firstLineOffset: Int {
    max(0, Int(margins.left ?? 0) + Int(paddings.left ?? 0) + Int(textIndent ?? 0))
  }

  /// The distances of the content of an inline element from the text beside it, at least 0.
  package var gap: (before: Int, after: Int) {
    (
      max(0, Int(margins.left ?? 0)) + max(0, Int(paddings.left ?? 0)),
      max(0, Int(margins.right ?? 0)) + max(0, Int(paddings.right ?? 0))
    )
  }

  /// Reads a declaration of a margin, a padding or `text-indent`; ignores other properties.
  mutating func read(_ property: StyleBytes, _ value: StyleBytes) {
    if property.prefix(6).isWord("margin") {
      margins.read(property.dropFirst(6), value)
    } else if property.prefix(7).isWord("padding") {
      paddings.read(property.dropFirst(7), value)
    } else if property.isWord("text-indent") {
      textIndent = value.spacing
    }
  }

  /// Applies declarations of higher precedence.
  package mutating func apply(_ others: Self) {
    margins.apply(others.margins)
    paddings.apply(others.paddings)
    textIndent = others.textIndent ?? textIndent
  }
}

extension StyleBytes {
  /// A length in pixels; 0 for values that depend on other elements. Assumes the initial font size
  /// of 16 px.
  fileprivate var spacing: Int16 {
    let digits = prefix {
      $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    guard digits.count <= 16, let number = Double(String(decoding: digits, as: UTF8.self)) else {
      return 0
    }
    let unit = self[digits.endIndex...]
    let units: [(word: StaticString, pixels: Double)] = [
      ("px", 1), ("em", 16), ("rem", 16), ("ch", 8), ("ex", 8), ("pt", 4.0 / 3),
    ]
    guard let factor = units.first(where: { unit.isWord($0.word) })?.pixels else { return 0 }
    return Int16(Swift.max(-1000, Swift.min(1000, number * factor)).rounded())
  }

  /// Whether the declarations may contain a margin or padding; a quick test.
  var mentionsSpacing: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "g"), or: UInt8(ascii: "G"), from: index)
      guard index < bytes.count else { return false }
      let before = self[startIndex..<startIndex + index]
      if before.suffix(3).isWord("mar") || before.suffix(6).isWord("paddin") { return true }
      index += 1
    }
  }

  /// Whether the subject of a selector in a list may be an element whose margins and paddings are
  /// shown; a quick test.
  var mayMatchSpacedElement: Bool {
    parts(separator: UInt8(ascii: ",")).contains { part in
      let selector = part.trimmed
      let start = selector.lastIndex { $0.isWhiteSpace || ">+~".utf8.contains($0) }
      let name = selector[(start.map { $0 + 1 } ?? selector.startIndex)...].prefix(
        while: \.isNameByte)
      return name.isEmpty || ElementName.named(UnsafeBufferPointer(rebasing: name)).showsSpacing
    }
  }
}

extension ElementName {
  /// Whether margins and paddings that a style sheet sets for elements by this name are shown.
  /// Adjacent links are apart without them.
  var showsSpacing: Bool {
    switch self {
    case .div, .span, .b, .strong, .em, .i, .small, .time: true
    default: false
    }
  }
}
