import DOM

/// Counts the words of a text added in pieces. In scripts without spaces between words, two
/// characters of Chinese, Japanese and Korean count as a word, and five of Thai, Lao, Khmer and
/// Burmese.
struct WordCounter {
  private var total = 0
  private var ideographCount = 0
  private var unspacedLetterCount = 0
  private var isInWord = false

  /// The number of words so far.
  var count: Int { total + ideographCount / 2 + unspacedLetterCount / 5 }

  /// Adds the next piece of the text.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if let group = bytes.asciiGroup(at: index, before: range.upperBound) {
        let spaces = group.spaceMask
        let behindSpaces = spaces << 8 | (isInWord ? 0 : 0x80)
        total += ASCIIGroup.count(behindSpaces & ~spaces)
        isInWord = spaces >> 63 == 0
        index += 8
        continue
      }
      let second = index + 1 < range.upperBound ? bytes[index + 1] : 0
      add(bytes[index], second)
      index += 1
    }
  }

  private mutating func add(_ byte: UInt8, _ second: UInt8) {
    if byte <= 0x20 {
      isInWord = false
    } else if byte >= 0xE3 && byte <= 0xED {
      // The UTF-8 of Chinese, Japanese and Korean letters begins with E3 to ED.
      ideographCount += 1
      isInWord = false
    } else if Self.isLetter(byte, second) {
      unspacedLetterCount += 1
      isInWord = false
    } else if byte & 0xC0 != 0x80, !isInWord {
      total += 1
      isInWord = true
    }
  }

  /// Whether two bytes begin a letter of Thai (U+0E00 to U+0E7F), Lao (U+0E80), Burmese (U+1000) or
  /// Khmer (U+1780).
  private static func isLetter(_ first: UInt8, _ second: UInt8) -> Bool {
    switch (first, second) {
    case (0xE0, 0xB8...0xBB), (0xE1, 0x80...0x81), (0xE1, 0x9E...0x9F): true
    default: false
    }
  }

  /// Ends a word at an element boundary that separates words.
  mutating func endWord() { isInWord = false }
}

extension DOMTree {
  /// The number of visible words.
  var wordCount: Int {
    let unseen: ElementSet = [.title, .script, .style, .template, .datalist, .noembed]
    var count = WordCounter()
    var next = nodeAfter(0, in: 0)
    bytes.withUnsafeBufferPointer { bytes in
      while let node = next {
        let current = nodes[Int(node)]
        guard !unseen.contains(current.name) else {
          next = nodeAfterSubtree(node, in: 0)
          continue
        }
        let previous = current.previousSibling
        if current.name != .characters {
          if current.name.isBlock || current.name == .br { count.endWord() }
        } else {
          if let previous, nodes[Int(previous)].name.isBlock { count.endWord() }
          count.add(bytes, in: Int(current.start)..<Int(current.end))
        }
        next = nodeAfter(node, in: 0)
      }
    }
    return count.count
  }
}
