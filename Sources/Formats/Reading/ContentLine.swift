/// A content line of iCalendar (RFC 5545 §3.1) or vCard (RFC 6350 §3.3):
/// `NAME;PARAMETER=x:value`.
struct ContentLine {
  /// The name of the property in upper case, without the group before it.
  let name: String
  /// The parameters as written.
  let parameters: ArraySlice<Substring>
  /// The value as written.
  let value: Substring

  /// Parses a line; returns nil if it has no value.
  private init?(_ line: Substring) {
    var isQuoted = false
    let colon = line.indices.first { index in
      if line[index] == "\"" { isQuoted.toggle() }
      return line[index] == ":" && !isQuoted
    }
    guard let colon else { return nil }
    let head = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
    name = head[0].split(separator: ".").last?.uppercased() ?? ""
    parameters = head.dropFirst()
    value = line[line.index(after: colon)...]
  }

  /// Returns the lines of a text. A line that begins with white space continues the one before it,
  /// and so does the line after a line break that quoted-printable encodes (vCard 2.1).
  static func all(in text: String) -> [ContentLine] {
    var lines: [String] = []
    var isQuotedPrintable = false
    for line in text.split(whereSeparator: \.isNewline) {
      if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else if isQuotedPrintable, lines.last?.hasSuffix("=") == true {
        lines[lines.count - 1].removeLast()
        lines[lines.count - 1] += line
      } else {
        lines.append(String(line))
        isQuotedPrintable = line.uppercased().contains("QUOTED-PRINTABLE")
      }
    }
    return lines.compactMap { ContentLine($0[...]) }
  }

  /// Returns the value of the first parameter with a name in upper case, without quotation marks;
  /// nil if there is none.
  func parameter(_ name: String) -> String? {
    parameters.first { $0.uppercased().hasPrefix("\(name)=") }
      .map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
  }

  /// Returns a value without the backslashes of its escapes (RFC 5545 §3.3.11, RFC 6350 §3.4).
  static func unescaped(_ value: some StringProtocol, lineBreak: Character = " ") -> String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? lineBreak : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
