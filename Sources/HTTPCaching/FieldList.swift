/// Parses field values that are lists (RFC 9110 §5.6.1).
package enum FieldList {
  /// Returns the members of a comma-separated list without surrounding white space. Commas in
  /// quoted strings do not separate, and empty members are dropped. A quote that is never closed is
  /// an ordinary character, so that it hides no members.
  /// - Parameters:
  ///   - value: The value of the field.
  ///   - separators: The characters that separate members.
  ///   - hasEscapes: Whether a backslash in quotes escapes the next character. In entity tags it is
  ///     an ordinary character (RFC 9110 §8.8.3).
  /// - Returns: The members in order.
  package static func members(
    _ value: String, separators: [UInt8] = [UInt8(ascii: ",")], hasEscapes: Bool = true
  ) -> [ArraySlice<UInt8>] {
    let bytes = Array(value.utf8)
    var members: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    // The position of the quote that opened the current quoted string.
    var openingQuote: Int?
    var ignoresQuotes = false
    while index <= bytes.count {
      if index == bytes.count, let quote = openingQuote {
        // The rest is read again without quoted strings.
        (index, openingQuote, ignoresQuotes) = (quote, nil, true)
      } else if index == bytes.count || openingQuote == nil && separators.contains(bytes[index]) {
        let member = trimmed(bytes[start..<index])
        if !member.isEmpty { members.append(member) }
        start = index + 1
      } else if bytes[index] == UInt8(ascii: "\""), !ignoresQuotes {
        openingQuote = openingQuote == nil ? index : nil
      } else if openingQuote != nil, hasEscapes, bytes[index] == UInt8(ascii: "\\"),
        index + 1 < bytes.count
      {
        index += 1
      }
      index += 1
    }
    return members
  }

  /// Returns the members of a comma-separated list as text; see
  /// `members(_:separators:hasEscapes:)`.
  package static func memberTexts(_ value: String) -> [String] {
    members(value).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the content of a quoted string; nil if it does not end with its closing quote.
  package static func unquoted(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    var output: [UInt8] = []
    var rest = bytes.dropFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        return rest.isEmpty ? String(decoding: output, as: UTF8.self) : nil
      }
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        output.append(escaped)
      } else {
        output.append(byte)
      }
    }
    return nil
  }

  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }
}
