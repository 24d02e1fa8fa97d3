import DOM

/// Finds TeX formulas in text between the delimiters that the page uses. Takes linear time for any
/// text.
struct TeXDelimiters {
  /// A formula in the text.
  struct Formula: Equatable {
    /// The range including the delimiters.
    var whole: Range<Int>
    var source: Range<Int>
    /// Whether the formula is displayed on a line of its own.
    var isDisplay: Bool
  }

  private let bytes: [UInt8]
  private let end: Int
  private let acceptsDollars: Bool
  private var index: Int
  /// The offsets of the next `\)` and `\]`, if already searched; `end` if there is none.
  private var closers = (round: -1, square: -1)
  /// The number of bytes examined, counted each time (for tests).
  private(set) var examinedCount = 0
  /// Whether no `$$` follows.
  private var hasNoPair = false

  /// Creates a search in a range of a text. `acceptsDollars` is whether a single `$` can be a
  /// delimiter.
  init(_ bytes: [UInt8], in range: Range<Int>, acceptsDollars: Bool) {
    self.bytes = bytes
    self.acceptsDollars = acceptsDollars
    index = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next formula; nil if there is none.
  mutating func next() -> Formula? {
    let begin = index
    defer { examinedCount += index - begin }
    while index + 1 < end {
      let following = bytes[index + 1]
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        if following == UInt8(ascii: "("), let formula = formula(to: \.round, ")") {
          return formula
        }
        if following == UInt8(ascii: "["), let formula = formula(to: \.square, "]") {
          return formula
        }
        index += 2
      case UInt8(ascii: "$") where following == UInt8(ascii: "$"):
        if let formula = displayed() { return formula }
        index += 2
      case UInt8(ascii: "$") where acceptsDollars && !following.isWhiteSpace:
        let close = offset(from: index + 1) { $0 == UInt8(ascii: "$") }
        let start = index
        index = close
        let isClosed =
          close < end && !bytes[close - 1].isWhiteSpace
          && !(close + 1 < end && (bytes[close + 1].isDigit || bytes[close + 1] == bytes[close]))
        if isClosed {
          index = close + 1
          return Formula(whole: start..<index, source: start + 1..<close, isDisplay: false)
        }
      default: index += 1
      }
    }
    return nil
  }

  private mutating func formula(
    to closer: WritableKeyPath<(round: Int, square: Int), Int>, _ sign: Unicode.Scalar
  ) -> Formula? {
    let start = index
    if closers[keyPath: closer] < start + 2 {
      var position = start + 2
      while position < end, !isEscape(at: position, UInt8(ascii: sign)) {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      examinedCount += position - start
      closers[keyPath: closer] = min(position, end)
    }
    let close = closers[keyPath: closer]
    guard close < end else { return nil }
    index = close + 2
    return Formula(
      whole: start..<index, source: start + 2..<close, isDisplay: closer == \.square)
  }

  private mutating func displayed() -> Formula? {
    guard !hasNoPair else { return nil }
    let start = index
    var close = offset(from: start + 2) { $0 == UInt8(ascii: "$") }
    while close + 1 < end, bytes[close + 1] != UInt8(ascii: "$") {
      close = offset(from: close + 1) { $0 == UInt8(ascii: "$") }
    }
    guard close + 1 < end else {
      hasNoPair = true
      return nil
    }
    index = close + 2
    return Formula(whole: start..<index, source: start + 2..<close, isDisplay: true)
  }

  private func isEscape(at position: Int, _ sign: UInt8) -> Bool {
    bytes[position] == UInt8(ascii: "\\") && position + 1 < end && bytes[position + 1] == sign
  }

  /// Returns the offset of the next unescaped byte that satisfies a predicate, or `end`.
  private mutating func offset(from start: Int, where isMeant: (UInt8) -> Bool) -> Int {
    var position = start
    while position < end, !isMeant(bytes[position]) {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    examinedCount += position - start
    return min(position, end)
  }
}
