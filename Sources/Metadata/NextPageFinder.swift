package import DOM
package import Document
import Foundation

/// Finds the link to the next part of an article in several parts.
///
/// Prefers a URL that differs from the URL of the page only in its part number, which must be the
/// next one. Otherwise uses a link labelled "next page", or one labelled "next" if its URL is
/// related to the URL of the page. So the next article of a site is not mistaken for the next part
/// of this one.
package struct NextPageFinder {
  /// A URL split into its part number and the rest.
  fileprivate struct NumberedURL: Equatable {
    var urlWithoutNumber: String
    var number: Int
    /// Whether the URL contains the number; otherwise the URL is that of the first part.
    var urlContainsNumber = true

    /// Whether the URL identifies the part after another one.
    func follows(_ previous: NumberedURL) -> Bool {
      self
        == NumberedURL(
          urlWithoutNumber: previous.urlWithoutNumber, number: previous.number + 1)
    }

    /// Whether the URL identifies a part of the same text, but neither the given part nor the one
    /// after it.
    func skipsParts(after current: NumberedURL) -> Bool {
      urlWithoutNumber == current.urlWithoutNumber
        && !(current.number...current.number + 1).contains(number)
    }
  }

  private static let maxLinks = 2000

  /// Returns the URL reference of the part after the one at `url` as it is written in the page; nil
  /// if the page does not link to that part.
  package static func reference(in tree: DOMTree, url: String) -> String? {
    guard var search = Search(url) else { return nil }
    var named: String?
    for node in tree.descendants(of: 0) {
      guard !search.hasReachedLimit else { break }
      let name = tree.nodes[Int(node)].name
      if name == .a || name == .link, let range = tree.attribute(.href, of: node), !range.isEmpty {
        let hasNumber = tree.bytes[range].contains(where: \.isDigit)
        let meaning = named == nil ? tree.meaning(of: node) : nil
        if hasNumber || meaning != nil {
          let reference = SpecialText.collapsedLine(tree.bytes[range])
          if hasNumber, name == .a || meaning != nil,
            search.checkNext(reference, text: tree.collapsedText(below: node))
          {
            return reference
          }
          if let meaning, search.leadsToNextPage(reference, meaning) { named = reference }
        }
      }
    }
    return named
  }

  /// Examines the links of a page one by one, up to `maxLinks`.
  struct Search {
    private let pageURL: URL
    private let currentURL: NumberedURL
    /// The URL, read as the first part of a text that its number identifies, as in `/post/41`; nil
    /// if its path has no number.
    private let firstPartURL: NumberedURL?
    /// The decimal digits of the next part's number.
    private let nextNumberDigits: [UInt8]
    private var examinedCount = 0
    /// Whether the page is an index of parts rather than a part: its URL has no number, and it has
    /// a link with text to the first part.
    private var isPartIndex = false

    /// Creates a search for the page at the given URL; nil if the URL has no host.
    init?(_ url: String) {
      guard let base = URL(string: url), let own = numberedURL(of: base) else { return nil }
      (self.pageURL, self.currentURL) = (base, own)
      firstPartURL = numberedURL(of: base, readsPath: false).flatMap {
        own.urlContainsNumber && !$0.urlContainsNumber ? $0 : nil
      }
      nextNumberDigits = Array(String(own.number + 1).utf8)
    }

    /// The possible meanings of the URL of the page.
    private var ownURLs: [NumberedURL] { [currentURL, firstPartURL].compactMap(\.self) }

    var hasReachedLimit: Bool { examinedCount >= maxLinks }

    /// Whether a reference leads to the next part. The link text is checked too, because a page in
    /// a list of articles may also have the next number.
    mutating func checkNext(_ reference: String, text: @autoclosure () -> String) -> Bool {
      guard mayContainNextNumber(Array(reference.utf8)[...]) else { return false }
      examinedCount += 1
      guard let target = URL(string: reference, relativeTo: pageURL)?.absoluteURL,
        target.host == pageURL.host, let next = numberedURL(of: target)
      else { return false }
      if !currentURL.urlContainsNumber,
        next == NumberedURL(urlWithoutNumber: currentURL.urlWithoutNumber, number: 1)
      {
        // A link text without letters belongs to the pagination of the parts themselves.
        isPartIndex = isPartIndex || text().contains(where: \.isLetter)
        return false
      }
      guard !isPartIndex, ownURLs.contains(where: next.follows) else { return false }
      return NextPageFinder.hasNumberParameter(target)
        || NextPageLabels.canLabelPart(next.number, text())
    }

    /// Whether a reference labelled as the next page leads to one, on the same site. A link that is
    /// only labelled "next" must have a URL related to the URL of the page.
    func leadsToNextPage(_ reference: String, _ meaning: NextPageLabels.Meaning) -> Bool {
      guard !reference.hasPrefix("#"),
        let target = URL(string: reference, relativeTo: pageURL)?.absoluteURL,
        target.host == pageURL.host, target.scheme == pageURL.scheme
      else { return false }
      let (own, next) = (PageURLComponents(pageURL), PageURLComponents(target))
      guard own != next else { return false }
      if let part = numberedURL(of: target), ownURLs.contains(where: { part.skipsParts(after: $0) })
      {
        return false
      }
      return meaning == .nextPage || own.isBefore(next)
    }

    /// Whether a reference leads to a part of the page by its URL: it differs only in the query, or
    /// is below the page.
    func isBelowPage(_ reference: String) -> Bool {
      guard let target = URL(string: reference, relativeTo: pageURL)?.absoluteURL else {
        return false
      }
      return target.path == pageURL.path || target.path.hasPrefix(pageURL.path + "/")
    }

    /// Whether a reference labelled as the next page certainly leads to a part of the same text, as
    /// opposed to the next chapter.
    func leadsToNextPart(_ reference: String, _ meaning: NextPageLabels.Meaning) -> Bool {
      leadsToNextPage(reference, meaning) && (meaning == .nextPage || isBelowPage(reference))
    }

    /// Whether the reference contains the number of the next part (or 1 if the URL of the page has
    /// no number, or 2 if its number may identify the text), ignoring leading zeros, or a
    /// percent-escape, which may encode the number.
    private func mayContainNextNumber(_ reference: ArraySlice<UInt8>) -> Bool {
      var rest = reference
      while let first = rest.firstIndex(where: \.isDigit) {
        let digits = rest[first...].prefix(while: \.isDigit)
        let value = digits.drop(while: { $0 == 0x30 })
        if value.elementsEqual(nextNumberDigits)
          || firstPartURL != nil && value.elementsEqual("2".utf8)
          || !currentURL.urlContainsNumber && value.elementsEqual("1".utf8)
        {
          return true
        }
        rest = rest[digits.endIndex...]
      }
      return reference.contains(UInt8(ascii: "%"))
    }
  }

  private static func hasNumberParameter(_ url: URL) -> Bool {
    (url.query ?? "").split(separator: "&").contains {
      MetadataVocabulary.partNumberParameters.contains($0.prefix { $0 != "=" }.lowercased())
    }
  }

  /// Splits a URL: `/a/text?page=2`, `/a/text/2`, `/a/text-2.html` and `/a/text/page/2/` are the
  /// second part of `/a/text`. A URL without a number is the first part. Returns nil if the URL has
  /// no host. Numbers in the path count only if `readsPath` is true.
  private static func numberedURL(of url: URL, readsPath: Bool = true) -> NumberedURL? {
    guard let host = url.host else { return nil }
    var path = url.path
    while path.hasSuffix("/") { path.removeLast() }
    let end = path.removeExtension()
    var query = (url.query ?? "").split(separator: "&").map(String.init)
    for (index, pair) in query.enumerated() {
      let names = pair.split(separator: "=", maxSplits: 1)
      guard names.count == 2,
        MetadataVocabulary.partNumberParameters.contains(names[0].lowercased()),
        let number = partNumber(names[1])
      else { continue }
      query.remove(at: index)
      return NumberedURL(
        urlWithoutNumber: host + path + end + "?" + query.joined(separator: "&"), number: number)
    }
    let rest = "?" + query.joined(separator: "&")
    let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }.count
    let name = String(path.dropLast(digits))
    guard readsPath, digits > 0, let number = partNumber(path.suffix(digits)),
      let marker = name.last,
      "/-_,".contains(marker)
        || MetadataVocabulary.partNumberPrefixes.contains(where: name.hasSuffix)
    else {
      return NumberedURL(
        urlWithoutNumber: host + path + end + rest, number: 1, urlContainsNumber: false)
    }
    path = "/-_,".contains(marker) ? String(name.dropLast()) : name
    for word in MetadataVocabulary.partNumberPrefixes where path.hasSuffix(word) {
      path.removeLast(word.count)
      break
    }
    return NumberedURL(urlWithoutNumber: host + path + end + rest, number: number)
  }

  /// Parses a part number; returns nil unless it is in 1...200.
  private static func partNumber(_ text: Substring) -> Int? {
    Int(text).flatMap { (1...200).contains($0) ? $0 : nil }
  }
}

