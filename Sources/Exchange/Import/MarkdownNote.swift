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

  /// The minimum length in bytes of the text of a page; a shorter one is a comment of the user.
  private static let minContentLength = 80

  /// Parses a file; returns nil unless its front matter contains a web URL.
  /// - Parameter text: The file as UTF-8.
  init?(_ text: [UInt8]) {
    guard let matter = MarkdownFrontMatter(text), matter.format == .yaml else { return nil }
    let addresses = matter.fields.filter { Self.isURLField($0.name) }.flatMap(\.values)
    guard let address = addresses.first(where: { WebURL($0)?.isWeb == true }) else { return nil }
    self.address = address
    body = text[matter.end...]
    for field in matter.fields.sorted(by: {
      LinkField.rank(of: $0.name) < LinkField.rank(of: $1.name)
    }) {
      apply(field)
    }
  }

  private mutating func apply(_ field: MarkdownFrontMatter.Field) {
    let values = field.values
    switch LinkField(field.name) {
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

  private static func isURLField(_ name: String) -> Bool {
    LinkField(name) == .url || name.lowercased() == "source"
  }
}
