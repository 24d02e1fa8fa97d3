import Feeds
import DOM
import WARC

/// The format of an imported file, as detected from its content.
package enum ImportFormat: String, Sendable, Equatable, CaseIterable {
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
  case zoteroRDF = "rdf"
  /// Notes that Evernote exported.
  case evernote
  /// Bookmarks as `buku --print` writes them.
  case buku
  /// Lists of offpunk (links in Gemini syntax).
  case offpunk
  /// One URL per line, with comments after `#`.
  case list
  /// A page as Markdown, preceded by front matter with its URL.
  case note
  /// A WARC file, which is not parsed as a list but copied into the archive (`LibraryImport`).
  case warc
  /// An ARC file (Internet Archive, ARC 1.0), the predecessor of WARC, which is not supported.
  case arc
  /// A ZIP archive, whose content determines the format.
  case zip
  /// A WACZ file: WARC records in a ZIP archive with an index.
  case wacz
  /// A page saved by a browser or SingleFile, with its URL in a comment.
  case savedPage
  /// Pages with their resources as a MIME message (MHTML), a `.webarchive` file or a MAFF file.
  case mhtml
  /// A directory of pages: a mirror of wget, the cache of offpunk.
  case directory = "folder"
  /// A directory of web archives and saved pages.
  case archives
  /// An EPUB publication or a PDF document.
  case book
  /// A whole library in one file.
  case bundle

  /// Detects the format of a file; returns nil if it does not refer to pages. A gzip file counts as
  /// WARC unless its content is in another format.
  /// - Parameter bytes: The content, in any encoding.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: MozillaLZ4.signature) {
      let content = Self.decompressed(bytes, limit: Self.prefixLength)
      guard let format = Self.format(of: Self.text(of: content)) else { return nil }
      self = format
      return
    }
    if bytes.starts(with: Self.gzipSignature) {
      let content = Self.decompressed(bytes, limit: Self.prefixLength)
      self =
        content.starts(with: "filedesc://".utf8)
        ? .arc
        : Self.isWARC(content)
          ? .warc : Self.format(of: Self.text(of: content)) ?? .warc
    } else if bytes.starts(with: "filedesc://".utf8) {
      self = .arc
    } else if Self.isWARC(bytes) || Self.isZstd(bytes) {
      self = .warc
    } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else if bytes.starts(with: BinaryPropertyList.signature) {
      self = .propertyList
    } else {
      // The first entries are sufficient; a truncated end does not matter.
      let text = Self.text(of: Array(bytes.prefix(Self.prefixLength)))
      guard let format = Self.format(of: text) else { return nil }
      self = format
    }
  }

  /// Whether a file is compressed with zstd: it begins with a frame, or with a skippable frame that
  /// contains a dictionary.
  package static func isZstd(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || bytes.starts(with: [0x5D, 0x2A, 0x4D, 0x18])
  }

  /// Whether a file begins with a record, perhaps after a byte-order mark or empty lines, which
  /// `WARCReader` skips.
  private static func isWARC(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return start.drop { $0 == 0x0D || $0 == 0x0A }.starts(with: "WARC/".utf8)
  }

  /// Whether the file is a list of pages or feeds.
  package var isList: Bool {
    switch self {
    case .bookmarks, .page, .opml, .xbel, .opera, .propertyList, .shortcut, .sitemap, .feed,
      .pocket, .pocketPage, .instapaper, .csv, .omnivore, .wallabag, .json, .bibtex, .ris,
      .zoteroRDF, .evernote, .buku, .offpunk, .list, .note:
      true
    case .warc, .arc, .zip, .wacz, .savedPage, .mhtml, .directory, .archives, .book, .bundle:
      false
    }
  }

  /// Whether the file is a list in a format that only programs for bookmarks, feeds and reading
  /// lists write.
  package var isExport: Bool {
    switch self {
    case .bookmarks, .opml, .xbel, .opera, .pocket, .pocketPage, .instapaper, .omnivore, .wallabag,
      .zoteroRDF, .evernote, .buku:
      true
    case .page, .propertyList, .shortcut, .sitemap, .feed, .csv, .json, .bibtex, .ris, .offpunk,
      .list, .note, .warc, .arc, .zip, .wacz, .savedPage, .mhtml, .directory, .archives, .book,
      .bundle:
      false
    }
  }

  /// The number of bytes at the beginning of a file from which its format is detected.
  package static let prefixLength = 1 << 18

  private static let gzipSignature: [UInt8] = [0x1F, 0x8B]
  /// The maximum uncompressed size of a list in bytes.
  private static let maxDecompressedSize = 256 << 20

  /// Decompresses a file if it is compressed with gzip or as a backup of Firefox. Truncated or
  /// damaged data is decompressed up to the error.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - limit: The approximate number of bytes after which decompression stops.
  /// - Returns: The content.
  package static func decompressed(_ bytes: [UInt8], limit: Int = maxDecompressedSize) -> [UInt8] {
    if bytes.starts(with: MozillaLZ4.signature) {
      return MozillaLZ4.decompressed(bytes, limit: limit)
    }
    guard bytes.starts(with: gzipSignature) else { return bytes }
    struct EnoughRead: Error {}
    var result: [UInt8] = []
    // A truncated or damaged file yields the content before the error.
    try? Inflater(format: .gzip, keepsOutput: true).inflate(bytes) {
      result += $0
      if result.count >= limit { throw EnoughRead() }
    }
    return result
  }

  /// Returns the text of a file as UTF-8.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    let isMarkup = bytes.prefix(1024).first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    return CharacterEncoding.detect(bytes, charset: nil, isMarkup: isMarkup).decode(bytes)
  }

  private static func format(of text: [UInt8]) -> ImportFormat? {
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
    if TextBookmarks.matches(text) { return .list }
    return LinkTable.format(of: text) ?? LinkList.format(of: text)
  }

  /// Whether a file is not text: more than a twentieth of its beginning are control characters.
  private static func isBinary(_ text: [UInt8]) -> Bool {
    let start = text.prefix(4096)
    return start.count { $0 < 0x07 || $0 >= 0x0E && $0 <= 0x1A } * 20 > start.count
  }

  private static func markupFormat(startingWith start: String) -> ImportFormat? {
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
    if SavedPage(start) != nil { return .savedPage }
    if FeedFormat(ofText: Array(start.utf8)) != nil { return .feed }
    return lower.contains("netscape-bookmark-file") ? .bookmarks : .page
  }
}
