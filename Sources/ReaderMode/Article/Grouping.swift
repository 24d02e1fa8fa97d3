/// Assigns a group number to each distinct key: 0, 1, 2, … in order of first occurrence.
///
/// A hash table with multiplicative hashing. The factor is random per process, so that a page
/// cannot choose colliding keys (Dietzfelbinger et al., 1997).
struct Grouping {
  /// For each key, its group number.
  private(set) var groupNumbers: [Int32] = []
  private(set) var count = 0

  private static let factor = UInt64.random(in: 0...UInt64.max) | 1

  init(_ keys: [UInt64]) {
    groupNumbers.reserveCapacity(keys.count)
    let bits = Int.bitWidth - max(1, keys.count).leadingZeroBitCount + 1
    let mask = 1 << bits - 1
    var first: [UInt64] = []
    var slots = [Int32](repeating: -1, count: mask + 1)
    slots.withUnsafeMutableBufferPointer { slots in
      for key in keys {
        var slot = Int(truncatingIfNeeded: (key &* Self.factor) >> UInt64(64 - bits))
        while slots[slot] >= 0, first[Int(slots[slot])] != key { slot = (slot + 1) & mask }
        if slots[slot] < 0 {
          slots[slot] = Int32(first.count)
          first.append(key)
        }
        groupNumbers.append(slots[slot])
      }
    }
    count = first.count
  }
}
