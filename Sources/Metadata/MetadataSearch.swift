package import DOM
import Dates
package import Document

/// Finds the metadata of a page: title, author, date and site.
///
/// The sources are JSON-LD (schema.org), `meta` elements (Dublin Core, OpenGraph, plain names,
/// Twitter cards; `MetadataVocabulary` has their order), and the visible text of the page. The
/// author's Twitter account is used only if no other source names an author.
package struct MetadataSearch {
  /// The metadata found so far.
  package private(set) var metadata = PageMetadata()
  /// The byline to use if none is found in the content.
  private var lastByline = ""
  /// Whether a byline may be searched for in the whole page because no element delimits the
  /// article.
  private var mayHaveByline = false

  /// Reads the metadata of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: The URL of the page, or empty.
  ///   - readsHead: Whether to search the text for an author and a date that the metadata lacks.
  package init(of tree: DOMTree, url: String = "", readsHead: Bool = true) {
    let meta = MetaElements(tree)
    let article = LinkedData(of: tree).article(like: meta.pageTitle)
    let headings = meta.headings(in: tree)
    metadata.site = article?.site ?? meta.first(MetadataVocabulary.sites) ?? meta.publisher ?? ""
    metadata.title =
      TitleChoice(
        stated: [article?.title].compactMap(\.self) + meta.all(MetadataVocabulary.titles),
        page: meta.pageTitle, headings: headings, site: meta.site(article?.site, url: url)
      ).title
    guard readsHead else { return }
    let order = WrittenDate.Order(
      language: meta.languageWithRegion(String(decoding: tree.language, as: UTF8.self)))
    func declared(_ value: String?) -> WrittenDate? { DateLine.declared(value, order: order) }
    let site = metadata
    func named(_ names: String?) -> String? {
      names.flatMap { BylineText.isLabel($0) || site.isSite($0) ? nil : $0 }
    }
    let byline = named(article?.byline) ?? named(meta.names(MetadataVocabulary.creators))
    let date = declared(article?.date) ?? meta.date(MetadataVocabulary.dates, order: order)
    (metadata.byline, metadata.date) = (byline ?? "", date?.isoText ?? "")
    lastByline = named(article?.creator) ?? meta.account ?? ""
    guard byline == nil || date == nil else { return }
    let head = ArticleHead(
      of: tree, heading: meta.heading(like: metadata.title, headings), order: order)
    metadata.byline = byline ?? named(head.byline) ?? ""
    mayHaveByline = metadata.byline.isEmpty && !head.isBounded
    let found =
      date ?? head.date ?? (head.isBounded ? nil : declared(meta.time))
      ?? declared(article?.creation) ?? tree.onlyDate(order: order)
      ?? declared(article?.change) ?? meta.date(MetadataVocabulary.changes, order: order)
      ?? head.change
    metadata.date = found?.isoText ?? ""
  }

  /// Returns the metadata, completed once the content has been found.
  /// - Parameter line: A line of the content that is a byline; nil if there is none.
  /// - Returns: The metadata, with the names in that line if no other author was found.
  package func completed(byline line: String?) -> PageMetadata {
    var metadata = metadata
    if mayHaveByline, let line, let names = BylineText.names(in: line), !metadata.isSite(names) {
      metadata.byline = names
    }
    if metadata.byline.isEmpty { metadata.byline = lastByline }
    return metadata
  }
}

extension String {
  /// Whether the string is a URL rather than a name.
  var isAddress: Bool { hasPrefix("http://") || hasPrefix("https://") || hasPrefix("www.") }
}

extension PageMetadata {
  /// Whether names are those of the site rather than of authors.
  fileprivate func isSite(_ names: String) -> Bool {
    let key = PageTitle.key(names)
    return !key.isEmpty && key == PageTitle.key(site)
  }
}
