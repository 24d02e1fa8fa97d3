import Layout

/// A snippet of a page in indented lines that are broken at spaces.
struct SnippetLines {
  /// The width of a line in columns; nil for a single line.
  let width: Int?

  private static let indent = "  "
  private let displayWidth = DisplayWidth()
  private var lines: [String] = []
  private var column = 0
  /// The incomplete word with its escape sequences, and its width in columns.
  private var pendingWord = (text: "", width: 0)

  /// Creates an empty snippet with lines of the given width; nil for a single line.
  init(width: Int?) { self.width = width }

  /// Appends text. Without a space in between, it continues the word before it.
  mutating func add(_ text: String, isBold: Bool) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { endWord() }
      guard !part.isEmpty else { continue }
      pendingWord.text += isBold ? "\u{1B}[1m\(part)\u{1B}[0m" : String(part)
      pendingWord.width += displayWidth.width(of: String(part))
    }
  }

  private mutating func endWord() {
    guard pendingWord.width > 0 else { return }
    if let last = lines.indices.last, width.map({ column + 1 + pendingWord.width <= $0 }) ?? true {
      lines[last] += " " + pendingWord.text
      column += 1 + pendingWord.width
    } else {
      lines.append(Self.indent + pendingWord.text)
      column = Self.indent.count + pendingWord.width
    }
    pendingWord = ("", 0)
  }

  /// The lines with their line feeds.
  var text: String {
    var all = self
    all.endWord()
    return all.lines.map { $0 + "\n" }.joined()
  }
}
