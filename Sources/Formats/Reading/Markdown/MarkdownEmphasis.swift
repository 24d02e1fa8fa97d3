import Document

/// Matches the delimiter runs of emphasis (CommonMark 0.31, section 6.2 and the appendix). Takes
/// linear time, because failed searches are not repeated.
struct MarkdownEmphasis {
  /// The class of the character next to a delimiter run.
  enum Neighbour {
    case space, punctuation, letter
  }

  /// The element that a pair of delimiters encloses.
  enum Element: String {
    case emphasis = "em"
    case strong
    case struck = "del"

    var start: String { "<\(rawValue)>" }
    var end: String { "</\(rawValue)>" }
  }

  private struct Delimiter {
    var byte: UInt8
    /// The number of delimiter characters that are not matched yet.
    var count: Int
    /// The original number of delimiter characters.
    var length: Int
    /// The index of the piece of text that consists of the delimiter run.
    var pieceIndex: Int
    var opens: Bool
    var closes: Bool
    /// The index of the previous remaining delimiter run, or -1.
    var previous: Int
  }

  private var delimiters: [Delimiter] = []

  /// The number of delimiter runs.
  var count: Int { delimiters.count }

  /// Adds a delimiter run.
  mutating func add(
    marker: UInt8, count: Int, pieceIndex: Int, before: Neighbour, after: Neighbour
  ) {
    let isLeft = after == .letter || after == .punctuation && before != .letter
    let isRight = before == .letter || before == .punctuation && after != .letter
    var (opens, closes) = (isLeft, isRight)
    if marker == UInt8(ascii: "_") {
      opens = isLeft && (!isRight || before == .punctuation)
      closes = isRight && (!isLeft || after == .punctuation)
    }
    delimiters.append(
      Delimiter(
        byte: marker, count: count, length: count, pieceIndex: pieceIndex, opens: opens,
        closes: closes,
        previous: delimiters.count - 1))
  }

  /// The properties of a closing delimiter run that determine its possible openers. After a failed
  /// search, the same delimiter runs are not searched again ("openers_bottom").
  private struct Kind: Hashable {
    var byte: UInt8
    var opens: Bool
    var remainder: Int
  }

  /// Inserts tags for the matching delimiter runs from an index on, and removes all runs from
  /// there.
  mutating func match(from first: Int, _ pieces: inout [MarkdownInlines.Piece]) {
    var bottoms: [Kind: Int] = [:]
    var closer = first
    while closer < delimiters.count {
      guard delimiters[closer].closes, delimiters[closer].count > 0 else {
        closer += 1
        continue
      }
      let end = delimiters[closer]
      let kind = Kind(byte: end.byte, opens: end.opens, remainder: end.length % 3)
      let bottom = max(first, bottoms[kind] ?? first)
      guard let opener = opener(of: closer, from: bottom) else {
        bottoms[kind] = closer
        closer += 1
        continue
      }
      enclose(opener, closer, &pieces)
      // Delimiter runs between the two can no longer match.
      delimiters[closer].previous =
        delimiters[opener].count > 0 ? opener : delimiters[opener].previous
      if delimiters[closer].count == 0 {
        if closer + 1 < delimiters.count {
          delimiters[closer + 1].previous = delimiters[closer].previous
        }
        closer += 1
      }
    }
    delimiters.removeSubrange(min(first, delimiters.count)...)
  }

  private func opener(of closer: Int, from bottom: Int) -> Int? {
    let end = delimiters[closer]
    var candidate = end.previous
    while candidate >= bottom {
      let start = delimiters[candidate]
      if start.byte == end.byte, start.opens, start.count > 0, agree(start, end) {
        return candidate
      }
      candidate = start.previous
    }
    return nil
  }

  private func agree(_ start: Delimiter, _ end: Delimiter) -> Bool {
    if start.byte == UInt8(ascii: "~") { return start.count == end.count }
    let isBoth = start.closes || end.opens
    return !isBoth || (start.length + end.length) % 3 != 0
      || start.length % 3 == 0 && end.length % 3 == 0
  }

  private mutating func enclose(
    _ opener: Int, _ closer: Int, _ pieces: inout [MarkdownInlines.Piece]
  ) {
    let (start, end) = (delimiters[opener], delimiters[closer])
    let isStruck = start.byte == UInt8(ascii: "~")
    let used = isStruck ? start.count : start.count >= 2 && end.count >= 2 ? 2 : 1
    let element: Element = isStruck ? .struck : used == 2 ? .strong : .emphasis
    pieces[start.pieceIndex].opened.append(element)
    pieces[end.pieceIndex].before += element.end.utf8
    pieces[start.pieceIndex].range = pieces[start.pieceIndex].range.dropLast(used)
    pieces[end.pieceIndex].range = pieces[end.pieceIndex].range.dropFirst(used)
    delimiters[opener].count -= used
    delimiters[closer].count -= used
  }
}
