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
  ///   - text: The text to find; a run of white space in it matches one space.
  ///   - smartCase: Whether case is ignored unless `text` has an uppercase letter, and accents are
  ///     ignored unless it has an accented letter. Otherwise characters match exactly.
  ///   - layout: The layout, which must be the same in every step.
  ///   - line: The line at which the search begins.
  ///   - earlier: A search in the same layout; if it is complete and `text` extends its text, only
  ///     its matches are examined.
  package init(
    _ text: String, smartCase: Bool = true, in layout: PageLayout, from line: Int = 0,
    extending earlier: TextSearch? = nil
  ) {
    needle = Needle(text, smartCase: smartCase)
    prefix = needle.scalars.prefix { $0 < 0x80 }.map { UInt8($0) }
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
    layout.text.withUnsafeBufferPointer { text in
      while rest > 0, !isComplete {
        let end = below == nil ? layout.lines.count : startLine
        if let candidates {
          guard next < candidates.count, candidates[next].line < end else {
            inserted += finishPass()
            continue
          }
          let candidate = candidates[next]
          search(candidate.bytes, ofLine: candidate.line, in: layout, text)
          rest -= candidate.bytes.count + Self.overhead
        } else {
          guard next < end else {
            inserted += finishPass()
            continue
          }
          let line = layout.lines[next]
          let first = Int(line.start) + Int(line.prefix)
          search(first..<max(first, Int(line.end)), ofLine: next, in: layout, text)
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
    _ text: UnsafeBufferPointer<UInt8>
  ) {
    let first = needle.scalars[0]
    let end = Int(layout.lines[index].end)
    var position = max(free, bytes.lowerBound)
    var limit = bytes.upperBound
    var isLimited = false
    while position < limit {
      guard needle.mayBegin(with: text[position], first) else {
        position += 1
        continue
      }
      let quick = compare(text, position, end)
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
      } else if let parts = layout.match(needle, line: index, at: position) {
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

  /// Returns whether the text at an offset matches; nil if the ASCII characters of the line do not
  /// suffice to decide that.
  private func compare(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool? {
    var position = start
    for wanted in prefix {
      guard position < end, text[position] < 0x80 else { return nil }
      let byte = text[position]
      guard byte == wanted || needle.ignoresCase && byte &- 0x41 < 26 && byte | 0x20 == wanted
      else { return false }
      position += 1
    }
    guard prefix.count == needle.scalars.count else { return nil }
    return position < end && text[position] >= 0x80 ? nil : true
  }
}

extension [PageLayout.Match] {
  /// Returns the index of the first match on a line or below it; the end index if there is none.
  /// The matches must be sorted.
  package func firstIndex(notBefore line: Int) -> Int {
    partitioningIndex { $0.line >= line }
  }
}
