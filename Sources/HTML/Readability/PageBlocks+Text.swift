/// What can be counted in the text of a block.
struct BlockText {
  var words: UInt32 = 0
  /// Words inside links.
  var linkWords: UInt32 = 0
  var links: UInt32 = 0
  /// Bytes of all words.
  var letters: UInt32 = 0
  /// Words that begin with a capital letter, and words of digits.
  var capitals: UInt32 = 0
  var numbers: UInt32 = 0
  /// Full stops, question and exclamation marks behind words; commas.
  var sentences: UInt32 = 0
  var commas: UInt32 = 0
  /// Signs that stand between the parts of a menu line or path (`|`, `›`, `•`).
  var separators: UInt32 = 0
  var hasPrice = false
  var hasCopyright = false
  /// The last byte that is no white space.
  var last: UInt8 = 0
  /// A hash of all letters and digits.
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Hashes of the first one to four words, from the first to the last of them.
  var openings: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  private var isInWord = false
  private var wordIsNumber = false
  /// The letters of the word, which are not in `hash` yet.
  private var letterGroup: UInt64 = 0

  /// More than a line that has no links to speak of, or whole sentences.
  var isProse: Bool {
    linkWords * 3 < words && (words >= 12 || words >= 6 && sentences > 0)
  }

  /// Takes the next bytes.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, isLink: Bool) {
    let before = words
    Self.classes.withUnsafeBufferPointer { classes in
      var index = 0
      while index < bytes.count {
        switch classes[Int(bytes[index])] {
        case .letter, .capital, .digit, .ideograph:
          index = addWord(bytes, from: index, classes)
          continue
        case .space: endWord()
        case .mark:
          endWord()
          last = bytes[index]
          addMark(bytes, index)
        }
        index += 1
      }
    }
    if isLink { linkWords += words - before }
  }

  /// Ends a word at a border of elements that separates words.
  mutating func endWord() {
    guard isInWord else { return }
    isInWord = false
    if wordIsNumber { numbers += 1 }
    mix(letterGroup)
    letterGroup = 0
    switch words {
    case 1: openings.0 = hash
    case 2: openings.1 = hash
    case 3: openings.2 = hash
    case 4: openings.3 = hash
    default: break
    }
  }

  /// Takes letters and digits up to the end of a word.
  /// - Returns: The index behind them.
  private mutating func addWord(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ classes: UnsafeBufferPointer<ByteClass>
  ) -> Int {
    let byteClass = classes[Int(bytes[start])]
    // Scripts without spaces: a word is a character or two.
    if byteClass == .ideograph { endWord() }
    if !isInWord {
      isInWord = true
      words += 1
      if byteClass == .capital { capitals += 1 }
      wordIsNumber = byteClass == .digit
    }
    var index = start
    var group = letterGroup
    var bits: UInt8 = 0
    repeat {
      let byte = bytes[index]
      // Bit 5 folds the case of letters, and of most letters beyond ASCII.
      group = (group << 8 | group >> 56) ^ UInt64(byte | 0x20)
      bits |= byte
      index += 1
    } while index < bytes.count && classes[Int(bytes[index])].isInWord
    letterGroup = group
    // Digits are the only ones with neither of the two highest bits.
    wordIsNumber = wordIsNumber && bits & 0xC0 == 0
    letters += UInt32(index - start)
    last = bytes[index - 1] | 0x20
    return index
  }

  @inline(__always)
  private mutating func mix(_ group: UInt64) {
    hash = (hash ^ group) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  private mutating func addMark(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) {
    switch bytes[index] {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
      if next <= 0x22 { sentences += 1 }
    case UInt8(ascii: ","): commas += 1
    case UInt8(ascii: "|"), UInt8(ascii: ">"): separators += 1
    case UInt8(ascii: "$"):
      hasPrice = true
    case 0xC2:
      guard index + 1 < bytes.count else { return }
      switch bytes[index + 1] {
      case 0xA3, 0xA5: hasPrice = true
      case 0xA9: hasCopyright = true
      case 0xB7, 0xBB: separators += 1
      default: break
      }
    case 0xE2:
      guard index + 2 < bytes.count else { return }
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0x82, 0xA0...0xBF): hasPrice = true
      case (0x80, 0xA2), (0x80, 0xBA): separators += 1
      default: break
      }
    case 0xE3:
      if index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] == 0x82 {
        sentences += 1
      }
    default: break
    }
  }

  private enum ByteClass: UInt8 {
    case letter, capital, digit, ideograph, space, mark

    /// Goes on with a word.
    var isInWord: Bool { rawValue <= ByteClass.digit.rawValue }
  }

  private static let classes: [ByteClass] = (0..<256).map { (byte: Int) in
    switch UInt8(byte) {
    case 0x61...0x7A, 0x80...0xC1, 0xC3...0xDF, 0xE0, 0xE1, 0xEA...0xF4: .letter
    case 0x41...0x5A: .capital
    case 0x30...0x39: .digit
    case 0xE4...0xE9: .ideograph
    case 0...0x20: .space
    default: .mark
    }
  }
}
