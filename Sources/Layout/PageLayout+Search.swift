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
  /// - Parameters:
  ///   - needle: The text to find; a run of white space in it matches one space.
  ///   - smartCase: Whether case is ignored unless `needle` has an uppercase letter, and accents
  ///     are ignored unless it has an accented letter. Otherwise characters match exactly.
  /// - Returns: The parts of all occurrences from top to bottom; they do not overlap.
  package func matches(of needle: String, smartCase: Bool = true) -> [Match] {
    var search = TextSearch(needle, smartCase: smartCase, in: self)
    while !search.isComplete { _ = search.advance(in: self, bytes: .max) }
    return search.matches
  }

  typealias Part = (line: Int, bytes: Range<Int>)

  /// Returns the parts of an occurrence that begins at an offset; nil if the text does not occur
  /// there.
  func match(_ needle: Needle, line first: Int, at start: Int) -> [Part]? {
    var parts: [Part] = []
    var line = first
    var start = start
    var position = start
    var index = 0
    while index < needle.scalars.count {
      if position >= Int(lines[line].end) {
        guard line + 1 < lines.count, lines[line + 1].continues else { return nil }
        if needle.scalars[index] == 0x20 {
          index += 1
        } else if hasSpace(after: line) {
          return nil
        }
        if position > start { parts.append((line, start..<position)) }
        line += 1
        start = Int(lines[line].start) + Int(lines[line].prefix)
        position = start
        guard position < Int(lines[line].end) else { return nil }
        continue
      }
      let scalar = DisplayWidth.scalar(in: text, at: &position, limit: Int(lines[line].end))
      if scalar.isIsolate || (index > 0 && needle.passes(scalar)) { continue }
      let count = needle.matches(scalar, at: index)
      guard count > 0 else { return nil }
      index += count
    }
    // Accents of the last letter are part of the match.
    while position < Int(lines[line].end), needle.ignoresAccents, text[position] >= 0xC0 {
      var next = position
      let scalar = DisplayWidth.scalar(in: text, at: &next, limit: Int(lines[line].end))
      guard needle.passes(scalar) else { break }
      position = next
    }
    if position > start { parts.append((line, start..<position)) }
    return parts
  }

  /// Whether a space was dropped where a line was wrapped, judging by the source offsets.
  /// - Parameters:
  ///   - line: The index of the line.
  ///   - end: The end of the document text on the line; nil for the end of the line.
  /// - Returns: Whether a space was dropped.
  func hasSpace(after line: Int, end: Int? = nil) -> Bool {
    let end = end ?? Int(lines[line].end)
    var shown = UInt32(max(0, end - Int(lines[line].start) - Int(lines[line].prefix)))
    let bytes = text[Int(lines[line].start)..<max(end, Int(lines[line].start))]
    if bytes.suffix(3).elementsEqual(TextOrder.end.utf8) { shown -= 3 }
    return lines[line + 1].source != lines[line].source + shown
  }
}
