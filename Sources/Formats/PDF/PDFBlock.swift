/// A block of the text of a PDF file.
struct PDFBlock: Equatable {
  enum Kind: Equatable {
    case paragraph
    /// Text that is larger than the body text, or numbered like a heading.
    case heading
    /// A list item, with its bullet or number.
    case listItem
    /// Lines of a table of contents, separated by line feeds.
    case entries
    /// A table or code: lines whose columns are kept.
    case preservedLayout
  }

  /// A run of text that is normal, superscript or subscript.
  struct Run: Equatable {
    enum BaselineShift { case none, raised, lowered }
    var text: String
    var baselineShift = BaselineShift.none
  }

  var kind: Kind
  var runs: [Run]
  /// The height of the lines of the block, in points.
  var lineHeight: Double
  var box: PDFBox
  /// Whether the block ends within a sentence, so that it may continue in the next column.
  var endsMidSentence = false
  /// Whether the block begins like a paragraph: with a list marker, indented, or after a vertical
  /// gap.
  var beginsParagraph = true
  /// The free space at the end of the last line, in points, if no line can be longer than the
  /// longest one of the column.
  var trailingSpace = 0.0
  /// The free space at the end of the last line, in points, if lines can extend to the margin of
  /// the page.
  var trailingSpaceToMargin = 0.0
  /// The width of the column, in points.
  var columnWidth = 0.0
  /// The width of the first word, in points.
  var firstWordWidth = 0.0

  var text: String { runs.map(\.text).joined() }

  /// Appends a line to a paragraph.
  mutating func append(_ line: PDFLine, hyphenation: PDFHyphenation) {
    append(Self.runs(of: line), hyphenation: hyphenation)
    box = box.union(line.box)
  }

  /// Appends the text of the next line.
  mutating func append(_ continuation: [Run], hyphenation: PDFHyphenation) {
    guard let first = continuation.first else { return }
    guard let last = runs.indices.last else {
      runs = continuation
      return
    }
    if runs[last].baselineShift == .none, first.baselineShift == .none {
      let join = hyphenation.join(runs[last].text, first.text)
      switch join {
      case .unchanged: break
      case .withoutHyphen: runs[last].text.removeLast()
      case .withSpace: runs[last].text.append(" ")
      }
      runs[last].text.append(first.text)
      runs += continuation.dropFirst()
    } else {
      runs[last].text += " "
      runs += continuation
    }
  }

  /// Returns the text of a line. Words without a gap between them are joined.
  static func runs(of line: PDFLine) -> [Run] {
    var runs: [Run] = []
    let words = PDFDirection.wordsInReadingOrder(line.words)
    let core = line.words.first { abs($0.box.height - line.wordHeight) < 0.3 }?.box ?? line.box
    for (index, word) in words.enumerated() {
      let next = words.indices.contains(index + 1) ? words[index + 1] : nil
      // A shifted letter within a word, as in the TeX logo, is not a superscript.
      let isWithin =
        (word.text.last?.isLetter ?? false) && index > 0
        && next.map { word.box.gap(to: $0.box) < line.wordHeight * 0.05 } ?? false
      let shift = isWithin ? .none : Self.baselineShift(of: word, beside: core)
      let gap = index == 0 ? 0 : word.box.gap(to: words[index - 1].box)
      let isAdjacent = index == 0 || gap < line.wordHeight * 0.09 && gap > -line.wordHeight * 0.6
      let separator = isAdjacent ? "" : " "
      if let last = runs.indices.last, runs[last].baselineShift == shift {
        runs[last].text += separator + word.text
      } else {
        if let last = runs.indices.last { runs[last].text += separator }
        runs.append(Run(text: word.text, baselineShift: shift))
      }
    }
    return runs
  }

  private static func baselineShift(of word: PDFWord, beside baseBox: PDFBox) -> Run.BaselineShift {
    guard word.box.height < baseBox.height * 0.86, word.text.count <= 6 else { return .none }
    // Small capitals are on the baseline.
    if baseBox.bottom - word.box.bottom > baseBox.height * 0.2 { return .raised }
    return word.box.bottom - baseBox.bottom > baseBox.height * 0.05 ? .lowered : .none
  }
}
