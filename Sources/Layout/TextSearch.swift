import Algorithms

/// A search for a text in a layout. It proceeds in steps, so that it can be interrupted: from a
/// line to the end of the page, then from the top to that line.
package struct TextSearch: Sendable, Equatable {
  /// The number of bytes examined in one step, small enough that key presses are handled without
  /// noticeable delay.
  package static let bytesPerStep = 256 << 10
  /// The cost of examining a line or a candidate, expressed in bytes.
  private static let costPerLine = 16

  private let needle: SearchPattern
  /// The bytes with which `needle` begins if they are ASCII.
  private let asciiPrefix: [UInt8]
  /// The matches of a shorter search text that begins this one, within which all occurrences begin;
  /// nil if unknown.
  private var candidateMatches: [PageLayout.Match]?
  /// The line at which the search began; no occurrence extends over its start.
  private let startLine: Int
  /// The index of the next line or, if `candidateMatches` is not nil, of the next candidate.
  private var nextIndex: Int
  /// The offset at which the next occurrence may begin.
  private var minMatchStart = 0
  /// The matches from `startLine` on, while the lines above it are searched; nil before that.
  private var matchesBelow: [PageLayout.Match]?
  /// The matches found so far, from top to bottom: those below the start of the search, or all of
  /// them once the search is complete.
  package var matches: [PageLayout.Match] { matchesBelow ?? currentPassMatches }
  private var currentPassMatches: [PageLayout.Match] = []
  /// Whether the whole layout was searched.
  package private(set) var isComplete = false

  /// Begins a search.
  /// - Parameters:
  ///   - text: The text to find; a run of white space in it matches one space. Case is ignored
  ///     unless it has an uppercase letter, and accents are ignored unless it has an accented
  ///     letter.
  ///   - layout: The layout, which must be the same in every step.
  ///   - line: The line at which the search begins.
  ///   - previousSearch: A search in the same layout; if it is complete and `text` extends its
  ///     search text, only its matches are examined.
  package init(
    _ text: String, in layout: PageLayout, from line: Int = 0,
    extending previousSearch: TextSearch? = nil
  ) {
    needle = SearchPattern(text)
    asciiPrefix = needle.asciiPrefix
    var startLine = min(max(0, line), layout.lines.count)
    while startLine > 0, startLine < layout.lines.count, layout.lines[startLine].continuesPrevious {
      startLine -= 1
    }
    self.startLine = startLine
    nextIndex = startLine
    isComplete = needle.scalars.isEmpty
    if let previousSearch, previousSearch.isComplete, needle.extends(previousSearch.needle) {
      candidateMatches = previousSearch.currentPassMatches
      nextIndex = previousSearch.currentPassMatches.firstIndex(notBefore: startLine)
    }
  }

  /// Searches the next lines of the layout.
  /// - Parameters:
  ///   - layout: The layout.
  ///   - maxBytes: The number of bytes to examine.
  /// - Returns: The number of occurrences that were inserted before those already known.
  package mutating func advance(in layout: PageLayout, maxBytes: Int = TextSearch.bytesPerStep)
    -> Int
  {
    var rest = maxBytes
    var inserted = 0
    var spans = AlteredSpans()
    layout.text.withUnsafeBufferPointer { text in
      while rest > 0, !isComplete {
        let end = matchesBelow == nil ? layout.lines.count : startLine
        if let candidateMatches {
          guard nextIndex < candidateMatches.count, candidateMatches[nextIndex].lineIndex < end
          else {
            inserted += finishPass()
            continue
          }
          let candidate = candidateMatches[nextIndex]
          search(candidate.byteRange, ofLine: candidate.lineIndex, in: layout, text, &spans)
          rest -= candidate.byteRange.count + Self.costPerLine
        } else {
          guard nextIndex < end else {
            inserted += finishPass()
            continue
          }
          let line = layout.lines[nextIndex]
          let first = Int(line.start) + Int(line.prefixLength)
          search(first..<max(first, Int(line.end)), ofLine: nextIndex, in: layout, text, &spans)
          rest -= Int(line.end - line.start) + Self.costPerLine
        }
        nextIndex += 1
      }
    }
    return inserted
  }

  /// Continues above the first searched line, or completes the search. Returns the number of
  /// occurrences that were inserted before those already known.
  private mutating func finishPass() -> Int {
    if matchesBelow == nil, startLine > 0 {
      matchesBelow = currentPassMatches
      (currentPassMatches, nextIndex, minMatchStart) = ([], 0, 0)
      return 0
    }
    let count = matchesBelow == nil ? 0 : (currentPassMatches.last?.occurrenceNumber ?? -1) + 1
    for var match in matchesBelow ?? [] {
      match.occurrenceNumber += count
      currentPassMatches.append(match)
    }
    matchesBelow = nil
    candidateMatches = nil
    isComplete = true
    return count
  }

  /// Appends the occurrences that begin in a range of a line.
  private mutating func search(
    _ bytes: Range<Int>, ofLine index: Int, in layout: PageLayout,
    _ text: UnsafeBufferPointer<UInt8>, _ spans: inout AlteredSpans
  ) {
    let end = layout.textEnd(ofLine: index)
    spans.load(line: index, of: layout)
    var position = max(minMatchStart, bytes.lowerBound)
    var limit = min(end, bytes.upperBound)
    var isLimited = false
    while true {
      position = nextStart(from: position, limit: limit, text, &spans, in: layout)
      guard position < limit else { return }
      let quick = matchesASCII(text, position, end, altered: spans.first.lowerBound)
      if quick == false {
        position += 1
        continue
      }
      if !isLimited {
        // The search excludes a label to the right of a line's text, such as the language name of
        // code.
        isLimited = true
        limit = min(limit, layout.languageLabelRange(onLine: index)?.lowerBound ?? limit)
        guard position < limit else { return }
      }
      let occurrence = (currentPassMatches.last?.occurrenceNumber ?? -1) + 1
      if quick == true {
        minMatchStart = position + asciiPrefix.count
        currentPassMatches.append(
          .init(lineIndex: index, byteRange: position..<minMatchStart, occurrenceNumber: occurrence)
        )
        position = minMatchStart
      } else if let parts = layout.match(
        needle, line: index, at: position, alteredSpans: spans.rest)
      {
        for part in parts {
          currentPassMatches.append(
            .init(lineIndex: part.line, byteRange: part.bytes, occurrenceNumber: occurrence))
        }
        minMatchStart = parts.last?.bytes.upperBound ?? end
        position = max(position + 1, minMatchStart)
      } else {
        position += 1
      }
    }
  }

  /// Returns the next offset from `start` on at which an occurrence may begin (a quick test), or
  /// `limit` if there is none.
  private func nextStart(
    from start: Int, limit: Int, _ text: UnsafeBufferPointer<UInt8>, _ spans: inout AlteredSpans,
    in layout: PageLayout
  ) -> Int {
    var position = start
    while position < limit {
      spans.skip(to: position)
      let alteredSpans = spans.first
      if position == alteredSpans.lowerBound, let span = spans.rest.first,
        mayBegin(with: span, in: layout)
      {
        return position
      }
      let end = min(
        limit,
        position < alteredSpans.lowerBound ? alteredSpans.lowerBound : alteredSpans.upperBound)
      if let found = firstStart(in: position..<end, text, layout) { return found }
      position = end
    }
    return limit
  }

  /// Returns the first offset in a range at which the text as shown may begin an occurrence; nil if
  /// there is none.
  private func firstStart(
    in range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>, _ layout: PageLayout
  ) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      let start = position
      position += 1
      guard needle.mayBegin(with: text[start]) else { continue }
      if text[start] < 0x80 { return start }
      var next = start
      let scalar = DisplayWidth.decodeScalar(in: layout.text, at: &next, end: layout.text.count)
      if needle.mayBegin(with: scalar) { return start }
    }
    return nil
  }

  /// Whether an occurrence may begin with the document text that a source span replaces.
  private func mayBegin(with span: PageLayout.SourceSpan, in layout: PageLayout) -> Bool {
    guard !span.sourceRange.isEmpty else { return false }
    var position = Int(span.sourceRange.lowerBound)
    let scalar = DisplayWidth.decodeScalar(
      in: layout.documentText, at: &position, end: Int(span.sourceRange.upperBound))
    return needle.mayBegin(with: scalar)
  }

  /// Returns whether the text at an offset matches; nil if that cannot be decided from the ASCII
  /// characters of the line before `altered`, the start of the next source span that differs from
  /// the document.
  private func matchesASCII(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, altered: Int
  ) -> Bool? {
    let limit = min(end, altered)
    var position = start
    for index in asciiPrefix.indices {
      guard position < limit, text[position] < 0x80 else { return nil }
      guard needle.matches(text[position], at: index) else {
        // A run of spaces matches one space.
        return index > 0 && asciiPrefix[index - 1] == 0x20 && text[position] == 0x20 ? nil : false
      }
      position += 1
    }
    guard asciiPrefix.count == needle.scalars.count else { return nil }
    guard position < limit else { return limit == end ? true : nil }
    return text[position] >= 0x80 ? nil : true
  }
}

