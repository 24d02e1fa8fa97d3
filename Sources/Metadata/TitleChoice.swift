import DOM

/// Chooses the title of a page from its metadata and its headings.
///
/// A heading is written for people; titles in metadata are often written for search engines and
/// begin or end with the name of the site. But a heading may also belong to a section, a book or an
/// advertisement, so it is used only if it is similar to a title in the metadata.
struct TitleChoice {
  private let headings: [PageTitle.Heading]
  private let site: SiteNames
  /// The titles in the metadata and the `title` of the page, each without the name of the site, in
  /// order of priority. Without titles in the metadata, the first is guessed from the `title`.
  private var candidateTitles: [String] = []
  /// The `title` of the page, and its first and last part.
  private let pageTitle: String, firstPart: String, lastPart: String
  /// The title of a home page, including the name of the site; empty for other pages. The headings
  /// of home pages are often slogans.
  private var homePageTitle = ""

  /// The minimum similarity of a heading and a title. Measured on unseen sites, values from 0.3 to
  /// 0.55 give about equally many correct titles.
  private static let minSimilarity = 0.4

  /// Reads the titles of a page: those in its metadata in order of priority, its `title`, and its
  /// headings of levels 1 and 2 in document order.
  init(metadataTitles: [String], pageTitle: String, headings: [PageTitle.Heading], site: SiteNames)
  {
    self.headings = headings.filter {
      !$0.text.isEmpty && !$0.isLogo && !site.contains($0.text)
    }
    self.site = site
    let pageTitle = PageTitle(PageTitle(pageTitle).textAfterPageKind)
    self.pageTitle = pageTitle.fullTitle
    (firstPart, lastPart) = (pageTitle.firstPart, pageTitle.lastPart)
    let metadataTitles = metadataTitles.map { PageTitle($0) }
    if site.isHomePage {
      let first =
        (metadataTitles + [pageTitle]).first { !PageTitle.isPlaceholder($0.fullTitle) } ?? pageTitle
      let part = first.articleTitle(without: site, keepsFirstPart: true)
      homePageTitle = PageTitle.isPlaceholder(first.firstPart) ? first.textAfterFirstPart : part
      return
    }
    candidateTitles = metadataTitles.map { $0.articleTitle(without: site) }
      // The name of the site does not identify a page.
      .filter { !PageTitle.isPlaceholder($0) && !site.contains($0) }
    if candidateTitles.isEmpty {
      let title = pageTitle.guessedArticleTitle(headings: self.headings, site: site)
      candidateTitles.append(
        title.isEmpty ? metadataTitles.first?.articleTitle(without: site) ?? "" : title)
    }
    let part = pageTitle.articleTitle(without: site)
    if !PageTitle.isPlaceholder(part) { candidateTitles.append(part) }
  }

  /// The title without the name of the site and without soft hyphens; empty if the page has no
  /// title.
  var title: String {
    let whole = PageTitle(homePageTitle.isEmpty ? chosen : homePageTitle).withoutRepetition
    let part = PageTitle(whole).textBeforeBar
    var title = part.drop(while: \.isWhitespace)
    while title.last?.isWhitespace == true { title.removeLast() }
    return String(title).filter { $0 != "\u{AD}" }
  }

  private var chosen: String {
    let keys = candidateTitles.map { PageTitle.comparisonKey($0) }
    return headingRepeatingTitle(by: headings.filter { $0.level == 1 }, keys, of: candidateTitles)
      ?? lowerHeadingRepeatingTitle(keys)
      ?? leadingHeading ?? mostSimilarHeading ?? candidateTitles.first ?? ""
  }

  /// The only heading of level 1 if the title of the page continues after it with several parts,
  /// such as an author and a description of the site; nil otherwise.
  private var leadingHeading: String? {
    let main = headings.filter { $0.level == 1 }
    guard main.count == 1, ComparableText(main[0].text).count >= Self.minLeadingWords,
      PageTitle(pageTitle).hasSeveralParts(after: main[0].text)
    else { return nil }
    return Self.withoutPermalink(main[0].text)
  }

  private static let minLeadingWords = 3

