import Algorithms

/// A search for a text in a layout that proceeds in steps, so that it can be interrupted: from a
/// line to the end of the page, then from the top to that line.
package struct TextSearch: Sendable, Equatable {
  /// The number of bytes examined in one step, which takes about a millisecond.
  package static let step = 256 << 10
  /// The cost of a line or of a candidate, in bytes.
  private static let overhead = 16

  private let needle: Needle
  /// The bytes with which `needle` begins if they are ASCII.
  private let prefix: [UInt8]
  /// The matches of the beginning of the text, within which all occurrences begin; nil if unknown.
  private var candidates: [PageLayout.Match]?
  /// The line at which the search began; no occurrence extends over its start.
  private let startLine: Int
  /// The next line, or the index in `candidates` of the next one.
  private var next: Int
  /// The offset at which the next occurrence may begin.
  private var free = 0
  /// The matches from `startLine` on, while the lines above it are searched; otherwise nil.
  private var below: [PageLayout.Match]?
  /// The parts of the occurrences found so far, from top to bottom: those from the first searched
  /// line on, or all if the search is complete.
  package var matches: [PageLayout.Match] { below ?? found }
  private var found: [PageLayout.Match] = []
  /// Whether the whole layout was searched.
  package private(set) var isComplete = false

  /// Begins a search.
  /// - Parameters:
  ///   - text: The text to find; a run of white space in it matches one space. Case is ignored unless
  ///     it has an uppercase letter, and accents are ignored unless it has an accented letter.
  ///   - layout: The layout, which must be the same in every step.
  ///   - line: The line at which the search begins.
  ///   - earlier: A search in the same layout; if it is complete and `text` extends its text, only
  ///     its matches are examined.
  package init(
    _ text: String, in layout: PageLayout, from line: Int = 0,
    extending earlier: TextSearch? = nil
  ) {
    needle = Needle(text)
    prefix = needle.asciiPrefix
    var startLine = min(max(0, line), layout.lines.count)
    while startLine > 0, startLine < layout.lines.count, layout.lines[startLine].continues {
      startLine -= 1
    }
    self.startLine = startLine
    next = startLine
    isComplete = needle.scalars.isEmpty
    if let earlier, earlier.isComplete, needle.extends(earlier.needle) {
      candidates = earlier.found
      next = earlier.found.firstIndex(notBefore: startLine)
    }
  }

  /// Searches the next part of the layout.
  /// - Parameters:
  ///   - layout: The layout.
  ///   - bytes: The number of bytes to examine.
  /// - Returns: The number of occurrences that were inserted before those known until now.
  package mutating func advance(in layout: PageLayout, bytes: Int = TextSearch.step) -> Int {
    var rest = bytes
    var inserted = 0
    var spans = AlteredSpans()
    layout.text.withUnsafeBufferPointer { text in
      while rest > 0, !isComplete {
        let end = below == nil ? layout.lines.count : startLine
        if let candidates {
          guard next < candidates.count, candidates[next].line < end else {
            inserted += finishPass()
            continue
          }
          let candidate = candidates[next]
          search(candidate.bytes, ofLine: candidate.line, in: layout, text, &spans)
          rest -= candidate.bytes.count + Self.overhead
        } else {
          guard next < end else {
            inserted += finishPass()
            continue
          }
          let line = layout.lines[next]
          let first = Int(line.start) + Int(line.prefix)
          search(first..<max(first, Int(line.end)), ofLine: next, in: layout, text, &spans)
          rest -= Int(line.end - line.start) + Self.overhead
        }
        next += 1
      }
    }
    return inserted
  }

  /// Continues above the first searched line, or completes the search. Returns the number of
  /// occurrences that were inserted before those known until now.
  private mutating func finishPass() -> Int {
    if below == nil, startLine > 0 {
      below = found
      (found, next, free) = ([], 0, 0)
      return 0
    }
    let count = below == nil ? 0 : (found.last?.occurrence ?? -1) + 1
    for var match in below ?? [] {
      match.occurrence += count
      found.append(match)
    }
    below = nil
    candidates = nil
    isComplete = true
    return count
  }

  /// Appends the occurrences that begin in a part of a line.
  private mutating func search(
    _ bytes: Range<Int>, ofLine index: Int, in layout: PageLayout,
    _ text: UnsafeBufferPointer<UInt8>, _ spans: inout AlteredSpans
  ) {
    let end = layout.textEnd(ofLine: index)
    spans.load(line: index, of: layout)
    var position = max(free, bytes.lowerBound)
    var limit = min(end, bytes.upperBound)
    var isLimited = false
    while position < limit {
      let altered = spans.from(position)
      guard mayBegin(at: position, text, altered, in: layout) else {
        position += 1
        continue
      }
      let quick = altered.isEmpty ? compare(text, position, end) : nil
      if quick == false {
        position += 1
        continue
      }
      if !isLimited {
        // The label after the text of a line is not searched.
        isLimited = true
        limit = min(limit, layout.label(onLine: index)?.lowerBound ?? limit)
        guard position < limit else { return }
      }
      let occurrence = (found.last?.occurrence ?? -1) + 1
      if quick == true {
        free = position + prefix.count
        found.append(.init(line: index, bytes: position..<free, occurrence: occurrence))
        position = free
      } else if let parts = layout.match(needle, line: index, at: position, altered: altered) {
        for part in parts {
          found.append(.init(line: part.line, bytes: part.bytes, occurrence: occurrence))
        }
        free = parts.last?.bytes.upperBound ?? end
        position = max(position + 1, free)
      } else {
        position += 1
      }
    }
  }

  /// Whether an occurrence may begin at an offset (a quick test).
  private func mayBegin(
    at position: Int, _ text: UnsafeBufferPointer<UInt8>,
    _ altered: ArraySlice<PageLayout.SourceSpan>, in layout: PageLayout
  ) -> Bool {
    let byte = text[position]
    if byte < 0x80 ? needle.mayBegin(with: byte) : byte & 0xC0 != 0x80 {
      guard byte >= 0x80 else { return true }
      var next = position
      let scalar = DisplayWidth.scalar(in: layout.text, at: &next, limit: layout.text.count)
      if needle.mayBegin(with: scalar) { return true }
    }
    return altered.first.map { Int($0.start) == position && $0.replaced != 0 } ?? false
  }

  /// Returns whether the text at an offset matches; nil if the ASCII characters of the line do not
  /// suffice to decide that.
  private func compare(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool? {
    var position = start
    for index in prefix.indices {
      guard position < end, text[position] < 0x80 else { return nil }
      guard needle.matches(text[position], at: index) else {
        // A run of spaces matches one space.
        return index > 0 && prefix[index - 1] == 0x20 && text[position] == 0x20 ? nil : false
      }
      position += 1
    }
    guard prefix.count == needle.scalars.count else { return nil }
    return position < end && text[position] >= 0x80 ? nil : true
  }
}

/// The parts of one line that differ from the document.
private struct AlteredSpans {
  private var line = -1
  private var spans: [PageLayout.SourceSpan] = []

  /// Loads the parts of a line, unless they are loaded.
  mutating func load(line index: Int, of layout: PageLayout) {
    guard line != index else { return }
    line = index
    spans = layout.alteredSources(ofLine: index)
  }

  /// Returns the parts that end after an offset.
  func from(_ position: Int) -> ArraySlice<PageLayout.SourceSpan> {
    guard !spans.isEmpty else { return [] }
    return spans[spans.partitioningIndex { Int($0.end) > position }...]
  }
}

extension [PageLayout.Match] {
  /// Returns the index of the first match on a line or below it; the end index if there is none.
  /// The matches must be sorted.
  package func firstIndex(notBefore line: Int) -> Int {
    partitioningIndex { $0.line >= line }
  }
}
