import Document

/// Isolates of stretches of text (UAX 9), where it matters in which direction they are read: where they have
/// letters that are written from right to left.
enum TextDirection {
  /// PDI.
  static let end = "\u{2069}"
}

extension Document.Direction {
  /// LRI or RLI.
  fileprivate var isolate: String { self == .leftToRight ? "\u{2066}" : "\u{2067}" }
}

extension BlockLayout {
  /// The direction of a part of `inline`, as the page says or by its first letter; nil when nothing in it
  /// is written from right to left, or when directions are nobody's concern.
  func direction(of range: Range<Int>) -> Document.Direction? {
    guard input.options.isolatesDirections, !inline.isASCII else { return nil }
    var first: Document.Direction?
    var position = range.lowerBound
    while position < range.upperBound {
      let scalar = DisplayWidth.scalar(in: inline.bytes, at: &position, limit: range.upperBound)
      if scalar.isRightToLeft {
        return input.document.locale(at: inline.source(at: 0, piece: 0)).direction ?? first
          ?? .rightToLeft
      }
      if first == nil, scalar.isLeftToRight { first = .leftToRight }
    }
    return nil
  }

  /// Begins the text of a line. What was written of it before is ornament and keeps its place.
  mutating func isolate(_ direction: Document.Direction?) {
    guard let direction else { return }
    writer.append(direction.isolate, style: TextStyle())
    writer.endPrefix()
  }

  /// Ends the text of a line.
  mutating func endIsolate(_ direction: Document.Direction?) {
    if direction != nil { writer.append(TextDirection.end, style: TextStyle()) }
  }
}

extension UInt32 {
  /// An isolate, or the end of one: U+2066 to U+2069.
  var isIsolate: Bool { (0x2066...0x2069).contains(self) }

  /// A letter of Hebrew, Arabic, Syriac, Thaana, NKo, Samaritan, Mandaic and others of the ranges
  /// whose characters are R or AL by default.
  fileprivate var isRightToLeft: Bool {
    switch self {
    case 0x0590...0x08FF: !(0x0660...0x0669).contains(self) && !(0x06F0...0x06F9).contains(self)
    case 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  /// A letter of the scripts that are written from left to right, as far as it takes to tell which
  /// direction a paragraph has.
  fileprivate var isLeftToRight: Bool {
    switch self {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xB5, 0xBA, 0xC0...0x02B8: self != 0xD7 && self != 0xF7
    case 0x0370...0x058F, 0x0900...0x1FFF, 0x2C00...0x2DFF, 0x3041...0xA4CF, 0xA4D0...0xABFF,
      0xAC00...0xD7A3, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
