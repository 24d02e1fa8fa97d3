/// Sixteen bytes of ASCII processed together. Results are masks with all bits of each matching byte
/// set.
struct ASCIIVector {
  typealias Lanes = SIMD16<UInt8>

  private let bytes: Lanes

  static let count = Lanes.scalarCount

  /// Loads sixteen bytes from an index of a buffer; returns nil unless all are ASCII.
  @inline(__always)
  init?(_ buffer: UnsafeBufferPointer<UInt8>, at index: Int) {
    self.init(unchecked: buffer, at: index)
    let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    guard (halves[0] | halves[1]) & ASCIIGroup.highestBits == 0 else { return nil }
  }

  /// Loads sixteen bytes from an index, without checking that all are ASCII; bytes that are not
  /// count neither as letters nor as white space.
  @inline(__always)
  init(unchecked buffer: UnsafeBufferPointer<UInt8>, at index: Int) {
    bytes = UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: Lanes.self)
  }

  /// The mask of white space and control characters.
  @inline(__always)
  var spaceMask: Lanes { rangeMask(0, 0x20, bytes) }

  /// The mask of ASCII letters.
  @inline(__always)
  var letterMask: Lanes { rangeMask(0x61, 0x7A, bytes | Lanes(repeating: 0x20)) }

  /// The mask of ASCII capital letters.
  @inline(__always)
  var capitalMask: Lanes { rangeMask(0x41, 0x5A, bytes) }

  /// The mask of ASCII digits.
  @inline(__always)
  var digitMask: Lanes { rangeMask(0x30, 0x39, bytes) }

  /// Returns the mask of bytes equal to a given one.
  @inline(__always)
  func equalityMask(to byte: UInt8) -> Lanes { rangeMask(byte, byte, bytes) }

  @inline(__always)
  private func rangeMask(_ first: UInt8, _ last: UInt8, _ bytes: Lanes) -> Lanes {
    let isWithin = bytes &- Lanes(repeating: first) .<= Lanes(repeating: last - first)
    return unsafeBitCast(isWithin, to: Lanes.self)
  }
}

extension ASCIIVector.Lanes {
  /// The two halves of a mask as 64-bit integers.
  @inline(__always)
  var halves: SIMD2<UInt64> { unsafeBitCast(self, to: SIMD2<UInt64>.self) }

  /// Whether the mask is empty.
  @inline(__always)
  var isEmptyMask: Bool { halves[0] | halves[1] == 0 }

  /// The sum of all lanes, which must be at most 255.
  @inline(__always)
  var smallSum: Int {
    let both = halves[0] &+ halves[1]
    return Int(truncatingIfNeeded: (both &* 0x0101_0101_0101_0101) >> 56)
  }
}
