/// Bookmarks that browsers write as lines of text. ELinks writes a title, a URL, the number of
/// folders around the bookmark, and flags, separated by tabs. Dillo writes the number of a section,
/// a URL and a title (`s1 URL TITLE`), below lines with the names of the sections (`:s1: NAME`).
enum TextBookmarks {
  private enum Line {
    /// A folder, and the number of folders around it.
    case folder(String, depth: Int)
    case section(String, number: Int)
    /// A page, and the number of folders around it or the number of its section.
    case page(address: String, title: String, parent: Int)
    case separator

    init?(_ line: String) {
      guard let parsed = Self.elinks(line) ?? Self.dillo(line) else { return nil }
      self = parsed
    }

    private static func elinks(_ line: String) -> Line? {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard (3...4).contains(cells.count), let depth = number(cells[2][...]),
        cells[3...].joined().allSatisfy({ "FES".contains($0) })
      else { return nil }
      if cells[1].contains("://") {
        return .page(address: cells[1], title: cells[0], parent: depth)
      }
      guard cells[1].isEmpty else { return nil }
      return cells[cells.count - 1].contains("F") ? .folder(cells[0], depth: depth) : .separator
    }

    private static func dillo(_ line: String) -> Line? {
      let isSection = line.hasPrefix(":s")
      guard isSection || line.hasPrefix("s") else { return nil }
      let rest = line.dropFirst(isSection ? 2 : 1)
      let digits = rest.prefix(while: \.isNumber)
      let text = rest.dropFirst(digits.count)
      guard let number = number(digits), text.hasPrefix(isSection ? ": " : " ") else { return nil }
      if isSection { return .section(String(text.dropFirst(2)), number: number) }
      let words = text.split(separator: " ", maxSplits: 1)
      guard let address = words.first, address.contains("://") else { return nil }
      return .page(
        address: String(address), title: words.count > 1 ? String(words[1]) : "", parent: number)
    }

    /// Returns the number in a text of one to three digits; nil for other text.
    private static func number(_ text: Substring) -> Int? {
      (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(text) : nil
    }
  }

  /// The maximum number of lines that are examined to detect the format.
  private static let maxExaminedLines = 50
  private static let maxLineLength = 1 << 16

  /// Whether the first lines of a text are bookmarks and folders of one of the browsers.
  static func matches(_ text: [UInt8]) -> Bool {
    var hasPage = false
    let lines = text.split(maxSplits: maxExaminedLines, whereSeparator: isLineEnd)
    for bytes in lines.prefix(maxExaminedLines) {
      guard let line = Line(self.text(of: bytes)) else { return false }
      if case .page = line { hasPage = true }
    }
    return hasPage
  }

  /// Adds the bookmarks to a list; folders and sections become tags.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var folders: [String] = []
    var sections: [Int: String] = [:]
    for bytes in text.split(whereSeparator: isLineEnd) {
      let line = self.text(of: bytes)
      switch Line(line) {
      case .folder(let name, let depth): folders = folders.prefix(depth) + [name]
      case .section(let name, let number): sections[number] = name
      case .page(let address, let title, let parent):
        let tags = sections[parent].map { [$0] } ?? Array(folders.prefix(parent))
        list.add(address, ImportedLink(url: "", title: title, tags: tags))
      case .separator: break
      case nil:
        // Text that is only similar at its start has other lines.
        let urls = TextURLs.all(in: line)
        if urls.isEmpty { list.skip() }
        for url in urls { list.add(url, ImportedLink(url: "")) }
      }
    }
  }

  private static func text(of line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix(maxLineLength), as: UTF8.self)
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
