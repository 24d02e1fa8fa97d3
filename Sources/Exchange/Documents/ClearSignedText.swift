/// Text between the lines of an OpenPGP signature (RFC 9580 §7). The signature is not verified.
enum ClearSignedText {
  private static let start = Array("-----BEGIN PGP SIGNED MESSAGE-----".utf8)
  private static let end = Array("-----BEGIN PGP SIGNATURE-----".utf8)
  /// The characters before signed lines that begin with a hyphen.
  private static let escape = Array("- ".utf8)

  /// Returns a text with its signed lines as they were before they were escaped.
  static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isSigned = false
    var index = 0
    while index < text.count {
      let next = text[index...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
      let line = text[index..<next]
      if line.starts(with: start) {
        isSigned = true
      } else if line.starts(with: end) {
        isSigned = false
      }
      result += isSigned && line.starts(with: escape) ? line.dropFirst(escape.count) : line
      index = next
    }
    return result
  }
}
