/// What a page says about itself: title, author, date, site.
///
/// Sources, the surest first: JSON-LD (schema.org), Dublin Core, OpenGraph, plain `meta` names,
/// Twitter cards, and what stands on the page.
package struct PageMetadata: Sendable, Equatable {
  /// The title of the article without the name of the site, on one line; may be empty.
  package var title = ""
  /// Who wrote it, or empty.
  package var byline = ""
  /// When it was published, as the page writes it (mostly ISO 8601), or empty.
  package var date = ""
  /// The name of the site, or empty.
  package var site = ""

  package init() {}

  /// Reads the metadata of a page.
  package init(of tree: DOMTree) {
    let meta = MetaElements(tree)
    let article = LinkedData(of: tree).article(like: meta.pageTitle)
    site = article?.site ?? meta.first(["og:site_name"]) ?? ""
    title =
      article?.title
      ?? meta.first([
        "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title",
        "title", "twitter:title", "parsely-title",
      ])
      ?? PageTitle.article(pageTitle: meta.pageTitle, headings: meta.headings(in: tree), site: site)
    byline =
      article?.byline
      ?? meta.first(["dc:creator", "dcterm:creator", "author", "parsely-author"])
      ?? meta.first(["article:author", "og:author"]).flatMap { $0.isAddress ? nil : $0 } ?? ""
    date =
      article?.date
      ?? meta.first([
        "article:published_time", "og:published_time", "datepublished", "parsely-pub-date",
        "dc:date", "dcterm:date", "dc:date.issued", "date", "pubdate",
      ]) ?? meta.time ?? ""
  }
}

extension String {
  /// A URL in the place of a name.
  fileprivate var isAddress: Bool { hasPrefix("http://") || hasPrefix("https://") }
}

/// The elements of a page that say something about it.
private struct MetaElements {
  /// The text of the first `title`.
  private(set) var pageTitle = ""
  /// The first elements `h1` and `h2`.
  private var headingElements: [Int32] = []
  /// The first `time` that dates the page.
  private(set) var time: String?
  private var values: [String: String] = [:]
  /// The names among them that stood in a `property`.
  private var properties: Set<String> = []

  private static let headingLimit = 200

  private static let names: ElementSet = [.meta, .title, .h1, .h2, .time]

  init(_ tree: DOMTree) {
    var hasTitle = false
    for index in tree.nodes.indices where Self.names.contains(tree.nodes[index].name) {
      let node = Int32(index)
      guard tree.nodes[index].parent >= 0, !tree.isBelow(.svg, node) else { continue }
      switch tree.nodes[index].name {
      case .meta: add(node, tree)
      case .title where !hasTitle:
        pageTitle = tree.line(below: node)
        hasTitle = true
      case .h1, .h2:
        if headingElements.count < Self.headingLimit { headingElements.append(node) }
      case .time where time == nil:
        if tree.value(.itemprop, of: node, contains: "datePublished")
          || tree.value(.class, of: node, contains: "publish")
          || tree.value(.class, of: node, contains: "entry-date")
        {
          time = tree.string(.datetime, of: node).map(\.oneLine)
        }
      default: break
      }
    }
  }

  /// The texts of the headings.
  func headings(in tree: DOMTree) -> [(level: UInt8, text: String)] {
    headingElements.map { (tree.nodes[Int($0)].name.headingLevel, tree.line(below: $0)) }
  }

  /// Keeps the value of a `meta` under each of its names; the first one that says anything counts,
  /// and a `property` before a `name`.
  private mutating func add(_ node: Int32, _ tree: DOMTree) {
    guard let content = tree.string(.content, of: node)?.oneLine, !content.isEmpty else { return }
    for attribute in [AttributeName.property, .name, .itemprop] {
      guard let names = tree.string(attribute, of: node)?.lowercased() else { continue }
      for name in names.split(whereSeparator: \.isWhitespace) {
        let key = Self.normalized(name)
        let isFirstProperty = attribute == .property && properties.insert(key).inserted
        if isFirstProperty || values[key] == nil { values[key] = content }
      }
    }
  }

  /// `dc.title`, `DC-title` and `dc:title` are one name.
  private static func normalized(_ name: Substring) -> String {
    for prefix in ["dcterms", "dcterm", "dc", "og", "twitter"] {
      guard name.hasPrefix(prefix), let mark = name.dropFirst(prefix.count).first,
        mark == "." || mark == "-" || mark == ":"
      else { continue }
      let start = prefix == "dcterms" ? "dcterm" : prefix
      return start + ":" + name.dropFirst(prefix.count + 1)
    }
    return String(name)
  }

  /// The value of the first of some names that has one.
  func first(_ names: [String]) -> String? {
    for name in names {
      if let value = values[name] { return value }
    }
    return nil
  }
}

extension String {
  /// On one line, without white space around it and control characters.
  package var oneLine: String { SpecialText.line(Array(utf8)[...]) }
}
