/// Finds which of many ASCII words occur in a byte string, in one pass and in any case (Aho and
/// Corasick, 1975). Each word stands for a set of bits; the bits of all words found are the result.
struct WordMatcher: Sendable {
  /// The next state for each state and class of byte.
  private var next: [UInt16]
  /// The bits of the words that end in a state.
  private var found: [UInt32]
  /// The class of each byte: letters, digits and marks of the vocabulary; 0 for all others.
  private var classes: [UInt8]
  private let width: Int

  /// - Parameter words: Bits, and the lower-case words for which they stand, separated by commas. A
  ///   space stands for the beginning or the end of a name and for what separates names.
  init(_ words: [(UInt32, StaticString)]) {
    let comma = UInt8(ascii: ",")
    var classes = [UInt8](repeating: 0, count: 256)
    var width = 1
    for (_, list) in words {
      list.withUTF8Buffer {
        for byte in $0 where byte != comma && classes[Int(byte)] == 0 {
          classes[Int(byte)] = UInt8(width)
          if byte.isLetter { classes[Int(byte & 0xDF)] = UInt8(width) }
          width += 1
        }
      }
    }
    for byte in [0x09, 0x0A, 0x0C, 0x0D] { classes[byte] = classes[0x20] }
    self.classes = classes
    self.width = width
    next = [UInt16](repeating: 0, count: width)
    found = [0]
    let size = words.reduce(0) { $0 + $1.1.utf8CodeUnitCount }
    next.reserveCapacity(width * size)
    found.reserveCapacity(size)
    for (bits, list) in words { list.forEachPart(separator: comma) { add($0, bits) } }
    link()
  }

  private mutating func add(_ word: UnsafeBufferPointer<UInt8>, _ bits: UInt32) {
    var state = 0
    for byte in word {
      let place = state * width + Int(classes[Int(byte)])
      if next[place] == 0 {
        next[place] = UInt16(found.count)
        found.append(0)
        next.append(contentsOf: repeatElement(0, count: width))
      }
      state = Int(next[place])
    }
    found[state] |= bits
  }

  /// Turns the tree of words into an automaton, breadth first.
  private mutating func link() {
    var fallback = [UInt16](repeating: 0, count: found.count)
    var queue = next.prefix(width).filter { $0 != 0 }
    queue.reserveCapacity(found.count)
    var head = 0
    next.withUnsafeMutableBufferPointer { next in
      while head < queue.count {
        let state = Int(queue[head])
        head += 1
        found[state] |= found[Int(fallback[state])]
        let (own, other) = (state * width, Int(fallback[state]) * width)
        for letter in 0..<width {
          let target = next[other + letter]
          if next[own + letter] == 0 {
            next[own + letter] = target
          } else {
            fallback[Int(next[own + letter])] = target
            queue.append(next[own + letter])
          }
        }
      }
    }
  }

  /// The bits of all words in a range of bytes, which is read as if spaces stood around it.
  func match(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> UInt32 {
    var result: UInt32 = 0
    let space = Int(classes[0x20])
    next.withUnsafeBufferPointer { next in
      var state = Int(next[space])
      for index in range {
        state = Int(next[state * width + Int(classes[Int(bytes[index])])])
        result |= found[state]
      }
      state = Int(next[state * width + space])
      result |= found[state]
    }
    return result
  }
}
