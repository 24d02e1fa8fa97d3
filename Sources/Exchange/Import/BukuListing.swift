import DOM

/// Bookmarks as `buku --print` writes them: a number and a title, and below them lines with the
/// URL, the description and the tags.
enum BukuListing {
  private struct Bookmark {
    var address = ""
    var link: ImportedLink
  }

  /// Whether the first two lines of a text are the title and the URL of a bookmark. In Markdown,
  /// the second line can be a quotation in an item of a list.
  static func matches(_ text: [UInt8]) -> Bool {
    let lines = text.split(maxSplits: 2, whereSeparator: isLineEnd).prefix(2).map {
      String(decoding: $0.prefix(1024), as: UTF8.self)
    }
    return lines.count == 2 && title(lines[0]) != nil && lines[1].hasPrefix("   > ")
      && !lines[1].dropFirst(5).contains(" ")
  }

  /// Adds the bookmarks in a listing to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var bookmarks: [Bookmark] = []
    for line in text.split(whereSeparator: isLineEnd) {
      let line = String(decoding: line, as: UTF8.self)
      if let title = title(line) {
        bookmarks.append(Bookmark(link: ImportedLink(url: "", title: title)))
        continue
      }
      guard !bookmarks.isEmpty else { continue }
      let last = bookmarks.count - 1
      let value = String(line.dropFirst(5))
      switch line.prefix(5) {
      case "   > ": bookmarks[last].address = value
      case "   # ": bookmarks[last].link.tags = value.split(separator: ",").map(String.init)
      case "   + ": bookmarks[last].link.add(note: value)
      default: bookmarks[last].link.add(note: line.oneLine)
      }
    }
    let areNumbered = bookmarks.allSatisfy { withoutNumber($0.link.title) != nil }
    for bookmark in bookmarks {
      var link = bookmark.link
      if areNumbered { link.title = withoutNumber(link.title)?.oneLine ?? "" }
      // The name of a bookmark without a title.
      if link.title == "Untitled" { link.title = "" }
      list.add(bookmark.address, link)
    }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the title after the number of a bookmark, as in `3. Title`; nil for other lines.
  private static func title(_ line: String) -> String? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, line[digits.endIndex...].hasPrefix(". ") else { return nil }
    return String(line[digits.endIndex...].dropFirst(2))
  }

  /// Returns a title without the number in brackets that follows every title in the results of a
  /// search; nil if there is none.
  private static func withoutNumber(_ title: String) -> String? {
    guard title.hasSuffix("]"), let open = title.lastIndex(of: "[") else { return nil }
    let digits = title[open...].dropFirst().dropLast()
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return String(title[..<open])
  }
}
