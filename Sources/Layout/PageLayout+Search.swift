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

/// A reader of the text of wrapped lines. It returns one character after the other, from a position
/// to the end of the last line that continues the first one.
struct WrappedTextReader {
  /// A position in a layout.
  struct Location: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    var lineIndex: Int
    /// The offset in `PageLayout.text`.
    var textOffset: Int
  }

  /// The position after the last character that was read.
  private(set) var location: Location
  /// The end offset of the text of the current line.
  private var end: Int
  /// The source spans of the line, from the position on, whose bytes differ from the document.
  private var alteredSpans: ArraySlice<PageLayout.SourceSpan>
  /// The range of document text not yet read for the source span that was entered last.
  private var remainingOriginal = 0..<0
  /// Whether the text of the document is read, rather than the text as it is shown.
  var readsDocument = true
  /// Whether any text was read that differs from the text shown.
  private(set) var isAltered = false

  /// Creates a reader.
  /// - Parameters:
  ///   - line: The index of the line.
  ///   - position: The offset in `PageLayout.text`.
  ///   - end: The result of `textEnd(ofLine:)`.
  ///   - alteredSpans: The source spans of the line that end after `position` and whose bytes
  ///     differ from the document.
  init(line: Int, position: Int, end: Int, alteredSpans: ArraySlice<PageLayout.SourceSpan>) {
    location = Location(lineIndex: line, textOffset: position)
    self.end = end
    self.alteredSpans = alteredSpans
  }

  /// Returns the next character, or a space if white space was omitted where a line was wrapped;
  /// nil at the end of the text.
  mutating func next(in layout: PageLayout) -> UInt32? {
    while true {
      if !remainingOriginal.isEmpty {
        var position = remainingOriginal.lowerBound
        let scalar = DisplayWidth.decodeScalar(
          in: layout.documentText, at: &position, end: remainingOriginal.upperBound)
        remainingOriginal = position..<remainingOriginal.upperBound
        return scalar
      }
      if location.textOffset >= end {
        let wrap = layout.lines[location.lineIndex].wrap
        guard goToNextLine(in: layout) else { return nil }
        if wrap == .space { return 0x20 }
        continue
      }
      if readsDocument, let span = alteredSpan() {
        isAltered = true
        location.textOffset = Int(span.end)
        remainingOriginal = Int(span.sourceRange.lowerBound)..<Int(span.sourceRange.upperBound)
        continue
      }
      let scalar = DisplayWidth.decodeScalar(in: layout.text, at: &location.textOffset, end: end)
      if !scalar.isIsolateControl { return scalar }
    }
  }

  /// Returns the source span at the position if its bytes differ from the document; otherwise nil.
  private mutating func alteredSpan() -> PageLayout.SourceSpan? {
    let position = UInt32(location.textOffset)
    while let span = alteredSpans.first, span.end <= position { alteredSpans.removeFirst() }
    return alteredSpans.first.flatMap { $0.start <= position ? $0 : nil }
  }

  private mutating func goToNextLine(in layout: PageLayout) -> Bool {
    let next = location.lineIndex + 1
    guard next < layout.lines.count, layout.lines[next].continuesPrevious else { return false }
    let line = layout.lines[next]
    location = Location(lineIndex: next, textOffset: Int(line.start) + Int(line.prefixLength))
    end = layout.textEnd(ofLine: next)
    alteredSpans = layout.alteredSpans(ofLine: next)[...]
    return true
  }
}
