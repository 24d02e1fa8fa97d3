/// A piece of the text of a PDF file, in reading order.
struct PDFBlock: Equatable {
  enum Kind: Equatable {
    case paragraph
    /// Text that is larger than most, or numbered as headings are.
    case heading
    /// An item of a list, with its mark.
    case item
    /// Lines of a table of contents, with line feeds between them.
    case entries
    /// A table or code: lines whose columns count.
    case layout
  }

  /// A piece of text with one position on its line.
  struct Run: Equatable {
    enum Shift { case none, raised, lowered }
    var text: String
    var shift = Shift.none
  }

  var kind: Kind
  var runs: [Run]
  /// The height of its lines.
  var size: Double
  var box: PDFBox
  /// Whether it ends within a sentence: at the end of a column it goes on in the next one.
  var isOpen = false
  /// Whether it begins as a paragraph does: indented, or behind a gap.
  var hasStart = true

  var text: String { runs.map(\.text).joined() }

  /// Adds a line to a paragraph.
  mutating func append(_ line: PDFLine, hyphens: PDFHyphens) {
    append(Self.runs(of: line), hyphens: hyphens)
    box = box.union(line.box)
  }

  /// Adds text that stands on the next line.
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

  /// The text of a line; words without a gap between them are one.
  static func runs(of line: PDFLine) -> [Run] {
    var runs: [Run] = []
    let core = line.words.first { abs($0.box.height - line.size) < 0.3 }?.box ?? line.box
    for (index, word) in line.words.enumerated() {
      let next = line.words.indices.contains(index + 1) ? line.words[index + 1] : nil
      // A letter within a word, as in the name of TeX, is none that is raised.
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
    // Small capitals stand on the base line.
    if core.bottom - word.box.bottom > core.height * 0.2 { return .raised }
    return word.box.bottom - core.bottom > core.height * 0.05 ? .lowered : .none
  }
}
