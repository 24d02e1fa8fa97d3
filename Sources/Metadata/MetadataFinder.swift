package import DOM
import Dates
package import Document

/// Finds the metadata of a page: title, author, date and site.
///
/// The sources are JSON-LD (schema.org), `meta` elements (Dublin Core, OpenGraph, plain names,
/// Twitter cards; `MetadataVocabulary` has their order), and the visible text of the page. The
/// author's Twitter account is used only if no other source names an author.
package struct MetadataFinder {
  /// The metadata found so far.
  package private(set) var metadata = PageMetadata()
  /// The byline to use if none is found in the content.
  private var fallbackByline = ""
  /// Whether a byline may be searched for in the whole page because no element delimits the
  /// article.
  private var allowsBylineSearch = false
  /// The order of day and month in dates such as `5/6/2026`; nil if the text is not searched.
  private var order: WrittenDate.DayMonthOrder?

  /// Reads the metadata of a page. If `searchesText`, the text is searched for an author and a date
  /// that the metadata lacks.
  package init(of tree: DOMTree, url: String = "", searchesText: Bool = true) {
    let sources = Sources(tree, url: url)
    let (meta, article) = (sources.meta, sources.article)
    metadata.siteName =
      article?.site ?? meta.texts(MetadataVocabulary.siteNameKeys).first { !$0.isURL }
      ?? meta.publisher ?? ""
    metadata.title = sources.title
    guard searchesText else { return }
    let order = WrittenDate.DayMonthOrder(
      language: meta.languageWithRegion(String(decoding: tree.language, as: UTF8.self), url: url))
    self.order = order
    let site = metadata
    let siteNames = meta.siteNames(article?.site, logo: nil, url: url)
    func named(_ names: String?) -> String? {
      guard let names = names.map({ site.withoutSiteName($0, siteNames) }) else { return nil }
      return BylineText.isLabel(names) || site.isSiteName(names) ? nil : names
    }
    let ofData = named(article?.byline)
    // The page may name a person where its data name the publisher.
    let organization = article?.isByOrganization == true ? ofData : nil
    let byline =
      (organization == nil ? ofData : nil)
      ?? named(meta.joinedNames(MetadataVocabulary.authorKeys))
    let date =
      DateLine.parseDeclared(article?.date, order: order)
      ?? meta.firstDate(MetadataVocabulary.publicationDateKeys, order: order)
    (metadata.byline, metadata.date) = (byline ?? "", date?.isoText ?? "")
    fallbackByline =
      named(article?.creator) ?? named(meta.labeledAuthor) ?? meta.authorAccount ?? ""
    guard byline == nil || date == nil else { return }
    let head = ArticleHead(
      of: tree, headingNode: meta.headingNode(similarTo: metadata.title, sources.headings),
      order: order)
    metadata.byline =
      byline ?? named(head.byline) ?? named(head.unanimousByline) ?? organization ?? ""
    allowsBylineSearch = metadata.byline.isEmpty && !head.isDelimitedByArticle
    metadata.date = (date ?? sources.date(beside: head, order: order))?.isoText ?? ""
  }

  /// The sources of metadata of a page.
  private struct Sources {
    let tree: DOMTree
    let url: String
    let meta: MetaElements
    let data: LinkedData
    let article: LinkedData.Article?
    let headings: [PageTitle.Heading]

    init(_ tree: DOMTree, url: String) {
      (self.tree, self.url) = (tree, url)
      meta = MetaElements(tree)
      data = LinkedData(of: tree)
      article = data.article(similarTo: meta.pageTitle)
      headings = meta.headings(in: tree)
    }

    /// The title of the page.
    var title: String {
      let logo = MetadataFinder.logo(headings, in: tree, title: meta.pageTitle, url: url)
      return TitleChoice(
        metadataTitles: [article?.title].compactMap(\.self)
          + meta.texts(MetadataVocabulary.titleKeys),
        pageTitle: meta.pageTitle, headings: headings,
        site: meta.siteNames(article?.site, logo: logo, url: url)
      ).title
    }

    /// Returns the date of a page whose metadata does not declare a publication date.
    func date(beside head: ArticleHead, order: WrittenDate.DayMonthOrder) -> WrittenDate? {
      func declared(_ value: String?) -> WrittenDate? {
        DateLine.parseDeclared(value, order: order)
      }
      return data.dateOfPage(head.date, order: order)
        ?? (head.isDelimitedByArticle ? nil : declared(meta.publicationTime))
        ?? declared(article?.creation)
        ?? data.dateOfPage(tree.unanimousDate(order: order), order: order)
        ?? data.dateOfPage(DateLine.date(inPathOf: url), order: order)
        ?? declared(article?.change)
        ?? meta.firstDate(MetadataVocabulary.changeDateKeys, order: order) ?? head.changeDate
    }
  }

  /// Returns the name of the site that the page shows: the heading that is a logo, or the title of
  /// the page if a link to the home page has it as its text and the page has one heading that
  /// differs from it; nil if there is none.
  private static func logo(
    _ headings: [PageTitle.Heading], in tree: DOMTree, title: String, url: String
  ) -> String? {
    if let logo = headings.first(where: { $0.isLogo && $0.level == 1 }) { return logo.text }
    let main = headings.filter { $0.level == 1 }
    guard main.count == 1,
      PageTitle.comparisonKey(main[0].text) != PageTitle.comparisonKey(title),
      tree.namesHomePage(title, url: url)
    else { return nil }
    return title
  }

  /// Returns the metadata, completed once the content has been found: by a line of the content that
  /// is a byline, by the writer and the date of the first post of a thread, by the names in the
  /// last line of the text, and by the notices below it, if there are no others.
  package func completed(
    byline line: String?, opening: PostByline? = nil, lastLine: String = "",
    notices: [PostNotice] = []
  ) -> PageMetadata {
    var metadata = metadata
    if allowsBylineSearch, let line, let names = BylineText.names(inBylineOrBiography: line),
      !metadata.isSiteName(names)
    {
      metadata.byline = names
    }
    complete(&metadata, fromLastLine: lastLine)
    complete(&metadata, from: notices)
    if metadata.byline.isEmpty { metadata.byline = fallbackByline }
    guard let order, let opening else { return metadata }
    if metadata.byline.isEmpty, let names = BylineText.names(in: opening.name),
      !metadata.isSiteName(names)
    {
      metadata.byline = names
    }
    if metadata.date.isEmpty,
      let date = DateLine.parseDeclared(opening.date, order: order)
    {
      metadata.date = date.isoText
    }
    return metadata
  }
}

