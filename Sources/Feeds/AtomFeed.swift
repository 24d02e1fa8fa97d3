import DOM
import Foundation
import Document
import OfflineCache

/// The elements of Atom 1.0 (RFC 4287), and of 0.3 where they have other names.
enum AtomFeed {
  /// Reads what a feed says of itself.
  static func read(_ root: FeedElement, into feed: inout Feed) {
    for child in root.children where child.isAtom {
      switch child.name {
      case "title": RSSFeed.set(&feed.title, line(child))
      case "subtitle", "tagline": RSSFeed.set(&feed.subtitle, line(child))
      case "link": link(child, into: &feed)
      case "author": RSSFeed.set(&feed.author, person(child))
      case "updated", "modified": feed.date = feed.date ?? DateText.parse(child.line)
      default: break
      }
    }
    RSSFeed.readUpdateInterval(root, into: &feed)
  }

  /// Reads a link of a feed.
  static func link(_ link: FeedElement, into feed: inout Feed) {
    let target = link.url(link.element.attribute("href"))
    switch link.element.attribute("rel")?.lowercased() ?? "alternate" {
    case "alternate": feed.siteURL = feed.siteURL ?? target
    case "self": feed.selfURL = feed.selfURL ?? target
    case "next", "prev-archive": feed.nextURL = feed.nextURL ?? target
    default: break
    }
  }

  /// Reads an entry.
  static func item(_ entry: FeedElement, feedURL: String) -> FeedItem {
    var item = FeedItem()
    item.language = entry.language
    var links: [FeedElement] = []
    var people = FeedPeople()
    var content: FeedElement?
    var summary: FeedElement?
    for child in entry.children {
      switch child.name {
      case "group" where child.vocabulary == .media:
        for part in child.children where part.name == "description" { summary = summary ?? part }
      case _ where !child.isAtom: break
      case "id": RSSFeed.set(&item.id, child.line)
      case "title": RSSFeed.set(&item.title, line(child))
      case "link": links.append(child)
      case "author": people.add(person(child), as: child.name, to: &item.author)
      case "published", "issued", "created": item.date = item.date ?? DateText.parse(child.line)
      case "updated", "modified": item.updated = item.updated ?? DateText.parse(child.line)
      case "content": content = content ?? child
      case "summary": summary = summary ?? child
      case "category":
        let name = child.element.attribute("label") ?? child.element.attribute("term")
        RSSFeed.addTag(name?.oneLine ?? child.line, to: &item)
      default: break
      }
    }
    read(links, into: &item)
    item.date = item.date ?? item.updated
    if item.url == nil { item.url = content.flatMap { $0.url($0.element.attribute("src")) } }
    item.content = content.flatMap(markup)
    item.summary = summary.flatMap(markup)
    return item
  }

  /// The page of an entry is the alternate link, a page of HTML before others; what comes with it are
  /// its enclosures.
  private static func read(_ links: [FeedElement], into item: inout FeedItem) {
    var isPage = false
    for link in links {
      let reference = link.element.attribute("href") ?? link.line
      switch link.element.attribute("rel")?.lowercased() ?? "alternate" {
      case "alternate":
        let type = link.element.attribute("type")?.lowercased() ?? "text/html"
        guard !isPage || item.url == nil, let url = link.url(reference) else { break }
        if item.url == nil || type == "text/html" { item.url = url }
        isPage = isPage || type == "text/html" || type == "application/xhtml+xml"
      case "enclosure": RSSFeed.addEnclosure(link, to: &item, nil)
      case "replies": item.commentsURL = item.commentsURL ?? link.url(reference)
      default: break
      }
    }
  }

  /// The name of a person; without one, the address of the page.
  static func person(_ element: FeedElement) -> String {
    let name = element.child("name")?.element.text.withoutMarkup ?? ""
    guard name.isEmpty else { return name }
    return element.child("email")?.line
      ?? (element.element.hasElements ? "" : element.element.text.withoutMarkup)
  }

  /// A text construct on one line (RFC 4287 §3.1): plain text is what it is, also with `<` in it.
  private static func line(_ element: FeedElement) -> String {
    switch element.element.attribute("type")?.lowercased() ?? "text" {
    case "text", "text/plain":
      // What is escaped once more than it should be is common, and never meant.
      element.line.contains("&") ? element.line.withoutCharacterReferences.oneLine : element.line
    default: element.plainLine
    }
  }

  /// A text construct, or the content of an entry (RFC 4287 §3.1, §4.1.3).
  private static func markup(_ element: FeedElement) -> FeedItem.Markup? {
    let type = element.element.attribute("type")?.lowercased() ?? "text"
    switch type {
    case "html", "text/html", "xhtml", "application/xhtml+xml": return element.markup(base: nil)
    case "text" where !element.element.hasElements && !element.looksLikeHTML,
      "text/plain" where !element.element.hasElements:
      return FeedItem.Markup(text: element.element.text, base: element.base).nonEmpty
    case "text", "text/plain": return element.markup(base: nil)
    case _ where type.hasSuffix("xml"): return element.markup(base: nil)
    default: return nil
    }
  }
}

/// Collects the authors of an item into one line.
struct FeedPeople {
  private var kind = ""
  private var names: [String] = []

  /// Maximum number of authors that are named.
  private static let mostNames = 20

  /// Appends a name to a line. Only elements of the same kind as the first one count, as others repeat the same
  /// authors.
  mutating func add(_ name: String, as kind: String, to line: inout String) {
    if names.isEmpty { self.kind = kind }
    guard !name.isEmpty, kind == self.kind, !names.contains(name) else { return }
    if names.count == Self.mostNames {
      if !line.hasSuffix(" …") { line += " …" }
      return
    }
    names.append(name)
    line = names.joined(separator: ", ")
  }
}

extension FeedElement {
  /// Whether it is one of Atom, or says nothing of itself.
  fileprivate var isAtom: Bool { vocabulary == .atom || vocabulary == .plain }

  /// Whether text that says to be plain is HTML all the same.
  fileprivate var looksLikeHTML: Bool {
    let text = element.text
    return text.contains("</p>") || text.contains("</a>") || text.contains("<br")
      || text.contains("</div>")
  }
}
