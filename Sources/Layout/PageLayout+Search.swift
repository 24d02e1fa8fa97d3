extension PageLayout {
  /// A place where a text was found, or the part of it that is on one line.
  package struct Match: Sendable, Equatable {
    /// Index in `PageLayout.lines`.
    package var line: Int
    /// Bytes of `PageLayout.text`.
    package var bytes: Range<Int>
    /// Which occurrence it belongs to; one that goes over a line break has several parts.
    package var occurrence: Int

    package init(line: Int, bytes: Range<Int>, occurrence: Int) {
      self.line = line
      self.bytes = bytes
      self.occurrence = occurrence
    }
  }

  /// Finds a text on all lines, also where it goes on in the next line of a paragraph.
  /// - Parameters:
  ///   - needle: What is looked for; a stretch of white space in it stands for one space.
  ///   - smartCase: Letters match in both cases unless `needle` has one in upper case, and with any
  ///     accent unless it has one with an accent. Otherwise they match exactly.
  /// - Returns: Parts of occurrences, from top to bottom, which do not overlap.
  package func matches(of needle: String, smartCase: Bool = true) -> [Match] {
    let wanted = Needle(needle, smartCase: smartCase)
    guard let first = wanted.scalars.first else { return [] }
    var result: [Match] = []
    var occurrence = 0
    /// Where the next occurrence may begin.
    var free = 0
    for index in lines.indices {
      let end = label(onLine: index)?.lowerBound ?? Int(lines[index].end)
      var position = max(free, Int(lines[index].start) + Int(lines[index].prefix))
      while position < end {
        if wanted.mayBegin(with: text[position], first),
          let parts = match(wanted, line: index, at: position)
        {
          for part in parts {
            result.append(Match(line: part.line, bytes: part.bytes, occurrence: occurrence))
          }
          occurrence += 1
          free = parts.last?.bytes.upperBound ?? end
          position = max(position + 1, free)
        } else {
          position += 1
        }
      }
    }
    return result
  }

  private typealias Part = (line: Int, bytes: Range<Int>)

  /// The parts of an occurrence that begins at a byte, or nil.
  private func match(_ needle: Needle, line first: Int, at start: Int) -> [Part]? {
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
    // The accents of the last letter are part of it.
    while position < Int(lines[line].end), needle.ignoresAccents, text[position] >= 0xC0 {
      var next = position
      let scalar = DisplayWidth.scalar(in: text, at: &next, limit: Int(lines[line].end))
      guard needle.passes(scalar) else { break }
      position = next
    }
    if position > start { parts.append((line, start..<position)) }
    return parts
  }

  /// Whether a space was dropped where a line was broken, as far as the offsets tell.
  /// - Parameters:
  ///   - line: The line.
  ///   - end: Where what it shows of the document ends; its own end when nil.
  /// - Returns: Whether there was one.
  func hasSpace(after line: Int, end: Int? = nil) -> Bool {
    let end = end ?? Int(lines[line].end)
    var shown = UInt32(max(0, end - Int(lines[line].start) - Int(lines[line].prefix)))
    let bytes = text[Int(lines[line].start)..<max(end, Int(lines[line].start))]
    if bytes.suffix(3).elementsEqual(TextOrder.end.utf8) { shown -= 3 }
    return lines[line + 1].source != lines[line].source + shown
  }
}
