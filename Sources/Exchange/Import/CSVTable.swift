/// A table as comma-separated values (RFC 4180), as programs write them: also with semicolons or
/// tabs, with any ends of lines, and with quotes in wrong places.
struct CSVTable: Sendable, Equatable {
  /// The rows with the fields of each, the first one too; empty lines are left out.
  private(set) var rows: [[String]] = []

  private let bytes: [UInt8]
  private let separator: UInt8
  private var index = 0
  /// No quote is closed from here on: they mean themselves.
  private var isUnquoted = false

  /// Reads a table.
  /// - Parameters:
  ///   - text: the table in UTF-8.
  ///   - limit: the most rows that are read.
  init(_ text: [UInt8], limit: Int = .max) {
    bytes = text
    separator = Self.separator(of: text)
    while index < bytes.count, rows.count < limit {
      let row = readRow()
      if row != [""] { rows.append(row) }
    }
  }

  /// What stands most often in the first line, outside quotes.
  private static func separator(of text: [UInt8]) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text.prefix(1 << 16) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
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

  /// Reads up to a separator or the end of the line.
  private mutating func readField() -> String {
    var start = index
    // Some put a space behind the comma.
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    if !isUnquoted, start < bytes.count, bytes[start] == UInt8(ascii: "\""),
      let field = readQuoted(from: start + 1)
    {
      return field
    }
    start = index
    while index < bytes.count, !endsField(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Reads the rest of a field that began with a quote. A quote that neither ends the field nor is
  /// doubled means itself.
  /// - Returns: nil when the field does not end.
  private mutating func readQuoted(from start: Int) -> String? {
    var result: [UInt8] = []
    var place = start
    let quote = UInt8(ascii: "\"")
    while let next = bytes[place...].firstIndex(of: quote) {
      result += bytes[place..<next]
      let after = next + 1
      var end = after
      while end < bytes.count, bytes[end] == 0x20 { end += 1 }
      if end == bytes.count || endsField(bytes[end]) {
        index = end
        return String(decoding: result, as: UTF8.self)
      }
      result.append(quote)
      place = bytes[after] == quote ? after + 1 : after
      // `""` at the end of the text.
      if place >= bytes.count { break }
    }
    isUnquoted = true
    return nil
  }

  private func endsField(_ byte: UInt8) -> Bool {
    byte == separator || byte == 0x0A || byte == 0x0D
  }
}
