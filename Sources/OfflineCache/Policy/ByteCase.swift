/// ASCII case-insensitive operations on the bytes of markup.
enum ByteCase {
  /// Returns the lowercase form of an ASCII letter, and any other byte unchanged.
  static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Returns the index of the first occurrence of lowercase bytes, ignoring ASCII case, within
  /// `start..<end`; nil if they do not occur.
  static func firstIndex(
    of wanted: [UInt8], in bytes: [UInt8], from start: Int, to end: Int? = nil
  ) -> Int? {
    let end = end ?? bytes.count
    guard let first = wanted.first, end >= wanted.count, start >= 0 else { return nil }
    let upper = (0x61...0x7A).contains(first) ? first & 0xDF : first
    return bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index <= end - wanted.count {
        let byte = bytes[index]
        if byte == first || byte == upper, matches(wanted, bytes, at: index) { return index }
        index += 1
      }
      return nil
    }
  }

  private static func matches(
    _ wanted: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> Bool {
    for offset in wanted.indices where lower(bytes[index + offset]) != wanted[offset] {
      return false
    }
    return true
  }
}
