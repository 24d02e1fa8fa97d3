import DOM
import Foundation

extension DocumentBuilder {
  /// Sets the title of the page; the first nonempty one is used.
  mutating func setTitle(_ node: Int32) {
    guard !hasTitle else { return }
    document.title = text(below: node)
    hasTitle = !document.title.isEmpty
  }

  /// Sets the base URL for relative references; the first `base` element is used.
  mutating func setBaseURL(_ node: Int32) {
    guard !hasBase, let range = tree.attribute(.href, of: node) else { return }
    hasBase = true
    let reference = Self.cleanedTarget(tree.bytes[range])
    if document.baseURL.isEmpty {
      document.baseURL = reference
    } else if let url = URL(string: document.baseURL),
      let resolved = URL(string: reference, relativeTo: url)
    {
      document.baseURL = resolved.absoluteString
    }
  }

  /// Records the target of the first link that leads to the next document of a series (`rel=next`).
  mutating func recordNextDocument(_ node: Int32) {
    guard document.nextURL.isEmpty, tree.value(.rel, of: node, contains: "next"),
      let range = tree.attribute(.href, of: node)
    else { return }
    document.nextURL = Self.cleanedTarget(tree.bytes[range])
  }

  /// Records `<link rel=canonical>`, `<link rel=next>` and feeds: `<link rel=feed>`, or `<link
  /// rel=alternate>` with the type of a feed, or with a more general type and a title that names
  /// one.
  mutating func recordHeadLink(_ node: Int32) {
    recordNextDocument(node)
    if document.canonicalURL.isEmpty, tree.value(.rel, of: node, contains: "canonical"),
      let range = tree.attribute(.href, of: node)
    {
      document.canonicalURL = Self.cleanedTarget(tree.bytes[range])
    }
    let isFeed = tree.value(.rel, of: node, contains: "feed")
    guard document.feeds.count < 100,
      isFeed || tree.value(.rel, of: node, contains: "alternate"),
      !tree.value(.rel, of: node, contains: "stylesheet"),
      let range = tree.attribute(.href, of: node)
    else { return }
    let type = tree.string(.type, of: node) ?? ""
    let mediaType = type.prefix { $0 != ";" }.lowercased().oneLine
    let title = tree.string(.title, of: node)?.oneLine ?? ""
    let mayBeFeed =
      isFeed && mediaType.isEmpty
      || Document.generalFeedTypes.contains(mediaType) && (isFeed || Document.mentionsFeed(title))
    guard mayBeFeed || Document.isFeedType(mediaType) else { return }
    let target = Self.cleanedTarget(tree.bytes[range])
    guard !target.isEmpty, !document.feeds.contains(where: { $0.target == target }) else { return }
    document.feeds.append(
      Document.FeedReference(target: target, title: title, mediaType: mediaType))
  }

  /// Records the delay of `<meta http-equiv=refresh content="5; url=next.html">` and adds a link to
  /// its URL. Without a URL, the page asks to be loaded again.
  mutating func addRefresh(_ node: Int32) {
    guard tree.value(.httpEquiv, of: node, contains: "refresh"),
      let range = tree.attribute(.content, of: node),
      let target = refreshTarget(range), !target.hasScriptScheme
    else { return }
    let number = tree.bytes[range].drop(while: \.isWhiteSpace).prefix {
      $0.isDigit || $0 == UInt8(ascii: ".")
    }
    guard !target.isEmpty || !number.isEmpty else { return }
    if document.refreshDelay == nil {
      document.refreshDelay = Double(String(decoding: number, as: UTF8.self)) ?? 0
    }
    guard !target.isEmpty else { return }
    closeLeaf()
    let outer = inherited.linkIndex
    inherited.linkIndex = addLink(target, title: "", kind: .refresh)
    addSeparatedText(target)
    closeLeaf()
    inherited.linkIndex = outer
  }

  /// Returns the URL in the value of a refresh (HTML standard §4.2.5.3); empty if it has no URL,
  /// nil if it is invalid.
  private func refreshTarget(_ range: Range<Int>) -> String? {
    let bytes = tree.bytes
    var index = range.lowerBound
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < range.upperBound, isSkipped(bytes[index]) { index += 1 }
    }
    skip(\.isWhiteSpace)
    skip { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard index < range.upperBound else { return "" }
    guard
      bytes[index] == UInt8(ascii: ";") || bytes[index] == UInt8(ascii: ",")
        || bytes[index].isWhiteSpace
    else { return nil }
    skip { $0.isWhiteSpace || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    let rest = bytes[index..<range.upperBound]
    if rest.count >= 3, rest.prefix(3).map({ $0 | 0x20 }).elementsEqual("url".utf8) {
      var after = index + 3
      while after < range.upperBound, bytes[after].isWhiteSpace { after += 1 }
      if after < range.upperBound, bytes[after] == UInt8(ascii: "=") {
        index = after + 1
        skip { $0.isWhiteSpace }
      }
    }
    var end = range.upperBound
    if index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
      let quote = bytes[index]
      index += 1
      end = bytes[index..<end].firstIndex(of: quote) ?? end
    }
    return Self.cleanedTarget(tree.bytes[index..<end])
  }
}

extension Document {
  /// Returns whether a lower-case media type without parameters is that of feeds. Plain XML and
  /// JSON are not, because web APIs use them too.
  package static func isFeedType(_ mediaType: String) -> Bool { feedTypes.contains(mediaType) }

  /// Returns whether a title or the text of a link contains a word for feeds.
  fileprivate static func mentionsFeed(_ title: String) -> Bool {
    title.lowercased().split { !$0.isLetter }.contains { feedWords.contains($0) }
  }

  private static let feedWords: Set<Substring> = ["rss", "atom", "feed", "feeds", "newsfeed"]

  /// Media types that feeds share with other content.
  fileprivate static let generalFeedTypes: Set<String> = [
    "text/xml", "application/xml", "application/json",
  ]

  private static let feedTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/x-rss+xml", "application/x-atom+xml", "text/rss", "text/rss+xml", "text/atom+xml",
    "application/rss", "application/atom",
  ]
}
