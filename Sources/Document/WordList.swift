import Algorithms
import DOM

/// The distinct words of a text in lower case, without punctuation; in scripts without spaces, its
/// characters.
///
/// A sorted list of ranges instead of a `Set`, because a page has many headings.
struct WordList {
  /// A range of `bytes`.
  private struct WordRange {
    var start: Int32
    var end: Int32
  }

  /// The words, one after the other.
  private var bytes: [UInt8] = []
  /// The words, each once, in the order of their bytes.
  private var wordRanges: [WordRange] = []

  /// The number of words.
  var count: Int { wordRanges.count }

  /// Reads the words of a text.
  init(of text: ArraySlice<UInt8>) {
    var start = 0
    var index = text.startIndex
    func end(_ list: inout WordList) {
      if list.bytes.count > start {
        list.wordRanges.append(WordRange(start: Int32(start), end: Int32(list.bytes.count)))
      }
      start = list.bytes.count
    }
    while index < text.endIndex {
      let byte = text[index]
      let isQuote = byte == 0xE2 && text[index...].starts(with: [0xE2, 0x80, 0x99])
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte.lowercased)
      // An apostrophe, typed (') or typographic (’), does not end a word; other general punctuation
      // does.
      case 0x27: break
      case 0xE2:
        if !isQuote { end(&self) }
        index += 2
      case 0xE3...0xED:
        end(&self)
        bytes.append(byte)
      case 0x80...: bytes.append(byte)
      default: end(&self)
      }
      index += 1
    }
    end(&self)
    sort()
  }

  private mutating func sort() {
    guard wordRanges.count > 1 else { return }
    let all = bytes
    wordRanges.sort { Self.precedes(all, $0, all, $1) }
    var count = 1
    for index in 1..<wordRanges.count
    where Self.precedes(all, wordRanges[count - 1], all, wordRanges[index]) {
      wordRanges[count] = wordRanges[index]
      count += 1
    }
    wordRanges.removeSubrange(count...)
  }

  /// Returns the number of words that are also in another list.
  func commonWordCount(in other: WordList) -> Int {
    wordRanges.count { word in
      let index = other.wordRanges.partitioningIndex {
        !Self.precedes(other.bytes, $0, bytes, word)
      }
      return index < other.wordRanges.count
        && !Self.precedes(bytes, word, other.bytes, other.wordRanges[index])
    }
  }

  private static func precedes(
    _ bytes: [UInt8], _ word: WordRange, _ otherBytes: [UInt8], _ other: WordRange
  ) -> Bool {
    let first = bytes[Int(word.start)..<Int(word.end)]
    return first.lexicographicallyPrecedes(otherBytes[Int(other.start)..<Int(other.end)])
  }
}
