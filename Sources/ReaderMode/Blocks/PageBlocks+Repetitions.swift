import DOM

// Words are compared by hashes, and texts by those of each three words in a row: what says the same in
// another place shares most of them, whatever stands before and behind it.

/// How much of each block is said in another place, too: in the title, in what the page says of itself
/// to programs, and once more on the page.
struct BlockRepetitions {
  /// What is shared, in words of the title or in groups of three words.
  struct Counts {
    /// Words, and groups of three.
    var words: Int32 = 0, groups: Int32 = 0
    /// Words of the title.
    var title: Int32 = 0
    /// Groups of the descriptions in the head.
    var description: Int32 = 0
    /// Groups of the texts in linked data.
    var data: Int32 = 0
    /// Groups of other blocks.
    var others: Int32 = 0

    static func - (left: Counts, right: Counts) -> Counts {
      Counts(
        words: left.words - right.words, groups: left.groups - right.groups,
        title: left.title - right.title, description: left.description - right.description,
        data: left.data - right.data, others: left.others - right.others)
    }

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        words: left.words + right.words, groups: left.groups + right.groups,
        title: left.title + right.title, description: left.description + right.description,
        data: left.data + right.data, others: left.others + right.others)
    }
  }

  /// The sums over all blocks before an index.
  private(set) var sums: [Counts] = []
  /// Different words of the title.
  private(set) var titleWords = 0
  /// Groups of the descriptions and of the texts in linked data.
  private(set) var descriptionGroups = 0
  private(set) var dataGroups = 0

  /// So many words are compared; the rest of a longer page has none in common with anything.
  private static let mostWords = 1 << 16

  /// - Parameters:
  ///   - page: The blocks.
  ///   - tree: The page they are of.
  ///   - title: Its title.
  init(_ page: PageBlocks, of tree: DOMTree, title: String) {
    let own = ComparedText(title)
    var ofTitle = HashMap(capacity: own.count)
    own.forEachWord { ofTitle.insert($0, 0) }
    titleWords = ofTitle.count
    let ofDescriptions = HashMap(tree.descriptions.flatMap(\.groups))
    descriptionGroups = ofDescriptions.count
    let ofData = HashMap(tree.linkedTexts.flatMap(\.groups))
    dataGroups = ofData.count
    var counts = [Counts](repeating: Counts(), count: page.blocks.count)
    let total = min(Self.mostWords, page.sum(page.all).words)
    // The block in which each group was found first.
    var first = HashMap(capacity: total)
    var left = Self.mostWords
    var text = ComparedText()
    for (index, block) in page.blocks.enumerated() where left > 0 {
      text.removeAll()
      for node in page.texts[Int(block.texts.lowerBound)..<Int(block.texts.upperBound)] {
        let range = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
        tree.bytes.withUnsafeBufferPointer {
          text.add(UnsafeBufferPointer(rebasing: $0[range]), most: left)
        }
      }
      left -= text.count
      var own = Counts(words: Int32(text.count))
      text.forEachWord { if ofTitle[$0] != nil { own.title += 1 } }
      text.forEachGroup { group in
        own.groups += 1
        if ofDescriptions[group] != nil { own.description += 1 }
        if ofData[group] != nil { own.data += 1 }
        guard let other = first.insert(group, Int32(index)), other != index else { return }
        own.others += 1
        if counts[Int(other)].others < counts[Int(other)].groups { counts[Int(other)].others += 1 }
      }
      counts[index] = own
    }
    sums.reserveCapacity(counts.count + 1)
    sums.append(Counts())
    for own in counts { sums.append(sums[sums.count - 1] + own) }
  }

  /// What a range of blocks has in common with other texts.
  func counts(_ blocks: Range<Int32>) -> Counts {
    sums[Int(blocks.upperBound)] - sums[Int(blocks.lowerBound)]
  }
}

/// The words of a text by their hashes.
private struct ComparedText {
  /// Room for words, of which `count` are there.
  private var room: [UInt32] = []
  private(set) var count = 0

  init() {}

  init(_ text: String) {
    var text = text
    text.withUTF8 { add($0, most: .max) }
  }

  init(markup: [UInt8]) {
    markup.withUnsafeBufferPointer { add($0, most: .max, skipsTags: true) }
  }

  /// Calls a function with each word.
  @inline(__always)
  func forEachWord(_ body: (UInt32) -> Void) {
    room.withUnsafeBufferPointer { for word in $0.prefix(count) { body(word) } }
  }

  /// Hashes of each three words in a row; of fewer words one of all.
  var groups: [UInt32] {
    var groups: [UInt32] = []
    groups.reserveCapacity(count)
    forEachGroup { groups.append($0) }
    return groups
  }

  /// Calls a function with each of `groups`.
  @inline(__always)
  func forEachGroup(_ body: (UInt32) -> Void) {
    room.withUnsafeBufferPointer { words in
      guard count > 2 else {
        if count > 0 { body(words.prefix(count).reduce(17) { $0 &* 0x9E37_79B1 ^ $1 }) }
        return
      }
      for index in 2..<count {
        let pair = words[index - 2] &* 0x85EB_CA6B ^ words[index - 1]
        let group = pair &* 0xC2B2_AE35 ^ words[index]
        body(group ^ group >> 15)
      }
    }
  }

  /// Forgets all words, and keeps their memory.
  mutating func removeAll() { count = 0 }

