package import DOM
package import Document

/// Looks for what a page says about itself: title, author, date, site.
///
/// Sources, the surest first: JSON-LD (schema.org), Dublin Core, OpenGraph, plain `meta` names,
/// Twitter cards, and what stands on the page.
package struct MetadataSearch {
  /// What was found.
  package private(set) var metadata = PageMetadata()
  /// The byline if none is found in the content.
  private var lastByline = ""
  /// Whether a byline may be looked for all over the page: nothing tells its parts apart.
  private var mayHaveByline = false

  /// Reads the metadata of a page.
  /// - Parameters:
  ///   - tree: the page.
  ///   - url: its address, or empty.
  ///   - readsHead: whether an author and a date that are not stated are looked for in the text.
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

  /// What was found with what is known when the content has been found.
  /// - Parameter line: A line of the content that says who wrote it, or nil.
  /// - Returns: What the page says, with the name of that line where no other was found.
  package func completed(byline line: String?) -> PageMetadata {
    var metadata = metadata
    if mayHaveByline, let line { metadata.byline = BylineText.names(in: line) ?? "" }
    if metadata.byline.isEmpty { metadata.byline = lastByline }
    return metadata
  }
}

extension String {
  /// A URL in the place of a name.
  var isAddress: Bool { hasPrefix("http://") || hasPrefix("https://") || hasPrefix("www.") }

  /// Has digits, but is no number of seconds.
  var mayBeDate: Bool {
    contains(where: \.isNumber) && (count <= 8 || !allSatisfy(\.isNumber))
  }
}
