import Foundation
package import TOMLKit

/// Parses TOML.
package enum TOMLSource {
  /// An error in a text with its position; lines and columns count from 1.
  package struct Mistake: Error, Equatable, CustomStringConvertible {
    package var line: Int?
    package var column: Int?
    package var message: String

    package var description: String { message }
  }

  /// Parses a text.
  package static func parse(_ text: String) throws(Mistake) -> TOMLTable {
    // The parser expects a C string, which would end at a NUL character.
    guard !text.utf8.contains(0) else {
      throw Mistake(message: "is not text (it contains a NUL byte)")
    }
    if let mistake = mistakeInNames(text) { throw mistake }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let location = error.source.begin
      let advice = adviceOnValue(inLine: location.line, at: location.column, of: text)
      throw Mistake(
        line: location.line, column: location.column,
        message: advice ?? Self.message(error.description))
    } catch {
      throw Mistake(message: "is not TOML")
    }
  }

  /// Returns the message of the parser without the words that name the element being parsed.
  private static func message(_ text: String) -> String {
    guard text.hasPrefix("Error while parsing "), let colon = text.firstRange(of: ": ") else {
      return text
    }
    return "is not TOML: " + text[colon.upperBound...]
  }

  /// Returns what to write instead of a value that is text without quotation marks; nil for other
  /// lines, and if the error at `column` is not in the value.
  private static func adviceOnValue(
    inLine number: Int, at column: Int, of text: String
  ) -> String? {
    let lines = text.split(maxSplits: max(0, number), omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n"
    }
    guard lines.indices.contains(number - 1), case let line = lines[number - 1],
      let sign = line.firstIndex(of: "="), line[..<sign].unicodeScalars.count < column - 1,
      case let value = line[sign...].dropFirst().prefix(while: { $0 != "#" })
        .trimmingCharacters(in: .whitespaces),
      let first = value.first, first.isLetter || "/~“„«‘’”".contains(first),
      !value.contains(where: { "\"'\\".contains($0) })
    else { return nil }
    // A valid value is not the cause of the error, but a repeated name or what follows the value.
    guard !["true", "false", "inf", "nan"].contains(value.prefix { $0 != " " }) else { return nil }
    switch value.lowercased() {
    case "true", "yes", "on": return "is not TOML: write true, not \(value)"
    case "false", "no", "off": return "is not TOML: write false, not \(value)"
    default:
      let content = value.filter { !"“„”«»‘’".contains($0) }
      return content.isEmpty ? nil : "is not TOML: text must be in quotation marks: \"\(content)\""
    }
  }

  /// Returns an error for a key or table header on which the parser would terminate the process
  /// instead of reporting it: a table header without a name, or a name with very many parts. Nil if
  /// there is none.
  private static func mistakeInNames(_ text: String) -> Mistake? {
    var scanner = TOMLLineScanner()
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isStart = scanner.isAtStart
      scanner.process(line)
      guard isStart else { continue }
      let name = line.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "#") }
      guard name.count(where: { $0 == UInt8(ascii: ".") }) <= maxParts else {
        return Mistake(
          line: index + 1, column: 1, message: "a key has more than \(maxParts + 1) dotted parts")
      }
      var rest = line.drop(while: isBlank)
      guard rest.first == UInt8(ascii: "[") else { continue }
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
      guard let first = rest.drop(while: isBlank).first, isNameStart(first) else {
        return Mistake(line: index + 1, column: 1, message: "a table needs a name, as in [cache]")
      }
    }
    return nil
  }

  /// The maximum number of dots in a name; a name with more is an error.
  private static let maxParts = 100

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x22, 0x27: true
    default: false
    }
  }
}
