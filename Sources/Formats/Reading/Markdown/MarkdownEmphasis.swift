import Document

/// Matches the delimiter runs of emphasis (CommonMark 0.31, section 6.2 and the appendix). Takes
/// linear time, because failed searches are not repeated.
struct MarkdownEmphasis {
  /// The class of the character next to a delimiter run.
  enum CharacterClass {
    case space, punctuation, letter
  }

  /// The element that a pair of delimiters encloses.
  enum Element: String {
    case emphasis = "em"
    case strong
    case deleted = "del"
    case marked = "mark"

    var startTag: String { "<\(rawValue)>" }
    var endTag: String { "</\(rawValue)>" }
  }

  private struct DelimiterRun {
    var byte: UInt8
    /// The number of delimiter characters that are not matched yet.
    var remainingLength: Int
    /// The original number of delimiter characters.
    var originalLength: Int
    /// The index of the piece of text that consists of the delimiter run.
    var pieceIndex: Int
    var canOpen: Bool
    var canClose: Bool
    /// The index of the previous remaining delimiter run, or nil.
    var previousIndex: Int?
  }

  private var delimiterRuns: [DelimiterRun] = []

  /// The number of delimiter runs.
  var count: Int { delimiterRuns.count }

  /// Adds a delimiter run.
  mutating func add(
    marker: UInt8, count: Int, pieceIndex: Int, before: CharacterClass, after: CharacterClass
  ) {
    let isLeftFlanking = after == .letter || after == .punctuation && before != .letter
    let isRightFlanking = before == .letter || before == .punctuation && after != .letter
    var (opens, closes) = (isLeftFlanking, isRightFlanking)
    // An operator within a formula, as in `a==b`, marks nothing, and single tildes between words,
    // as in `10~20`, delete nothing.
    if marker == UInt8(ascii: "_") || marker == UInt8(ascii: "=")
      || marker == UInt8(ascii: "~") && count == 1
    {
      opens = isLeftFlanking && (!isRightFlanking || before == .punctuation)
      closes = isRightFlanking && (!isLeftFlanking || after == .punctuation)
    }
    delimiterRuns.append(
      DelimiterRun(
        byte: marker, remainingLength: count, originalLength: count, pieceIndex: pieceIndex,
        canOpen: opens,
        canClose: closes,
        previousIndex: delimiterRuns.indices.last))
  }

  /// The properties of a closing delimiter run that determine its possible openers. After a failed
  /// search, the same delimiter runs are not searched again ("openers_bottom").
  private struct Kind: Hashable {
    var byte: UInt8
    var canOpen: Bool
    var lengthModulo3: Int
  }

  /// Inserts tags for the matching delimiter runs from an index on, and removes all runs from
  /// there.
  mutating func match(from first: Int, _ pieces: inout [MarkdownInlines.Piece]) {
    var openerBottoms: [Kind: Int] = [:]
    var closerIndex = first
    while closerIndex < delimiterRuns.count {
      guard delimiterRuns[closerIndex].canClose, delimiterRuns[closerIndex].remainingLength > 0
      else {
        closerIndex += 1
        continue
      }
      let closingRun = delimiterRuns[closerIndex]
      let kind = Kind(
        byte: closingRun.byte, canOpen: closingRun.canOpen,
        lengthModulo3: closingRun.originalLength % 3)
      let bottom = max(first, openerBottoms[kind] ?? first)
      guard let opener = openerIndex(of: closerIndex, from: bottom) else {
        openerBottoms[kind] = closerIndex
        closerIndex += 1
        continue
      }
      enclose(opener, closerIndex, &pieces)
      // Delimiter runs between the two can no longer match.
      delimiterRuns[closerIndex].previousIndex =
        delimiterRuns[opener].remainingLength > 0 ? opener : delimiterRuns[opener].previousIndex
      if delimiterRuns[closerIndex].remainingLength == 0 {
        if closerIndex + 1 < delimiterRuns.count {
          delimiterRuns[closerIndex + 1].previousIndex = delimiterRuns[closerIndex].previousIndex
        }
        closerIndex += 1
      }
    }
    delimiterRuns.removeSubrange(min(first, delimiterRuns.count)...)
  }

  /// Returns the index of the nearest delimiter run before a closing one that opens its element, at
  /// or after `bottom`; nil if there is none.
  private func openerIndex(of closerIndex: Int, from bottom: Int) -> Int? {
    let end = delimiterRuns[closerIndex]
    var candidate = end.previousIndex
    while let index = candidate, index >= bottom {
      let start = delimiterRuns[index]
      if start.byte == end.byte, start.canOpen, start.remainingLength > 0, canPair(start, end) {
        return index
      }
      candidate = start.previousIndex
    }
    return nil
  }

  private func canPair(_ start: DelimiterRun, _ end: DelimiterRun) -> Bool {
    if start.byte == UInt8(ascii: "~") || start.byte == UInt8(ascii: "=") {
      return start.remainingLength == end.remainingLength
    }
    let oneCanOpenAndClose = start.canClose || end.canOpen
    return !oneCanOpenAndClose || (start.originalLength + end.originalLength) % 3 != 0
      || start.originalLength % 3 == 0 && end.originalLength % 3 == 0
  }

  private mutating func enclose(
    _ openerIndex: Int, _ closerIndex: Int, _ pieces: inout [MarkdownInlines.Piece]
  ) {
    let (start, end) = (delimiterRuns[openerIndex], delimiterRuns[closerIndex])
    let used: Int
    let element: Element
    switch start.byte {
    case UInt8(ascii: "~"): (used, element) = (start.remainingLength, .deleted)
    case UInt8(ascii: "="): (used, element) = (start.remainingLength, .marked)
    case _ where start.remainingLength >= 2 && end.remainingLength >= 2:
      (used, element) = (2, .strong)
    default: (used, element) = (1, .emphasis)
    }
    pieces[start.pieceIndex].openedElements.append(element)
    pieces[end.pieceIndex].tagsBefore += element.endTag.utf8
    pieces[start.pieceIndex].range = pieces[start.pieceIndex].range.dropLast(used)
    pieces[end.pieceIndex].range = pieces[end.pieceIndex].range.dropFirst(used)
    delimiterRuns[openerIndex].remainingLength -= used
    delimiterRuns[closerIndex].remainingLength -= used
  }
}