/// The components of a URL that distinguish one text from another, and one page of a text from the
/// next.
private struct PageURLComponents: Equatable {
  /// The lowercased path components, without the file extension of the last.
  private var path: [String]
  /// The query parameters that select the text.
  private var textParameters: Set<String> = []
  /// The query parameters that select the part.
  private var partParameters: Set<String> = []

  init(_ url: URL) {
    var name = url.path
    _ = name.removeExtension()
    path = name.lowercased().split(separator: "/").map(String.init)
    for pair in (url.query ?? "").split(separator: "&") {
      let name = pair.prefix { $0 != "=" }.lowercased()
      if MetadataVocabulary.partParameters.contains(name) {
        partParameters.insert(String(pair))
      } else {
        textParameters.insert(String(pair))
      }
    }
  }

  /// Returns whether the URL `next` belongs to the same text: it differs only in the parameters for
  /// parts, its path is one level below this path, its last component extends the last one of this
  /// path after a hyphen or underscore, or both last components are named as parts.
  func isBefore(_ next: PageURLComponents) -> Bool {
    guard textParameters == next.textParameters else { return false }
    if path == next.path { return partParameters != next.partParameters }
    guard let own = path.last, let other = next.path.last else { return false }
    if next.path.count == path.count + 1 { return next.path.starts(with: path) }
    guard path.dropLast() == next.path.dropLast() else { return false }
    return other.hasPrefix(own) && "-_".contains(other.dropFirst(own.count).prefix(1))
      || namesPart(own) && namesPart(other)
  }

