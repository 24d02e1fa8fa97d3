import DOM

// Words are compared by their hashes, and texts by the hashes of all groups of three consecutive
// words: two copies of a text share most groups regardless of the text around them.

/// The share of each block that is repeated elsewhere: in the title, in metadata, or in another
/// block.
struct BlockRepetitions {
  /// Numbers of words, of groups of three consecutive words, and of those that also occur
  /// elsewhere.
  struct Counts {
    /// The number of words, and the number of groups of three consecutive words.
    var wordCount: Int32 = 0, groupCount: Int32 = 0
    /// The number of words that also occur in the title.
    var sharedTitleWordCount: Int32 = 0
    /// The number of groups that also occur in the descriptions in the head.
    var sharedDescriptionGroupCount: Int32 = 0
    /// The number of groups that also occur in texts of linked data.
    var sharedDataGroupCount: Int32 = 0
    /// The number of groups that also occur in other blocks.
    var otherBlockGroupCount: Int32 = 0

    static func - (left: Counts, right: Counts) -> Counts { left.combined(with: right, by: -) }
    static func + (left: Counts, right: Counts) -> Counts { left.combined(with: right, by: +) }

    @inline(__always)
    private func combined(with other: Counts, by combine: (Int32, Int32) -> Int32) -> Counts {
      Counts(
        wordCount: combine(wordCount, other.wordCount),
        groupCount: combine(groupCount, other.groupCount),
        sharedTitleWordCount: combine(sharedTitleWordCount, other.sharedTitleWordCount),
        sharedDescriptionGroupCount: combine(
          sharedDescriptionGroupCount, other.sharedDescriptionGroupCount),
        sharedDataGroupCount: combine(sharedDataGroupCount, other.sharedDataGroupCount),
        otherBlockGroupCount: combine(otherBlockGroupCount, other.otherBlockGroupCount))
    }
  }

  /// The sums over all blocks before each index.
  private(set) var prefixSums: [Counts] = []
  /// The number of distinct words of the title.
  private(set) var titleWordCount = 0
  /// The number of distinct groups in the descriptions.
  private(set) var descriptionGroupCount = 0
  /// The number of distinct groups in the texts of linked data.
  private(set) var dataGroupCount = 0

  /// The maximum number of words compared; later text counts as not repeated.
  private static let maxWordCount = 1 << 16

  /// Counts the repeated words and groups of words in each block of a page.
  init(_ page: PageBlocks, of tree: DOMTree, title: String) {
    let hashedTitle = HashedText(title)
    var titleWords = HashMap(capacity: hashedTitle.wordCount)
    hashedTitle.forEachWord { titleWords.insert($0, 0) }
    titleWordCount = titleWords.count
    let descriptionGroups = HashMap(tree.descriptions.flatMap(\.groupHashes))
    descriptionGroupCount = descriptionGroups.count
    let dataGroups = HashMap(tree.linkedDataTexts.flatMap(\.groupHashes))
    dataGroupCount = dataGroups.count
    var counts = [Counts](repeating: Counts(), count: page.blocks.count)
    let examinedWordCount = min(Self.maxWordCount, page.sum(page.allBlockIndices).wordCount)
    // The first block that contains each group.
    var firstBlocks = HashMap(capacity: examinedWordCount)
    var remainingWordCount = Self.maxWordCount
    var text = HashedText()
    for (index, block) in page.blocks.enumerated() where remainingWordCount > 0 {
      text.removeAll()
      text.add(page.textNodes(of: block), of: tree, maxWordCount: remainingWordCount)
      remainingWordCount -= text.wordCount
      var blockCounts = Counts(wordCount: Int32(text.wordCount))
      text.forEachWord { if titleWords[$0] != nil { blockCounts.sharedTitleWordCount += 1 } }
      text.forEachGroup { group in
        blockCounts.groupCount += 1
        if descriptionGroups[group] != nil { blockCounts.sharedDescriptionGroupCount += 1 }
        if dataGroups[group] != nil { blockCounts.sharedDataGroupCount += 1 }
        guard let firstBlock = firstBlocks.insert(group, Int32(index)), firstBlock != index else {
          return
        }
        blockCounts.otherBlockGroupCount += 1
        if counts[Int(firstBlock)].otherBlockGroupCount < counts[Int(firstBlock)].groupCount {
          counts[Int(firstBlock)].otherBlockGroupCount += 1
        }
      }
      counts[index] = blockCounts
    }
    prefixSums.reserveCapacity(counts.count + 1)
    prefixSums.append(Counts())
    for blockCounts in counts { prefixSums.append(prefixSums[prefixSums.count - 1] + blockCounts) }
  }

