import Formats
package import Foundation

/// An item of a feed.
package struct FeedItem: Sendable, Equatable {
  /// The identity of the item in its feed, which stays the same when the item changes (see
  /// `Feed.assignItemIDs`).
  package var id = ""
  /// The identifier as written in the feed, or empty; several items may have the same one.
  package var guid = ""
  /// The absolute URL of the page of the item, or nil.
  package var url: String?
  /// The title on one line without markup, or empty.
  package var title = ""
  /// The names of the authors on one line, or empty.
  package var author = ""
  /// The date of publication, or else the date of the last change; nil if the feed contains
  /// neither.
  package var date: Date?
  /// The date of the last change, or nil.
  package var updateDate: Date?
  /// A summary, or nil.
  package var summary: Markup?
  /// The full content, or nil.
  package var content: Markup?
  /// The images that are shown below the text, because the text does not contain them.
  package var images: [Image] = []
  /// Links to other pages that the item is about, unless its text contains these links.
  package var relatedLinks: [Link] = []
  /// The attached files, usually audio.
  package var enclosures: [Enclosure] = []
  /// The number of further attached files that were omitted because there are too many.
  package var omittedEnclosureCount = 0
  /// The maximum number of attached files.
  static let maxEnclosures = 50
  /// The playing time on one line as text for users, or empty.
  package var duration = ""
  /// The tags or categories of the item.
  package var tags: [String] = []
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The absolute URL of the page with comments, or nil.
  package var commentsURL: String?
  /// Whether the feed ends within the item, so that its link or identifier may be incomplete. Such
  /// an item would be another one than that in the complete feed.
  package var isCutOff = false

  /// Creates an empty item.
  package init() {}

  /// A fragment of HTML.
  package struct Markup: Sendable, Equatable {
    /// The HTML source.
    package var html: String
    /// Whether the source is well-formed XML.
    package var isXML = false
    /// The absolute base URL for relative references, or empty.
    package var base: String

    /// Creates a fragment of HTML.
    package init(html: String, isXML: Bool = false, base: String = "") {
      self.html = html
      self.isXML = isXML
      self.base = base
    }

    /// Creates a fragment from text that is not HTML. URLs in the text become links.
    init(text: String, mediaType: String = "text/plain", base: String = "") {
      self.init(html: TextMarkup.html(of: text, mediaType: mediaType), base: base)
    }
  }

  /// An image that belongs to an item.
  package struct Image: Sendable, Equatable {
    /// The absolute URL.
    package var url: String
    /// A description on one line, or empty.
    package var descriptionText = ""

    package init(url: String, descriptionText: String = "") {
      (self.url, self.descriptionText) = (url, descriptionText)
    }
  }

  /// A link to a page.
  package struct Link: Sendable, Equatable {
    /// The absolute URL.
    package var url: String
    /// A title on one line, or empty.
    package var title = ""
  }

  /// Adds a link to the related links unless the URL is nil, is that of the item's page, or is
  /// linked in the text.
  mutating func addRelatedLink(_ url: String?, title: String = "") {
    guard let url, url != self.url, relatedLinks.count < Self.maxRelatedLinks,
      !relatedLinks.contains(where: { $0.url == url })
    else { return }
    let forms = Set([url, url.replacing("&", with: "&amp;")])
    let texts = [content, summary].compactMap { $0?.html }
    guard !texts.contains(where: { text in forms.contains { text.contains($0) } }) else { return }
    relatedLinks.append(Link(url: url, title: title))
  }

  /// Returns whether the text of the item contains a link to a URL.
  func hasLink(to url: String) -> Bool {
    let values = Set([url, url.replacing("&", with: "&amp;")]).flatMap { ["\"\($0)\"", "'\($0)'"] }
    let texts = [content, summary].compactMap { $0?.html }
    return texts.contains { text in values.contains { text.contains($0) } }
  }

  private static let maxRelatedLinks = 20

  /// A file that is attached to an item.
  package struct Enclosure: Sendable, Equatable {
    /// The absolute URL.
    package var url: String
    /// The media type, or empty.
    package var mediaType = ""
    /// The size in bytes according to the feed, or nil.
    package var length: Int64?
    /// A name on one line, or empty.
    package var title = ""
    /// The playing time of this file as text for users, or empty.
    package var duration = ""
    /// The index of the group of files with the same content in different formats (`media:group`);
    /// nil if the file is in no group.
    package var groupIndex: Int?
    /// Whether this is the main file of its group.
    package var isDefault = false
    /// A description on one line, or empty.
    package var descriptionText = ""
  }
}