  private func namesPart(_ name: String) -> Bool {
    let words = name.split { !$0.isLetter }
    return words.contains { MetadataVocabulary.partNames.contains(String($0)) }
  }
}

extension String {
  /// Removes the file extension of a path and returns it; returns an empty string for extensions of
  /// HTML files.
  fileprivate mutating func removeExtension() -> String {
    guard let dot = lastIndex(of: "."), self[dot...].count <= 6, !self[dot...].contains("/") else {
      return ""
    }
    defer { removeSubrange(dot...) }
    // The parts of a text may have different ones of these extensions, or none.
    let suffix = String(self[dot...])
    return [".html", ".htm", ".shtml", ".xhtml"].contains(suffix.lowercased()) ? "" : suffix
  }
}

extension DOMTree {
  /// Returns what a link indicates by its `rel` attribute or its text; nil if it does not indicate
  /// a next page.
  fileprivate func meaning(of link: Int32) -> NextPageLabels.Meaning? {
    let isNext = value(.rel, of: link, hasWordAmong: Self.nextRelations)
    var meaning: NextPageLabels.Meaning? = isNext ? .nextItem : nil
    if nodes[Int(link)].name == .a, hasShortText(link),
      let labelMeaning = NextPageLabels.meaning(of: collapsedText(below: link))
    {
      meaning = labelMeaning == .nextPage ? .nextPage : .nextItem
    }
    return meaning
  }

  private static let nextRelations: [StaticString] = ["next", "Next"]

  /// Whether the text below a node may be that of a link to the next page, judging by its first
  /// byte and its length.
  private func hasShortText(_ node: Int32) -> Bool {
    var length = 0
    for next in descendants(of: node) {
      guard length <= NextPageLabels.maxLength else { break }
      let own = nodes[Int(next)]
      if own.name == .characters, !isBlank(next) {
        let text = bytes[Int(own.start)..<Int(own.end)]
        if length == 0, let first = text.first(where: { !$0.isWhiteSpace }),
          !NextPageLabels.canBegin(with: first)
        {
          return false
        }
        length += text.count
      }
    }
    return length > 0 && length <= NextPageLabels.maxLength
  }