  func counts(_ blocks: Range<Int32>) -> Counts {
    prefixSums[Int(blocks.upperBound)] - prefixSums[Int(blocks.lowerBound)]
  }
}

/// The words of a text as hashes.
private struct HashedText {
  /// A buffer of hashes, of which the first `wordCount` are valid.
  private var wordHashes: [UInt32] = []
  private(set) var wordCount = 0

  init() {}

  init(_ text: String) {
    var text = text
    text.withUTF8 { add($0, maxWordCount: .max) }
  }

  init(markup: [UInt8]) {
    markup.withUnsafeBufferPointer { add($0, maxWordCount: .max, skipsTags: true) }
  }

  /// Calls a function with the hash of each word.
  @inline(__always)
  func forEachWord(_ body: (UInt32) -> Void) {
    wordHashes.withUnsafeBufferPointer { for word in $0.prefix(wordCount) { body(word) } }
  }

  /// The hashes of all groups of three consecutive words; for a shorter text, one hash of all its
  /// words.
  var groupHashes: [UInt32] {
    var groups: [UInt32] = []
    groups.reserveCapacity(wordCount)
    forEachGroup { groups.append($0) }
    return groups
  }

  /// Calls a function with each of `groupHashes`.
  @inline(__always)
  func forEachGroup(_ body: (UInt32) -> Void) {
    wordHashes.withUnsafeBufferPointer { hashes in
      guard wordCount > 2 else {
        if wordCount > 0 { body(hashes.prefix(wordCount).reduce(17) { $0 &* 0x9E37_79B1 ^ $1 }) }
        return
      }
      for index in 2..<wordCount {
        let pair = hashes[index - 2] &* 0x85EB_CA6B ^ hashes[index - 1]
        let group = pair &* 0xC2B2_AE35 ^ hashes[index]
        body(group ^ group >> 15)
      }
    }
  }

  /// Removes all words but keeps the buffer.
  mutating func removeAll() { wordCount = 0 }

  /// Appends the words of text nodes, up to `maxWordCount` words in total.
  mutating func add(_ nodes: ArraySlice<Int32>, of tree: DOMTree, maxWordCount: Int) {
    for node in nodes {
      let range = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
      tree.bytes.withUnsafeBufferPointer {
        add(UnsafeBufferPointer(rebasing: $0[range]), maxWordCount: maxWordCount)
      }
    }
  }

  /// Appends the words of a text, up to `maxWordCount` words in total. Each Chinese, Japanese or
  /// Korean character is a word.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, maxWordCount: Int, skipsTags: Bool = false)
  {
    // Each word has at least one byte.
    let maxNewCount = wordCount + min(bytes.count, max(0, maxWordCount - wordCount))
    if maxNewCount > wordHashes.count {
      wordHashes += repeatElement(
        0, count: max(maxNewCount, 2 * wordHashes.count) - wordHashes.count)
    }
    var count = wordCount
    wordHashes.withUnsafeMutableBufferPointer { hashes in
      var index = 0
      while index < bytes.count, count < maxWordCount {
        let byte = bytes[index]
        if skipsTags, byte == UInt8(ascii: "<") {
          while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
          continue
        }
        guard byte.isInWord else {
          // Skips a whole character: quotation marks, dashes and Unicode spaces also separate
          // words.
          index += byte == 0xE2 ? 3 : byte == 0xC2 ? 2 : 1
          continue
        }
        hashes[count] =
          (0xE3...0xED).contains(byte)
          ? Self.ideograph(bytes, &index) : Self.word(bytes, &index)
        count += 1
      }
    }
    self.wordCount = count
  }