  /// Returns the first heading that equals one of the titles; nil if there is none.
  private func headingRepeatingTitle(
    by headings: [PageTitle.Heading], _ keys: [String], of versions: [String]
  ) -> String? {
    for heading in headings {
      let key = PageTitle.comparisonKey(heading.text)
      if !key.isEmpty, let version = keys.firstIndex(of: key) {
        return Self.easierToRead(heading.text, or: versions[version])
      }
    }
    return nil
  }

  /// Returns a heading that repeats a title; nil if there is none.
  ///
  /// Preferred is the first heading that equals the first part of the page's title, unless that
  /// part is the name of the site. If the part is short, the heading must have level 1. Otherwise,
  /// it is the first heading of level 2 that equals one of the titles, because a heading of level 1
  /// may name a book or a forum, or else the last part of the page's title. A last part that is
  /// shorter than the first one is rather the name of the site or of a section.
  private func lowerHeadingRepeatingTitle(_ keys: [String]) -> String? {
    if !site.contains(firstPart) {
      // A small part of the title may be a section of the site, which a heading may name as well.
      let isMuch = firstPart.count * 3 >= pageTitle.count
      let begins = headingRepeatingTitle(
        by: headings.filter { $0.level == 1 || isMuch }, [PageTitle.comparisonKey(firstPart)],
        of: [firstPart])
      if let begins { return begins }
    }
    let lower = headings.filter { $0.level > 1 }
    if let heading = headingRepeatingTitle(by: lower, keys, of: candidateTitles) { return heading }
    guard !site.contains(lastPart), lastPart.count > firstPart.count,
      ComparableText(lastPart).count >= Self.minLeadingWords
    else { return nil }
    return headingRepeatingTitle(by: lower, [PageTitle.comparisonKey(lastPart)], of: [lastPart])
  }

  /// The heading of level 1 that is most similar to one of the titles, if it is similar enough.
  private var mostSimilarHeading: String? {
    let versions = (candidateTitles + [firstPart]).map { (text: $0, words: ComparableText($0)) }
    var best: (heading: String, version: String, similarity: Double)?
    for heading in headings where heading.level == 1 {
      let text = ComparableText(heading.text)
      for version in versions {
        let similarity = text.mutualSimilarity(to: version.words)
        if similarity > best?.similarity ?? 0 { best = (heading.text, version.text, similarity) }
      }
    }
    guard let best, best.similarity >= Self.minSimilarity else { return nil }
    let isAllUppercase = Self.isAllUppercase(best.heading) && best.similarity > 0.75
    return isAllUppercase || Self.joinsWords(best.heading, of: best.version)
      ? best.version : PageTitle(Self.withoutPermalink(best.heading)).articleTitle(without: site)
  }

  // MARK: Spelling

  /// Returns the heading, or the title if they differ only in that the title is easier to read.
  private static func easierToRead(_ heading: String, or title: String) -> String {
    let isMarked =
      heading.count > title.count && heading.hasPrefix(title)
      && heading.dropFirst(title.count).allSatisfy { isPermalinkCharacter($0) || $0 == " " }
    return isAllUppercase(heading) || isMarked ? title : withoutPermalink(heading)
  }

  /// Whether a heading differs from a title only in that it lacks spaces, as between elements that
  /// styles show on lines of their own.
  private static func joinsWords(_ heading: String, of title: String) -> Bool {
    let (joined, words) = (heading.filter { !$0.isWhitespace }, title.split(separator: " "))
    return words.joined() == joined && words.count > heading.split(separator: " ").count
  }

  /// Whether a heading has more than three characters, and all of its letters are uppercase.
  private static func isAllUppercase(_ heading: String) -> Bool {
    heading.count > 3 && heading == heading.uppercased() && heading != heading.lowercased()
  }

  /// Whether a character is used as the text of a heading's permalink.
  private static func isPermalinkCharacter(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return false }
    switch scalar {
    case "¶", "#", "§", "🔗", "⚓", "∞": return true
    default: return false
    }
  }

  /// Returns a heading without its permalink character. In "C#" the sign belongs to the text.
  private static func withoutPermalink(_ heading: String) -> String {
    guard let last = heading.last, isPermalinkCharacter(last) else { return heading }
    let rest = heading.dropLast()
    guard last != "#" && last != "∞" || rest.last == " " else { return heading }
    return String(rest).oneLine
  }
}
