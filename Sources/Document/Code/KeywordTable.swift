/// A hash table (open addressing) of words of at most sixteen bytes.
struct KeywordTable: Sendable {
  private var slots: [PackedWord]
  /// For every first byte, the lengths of its words as bits.
  private var lengthBitsByFirstByte = [UInt32](repeating: 0, count: 256)
  private let ignoresCase: Bool

  /// Creates a table of words; longer ones are ignored.
  init(_ words: [[UInt8]], ignoringCase: Bool) {
    ignoresCase = ignoringCase
    var size = 8
    while size < words.count * 2 { size *= 2 }
    slots = Array(repeating: PackedWord(), count: size)
    for bytes in words where !bytes.isEmpty && bytes.count <= PackedWord.maxLength {
      let word = bytes.withUnsafeBufferPointer {
        PackedWord($0, bytes.indices, ignoringCase: ignoringCase)
      }
      var slot = word.firstSlotIndex(of: size)
      while slots[slot] != PackedWord(), slots[slot] != word { slot = (slot + 1) & (size - 1) }
      slots[slot] = word
      lengthBitsByFirstByte[Int(bytes[0].caseFolded(if: ignoringCase))] |= 1 << UInt32(bytes.count)
    }
  }

  /// Returns whether a nonempty range of a text is one of the words.
  func contains(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard range.count <= PackedWord.maxLength,
      lengthBitsByFirstByte[Int(text[range.lowerBound].caseFolded(if: ignoresCase))] & 1
        << UInt32(range.count) != 0
    else { return false }
    let word = PackedWord(text, range, ignoringCase: ignoresCase)
    var slot = word.firstSlotIndex(of: slots.count)
    while slots[slot] != PackedWord() {
      if slots[slot] == word { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }
}

/// A word of at most sixteen bytes, packed into an integer.
private struct PackedWord: Equatable {
  private var highBits: UInt64 = 0
  private var lowBits: UInt64 = 0

  static let maxLength = 16

  /// Creates an empty word, which marks a free slot.
  init() {}

  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, ignoringCase: Bool) {
    for index in range {
      highBits = highBits << 8 | lowBits >> 56
      lowBits = lowBits << 8 | UInt64(text[index].caseFolded(if: ignoringCase))
    }
  }

  /// Returns the first slot to probe in a table whose size is a power of two.
  func firstSlotIndex(of count: Int) -> Int {
    let mixed = (lowBits ^ highBits &* 0x9E37_79B9_7F4A_7C15) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40) & (count - 1)
  }
}

extension UInt8 {
  fileprivate func caseFolded(if ignoresCase: Bool) -> UInt8 {
    ignoresCase && self &- 0x41 < 26 ? self | 0x20 : self
  }
}
