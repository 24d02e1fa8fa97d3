import DOM
import Foundation
import Document
import Formats
import OfflineCache

/// A parser for the elements of Atom 1.0 (RFC 4287), and for those of Atom 0.3 that have other
/// names.
enum AtomFeed {
  /// Parses the metadata of a feed.
  static func read(_ root: FeedElement, into feed: inout Feed) {
    for child in root.children where child.isAtom {
      switch child.name {
      case "title": RSSFeed.setIfEmpty(&feed.title, line(child))
      case "subtitle", "tagline": RSSFeed.setIfEmpty(&feed.subtitle, line(child))
      case "link": readLink(child, into: &feed)
      case "author": RSSFeed.setIfEmpty(&feed.author, person(child))
      case "updated", "modified": feed.date = feed.date ?? DateText.parse(child.line)
      default: break
      }
    }
    RSSFeed.readUpdateInterval(root, into: &feed)
  }

  /// Parses a `link` element of a feed.
  static func readLink(_ link: FeedElement, into feed: inout Feed) {
    let target = link.url(link.xml.attribute("href"))
    switch link.relation {
    case "alternate": feed.siteURL = feed.siteURL ?? target
    case "self": feed.selfURL = feed.selfURL ?? target
    case "next", "prev-archive": feed.nextURL = feed.nextURL ?? target
    default: break
    }
  }

  /// Parses an entry.
  static func parseItem(_ entry: FeedElement, feedURL: String) -> FeedItem {
    var item = FeedItem()
    item.language = entry.language
    var parts = EntryParts()
    var foreignElements = ForeignEntryElements()
    for child in entry.children where !foreignElements.read(child, into: &parts.texts) {
      parts.read(child, into: &item)
    }
    read(parts.links, into: &item, &parts.images)
    item.date = item.date ?? foreignElements.date ?? item.updateDate
    for author in [foreignElements.sourceAuthor, foreignElements.author] {
      RSSFeed.setIfEmpty(&item.author, author)
    }
    // An entry that has content needs no link (RFC 4287 §4.1.2).
    item.url = item.url ?? parts.sourceURL ?? parts.permalink
    let isSummaryDescription = parts.texts.apply(to: &item)
    for link in parts.links where link.isRelated { link.addRelated(to: &item) }
    item.images = parts.images.imagesToShow(in: item, isSummaryDescription: isSummaryDescription)
    return item
  }

  /// The parts of an entry that are combined after all its children have been read.
  private struct EntryParts {
    private(set) var links: [FeedElement] = []
    private var authors = AuthorListBuilder()
    var texts = ItemTextCollector()
    private(set) var sourceURL: String?
    private(set) var permalink: String?
    var images = MediaImageCollector()
    private var groupCount = 0

    /// Parses a child of an entry.
    mutating func read(_ child: FeedElement, into item: inout FeedItem) {
      switch child.name {
      case "group" where child.vocabulary == .media:
        groupCount += 1
        AtomFeed.read(mediaGroup: child, number: groupCount, into: &item, &texts, &images)
      case "content" where child.vocabulary == .media:
        images.add(child)
        RSSFeed.addEnclosure(child, to: &item, nil)
      case "thumbnail" where child.vocabulary == .media: images.add(thumbnail: child)
      case "description" where child.vocabulary == .media:
        texts.add(AtomFeed.markup(child), as: .fallback)
      case "duration" where child.vocabulary == .itunes:
        item.duration = RSSFeed.durationText(child.line)
      case _ where !child.isAtom: break
      case "id":
        RSSFeed.setIfEmpty(&item.id, child.line)
        permalink = permalink ?? child.absoluteURL
      case "title": RSSFeed.setIfEmpty(&item.title, AtomFeed.line(child))
      case "link": links.append(child)
      case "author": authors.add(AtomFeed.person(child), as: child.name, to: &item.author)
      case "published", "issued", "created": item.date = item.date ?? DateText.parse(child.line)
      case "updated", "modified": item.updateDate = item.updateDate ?? DateText.parse(child.line)
      case "content":
        texts.add(AtomFeed.markup(child), as: .content)
        sourceURL = sourceURL ?? child.url(child.xml.attribute("src"))
      case "summary": texts.add(AtomFeed.markup(child), as: .description)
      case "category":
        let name = child.xml.attribute("label") ?? child.xml.attribute("term")
        RSSFeed.addTag(name?.oneLine ?? child.line, to: &item)
      default: break
      }
    }
  }

  /// Parses a `media:group` element of an entry.
  private static func read(
    mediaGroup: FeedElement, number: Int, into item: inout FeedItem,
    _ texts: inout ItemTextCollector, _ images: inout MediaImageCollector
  ) {
    for part in mediaGroup.children where part.vocabulary == .media {
      if part.name == "description" { texts.add(markup(part), as: .mediaDescription) }
      if part.name == "thumbnail" { images.add(thumbnail: part) }
      if part.name == "content" {
        images.add(part)
        RSSFeed.addEnclosure(part, to: &item, nil, group: number)
      }
    }
  }

