package import DOM
import Dates

/// The elements of a page that hold metadata.
package struct MetaElements {
  /// The text of the first `title` element, with `decodedLine` applied.
  private(set) var pageTitle = ""
  /// The canonical URL of the page (`link rel=canonical`); nil if it declares none.
  private var canonicalURL: String?
  /// The first `h1` and `h2` elements.
  private var headingNodes: [Int32] = []
  /// The `datetime` of the first `time` element marked up as the publication date; nil if there is
  /// none.
  private(set) var publicationTime: String?
  /// The publisher's name from microdata; nil if there is none.
  private(set) var publisher: String?
  private var valuesByName: [String: [String]] = [:]
  /// The keys of `valuesByName` that came from a `property` attribute.
  private var properties: Set<String> = []

  /// Elements in a heading that are not part of the title.
  package static let nonTitleElements: ElementSet = [.button, .time]

  private static let maxHeadings = 200
  /// The maximum number of values per name.
  private static let maxValues = 20

  private static let relevantElements: ElementSet = [.meta, .title, .link, .h1, .h2, .time]

  init(_ tree: DOMTree) {
    var hasTitle = false
    for index in tree.nodes.indices where Self.relevantElements.contains(tree.nodes[index].name) {
      let node = Int32(index)
      guard tree.nodes[index].parent != nil, !tree.hasAncestor(.svg, node) else { continue }
      switch tree.nodes[index].name {
      case .meta: add(node, tree)
      case .link where canonicalURL == nil && tree.value(.rel, of: node, contains: "canonical"):
        canonicalURL = tree.string(.href, of: node)?.oneLine
      case .title where !hasTitle:
        pageTitle = tree.collapsedText(below: node).decodedLine
        hasTitle = true
      case .h1, .h2:
        if headingNodes.count < Self.maxHeadings { headingNodes.append(node) }
      case .time where publicationTime == nil:
        if tree.value(.itemprop, of: node, contains: "datePublished")
          || tree.value(.class, of: node, contains: "publish")
          || tree.value(.class, of: node, contains: "entry-date")
        {
          guard !CommentArea.contains(node, in: tree) else { continue }
          publicationTime = tree.string(.datetime, of: node).map(\.oneLine)
        }
      default: break
      }
    }
  }

  // MARK: Headings

  /// Returns the headings with their levels and texts.
  func headings(in tree: DOMTree) -> [PageTitle.Heading] {
    headingNodes.map {
      PageTitle.Heading(
        level: tree.nodes[Int($0)].name.headingLevel, text: headingText(of: $0, in: tree),
        isLogo: tree.isLogo($0),
        isInMainContent: tree.hasAncestor(.article, $0) || tree.hasAncestor(.main, $0))
    }
  }

  /// Returns the text of a heading without references to notes, which are superscripts that are
  /// marks of notes or that the title of the page does not have, and without a kicker that it does
  /// not have.
  private func headingText(of heading: Int32, in tree: DOMTree) -> String {
    let texts = tree.headingTexts(below: heading)
    if let rest = tree.headingText(belowKickerOf: heading), isInPageTitle(rest, rather: texts[0]) {
      return rest
    }
    guard texts.count > 1 else { return texts[0] }
    return tree.hasOnlyNoteMarks(heading) || isInPageTitle(texts[1], rather: texts[0])
      ? texts[1] : texts[0]
  }

  /// Returns whether the title of the page contains a part of a text, but not the whole text, even
  /// with other spaces.
  private func isInPageTitle(_ part: String, rather whole: String) -> Bool {
    let (title, part) = (PageTitle.comparisonKey(pageTitle), PageTitle.comparisonKey(part))
    let whole = PageTitle.comparisonKey(whole).replacing(" ", with: "")
    return " \(title) ".contains(" \(part) ")
      && !title.replacing(" ", with: "").contains(whole)
  }

  /// Returns the heading that is similar to a title, else the first `h1` that is not a logo, else
  /// nil.
  func headingNode(similarTo title: String, _ headings: [PageTitle.Heading]) -> Int32? {
    let text = ComparableText(title)
    let index =
      headings.firstIndex { text.similarity(to: ComparableText($0.text)) > 0.75 }
      ?? headings.firstIndex { $0.level == 1 && !$0.isLogo }
    return index.map { headingNodes[$0] }
  }

  // MARK: Values

  /// Stores the value of a `meta` element under each of its names; a `property` has priority over a
  /// `name`.
  private mutating func add(_ node: Int32, _ tree: DOMTree) {
    guard let content = tree.string(.content, of: node)?.oneLine, !content.isEmpty else { return }
    for attribute in [AttributeName.property, .name, .itemprop] {
      guard let names = tree.string(attribute, of: node)?.lowercased() else { continue }
      // Fast path: several names in one attribute are rare.
      let isSingle = names.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 }
      for name in isSingle ? [names[...]] : names.split(whereSeparator: \.isWhitespace) {
        let key = Self.normalized(name)
        let isFirstProperty = attribute == .property && properties.insert(key).inserted
        if isFirstProperty {
          valuesByName[key] = [content]
        } else if valuesByName[key]?.count ?? 0 < Self.maxValues {
          valuesByName[key, default: []].append(content)
        }
      }
      if attribute == .itemprop, publisher == nil, names == "name",
        tree.isInPublisher(node)
      {
        publisher = content
      }
    }
  }

  /// Normalizes a lower-case name, so that `dc.title`, `dc-title` and `dc:title` are equal.
  private static func normalized(_ name: Substring) -> String {
    let bytes = name.utf8
    guard let marker = bytes.firstIndex(where: isSeparator) else { return String(name) }
    let rest = String(name[bytes.index(after: marker)...])
    return switch String(name[..<marker]) {
    case "dcterms", "dcterm": "dcterm:" + rest
    case "dc": "dc:" + rest
    case "og": "og:" + rest
    case "twitter": "twitter:" + rest
    default: String(name)
    }
  }

  /// Whether the byte separates the parts of a name.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
  }

  /// Returns the first value of the first name that has one; nil if none has one.
  func first(_ names: [String]) -> String? {
    for name in names {
      if let value = valuesByName[name]?.first { return value }
    }
    return nil
  }

  /// Returns the first value of each name that has one.
  func all(_ names: [String]) -> [String] { names.compactMap { valuesByName[$0]?.first } }

  /// Returns the first value of each name that has one, with `decodedLine` applied.
  func texts(_ names: [String]) -> [String] { all(names).map(\.decodedLine) }

  /// Returns the names of the site in the metadata and the URLs of the page, with a name from
  /// another source, and with the text of the heading that is its logo.
  func siteNames(_ name: String?, logo: String?, url: String) -> SiteNames {
    let names = [name, publisher, logo].compactMap(\.self) + all(MetadataVocabulary.siteNameKeys)
    return SiteNames(
      names: names + all([MetadataVocabulary.siteAccountKey]),
      urls: [url, canonicalURL].compactMap(\.self) + all([MetadataVocabulary.urlKey]))
  }

  /// Returns the language of the page with the region of `og:locale` if the language has none, else
  /// with that of the host if pages in English are usual there.
  func languageWithRegion(_ language: String, url: String) -> String {
    guard !language.contains(where: { "-_".contains($0) }) else { return language }
    let prefix = language.lowercased()
    if let locale = first(["og:locale"]),
      language.isEmpty || locale.lowercased().hasPrefix(prefix + "_")
        || locale.lowercased().hasPrefix(prefix + "-")
    {
      return locale
    }
    let domain = SiteNames.host(of: url).split(separator: ".").last?.lowercased() ?? ""
    let isEnglish = language.isEmpty || prefix == "en"
    return isEnglish && MetadataVocabulary.englishDomains.contains(domain)
      ? "en-\(domain)" : language
  }

  /// Returns the first date among the values of the names, in order; nil if there is none.
  func firstDate(_ names: [String], order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    for name in names {
      for value in valuesByName[name] ?? [] {
        if let date = DateLine.parseDeclared(value, order: order) { return date }
      }
    }
    return nil
  }

  /// The author's account (`twitter:creator`), unless it equals the account of the site.
  var authorAccount: String? {
    guard let account = valuesByName[MetadataVocabulary.authorAccountKey]?.first, account.count > 1,
      account.lowercased() != valuesByName[MetadataVocabulary.siteAccountKey]?.first?.lowercased()
    else { return nil }
    return account
  }

  /// The author that the labels of a shared link name, as in "Written by"; nil if there is none.
  var labeledAuthor: String? {
    for keys in MetadataVocabulary.labelKeys {
      if let label = valuesByName[keys.label]?.first, let value = valuesByName[keys.value]?.first,
        KnownByline.isNameIntroduction(label)
      {
        return BylineText.names(in: value.decodedLine)
      }
    }
    return nil
  }

  /// Returns the values of the first name that has any that are not URLs, joined into one line; nil
  /// if there is none.
  func joinedNames(_ names: [String]) -> String? {
    for name in names {
      guard let values = valuesByName[name] else { continue }
      let texts = values.filter { !$0.isURL }.flatMap(\.decodedLine.listedNames)
      if let joined = BylineText.joined(texts) { return joined }
    }
    return nil
  }
}

