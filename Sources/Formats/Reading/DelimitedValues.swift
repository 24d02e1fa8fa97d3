import Document
import DOM

/// Values with separators between them (RFC 4180).
package enum DelimitedValues {
  /// Returns whether a quotation mark with a backslash before it is within a value: a word follows
  /// it, while a separator follows the end of a value such as `"C:\"`.
  package static func useBackslashes(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = text[(backslash + 1)...]
      if rest.first == UInt8(ascii: "\""), let next = rest.dropFirst().first,
        next.isLetter || next.isDigit
      {
        return true
      }
    }
    return false
  }
}
