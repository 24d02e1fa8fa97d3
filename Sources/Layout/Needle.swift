package import Document

/// A search text in comparable form.
struct Needle: Sendable, Equatable {
  /// Its characters; canonically decomposed if accents are significant.
  var scalars: [UInt32] = []
  var ignoresCase: Bool
  var ignoresAccents: Bool

  init(_ text: String, smartCase: Bool) {
    let letters = text.unicodeScalars.map(\.value)
    ignoresCase = smartCase && !letters.contains(where: Unistring.isUppercase)
    ignoresAccents = smartCase && !letters.contains { Unistring.base($0) != $0 }
    for scalar in letters {
      if scalar == 0x20 || scalar == 0xA0 || (0x09...0x0D).contains(scalar) {
        if scalars.last != 0x20 { scalars.append(0x20) }
      } else {
        scalars += ignoresAccents ? [scalar] : Unistring.decomposed(scalar)
      }
    }
  }

  /// Returns whether each match begins within a match of a shorter text. Returns false if accents
  /// are significant, because one character may then match several of `scalars`.
  func extends(_ shorter: Needle) -> Bool {
    ignoresAccents && shorter.ignoresAccents && (shorter.ignoresCase || !ignoresCase)
      && !shorter.scalars.isEmpty && scalars.starts(with: shorter.scalars)
  }

  /// Whether a match may begin with the given byte (a quick test).
  func mayBegin(with byte: UInt8, _ first: UInt32) -> Bool {
    if byte & 0xC0 == 0x80 { return false }
    if byte >= 0x80 { return true }
    if UInt32(byte) == first { return true }
    return ignoresCase && byte &- 0x41 < 26 && UInt32(byte | 0x20) == first
  }

  /// Returns how many of `scalars`, from an index on, a character of the text matches; 0 if it does
  /// not match.
  func matches(_ scalar: UInt32, at index: Int) -> Int {
    if isSame(scalar, scalars[index]) { return 1 }
    guard scalar >= 0xC0 else { return 0 }
    if ignoresAccents { return isSame(Unistring.base(scalar), scalars[index]) ? 1 : 0 }
    let parts = Unistring.decomposed(scalar)
    guard parts.count > 1, index + parts.count <= scalars.count else { return 0 }
    return zip(parts, scalars[index...]).allSatisfy(isSame) ? parts.count : 0
  }

  private func isSame(_ scalar: UInt32, _ wanted: UInt32) -> Bool {
    scalar == wanted || ignoresCase && Unistring.lowercase(scalar) == wanted
  }

  /// Whether a character is a combining accent to be ignored.
  func passes(_ scalar: UInt32) -> Bool {
    ignoresAccents && scalar >= 0x300 && Unistring.base(scalar) == 0
  }
}

extension Document {
  /// Returns the offsets at which a text occurs by the rules of the search in a layout, including
  /// folded content.
  /// - Parameters:
  ///   - content: The text to find; a run of white space in it matches one space.
  ///   - ranges: The offsets in `text` at which matches may begin, ascending.
  ///   - limit: The maximum number of matches.
  /// - Returns: Offsets in `text`, ascending. A match does not extend beyond the end of a block.
  package func offsets(
    of content: String, in ranges: [Range<UInt32>] = [0..<UInt32.max], limit: Int = .max
  ) -> [UInt32] {
    let needle = Needle(content, smartCase: true)
    guard let first = needle.scalars.first else { return [] }
    var result: [UInt32] = []
    var ranges = ranges[...]
    for block in blocks {
      guard let start = block.runs.first, let last = block.runs.last else { continue }
      let bytes = Int(runs[Int(start)].start)..<Int(runs[Int(last)].end)
      ranges = ranges.drop { Int($0.upperBound) <= bytes.lowerBound }
      if ranges.isEmpty { break }
      for range in ranges.prefix(while: { Int($0.lowerBound) < bytes.upperBound }) {
        for position in bytes.clamped(to: Int(range.lowerBound)..<Int(range.upperBound))
        where needle.mayBegin(with: text[position], first)
          && hasMatch(needle, at: position, bytes.upperBound)
        {
          result.append(UInt32(position))
          if result.count == limit { return result }
        }
      }
    }
    return result
  }

  private func hasMatch(_ needle: Needle, at start: Int, _ end: Int) -> Bool {
    var position = start
    var index = 0
    while index < needle.scalars.count {
      guard position < end else { return false }
      // Invisible characters match as they are shown.
      if let (length, replacement) = InlineText.invisible(in: text, at: position) {
        position += length
        if replacement.isEmpty, index > 0 { continue }
        guard !replacement.isEmpty, needle.scalars[index] == 0x20 else { return false }
        index += 1
        continue
      }
      let scalar = DisplayWidth.scalar(in: text, at: &position, limit: end)
      if index > 0, needle.passes(scalar) { continue }
      let count = needle.matches(scalar, at: index)
      guard count > 0 else { return false }
      index += count
    }
    return true
  }
}
