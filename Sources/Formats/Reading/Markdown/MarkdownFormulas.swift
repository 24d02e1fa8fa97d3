import DOM
import Document

/// Finds formulas of TeX between signs of `$` in Markdown, as GitHub and pandoc read them: `$x$`, `$`x`$` and
/// `$$x$$`. Each byte is looked at a few times at most.
struct MarkdownFormulas {
  /// A formula in a text.
  struct Formula: Equatable {
    var source: Range<Int>
    /// The place behind the sign that ends it.
    var end: Int
    /// It stands on a line of its own.
    var isDisplay = false
  }

  /// No `$$`, or none that ends one with a backtick, follows any more.
  private var hasNoPair = false
  private var hasNoTick = false

  private static let dollar = UInt8(ascii: "$")
  private static let tick = UInt8(ascii: "`")

  /// The formula that begins at a sign.
  /// - Parameters:
  ///   - text: where it is.
  ///   - start: the place of the sign.
  ///   - end: where the text ends.
  /// - Returns: the formula; nil where the sign is text.
  mutating func formula(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    if start > 0, text[start - 1].isLetter || text[start - 1].isDigit { return nil }
    guard start + 2 < end else { return nil }
    switch text[start + 1] {
    case Self.dollar: return displayed(in: text, at: start, end: end)
    case Self.tick: return ticked(in: text, at: start, end: end)
    case let next where next.isWhiteSpace: return nil
    default: break
    }
    let close = Self.next(in: text, from: start + 1, end: end)
    guard close < end, !text[close - 1].isWhiteSpace else { return nil }
    if close + 1 < end {
      let next = text[close + 1]
      if next.isLetter || next.isDigit || next == Self.dollar { return nil }
    }
    let source = start + 1..<close
    return Self.readsLikeFormula(text[source]) ? Formula(source: source, end: close + 1) : nil
  }

  /// How many signs stand at a place where no formula begins.
  func length(in text: [UInt8], at start: Int, end: Int) -> Int {
    text[start..<end].prefix { $0 == Self.dollar }.count
  }

  private mutating func displayed(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    guard !hasNoPair else { return nil }
    var close = Self.next(in: text, from: start + 2, end: end)
    while close + 1 < end, text[close + 1] != Self.dollar {
      close = Self.next(in: text, from: close + 1, end: end)
    }
    guard close + 1 < end else {
      hasNoPair = true
      return nil
    }
    guard close > start + 2 else { return nil }
    return Formula(source: start + 2..<close, end: close + 2, isDisplay: true)
  }

  private mutating func ticked(in text: [UInt8], at start: Int, end: Int) -> Formula? {
    guard !hasNoTick else { return nil }
    var close = start + 2
    while close + 1 < end, text[close] != Self.tick || text[close + 1] != Self.dollar { close += 1 }
    guard close + 1 < end else {
      hasNoTick = true
      return nil
    }
    return Formula(source: start + 2..<close, end: close + 2)
  }

  /// The next sign that no backslash stands before, or `end`.
  private static func next(in text: [UInt8], from start: Int, end: Int) -> Int {
    var place = start
    while place < end, text[place] != dollar {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place, end)
  }

  /// Whether a text between two signs is a formula and not a sum of money, or text between two of them: it has a
  /// sign of TeX or of a relation, or it has a letter, and no word that is longer than one.
  private static func readsLikeFormula(_ source: ArraySlice<UInt8>) -> Bool {
    if source.contains(where: { "\\^_={}<>".utf8.contains($0) }) { return true }
    if source.contains(UInt8(ascii: "\"")) { return false }
    let words = source.split { !($0.isLetter || $0 >= 0x80) }
    let hasSpace = source.contains(where: \.isWhiteSpace)
    return !words.isEmpty && words.allSatisfy { $0.count <= (hasSpace ? 1 : 3) }
  }
}

extension HTMLWriter {
  /// Writes a formula of TeX, or its source where it is not understood.
  mutating func writeFormula(_ text: [UInt8], _ source: Range<Int>, isDisplay: Bool) {
    let isScript = !text.contains("</", in: source) && !text.contains("<!", in: source)
    if isScript, TeXFormula.line(text[source]) != nil {
      write("<script type=\"math/tex\(isDisplay ? "; mode=display" : "")\">")
      write(text[source])
      write("</script>")
    } else if isDisplay {
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
