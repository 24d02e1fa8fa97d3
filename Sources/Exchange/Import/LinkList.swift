import Feeds
import OfflineCache

/// Lists of pages as text in the format of `LinkLines`.
enum LinkList {
  /// Detects the format of a text; returns nil if no line begins with a URL, and less than half of
  /// the lines contain a URL.
  static func format(of text: [UInt8]) -> ListFormat? {
    var hasAddress = false
    var isMarkup = false
    var (lineCount, textCount) = (0, 0)
    for line in LinkLines(text) {
      for link in line.links {
        if link.isGemini { return .offpunk }
        hasAddress = hasAddress || WebURL(link.address)?.isWeb == true
      }
      // Running text in markup, or in JSON that cannot be parsed, is not a list.
      if lineCount == 0 { isMarkup = beginsLikeMarkup(line.text) }
      lineCount += 1
      guard !hasAddress, !isMarkup else { continue }
      textCount += TextURLs.all(in: line.text).isEmpty ? 0 : 1
    }
    return hasAddress || textCount > 0 && textCount * 2 >= lineCount ? .lines : nil
  }

  /// Whether a text begins like XML or JSON. A bracket may also begin a date or a number.
  private static func beginsLikeMarkup(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let second = text.utf8.dropFirst().first ?? UInt8(ascii: " ")
    return "<{".utf8.contains(first) || first == UInt8(ascii: "[") && "[{\" ".utf8.contains(second)
  }

  /// Adds the pages that the lines of a text name to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    if TextBookmarks.matches(text) { return TextBookmarks.read(text, into: &list) }
    let hasFeeds = isNewsboatList(text)
    let hasTitlesFirst = hasTitlesFirst(text)
    for line in LinkLines(text) {
      if hasFeeds {
        if let feed = feed(line.text) { list.add(feed) } else { list.skip(line) }
        continue
      }
      if !line.links.contains(where: { $0.address.hasPrefix("http") }),
        case let urls = TextURLs.all(in: line.text), !urls.isEmpty
      {
        list.hasRunningText = true
        let title = hasTitlesFirst ? titledURL(line)?.title ?? "" : ""
        for url in urls { list.add(url, ImportedLink(url: "", title: title), of: line) }
        continue
      }
      for link in line.links {
        list.add(link.address, ImportedLink(url: "", title: link.title, tags: link.tags), of: line)
      }
      if line.links.isEmpty { list.skip(line) }
    }
  }

  /// Returns whether all lines of a text have a title and then a URL. Text that is the same in all
  /// of several lines is not a title but a label, such as `URL:`.
  private static func hasTitlesFirst(_ text: [UInt8]) -> Bool {
    var titles: Set<String> = []
    var lineCount = 0
    for line in LinkLines(text) {
      guard let title = titledURL(line)?.title else { return false }
      titles.insert(title)
      lineCount += 1
    }
    return titles.count > 1 || lineCount == 1
  }

  /// Returns the only URL of a line that ends with it, and the title before it, as quickmarks of
  /// qutebrowser have them; nil for other lines, such as those with a bullet or a date in digits
  /// before the URL.
  private static func titledURL(_ line: LinkLines.Line) -> (url: String, title: String)? {
    let urls = TextURLs.all(in: line.text)
    guard let url = urls.first, urls.count == 1 else { return nil }
    var text = line.text[...]
    while let last = text.last, ")>".contains(last), !text.hasSuffix(url) { text.removeLast() }
    guard text.hasSuffix(url) else { return nil }
    var title = LinkLine.withoutListMarker(text.dropLast(url.count))
    while let last = title.last, " :-–—|(<".contains(last) { title.removeLast() }
    return title.contains(where: \.isLetter) ? (url, String(title)) : nil
  }

  // MARK: newsboat

  /// Returns whether a text is the list of feeds of newsboat: a line has the title of a feed in
  /// quotation marks, or a source that is not a URL.
  private static func isNewsboatList(_ text: [UInt8]) -> Bool {
    LinkLines(text).contains { line in
      line.text.contains(" \"~") || sources.contains { line.text.hasPrefix($0) }
    }
  }

  /// The beginnings of lines with a query or a program.
  private static let sources = [
    "\"query:", "\"exec:", "\"filter:", "exec:~", "exec:/", "filter:~", "filter:/",
  ]

  /// Parses a line of newsboat: a URL, tags, and a title after `~`; nil without a URL.
  private static func feed(_ line: String) -> OPML.Outline? {
    guard let words = QuotedWords.split(line), let url = words.first.flatMap({ WebURL($0) }),
      url.isWeb
    else { return nil }
    let title = words.dropFirst().last { $0.hasPrefix("~") }?.dropFirst() ?? ""
    return OPML.Outline(
      title: String(title), feedURL: url.description,
      tags: words.dropFirst().filter { $0 != "!" && !$0.hasPrefix("~") })
  }
}
