import Algorithms
package import Document

/// The words of a document in reading order. They are found around an offset without reading the
/// rest of the document.
package struct DocumentWords: Sendable {
  private let text: [UInt8]
  /// The ranges in `Document.text` of the leaf blocks that have text, without their hidden ranges;
  /// ascending.
  private let shownLeafRanges: [Range<UInt32>]

  /// The maximum length of a word in bytes; a longer word is divided.
  private static let maxWordLength = 512
  /// The number of bytes that are divided into words at once.
  private static let bytesPerStep = 4096

  /// Collects the blocks of a document in linear time.
  /// - Parameters:
  ///   - document: The document.
  ///   - hiddenRanges: Ranges of offsets in `Document.text` that are not shown, ascending; they
  ///     have no words.
  package init(_ document: Document, hiddenRanges: [Range<UInt32>] = []) {
    text = document.text
    var leaves: [Range<UInt32>] = []
    var next = 0
    for block in document.blocks where !block.runs.isEmpty {
      var start = document.runs[Int(block.runs.lowerBound)].start
      let end = document.runs[Int(block.runs.upperBound) - 1].end
      guard start >= leaves.last?.upperBound ?? 0 else { continue }
      while next < hiddenRanges.count, hiddenRanges[next].upperBound <= start { next += 1 }
      var fold = next
      while fold < hiddenRanges.count, hiddenRanges[fold].lowerBound < end {
        if start < hiddenRanges[fold].lowerBound {
          leaves.append(start..<hiddenRanges[fold].lowerBound)
        }
        start = max(start, hiddenRanges[fold].upperBound)
        fold += 1
      }
      if start < end { leaves.append(start..<end) }
    }
    self.shownLeafRanges = leaves
  }

  /// Returns the end of the shown range of a leaf block that contains an offset; nil if the offset
  /// is in none.
  package func blockEnd(at offset: UInt32) -> UInt32? {
    let index = shownLeafRanges.partitioningIndex { $0.upperBound > offset }
    return index < shownLeafRanges.count && shownLeafRanges[index].contains(offset)
      ? shownLeafRanges[index].upperBound : nil
  }

  /// Returns the first word that ends after an offset; nil if there is none.
  package func word(endingAfter offset: UInt32) -> Range<UInt32>? {
    var index = shownLeafRanges.partitioningIndex { $0.upperBound > offset }
    while index < shownLeafRanges.count {
      let leaf = shownLeafRanges[index]
      var start = max(leaf.lowerBound, offset)
      while start < leaf.upperBound {
        let end = min(leaf.upperBound, start + UInt32(Self.bytesPerStep))
        let words = words(start..<end, in: leaf)
        if let word = words.first(where: { $0.upperBound > offset }) { return word }
        start = end
      }
      index += 1
    }
    return nil
  }

  /// Returns the last word that begins before an offset; nil if there is none.
  package func word(beginningBefore offset: UInt32) -> Range<UInt32>? {
    var index = shownLeafRanges.partitioningIndex { $0.lowerBound >= offset }
    while index > 0 {
      index -= 1
      let leaf = shownLeafRanges[index]
      var end = min(leaf.upperBound, offset)
      while end > leaf.lowerBound {
        let start = end - min(UInt32(Self.bytesPerStep), end - leaf.lowerBound)
        let words = words(start..<end, in: leaf)
        if let word = words.last(where: { $0.lowerBound < offset }) { return word }
        end = start
      }
    }
    return nil
  }

  /// Returns the number of words that begin in a range; linear in its length.
  package func wordCount(in range: Range<UInt32>) -> Int {
    var count = 0
    var index = shownLeafRanges.partitioningIndex { $0.upperBound > range.lowerBound }
    while index < shownLeafRanges.count, shownLeafRanges[index].lowerBound < range.upperBound {
      let part = shownLeafRanges[index].clamped(to: range)
      if !part.isEmpty {
        count += words(part, in: shownLeafRanges[index]).count { part.contains($0.lowerBound) }
      }
      index += 1
    }
    return count
  }

  /// Returns the text in a range, with a line for each block and without control characters and
  /// soft hyphens.
  package func text(in range: Range<UInt32>) -> String {
    var blocks: [String] = []
    var index = shownLeafRanges.partitioningIndex { $0.upperBound > range.lowerBound }
    while index < shownLeafRanges.count, shownLeafRanges[index].lowerBound < range.upperBound {
      let part = shownLeafRanges[index].clamped(to: range)
      let block = String(decoding: text[Int(part.lowerBound)..<Int(part.upperBound)], as: UTF8.self)
      let shown = block.unicodeScalars.filter { scalar in
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F...0x9F, 0xAD: false
        default: true
        }
      }
      blocks.append(String(String.UnicodeScalarView(shown)))
      index += 1
    }
    return blocks.joined(separator: "\n")
  }

  /// Returns the words that overlap a range of a leaf block, and perhaps words before and after it.
  /// The text is divided from a boundary that does not depend on the range, so that the result is
  /// consistent.
  private func words(_ part: Range<UInt32>, in leaf: Range<UInt32>) -> [Range<UInt32>] {
    let start = wordBoundary(before: Int(part.lowerBound), minOffset: Int(leaf.lowerBound))
    let end = wordBoundary(after: Int(part.upperBound), maxOffset: Int(leaf.upperBound))
    return TextWords(Array(text[start..<end])).ranges.map {
      UInt32(start + $0.lowerBound)..<UInt32(start + $0.upperBound)
    }
  }

  /// Returns the offset of the last white space before an offset. If none is within `maxWordLength`
  /// bytes, returns a character boundary about that far before the offset. The result is at least
  /// `limit`.
  private func wordBoundary(before offset: Int, minOffset limit: Int) -> Int {
    var position = offset
    let searchEnd = max(limit, offset - Self.maxWordLength)
    while position > searchEnd, text[position - 1] > 0x20 { position -= 1 }
    while position > limit, text[position] & 0xC0 == 0x80 { position -= 1 }
    return position
  }

  /// Returns the offset of the first white space after an offset. If none is within `maxWordLength`
  /// bytes, returns a character boundary about that far after the offset. The result is at most
  /// `limit`.
  private func wordBoundary(after offset: Int, maxOffset limit: Int) -> Int {
    var position = offset
    let searchEnd = min(limit, offset + Self.maxWordLength)
    while position < searchEnd, text[position] > 0x20 { position += 1 }
    while position < limit, text[position] & 0xC0 == 0x80 { position += 1 }
    return position
  }
}
