import DOM
import Document

/// Finds TeX formulas between `$` in Markdown, by the rules of GitHub and pandoc: `$x$`, `$`x`$`
/// and `$$x$$`. Each byte is examined a constant number of times.
struct MarkdownFormulas {
  /// A formula in a text.
  struct Formula: Equatable {
    var source: Range<Int>
    /// The index after the closing delimiter.
    var end: Int
    /// Whether the formula is displayed on a line of its own.
    var isDisplayed = false
  }

  /// Whether the rest of the text has no closing `$$`.
  private var lacksDoubleDollar = false
  /// Whether the rest of the text has no closing backtick and `$`.
  private var lacksBacktickDollar = false

  private static let dollar = UInt8(ascii: "$")
  private static let backtick = UInt8(ascii: "`")

  /// Returns the formula that begins at a `$`.
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The index of the `$`.
  ///   - end: The index at which the text ends.
  /// - Returns: The formula; nil when the `$` is literal.
  mutating func formula(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    if start > 0, text[start - 1].isLetter || text[start - 1].isDigit { return nil }
    guard start + 2 < end else { return nil }
    switch text[start + 1] {
    case Self.dollar: return displayedFormula(in: text, at: start, end: end)
    case Self.backtick: return backtickFormula(in: text, at: start, end: end)
    case let next where next.isWhiteSpace: return nil
    default: break
    }
    let close = Self.nextDollarIndex(in: text, from: start + 1, end: end)
    guard close < end, !text[close - 1].isWhiteSpace else { return nil }
    if close + 1 < end {
      let next = text[close + 1]
      if next.isDigit || next == Self.dollar { return nil }
      // A suffix may follow a short formula, as in `$n$th`; names of shell variables end
      // differently.
      if next.isLetter, !Self.mayPrecedeSuffix(text[start + 1..<close]) { return nil }
    }
    let source = start + 1..<close
    return Self.readsLikeFormula(text[source]) ? Formula(source: source, end: close + 1) : nil
  }

  /// Returns whether a text has a formula.
  static func hasFormula(_ text: [UInt8]) -> Bool {
    var formulas = MarkdownFormulas()
    return text.indices.contains { index in
      text[index] == dollar && formulas.formula(in: text, at: index, end: text.count) != nil
    }
  }

  /// Returns the length of a run of literal `$`.
  func dollarRunLength(in text: [UInt8], at start: Int, end: Int) -> Int {
    text[start..<end].prefix { $0 == Self.dollar }.count
  }

  private mutating func displayedFormula(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    guard !lacksDoubleDollar else { return nil }
    var close = Self.nextDollarIndex(in: text, from: start + 2, end: end)
    while close + 1 < end, text[close + 1] != Self.dollar {
      close = Self.nextDollarIndex(in: text, from: close + 1, end: end)
    }
    guard close + 1 < end else {
      lacksDoubleDollar = true
      return nil
    }
    guard close > start + 2 else { return nil }
    return Formula(source: start + 2..<close, end: close + 2, isDisplayed: true)
  }

  private mutating func backtickFormula(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    guard !lacksBacktickDollar else { return nil }
    var close = start + 2
    while close + 1 < end, text[close] != Self.backtick || text[close + 1] != Self.dollar {
      close += 1
    }
    guard close + 1 < end else {
      lacksBacktickDollar = true
      return nil
    }
    return Formula(source: start + 2..<close, end: close + 2)
  }

  /// Returns the index of the next unescaped `$`, or `end`.
  private static func nextDollarIndex(in text: [UInt8], from start: Int, end: Int) -> Int {
    var position = start
    while position < end, text[position] != dollar {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position, end)
  }

  /// Returns whether a text has no white space and ends with a letter, a digit or a bracket.
  private static func mayPrecedeSuffix(_ source: ArraySlice<UInt8>) -> Bool {
    guard let last = source.last, !source.contains(where: \.isWhiteSpace) else { return false }
    return last.isLetter || last.isDigit || ")}]".utf8.contains(last)
  }

  /// Returns whether the text between two `$` is a formula rather than prose between two amounts of
  /// money: it has a character of TeX or a relation, or it has letters and no words.
  private static func readsLikeFormula(_ source: ArraySlice<UInt8>) -> Bool {
    if source.contains(where: { "\\^_={}<>".utf8.contains($0) }) { return true }
    if source.contains(UInt8(ascii: "\"")) { return false }
    let words = source.split { !($0.isLetter || $0 >= 0x80) }
    let hasSpace = source.contains(where: \.isWhiteSpace)
    return !words.isEmpty && words.allSatisfy { $0.count <= (hasSpace ? 1 : 3) }
  }
}

extension HTMLWriter {
  /// Writes a TeX formula, or its source if it is not supported.
  mutating func writeFormula(_ text: [UInt8], _ source: Range<Int>, isDisplayed: Bool) {
    let isScript = !text.contains("</", in: source) && !text.contains("<!", in: source)
    if isScript, TeXConverter.convertedLine(text[source]) != nil {
      write("<script type=\"math/tex\(isDisplayed ? "; mode=display" : "")\">")
      write(text[source])
      write("</script>")
    } else if isDisplayed {
      write("<pre><code class=\"language-tex\">")
      writeEscaped(text, source)
      write("</code></pre>\n")
    } else {
      write("$")
      writeEscaped(text, source)
      write("$")
    }
  }
}
