/// Removes running headers and footers: lines that recur above or below the text of pages, and page
/// numbers.
struct PDFRunningLines {
  /// The distinct texts of the headers and footers, in the order of the pages.
  private(set) var texts: [String] = []
  /// The printed page numbers; empty for a page without one.
  private(set) var labels: [String]
  /// The pages without headers, footers and page numbers.
  private(set) var pages: [PDFPage]

  /// A line at the top or bottom of a page.
  private struct Edge {
    var key: String
    var line: PDFLine
    /// Whether no other line is close to this one.
    var isApart: Bool
  }

  /// Maximum number of header lines, and of footer lines, of a page.
  private static let depth = 2
  /// Maximum number of words of a header or footer line.
  private static let maxWordCount = 100

  init(_ pages: [PDFPage]) {
    self.pages = pages
    labels = Array(repeating: "", count: pages.count)
    let edges = pages.map(Self.edges)
    var counts: [String: Int] = [:]
    for page in edges {
      for key in Set((page.top + page.bottom).map(\.key)) { counts[key, default: 0] += 1 }
    }
    let least = pages.count < 6 ? 2 : 3
    var seen: Set<String> = []
    for (index, page) in edges.enumerated() {
      for lines in [page.top, page.bottom] {
        for edge in lines {
          let isNumber = Self.isNumber(edge.key) && edge.isApart
          guard counts[edge.key, default: 0] >= least || isNumber && pages.count > 1 else { break }
          let gone = Set(edge.line.words.map(\.box.left))
          self.pages[index].words.removeAll { word in
            gone.contains(word.box.left) && edge.line.words.contains(word)
          }
          let text = edge.line.words.map(\.text).joined(separator: " ")
          if labels[index].isEmpty { labels[index] = Self.number(in: text) }
          if !isNumber, seen.insert(edge.key).inserted { texts.append(text) }
        }
      }
    }
  }

  private static func edges(of page: PDFPage) -> (top: [Edge], bottom: [Edge]) {
    let height = page.height > 0 ? page.height : page.words.map(\.box.bottom).max() ?? 0
    let words = page.words.filter(\.isUpright)
    let top = PDFLine.lines(of: words.filter { $0.box.middle < height * 0.14 })
    let bottom = PDFLine.lines(of: words.filter { $0.box.middle > height * 0.88 })
    func edges(_ lines: [PDFLine]) -> [Edge] {
      lines.indices.prefix(depth).filter { lines[$0].words.count <= maxWordCount }.map { index in
        let line = lines[index]
        let text = line.words.map(\.text).joined(separator: " ")
        let next = lines.dropFirst(index + 1).first?.box
        let gap = next.map { max($0.top - line.box.bottom, line.box.top - $0.bottom) }
        return Edge(key: key(of: text), line: line, isApart: (gap ?? 99) > line.size * 0.3)
      }
    }
    return (edges(top), edges(Array(bottom.reversed())))
  }

  /// Returns a text in lower case with `#` for each number, so that lines that differ in the page
  /// number are equal.
  private static func key(of text: String) -> String {
    var key = ""
    for character in text.lowercased() {
      let next: Character = character.isNumber ? "#" : character
      if next != "#" || key.last != "#" { key.append(next) }
    }
    return isRoman(key) ? "#" : key
  }

  private static func isRoman(_ text: String) -> Bool {
    !text.isEmpty && text.count <= 8 && text.allSatisfy { "ivxlc".contains($0) }
  }

  /// Returns whether a line consists only of a page number.
  private static func isNumber(_ key: String) -> Bool {
    key == "#" || key == "- # -" || key == "– # –" || key == "page #" || key == "page # of #"
  }

  /// Returns the number at the start or end of a text, or empty.
  private static func number(in text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    let isNumber = { (word: Substring) in
      word.count <= 6 && word.allSatisfy(\.isNumber) || isRoman(word.lowercased())
    }
    return words.first.flatMap { isNumber($0) ? String($0) : nil }
      ?? words.last.flatMap { isNumber($0) ? String($0) : nil } ?? ""
  }
}
