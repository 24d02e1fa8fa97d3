import Foundation
import OfflineCache

/// A line of a list that names a page.
package struct LinkLine: Sendable, Equatable {
  /// The address as written; a host without a scheme becomes a URL.
  package var address: String
  /// The text after the address, or empty.
  package var title: String
  /// The tags in a comment after the link, as buku writes it, or at the end of an Org heading.
  package var tags: [String] = []
  /// Whether the line is a link in Gemini syntax: `=> ADDRESS TITLE`.
  package var isGemini = false

  /// Parses a line; returns nil if it names no page. Of several links, the first one counts.
  package init?(_ line: String) {
    guard let first = Self.all(in: line).first else { return nil }
    self = first
  }

  private init(address: String, title: String = "") {
    self.address = address
    self.title = title
  }

  /// Returns the pages that a line names: the page of its first address, the pages of all URLs that
  /// commas, semicolons or only spaces separate, or the pages of all links in Markdown or Org mode.
  package static func all(in line: String) -> [LinkLine] {
    if line.hasPrefix("=>") {
      var link = plain(line.dropFirst(2), isGemini: true)
      link?.isGemini = true
      return link.map { [$0] } ?? []
    }
    var rest = withoutListMarker(line[...])
    var tags = removeTags(from: &rest)
    var links: [LinkLine] = rest.hasPrefix("[") ? [] : plainLinks(in: rest)
    if links.first?.address.hasPrefix("http") != true {
      let found = MarkdownLink.all(in: rest).map { LinkLine(address: $0.address, title: $0.title) }
      if !found.isEmpty { links = found }
      if rest.contains("[[") { tags += orgTags(rest) }
    }
    for index in links.indices { links[index].tags = tags }
    return links
  }

  /// Parses a text that begins with a URL or a host, followed by a title, by more URLs, or by text
  /// with URLs after a comma or semicolon; returns an empty array for other text.
  private static func plainLinks(in text: Substring) -> [LinkLine] {
    guard var link = plain(text) else { return [] }
    // The title is the end of the text.
    guard link.title.hasPrefix("http"),
      let separator = text.dropLast(link.title.count).last(where: { $0 != " " }),
      ",;".contains(separator) || !"|-–—:".contains(separator) && hasOnlyURLs(link.title)
    else { return [link] }
    let otherLinks = TextURLs.all(in: link.title).map { LinkLine(address: $0) }
    if !otherLinks.isEmpty { link.title = "" }
    return [link] + otherLinks
  }

  /// Whether all words of a text are URLs.
  private static func hasOnlyURLs(_ text: String) -> Bool {
    text.split(separator: " ").allSatisfy { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
  }

  /// Parses a text that begins with a URL or a host, followed by a title; nil for other text. In
  /// Gemini syntax (`isGemini`), URLs of any scheme are accepted.
  private static func plain(_ text: Substring, isGemini: Bool = false) -> LinkLine? {
    var rest = text.drop { $0 == " " }
    if rest.hasPrefix("<") { rest = rest.dropFirst() }
    let word = rest.prefix { $0 != " " && $0 != ">" }
    var remainder = rest[word.endIndex...].drop { " >,;".contains($0) }
    // OneTab writes a bar before the title, which may be empty.
    let separator = remainder.prefix { $0 != " " }
    if separators.contains(separator) {
      remainder = remainder[separator.endIndex...].drop { $0 == " " }
    }
    let title = remainder.hasPrefix("#") ? "" : String(remainder)
    if let link = asciiDoc(rest, word) { return link }
    if word.contains("://") {
      let address = isGemini ? word : withoutPunctuation(word, isBeforeText: !title.isEmpty)
      return LinkLine(address: String(address), title: title)
    }
    if isHost(word), title.isEmpty, let url = WebURL.forHost(String(word)) {
      return LinkLine(address: url.description)
    }
    return isGemini && word.contains(":") ? LinkLine(address: String(word), title: title) : nil
  }

  /// The words between a URL and its title.
  private static let separators: Set<Substring> = ["|", "-", "–", "—", ":"]

  /// Returns a URL without the punctuation of a list after it: commas and semicolons, and a colon
  /// before other text. A full stop may belong to the URL, as in `/wiki/Acme_Inc.`.
  private static func withoutPunctuation(_ word: Substring, isBeforeText: Bool) -> Substring {
    var word = word
    while let last = word.last, ",;".contains(last) || isBeforeText && last == ":" {
      word.removeLast()
    }
    return word
  }

  /// Parses a link in AsciiDoc, `https://example.org/page[Title]`, at the start of a text whose
  /// first word is given; returns nil for other words, such as URLs whose query or host has
  /// brackets.
  private static func asciiDoc(_ text: Substring, _ word: Substring) -> LinkLine? {
    guard let open = word.firstIndex(of: "["),
      case let address = word[..<open], address.contains("://"), !address.hasSuffix("//"),
      !address.contains("?"), let close = text[open...].firstIndex(of: "]"),
      " ,.;:!)".contains(text[close...].dropFirst().first ?? " ")
    else { return nil }
    let title = text[text.index(after: open)..<close]
    return title.isEmpty ? nil : LinkLine(address: String(address), title: String(title))
  }

  /// Returns a line without the markers of lists and tasks in Markdown, `- [x] `, `2. `, or of
  /// numbered references, `[2] `.
  static func withoutListMarker(_ line: Substring) -> Substring {
    var rest = line
    for marker in ["- ", "* ", "+ "] where rest.hasPrefix(marker) { rest = rest.dropFirst(2) }
    let number = rest.hasPrefix("[") ? rest.dropFirst() : rest
    let digits = number.prefix(while: \.isNumber)
    let ending = number[digits.endIndex...].prefix(2)
    let endings = rest.hasPrefix("[") ? ["] "] : [". ", ") "]
    if (1...9).contains(digits.utf8.count), endings.contains(String(ending)) {
      rest = number.dropFirst(digits.count + 2)
    }
    rest = rest.drop { $0 == " " }
    for task in ["[ ] ", "[x] ", "[X] "] where rest.hasPrefix(task) { rest = rest.dropFirst(4) }
    return rest.drop { $0 == " " }
  }

  /// Removes the comment in which buku lists tags, `<!-- TAGS: a,b -->`, and returns the tags.
  private static func removeTags(from line: inout Substring) -> [String] {
    guard line.hasSuffix("-->"), let start = line.range(of: "<!-- TAGS:"),
      let end = line[start.upperBound...].range(of: "-->")
    else { return [] }
    let names = line[start.upperBound..<end.lowerBound].split(separator: ",").map(String.init)
    line = line[..<start.lowerBound]
    while line.last == " " { line = line.dropLast() }
    return names
  }

  /// Returns the tags at the end of a line in Org mode: `:sea:travel:`.
  private static func orgTags(_ line: Substring) -> [String] {
    guard let word = line.split(separator: " ").last, word.hasPrefix(":"), word.hasSuffix(":")
    else { return [] }
    return word.split(separator: ":").map(String.init)
  }

  /// Whether a word is a host, with or without a port and a path: `example.org/page`.
  private static func isHost(_ word: Substring) -> Bool {
    let authority = word.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    guard authority.dropFirst(host.count + 1).utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    if WebURL.isLoopback(host) { return true }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == 0x2D || (0x30...0x39).contains(byte)
              || (0x61...0x7A).contains(byte | 0x20)
          }
      } && labels.last?.contains { $0.isLetter } == true && !isFileName(word)
  }

  /// Whether a word is the name of a file rather than a host: it ends with a file extension that is
  /// not a top-level domain.
  package static func isFileName(_ word: some StringProtocol) -> Bool {
    let ending = word.lowercased().split(separator: ".").last ?? ""
    return !word.contains("/") && word.contains(".") && fileExtensions.contains(String(ending))
  }

  private static let fileExtensions: Set = [
    "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "txt", "pdf", "xml", "json", "epub",
  ]
}
