/// Finds which of many ASCII words occur in a text, in one pass and regardless of case. Each word
/// has a set of bits; the result is the union over all words found.
///
/// Words are found by a hash of their first three bytes (Wu and Manber, 1994, but without shifts,
/// because the texts are short). The table is built on startup and must be cheap to build.
package struct WordMatcher: Sendable {
  private struct Slot {
    /// The first three bytes, or 0 for a free slot.
    var key: UInt32 = 0
    /// The bits of the word.
    var bits: UInt32 = 0
    /// The range of the word in `bytes`.
    var start: UInt16 = 0, end: UInt16 = 0
  }

  private var slots: [Slot]
  /// The bytes of all words.
  private var bytes: [UInt8] = []
  private let hashShift: UInt32
  /// For each byte, the byte to compare: letters in lower case, white space as a space.
  private let foldedBytes: [UInt8]

  /// Creates a matcher for some words.
  /// - Parameter words: Bits with their lower-case words, separated by commas, each of at least
  ///   three bytes. A space in a word matches the start or end of a name and the separator between
  ///   names.
  package init(_ words: [(UInt32, StaticString)]) {
    let size = words.reduce(0) { $0 + $1.1.utf8CodeUnitCount }
    // Words have eight bytes on average, so that an eighth of the slots is used.
    let slotCountBits = max(4, Int.bitWidth - size.leadingZeroBitCount)
    slots = Array(repeating: Slot(), count: 1 << slotCountBits)
    hashShift = UInt32(32 - slotCountBits)
    bytes.reserveCapacity(size)
    foldedBytes = (0...255).map { (byte: UInt8) in
      switch byte {
      case 0x41...0x5A: byte | 0x20
      case 0x09, 0x0A, 0x0C, 0x0D: Self.space
      default: byte
      }
    }
    for (bits, list) in words {
      list.forEachPart(separator: UInt8(ascii: ",")) { word in
        precondition(word.count >= Self.keySize)
        let start = bytes.count
        bytes.append(contentsOf: word)
        let key = word.prefix(Self.keySize).reduce(0) { $0 << 8 | UInt32($1) }
        var position = self.slot(of: key)
        while slots[position].key != 0 { position = (position + 1) & (slots.count - 1) }
        slots[position] = Slot(
          key: key, bits: bits, start: UInt16(start), end: UInt16(bytes.count))
      }
    }
  }

  /// Creates a matcher whose result is 1 if any of the words, separated by commas, occurs.
  package init(_ words: StaticString) { self.init([(1, words)]) }

  private static let keySize = 3
  private static let space = UInt8(ascii: " ")

  @inline(__always)
  private func slot(of key: UInt32) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B1) &>> hashShift)
  }

  /// Returns the bits of all words in a range of bytes, treating the range as surrounded by spaces.
  package func match(_ text: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> UInt32 {
    var result: UInt32 = 0
    slots.withUnsafeBufferPointer { slots in
      foldedBytes.withUnsafeBufferPointer { folded in
        var key = UInt32(Self.space)
        for index in range {
          key = (key &<< 8 | UInt32(folded[Int(text[index])])) & 0xFF_FFFF
          guard slots[slot(of: key)].key != 0 else { continue }
          addBits(key, endingAt: index, text, range, &result)
        }
        key = (key &<< 8 | UInt32(Self.space)) & 0xFF_FFFF
        addBits(key, endingAt: range.upperBound, text, range, &result)
      }
    }
    return result
  }

  /// Adds the bits of the words that begin with the three bytes `key`, the last of which is at
  /// `index`.
  private func addBits(
    _ key: UInt32, endingAt index: Int, _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>,
    _ result: inout UInt32
  ) {
    var position = self.slot(of: key)
    while slots[position].key != 0 {
      if slots[position].key == key, result | slots[position].bits != result,
        hasWord(slots[position], afterKeyEndingAt: index, text, range)
      {
        result |= slots[position].bits
      }
      position = (position + 1) & (slots.count - 1)
    }
  }

  /// Returns whether the rest of a word follows its first three bytes, the last of which is at
  /// `index`.
  private func hasWord(
    _ slot: Slot, afterKeyEndingAt index: Int, _ text: UnsafeBufferPointer<UInt8>,
    _ range: Range<Int>
  ) -> Bool {
    var index = index
    for byte in bytes[Int(slot.start) + Self.keySize..<Int(slot.end)] {
      index += 1
      guard index <= range.upperBound else { return false }
      guard byte == (index < range.upperBound ? foldedBytes[Int(text[index])] : Self.space) else {
        return false
      }
    }
    return true
  }
}
