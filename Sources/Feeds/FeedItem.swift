package import Foundation

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
