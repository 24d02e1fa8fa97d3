package import Document

extension Document {
  /// Returns the offsets at which a text occurs. The rules are those of the search in a layout, but
  /// folded content is included.
  /// - Parameters:
  ///   - searchText: The text to find; a run of white space in it matches one space.
  ///   - ranges: The ranges of offsets in `text` in which matches may begin, ascending.
  ///   - maxMatches: The maximum number of matches.
  /// - Returns: Offsets in `text`, ascending. A match does not extend beyond the end of a block.
  package func offsets(
    of searchText: String, in ranges: [Range<UInt32>] = [0..<UInt32.max], maxMatches: Int = .max
  ) -> [UInt32] {
    let needle = SearchPattern(searchText)
    guard !needle.scalars.isEmpty else { return [] }
    var result: [UInt32] = []
    var ranges = ranges[...]
    for block in blocks {
      guard let start = block.runs.first, let last = block.runs.last else { continue }
      let bytes = Int(runs[Int(start)].start)..<Int(runs[Int(last)].end)
      ranges = ranges.drop { Int($0.upperBound) <= bytes.lowerBound }
      if ranges.isEmpty { break }
      for range in ranges.prefix(while: { Int($0.lowerBound) < bytes.upperBound }) {
        for position in bytes.clamped(to: Int(range.lowerBound)..<Int(range.upperBound))
        where needle.mayBegin(with: text[position])
          && hasMatch(needle, at: position, bytes.upperBound)
        {
          result.append(UInt32(position))
          if result.count == maxMatches { return result }
        }
      }
    }
    return result
  }

  private func hasMatch(_ needle: SearchPattern, at start: Int, _ end: Int) -> Bool {
    var position = start
    let first = DisplayWidth.decodeScalar(in: text, at: &position, end: end)
    guard first < 0x80 || needle.mayBegin(with: first) else { return false }
    return (0..<needle.matchStartCount(in: first)).contains { skipped in
      var comparison = SearchPattern.Comparison(needle, skipping: skipped)
      var next = position
      var state = comparison.read(first)
      while state == .undecided {
        state =
          next < end
          ? comparison.read(DisplayWidth.decodeScalar(in: text, at: &next, end: end))
          : comparison.finalState()
      }
      return state != .failed
    }
  }
}
