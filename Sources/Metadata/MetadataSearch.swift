package import DOM
package import Document

/// Finds the metadata of a page: title, author, date and site.
///
/// The sources, in order of priority: JSON-LD (schema.org), Dublin Core, OpenGraph, plain `meta`
/// names, Twitter cards, and the visible text of the page.
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
    let stated = (
      byline: article?.byline ?? meta.names(MetadataVocabulary.creators),
      date: article?.date ?? meta.date(MetadataVocabulary.dates)
    )
    (metadata.byline, metadata.date) = (stated.byline ?? "", stated.date ?? "")
    lastByline = article?.creator ?? meta.account ?? ""
    guard readsHead, stated.byline == nil || stated.date == nil else { return }
    let head = ArticleHead(of: tree, heading: meta.heading(like: metadata.title, headings))
    metadata.byline = stated.byline ?? head.byline ?? ""
    mayHaveByline = metadata.byline.isEmpty && !head.isBounded
    metadata.date =
      stated.date ?? head.date ?? (head.isBounded ? nil : meta.time) ?? article?.creation
      ?? article?.change ?? meta.date(MetadataVocabulary.changes) ?? head.change ?? ""
  }

  /// Returns the metadata, completed once the content has been found.
  /// - Parameter line: A line of the content that is a byline, or nil.
  /// - Returns: The metadata, with the names in that line if no other author was found.
  package func completed(byline line: String?) -> PageMetadata {
    var metadata = metadata
    if mayHaveByline, let line { metadata.byline = BylineText.names(in: line) ?? "" }
    if metadata.byline.isEmpty { metadata.byline = lastByline }
    return metadata
  }
}

extension String {
  /// Whether the string is a URL rather than a name.
  var isAddress: Bool { hasPrefix("http://") || hasPrefix("https://") || hasPrefix("www.") }

  /// Whether the string may be a date: it contains digits and is not just a timestamp in seconds.
  var mayBeDate: Bool {
    contains(where: \.isNumber) && (count <= 8 || !allSatisfy(\.isNumber))
  }
}
