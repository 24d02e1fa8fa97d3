/// Detects PDF files by their header (ISO 32000-2 §7.5.2).
package enum PDFSignature {
  private static let header = Array("%PDF-".utf8)
  /// Maximum offset of the header in bytes: the one that Acrobat and poppler accept.
  private static let maxOffset = 1024
  /// Number of bytes from the start of a file that are examined.
  package static let maxExaminedLength = maxOffset + 64

  /// Returns whether bytes start with the header of a PDF file. Other bytes may precede it, such as
  /// a byte-order mark, empty lines or messages of a server, if the line after it is a comment of
  /// binary bytes: a text can quote the header.
  package static func isPresent(in bytes: [UInt8]) -> Bool {
    if bytes.starts(with: header) { return true }
    let start = bytes.prefix(maxExaminedLength)
    var rest = start.prefix(maxOffset + header.count)
    while let index = rest.firstIndex(of: header[0]) {
      let tail = start[index...]
      if tail.starts(with: header), isBinaryComment(afterHeader: tail) { return true }
      rest = rest[(index + 1)...]
    }
    return false
  }

  /// Returns whether the line after a header with a version is a comment that begins with four
  /// bytes above 127 which are not UTF-8.
  private static func isBinaryComment(afterHeader bytes: ArraySlice<UInt8>) -> Bool {
    let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let version = bytes.dropFirst(header.count).prefix { !isLineEnd($0) }
    guard let first = version.first, (0x30...0x39).contains(first), version.count <= 8 else {
      return false
    }
    let comment = bytes[version.endIndex...].drop(while: isLineEnd)
    guard comment.first == UInt8(ascii: "%") else { return false }
    let mark = comment.dropFirst().prefix(4)
    guard mark.count == 4, mark.allSatisfy({ $0 >= 0x80 }) else { return false }
    return String(decoding: mark, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
  }
}