  /// Removes the links to the next page, together with the page numbers beside them. The next page
  /// is offered below the text instead.
  package mutating func removeLinks(to target: String) {
    var next = nodeAfter(0, in: 0)
    while let node = next {
      let following = nodeAfter(node, in: 0)
      guard nodes[Int(node)].name == .a, let range = attribute(.href, of: node),
        bytes[range].count >= target.utf8.count, SpecialText.collapsedLine(bytes[range]) == target
      else {
        next = following
        continue
      }
      guard let part = paginationElement(around: node) else {
        next = following
        continue
      }
      next = nodeAfterSubtree(part, in: 0)
      detach(part)
    }
  }

  /// Returns the outermost element around a link that contains only page links and a few other
  /// words; nil if the link is part of a sentence.
  private func paginationElement(around link: Int32) -> Int32? {
    var part = link
    var ancestor = nodes[Int(link)].parent ?? 0
    while ancestor > 0, isPagination(ancestor) {
      part = ancestor
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    let isAlone = [nodes[Int(part)].previousSibling, nodes[Int(part)].nextSibling].allSatisfy {
      $0.map { isBlank($0) || nodes[Int($0)].name != .characters } ?? true
    }
    return isAlone || nodes[Int(part)].name.isBlock ? part : nil
  }

  /// Whether the text below a node is short and consists mostly of links, as in pagination.
  private func isPagination(_ node: Int32) -> Bool {
    var (all, outside) = (0, 0)
    for next in descendants(of: node) {
      let own = nodes[Int(next)]
      if own.name == .characters, !isBlank(next) {
        let length = Int(own.end - own.start)
        all += length
        if !hasAncestor(.a, next) { outside += length }
        guard all <= Self.maxPaginationBytes, outside <= Self.maxUnlinkedPaginationBytes else {
          return false
        }
      } else if own.name == .img || own.name == .h1 || own.name == .h2 {
        return false
      }
    }
    return true
  }

  private static let maxPaginationBytes = 120
  private static let maxUnlinkedPaginationBytes = 24
}

extension Document {
  /// Returns the reference to the next part of the article as it is written in the page; nil if
  /// there is none.
  package func nextPartReference(of url: String) -> String? {
    guard var search = NextPageFinder.Search(url) else { return nil }
    if !nextURL.isEmpty, search.isBelowPage(nextURL), search.checkNext(nextURL, text: "") {
      return nextURL
    }
    var named = !nextURL.isEmpty && search.leadsToNextPart(nextURL, .nextItem) ? nextURL : nil
    var labels = linkLabels
    for (index, link) in links.enumerated() {
      if link.target.utf8.contains(where: { (0x30...0x39).contains($0) }),
        search.checkNext(link.target, text: text(ofLink: index))
      {
        return link.target
      }
      if search.hasReachedLimit { break }
      if named == nil, let meaning = labels.removeValue(forKey: Int32(index)),
        search.leadsToNextPart(link.target, meaning)
      {
        named = link.target
      }
    }
    return named
  }

  /// The meanings of the links whose text indicates a next page, by index; at most
  /// `NextPageLabels.maxExaminedLinks`.
  private var linkLabels: [Int32: NextPageLabels.Meaning] {
    let texts = linkTexts(maxLength: NextPageLabels.maxLength)
    var labels: [Int32: NextPageLabels.Meaning] = [:]
    for (link, text) in texts.sorted(by: { $0.key < $1.key })
    where links[Int(link)].kind == .anchor {
      guard let first = text.first(where: { !$0.isWhiteSpace }),
        NextPageLabels.canBegin(with: first),
        let meaning = NextPageLabels.meaning(of: String(decoding: text, as: UTF8.self))
      else { continue }
      labels[link] = meaning
      if labels.count == NextPageLabels.maxExaminedLinks { break }
    }
    return labels
  }

  private func text(ofLink index: Int) -> String {
    let bytes = runs.lazy.filter { $0.link == OptionalIndex(index) }
      .flatMap { text[Int($0.start)..<Int($0.end)] }
    return String(decoding: Array(bytes), as: UTF8.self)
  }
}
