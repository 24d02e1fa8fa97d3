package import DOM

/// The elements of a page that say something about it.
package struct MetaElements {
  /// The text of the first `title`.
  private(set) var pageTitle = ""
  /// The address that the page says is its own.
  private var canonical: String?
  /// The first elements `h1` and `h2`.
  private var headingElements: [Int32] = []
  /// The first `time` that dates the page.
  private(set) var time: String?
  /// The name in the microdata of the publisher.
  private(set) var publisher: String?
  private var values: [String: [String]] = [:]
  /// The names among them that stood in a `property`.
  private var properties: Set<String> = []

  /// What may stand in a heading and is no part of a title.
  package static let noTitle: ElementSet = [.button, .time]

  private static let headingLimit = 200
  /// How many values one name can have.
  private static let valueLimit = 20

  private static let names: ElementSet = [.meta, .title, .link, .h1, .h2, .time]

  init(_ tree: DOMTree) {
    var hasTitle = false
    for index in tree.nodes.indices where Self.names.contains(tree.nodes[index].name) {
      let node = Int32(index)
      guard tree.nodes[index].parent >= 0, !tree.isBelow(.svg, node) else { continue }
      switch tree.nodes[index].name {
      case .meta: add(node, tree)
      case .link where canonical == nil && tree.value(.rel, of: node, contains: "canonical"):
        canonical = tree.string(.href, of: node)?.oneLine
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

  // MARK: Headings

  /// The headings.
  func headings(in tree: DOMTree) -> [PageTitle.Heading] {
    headingElements.map {
      PageTitle.Heading(
        level: tree.nodes[Int($0)].name.headingLevel,
        text: tree.line(below: $0, without: Self.noTitle),
        isLogo: tree.isLogo($0), isInMain: tree.isBelow(.article, $0) || tree.isBelow(.main, $0))
    }
  }

  /// The heading that says a title, else the first of the highest level; -1 when there is none.
  func heading(like title: String, _ headings: [PageTitle.Heading]) -> Int32 {
    let words = ComparableWords(title)
    let index =
      headings.firstIndex { words.similarity(to: ComparableWords($0.text)) > 0.75 }
      ?? headings.firstIndex { $0.level == 1 && !$0.isLogo }
    return index.map { headingElements[$0] } ?? -1
  }

  // MARK: Values

  /// Keeps the value of a `meta` under each of its names; a `property` stands before a `name`.
  private mutating func add(_ node: Int32, _ tree: DOMTree) {
    guard let content = tree.string(.content, of: node)?.oneLine, !content.isEmpty else { return }
    for attribute in [AttributeName.property, .name, .itemprop] {
      guard let names = tree.string(attribute, of: node)?.lowercased() else { continue }
      // Hardly any has several names.
      let isOne = names.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 }
      for name in isOne ? [names[...]] : names.split(whereSeparator: \.isWhitespace) {
        let key = Self.normalized(name)
        let isFirstProperty = attribute == .property && properties.insert(key).inserted
        if isFirstProperty {
          values[key] = [content]
        } else if values[key]?.count ?? 0 < Self.valueLimit {
          values[key, default: []].append(content)
        }
      }
      if attribute == .itemprop, publisher == nil, names == "name",
        tree.isInPublisher(node)
      {
        publisher = content
      }
    }
  }

  /// `dc.title`, `DC-title` and `dc:title` are one name.
  private static func normalized(_ name: Substring) -> String {
    let bytes = name.utf8
    guard let mark = bytes.firstIndex(where: isMark) else { return String(name) }
    let rest = String(name[bytes.index(after: mark)...])
    return switch String(name[..<mark]) {
    case "dcterms", "dcterm": "dcterm:" + rest
    case "dc": "dc:" + rest
    case "og": "og:" + rest
    case "twitter": "twitter:" + rest
    default: String(name)
    }
  }

  /// What stands between the parts of a name.
  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
  }

  /// The value of the first of some names that has one.
  func first(_ names: [String]) -> String? {
    for name in names {
      if let value = values[name]?.first { return value }
    }
    return nil
  }

  /// The first value of each of some names that has one.
  func all(_ names: [String]) -> [String] { names.compactMap { values[$0]?.first } }

  /// What the site is called.
  /// - Parameters:
  ///   - name: what else it is said to be called, or nil.
  ///   - url: the address from which the page came, or empty.
  /// - Returns: what the page and its addresses call it.
  func site(_ name: String?, url: String) -> SiteNames {
    let names = [name, publisher].compactMap(\.self) + all(MetadataVocabulary.sites)
    return SiteNames(
      names: names + all([MetadataVocabulary.siteAccount]),
      addresses: [url, canonical].compactMap(\.self) + all([MetadataVocabulary.address]))
  }

  /// The value of the first of some names that has one which may be a date.
  func date(_ names: [String]) -> String? {
    for name in names {
      if let value = values[name]?.first(where: \.mayBeDate) { return value }
    }
    return nil
  }

  /// The account of the author, unless it is that of the site.
  var account: String? {
    guard let account = values[MetadataVocabulary.account]?.first, account.count > 1,
      account.lowercased() != values[MetadataVocabulary.siteAccount]?.first?.lowercased()
    else { return nil }
    return account
  }

  /// All values of the first of some names that has one which is a name.
  func names(_ names: [String]) -> String? {
    for name in names {
      guard let values = values[name] else { continue }
      if let joined = BylineText.joined(values.filter { !$0.isAddress }) { return joined }
    }
    return nil
  }
}

extension DOMTree {
  /// Whether a heading says whose the site is: its name says so, or it is a link to the first page.
  fileprivate func isLogo(_ heading: Int32) -> Bool {
    var node = heading
    for _ in 0..<3 where node > 0 {
      if node == heading || nodes[Int(node)].name != .header {
        let isNamed = [AttributeName.class, .id].contains { name in
          attribute(name, of: node).map { value in
            bytes.withUnsafeBufferPointer { MetadataVocabulary.logos.match($0, in: value) != 0 }
          } ?? false
        }
        if isNamed { return true }
      }
      if nodes[Int(node)].name == .a, isFirstPage(node) { return true }
      node = nodes[Int(node)].parent
    }
    var below = next(heading, in: heading)
    for _ in 0..<4 where below >= 0 {
      if nodes[Int(below)].name == .a { return isFirstPage(below) }
      below = next(below, in: heading)
    }
    return false
  }

  /// Whether a link leads to the first page of a site.
  private func isFirstPage(_ link: Int32) -> Bool {
    guard let target = string(.href, of: link)?.oneLine else { return false }
    if ["/", "./", "../", "index.html", "/index.html", "index.php"].contains(target) {
      return true
    }
    guard target.isAddress, let colon = target.firstRange(of: "://") else { return false }
    let rest = target[colon.upperBound...]
    return rest.firstIndex(of: "/").map { rest.index(after: $0) == rest.endIndex } ?? true
  }

  /// Whether an element stands in the microdata of the publisher.
  fileprivate func isInPublisher(_ node: Int32) -> Bool {
    var above = nodes[Int(node)].parent
    for _ in 0..<3 where above > 0 {
      if value(.itemprop, of: above, contains: "publisher") { return true }
      above = nodes[Int(above)].parent
    }
    return false
  }
}
