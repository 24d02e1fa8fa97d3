import DOM

// Titles, headings and names are compared by their letters and digits. Most lines have no others than
// those of ASCII, with quotation marks and dashes between them: they are read as bytes, since characters
// and their properties take a hundred times as long.

extension StringProtocol {
  /// The letters and digits of a line in lower case.
  /// - Parameter separator: What stands between words.
  /// - Returns: The key; nil for a line with letters that are not ASCII.
  func plainKey(separator: StaticString = "") -> String? {
    var key: [UInt8] = []
    key.reserveCapacity(utf8.count)
    var isBehindWord = false
    // How many bytes of a mark have been read.
    var markBytes = 0
    for byte in utf8 {
      switch byte {
      case _ where markBytes == 1:
        guard byte == 0x80 else { return nil }
        markBytes = 2
      case _ where markBytes == 2:
        // Dashes, quotation marks, bullets and dots.
        guard (0x90...0xA7).contains(byte) else { return nil }
        markBytes = 0
        isBehindWord = !key.isEmpty
      case 0xE2: markBytes = 1
      case 0x80...: return nil
      case _ where byte.isLetter || byte.isDigit:
        if isBehindWord { separator.withUTF8Buffer { key.append(contentsOf: $0) } }
        isBehindWord = false
        key.append(byte.lowercased)
      default: isBehindWord = !key.isEmpty
      }
    }
    return String(decoding: key, as: UTF8.self)
  }
}
