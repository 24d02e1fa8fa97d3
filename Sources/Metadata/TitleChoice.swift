import DOM

/// The title of a page, chosen among what it states and what stands above its text.
///
/// The heading of the text is what its author wrote for readers; what is stated is often written for
/// search engines, and begins or ends with the name of the site. But a heading may be that of a section,
/// of a book or of an advertisement: it has to be like what is stated.
struct TitleChoice {
  private let headings: [PageTitle.Heading]
  private let site: SiteNames
  /// What the page states, without the site, the surest first.
  private var versions: [String] = []
  /// The `title` of the page, and what it begins with.
  private let page: String, beginning: String
  /// What the first page of a site states with the name of the site, or nothing: its headings are
  /// slogans.
  private var name = ""

  /// How alike a heading is to what is stated, at least. Titles of unseen sites are about as often right
  /// with 0.3 to 0.55.
  private static let likeness = 0.4

  /// Reads what a page states.
  /// - Parameters:
  ///   - stated: the titles it states apart from its `title`, the surest first.
  ///   - page: its `title`.
  ///   - headings: its headings of the first two levels, in their order.
  ///   - site: what its site is called.
  init(stated: [String], page: String, headings: [PageTitle.Heading], site: SiteNames) {
    self.headings = headings.filter { !$0.isLogo && !site.contains($0.text) }
    self.site = site
    self.page = page
    let page = PageTitle(page)
    beginning = page.beginning
    let stated = stated.map { PageTitle($0) }
    if site.isAtFirstPage {
      let first = (stated + [page]).first { !PageTitle.saysNothing($0.whole) } ?? page
      let part = first.part(without: site, keepsBeginning: true)
      name = PageTitle.saysNothing(first.beginning) ? first.rest : part
      return
    }
    versions = stated.map { $0.part(without: site) }
      // The name of the site says nothing of a page in it.
      .filter { !PageTitle.saysNothing($0) && !site.contains($0) }
    if versions.isEmpty {
      let title = page.article(headings: self.headings, site: site)
      versions.append(title.isEmpty ? stated.first?.part(without: site) ?? "" : title)
    }
    let part = page.part(without: site)
    if !PageTitle.saysNothing(part) { versions.append(part) }
  }

  /// The title without the name of the site; empty when there is none.
  var title: String {
    let part = PageTitle(name.isEmpty ? chosen : name).beforeBar
    var title = part.drop(while: \.isWhitespace)
    while title.last?.isWhitespace == true { title.removeLast() }
    return String(title)
  }

  private var chosen: String {
    let keys = versions.map { PageTitle.key($0) }
    return said(by: headings.filter { $0.level == 1 }, keys, of: versions) ?? saidBelow(keys)
      ?? likeHeading ?? versions.first ?? ""
  }

  /// The first of some headings that says what is stated.
  private func said(
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

  /// What begins the title of the page and is said by a heading, or is stated and said by one of the
  /// second level: that of the first one may name a book or a forum.
  private func saidBelow(_ keys: [String]) -> String? {
    if !site.contains(beginning) {
      // A little of the title may be a section of the site, of which some heading speaks.
      let isMuch = beginning.count * 3 >= page.count
      let begins = said(
        by: headings.filter { $0.level == 1 || isMuch }, [PageTitle.key(beginning)],
        of: [beginning])
      if let begins { return begins }
    }
    return said(by: headings.filter { $0.level > 1 }, keys, of: versions)
  }

  /// The heading of the first level that is most like what is stated.
  private var likeHeading: String? {
    let versions = (versions + [beginning]).map { (text: $0, words: ComparableWords($0)) }
    var best: (heading: String, version: String, likeness: Double)?
    for heading in headings where heading.level == 1 {
      let words = ComparableWords(heading.text)
      for version in versions {
        let likeness = words.likeness(to: version.words)
        if likeness > best?.likeness ?? 0 { best = (heading.text, version.text, likeness) }
      }
    }
    guard let best, best.likeness >= Self.likeness else { return nil }
    let isShouted = Self.isShouted(best.heading) && best.likeness > 0.75
    return isShouted
      ? best.version : PageTitle(Self.withoutAnchor(best.heading)).part(without: site)
  }

  // MARK: Spelling

  /// The heading, unless what is stated differs from it only in that it is easier to read.
  private static func spelled(_ heading: String, or stated: String) -> String {
    let isMarked =
      heading.count > stated.count && heading.hasPrefix(stated)
      && heading.dropFirst(stated.count).allSatisfy { isAnchor($0) || $0 == " " }
    return isShouted(heading) || isMarked ? stated : withoutAnchor(heading)
  }

  /// Whether all its letters are capitals.
  private static func isShouted(_ heading: String) -> Bool {
    heading.count > 3 && heading == heading.uppercased() && heading != heading.lowercased()
  }

  /// Whether a character marks the link of a heading to itself.
  private static func isAnchor(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return false }
    switch scalar {
    case "¶", "#", "§", "🔗", "⚓", "∞": return true
    default: return false
    }
  }

  /// A heading without the mark of its link to itself; "C#" ends with none.
  private static func withoutAnchor(_ heading: String) -> String {
    guard let last = heading.last, isAnchor(last) else { return heading }
    let rest = heading.dropLast()
    guard last != "#" && last != "∞" || rest.last == " " else { return heading }
    return String(rest).oneLine
  }
}