  /// Selects the page of an entry from its links, and adds its enclosures. The page is the target
  /// of the alternate link; if there are several, an HTML page is preferred. In a catalog of books,
  /// it is the part of the catalog that an entry leads to, and files of a book are related links.
  private static func read(
    _ links: [FeedElement], into item: inout FeedItem, _ images: inout MediaImageCollector
  ) {
    var isPage = false
    var catalogURL: String?
    for link in links {
      let reference = link.xml.attribute("href") ?? link.line
      switch link.relation {
      case "alternate":
        let type = link.xml.attribute("type")?.lowercased() ?? "text/html"
        item.addRelatedLink(link.externalURL(reference))
        guard !isPage || item.url == nil, let url = link.url(reference) else { break }
        if item.url == nil || type == "text/html" { item.url = url }
        isPage = isPage || type == "text/html" || type == "application/xhtml+xml"
      case "enclosure":
        images.add(enclosure: link)
        RSSFeed.addEnclosure(link, to: &item, nil)
      case "replies": item.commentsURL = item.commentsURL ?? link.url(reference)
      case _ where link.isBookFile: link.addRelated(to: &item)
      case _ where link.isCatalog: catalogURL = catalogURL ?? link.url(reference)
      default: break
      }
    }
    item.url = item.url ?? catalogURL
  }

  /// Returns the name of a person, or the e-mail address if there is no name.
  static func person(_ element: FeedElement) -> String {
    let name = element.child("name")?.text.withoutMarkup ?? ""
    guard name.isEmpty else { return name }
    return element.child("email")?.line
      ?? (element.xml.hasElements ? "" : element.text.withoutMarkup)
  }

  /// Returns a text construct on one line (RFC 4287 §3.1). Plain text may contain `<`.
  private static func line(_ element: FeedElement) -> String {
    switch element.xml.attribute("type")?.lowercased() ?? "text" {
    case "text", "text/plain":
      // Plain text that is escaped twice is common, and never intentional.
      element.line.contains("&") ? element.line.withoutCharacterReferences.oneLine : element.line
    default: element.lineWithoutInlineMarkup
    }
  }

  /// Decodes Base64 content of Atom 0.3 and returns it as markup; nil if it is not text.
  private static func base64Markup(
    _ element: FeedElement, mediaType: String, base: String?
  ) -> FeedItem.Markup? {
    guard mediaType.hasPrefix("text/") || mediaType == "application/xhtml+xml",
      let data = Data(base64Encoded: element.xml.text, options: .ignoreUnknownCharacters)
    else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let base = element.hasOwnBase ? element.base : base ?? element.base
    guard mediaType.contains("html") else {
      return FeedItem.Markup(text: text, mediaType: mediaType, base: base).nilIfBlank
    }
    return FeedItem.Markup(html: text, base: base).nilIfBlank
  }

  /// Returns the text in an element as markup; nil if it is empty or its type is not text. The
  /// element is a text construct, the content of an entry (RFC 4287 §3.1, §4.1.3) or a description
  /// of Media RSS.
  static func markup(_ element: FeedElement, base: String? = nil) -> FeedItem.Markup? {
    let declared = element.xml.attribute("type")?.lowercased() ?? "text"
    let type = declared.contains("/") ? MediaType(declared).essence : declared
    if element.xml.attribute("mode")?.lowercased() == "base64" {
      return base64Markup(element, mediaType: type == "text" ? "text/plain" : type, base: base)
    }
    switch type {
    case "html", "text/html", "xhtml", "application/xhtml+xml": return element.markup(base: base)
    case _ where type.hasSuffix("xml"): return element.markup(base: base)
    case _ where type.hasPrefix("text/"): return element.textMarkup(mediaType: type, base: base)
    case _ where !type.contains("/"): return element.textMarkup(mediaType: nil, base: base)
    default: return nil
    }
  }
}

extension FeedElement {
  /// Whether this is an Atom element, or an element without a known namespace.
  fileprivate var isAtom: Bool { vocabulary == .atom || vocabulary == .plain }

  /// Whether this is an Atom link to a page that the entry is about, or to its source (RFC 4287
  /// §4.2.7.2).
  var isRelated: Bool { ["related", "via"].contains(relation) }

  /// Whether this is an Atom link to a file of a book (OPDS 1.2 §7.1).
  var isBookFile: Bool { relation.hasPrefix("http://opds-spec.org/acquisition") }

  /// Whether this is an Atom link to a part of a catalog of books (OPDS 1.2 §5.1).
  var isCatalog: Bool {
    relation == "subsection"
      || relation.hasPrefix("http://opds-spec.org/")
        && xml.attribute("type")?.lowercased().hasPrefix("application/atom+xml") == true
  }

  /// The relation of this Atom link, in lower case. The IRI of a registered relation is equivalent
  /// to its name (RFC 4287 §4.2.7.2).
  var relation: String {
    let relation = xml.attribute("rel")?.oneLine.lowercased() ?? "alternate"
    let registry = "http://www.iana.org/assignments/relation/"
    return relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation
  }

  /// Adds this Atom link to the related links of an item.
  func addRelated(to item: inout FeedItem) {
    item.addRelatedLink(
      url(xml.attribute("href")), title: xml.attribute("title")?.oneLine ?? "")
  }
}
