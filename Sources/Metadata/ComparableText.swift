import Algorithms
import DOM

/// The case-folded words of a line, for comparing titles and headings.
package struct ComparableText {
  /// The hash and the length in characters of each word.
  private var tokens: [(hash: UInt64, length: Int)] = []
  /// The hashes in ascending order.
  private var hashes: [UInt64] = []

  var count: Int { tokens.count }

  package init(_ line: String) {
    let line = line.lowercased()
    if line.utf8.allSatisfy({ $0 < 0x80 }) {
      add(line.utf8)
    } else {
      // Soft hyphens do not separate words.
      let plain = line.filter { $0 != "\u{AD}" }
      for word in plain.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
        add(word)
      }
    }
    hashes = tokens.map(\.hash).sorted()
  }

  private mutating func add(_ line: String.UTF8View) {
    var (hash, length) = (Self.seed, 0)
    for byte in line {
      if byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") {
        hash = Self.mixed(hash, byte)
        length += 1
      } else if length > 0 {
        tokens.append((hash, length))
        (hash, length) = (Self.seed, 0)
      }
    }
    if length > 0 { tokens.append((hash, length)) }
  }

  /// Adds a word; each ideograph is added as a word of its own.
  private mutating func add(_ word: Substring) {
    var (hash, length) = (Self.seed, 0)
    for character in word {
      if IdeographicText.isSingleIdeograph(Array(character.utf8)[...]) {
        tokens.append((character.utf8.reduce(Self.seed, Self.mixed), 1))
      } else {
        hash = character.utf8.reduce(hash, Self.mixed)
        length += 1
      }
    }
    if length > 0 { tokens.append((hash, length)) }
  }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Returns the proportion of the other line's words that also occur in this line, from 0 to 1,
  /// weighted by length.
  package func similarity(to other: ComparableText) -> Double {
    guard !tokens.isEmpty, !other.tokens.isEmpty else { return 0 }
    var (all, strange) = (-1, -1)
    for word in other.tokens {
      all += word.length + 1
      if !contains(word.hash) { strange += word.length + 1 }
    }
    return 1 - Double(max(0, strange)) / Double(all)
  }

  /// Returns the similarity of two lines, from 0 to 1: the harmonic mean of `similarity(to:)` in
  /// both directions.
  func mutualSimilarity(to other: ComparableText) -> Double {
    let (own, others) = (other.similarity(to: self), similarity(to: other))
    return own + others > 0 ? 2 * own * others / (own + others) : 0
  }

  private func contains(_ hash: UInt64) -> Bool {
    let first = hashes.partitioningIndex { $0 >= hash }
    return first < hashes.count && hashes[first] == hash
  }
}
