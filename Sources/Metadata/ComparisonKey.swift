import DOM

// Titles, headings and names are compared by their letters and digits. Most lines contain only
// ASCII, plus typographic quotation marks and dashes. Such lines are processed as bytes, because
// `Character` and its properties take about a hundred times as long.

extension StringProtocol {
  /// Returns the letters and digits of a line in lower case, with a separator between words; nil if
  /// the line contains characters other than ASCII and general punctuation.
  func plainKey(separator: StaticString = "") -> String? {
    var key: [UInt8] = []
    key.reserveCapacity(utf8.count)
    var followsWord = false
    // The number of bytes read of a punctuation character (U+2010 to U+2027).
    var separatorBytes = 0
    for byte in utf8 {
      switch byte {
      case _ where separatorBytes == 1:
        guard byte == 0x80 else { return nil }
        separatorBytes = 2
      case _ where separatorBytes == 2:
        // Dashes, quotation marks, bullets and ellipses.
        guard (0x90...0xA7).contains(byte) else { return nil }
        separatorBytes = 0
        followsWord = !key.isEmpty
      case 0xE2: separatorBytes = 1
      case 0x80...: return nil
      case _ where byte.isLetter || byte.isDigit:
        if followsWord { separator.withUTF8Buffer { key.append(contentsOf: $0) } }
        followsWord = false
        key.append(byte.lowercased)
      default: followsWord = !key.isEmpty
      }
    }
    return String(decoding: key, as: UTF8.self)
  }
}
