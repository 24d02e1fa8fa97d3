package import Foundation
import DOM

/// A feed: what a site tells of its new pages (RSS 0.9x, 1.0 and 2.0, Atom 1.0 and 0.3, JSON Feed).
package struct Feed: Sendable, Equatable {
  /// What it is written in.
  package var format: FeedFormat
  /// Its title on one line, or empty.
  package var title = ""
  /// What it is about, on one line, or empty.
  package var subtitle = ""
  /// The page that it is about, absolute, or nil.
  package var siteURL: String?
  /// Its own address, as it says, absolute, or nil.
  package var selfURL: String?
  /// Where older items are (RFC 5005, JSON Feed), absolute, or nil.
  package var nextURL: String?
  /// The language (BCP 47), or empty.
  package var language = ""
  /// Who writes it, on one line, or empty.
  package var author = ""
  /// When it was changed, as it says, or nil.
  package var date: Date?
  /// How often it changes, as it says (`ttl`, `sy:updatePeriod`), or nil.
  package var updateInterval: Duration?
  /// It says that it will never change again (JSON Feed `expired`).
  package var isFinished = false
  /// The items in the order of the feed, each with an id of its own.
  package var items: [FeedItem] = []
  /// Whether it has more items than were read.
  package var isCut = false
  /// The encoding it was read in.
  package var encoding = CharacterEncoding.utf8.name

  /// A feed without items.
  package init(format: FeedFormat) {
    self.format = format
  }
}

/// An item of a feed.
package struct FeedItem: Sendable, Equatable {
  /// What tells it from the others of its feed, also when it changes (see `Feed.identifyItems`).
  package var id = ""
  /// The id that the feed gives it, or empty; several items may share one.
  package var guid = ""
  /// The page that it is about, absolute, or nil.
  package var url: String?
  /// The title on one line without markup, or empty.
  package var title = ""
  /// Who wrote it, on one line, or empty.
  package var author = ""
  /// When it was published, else when it was changed; nil when it does not say so.
  package var date: Date?
  /// When it was changed, or nil.
  package var updated: Date?
  /// A summary, or nil.
  package var summary: Markup?
  /// All of it, or nil.
  package var content: Markup?
  /// What comes with it: sound, mostly.
  package var enclosures: [Enclosure] = []
  /// How long it lasts, on one line as people read it, or empty.
  package var duration = ""
  /// What it is about.
  package var tags: [String] = []
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The page with what readers say to it, absolute, or nil.
  package var commentsURL: String?

  /// An item without anything.
  package init() {}

  /// A piece of a page.
  package struct Markup: Sendable, Equatable {
    /// HTML.
    package var html: String
    /// It follows the rules of XML.
    package var isXML = false
    /// The absolute URL that relative references in it are taken from, or empty.
    package var base: String

    /// Makes a piece of HTML.
    package init(html: String, isXML: Bool = false, base: String = "") {
      self.html = html
      self.isXML = isXML
      self.base = base
    }

    /// Makes HTML of plain text: paragraphs at empty lines.
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

  /// A file that comes with an item.
  package struct Enclosure: Sendable, Equatable {
    /// The absolute URL.
    package var url: String
    /// The media type, or empty.
    package var mediaType = ""
    /// The size in bytes as the feed says, or nil.
    package var length: Int64?
    /// A name on one line, or empty.
    package var title = ""
  }
}

/// What feeds are written in.
package enum FeedFormat: String, Sendable, Equatable {
  /// RSS 0.91 to 0.94 and 2.0.
  case rss = "RSS"
  /// RSS 0.90 and 1.0, which are RDF.
  case rdf = "RSS 1.0"
  case atom = "Atom"
  case json = "JSON Feed"

  /// How far the beginning of a feed is looked for.
  private static let beginning = 4096

  /// Tells the format of a feed by its first bytes, whatever its media type.
  ///
  /// What stands before the feed (comments, empty lines, warnings of PHP) does not count.
  /// - Parameter bytes: the content, in any encoding; nil comes of what is no feed.
  package init?(of bytes: [UInt8]) {
    var start = Array(bytes.prefix(Self.beginning))
    // What tells the format is in ASCII; only UTF-16 writes that in another way.
    if start.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) {
      start = CharacterEncoding.detect(start, charset: nil, isMarkup: false).decode(start)
    }
    self.init(ofText: start)
  }

  /// Tells the format of a text in UTF-8.
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