  /// Adds the words of some bytes, up to so many in all. A character of Chinese, Japanese or Korean is a
  /// word.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, most: Int, skipsTags: Bool = false) {
    // No word has less than a byte.
    let needed = count + min(bytes.count, max(0, most - count))
    if needed > room.count {
      room += repeatElement(0, count: max(needed, 2 * room.count) - room.count)
    }
    var count = count
    room.withUnsafeMutableBufferPointer { words in
      var index = 0
      while index < bytes.count, count < most {
        let byte = bytes[index]
        if skipsTags, byte == UInt8(ascii: "<") {
          while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
          continue
        }
        guard byte.isInWord else {
          // Quotation marks, dashes and spaces of other kinds stand between words, too.
          index += byte == 0xE2 ? 3 : byte == 0xC2 ? 2 : 1
          continue
        }
        words[count] =
          (0xE3...0xED).contains(byte)
          ? Self.ideograph(bytes, &index) : Self.word(bytes, &index)
        count += 1
      }
    }
    self.count = count
  }

  /// The hash of the character that begins at an index, which is behind it then.
  private static func ideograph(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for _ in 0..<3 where index < bytes.count {
      hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193
      index += 1
    }
    return hash
  }

  /// The hash of the word that begins at an index, which is behind it then. Its bytes are hashed eight at
  /// a time, looked at together where they are ASCII.
  @inline(__always)
  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    var hash: UInt64 = 0
    while let part = bytes.asciiPart(at: index, before: bytes.count) {
      let others = ~(part.letters | part.digits) & ASCIIGroup.highest
      let count = others.trailingZeroBitCount >> 3
      index += count
      guard count < 8 else {
        mix(part.folded, into: &hash)
        continue
      }
      if count > 0 {
        mix(part.folded & (1 &<< UInt64(truncatingIfNeeded: 8 * count) &- 1), into: &hash)
      }
      return UInt32(truncatingIfNeeded: hash >> 32)
    }
    var (group, size): (UInt64, UInt64) = (0, 0)
    while index < bytes.count, bytes[index].isInWord {
      group |= UInt64(bytes[index] | 0x20) &<< (8 * size)
      index += 1
      size += 1
      guard size == 8 else { continue }
      mix(group, into: &hash)
      (group, size) = (0, 0)
    }
    if size > 0 { mix(group, into: &hash) }
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  @inline(__always)
  private static func mix(_ group: UInt64, into hash: inout UInt64) {
    hash = (hash ^ group) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }
}

extension UInt8 {
  /// A letter, a digit, or a part of one that is not ASCII.
  fileprivate var isInWord: Bool {
    isLetter || isDigit || self >= 0x80 && self != 0xE2 && self != 0xC2
  }
}

/// A hash table from hashes to numbers. What finds no place near its own is left out, so that no page can
/// make it slow.
private struct HashMap {
  /// Keys in the upper half, numbers and 1 in the lower one; 0 when empty.
  private var slots: [UInt64]
  private let shift: UInt32
  private(set) var count = 0
  /// The lower bits of all keys, a bit for each of their values: most that is asked for is not there.
  private var seen: UInt64 = 0

  private static let reach = 32

  init(capacity: Int) {
    let bits = max(4, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
    slots = Array(repeating: 0, count: 1 << bits + Self.reach)
    shift = UInt32(32 - bits)
  }

  init(_ keys: [UInt32]) {
    self.init(capacity: keys.count)
    for key in keys { insert(key, 0) }
  }

  subscript(key: UInt32) -> Int32? {
    guard seen & Self.bit(of: key) != 0 else { return nil }
    let place = self.place(of: key)
    return slots.withUnsafeBufferPointer { slots in
      for slot in place..<place + Self.reach {
        if slots[slot] == 0 { return nil }
        if UInt32(truncatingIfNeeded: slots[slot] >> 32) == key { return Self.value(slots[slot]) }
      }
      return nil
    }
  }

  /// Adds a number for a key that has none.
  /// - Returns: The number that it has already.
  @discardableResult
  mutating func insert(_ key: UInt32, _ value: Int32) -> Int32? {
    let place = self.place(of: key)
    let (found, isNew): (Int32?, Bool) = slots.withUnsafeMutableBufferPointer { slots in
      for slot in place..<place + Self.reach {
        if slots[slot] == 0 {
          slots[slot] = UInt64(key) << 32 | UInt64(UInt32(bitPattern: value) &+ 1)
          return (nil, true)
        }
        if UInt32(truncatingIfNeeded: slots[slot] >> 32) == key {
          return (Self.value(slots[slot]), false)
        }
      }
      return (nil, false)
    }
    if isNew { count += 1 }
    seen |= Self.bit(of: key)
    return found
  }

  @inline(__always)
  private static func bit(of key: UInt32) -> UInt64 { 1 &<< UInt64(key & 63) }

  @inline(__always)
  private static func value(_ slot: UInt64) -> Int32 { Int32(truncatingIfNeeded: slot) &- 1 }

  private func place(of key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> shift) }
}

extension DOMTree {
  /// What the page says of itself in its head.
  fileprivate var descriptions: [ComparedText] {
    nodes.indices.compactMap { index in
      guard nodes[index].name == .meta else { return nil }
      let node = Int32(index)
      guard
        value(.name, of: node, contains: "description")
          || value(.property, of: node, contains: "og:description")
          || value(.name, of: node, contains: "twitter:description"),
        let content = attribute(.content, of: node)
      else { return nil }
      return ComparedText(markup: Array(bytes[content]))
    }
  }

  /// The longer texts in linked data.
  fileprivate var linkedTexts: [ComparedText] {
    var data = DataTexts(.linkedData)
    bytes.withUnsafeBufferPointer { bytes in
      for script in structuredData where script.kind == .linkedData {
        data.read(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
    }
    return data.texts.filter { $0.bytes.count >= Self.leastText }.map {
      ComparedText(markup: $0.bytes)
    }
  }

  private static let leastText = 40
}
