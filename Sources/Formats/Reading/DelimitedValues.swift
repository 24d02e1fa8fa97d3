import Document
import DOM

/// Values with separators between them (RFC 4180).
package enum DelimitedValues {
  /// Returns the quotation mark around values: an apostrophe if the first line consists of at least
  /// two values in apostrophes, with the same separator between them; otherwise `"`.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - start: The offset of the first line.
  /// - Returns: The mark.
  package static func quotationMark(of text: [UInt8], from start: Int = 0) -> UInt8 {
    let (mark, apostrophe) = (UInt8(ascii: "\""), UInt8(ascii: "'"))
    var line = text[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    guard line.count > 2, line.first == apostrophe, line.last == apostrophe else { return mark }
    let parts = line.dropFirst().dropLast().split(
      separator: apostrophe, omittingEmptySubsequences: false)
    // Every second apostrophe opens a value; between two of a doubled one, there is nothing.
    let between = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let separators = Set(between.filter { !$0.isEmpty }.map { Array($0) })
    guard parts.count % 2 == 1, separators.count == 1, let separator = separators.first,
      separator.count == 1, [UInt8](",;\t|".utf8).contains(separator[0])
    else { return mark }
    return apostrophe
  }

  /// Returns whether a quotation mark with a backslash before it is within a value: a word follows
  /// it, while a separator follows the end of a value such as `"C:\"`.
  package static func useBackslashes(_ text: [UInt8], before mark: UInt8) -> Bool {
    var rest = text[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = text[(backslash + 1)...]
      if rest.first == mark, let next = rest.dropFirst().first,
        next.isLetter || next.isDigit
      {
        return true
      }
    }
    return false
  }
}
