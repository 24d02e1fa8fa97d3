import Layout

/// A piece of a page in lines that are indented and broken at blanks.
struct SnippetLines {
  /// The columns of a line; nil for one line.
  let width: Int?

  private static let indent = "  "
  private let display = DisplayWidth()
  private var lines: [String] = []
  private var column = 0
  /// The word that is not complete, as it is written, and its columns.
  private var word = (text: "", width: 0)

  /// Begins without a line.
  init(width: Int?) { self.width = width }

  /// Adds a text; what stands before and behind it without a blank is of the same word.
  mutating func add(_ text: String, isBold: Bool) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { endWord() }
      guard !part.isEmpty else { continue }
      word.text += isBold ? "\u{1B}[1m\(part)\u{1B}[0m" : String(part)
      word.width += display.width(of: String(part))
    }
  }

  private mutating func endWord() {
    guard word.width > 0 else { return }
    if let last = lines.indices.last, width.map({ column + 1 + word.width <= $0 }) ?? true {
      lines[last] += " " + word.text
      column += 1 + word.width
    } else {
      lines.append(Self.indent + word.text)
      column = Self.indent.count + word.width
    }
    word = ("", 0)
  }

  /// The lines, each with its end.
  var text: String {
    var all = self
    all.endWord()
    return all.lines.map { $0 + "\n" }.joined()
  }
}
