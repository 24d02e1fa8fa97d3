import DOM

/// Finds TeX formulas in text between the delimiters that the page uses. Takes linear time for any
/// text.
struct TeXFormulaScanner {
  /// A formula in the text.
  struct Formula: Equatable {
    /// The range including the delimiters.
    var fullRange: Range<Int>
    var sourceRange: Range<Int>
    /// Whether the formula is displayed on a line of its own.
    var isDisplay: Bool
  }

  private let bytes: [UInt8]
  private let end: Int
  private let acceptsSingleDollars: Bool
  private var index: Int
  /// The offsets of the next `\)` and `\]`, if already searched; `end` if there is none.
  private var closerOffsets = (round: -1, square: -1)
  /// The number of bytes examined, counted each time (for tests).
  private(set) var examinedCount = 0
  /// Whether no `$$` follows.
  private var hasNoDoubleDollar = false

  /// Creates a search in a range of a text; a single `$` can be a delimiter only if
  /// `acceptsSingleDollars` is true.
  init(_ bytes: [UInt8], in range: Range<Int>, acceptsSingleDollars: Bool) {
    self.bytes = bytes
    self.acceptsSingleDollars = acceptsSingleDollars
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
        if let formula = displayFormula() { return formula }
        index += 2
      case UInt8(ascii: "$") where acceptsSingleDollars && !following.isWhiteSpace:
        let close = offset(from: index + 1) { $0 == UInt8(ascii: "$") }
        let start = index
        index = close
        let isClosed =
          close < end && !bytes[close - 1].isWhiteSpace
          && !(close + 1 < end && (bytes[close + 1].isDigit || bytes[close + 1] == bytes[close]))
        if isClosed {
          index = close + 1
          return Formula(fullRange: start..<index, sourceRange: start + 1..<close, isDisplay: false)
        }
      default: index += 1
      }
    }
    return nil
  }

  private mutating func formula(
    to closer: WritableKeyPath<(round: Int, square: Int), Int>, _ closingCharacter: Unicode.Scalar
  ) -> Formula? {
    let start = index
    if closerOffsets[keyPath: closer] < start + 2 {
      var position = start + 2
      while position < end, !isEscape(at: position, UInt8(ascii: closingCharacter)) {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      examinedCount += position - start
      closerOffsets[keyPath: closer] = min(position, end)
    }
    let close = closerOffsets[keyPath: closer]
    guard close < end else { return nil }
    index = close + 2
    return Formula(
      fullRange: start..<index, sourceRange: start + 2..<close, isDisplay: closer == \.square)
  }

  private mutating func displayFormula() -> Formula? {
    guard !hasNoDoubleDollar else { return nil }
    let start = index
    var close = offset(from: start + 2) { $0 == UInt8(ascii: "$") }
    while close + 1 < end, bytes[close + 1] != UInt8(ascii: "$") {
      close = offset(from: close + 1) { $0 == UInt8(ascii: "$") }
    }
    guard close + 1 < end else {
      hasNoDoubleDollar = true
      return nil
    }
    index = close + 2
    return Formula(fullRange: start..<index, sourceRange: start + 2..<close, isDisplay: true)
  }

  private func isEscape(at position: Int, _ closingCharacter: UInt8) -> Bool {
    bytes[position] == UInt8(ascii: "\\") && position + 1 < end
      && bytes[position + 1] == closingCharacter
  }

  /// Returns the offset of the next unescaped byte that satisfies a predicate, or `end`.
  private mutating func offset(from start: Int, where predicate: (UInt8) -> Bool) -> Int {
    var position = start
    while position < end, !predicate(bytes[position]) {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    examinedCount += position - start
    return min(position, end)
  }
}
