import Algorithms

/// Fills lines greedily, using the break opportunities of UAX 14.
///
/// ASCII text, the common case, is broken by a few simple rules that examine only the end of each
/// line. For other text, libunistring determines the opportunities once per paragraph, and lines
/// are filled one grapheme cluster at a time. Between two ASCII characters of such text, the ASCII
/// rules apply as well. Each byte is examined a bounded number of times.
struct LineBreaker {
  /// The widths of characters.
  let widths: DisplayWidth

  /// One line of a paragraph.
  struct Segment: Equatable {
    /// The byte range that is shown, without the spaces at the break.
    var range: Range<Int>
    /// The offset at which the next line begins.
    var nextLineStart: Int
    /// Whether a hyphen is shown at the end because the line breaks at a soft hyphen.
    var isHyphenated = false
    /// Whether the line ends at a line feed or at the end of the text, rather than at a break
    /// opportunity.
    var isForced = false
  }

  /// For non-ASCII text, the break opportunity before each byte; empty for ASCII text.
  private var breakOpportunities: [UInt8] = []
  /// Whether an ASCII text contains line feeds.
  private var hasLineFeeds = false
  /// Ranges that are broken at spaces only, in ascending order.
  private var unbreakableRanges: [Range<Int>] = []

  /// Creates a line breaker for characters of the given widths.
  init(widths: DisplayWidth) {
    self.widths = widths
  }

  /// Prepares a text for line breaking.
  /// - Parameters:
  ///   - bytes: The text as UTF-8.
  ///   - isASCII: Whether all bytes are below 0x80.
  ///   - unbreakableRanges: Ranges that are broken at spaces only, in ascending order.
  mutating func prepare(_ bytes: [UInt8], isASCII: Bool, unbreakableRanges: [Range<Int>] = []) {
    self.unbreakableRanges = unbreakableRanges
    if isASCII {
      if !breakOpportunities.isEmpty { breakOpportunities.removeAll(keepingCapacity: true) }
      var lineFeeds: UInt8 = 0
      for byte in bytes { lineFeeds |= byte == .lineFeed ? 1 : 0 }
      hasLineFeeds = lineFeeds > 0
    } else if !AlphabeticBreaks.addBreaks(bytes, into: &breakOpportunities) {
      Unistring.findLineBreaks(of: bytes, into: &breakOpportunities)
    }
  }

  /// Returns the line that begins at an offset of the prepared text and is at most `width` columns
  /// wide.
  func segment(of bytes: [UInt8], from start: Int, width: Int) -> Segment {
    let segment =
      breakOpportunities.isEmpty
      ? asciiSegment(of: bytes, from: start, width: max(1, width))
      : segmentByClusters(of: bytes, from: start, width: max(1, width))
    return startOfDividedAddress(in: bytes, lineStart: start, segment, width: width)
      .map { segmentEnding(bytes, start, at: $0) } ?? segment
  }

