import DOM

/// Finds TeX formulas in text: between the delimiters that the page uses, and environments such as
/// `\begin{align}`, which need no delimiters. Takes linear time for any text.
struct TeXFormulaScanner {
  /// A formula in the text.
  struct Formula: Equatable {
    /// The range including the delimiters.
    var fullRange: Range<Int>
    /// The range without the delimiters. The `\begin` and `\end` of an environment belong to it.
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
  /// The offset of the end of each environment, by the offset of its `\begin`; nil if none was
  /// needed yet.
  private var environmentEnds: [Int: Int]?

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
    let startIndex = index
    defer { examinedCount += index - startIndex }
    while index + 1 < end {
      let nextByte = bytes[index + 1]
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        if nextByte == UInt8(ascii: "("), let formula = formula(to: \.round, ")") {
          return formula
        }
        if nextByte == UInt8(ascii: "["), let formula = formula(to: \.square, "]") {
          return formula
        }
        if nextByte == UInt8(ascii: "b"), let formula = environment() { return formula }
        index += 2
      case UInt8(ascii: "$") where nextByte == UInt8(ascii: "$"):
        if let formula = displayFormula() { return formula }
        index += 2
      case UInt8(ascii: "$") where acceptsSingleDollars && !nextByte.isWhiteSpace:
        let closingDollar = offset(from: index + 1) { $0 == UInt8(ascii: "$") }
        let start = index
        index = closingDollar
        let isClosed =
          closingDollar < end && !bytes[closingDollar - 1].isWhiteSpace
          && !(closingDollar + 1 < end
            && (bytes[closingDollar + 1].isDigit
              || bytes[closingDollar + 1] == bytes[closingDollar]))
        if isClosed {
          index = closingDollar + 1
          return Formula(
            fullRange: start..<index, sourceRange: start + 1..<closingDollar, isDisplay: false)
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

  /// Returns the environment that begins here, with the environments in it; nil if there is none.
  private mutating func environment() -> Formula? {
    guard nameOfEnvironment(at: index, "\\begin{") != nil else { return nil }
    if environmentEnds == nil { environmentEnds = findEnvironments() }
    guard let close = environmentEnds?[index] else { return nil }
    let start = index
    index = close
    return Formula(fullRange: start..<close, sourceRange: start..<close, isDisplay: true)
  }

  /// Finds the environments from here on. One whose end names another environment does not count.
  private mutating func findEnvironments() -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var open: [(start: Int, name: Range<Int>)] = []
    var position = index
    while position < end {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      if let name = nameOfEnvironment(at: position, "\\begin{") {
        open.append((position, name))
      } else if let name = nameOfEnvironment(at: position, "\\end{"), let last = open.last,
        bytes[last.name].elementsEqual(bytes[name])
      {
        ends[last.start] = name.upperBound + 1
        open.removeLast()
      }
      position += 2
    }
    examinedCount += end - index
    return ends
  }

  /// Returns the range of the name in braces after a command at an offset; nil if there is none.
  private func nameOfEnvironment(at start: Int, _ command: String) -> Range<Int>? {
    let nameStart = start + command.utf8.count
    guard nameStart < end, bytes[start..<nameStart].elementsEqual(command.utf8),
      let close = bytes[nameStart..<min(end, nameStart + Self.maxNameLength)]
        .firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    return nameStart..<close
  }

  private static let maxNameLength = 24

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
