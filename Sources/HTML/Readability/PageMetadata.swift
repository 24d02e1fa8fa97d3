/// What a page says about itself: title, author, date, site.
///
/// Sources, the surest first: JSON-LD (schema.org), Dublin Core, OpenGraph, plain `meta` names,
/// Twitter cards, and what stands on the page.
package struct PageMetadata: Sendable, Equatable {
  /// The title of the article without the name of the site, on one line; may be empty.
  package var title = ""
  /// Who wrote it, or empty.
  package var byline = ""
  /// When it was published, as the page writes it (mostly ISO 8601), or empty; when it was changed
  /// last if nothing else is known.
  package var date = ""
  /// The name of the site, or empty.
  package var site = ""
  /// The `date` without the time of day if it is one of ISO 8601.
  package var day: String {
    let bytes = Array(date.utf8)
    for index in bytes.indices.dropFirst().dropLast()
    where bytes[index] == UInt8(ascii: "T") && bytes[index - 1].isDigit && bytes[index + 1].isDigit
    {
      return String(decoding: bytes[..<index], as: UTF8.self)
    }
    return date
  }

  /// The byline if none is found in the content.
  private var lastByline = ""
  /// Whether a byline may be looked for all over the page: nothing tells its parts apart.
  private var mayHaveByline = false

  package init() {}

  /// Reads the metadata of a page.
  /// - Parameters:
  ///   - tree: the page.
  ///   - url: its address, or empty.
  ///   - readsHead: whether an author and a date that are not stated are looked for in the text.
  package init(of tree: DOMTree, url: String = "", readsHead: Bool = true) {
    let meta = MetaElements(tree)
    let article = LinkedData(of: tree).article(like: meta.pageTitle)
    let headings = meta.headings(in: tree)
    site = article?.site ?? meta.first(Vocabulary.sites) ?? meta.publisher ?? ""
    title =
      TitleChoice(
        stated: [article?.title].compactMap(\.self) + meta.all(Vocabulary.titles),
        page: meta.pageTitle, headings: headings, site: meta.site(article?.site, url: url)
      ).title
    let stated = (
      byline: article?.byline ?? meta.names(Vocabulary.creators),
      date: article?.date ?? meta.date(Vocabulary.dates)
    )
    (byline, date) = (stated.byline ?? "", stated.date ?? "")
    lastByline = article?.creator ?? meta.account ?? ""
    guard readsHead, stated.byline == nil || stated.date == nil else { return }
    let head = ArticleHead(of: tree, heading: meta.heading(like: title, headings))
    byline = stated.byline ?? head.byline ?? ""
    mayHaveByline = byline.isEmpty && !head.isBounded
    date =
      stated.date ?? head.date ?? (head.isBounded ? nil : meta.time) ?? article?.creation
      ?? article?.change ?? meta.date(Vocabulary.changes) ?? head.change ?? ""
  }

  /// Adds what is known when the content has been found.
  /// - Parameter line: a line of the content that says who wrote it, or nil.
  mutating func complete(byline line: String?) {
    if mayHaveByline, let line { byline = BylineText.names(in: line) ?? "" }
    if byline.isEmpty { byline = lastByline }
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
