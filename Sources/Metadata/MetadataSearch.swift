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
      date: article?.date.flatMap { $0.mayBeDate ? $0 : nil }
        ?? meta.date(MetadataVocabulary.dates)
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

  /// Whether the string may be a date: it has a year, and a month and a day in digits are valid. The
  /// name of a month may be in any language.
  var mayBeDate: Bool {
    guard utf8.count <= Self.maxDateLength, !utf8.contains(where: { "{}<>".utf8.contains($0) })
    else { return false }
    let numbers = utf8.split { !(0x30...0x39).contains($0) }
    // `20260305`, with a time or without one.
    if let first = numbers.first, [8, 12, 14].contains(first.count) {
      let digits = Array(first)
      return Self.isYear(digits[..<4]) && Self.isMonth(digits[4..<6]) && Self.isDay(digits[6..<8])
    }
    let numeric = numbers.prefix(3)
    let isJoined = zip(numeric, numeric.dropFirst()).allSatisfy { first, second in
      self[first.endIndex..<second.startIndex].utf8.elementsEqual("-".utf8)
        || ["/", "."].contains(self[first.endIndex..<second.startIndex])
    }
    guard let year = numbers.firstIndex(where: { Self.isYear($0) }) else {
      return isJoined && numeric.count == 3 && Self.areDayAndMonth(numeric[0], numeric[1])
        && numeric[2].count == 2
    }
    guard isJoined, numeric.count > 1 else { return true }
    if year == 0 {
      return numeric[1].count == 4
        || Self.isMonth(numeric[1]) && (numeric.count < 3 || Self.isDay(numeric[2]))
    }
    return year != 2 || Self.areDayAndMonth(numeric[0], numeric[1])
  }

  /// Maximum length of a date in bytes.
  private static let maxDateLength = 100

  private static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.prefix(9).reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  private static func isYear(_ digits: some Collection<UInt8>) -> Bool {
    digits.count == 4 && (1000...2999).contains(number(digits))
  }

  private static func isMonth(_ digits: some Collection<UInt8>) -> Bool {
    digits.count <= 2 && (1...12).contains(number(digits))
  }

  private static func isDay(_ digits: some Collection<UInt8>) -> Bool {
    digits.count <= 2 && (1...31).contains(number(digits))
  }

  /// Whether one number may be a day and the other a month.
  private static func areDayAndMonth(
    _ a: some Collection<UInt8>, _ b: some Collection<UInt8>
  ) -> Bool {
    isDay(a) && isDay(b) && (isMonth(a) || isMonth(b))
  }
}