/// The source spans of one line that differ from the document, from a position on. The position
/// only increases.
private struct AlteredSpans {
  /// The line whose spans are loaded, or nil.
  private var lineIndex: Int?
  private var spans: [PageLayout.SourceSpan] = []
  /// The index in `spans` of the first span that ends after the position.
  private var index = 0
  /// The byte range in `PageLayout.text` of that span; beyond all offsets if there is none.
  private(set) var first = Int.max..<Int.max
  /// The spans that end after the position.
  var rest: ArraySlice<PageLayout.SourceSpan> { spans[index...] }

  /// Loads the spans of a line, unless they are loaded already.
  mutating func load(line index: Int, of layout: PageLayout) {
    guard lineIndex != index else { return }
    lineIndex = index
    spans = layout.alteredSpans(ofLine: index)
    go(to: 0)
  }

  /// Advances the position to an offset.
  mutating func skip(to position: Int) {
    while first.upperBound <= position { go(to: index + 1) }
  }

  private mutating func go(to index: Int) {
    self.index = index
    first =
      index < spans.count ? Int(spans[index].start)..<Int(spans[index].end) : Int.max..<Int.max
  }
}

extension [PageLayout.Match] {
  /// Returns the index of the first match on or below a line; `endIndex` if there is none. The
  /// matches must be sorted.
  package func firstIndex(notBefore line: Int) -> Int {
    partitioningIndex { $0.lineIndex >= line }
  }
}
