import DOM

/// Counts for the text of a block.
struct BlockTextCounts {
  var wordCount: UInt32 = 0
  var linkWordCount: UInt32 = 0
  var linkCount: UInt32 = 0
  var wordByteCount: UInt32 = 0
  /// The number of words with a capital initial.
  var capitalizedWordCount: UInt32 = 0
  /// The number of words that consist of digits.
  var numberCount: UInt32 = 0
  /// The number of full stops, question marks and exclamation marks after words.
  var sentenceEndCount: UInt32 = 0
  var commaCount: UInt32 = 0
  /// The number of separators of a menu line or path (`|`, `›`, `•`).
  var separatorCount: UInt32 = 0
  var hasPrice = false
  var hasCopyright = false
  /// The last byte that is not white space.
  var lastByte: UInt8 = 0
  /// A hash of the letters and digits of the first words; see `textHash`.
  var openingHash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Hashes of the first one, two, three and four words.
  var openingHashes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  private var isInWord = false
  private var isWordNumeric = false
  /// The letters of the current word that are not in `openingHash` yet.
  private var pendingLetters: UInt64 = 0

  /// Whether the text reads as prose: few links, and either long or with sentences.
  var isProse: Bool {
    linkWordCount * 3 < wordCount && (wordCount >= 12 || wordCount >= 6 && sentenceEndCount > 0)
  }

  /// The number of words that are hashed; their hash and the total numbers of words and letters
  /// identify a text.
  private static let hashedWordCount = 16

