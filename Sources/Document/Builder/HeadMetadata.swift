import DOM
import Foundation

/// The metadata that the head of a page declares: title, URLs, feeds and refresh.
struct HeadMetadata {
  /// The title, or empty.
  private(set) var title = ""
  /// The URL against which references are resolved: the URL of the page, or of its `base` element.
  private var baseURL: String
  private var hasBase = false
  private var canonicalURL = ""
  private var nextURL = ""
  private var feeds: [Document.FeedReference] = []
  private var refreshDelay: Double?

  /// The references without a fragment that lead to the page: its URL and canonical URL, and their
  /// paths.
  private var referencesToPage: Set<[UInt8]> = []

  /// Creates the metadata of a page without a head.
  init(url: String = "") {
    baseURL = url
    addReferences(toPage: url)
  }

  /// Whether a reference without a fragment is the URL of the page or its path.
  func isReferenceToPage(_ reference: ArraySlice<UInt8>) -> Bool {
    referencesToPage.contains(Array(reference))
  }

  /// Adds the references that the canonical URL in the head of a page adds, for a document that
  /// consists of parts of the page.
  mutating func addReferences(toPage page: DOMTree) {
    for node in page.nodes.indices where page.nodes[node].name == .link {
      guard page.value(.rel, of: Int32(node), contains: "canonical"),
        let range = page.attribute(.href, of: Int32(node))
      else { continue }
      return addReferences(toPage: DocumentBuilder.cleanedTarget(page.bytes[range]))
    }
  }

  private mutating func addReferences(toPage url: String) {
    let url = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
    guard let host = url.firstRange(of: "://".utf8)?.upperBound else { return }
    referencesToPage.insert(url)
    let path = url[host...].drop { $0 != UInt8(ascii: "/") }
    if !path.isEmpty { referencesToPage.insert(Array(path)) }
  }

  /// Writes the metadata to a document.
  func write(to document: inout Document) {
    document.title = title
    document.baseURL = baseURL
    document.canonicalURL = canonicalURL
    document.nextURL = nextURL
    document.feeds = feeds
    document.refreshDelay = refreshDelay
  }

  var hasTitle: Bool { !title.isEmpty }

  /// Sets the title of the page; the first nonempty one is used.
  mutating func setTitle(_ text: String) {
    if title.isEmpty { title = text }
  }

  /// Records the delay of a refresh in seconds; the first one is used.
  mutating func recordRefresh(after delay: Double) {
    if refreshDelay == nil { refreshDelay = delay }
  }

  /// Sets the base URL for relative references; the first `base` element is used.
  mutating func setBaseURL(_ node: Int32, in tree: DOMTree) {
    guard !hasBase, let range = tree.attribute(.href, of: node) else { return }
    hasBase = true
    let reference = DocumentBuilder.cleanedTarget(tree.bytes[range])
    if baseURL.isEmpty {
      baseURL = reference
    } else if let url = URL(string: baseURL),
      let resolved = URL(string: reference, relativeTo: url)
    {
      baseURL = resolved.absoluteString
    }
  }

  /// Records the target of the first link that leads to the next document of a series (`rel=next`).
  mutating func recordNextDocument(_ node: Int32, in tree: DOMTree) {
    guard nextURL.isEmpty, tree.value(.rel, of: node, contains: "next"),
      let range = tree.attribute(.href, of: node)
    else { return }
    nextURL = DocumentBuilder.cleanedTarget(tree.bytes[range])
  }

  /// Records `<link rel=canonical>`, `<link rel=next>` and feeds: `<link rel=feed>`, or `<link
  /// rel=alternate>` with the type of a feed, or with a more general type and a title that names
  /// one.
  mutating func recordLink(_ node: Int32, in tree: DOMTree) {
    recordNextDocument(node, in: tree)
    if canonicalURL.isEmpty, tree.value(.rel, of: node, contains: "canonical"),
      let range = tree.attribute(.href, of: node)
    {
      canonicalURL = DocumentBuilder.cleanedTarget(tree.bytes[range])
      addReferences(toPage: canonicalURL)
    }
    let isFeed = tree.value(.rel, of: node, contains: "feed")
    guard feeds.count < 100,
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
    let target = DocumentBuilder.cleanedTarget(tree.bytes[range])
    guard !target.isEmpty, !feeds.contains(where: { $0.target == target }) else { return }
    feeds.append(
      Document.FeedReference(target: target, title: title, mediaType: mediaType))
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