  /// Returns the widths in columns of the widest unbreakable run of the prepared text, and of its
  /// widest line.
  func measure(_ bytes: [UInt8]) -> (widestWord: Int, widestLine: Int) {
    var word = 0
    var line = 0
    var widestWord = 0
    var widestLine = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let cluster = widths.cluster(in: bytes, at: position, end: bytes.count)
      if byte == .lineFeed {
        line = 0
        word = 0
      } else {
        // A space followed by a combining character is part of a word.
        let isSpace = byte == .space && cluster.end == position + 1
        if isSpace || allowsBreak(in: bytes, before: position) { word = 0 }
        if !isSpace { word += cluster.width }
        line += cluster.width
      }
      widestWord = max(widestWord, word)
      widestLine = max(widestLine, line)
      position = cluster.end
    }
    return (widestWord, widestLine)
  }

  // MARK: ASCII

  /// Returns the width in columns of the widest unbreakable run in a range of ASCII.
  static func maxWordWidth(_ text: [UInt8], in range: Range<Int>) -> Int {
    var word = 0
    var widest = 0
    for index in range {
      if text[index] == .space
        || index > range.lowerBound && allowsBreak(in: text, from: range.lowerBound, before: index)
      {
        word = 0
      }
      if text[index] != .space { word += 1 }
      widest = max(widest, word)
    }
    return widest
  }

  private func asciiSegment(of bytes: [UInt8], from start: Int, width: Int) -> Segment {
    let limit = width < bytes.count - start ? start + width : bytes.count
    var position = start
    if hasLineFeeds {
      while position < limit, bytes[position] != .lineFeed { position += 1 }
    } else {
      position = limit
    }
    if position < bytes.count, bytes[position] == .lineFeed {
      return Segment(
        range: trimmed(bytes, start..<position), nextLineStart: position + 1, isForced: true)
    }
    if position == bytes.count {
      return Segment(
        range: trimmed(bytes, start..<position), nextLineStart: position, isForced: true)
    }
    var first = start
    while first < limit, bytes[first] == .space { first += 1 }
    var end = limit
    while end > first {
      if bytes[end] == .space || Self.allowsBreak(in: bytes, before: end),
        !isUnbreakable(bytes, end)
      {
        return segmentEnding(bytes, start, at: end)
      }
      end -= 1
    }
    let cut = Self.breakPosition(bytes, from: first, to: limit)
    return Segment(range: start..<cut, nextLineStart: cut)
  }

  /// Returns the offset at which to break an ASCII word that is wider than a line: preferably after
  /// punctuation (or before a percent sign) in the last third of the line, so that the components
  /// of a URL stay whole.
  private static func breakPosition(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int {
    var end = limit
    let earliest = limit - (limit - start) / 3
    while end > earliest, end > start {
      if bytes[end] == .percent || bytes[end - 1].allowsBreakInLongWord && bytes[end].isWordByte {
        return end
      }
      end -= 1
    }
    return limit
  }

  /// Returns a line that is broken at `end`, without the spaces before the break.
  private func segmentEnding(_ bytes: [UInt8], _ start: Int, at end: Int) -> Segment {
    var next = end
    while next < bytes.count, bytes[next] == .space { next += 1 }
    if next < bytes.count, next > end, bytes[next] == .lineFeed {
      return Segment(range: trimmed(bytes, start..<end), nextLineStart: next + 1, isForced: true)
    }
    return Segment(
      range: trimmed(bytes, start..<end), nextLineStart: next, isForced: next == bytes.count)
  }

  private func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == .space { end -= 1 }
    return range.lowerBound..<end
  }

  /// Whether ASCII text may be broken before a byte: after spaces, after a hyphen or slash inside a
  /// word that is not an email address, and after `?` or `|`.
  private static func allowsBreak(
    in bytes: [UInt8], from start: Int = 0, before index: Int
  ) -> Bool {
    let last = bytes[index - 1]
    if last == .space { return bytes[index] != .space }
    guard last == .hyphen || last == .slash || last == .questionMark || last == .verticalBar,
      index - start >= 2, bytes[index].isLetter
    else { return false }
    // There is no break after the first slash of "/usr", after the hyphen of "-option", or in
    // "e-mail" or "I/O".
    guard bytes[index - 2].isWordByte else { return false }
    guard last == .hyphen || last == .slash else { return true }
    guard index - start >= 3, bytes[index - 3].isWordByte else { return false }
    return last == .slash || !isInEmailAddress(bytes, index, from: start)
  }

  /// Whether there is an at sign in the word around an offset, as in an email address.
  private static func isInEmailAddress(_ bytes: [UInt8], _ index: Int, from start: Int) -> Bool {
    let before = bytes[max(start, index - maxEmailPartLength)..<index].reversed()
    let after = bytes[index..<min(bytes.count, index + maxEmailPartLength)]
    return before.prefix(while: \.isInEmailAddress).contains(.atSign)
      || after.prefix(while: \.isInEmailAddress).contains(.atSign)
  }

  /// The maximum number of bytes that are examined on each side of a hyphen.
  private static let maxEmailPartLength = 64

  /// Whether an offset is inside a range that is broken at spaces only, among them those of zero
  /// width, with which pages mark the places where code may be broken.
  private func isUnbreakable(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard !unbreakableRanges.isEmpty, bytes[index] != .space, bytes[index - 1] != .space,
      !bytes[..<index].suffix(3).elementsEqual("\u{200B}".utf8)
    else { return false }
    let first = unbreakableRanges.partitioningIndex { $0.upperBound > index }
    return first < unbreakableRanges.count && unbreakableRanges[first].lowerBound < index
  }

  // MARK: URLs and paths

  /// Returns the offset at which to break a line instead, if it would end within a URL or a path
  /// that fits on the next line.
  private func startOfDividedAddress(
    in bytes: [UInt8], lineStart: Int, _ segment: Segment, width: Int
  ) -> Int? {
    let end = segment.nextLineStart
    guard !segment.isForced, !segment.isHyphenated, segment.range.upperBound == end else {
      return nil
    }
    let begin = end - bytes[lineStart..<end].reversed().prefix(while: \.isVisibleASCII).count
    let rest = bytes[end...].prefix(max(0, width)).prefix(while: \.isVisibleASCII)
    guard begin < end, !rest.isEmpty, rest.endIndex - begin <= width,
      bytes[lineStart..<begin].contains(where: { $0 != .space }),
      bytes[begin - 1] == .space || allowsBreak(in: bytes, before: begin),
      Self.isAddress(bytes[begin..<rest.endIndex])
    else { return nil }
    return begin
  }

  /// Whether a word is a URL or a path, apart from punctuation around it: it has a slash, and a
  /// period or a slash before another character, as in `example.org/a` and `file:///a`, or begins
  /// with a slash or a tilde. It is not markup.
  private static func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
    let address = word.trimming { !$0.isWordByte && $0 != .slash && $0 != .tilde }
    guard let first = address.first, address.contains(.slash),
      !address.contains(where: { "<>\"".utf8.contains($0) })
    else { return false }
    return !first.isWordByte
      || address.adjacentPairs().contains {
        $0 == .period && $1.isWordByte || $0 == .slash && $1 == .slash
      }
  }

  // MARK: Non-ASCII text

  private func allowsBreak(in bytes: [UInt8], before index: Int) -> Bool {
    guard index > 0, !isUnbreakable(bytes, index) else { return false }
    if bytes[index] < 0x80, bytes[index - 1] < 0x80 {
      return Self.allowsBreak(in: bytes, before: index)
    }
    return !breakOpportunities.isEmpty && breakOpportunities[index] == Unistring.breakPossible
      && !Self.forbidsBreak(bytes, before: index)
  }

  private func segmentByClusters(of bytes: [UInt8], from start: Int, width: Int) -> Segment {
    var position = start
    var column = 0
    var lastBreak = -1
    // The last offset at which a word that is too long may be broken.
    var lastCut = start
    var hasWord = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == .lineFeed {
        return Segment(
          range: trimmed(bytes, start..<position), nextLineStart: position + 1, isForced: true)
      }
      let cluster = widths.cluster(in: bytes, at: position, end: bytes.count)
      if hasWord, allowsBreak(in: bytes, before: position),
        column < width || !endsWithSoftHyphen(bytes, position)
      {
        lastBreak = position
      }
      if position > start, byte != .space, !Self.forbidsBreak(bytes, before: position) {
        lastCut = position
      }
      if byte == .space, cluster.end == position + 1 {
        if column >= width {
          // The character after the space may not begin a line.
          if hasWord, lastCut > start,
            let next = bytes[position...].firstIndex(where: { $0 != .space }),
            Self.forbidsBreak(bytes, before: next)
          {
            return lastBreak > start
              ? segmentBroken(bytes, start, at: lastBreak)
              : Segment(range: start..<lastCut, nextLineStart: lastCut)
          }
          return hasWord
            ? segmentEnding(bytes, start, at: position)
            : Segment(range: start..<position, nextLineStart: position)
        }
      } else {
        if column + cluster.width > width {
          if lastBreak > start { return segmentBroken(bytes, start, at: lastBreak) }
          if position > start {
            let cut =
              DisplayWidth.isASCII(bytes, in: start..<position + 1)
              ? Self.breakPosition(bytes, from: start, to: position)
              : lastCut > start ? lastCut : position
            return Segment(range: start..<cut, nextLineStart: cut)
          }
        }
        hasWord = true
      }
      column += cluster.width
      position = cluster.end
    }
    return Segment(range: trimmed(bytes, start..<position), nextLineStart: position, isForced: true)
  }

  private func segmentBroken(_ bytes: [UInt8], _ start: Int, at end: Int) -> Segment {
    var segment = segmentEnding(bytes, start, at: end)
    if endsWithSoftHyphen(bytes, end) {
      segment.range = start..<end - 2
      segment.isHyphenated = true
    }
    return segment
  }

  private func endsWithSoftHyphen(_ bytes: [UInt8], _ end: Int) -> Bool {
    end >= 2 && bytes[end - 1] == 0xAD && bytes[end - 2] == 0xC2
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let tab = UInt8(ascii: "\t")
  static let space = UInt8(ascii: " ")
  static let hyphen = UInt8(ascii: "-")
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let questionMark = UInt8(ascii: "?")
  fileprivate static let verticalBar = UInt8(ascii: "|")

  fileprivate static let period = UInt8(ascii: ".")
  fileprivate static let tilde = UInt8(ascii: "~")
  fileprivate static let percent = UInt8(ascii: "%")
  fileprivate static let atSign = UInt8(ascii: "@")

  /// Whether the byte is punctuation after which a very long word may be broken.
  fileprivate var allowsBreakInLongWord: Bool {
    switch self {
    case 0x21, 0x23, 0x26, 0x2B...0x2F, 0x3A...0x3F, 0x40, 0x7C, 0x7E: true
    default: false
    }
  }

  fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether the byte is a letter, a digit, or part of a non-ASCII character.
  fileprivate var isWordByte: Bool { isLetter || self &- 0x30 < 10 || self >= 0x80 }

  /// Whether the byte is an ASCII character other than a space or a control character.
  fileprivate var isVisibleASCII: Bool { self > .space && self < 0x7F }

  /// Whether the byte may be part of an email address.
  fileprivate var isInEmailAddress: Bool {
    isWordByte || self == .hyphen || self == .atSign || [0x2B, 0x2E, 0x5F].contains(self)
  }
}
