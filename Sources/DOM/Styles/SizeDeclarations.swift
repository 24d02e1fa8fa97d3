/// The size of an element (CSS 2.2 §10, CSS Sizing 4 §5) and its inline-start margin and padding
/// (CSS Box 4) as declared in its `style` attribute. Values that depend on other elements are
/// ignored.
package struct SizeDeclarations: Equatable {
  /// The width in pixels; nil if it is not declared.
  package private(set) var width: Double?
  /// The height in pixels; nil if it is not declared.
  package private(set) var height: Double?
  /// The aspect ratio, width divided by height; nil if it is not declared.
  package private(set) var aspectRatio: Double?
  /// The sum of the inline-start margin and padding in pixels, at least 0.
  package var indentation: Double { max(0, margin + padding) }

  private var margin = 0.0
  private var padding = 0.0

  /// The maximum size in pixels; larger values are ignored.
  private static let maxLength = 100_000.0

  package init() {}

  /// Parses declarations; the last valid one of each property counts.
  init(_ text: StyleBytes) {
    text.forEachDeclaration { property, value in
      let value = value.prefix { $0 != UInt8(ascii: "!") }.trimmed
      if property.isWord("width") {
        width = Self.parseLength(value) ?? width
      } else if property.isWord("height") {
        height = Self.parseLength(value) ?? height
      } else if property.isWord("aspect-ratio") {
        aspectRatio = Self.parseRatio(value) ?? aspectRatio
      } else if property.isWord("margin-left") || property.isWord("margin-inline-start") {
        margin = Self.parseDistance(value) ?? margin
      } else if property.isWord("padding-left") || property.isWord("padding-inline-start") {
        padding = Self.parseDistance(value) ?? padding
      } else if property.isWord("margin") {
        margin = Self.parseLeftValue(of: value) ?? margin
      } else if property.isWord("padding") {
        padding = Self.parseLeftValue(of: value) ?? padding
      }
    }
  }

  private static func parseLength(_ value: StyleBytes) -> Double? {
    guard let (number, unit) = value.leadingNumber, number > 0, number <= maxLength else {
      return nil
    }
    if unit.isWord("px") { return number }
    // Assumes the initial font size of 16 px.
    if unit.isWord("em") || unit.isWord("rem") { return number * 16 }
    return unit.isWord("pt") ? number * 4 / 3 : nil
  }

  /// Returns a length in pixels; a percentage refers to a viewport of 1000 pixels. Nil for other
  /// values.
  private static func parseDistance(_ value: StyleBytes) -> Double? {
    if let length = parseLength(value) ?? parseProduct(value) { return length }
    guard let (number, unit) = value.leadingNumber, number <= maxLength else { return nil }
    return number == 0 ? 0 : unit.isWord("%") ? number * 10 : nil
  }

  /// Returns the product of a number and a length, in pixels: `calc(2 * 1rem)`. Nil for other
  /// values.
  private static func parseProduct(_ value: StyleBytes) -> Double? {
    guard value.prefix(5).isWord("calc("), value.last == UInt8(ascii: ")") else { return nil }
    let factors = value.dropFirst(5).dropLast().split(separator: UInt8(ascii: "*")).map(\.trimmed)
    guard factors.count == 2 else { return nil }
    for (number, length) in [(factors[0], factors[1]), (factors[1], factors[0])] {
      guard let (count, rest) = number.leadingNumber, rest.isEmpty, count <= 100 else { continue }
      return parseLength(length).map { $0 * count }
    }
    return nil
  }

  /// Returns the left value of a shorthand with one to four lengths; nil if the value is invalid.
  private static func parseLeftValue(of value: StyleBytes) -> Double? {
    let lengths = value.split(whereSeparator: \.isWhiteSpace)
    let last = lengths.count == 4 ? lengths[3] : lengths.dropFirst().first ?? lengths.first
    guard let last else { return nil }
    return last.isWord("auto") ? 0 : parseDistance(last)
  }

  private static func parseRatio(_ value: StyleBytes) -> Double? {
    var value = value
    if value.prefix(4).isWord("auto") { value = value.dropFirst(4).trimmed }
    guard let (width, rest) = value.leadingNumber else { return nil }
    var height = 1.0
    if let slash = rest.trimmed.first {
      guard slash == UInt8(ascii: "/"),
        let (number, end) = rest.trimmed.dropFirst().trimmed.leadingNumber,
        end.isEmpty
      else { return nil }
      height = number
    }
    let isRatio = [width, height].allSatisfy { $0 > 0 && $0 <= maxLength }
    return isRatio ? width / height : nil
  }
}

extension StyleBytes {
  /// The number at the start, and the rest after it; nil if there is no number.
  fileprivate var leadingNumber: (value: Double, rest: Self)? {
    var (value, scale) = (0.0, 0.0)
    var index = startIndex
    var hasDigits = false
    while index < endIndex, index - startIndex < 16 {
      switch self[index] {
      case 0x30...0x39:
        hasDigits = true
        value = value * 10 + Double(self[index] - 0x30)
        scale *= 10
      case UInt8(ascii: ".") where scale == 0: scale = 1
      default: return hasDigits ? (value / Swift.max(1, scale), self[index...]) : nil
      }
      index += 1
    }
    return hasDigits ? (value / Swift.max(1, scale), self[index...]) : nil
  }
}

extension DOMTree {
  /// Returns the size declarations of an element's `style` attribute; nil without the attribute.
  package func sizeDeclarations(of node: Int32) -> SizeDeclarations? {
    attribute(.style, of: node).map { range in bytes.withStyleBytes(range) { SizeDeclarations($0) }
    }
  }
}
