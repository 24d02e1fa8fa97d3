/// The line numbers of tables and keys in a TOML text, for messages.
///
/// It does not parse TOML but scans lines of a text that the parser has accepted. It recognizes
/// strings and brackets only to avoid mistaking their content for keys.
struct SettingLines: Sendable {
  private var lines: [String: Int] = [:]

  /// Finds the line of each table and setting in the text of a settings file.
  init(_ text: String) {
    var tableName = ""
    var tableCounts: [String: Int] = [:]
    var scanner = TOMLLineScanner()
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      let isStart = scanner.isAtStart
      scanner.process(line)
      guard isStart else { continue }
      let bytes = line.drop { $0 == 0x20 || $0 == 0x09 }
      if bytes.starts(with: Array("[[".utf8)) {
        let name = Self.name(bytes.dropFirst(2), until: UInt8(ascii: "]"))
        tableName = "\(name)[\(tableCounts[name, default: 0])]"
        tableCounts[name, default: 0] += 1
        record(name, index + 1)
        record(tableName, index + 1)
      } else if bytes.first == UInt8(ascii: "[") {
        tableName = Self.name(bytes.dropFirst(), until: UInt8(ascii: "]"))
        record(tableName, index + 1)
      } else if bytes.contains(UInt8(ascii: "=")), bytes.first != UInt8(ascii: "#") {
        let key = Self.name(bytes, until: UInt8(ascii: "="))
        record(tableName.isEmpty ? key : "\(tableName).\(key)", index + 1)
        // A dotted key also defines the table of its first part.
        if let dot = key.firstIndex(of: ".") {
          let first = String(key[..<dot])
          record(tableName.isEmpty ? first : "\(tableName).\(first)", index + 1)
        }
      }
    }
  }

  /// Returns the line of a key in a table, counted from 1. If the key is not in the text, returns
  /// the line of the table; nil if the table is not in the text either.
  /// - Parameters:
  ///   - table: The table's name, empty for the top level.
  ///   - number: The index in an array of tables, from 0; nil for a table that is not repeated.
  ///   - key: The key; nil for the table itself.
  subscript(_ table: String, _ number: Int?, _ key: String?) -> Int? {
    let name = number.map { "\(table)[\($0)]" } ?? table
    guard let key else { return lines[name] ?? lines[table] }
    return lines[name.isEmpty ? key : "\(name).\(key)"] ?? lines[name] ?? lines[table]
  }

  private mutating func record(_ name: String, _ line: Int) {
    if lines[name] == nil { lines[name] = line }
  }

  /// Returns a key without quotes and white space, its parts joined by dots.
  private static func name(_ bytes: Substring.UTF8View, until end: UInt8) -> String {
    var name: [UInt8] = []
    var quote: UInt8?
    var rest = bytes
    while let byte = rest.popFirst() {
      switch (byte, quote) {
      case (_, byte): quote = nil
      case (UInt8(ascii: "\\"), UInt8(ascii: "\"")): name += rest.popFirst().map { [$0] } ?? []
      case (_, .some): name.append(byte)
      case (end, nil): return String(decoding: name, as: UTF8.self)
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
      case (0x20, nil), (0x09, nil): break
      default: name.append(byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }
}
