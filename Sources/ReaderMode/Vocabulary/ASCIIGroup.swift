/// Eight bytes of ASCII processed together, the first in the lowest byte. Results are masks with
/// the highest bit of each matching byte set.
struct ASCIIGroup {
  private let bytes: UInt64

  static let highestBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowestBits: UInt64 = 0x0101_0101_0101_0101

  /// Returns nil unless all bytes are ASCII.
  init?(_ bytes: UInt64) {
    guard bytes & Self.highestBits == 0 else { return nil }
    self.bytes = bytes
  }

  /// Returns the number of bytes in a mask.
  static func count(_ mask: UInt64) -> Int {
    Int(truncatingIfNeeded: ((mask >> 7) &* lowestBits) >> 56)
  }

  /// The bytes with bit 5 set, which converts letters to lower case.
  var lowercasedBytes: UInt64 { bytes | Self.lowestBits &* 0x20 }

  var letterMask: UInt64 { rangeMask(0x61, 0x7A, lowercasedBytes) }

  var capitalMask: UInt64 { rangeMask(0x41, 0x5A, bytes) }

  var digitMask: UInt64 { rangeMask(0x30, 0x39, bytes) }

  /// Returns the mask of bytes in a range, both ends included.
  @inline(__always)
  private func rangeMask(_ first: UInt64, _ last: UInt64, _ bytes: UInt64) -> UInt64 {
    (bytes &+ Self.lowestBits &* (0x80 - first)) & ~(bytes &+ Self.lowestBits &* (0x7F - last))
      & Self.highestBits
  }

  /// The mask of white space and control characters.
  var spaceMask: UInt64 { (Self.lowestBits &* 0xA0 &- bytes) & Self.highestBits }

  func mask(equalTo byte: UInt8) -> UInt64 {
    (Self.highestBits &- (bytes ^ Self.lowestBits &* UInt64(byte))) & Self.highestBits
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the eight bytes from an index; nil if they extend beyond `end` or are not ASCII.
  @inline(__always)
  func asciiGroup(at index: Int, before end: Int) -> ASCIIGroup? {
    guard end - index >= 8, end <= count else { return nil }
    return ASCIIGroup(group(at: index))
  }

  /// Returns at most eight bytes from an index up to `end`, padded with zeros, which count as white
  /// space. Returns nil if there are none, if one is not ASCII, or if `end` is less than eight
  /// bytes from the beginning of the buffer.
  @inline(__always)
  func paddedASCIIGroup(at index: Int, before end: Int) -> ASCIIGroup? {
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
