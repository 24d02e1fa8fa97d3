import Formats

/// A table of comma-separated values (RFC 4180), parsed leniently: also with semicolons or tabs,
/// any line endings, misplaced quotation marks, and backslashes before those within values.
struct CSVTable: Sendable, Equatable {
  /// The rows with their fields, including the header; empty lines are left out.
  private(set) var rows: [[String]] = []

  private let bytes: [UInt8]
  private var separator: UInt8
  /// The quotation mark around fields.
  private let quote: UInt8
  private let usesBackslashes: Bool
  private var index = 0
  /// Whether no quoted field is closed after the current position, so that quotation marks are
  /// literal from there on.
  private var isUnquoted = false

  /// Parses a table.
  /// - Parameters:
  ///   - text: The table as UTF-8.
  ///   - limit: The maximum number of rows.
  init(_ text: [UInt8], limit: Int = .max) {
    bytes = text
    quote = DelimitedValues.quotationMark(of: text)
    usesBackslashes = DelimitedValues.useBackslashes(text, before: quote)
    separator = Self.separator(of: text, quote)
    if let declared = Self.declaredSeparator(of: text) {
      separator = declared
      index = text.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.endIndex
    }
    while index < bytes.count, rows.count < limit {
      let row = readRow()
      if row != [""] { rows.append(row) }
    }
  }

  /// Returns the separator in a first line such as `sep=;`, which spreadsheets read; nil without
  /// one.
  private static func declaredSeparator(of text: [UInt8]) -> UInt8? {
    var line = text.prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    let isDeclaration = String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep="
    return isDeclaration && line.count == 5 ? line.last : nil
  }

  /// Returns the separator that occurs most often outside quotation marks in the first line.
  private static func separator(of text: [UInt8], _ quote: UInt8) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text.prefix(1 << 16) {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(byte) {
        counts[byte, default: 0] += 1
      }
    }
    let comma = UInt8(ascii: ",")
    return counts.max { ($0.value, $0.key == comma ? 1 : 0) < ($1.value, $1.key == comma ? 1 : 0) }?
      .key ?? comma
  }

  private mutating func readRow() -> [String] {
    var row: [String] = []
    while true {
      row.append(readField())
      guard index < bytes.count else { break }
      let byte = bytes[index]
      index += 1
      if byte == separator { continue }
      if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
      break
    }
    return row
  }

  /// Parses a field up to a separator or the end of the line.
  private mutating func readField() -> String {
    var start = index
    // Some programs write a space after the comma.
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    if !isUnquoted, start < bytes.count, bytes[start] == quote,
      let field = readQuoted(from: start + 1)
    {
      return field
    }
    start = index
    while index < bytes.count, !endsField(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Parses the rest of a quoted field. A quotation mark that neither ends the field nor is doubled
  /// is literal.
  /// - Returns: The content of the field; nil if the field is not closed.
  private mutating func readQuoted(from start: Int) -> String? {
    var result: [UInt8] = []
    var position = start
    let backslash = UInt8(ascii: "\\")
    while let next = bytes[position...].firstIndex(where: {
      $0 == quote || $0 == backslash && usesBackslashes
    }) {
      result += bytes[position..<next]
      if bytes[next] == backslash {
        // The byte after a backslash does not end the field.
        position = min(next + 2, bytes.count)
        let isEscape = bytes[next..<position].elementsEqual([backslash, quote])
        result += bytes[(isEscape ? next + 1 : next)..<position]
        continue
      }
      let after = next + 1
      var end = after
      while end < bytes.count, bytes[end] == 0x20 { end += 1 }
      if end == bytes.count || endsField(bytes[end]) {
        index = end
        return String(decoding: result, as: UTF8.self)
      }
      result.append(quote)
      position = bytes[after] == quote ? after + 1 : after
      // `""` at the end of the text.
      if position >= bytes.count { break }
    }
    isUnquoted = true
    return nil
  }

  private func endsField(_ byte: UInt8) -> Bool {
    byte == separator || byte == 0x0A || byte == 0x0D
  }
}
