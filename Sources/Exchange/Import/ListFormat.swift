import Feeds

/// The format of a list of pages or feeds, as detected from its content. This file has everything
/// about a format except its parser.
package enum ListFormat: Sendable, Equatable {
  /// Bookmarks of a browser (Netscape format).
  case bookmarks
  /// Any page, whose links are imported.
  case page
  case opml
  /// Bookmarks in XBEL.
  case xbel
  /// Bookmarks of Opera before version 15 (`bookmarks.adr`).
  case opera
  /// Bookmarks of Safari, or a shortcut (`.webloc`), as a property list of Apple.
  case propertyList
  /// A file with the URL of one page (`.url`, `.desktop`).
  case shortcut
  /// A sitemap of a site for search engines, or a sitemap index (sitemaps.org).
  case sitemap
  /// A feed (RSS or Atom), in which services list the pages that a user saved.
  case feed
  /// The list of Pocket as CSV, or as the older HTML page, which Instapaper writes, too.
  case pocket, pocketPage
  case instapaper
  /// Any table with a column of URLs.
  case csv
  /// Lists of Omnivore, or of wallabag; the latter also for the XML of Tiny Tiny RSS.
  case omnivore, wallabag
  /// Any other list of objects with URLs (Pinboard, Raindrop, linkding).
  case json
  /// References in BibTeX, or in RIS or a format of EndNote.
  case bibtex, ris
  /// References that Zotero exported as RDF.
  case zoteroRDF
  /// Notes that Evernote exported.
  case evernote
  /// Bookmarks as `buku --print` writes them.
  case buku
  /// Lists of offpunk (links in Gemini syntax).
  case offpunk
  /// One URL per line, with comments after `#`.
  case lines
  /// A page as Markdown, preceded by front matter with its URL.
  case note

  /// Whether a file in a format is a list of the user.
  package enum Evidence: Sendable, Equatable {
    /// Only programs for bookmarks, feeds and reading lists write the format.
    case export
    /// A file with entries in this format is almost certainly a list.
    case list
    /// Any text may contain URLs; a text with nothing else is a list.
    case text
    /// Any page may contain links, and any site has a feed.
    case page
  }

  /// A file in one of the formats.
  struct File {
    /// The content, not compressed.
    let bytes: [UInt8]
    /// The content as UTF-8.
    var text: [UInt8] { ImportFormat.text(of: bytes) }
  }

  /// The error for a file that is not in the detected format.
  struct UnreadableFile: Error {}

  /// The properties of a format.
  struct Facts {
    let evidence: Evidence
    /// Adds the entries of a file to a list. Throws `UnreadableFile`.
    let read: (File, inout ImportedList) throws -> Void

    init(
      _ evidence: Evidence, read: @escaping (File, inout ImportedList) throws -> Void
    ) {
      (self.evidence, self.read) = (evidence, read)
    }
  }

  /// The only table of the formats.
  var facts: Facts {
    switch self {
    case .bookmarks: Facts(.export) { BookmarkFile.read($0.text, isBookmarkFile: true, into: &$1) }
    case .page: Facts(.page) { BookmarkFile.read($0.text, isBookmarkFile: false, into: &$1) }
    case .opml: Facts(.export) { try $1.addFeeds(ofOPML: $0.bytes) }
    case .xbel: Facts(.export) { XBELFile.read($0.text, into: &$1) }
    case .opera: Facts(.export) { OperaHotlist.read($0.text, into: &$1) }
    case .propertyList: Facts(.list) { PropertyList.read($0.bytes, into: &$1) }
    case .shortcut: Facts(.list) { Shortcut.read($0.text, into: &$1) }
    case .sitemap: Facts(.list) { Sitemap.read($0.text, into: &$1) }
    case .feed: Facts(.page) { try $1.addItems(ofFeed: $0.bytes) }
    case .pocket, .instapaper: Facts(.export) { LinkTable.read($0.text, into: &$1) }
    case .pocketPage: Facts(.export) { BookmarkFile.readPocket($0.text, into: &$1) }
    case .csv: Facts(.list) { LinkTable.read($0.text, into: &$1) }
    case .omnivore: Facts(.export) { LinkJSON.read($0.text, into: &$1) }
    case .wallabag: Facts(.export, read: Self.readWallabag)
    case .json: Facts(.list) { LinkJSON.read($0.text, into: &$1) }
    case .bibtex: Facts(.list) { BibTeXFile.read($0.text, into: &$1) }
    case .ris: Facts(.list, read: Self.readReferences)
    case .zoteroRDF: Facts(.export) { ZoteroRDF.read($0.text, into: &$1) }
    case .evernote: Facts(.export) { EvernoteFile.read($0.text, into: &$1) }
    case .buku: Facts(.export) { BukuListing.read($0.text, into: &$1) }
    case .offpunk: Facts(.list) { LinkList.read($0.text, into: &$1) }
    case .lines: Facts(.text) { LinkList.read($0.text, into: &$1) }
    case .note: Facts(.list) { MarkdownNote($0.text)?.add(to: &$1) }
    }
  }

  private static func readWallabag(_ file: File, into list: inout ImportedList) {
    let text = file.text
    if isMarkup(text) {
      ArticleXML.read(text, into: &list)
    } else {
      LinkJSON.read(text, into: &list)
    }
  }

  private static func readReferences(_ file: File, into list: inout ImportedList) {
    let text = file.text
    if isMarkup(text) {
      EndNoteXML.read(text, into: &list)
    } else {
      RISFile.read(text, into: &list)
    }
  }

  // MARK: Detection

  /// Detects the format of a text; returns nil if it does not refer to pages.
  /// - Parameter text: The beginning of a file as UTF-8.
  init?(_ text: [UInt8]) {
    guard let format = Self.format(of: text) else { return nil }
    self = format
  }

  private static func isMarkup(_ text: [UInt8]) -> Bool {
    text.first { $0 > 0x20 } == UInt8(ascii: "<")
  }

  private static func format(of text: [UInt8]) -> ListFormat? {
    let start = text.drop { $0 <= 0x20 }
    switch start.first {
    case nil: return nil
    case UInt8(ascii: "<"):
      return markupFormat(startingWith: String(decoding: start.prefix(4096), as: UTF8.self))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // A list of links in Markdown begins with a bracket, too.
      if let json = LinkJSON.format(of: text) { return json }
    default: break
    }
    // Opera writes the line breaks of notes as control characters.
    if OperaHotlist.matches(text) { return .opera }
    guard !isBinary(text) else { return nil }
    if Shortcut.matches(text) { return .shortcut }
    if MarkdownNote(text) != nil { return .note }
    if BibTeXFile.matches(text) { return .bibtex }
    if RISFile.matches(text) { return .ris }
    if BukuListing.matches(text) { return .buku }
    if TextBookmarks.matches(text) { return .lines }
    return LinkTable.format(of: text) ?? LinkList.format(of: text)
  }

  /// Whether a file is not text: more than a twentieth of its beginning are control characters.
  private static func isBinary(_ text: [UInt8]) -> Bool {
    let start = text.prefix(4096)
    return start.count { $0 < 0x07 || $0 >= 0x0E && $0 <= 0x1A } * 20 > start.count
  }

  private static func markupFormat(startingWith start: String) -> ListFormat? {
    let lower = start.lowercased()
    if lower.contains("<opml") { return .opml }
    if lower.contains("<xbel") { return .xbel }
    if lower.contains("<en-export") { return .evernote }
    if lower.contains("<plist") { return .propertyList }
    if Sitemap.matches(lower) { return .sitemap }
    if lower.contains("<title>pocket export") || lower.contains("<title>instapaper: export") {
      return .pocketPage
    }
    if ZoteroRDF.matches(lower) { return .zoteroRDF }
    if ArticleXML.matches(lower) { return .wallabag }
    if EndNoteXML.matches(lower) { return .ris }
    if FeedFormat(ofText: Array(start.utf8)) != nil { return .feed }
    return lower.contains("netscape-bookmark-file") ? .bookmarks : .page
  }
}
