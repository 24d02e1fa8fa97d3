// About two thirds of the attribute values of a page are repeated, because elements share classes.
// Results are cached by the bytes of the value in a table of fixed size; a later value overwrites
// an earlier one in the same slot, so that a page cannot make lookups slow.

/// A cache of results for attribute values.
struct AttributeValueCache {
  private struct Slot {
    /// The range of the value; empty values are not cached.
    var start = 0, length = 0
    var result: UInt64 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 1 << slotCountExponent)

  private static let slotCountExponent: UInt64 = 8

  /// Returns the result of `compute` for a value, cached if possible; 0 for an empty value. The
  /// bytes must be the same in all calls.
  mutating func result(
    of value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>,
    compute: (UnsafeBufferPointer<UInt8>) -> UInt64
  ) -> UInt64 {
    guard !value.isEmpty else { return 0 }
    let own = UnsafeBufferPointer(rebasing: bytes[value])
    let position = Int(truncatingIfNeeded: Self.hash(own) >> (64 - Self.slotCountExponent))
    let slot = slots[position]
    if slot.length == own.count,
      Self.areEqual(
        own, UnsafeBufferPointer(rebasing: bytes[slot.start..<slot.start + slot.length]))
    {
      return slot.result
    }
    let result = compute(own)
    slots[position] = Slot(start: value.lowerBound, length: own.count, result: result)
    return result
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    forEachGroup(of: bytes.count) {
      hash = (hash ^ bytes.group(at: $0, $1)) &* 0x9E37_79B9_7F4A_7C15
    }
    return hash ^ hash << 32
  }

  private static func areEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var difference: UInt64 = 0
    forEachGroup(of: left.count) { difference |= left.group(at: $0, $1) ^ right.group(at: $0, $1) }
    return difference == 0
  }

  /// Calls a function with the index and size of each group of eight bytes; the last may be
  /// smaller.
  @inline(__always)
  private static func forEachGroup(of count: Int, _ body: (Int, Int) -> Void) {
    var index = 0
    while index + 8 <= count {
      body(index, 8)
      index += 8
    }
    if index < count { body(index, count - index) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns at most eight bytes as an integer.
  @inline(__always)
  fileprivate func group(at index: Int, _ size: Int) -> UInt64 {
    let raw = UnsafeRawBufferPointer(self)
    guard size < 8 else { return raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
    // Loads the last eight bytes and shifts out those before `index`.
    if count >= 8 {
      let last = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: 64 - 8 * size)
    }
    var group: UInt64 = 0
    for byte in self[index..<index + size] { group = group << 8 | UInt64(byte) }
    return group
  }
}