  /// A hash that is equal for equal texts.
  var textHash: UInt64 {
    (openingHash ^ UInt64(wordCount) << 32 ^ UInt64(wordByteCount)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Appends a range of bytes from a buffer; `isLink` is whether it is the text of a link.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, isLink: Bool) {
    let before = wordCount
    let end = range.upperBound
    Self.classes.withUnsafeBufferPointer { classes in
      var index = range.lowerBound
      while index < end {
        index =
          wordCount > Self.hashedWordCount
          ? addGroups(bytes, from: index, before: end)
          : addText(bytes, from: index, before: end)
        guard index < end else { break }
        switch classes[Int(bytes[index])] {
        case .letter, .capital, .digit, .ideograph:
          index = addWord(bytes, from: index, before: end, classes)
          continue
        case .space: endWord()
        case .punctuation:
          endWord()
          addPunctuation(bytes, index, before: end)
        }
        index += 1
      }
      setLastByte(bytes, range, classes)
    }
    if isLink { linkWordCount += wordCount - before }
  }

  /// Ends the current word at an element boundary that separates words.
  mutating func endWord() {
    guard isInWord else { return }
    isInWord = false
    if isWordNumeric { numberCount += 1 }
    guard wordCount <= Self.hashedWordCount else { return }
    mix(pendingLetters)
    pendingLetters = 0
    switch wordCount {
    case 1: openingHashes.0 = openingHash
    case 2: openingHashes.1 = openingHash
    case 3: openingHashes.2 = openingHash
    case 4: openingHashes.3 = openingHash
    default: break
    }
  }

  /// Appends ASCII text while words are still hashed.
  /// - Returns: The index after it.
  private mutating func addText(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int
  ) -> Int {
    var index = start
    // A local copy, so that the counters stay in registers.
    var copy = self
    while copy.wordCount <= Self.hashedWordCount,
      let group = bytes.paddedASCIIGroup(at: index, before: end)
    {
      let letterMask = group.letterMask
      let delimiterMask = ~(letterMask | group.digitMask) & ASCIIGroup.highestBits
      if delimiterMask & 0x80 != 0 {
        copy.endWord()
        let count = (delimiterMask ^ ASCIIGroup.highestBits).trailingZeroBitCount >> 3
        var markers = delimiterMask & ~group.spaceMask
        if count < 8 { markers &= 1 &<< UInt64(8 * count) &- 1 }
        while markers != 0 {
          copy.addPunctuation(bytes, index + (markers.trailingZeroBitCount >> 3), before: end)
          markers &= markers &- 1
        }
        index = min(index + count, end)
        continue
      }
      if !copy.isInWord { copy.beginWord(with: bytes[index]) }
      let count = delimiterMask.trailingZeroBitCount >> 3
      if letterMask & (delimiterMask &- 1) != 0 { copy.isWordNumeric = false }
      copy.append(group.lowercasedBytes, count)
      index += count
      guard count < 8, index < end else { continue }
      copy.endWord()
      if bytes[index] <= 0x20 { index += 1 }
    }
    self = copy
    return index
  }

  private mutating func beginWord(with byte: UInt8) {
    isInWord = true
    wordCount += 1
    // Neither of the two highest bits is set in digits.
    isWordNumeric = byte & 0xC0 == 0
    if (0x41...0x5A).contains(byte) { capitalizedWordCount += 1 }
  }

  /// Appends letters and digits up to the end of a word.
  /// - Returns: The index after them.
  private mutating func addWord(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int,
    _ classes: UnsafeBufferPointer<ByteClass>
  ) -> Int {
    // In scripts without spaces, each word is a character or two.
    if classes[Int(bytes[start])] == .ideograph { endWord() }
    if !isInWord { beginWord(with: bytes[start]) }
    var index = start
    while let group = bytes.paddedASCIIGroup(at: index, before: end) {
      let letters = group.letterMask
      let others = ~(letters | group.digitMask) & ASCIIGroup.highestBits
      let count = others.trailingZeroBitCount >> 3
      if letters & (others &- 1) != 0 { isWordNumeric = false }
      append(group.lowercasedBytes, count)
      index += count
      guard count == 8 else { return index }
    }
    // The first byte of an ideograph does not continue a word.
    while index < end, index == start || classes[Int(bytes[index])].isInWord {
      if bytes[index] & 0xC0 != 0 { isWordNumeric = false }
      append(UInt64(bytes[index] | 0x20), 1)
      index += 1
    }
    return index
  }

  /// Appends up to eight letters, the first in the lowest byte.
  @inline(__always)
  private mutating func append(_ bytes: UInt64, _ count: Int) {
    guard count > 0 else { return }
    let bits = UInt64(truncatingIfNeeded: 8 * count)
    pendingLetters =
      (pendingLetters &<< bits | pendingLetters &>> (64 - bits)) ^ bytes.byteSwapped &>> (64 - bits)
    wordByteCount += UInt32(truncatingIfNeeded: count)
  }

  /// Appends groups of bytes that only have to be counted: ASCII without digits, after the words
  /// that are hashed.
  /// - Returns: The index after them.
  private mutating func addGroups(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int
  ) -> Int {
    guard !(isInWord && isWordNumeric) else { return start }
    var index = addVectors(bytes, from: start, before: end)
    var isInWord = self.isInWord
    while let group = bytes.paddedASCIIGroup(at: index, before: end), group.digitMask == 0 {
      let letterMask = group.letterMask
      let wordStarts = letterMask & ~(letterMask << 8 | (isInWord ? 0x80 : 0))
      if wordStarts != 0 {
        wordCount += UInt32(truncatingIfNeeded: ASCIIGroup.count(wordStarts))
        let capitals = wordStarts & group.capitalMask
        if capitals != 0 {
          self.capitalizedWordCount += UInt32(truncatingIfNeeded: ASCIIGroup.count(capitals))
        }
      }
      self.wordByteCount += UInt32(truncatingIfNeeded: ASCIIGroup.count(letterMask))
      var markers = ~(letterMask | group.spaceMask) & ASCIIGroup.highestBits
      while markers != 0 {
        addPunctuation(bytes, index + (markers.trailingZeroBitCount >> 3), before: end)
        markers &= markers &- 1
      }
      let size = min(8, end - index)
      isInWord = letterMask &>> UInt64(truncatingIfNeeded: 8 * size - 1) & 1 != 0
      index += size
    }
    self.isInWord = isInWord
    if index > start { isWordNumeric = false }
    return index
  }

  /// Appends text that only has to be counted, like `addGroups`, but 16 bytes at a time.
  /// - Returns: The index after them.
  private mutating func addVectors(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int
  ) -> Int {
    var index = start
    // The byte before determines whether a word continues.
    while index > 0, end - index >= ASCIIVector.count, isInWord == bytes[index - 1].isLetter {
      let batchStart = index
      var (wordCount, letters) = (ASCIIVector.Lanes.zero, ASCIIVector.Lanes.zero)
      var capitals = ASCIIVector.Lanes.zero
      // At most as many vectors as can be summed in single bytes.
      let lastVectorStart = min(end, batchStart + 15 * ASCIIVector.count) - ASCIIVector.count
      while index <= lastVectorStart, let vector = ASCIIVector(bytes, at: index),
        vector.digitMask.isEmptyMask
      {
        let letterMask = vector.letterMask
        let wordStarts = letterMask & ~ASCIIVector(unchecked: bytes, at: index - 1).letterMask
        wordCount &-= wordStarts
        letters &-= letterMask
        capitals &-= wordStarts & vector.capitalMask
        addPunctuation(~(letterMask | vector.spaceMask), bytes, index, before: end)
        index += ASCIIVector.count
      }
      guard index > batchStart else { return index }
      self.wordCount += UInt32(truncatingIfNeeded: wordCount.smallSum)
      self.wordByteCount += UInt32(truncatingIfNeeded: letters.smallSum)
      self.capitalizedWordCount += UInt32(truncatingIfNeeded: capitals.smallSum)
      isInWord = bytes[index - 1].isLetter
      isWordNumeric = false
    }
    return index
  }

  @inline(__always)
  private mutating func addPunctuation(
    _ markers: ASCIIVector.Lanes, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, before end: Int
  ) {
    guard !markers.isEmptyMask else { return }
    let halves = markers.halves
    for half in 0..<2 {
      var markers = halves[half] & ASCIIGroup.highestBits
      while markers != 0 {
        addPunctuation(bytes, index + 8 * half + (markers.trailingZeroBitCount >> 3), before: end)
        markers &= markers &- 1
      }
    }
  }

  /// Records the last byte that is not white space.
  private mutating func setLastByte(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>,
    _ classes: UnsafeBufferPointer<ByteClass>
  ) {
    var index = range.upperBound - 1
    while index >= range.lowerBound, classes[Int(bytes[index])] == .space { index -= 1 }
    guard index >= range.lowerBound else { return }
    lastByte = classes[Int(bytes[index])] == .punctuation ? bytes[index] : bytes[index] | 0x20
  }

  @inline(__always)
  private mutating func mix(_ group: UInt64) { openingHash = Self.mixed(openingHash, group) }

  @inline(__always)
  private static func mixed(_ hash: UInt64, _ group: UInt64) -> UInt64 {
    let hash = (hash ^ group) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash >> 29
  }

  /// Calls a function with the `openingHash` of each of several short texts, separated by commas.
  static func forEachHash(of texts: StaticString, _ body: (UInt64) -> Void) {
    texts.withUTF8Buffer { bytes in
      classes.withUnsafeBufferPointer { classes in
        // The hash, and the letters of the current word that are not in it yet.
        var (text, word, isInWord) = (BlockTextCounts().openingHash, 0 as UInt64, false)
        for byte in bytes {
          let kind = classes[Int(byte)]
          if !kind.isInWord, isInWord {
            text = mixed(text, word)
            (word, isInWord) = (0, false)
          }
          if kind.isInWord || kind == .ideograph {
            word = (word &<< 8 | word &>> 56) ^ UInt64(byte | 0x20)
            isInWord = true
          } else if byte == UInt8(ascii: ",") {
            body(text)
            text = BlockTextCounts().openingHash
          }
        }
        body(isInWord ? mixed(text, word) : text)
      }
    }
  }

  private mutating func addPunctuation(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, before end: Int
  ) {
    switch bytes[index] {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
      let next = index + 1 < end ? bytes[index + 1] : 0x20
      if next <= 0x22 { sentenceEndCount += 1 }
    case UInt8(ascii: ","): commaCount += 1
    case UInt8(ascii: "|"), UInt8(ascii: ">"): separatorCount += 1
    case UInt8(ascii: "$"):
      hasPrice = true
    case 0xC2:
      guard index + 1 < end else { return }
      switch bytes[index + 1] {
      case 0xA3, 0xA5: hasPrice = true
      case 0xA9: hasCopyright = true
      case 0xB7, 0xBB: separatorCount += 1
      default: break
      }
    case 0xE2:
      guard index + 2 < end else { return }
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0x82, 0xA0...0xBF): hasPrice = true
      case (0x80, 0xA2), (0x80, 0xBA): separatorCount += 1
      default: break
      }
    case 0xE3:
      if index + 2 < end, bytes[index + 1] == 0x80, bytes[index + 2] == 0x82 {
        sentenceEndCount += 1
      }
    default: break
    }
  }

  private enum ByteClass: UInt8 {
    case letter, capital, digit, ideograph, space, punctuation

    /// Whether the byte continues a word.
    var isInWord: Bool { rawValue <= ByteClass.digit.rawValue }
  }

  private static let classes: [ByteClass] = (0..<256).map { (byte: Int) in
    switch UInt8(byte) {
    case 0x61...0x7A, 0x80...0xC1, 0xC3...0xDF, 0xE0, 0xE1, 0xEA...0xF4: .letter
    case 0x41...0x5A: .capital
    case 0x30...0x39: .digit
    case 0xE4...0xE9: .ideograph
    case 0...0x20: .space
    default: .punctuation
    }
  }
}
