import Algorithms
import DOM
package import Document

/// The words of a document, separated by single spaces, with their offsets in `Document.text`.
/// Passages are searched in this text, so that line and block boundaries make no difference.
package struct PassageText: Sendable {
  private var bytes: [UInt8] = []
  /// For each of `bytes`, the offset in `Document.text`.
  private var offsets: [UInt32] = []
  /// The end, in `Document.text`, of the last block with text.
  private var end: UInt32 = 0

  /// Collects the words of a document in linear time.
  package init(_ document: Document) {
    bytes.reserveCapacity(document.text.count)
    offsets.reserveCapacity(document.text.count)
    for block in document.blocks where !block.runs.isEmpty {
      let first = document.runs[Int(block.runs.lowerBound)].start
      let last = document.runs[Int(block.runs.upperBound) - 1].end
      addSpace(first)
      add(document.text, Int(first)..<Int(last))
    }
    if bytes.last == 0x20 {
      bytes.removeLast()
      offsets.removeLast()
    }
  }

  var count: Int { bytes.count }

  private mutating func addSpace(_ offset: UInt32) {
    guard let last = bytes.last, last != 0x20 else { return }
    bytes.append(0x20)
    offsets.append(offset)
  }

  private mutating func add(_ text: [UInt8], _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      if byte <= 0x20 || byte == 0x7F {
        addSpace(UInt32(index))
        index += 1
      } else if byte < 0x80 {
        bytes.append(byte)
        offsets.append(UInt32(index))
        index += 1
      } else {
        var next = index + 1
        while next < range.upperBound, text[next] & 0xC0 == 0x80 { next += 1 }
        addCharacter(text, index..<next)
        index = next
      }
    }
    end = UInt32(range.upperBound)
  }

  /// Adds a non-ASCII character unless it is invisible.
  private mutating func addCharacter(_ text: [UInt8], _ range: Range<Int>) {
    let scalar = String(decoding: text[range], as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    switch CharacterRole(scalar) {
    case .lineBreakControl, .invisible: return
    case .separator: addSpace(UInt32(range.lowerBound))
    case .visible, .control, .variationSelector:
      if scalar.properties.isWhitespace { return addSpace(UInt32(range.lowerBound)) }
      bytes += text[range]
      offsets.append(contentsOf: repeatElement(UInt32(range.lowerBound), count: range.count))
    }
  }

  // MARK: Creating highlights

  /// Returns the range in `bytes` of the words in a range of the document, without white space at
  /// either end; nil if that range contains no words.
  func range(of part: Range<UInt32>) -> Range<Int>? {
    var lower = index(of: part.lowerBound)
    var upper = index(of: part.upperBound)
    while lower < upper, bytes[lower] == 0x20 { lower += 1 }
    while upper > lower, bytes[upper - 1] == 0x20 { upper -= 1 }
    return lower < upper ? lower..<upper : nil
  }

  /// Returns the index in `bytes` of the first byte at or after an offset in the document.
  private func index(of offset: UInt32) -> Int {
    offsets.partitioningIndex { $0 >= offset }
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the range in `bytes` of at most `count` bytes before an index, beginning at a
  /// character boundary.
  func rangeBefore(_ position: Int, atMost count: Int) -> Range<Int> {
    var start = max(0, position - count)
    while start < position, bytes[start] & 0xC0 == 0x80 { start += 1 }
    return start..<position
  }

  /// Returns the range in `bytes` of at most `count` bytes from an index on, ending at a character
  /// boundary.
  func rangeAfter(_ position: Int, atMost count: Int) -> Range<Int> {
    var end = min(bytes.count, position + count)
    while end > position, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return position..<end
  }

  // MARK: Finding highlights

  /// The maximum number of matches that are compared; if there are more, the ones nearest to the
  /// original position are compared.
  private static let maxMatches = 10_000
  /// The length in bytes below which a passage of one or two words is ambiguous, so that some of
  /// the surrounding text must match as well.
  private static let maxAmbiguousLength = 32
  /// The number of bytes of surrounding text that must match for an ambiguous passage. If the
  /// stored surrounding text is short, half of it must match instead.
  private static let minSimilarity = 6

  /// Locates a passage in the document. Of several matches, the one whose surrounding text matches
  /// best is chosen; among equally good ones, the one nearest to the original position.
  /// - Parameter highlight: The passage.
  /// - Returns: The range of offsets in `Document.text`; nil if there is no match.
  package func range(of highlight: Highlight) -> Range<UInt32>? {
    let words = Array(highlight.exact.utf8)
    let (prefix, suffix) = (Array(highlight.prefix.utf8), Array(highlight.suffix.utf8))
    let guess = Int(highlight.position * Double(bytes.count))
    let isShort = words.count < Self.maxAmbiguousLength && words.count { $0 == 0x20 } < 2
    let minSimilarity = isShort ? min(Self.minSimilarity, (prefix.count + suffix.count) / 2) : 0
    var best: (position: Int, similarity: Int)?
    for position in bytes.indices(of: words).nearest(to: guess, atMost: Self.maxMatches) {
      let similarity = similarity(of: position, prefix, position + words.count, suffix)
      let isBetter = best.map { best in
        similarity > best.similarity
          || similarity == best.similarity && abs(position - guess) < abs(best.position - guess)
      }
      if similarity >= minSimilarity, isBetter ?? true { best = (position, similarity) }
    }
    guard let best else { return nil }
    let last = best.position + words.count
    let upper = last < offsets.count ? endOffset(before: last) : end
    return offsets[best.position]..<max(offsets[best.position] + 1, upper)
  }

  /// Returns the offset in `Document.text` after the character that ends directly before an index
  /// in `bytes`.
  private func endOffset(before position: Int) -> UInt32 {
    var first = position - 1
    while first > 0, offsets[first - 1] == offsets[position - 1], bytes[first] & 0xC0 == 0x80 {
      first -= 1
    }
    return offsets[position - 1] + UInt32(position - first)
  }

  /// Returns the total number of bytes directly before and after a match that equal the stored text
  /// around the passage.
  private func similarity(
    of start: Int, _ prefix: [UInt8], _ end: Int, _ suffix: [UInt8]
  ) -> Int {
    var prefixLength = 0
    while prefixLength < prefix.count, prefixLength < start,
      bytes[start - 1 - prefixLength] == prefix[prefix.count - 1 - prefixLength]
    {
      prefixLength += 1
    }
    var suffixLength = 0
    while suffixLength < suffix.count, end + suffixLength < bytes.count,
      bytes[end + suffixLength] == suffix[suffixLength]
    {
      suffixLength += 1
    }
    return prefixLength + suffixLength
  }
}

extension [Int] {
  /// Returns the elements of an ascending sequence that are nearest to `guess`, at most `maxCount`
  /// of them.
  fileprivate func nearest(to guess: Int, atMost maxCount: Int) -> ArraySlice<Int> {
    guard count > maxCount else { return self[...] }
    let middle = firstIndex { $0 >= guess } ?? count
    let start = Swift.max(0, Swift.min(count - maxCount, middle - maxCount / 2))
    return self[start..<start + maxCount]
  }
}

extension [UInt8] {
  /// Returns the indices at which a byte sequence occurs, ascending, in linear time
  /// (Knuth–Morris–Pratt).
  fileprivate func indices(of words: [UInt8]) -> [Int] {
    guard let first = words.first, words.count <= count else { return [] }
    let borders = words.borders
    var positions: [Int] = []
    var (index, matched) = (0, 0)
    while index < count {
      if matched == 0 {
        guard let next = self[index...].firstIndex(of: first) else { break }
        (index, matched) = (next + 1, 1)
      } else if self[index] == words[matched] {
        (index, matched) = (index + 1, matched + 1)
      } else {
        matched = borders[matched - 1]
        continue
      }
      if matched == words.count {
        positions.append(index - matched)
        matched = borders[matched - 1]
      }
    }
    return positions
  }

  /// For each prefix of the bytes, the length of its longest border (the failure function of
  /// Knuth–Morris–Pratt).
  fileprivate var borders: [Int] {
    var borders = [Int](repeating: 0, count: count)
    for index in indices.dropFirst() {
      var length = borders[index - 1]
      while length > 0, self[index] != self[length] { length = borders[length - 1] }
      borders[index] = self[index] == self[length] ? length + 1 : 0
    }
    return borders
  }
}
