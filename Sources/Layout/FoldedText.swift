import Algorithms

/// A text in folded form for comparison (`TextFolding`), with the offsets of its original
/// characters.
package struct FoldedText: Sendable {
  private var scalars: [UInt32] = []
  /// For each of `scalars`, the UTF-8 offset of the original character; the last element is the
  /// length of the text.
  private var sourceOffsets: [UInt32] = []

  /// Folds a text.
  /// - Parameter text: The text; a text longer than 4 GB is treated as empty.
  package init(_ text: some StringProtocol) {
    guard let length = UInt32(exactly: text.utf8.count) else { return }
    scalars.reserveCapacity(Int(length))
    sourceOffsets.reserveCapacity(Int(length) + 1)
    TextFolding.forEachScalar(of: text) { scalar, offset in
      scalars.append(scalar)
      sourceOffsets.append(UInt32(truncatingIfNeeded: offset))
    }
    sourceOffsets.append(length)
  }

  /// Finds the first occurrence of words at a word boundary. In scripts without spaces, and between
  /// them and others, there is a boundary at every character. White space in the words matches any
  /// sequence of non-word characters, as in the index.
  /// - Parameters:
  ///   - text: The words to find.
  ///   - start: The UTF-8 offset at which to begin.
  ///   - matchesWholeWords: Whether the match must end at a word boundary.
  /// - Returns: The UTF-8 range of the match in the original text; nil if there is none.
  package func range(
    of text: FoldedText, from start: Int = 0, matchesWholeWords: Bool = false
  ) -> Range<Int>? {
    let text = text.scalars.trimmed(Self.isSpace)
    guard let first = text.first, !sourceOffsets.isEmpty else { return nil }
    var index = scalarIndex(of: start)
    while index < scalars.count {
      if scalars[index] == first, isBoundary(at: index), let end = matchEnd(of: text, at: index),
        !matchesWholeWords || isBoundary(at: end)
      {
        return Int(sourceOffsets[index])..<endOffset(after: end - 1)
      }
      index += 1
    }
    return nil
  }

  /// Returns the first index in `scalars` whose offset is at least `start`.
  private func scalarIndex(of start: Int) -> Int {
    scalars.indices.partitioningIndex { Int(sourceOffsets[$0]) >= start }
  }

  /// Returns the UTF-8 end offset of the original character of the scalar at an index; one
  /// character may be folded to several scalars.
  private func endOffset(after index: Int) -> Int {
    let next = sourceOffsets[index...].first { $0 > sourceOffsets[index] }
    return Int(next ?? sourceOffsets[index])
  }

  /// Returns the index after the match if the words match at an index, else nil.
  private func matchEnd(of words: ArraySlice<UInt32>, at index: Int) -> Int? {
    var (index, word) = (index, words.startIndex)
    while word < words.endIndex {
      guard index < scalars.count else { return nil }
      if Self.isSpace(words[word]) {
        guard !Self.isWord(scalars[index]) else { return nil }
        while word < words.endIndex, Self.isSpace(words[word]) { word += 1 }
        while index < scalars.count, !Self.isWord(scalars[index]) { index += 1 }
      } else {
        if word > words.startIndex, words[word] != 0x28,
          let reading = Reading.content(at: index, in: scalars)
        {
          index = reading.upperBound + 1
          continue
        }
        guard scalars[index] == words[word] else { return nil }
        (index, word) = (index + 1, word + 1)
      }
    }
    return index
  }

  /// Whether no word extends over an index.
  private func isBoundary(at index: Int) -> Bool {
    index == 0 || index == scalars.count
      || !Self.isInWordWithSpaces(scalars[index - 1]) || !Self.isInWordWithSpaces(scalars[index])
  }

  /// Whether a character is part of a word and belongs to a script with spaces between words.
  private static func isInWordWithSpaces(_ scalar: UInt32) -> Bool {
    isWord(scalar)
      && !(Unicode.Scalar(scalar).map(TextFolding.mayBeginMatchWithinWord) ?? false)
  }

  private static func isSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x20 || Unicode.Scalar(scalar)?.properties.isWhitespace ?? false
  }

  private static func isWord(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x80 else {
      return (0x61...0x7A).contains(scalar) || (0x30...0x39).contains(scalar)
    }
    guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
    return properties.isAlphabetic || properties.numericType != nil
      || properties.canonicalCombiningClass != .notReordered
  }
}

extension Array {
  /// Returns the array without the elements at both ends that satisfy the predicate.
  fileprivate func trimmed(_ isTrimmed: (Element) -> Bool) -> ArraySlice<Element> {
    let rest = drop(while: isTrimmed)
    return rest.prefix(through: rest.lastIndex { !isTrimmed($0) } ?? rest.startIndex - 1)
  }
}
