/// The checksum at the start of a line of JSON: `{"sum":"0a1b2c3d",…}`. It covers the rest of the
/// line. Lines of earlier versions have no checksum and count as intact.
enum LineChecksum {
  private static let sumPrefix = Array("{\"sum\":\"".utf8)
  private static let sumSuffix = Array("\",".utf8)
  private static let digitCount = 8

  /// Adds the checksum to a line.
  /// - Parameter line: A non-empty JSON object.
  /// - Returns: The line with its checksum.
  static func withChecksum(_ line: [UInt8]) -> [UInt8] {
    guard line.count > 2, line.first == UInt8(ascii: "{") else { return line }
    let rest = line.dropFirst()
    return sumPrefix + text(of: rest) + sumSuffix + rest
  }

  /// Returns whether a line, given without its line feed, matches its checksum or has no checksum.
  static func isIntact(_ line: ArraySlice<UInt8>) -> Bool {
    let prefix = sumPrefix.count + digitCount + sumSuffix.count
    guard line.starts(with: sumPrefix) else { return true }
    guard line.count > prefix, line.prefix(prefix).suffix(sumSuffix.count).elementsEqual(sumSuffix)
    else {
      return false
    }
    return line.dropFirst(sumPrefix.count).prefix(digitCount).elementsEqual(
      text(of: line.dropFirst(prefix)))
  }

  /// Returns the 32-bit FNV-1a hash of bytes, which changes if any single byte changes.
  static func value(of bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    let value = value(of: bytes)
    return (0..<digitCount).map { position in
      let digit = UInt8(truncatingIfNeeded: value >> (28 - 4 * position)) & 15
      return digit < 10 ? 0x30 + digit : 0x57 + digit
    }
  }
}
