import Foundation
import DOM

/// JSON output for other programs: sorted keys in snake case, one value a line.
enum JSONText {
  /// Encodes a value as JSON.
  /// - Parameter value: the value.
  /// - Returns: the JSON text with a line feed.
  /// - Throws: `EncodingError`.
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // `JSONEncoder` does not escape C1 controls and invisible characters.
    var text = ""
    for scalar in String(decoding: try encoder.encode(value), as: UTF8.self).unicodeScalars {
      switch CharacterRole(scalar) {
      case .visible, .variationSelector: text.unicodeScalars.append(scalar)
      case .control where scalar == "\n": text += "\n"
      case .control, .separator, .lineBreakControl, .invisible:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return text + "\n"
  }
}