extension DOMTree {
  /// Whether a heading shows the name of the site: its class or id indicates a logo, or it links to
  /// the home page.
  fileprivate func isLogo(_ heading: Int32) -> Bool {
    var node = heading
    for _ in 0..<3 where node > 0 {
      if node == heading || nodes[Int(node)].name != .header {
        let isNamed = [AttributeName.class, .id].contains {
          value($0, of: node, matches: MetadataVocabulary.logoNames)
        }
        if isNamed { return true }
      }
      if nodes[Int(node)].name == .a, linksToHomePage(node) { return true }
      node = nodes[Int(node)].parent ?? 0
    }
    var next = nodeAfter(heading, in: heading)
    for _ in 0..<4 {
      guard let below = next else { break }
      if nodes[Int(below)].name == .a { return linksToHomePage(below) }
      next = nodeAfter(below, in: heading)
    }
    return false
  }

  /// Returns whether one of the first links to the home page of this site has a text that equals
  /// the title of the page, which is the name of the site then.
  func namesHomePage(_ title: String, url: String) -> Bool {
    let key = PageTitle.comparisonKey(title)
    guard !key.isEmpty else { return false }
    let links = nodes.indices.lazy.filter { nodes[$0].name == .a && nodes[$0].parent != nil }
    return links.prefix(Self.maxHomeLinks).contains { index in
      let link = Int32(index)
      guard linksToHomePage(link), let target = string(.href, of: link)?.oneLine,
        !target.isURL || !url.isEmpty && url.hasPrefix(target)
      else { return false }
      return PageTitle.comparisonKey(collapsedText(below: link)) == key
    }
  }