extension MetadataFinder {
  /// Adds the author and the date in the last line of a text, such as "Posted by Jane Doe on May 4,
  /// 2026." or "Last modified: May 4, 2026", to metadata without them. A line such as "Published by
  /// Faber & Faber" is about a book.
  private func complete(_ metadata: inout PageMetadata, fromLastLine line: String) {
    guard let order, !line.isEmpty, !BylineText.beginsLikePublisher(line) else { return }
    let line = line.last == "." ? String(line.dropLast()) : line
    let dates = DateLine(line, order: order, isMarkedUpAsDate: false)
    let names =
      BylineText.names(ifBylineIs: line)
      ?? (dates == nil ? nil : BylineText.names(afterDateIn: line, allowsOtherWords: false))
    // "Von Tag zu Tag" is not a name.
    let words = names?.lowercased().split(separator: " ") ?? []
    if metadata.byline.isEmpty, let names, words.count > 1, words.first != words.last,
      !metadata.isSiteName(names)
    {
      metadata.byline = names
    }
    if metadata.date.isEmpty, names != nil || DateLine.isLabeledDateOnly(line),
      let date = dates?.publicationDate ?? dates?.changeDate
    {
      metadata.date = date.isoText
    }
  }
}

extension MetadataFinder {
  /// Adds the author and the date in notices below a text to metadata without them.
  private func complete(_ metadata: inout PageMetadata, from notices: [PostNotice]) {
    guard let order else { return }
    if metadata.byline.isEmpty, let name = notices.lazy.compactMap(\.name).first,
      !metadata.isSiteName(name)
    {
      metadata.byline = name
    }
    if metadata.date.isEmpty,
      let date = notices.lazy.compactMap({ $0.date(order: order) }).first
    {
      metadata.date = date.isoText
    }
  }
}

extension String {
  /// Whether the string is a URL rather than a name.
  var isURL: Bool { hasPrefix("http://") || hasPrefix("https://") || hasPrefix("www.") }
}

extension PageMetadata {
  /// Returns names without the name of the site after them, as in "Jane Doe | River Times". After
  /// a bar, which is not a part of names, it may be shortened. A hyphen without a space before it
  /// is part of a name.
  fileprivate func withoutSiteName(_ names: String, _ site: SiteNames) -> String {
    func text(before separators: String, _ isSite: (Substring) -> Bool) -> Substring? {
      let separator = names.indices.last { index in
        separators.contains(names[index])
          && (!"–—-".contains(names[index]) || names[..<index].last?.isWhitespace == true)
      }
      guard let separator, isSite(names[separator...].dropFirst()),
        case let rest = BylineText.trimmed(names[..<separator]), !rest.isEmpty
      else { return nil }
      return rest
    }
    let suffix = " for \(siteName)"
    let isForSite = !siteName.isEmpty && names.lowercased().hasSuffix(suffix.lowercased())
    let rest =
      text(before: "|｜") { isSiteName($0) || site.contains($0) || beginsSiteName($0) }
      ?? text(before: ",;–—-") { isSiteName($0) }
      ?? (isForSite ? names.dropLast(suffix.count) : nil)
    return rest.flatMap { BylineText.joined([String($0)]) } ?? names
  }

  /// Whether a text is the first words of the name of the site.
  private func beginsSiteName(_ text: Substring) -> Bool {
    let key = PageTitle.comparisonKey(text)
    return !key.isEmpty && PageTitle.comparisonKey(siteName).hasPrefix(key + " ")
  }

  /// Whether names are those of the site rather than of authors.
  fileprivate func isSiteName(_ names: some StringProtocol) -> Bool {
    let key = PageTitle.comparisonKey(names)
    return !key.isEmpty && key == PageTitle.comparisonKey(siteName)
  }
}
