// Elements of a page share their classes: of the values of attributes about two thirds come again. What
// has been found in one is kept by its bytes, in a table in which a later value takes the place of an
// earlier one, so that no page can make it slow.

/// What was found in the last different values of attributes.
struct ValueMemo {
  private struct Slot {
    /// Where the value stands; empty values are not kept.
    var start = 0, count = 0
    var result: UInt64 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 1 << bits)

  private static let bits: UInt64 = 8

  /// What is found in a value.
  /// - Parameters:
  ///   - value: Where it stands.
  ///   - bytes: The bytes of the page, always the same ones.
  ///   - find: Finds it in a value that has not come yet, or not for long.
  /// - Returns: What `find` says of the value.
  mutating func result(
    of value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>,
    find: (UnsafeBufferPointer<UInt8>) -> UInt64
  ) -> UInt64 {
    guard !value.isEmpty else { return 0 }
    let own = UnsafeBufferPointer(rebasing: bytes[value])
    let place = Int(truncatingIfNeeded: Self.hash(own) >> (64 - Self.bits))
    let slot = slots[place]
    if slot.count == own.count,
      Self.areEqual(own, UnsafeBufferPointer(rebasing: bytes[slot.start..<slot.start + slot.count]))
    {
      return slot.result
    }
    let result = find(own)
    slots[place] = Slot(start: value.lowerBound, count: own.count, result: result)
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

  /// Calls a function with the places and sizes of groups of eight bytes, the last of which may be smaller.
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
  /// Up to eight bytes in a word.
  @inline(__always)
  fileprivate func group(at index: Int, _ size: Int) -> UInt64 {
    let raw = UnsafeRawBufferPointer(self)
    guard size < 8 else { return raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
    // The eight bytes that end with them have some of those before.
    if count >= 8 {
      let last = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: 64 - 8 * size)
    }
    var group: UInt64 = 0
    for byte in self[index..<index + size] { group = group << 8 | UInt64(byte) }
    return group
  }
}