  private static let maxHomeLinks = 100

  private func linksToHomePage(_ link: Int32) -> Bool {
    guard let target = string(.href, of: link)?.oneLine else { return false }
    if ["/", "./", "../", "index.html", "/index.html", "index.php"].contains(target) {
      return true
    }
    guard target.isURL, let colon = target.firstRange(of: "://") else { return false }
    let rest = target[colon.upperBound...]
    return rest.firstIndex(of: "/").map { rest.index(after: $0) == rest.endIndex } ?? true
  }

  /// Whether an element belongs to the microdata item of the publisher.
  fileprivate func isInPublisher(_ node: Int32) -> Bool {
    var ancestor = nodes[Int(node)].parent ?? 0
    for _ in 0..<3 where ancestor > 0 {
      if value(.itemprop, of: ancestor, contains: "publisher") { return true }
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return false
  }
}

extension String {
  /// The line with its character references decoded, because many pages escape those in metadata
  /// twice. References may stand for line feeds and control characters, which are removed again.
  fileprivate var decodedLine: String {
    utf8.contains(UInt8(ascii: "&")) ? withoutCharacterReferences.oneLine : self
  }

  /// The text without HTML tags, which some programs write into names; nil if nothing is left.
  var withoutTags: String? {
    guard contains("<"), contains(">") else { return self }
    let parts = split(separator: "<", omittingEmptySubsequences: false)
    let texts = parts.enumerated().map { index, part in
      index == 0 ? part : part.drop { $0 != ">" }.dropFirst()
    }
    let text = texts.joined(separator: "").oneLine
    return text.isEmpty ? nil : text
  }

  /// The names in a value of metadata, which may be HTML or an array in JSON.
  fileprivate var listedNames: [String] {
    guard let text = withoutTags else { return [] }
    guard text.hasPrefix("[\""), text.hasSuffix("\"]"), text.count > 4 else { return [text] }
    return text.dropFirst(2).dropLast(2).split(separator: /"\s*,\s*"/).map(String.init)
  }
}
