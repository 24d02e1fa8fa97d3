package import Foundation
import DOM

/// A feed of a site (RSS 0.9x, 1.0 and 2.0, Atom 1.0 and 0.3, JSON Feed).
package struct Feed: Sendable, Equatable {
  package var format: FeedFormat
  /// The title on one line, or empty.
  package var title = ""
  /// The description on one line, or empty.
  package var subtitle = ""
  /// The absolute URL of the page that the feed belongs to, or nil.
  package var siteURL: String?
  /// The absolute URL of the feed according to itself, or nil.
  package var selfURL: String?
  /// The absolute URL of older items (RFC 5005, JSON Feed), or nil.
  package var nextURL: String?
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The author on one line, or empty.
  package var author = ""
  /// The date of the last change according to the feed, or nil.
  package var date: Date?
  /// The interval between updates according to the feed (`ttl`, `sy:updatePeriod`), or nil.
  package var updateInterval: Duration?
  /// Whether the feed will not be updated any more (JSON Feed `expired`).
  package var isFinished = false
  /// The items in the order of the feed, each with a unique id.
  package var items: [FeedItem] = []
  /// Whether the feed has more items than were read.
  package var isCut = false
  /// The encoding from which it was decoded.
  package var encoding = CharacterEncoding.utf8.name

  package init(format: FeedFormat) {
    self.format = format
  }
}

package struct FeedItem: Sendable, Equatable {
  /// An id that is unique in the feed, and stays the same when the item changes (see
  /// `Feed.identifyItems`).
  package var id = ""
  /// The id in the feed, or empty; several items may share one.
  package var guid = ""
  /// The absolute URL of the page of the item, or nil.
  package var url: String?
  /// The title on one line without markup, or empty.
  package var title = ""
  /// The authors on one line, or empty.
  package var author = ""
  /// The date of publication, or else of the last change; nil if there is neither.
  package var date: Date?
  /// The date of the last change, or nil.
  package var updated: Date?
  package var summary: Markup?
  /// The full text, or nil.
  package var content: Markup?
  /// Attached files, mostly audio.
  package var enclosures: [Enclosure] = []
  /// The duration as text on one line, or empty.
  package var duration = ""
  /// The categories or keywords.
  package var tags: [String] = []
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The absolute URL of the page with comments, or nil.
  package var commentsURL: String?

  package init() {}

  /// A fragment of HTML.
  package struct Markup: Sendable, Equatable {
    /// The HTML source.
    package var html: String
    /// Whether it is XML (XHTML).
    package var isXML = false
    /// The absolute base URL of relative references in it, or empty.
    package var base: String

    package init(html: String, isXML: Bool = false, base: String = "") {
      self.html = html
      self.isXML = isXML
      self.base = base
    }

    /// Creates HTML from plain text. Empty lines separate paragraphs.
    init(text: String, base: String = "") {
      let paragraphs = text.replacing("\r\n", with: "\n").split(separator: "\n\n")
      self.init(
        html: paragraphs.map { paragraph in
          "<p>"
            + paragraph.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing("\n", with: "<br>") + "</p>"
        }.joined(), base: base)
    }
  }

  /// A file that is attached to an item.
  package struct Enclosure: Sendable, Equatable {
    /// The absolute URL.
    package var url: String
    /// The media type, or empty.
    package var mediaType = ""
    /// The size in bytes according to the feed, or nil.
    package var length: Int64?
    /// The title on one line, or empty.
    package var title = ""
  }
}

package enum FeedFormat: String, Sendable, Equatable {
  /// RSS 0.91 to 0.94 and 2.0.
  case rss = "RSS"
  /// RSS 0.90 and 1.0, which are RDF.
  case rdf = "RSS 1.0"
  case atom = "Atom"
  case json = "JSON Feed"

  /// The number of bytes in which the start of a feed is searched.
  private static let beginning = 4096

  /// Detects the format of a feed by its first bytes, regardless of its media type; nil if it is
  /// not a feed.
  ///
  /// Comments, empty lines and PHP warnings before the feed are skipped.
  /// - Parameter bytes: the content, in any encoding.
  package init?(of bytes: [UInt8]) {
    var start = Array(bytes.prefix(Self.beginning))
    // The start tag is ASCII, which is readable in every encoding except UTF-16.
    if start.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) {
      start = CharacterEncoding.detect(start, charset: nil, isMarkup: false).decode(start)
    }
    self.init(ofText: start)
  }

  /// Detects the format of a feed in UTF-8; nil if it is not a feed.
  package init?(ofText text: [UInt8]) {
    var start = text.prefix(Self.beginning)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 <= 0x20 }
    if start.first == UInt8(ascii: "{") {
      let words = String(decoding: start, as: UTF8.self)
      guard words.contains("jsonfeed.org/version") else { return nil }
      self = .json
      return
    }
    guard start.first == UInt8(ascii: "<") else { return nil }
    var isComment = false
    for index in start.indices {
      let byte = start[index]
      if isComment, byte == UInt8(ascii: ">") {
        isComment = !start[..<index].suffix(2).elementsEqual("--".utf8)
      }
      guard byte == UInt8(ascii: "<"), !isComment else { continue }
      let name = start[(index + 1)...].prefix(24).prefix {
        $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      let word = String(decoding: name, as: UTF8.self).lowercased()
      switch word.split(separator: ":").last.map(String.init) ?? "" {
      case "rss", "channel": self = .rss
      case "rdf": self = .rdf
      case "feed": self = .atom
      case "!doctype" where !Self.isPage(start[index...]): continue
      case "br", "b", "", "!entity", "!element", "!attlist": continue
      case let word where word.hasPrefix("?"): continue
      case let word where word.hasPrefix("!--"):
        isComment = true
        continue
      default: return nil
      }
      return
    }
    return nil
  }

  private static func isPage(_ declaration: ArraySlice<UInt8>) -> Bool {
    String(decoding: declaration.prefix(24), as: UTF8.self).lowercased()
      .hasPrefix("<!doctype html")
  }
}
