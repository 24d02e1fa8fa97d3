extension PageLayout {
  /// A match of a search, or the part of it that is on one line.
  package struct Match: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    package var line: Int
    /// The bytes of `PageLayout.text`.
    package var bytes: Range<Int>
    /// The number of the occurrence; an occurrence that extends over a line break has several
    /// parts.
    package var occurrence: Int

    package init(line: Int, bytes: Range<Int>, occurrence: Int) {
      self.line = line
      self.bytes = bytes
      self.occurrence = occurrence
    }
  }

  /// Finds a text in all lines, including occurrences that extend over wrapped lines.
  /// - Parameter needle: The text to find, as for `TextSearch`.
  /// - Returns: The parts of all occurrences from top to bottom; they do not overlap.
  package func matches(of needle: String) -> [Match] {
    var search = TextSearch(needle, in: self)
    while !search.isComplete { _ = search.advance(in: self, bytes: .max) }
    return search.matches
  }

  typealias Part = (line: Int, bytes: Range<Int>)

  /// Returns the parts of an occurrence that begins at an offset, either in the text of the
  /// document or in the text as it is shown, with delimiters and substitutes; nil if the search
  /// text does not occur there.
  /// - Parameters:
  ///   - needle: The search text.
  ///   - line: The index of the line.
  ///   - start: The offset in `text`.
  ///   - altered: The parts of the line that end after `start` and differ from the document.
  /// - Returns: The parts, one for each line.
  func match(
    _ needle: Needle, line: Int, at start: Int, altered: ArraySlice<SourceSpan>
  ) -> [Part]? {
    var reader = WrappedTextReader(
      line: line, position: start, end: textEnd(ofLine: line), altered: altered)
    var isAltered = false
    var end: WrappedTextReader.Location?
    // The text of the document does not begin within an addition.
    let span = altered.first.flatMap { Int($0.start) <= start ? $0 : nil }
    if let span, span.replaced == 0 || Int(span.start) < start {
      isAltered = true
    } else {
      end = matchEnd(needle, reader, &isAltered)
    }
    if end == nil, isAltered {
      reader.readsDocument = false
      end = matchEnd(needle, reader, &isAltered)
    }
    guard let end else { return nil }
    return (line...end.line).compactMap { index -> Part? in
      let first = Int(lines[index].start) + Int(lines[index].prefix)
      let last = index == end.line ? end.position : textEnd(ofLine: index)
      let bytes = (index == line ? start : first)..<last
      return bytes.isEmpty ? nil : (line: index, bytes: bytes)
    }
  }

  /// Returns the end of an occurrence; nil if the text does not occur. Sets `isAltered` if text of
  /// the document was read that is not shown as it is.
  private func matchEnd(
    _ needle: Needle, _ start: WrappedTextReader, _ isAltered: inout Bool
  ) -> WrappedTextReader.Location? {
    var first = start
    guard let scalar = first.next(in: self) else { return nil }
    for skipped in 0..<needle.startCount(in: scalar) {
      var reader = first
      var comparison = Needle.Comparison(needle, skipping: skipped)
      var end = reader.location
      var state = comparison.read(scalar)
      while state == .undecided {
        end = reader.location
        state = reader.next(in: self).map { comparison.read($0) } ?? comparison.atEnd()
      }
      isAltered = isAltered || reader.isAltered
      switch state {
      case .matched: return end
      case .matchedWithin: return reader.location
      case .undecided, .failed: continue
      }
    }
    return nil
  }

  /// Returns the end of the text of a line that is divided: without the hyphen that was added for a
  /// soft hyphen, or the wrap indicator of code.
  func textEnd(ofLine index: Int) -> Int {
    let line = lines[index]
    var end = Int(line.end)
    guard line.wrap == .hyphen else { return codeSign(onLine: index)?.lowerBound ?? end }
    let start = Int(line.start) + Int(line.prefix)
    let isolate = TextOrder.end.utf8
    if text[start..<end].suffix(isolate.count).elementsEqual(isolate) { end -= isolate.count }
    return end > start && text[end - 1] == .hyphen ? end - 1 : Int(line.end)
  }
}

/// Reads the text of wrapped lines character by character, from a position to the end of the last
/// line that continues it.
struct WrappedTextReader {
  /// A position in a layout.
  struct Location: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    var line: Int
    /// The offset in `PageLayout.text`.
    var position: Int
  }

  /// The position after the last character that was read.
  private(set) var location: Location
  /// The end of the text of the line.
  private var end: Int
  /// The parts of the line, from the position on, that differ from the document.
  private var altered: ArraySlice<PageLayout.SourceSpan>
  /// The rest of the text of the document for the part that was read last.
  private var original = 0..<0
  /// Whether the text is read as it is in the document rather than as it is shown.
  var readsDocument = true
  /// Whether text was read that is not shown as it is in the document.
  private(set) var isAltered = false

  /// Begins to read.
  /// - Parameters:
  ///   - line: The index of the line.
  ///   - position: The offset in `PageLayout.text`.
  ///   - end: The result of `textEnd(ofLine:)`.
  ///   - altered: The parts of the line that end after `position` and differ from the document.
  init(line: Int, position: Int, end: Int, altered: ArraySlice<PageLayout.SourceSpan>) {
    location = Location(line: line, position: position)
    self.end = end
    self.altered = altered
  }

  /// Reads the next character; a space if white space was omitted where a line was wrapped. Returns
  /// nil at the end of the text.
  mutating func next(in layout: PageLayout) -> UInt32? {
    while true {
      if !original.isEmpty {
        var position = original.lowerBound
        let scalar = DisplayWidth.scalar(
          in: layout.documentText, at: &position, limit: original.upperBound)
        original = position..<original.upperBound
        return scalar
      }
      if location.position >= end {
        let wrap = layout.lines[location.line].wrap
        guard goToNextLine(in: layout) else { return nil }
        if wrap == .space { return 0x20 }
        continue
      }
      if readsDocument, let span = alteredSpan() {
        isAltered = true
        location.position = Int(span.end)
        original = Int(span.range.lowerBound)..<Int(span.range.upperBound)
        continue
      }
      let scalar = DisplayWidth.scalar(in: layout.text, at: &location.position, limit: end)
      if !scalar.isIsolate { return scalar }
    }
  }

  /// Returns the part at the position that differs from the document.
  private mutating func alteredSpan() -> PageLayout.SourceSpan? {
    let position = UInt32(location.position)
    while let span = altered.first, span.end <= position { altered.removeFirst() }
    return altered.first.flatMap { $0.start <= position ? $0 : nil }
  }

  private mutating func goToNextLine(in layout: PageLayout) -> Bool {
    let next = location.line + 1
    guard next < layout.lines.count, layout.lines[next].continues else { return false }
    let line = layout.lines[next]
    location = Location(line: next, position: Int(line.start) + Int(line.prefix))
    end = layout.textEnd(ofLine: next)
    altered = layout.alteredSources(ofLine: next)[...]
    return true
  }
}