  /// Returns the hash of the character at an index and advances the index past it.
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

  /// Returns the hash of the word at an index and advances the index past it. Bytes are hashed
  /// eight at a time, with a fast path for ASCII.
  @inline(__always)
  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    var hash: UInt64 = 0
    while let asciiGroup = bytes.paddedASCIIGroup(at: index, before: bytes.count) {
      let delimiterMask = ~(asciiGroup.letterMask | asciiGroup.digitMask) & ASCIIGroup.highestBits
      let count = delimiterMask.trailingZeroBitCount >> 3
      index += count
      guard count < 8 else {
        mix(asciiGroup.lowercasedBytes, into: &hash)
        continue
      }
      if count > 0 {
        mix(
          asciiGroup.lowercasedBytes & (1 &<< UInt64(truncatingIfNeeded: 8 * count) &- 1),
          into: &hash)
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
  /// Whether the byte is a letter, a digit or part of a non-ASCII one.
  fileprivate var isInWord: Bool {
    isLetter || isDigit || self >= 0x80 && self != 0xE2 && self != 0xC2
  }
}

/// A hash table from hashes to numbers. Keys with no free slot within reach are dropped, so that a
/// page cannot make lookups slow.
private struct HashMap {
  /// The key in the upper half and the number plus 1 in the lower half; 0 if free.
  private var slots: [UInt64]
  private let shift: UInt32
  private(set) var count = 0
  /// One bit for each value of the lower six bits of a key: a quick test, because most lookups
  /// fail.
  private var keyFilter: UInt64 = 0

  private static let maxProbes = 32

  init(capacity: Int) {
    let bits = max(4, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
    slots = Array(repeating: 0, count: 1 << bits + Self.maxProbes)
    shift = UInt32(32 - bits)
  }

  init(_ keys: [UInt32]) {
    self.init(capacity: keys.count)
    for key in keys { insert(key, 0) }
  }

  subscript(key: UInt32) -> Int32? {
    guard keyFilter & Self.bit(of: key) != 0 else { return nil }
    let position = self.slotIndex(of: key)
    return slots.withUnsafeBufferPointer { slots in
      for slot in position..<position + Self.maxProbes {
        if slots[slot] == 0 { return nil }
        if UInt32(truncatingIfNeeded: slots[slot] >> 32) == key { return Self.value(slots[slot]) }
      }
      return nil
    }
  }

  /// Adds a number for a key unless the key already has one.
  /// - Returns: The number that the key already has; nil if it was added or dropped.
  @discardableResult
  mutating func insert(_ key: UInt32, _ value: Int32) -> Int32? {
    let position = self.slotIndex(of: key)
    let (found, isNew): (Int32?, Bool) = slots.withUnsafeMutableBufferPointer { slots in
      for slot in position..<position + Self.maxProbes {
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
    keyFilter |= Self.bit(of: key)
    return found
  }

  @inline(__always)
  private static func bit(of key: UInt32) -> UInt64 { 1 &<< UInt64(key & 63) }

  @inline(__always)
  private static func value(_ slot: UInt64) -> Int32 { Int32(truncatingIfNeeded: slot) &- 1 }

  private func slotIndex(of key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> shift) }
}

extension DOMTree {
  /// The descriptions of the page in its head.
  fileprivate var descriptions: [HashedText] {
    nodes.indices.compactMap { index in
      guard nodes[index].name == .meta else { return nil }
      let node = Int32(index)
      guard
        value(.name, of: node, contains: "description")
          || value(.property, of: node, contains: "og:description")
          || value(.name, of: node, contains: "twitter:description"),
        let content = attribute(.content, of: node)
      else { return nil }
      return HashedText(markup: Array(bytes[content]))
    }
  }

  /// The longer texts in linked data.
  fileprivate var linkedDataTexts: [HashedText] {
    var data = DataTexts(.linkedData)
    data.scan(.linkedData, of: self)
    return data.texts.filter { $0.bytes.count >= Self.minTextLength }.map {
      HashedText(markup: $0.bytes)
    }
  }

  private static let minTextLength = 40
}
