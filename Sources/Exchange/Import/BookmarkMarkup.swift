import DOM

/// The markup of bookmark files. Some programs write titles and descriptions without escapes, so
/// that they contain what looks like markup: `The <script> element`, or the start of a comment.
enum BookmarkMarkup {
  /// The elements of lists of bookmarks.
  private static let listElements: Set = ["dl", "dt", "a"]

  /// The elements that are markup within lists of bookmarks and in descriptions.
  private static let elements: Set = [
    "a", "abbr", "b", "big", "blockquote", "body", "br", "center", "cite", "code", "dd", "del",
    "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "html", "i",
    "img", "ins", "kbd", "li", "mark", "meta", "ol", "p", "pre", "q", "s", "small", "span",
    "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "tt", "u", "ul",
  ]

  /// The length of the longest name in `elements`.
  private static let maxNameLength = 10

  /// Returns a bookmark file in which each `<` within the list is escaped that begins no tag of
  /// `elements` and no comment.
  static func escapingText(of file: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var (copied, position) = (0, 0)
    var isInList = false
    while let bracket = file[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = bracket + 1
      let name = tagName(in: file, at: position)
      isInList = isInList || listElements.contains(name)
      guard isInList, !elements.contains(name) else { continue }
      if let end = endOfComment(in: file, at: position) {
        position = end
        continue
      }
      result += file[copied..<bracket]
      result += "&lt;".utf8
      copied = position
    }
    return copied == 0 ? file : result + file[copied...]
  }

  /// Returns the lowercase name of the start tag or end tag whose `<` is before an index; empty
  /// if no tag begins there.
  private static func tagName(in file: [UInt8], at index: Int) -> String {
    let rest = file[index...].prefix(maxNameLength + 2).drop { $0 == UInt8(ascii: "/") }
    return String(decoding: rest.prefix { $0.isLetter || $0.isDigit }, as: UTF8.self).lowercased()
  }

  /// Returns the index after the comment whose `<` is before an index; nil if no comment begins
  /// there. Only a comment at the start of a line, such as one around bookmarks, contains tags:
  /// after a text, the end that follows them may belong to another comment.
  private static func endOfComment(in file: [UInt8], at index: Int) -> Int? {
    guard file[index...].starts(with: "!--".utf8) else { return nil }
    let rest = file[(index + 3)...]
    let before = file[..<(index - 1)].last { $0 != 0x20 && $0 != 0x09 }
    let limit: StaticString = before ?? 0x0A == 0x0A ? "<!--" : "<"
    let text = rest[..<(rest.firstIndex(of: limit) ?? rest.endIndex)]
    return text.firstIndex(of: "-->" as StaticString).map { $0 + 3 }
  }
}
