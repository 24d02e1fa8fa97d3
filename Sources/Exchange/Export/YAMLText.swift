import Foundation
import DOM
import Document
import WARC

/// Writes values of YAML 1.2 so that parsers for YAML 1.1 read the same values.
enum YAMLText {
  /// Returns a text as a scalar on one line: plain if that is unambiguous, otherwise in double
  /// quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Returns a date in UTC, to the second.
  static func date(_ date: Date) -> String {
    WARCDate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic, last != " ", last != ":", !reserved.contains(text.lowercased())
    else { return false }
    // `: ` and ` #` are special within a scalar; any text with a colon or hash is quoted, except
    // URLs.
    let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
        || " .-_/()+".unicodeScalars.contains(scalar)
        || isAddress && ":?&=%~,;".unicodeScalars.contains(scalar)
    } && !text.contains("  ")
  }

  /// Plain scalars that are not read as text.
  private static let reserved: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf",
  ]

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let (marker, width) =
            scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
          result +=
            "\\\(marker)" + String(repeating: "0", count: width - digits.utf8.count) + digits
        }
      }
    }
    return result + "\""
  }

  /// Whether a character may be written unescaped (YAML 1.2 §5.1) and is visible.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch CharacterRole(scalar) {
    case .visible: scalar != "\u{A0}"
    case .variationSelector: true
    case .control, .separator, .lineBreakControl, .invisible: false
    }
  }
}
