import DOM

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
    var branches = [Branch(letter: 0, sibling: 0)]
    branches.reserveCapacity(size)
    for (bits, list) in words { list.forEachPart(separator: comma) { add($0, bits, &branches) } }
    link(branches)
  }

  /// The tree of words at a state: the state that follows it first, the one that follows the same state
  /// next, or 0, and the class of byte that leads here.
  private struct Branch {
    var first = 0
    let letter: Int
    let sibling: Int

    init(letter: Int, sibling: Int) { (self.letter, self.sibling) = (letter, sibling) }
  }

  private mutating func add(
    _ word: UnsafeBufferPointer<UInt8>, _ bits: UInt32, _ branches: inout [Branch]
  ) {
    var state = 0
    for byte in word {
      let letter = Int(classes[Int(byte)])
      let place = state * width + letter
      if next[place] == 0 {
        next[place] = UInt16(found.count)
        branches.append(Branch(letter: letter, sibling: branches[state].first))
        branches[state].first = found.count
        found.append(0)
        next.append(contentsOf: repeatElement(0, count: width))
      }
      state = Int(next[place])
    }
    found[state] |= bits
  }

  /// Turns the tree of words into an automaton, breadth first.
  private mutating func link(_ branches: [Branch]) {
    var fallback = [Int](repeating: 0, count: found.count)
    var queue: [Int] = [0]
    queue.reserveCapacity(found.count)
    var head = 0
    let width = width
    next.withUnsafeMutableBufferPointer { next in
      while head < queue.count {
        let state = queue[head]
        head += 1
        found[state] |= found[fallback[state]]
        var branch = branches[state].first
        while branch > 0 {
          if state > 0 {
            fallback[branch] = Int(next[fallback[state] * width + branches[branch].letter])
          }
          queue.append(branch)
          branch = branches[branch].sibling
        }
        guard state > 0 else { continue }
        Self.fill(
          UnsafeMutableRawBufferPointer(next), state * width, from: fallback[state] * width, width)
      }
    }
  }

  /// Gives a row of states those of another one where it has none.
  private static func fill(
    _ next: UnsafeMutableRawBufferPointer, _ own: Int, from other: Int, _ width: Int
  ) {
    typealias Lanes = SIMD8<UInt16>
    for letter in stride(from: 0, through: width - Lanes.scalarCount, by: Lanes.scalarCount) {
      let row = next.loadUnaligned(fromByteOffset: 2 * (own + letter), as: Lanes.self)
      let others = next.loadUnaligned(fromByteOffset: 2 * (other + letter), as: Lanes.self)
      next.storeBytes(
        of: row.replacing(with: others, where: row .== 0), toByteOffset: 2 * (own + letter),
        as: Lanes.self)
    }
    let states = next.bindMemory(to: UInt16.self)
    for letter in width / Lanes.scalarCount * Lanes.scalarCount..<width
    where states[own + letter] == 0 {
      states[own + letter] = states[other + letter]
    }
  }

  /// The bits of all words in a range of bytes, which is read as if spaces stood around it.
  func match(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> UInt32 {
    var result: UInt32 = 0
    let (space, width) = (Int(classes[0x20]), width)
    next.withUnsafeBufferPointer { next in
      found.withUnsafeBufferPointer { found in
        classes.withUnsafeBufferPointer { classes in
          var state = Int(next[space])
          for index in range {
            state = Int(next[state * width + Int(classes[Int(bytes[index])])])
            result |= found[state]
          }
          result |= found[Int(next[state * width + space])]
        }
      }
    }
    return result
  }
}
