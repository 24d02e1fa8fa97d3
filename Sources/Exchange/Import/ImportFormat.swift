import Feeds
import DOM
import WARC

/// What a file from elsewhere is, as its content tells.
package enum ImportFormat: String, Sendable, Equatable, CaseIterable {
  /// Bookmarks of a browser (Netscape's form).
  case bookmarks
  /// Any page, of which the links are taken.
  case page
  case opml
  /// The list of its pages that a site gives to search engines (sitemaps.org), or of such lists.
  case sitemap
  /// The list of Pocket as CSV, and the older one as a page.
  case pocket, pocketPage
  case instapaper
  /// Any table with a column of addresses.
  case csv
  case omnivore, wallabag
  /// Any other list of objects with addresses (Pinboard, Raindrop, linkding).
  case json
  /// Lists of offpunk (links as Gemini writes them).
  case offpunk
  /// An address a line, with `#` before comments.
  case list
  /// Records of web pages, which are not read here.
  case warc
  /// Records in the form before WARC (Internet Archive, ARC 1.0), which are not read at all.
  case arc
  /// A ZIP archive: what is taken is in it.
  case zip
  /// Records of web pages in a ZIP archive with an index (WACZ).
  case wacz
  /// A page that a browser or SingleFile has saved, with its URL in a comment.
  case savedPage
  /// A page with all that it needs, as a message.
  case mhtml
  /// A folder of pages: a mirror of wget, the cache of offpunk.
  case folder
  /// A book.
  case book
  /// A whole library in one file.
  case bundle

  /// Tells what a file is; nil when it names no pages.
  /// - Parameter bytes: the content, in any encoding.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: Self.gzipMark) {
      let content = Self.unpacked(bytes, limit: Self.beginning)
      self =
        content.starts(with: "filedesc://".utf8)
        ? .arc
        : content.starts(with: "WARC/".utf8)
          ? .warc : Self.format(of: Self.text(of: content)) ?? .warc
    } else if bytes.starts(with: "filedesc://".utf8) {
      self = .arc
    } else if bytes.starts(with: "WARC/".utf8) || Self.isZstd(bytes) {
      self = .warc
    } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else {
      // The first entries tell; what is cut at the end does not matter.
      let text = Self.text(of: Array(bytes.prefix(Self.beginning)))
      guard let format = Self.format(of: text) else { return nil }
      self = format
    }
  }

  /// Whether a file is packed by zstd: it starts with a frame, or with one that holds a dictionary.
  package static func isZstd(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || bytes.starts(with: [0x5D, 0x2A, 0x4D, 0x18])
  }

  /// Whether the file is a list of pages or feeds.
  package var isList: Bool {
    switch self {
    case .bookmarks, .page, .opml, .sitemap, .pocket, .pocketPage, .instapaper, .csv, .omnivore,
      .wallabag, .json, .offpunk, .list:
      true
    case .warc, .arc, .zip, .wacz, .savedPage, .mhtml, .folder, .book, .bundle: false
    }
  }

  private static let beginning = 1 << 18

  private static let gzipMark: [UInt8] = [0x1F, 0x8B]
  /// A packed list of more bytes is not read.
  private static let maxUnpacked = 256 << 20

  /// The content of a file that may be packed by gzip, as far as it can be unpacked.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - limit: the number of bytes after which unpacking ends, with a little more.
  /// - Returns: the content.
  static func unpacked(_ bytes: [UInt8], limit: Int = maxUnpacked) -> [UInt8] {
    guard bytes.starts(with: gzipMark) else { return bytes }
    struct Enough: Error {}
    var result: [UInt8] = []
    // What is cut off or broken has given what there is.
    try? Inflater(format: .gzip).inflate(bytes) {
      result += $0
      if result.count >= limit { throw Enough() }
    }
    return result
  }

  /// The text of a file in UTF-8.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    let isMarkup = bytes.prefix(1024).first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    return CharacterEncoding.detect(bytes, charset: nil, isMarkup: isMarkup).decode(bytes)
  }

  private static func format(of text: [UInt8]) -> ImportFormat? {
    let start = text.drop { $0 <= 0x20 }
    switch start.first {
    case nil: return nil
    case UInt8(ascii: "<"): return markup(String(decoding: start.prefix(4096), as: UTF8.self))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // A list of links in Markdown begins with a bracket too.
      if let json = LinkJSON.format(of: text) { return json }
    default: break
    }
    return LinkTable.format(of: text) ?? LinkList.format(of: text)
  }

  private static func markup(_ start: String) -> ImportFormat? {
    let lower = start.lowercased()
    if lower.contains("<opml") { return .opml }
    if lower.contains("<urlset") || lower.contains("<sitemapindex") { return .sitemap }
    if lower.contains("<title>pocket export") { return .pocketPage }
    if SavedPage(start) != nil { return .savedPage }
    // A feed names its own items, which are no collection of somebody.
    guard FeedFormat(ofText: Array(start.utf8)) == nil else { return nil }
    return lower.contains("netscape-bookmark-file") ? .bookmarks : .page
  }
}
