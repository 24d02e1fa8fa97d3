/// Sixteen bytes of ASCII that are looked at together. Answers are vectors with all bits of each byte
/// that is meant.
struct ASCIIVector {
  typealias Lanes = SIMD16<UInt8>

  private let bytes: Lanes

  /// How many bytes there are.
  static let count = Lanes.scalarCount

  /// The bytes from an index of a buffer on; nil when one is not ASCII.
  @inline(__always)
  init?(_ buffer: UnsafeBufferPointer<UInt8>, at index: Int) {
    self.init(unchecked: buffer, at: index)
    let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    guard (halves[0] | halves[1]) & ASCIIGroup.highest == 0 else { return nil }
  }

  /// The bytes from an index on, whatever they are: those that are not ASCII are neither letters nor
  /// white space.
  @inline(__always)
  init(unchecked buffer: UnsafeBufferPointer<UInt8>, at index: Int) {
    bytes = UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: Lanes.self)
  }

  /// White space and control characters.
  @inline(__always)
  var spaces: Lanes { within(0, 0x20, bytes) }

  /// ASCII letters.
  @inline(__always)
  var letters: Lanes { within(0x61, 0x7A, bytes | Lanes(repeating: 0x20)) }

  /// ASCII capital letters.
  @inline(__always)
  var capitals: Lanes { within(0x41, 0x5A, bytes) }

  /// ASCII digits.
  @inline(__always)
  var digits: Lanes { within(0x30, 0x39, bytes) }

  /// The bytes that are a given one.
  @inline(__always)
  func equal(to byte: UInt8) -> Lanes { within(byte, byte, bytes) }

  @inline(__always)
  private func within(_ first: UInt8, _ last: UInt8, _ bytes: Lanes) -> Lanes {
    let isWithin = bytes &- Lanes(repeating: first) .<= Lanes(repeating: last - first)
    return unsafeBitCast(isWithin, to: Lanes.self)
  }
}

extension ASCIIVector.Lanes {
  /// The answer for each half as a word with all bits of each byte that is meant.
  @inline(__always)
  var halves: SIMD2<UInt64> { unsafeBitCast(self, to: SIMD2<UInt64>.self) }

  /// Whether nothing is meant.
  @inline(__always)
  var isNone: Bool { halves[0] | halves[1] == 0 }

  /// The sum of small numbers, at most 255 in all.
  @inline(__always)
  var smallSum: Int {
    let both = halves[0] &+ halves[1]
    return Int(truncatingIfNeeded: (both &* 0x0101_0101_0101_0101) >> 56)
  }
}
