import DOM
import Document
import Feeds
import Formats
import Foundation
import OfflineCache

/// A page as Markdown, preceded by YAML front matter with its URL. `export` writes such files, and
/// so do programs that clip pages for note-taking programs.
struct MarkdownNote {
  /// The URL as written in the front matter.
  private let address: String
  /// The page, without its URL and its text.
  private var link = ImportedLink(url: "")
  /// The text after the front matter.
  private let body: ArraySlice<UInt8>

  /// The maximum length of front matter in bytes.
  private static let maxFrontMatterLength = 1 << 16
  /// The minimum length in bytes of the text of a page; a shorter one is a comment of the user.
  private static let minContentLength = 80

  /// Parses a file; returns nil unless its front matter contains a web URL.
  /// - Parameter text: The file as UTF-8.
  init?(_ text: [UInt8]) {
    guard let (matter, body) = Self.split(text) else { return nil }
    let entries = Self.entries(of: String(decoding: matter, as: UTF8.self))
    let addresses = entries.filter { Self.isURLField($0.name) }.flatMap(\.values)
    guard let address = addresses.first(where: { WebURL($0)?.isWeb == true }) else { return nil }
    self.address = address
    self.body = body
    for entry in entries.sorted(by: { LinkField.rank(of: $0.name) < LinkField.rank(of: $1.name) }) {
      apply(entry)
    }
  }

  private mutating func apply(_ entry: Entry) {
    let values = entry.values
    switch LinkField(entry.name) {
    case .title: if link.title.isEmpty { link.title = values.first ?? "" }
    case .tags, .folder:
      link.tags += values.map { String($0.hasPrefix("#") ? $0.dropFirst() : $0[...]) }
    case .date: link.date = link.date ?? values.lazy.compactMap { DateText.parse($0) }.first
    case .note: link.add(note: values.joined(separator: "\n"))
    case .archived: if values.contains(where: LinkField.isAffirmative) { link.isArchived = true }
    case .starred: if values.contains(where: LinkField.isAffirmative) { link.isStarred = true }
    case .unread, .url, .doi, nil: break
    }
  }

  /// Adds the page to a list, with its text.
  func add(to list: inout ImportedList) {
    var link = link
    link.content = Self.html(of: body, titled: link.title.oneLine, url: address)
    list.add(address, link)
  }

  // MARK: Text

  /// Converts Markdown to HTML, without a heading at its beginning that is equal to the title of
  /// the page.
  /// - Parameters:
  ///   - markdown: The text as UTF-8.
  ///   - title: The title on one line, or empty.
  ///   - url: The URL of the page.
  /// - Returns: The HTML; empty if the text is too short for a page.
  static func html(of markdown: ArraySlice<UInt8>, titled title: String, url: String) -> String {
    var markdown = markdown.drop { $0 == 0x0A || $0 == 0x0D }
    let line = markdown.prefix { $0 != 0x0A }
    let heading = Document(text: Array(line), format: .markdown, url: url)
    if let first = heading.blocks.first, first.kind == .heading(level: 1),
      heading.text(of: first).oneLine == title
    {
      markdown = markdown[line.endIndex...]
    }
    guard markdown.count >= minContentLength else { return "" }
    let document = Document(text: Array(markdown), format: .markdown, url: url)
    let targets = ExportTargets(
      linkURL: { document.url(ofLink: $0) ?? document.links[$0].target },
      imageURL: { document.url(ofImage: $0) })
    return String(decoding: document.semanticXHTML(targets), as: UTF8.self)
  }

  // MARK: Front matter

  /// A key of the front matter with its text, or with the texts of its list.
  private struct Entry {
    var name: String
    var values: [String]
  }

  private static func isURLField(_ name: String) -> Bool {
    LinkField(name) == .url || name.lowercased() == "source"
  }

  /// Divides a text into the front matter, without the lines that delimit it, and the text after
  /// it; returns nil if the text does not begin with front matter.
  private static func split(
    _ text: [UInt8]
  ) -> (matter: ArraySlice<UInt8>, body: ArraySlice<UInt8>)? {
    var matterStart: Int?
    var start = 0
    while start < text.count, start <= maxFrontMatterLength {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      var line = text[start..<end]
      while let last = line.last, last <= 0x20 { line.removeLast() }
      let isDelimiter = line.elementsEqual("---".utf8)
      let next = min(end + 1, text.count)
      if let matterStart {
        if isDelimiter { return (text[matterStart..<start], text[next...]) }
      } else {
        guard isDelimiter else { return nil }
        matterStart = next
      }
      start = next
    }
    return nil
  }

  /// Returns the keys at the outermost level that have texts or lists of texts.
  private static func entries(of matter: String) -> [Entry] {
    var entries: [Entry] = []
    for line in matter.split(whereSeparator: \.isNewline) {
      let text = line.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      let last = entries.count - 1
      if text.hasPrefix("- "), last >= 0 {
        entries[last].values.append(scalar(text.dropFirst(2)))
      } else if line.first?.isWhitespace != true {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { continue }
        entries.append(Entry(name: String(parts[0]), values: values(parts[1])))
      } else if last >= 0, !entries[last].values.isEmpty {
        // A text may continue on further lines.
        entries[last].values[entries[last].values.count - 1] += "\n" + text
      }
    }
    return entries
  }

  /// Returns the texts after the colon of a key: none, one, or the items of a list in brackets.
  private static func values(_ text: Substring) -> [String] {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.isEmpty { return [] }
    // The text begins on the next line.
    if text.first == "|" || text.first == ">", text.count <= 2 { return [""] }
    guard text.first == "[", text.last == "]" else { return [scalar(text[...])] }
    return text.dropFirst().dropLast().split(separator: ",").map(scalar)
  }

  /// Returns a scalar without its quotation marks.
  private static func scalar(_ text: Substring) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.count >= 2, let mark = text.first, text.last == mark else { return text }
    let inner = text.dropFirst().dropLast()
    return switch mark {
    case "'": inner.replacingOccurrences(of: "''", with: "'")
    case "\"": unescaped(inner)
    default: text
    }
  }

  /// Replaces the escape sequences of a scalar in double quotes (YAML 1.2 §5.7).
  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch escape {
      case "n": result += "\n"
      case "t": result += "\t"
      case "r": result += "\r"
      case "x", "u", "U":
        let length = escape == "x" ? 2 : escape == "u" ? 4 : 8
        let code = UInt32(String(rest.prefix(length)), radix: 16)
        result.unicodeScalars.append(code.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}")
        rest = rest.dropFirst(length)
      default: result.unicodeScalars.append(escape)
      }
    }
    return result
  }
}
