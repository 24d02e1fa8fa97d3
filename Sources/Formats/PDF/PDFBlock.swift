/// A block of the text of a PDF file.
struct PDFBlock: Equatable {
  enum Kind: Equatable {
    case paragraph
    /// Text that is larger than the body text, or numbered like a heading.
    case heading
    /// A list item, with its bullet or number.
    case item
    /// Lines of a table of contents, separated by line feeds.
    case entries
    /// A table or code: lines whose columns are kept.
    case layout
  }

  /// A run of text that is normal, superscript or subscript.
  struct Run: Equatable {
    enum Shift { case none, raised, lowered }
    var text: String
    var shift = Shift.none
  }

  var kind: Kind
  var runs: [Run]
  /// The height of its lines, in points.
  var size: Double
  var box: PDFBox
  /// Whether the block ends within a sentence, so that it may continue in the next column.
  var isOpen = false
  /// Whether the block begins like a paragraph: with a list marker, indented, or after a vertical
  /// gap.
  var hasStart = true
  /// The free space at the end of the last line, if no line can be longer than the longest one of
  /// the column.
  var space = 0.0
  /// The free space at the end of the last line, if lines can extend to the margin of the page.
  var possibleSpace = 0.0
  /// The width of the column.
  var width = 0.0
  var firstWordWidth = 0.0

  var text: String { runs.map(\.text).joined() }

  /// Appends a line to a paragraph.
  mutating func append(_ line: PDFLine, hyphens: PDFHyphens) {
    append(Self.runs(of: line), hyphens: hyphens)
    box = box.union(line.box)
  }

  /// Appends the text of the next line.
  mutating func append(_ more: [Run], hyphens: PDFHyphens) {
    guard let first = more.first else { return }
    guard let last = runs.indices.last else {
      runs = more
      return
    }
    if runs[last].shift == .none, first.shift == .none {
      let join = hyphens.join(runs[last].text, first.text)
      if join.dropsHyphen { runs[last].text.removeLast() }
      if join.hasSpace { runs[last].text.append(" ") }
      runs[last].text.append(first.text)
      runs += more.dropFirst()
    } else {
      runs[last].text += " "
      runs += more
    }
  }

  /// Returns the text of a line. Words without a gap between them are joined.
  static func runs(of line: PDFLine) -> [Run] {
    var runs: [Run] = []
    let core = line.words.first { abs($0.box.height - line.size) < 0.3 }?.box ?? line.box
    for (index, word) in line.words.enumerated() {
      let next = line.words.indices.contains(index + 1) ? line.words[index + 1] : nil
      // A shifted letter within a word, as in the TeX logo, is not a superscript.
      let isWithin =
        (word.text.last?.isLetter ?? false) && index > 0
        && next.map { $0.box.left - word.box.right < line.size * 0.05 } ?? false
      let shift = isWithin ? .none : Self.shift(of: word, beside: core)
      let gap = index == 0 ? 0 : word.box.left - line.words[index - 1].box.right
      let isGlued = index == 0 || gap < line.size * 0.09 && gap > -line.size * 0.6
      let separator = isGlued ? "" : " "
      if let last = runs.indices.last, runs[last].shift == shift {
        runs[last].text += separator + word.text
      } else {
        if let last = runs.indices.last { runs[last].text += separator }
        runs.append(Run(text: word.text, shift: shift))
      }
    }
    return runs
  }

  private static func shift(of word: PDFWord, beside core: PDFBox) -> Run.Shift {
    guard word.box.height < core.height * 0.86, word.text.count <= 6 else { return .none }
    // Small capitals are on the baseline.
    if core.bottom - word.box.bottom > core.height * 0.2 { return .raised }
    return word.box.bottom - core.bottom > core.height * 0.05 ? .lowered : .none
  }
}
