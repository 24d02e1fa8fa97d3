import DOM
import Document

/// Attribute lists such as `{.wide #map}` of Pandoc and `{: width="40"}` of kramdown. They follow
/// the elements that they belong to, and are not shown.
enum MarkdownAttributes {
  /// Maximum length of a list in bytes.
  private static let maxLength = 512

  /// Returns the end of an attribute list.
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The index at which the list begins.
  ///   - limit: The index that the list must not exceed.
  ///   - needsColon: Whether only lists with a colon after the brace count.
  /// - Returns: The index after the list; nil if there is none.
  static func end(in text: [UInt8], at start: Int, limit: Int, needsColon: Bool = false) -> Int? {
    guard start < limit, text[start] == UInt8(ascii: "{") else { return nil }
    let limit = min(limit, start + maxLength)
    var index = start + 1
    let hasColon = index < limit && text[index] == UInt8(ascii: ":")
    guard hasColon || !needsColon else { return nil }
    if hasColon { index += 1 }
    var isEmpty = true
    while true {
      while index < limit, text[index].isWhiteSpace { index += 1 }
      guard index < limit else { return nil }
      if text[index] == UInt8(ascii: "}") { return isEmpty ? nil : index + 1 }
      guard let next = endOfAttribute(in: text, index..<limit, acceptsNames: hasColon) else {
        return nil
      }
      index = next
      isEmpty = false
    }
  }

  /// Returns the end of the attribute at the start of a range: a class (`.name`), an anchor
  /// (`#name`), `name=value`, or with `acceptsNames` also a name; nil if there is none.
  private static func endOfAttribute(
    in text: [UInt8], _ range: Range<Int>, acceptsNames: Bool
  ) -> Int? {
    let hasSign = ".#".utf8.contains(text[range.lowerBound])
    let name = text[range].dropFirst(hasSign ? 1 : 0).prefix {
      $0.isLetter || $0.isDigit || $0 >= 0x80 || "-_.:".utf8.contains($0)
    }
    guard let first = name.first, !first.isDigit, !"-.:".utf8.contains(first) else { return nil }
    let value = name.endIndex + 1
    guard !hasSign, value < range.upperBound, text[name.endIndex] == UInt8(ascii: "=") else {
      return hasSign || acceptsNames ? name.endIndex : nil
    }
    if "\"'".utf8.contains(text[value]) {
      return text[value + 1..<range.upperBound].firstIndex(of: text[value]).map { $0 + 1 }
    }
    let length = text[value..<range.upperBound].prefix {
      !$0.isWhiteSpace && $0 != UInt8(ascii: "}")
    }.count
    return length > 0 ? value + length : nil
  }
}
