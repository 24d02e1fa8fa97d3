extension PageLayout {
  /// A match of a search, or the portion of a match on one line.
  package struct Match: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    package var lineIndex: Int
    /// The byte range in `PageLayout.text`.
    package var byteRange: Range<Int>
    /// The number of the occurrence; an occurrence that extends over a line break consists of
    /// several matches with the same number.
    package var occurrenceNumber: Int

    package init(lineIndex: Int, byteRange: Range<Int>, occurrenceNumber: Int) {
      self.lineIndex = lineIndex
      self.byteRange = byteRange
      self.occurrenceNumber = occurrenceNumber
    }
  }

  /// Finds a text in all lines, including occurrences that extend over wrapped lines.
  /// - Parameter needle: The text to find, as for `TextSearch`.
  /// - Returns: The matches on each line, from top to bottom; they do not overlap.
  package func matches(of needle: String) -> [Match] {
    var search = TextSearch(needle, in: self)
    while !search.isComplete { _ = search.advance(in: self, maxBytes: .max) }
    return search.matches
  }

  typealias MatchPart = (line: Int, bytes: Range<Int>)

  /// Returns the matches of the occurrence that begins at an offset, either in the text of the
  /// document or in the text as it is shown, with delimiters and substitutes; nil if the search
  /// text does not occur there.
  /// - Parameters:
  ///   - needle: The search text.
  ///   - line: The index of the line.
  ///   - start: The offset in `text`.
  ///   - alteredSpans: The source spans of the line that end after `start` and whose bytes differ
  ///     from the document.
  /// - Returns: The matches, one for each line that the occurrence extends over.
  func match(
    _ needle: SearchPattern, line: Int, at start: Int, alteredSpans: ArraySlice<SourceSpan>
  ) -> [MatchPart]? {
    var reader = WrappedTextReader(
      line: line, position: start, end: textEnd(ofLine: line), alteredSpans: alteredSpans)
    var isAltered = false
    var end: WrappedTextReader.Location?
    // An addition, such as a link number, has no text of the document that could begin the match.
    let span = alteredSpans.first.flatMap { Int($0.start) <= start ? $0 : nil }
    if let span, span.replacedLength == 0 || Int(span.start) < start {
      isAltered = true
    } else {
      end = matchEnd(needle, reader, &isAltered)
    }
    if end == nil, isAltered {
      reader.readsDocument = false
      end = matchEnd(needle, reader, &isAltered)
    }
    guard let end else { return nil }
    return (line...end.lineIndex).compactMap { index -> MatchPart? in
      let first = Int(lines[index].start) + Int(lines[index].prefixLength)
      let last = index == end.lineIndex ? end.textOffset : textEnd(ofLine: index)
      let bytes = (index == line ? start : first)..<last
      return bytes.isEmpty ? nil : (line: index, bytes: bytes)
    }
  }

  /// Returns the position after an occurrence; nil if the text does not occur. Sets `isAltered` if
  /// the text that was compared differs from the text shown.
  private func matchEnd(
    _ needle: SearchPattern, _ start: WrappedTextReader, _ isAltered: inout Bool
  ) -> WrappedTextReader.Location? {
    var first = start
    guard let scalar = first.next(in: self) else { return nil }
    for skipped in 0..<needle.matchStartCount(in: scalar) {
      var reader = first
      var comparison = SearchPattern.Comparison(needle, skipping: skipped)
      var end = reader.location
      var state = comparison.read(scalar)
      while state == .undecided {
        end = reader.location
        state = reader.next(in: self).map { comparison.read($0) } ?? comparison.finalState()
      }
      isAltered = isAltered || reader.isAltered
      switch state {
      case .matched: return end
      case .matchedWithLast: return reader.location
      case .undecided, .failed: continue
      }
    }
    return nil
  }

  /// Returns the end of the text of a wrapped line, before the hyphen that is shown for a soft
  /// hyphen or the wrap indicator of code.
  func textEnd(ofLine index: Int) -> Int {
    let line = lines[index]
    var end = Int(line.end)
    guard line.wrap == .hyphen else { return wrapIndicatorRange(onLine: index)?.lowerBound ?? end }
    let start = Int(line.start) + Int(line.prefixLength)
    let isolate = BidiOrder.popDirectionalIsolate.utf8
    if text[start..<end].suffix(isolate.count).elementsEqual(isolate) { end -= isolate.count }
    return end > start && text[end - 1] == .hyphen ? end - 1 : Int(line.end)
  }
}
