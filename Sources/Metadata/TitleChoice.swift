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
  private var versions: [String] = []
  /// The `title` of the page, and its first part.
  private let page: String, beginning: String
  /// The title of a home page, including the name of the site; empty for other pages. The headings
  /// of home pages are often slogans.
  private var name = ""

  /// The minimum similarity of a heading and a title. Measured on unseen sites, values from 0.3 to
  /// 0.55 give about equally many correct titles.
  private static let minSimilarity = 0.4

  /// Reads the titles of a page.
  /// - Parameters:
  ///   - stated: The titles in the metadata other than `title`, in order of priority.
  ///   - page: The `title` of the page.
  ///   - headings: The headings of levels 1 and 2, in document order.
  ///   - site: The names of the site.
  init(stated: [String], page: String, headings: [PageTitle.Heading], site: SiteNames) {
    self.headings = headings.filter { !$0.isLogo && !site.contains($0.text) }
    self.site = site
    self.page = page
    let page = PageTitle(page)
    beginning = page.beginning
    let stated = stated.map { PageTitle($0) }
    if site.isAtFirstPage {
      let first = (stated + [page]).first { !PageTitle.isPlaceholder($0.whole) } ?? page
      let part = first.part(without: site, keepsBeginning: true)
      name = PageTitle.isPlaceholder(first.beginning) ? first.rest : part
      return
    }
    versions = stated.map { $0.part(without: site) }
      // The name of the site does not identify a page.
      .filter { !PageTitle.isPlaceholder($0) && !site.contains($0) }
    if versions.isEmpty {
      let title = page.article(headings: self.headings, site: site)
      versions.append(title.isEmpty ? stated.first?.part(without: site) ?? "" : title)
    }
    let part = page.part(without: site)
    if !PageTitle.isPlaceholder(part) { versions.append(part) }
  }

  /// The title without the name of the site; empty if the page has no title.
  var title: String {
    let part = PageTitle(name.isEmpty ? chosen : name).beforeBar
    var title = part.drop(while: \.isWhitespace)
    while title.last?.isWhitespace == true { title.removeLast() }
    return String(title)
  }

  private var chosen: String {
    let keys = versions.map { PageTitle.key($0) }
    return repeatedHeading(by: headings.filter { $0.level == 1 }, keys, of: versions)
      ?? repeatedBelow(keys)
      ?? likeHeading ?? versions.first ?? ""
  }

  /// Returns the first heading that equals one of the titles.
  private func repeatedHeading(
    by headings: [PageTitle.Heading], _ keys: [String], of versions: [String]
  ) -> String? {
    for heading in headings {
      let key = PageTitle.key(heading.text)
      if !key.isEmpty, let version = keys.firstIndex(of: key) {
        return Self.spelled(heading.text, or: versions[version])
      }
    }
    return nil
  }

  /// Returns the first heading that equals the first part of the page's title, unless that part is
  /// the name of the site (for a short part, only headings of level 1 count); else the first
  /// heading of level 2 that equals one of the titles. (A heading of level 1 may name a book or a
  /// forum.)
  private func repeatedBelow(_ keys: [String]) -> String? {
    if !site.contains(beginning) {
      // A small part of the title may be a section of the site, which a heading may name as well.
      let isMuch = beginning.count * 3 >= page.count
      let begins = repeatedHeading(
        by: headings.filter { $0.level == 1 || isMuch }, [PageTitle.key(beginning)],
        of: [beginning])
      if let begins { return begins }
    }
    return repeatedHeading(by: headings.filter { $0.level > 1 }, keys, of: versions)
  }

  /// The heading of level 1 that is most similar to one of the titles, if it is similar enough.
  private var likeHeading: String? {
    let versions = (versions + [beginning]).map { (text: $0, words: ComparableText($0)) }
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
    return isAllUppercase
      ? best.version : PageTitle(Self.withoutAnchor(best.heading)).part(without: site)
  }

  // MARK: Spelling

  /// Returns the heading, or the title if they differ only in that the title is easier to read.
  private static func spelled(_ heading: String, or stated: String) -> String {
    let isMarked =
      heading.count > stated.count && heading.hasPrefix(stated)
      && heading.dropFirst(stated.count).allSatisfy { isAnchor($0) || $0 == " " }
    return isAllUppercase(heading) || isMarked ? stated : withoutAnchor(heading)
  }

  /// Whether a heading has more than three characters, and all of its letters are uppercase.
  private static func isAllUppercase(_ heading: String) -> Bool {
    heading.count > 3 && heading == heading.uppercased() && heading != heading.lowercased()
  }

  /// Whether a character is used as the text of a heading's permalink.
  private static func isAnchor(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return false }
    switch scalar {
    case "¶", "#", "§", "🔗", "⚓", "∞": return true
    default: return false
    }
  }

  /// Returns a heading without its permalink character. In "C#" the sign belongs to the text.
  private static func withoutAnchor(_ heading: String) -> String {
    guard let last = heading.last, isAnchor(last) else { return heading }
    let rest = heading.dropLast()
    guard last != "#" && last != "∞" || rest.last == " " else { return heading }
    return String(rest).oneLine
  }
}
