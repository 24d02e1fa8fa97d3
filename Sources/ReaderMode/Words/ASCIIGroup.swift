/// Eight bytes of ASCII that are looked at together; the first is the lowest. Answers are words with
/// the highest bit of each byte that is meant.
struct ASCIIGroup {
  private let bytes: UInt64

  /// The highest bit of each byte.
  static let highest: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Nil when a byte is not ASCII.
  init?(_ bytes: UInt64) {
    guard bytes & Self.highest == 0 else { return nil }
    self.bytes = bytes
  }

  /// How many bytes an answer means.
  static func count(_ answer: UInt64) -> Int {
    Int(truncatingIfNeeded: ((answer >> 7) &* ones) >> 56)
  }

  /// The bytes with bit 5 set, which folds the case of letters.
  var folded: UInt64 { bytes | Self.ones &* 0x20 }

  /// ASCII letters.
  var letters: UInt64 { within(0x61, 0x7A, folded) }

  /// ASCII capital letters.
  var capitals: UInt64 { within(0x41, 0x5A, bytes) }

  /// ASCII digits.
  var digits: UInt64 { within(0x30, 0x39, bytes) }

  /// Bytes from a first to a last one.
  @inline(__always)
  private func within(_ first: UInt64, _ last: UInt64, _ bytes: UInt64) -> UInt64 {
    (bytes &+ Self.ones &* (0x80 - first)) & ~(bytes &+ Self.ones &* (0x7F - last)) & Self.highest
  }

  /// White space and control characters.
  var spaces: UInt64 { (Self.ones &* 0xA0 &- bytes) & Self.highest }

  /// The bytes that are a given one.
  func bytes(equalTo byte: UInt8) -> UInt64 {
    (Self.highest &- (bytes ^ Self.ones &* UInt64(byte))) & Self.highest
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The eight bytes from an index on; nil when they do not end before another one, or are not ASCII.
  @inline(__always)
  func asciiGroup(at index: Int, before end: Int) -> ASCIIGroup? {
    guard end - index >= 8, end <= count else { return nil }
    return ASCIIGroup(group(at: index))
  }

  /// The bytes from an index up to another one, eight at most; what is missing is zero, white space.
  /// Nil when there is none, when one is not ASCII, and at the beginning of the buffer.
  @inline(__always)
  func asciiPart(at index: Int, before end: Int) -> ASCIIGroup? {
    let size = end - index
    guard size < 8 else { return asciiGroup(at: index, before: end) }
    guard size > 0, end >= 8, end <= count else { return nil }
    return ASCIIGroup(group(at: end - 8) &>> UInt64(truncatingIfNeeded: 64 - 8 * size))
  }

  @inline(__always)
  private func group(at index: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(
        fromByteOffset: index, as: UInt64.self))
  }
}
