import Document
import DOM
import Exchange
import Feeds
import Formats
import Library
import Metadata
import OfflineCache
import Pages
import ReaderMode

/// The links, images, requirements and feeds of a page.
struct PageLinks: Sendable {
  var title = ""
  /// The linked pages, without fragments, each once.
  var pages: [String] = []
  /// The URLs of the images, each once.
  var images: [WebURL] = []
  /// The absolute canonical URL; nil if the page declares none.
  var canonical: WebURL?
  /// A digest of title, text and images, which is only valid in this process; nil if there is
  /// neither text nor an image.
  var contentDigest: Int?
  /// The requirements for reading the page.
  var pageNeeds = PageNeeds()
  /// The URL of the next part of a multi-part article; nil if there is none.
  var nextPart: WebURL?
  /// Whether the page is an article rather than a list of articles: most of its text is outside
  /// links, and hardly any heading is a link.
  var isArticle = false
  /// The URL of the next document in a series (`rel=next`), or nil.
  var next: WebURL?
  /// The kind of page that the site seems to show instead of the requested one, or nil.
  var standIn: StandInPage?
  /// Whether the page contains little more than a form with a password field.
  var isSignInForm = false
  /// The parsed feed if the page was requested as a feed and is one; otherwise nil.
  var feed: Feed?
  /// The feeds to which the page links, if it was requested as a feed and is not a feed.
  var feeds: [FeedLink] = []

  /// Parses a page; returns nil if it is too long or cannot be parsed, for example because it is an
  /// image.
  /// - Parameters:
  ///   - content: the content of the response.
  ///   - type: the media type of the response.
  ///   - url: the URL of the response.
  ///   - limit: the maximum number of bytes.
  ///   - refresh: the value of the response field `Refresh`.
  ///   - linkFields: the values of the response fields `Link`.
  ///   - isFeed: whether the page is parsed as a feed if it is one.
  init?(
    _ content: [UInt8], type: String?, url: WebURL, limit: Int64, refresh: String? = nil,
    linkFields: [String] = [], isFeed: Bool = false
  ) {
    guard Int64(content.count) <= limit,
      var page = try? PageContent(content, type: MediaType(type), limit: limit)
    else { return nil }
    page.refresh = refresh
    let (key, text) = (CacheKey.make(url), url.description)
    page.nextURL = LinkValue.nextURL(in: linkFields, of: url)
    if isFeed {
      feed = PageWatch.process(key) { Feed(page.bytes, charset: page.charset, url: text) } ?? nil
      if feed?.isCutOffBeforeItems(in: page.bytes) ?? false { feed = nil }
      if feed != nil { return }
    }
    guard let document = PageWatch.process(key, { page.document(url: text) }) else { return nil }
    if isFeed { feeds = Self.feeds(of: document, inLinkFields: linkFields, url: url) }
    if !document.canonicalURL.isEmpty {
      canonical = WebURL(document.canonicalURL, against: document.baseURL)
    }
    title = document.title
    pageNeeds = PageNeeds(document, url: url)
    pageNeeds.isEmpty = content.allSatisfy { $0 <= 0x20 }
    if isFeed, feeds.isEmpty, let target = pageNeeds.refresh {
      // A server that cannot send redirects responds with a page that refreshes to the new URL.
      feeds = [FeedLink(url: target.description, title: "")]
    }
    pages = document.linkedPageURLs
    var seen: Set<WebURL> = []
    images = document.images.indices.compactMap { document.webURL(ofImage: $0) }
      .filter { $0.isWeb && seen.insert($0).inserted }
    contentDigest = Self.contentDigest(of: document, images: images)
    isSignInForm = StandInPage.isSignInForm(document)
    standIn = StandInPage(document, content: page.bytes) ?? (page.isCutOff ? .beginning : nil)
    next =
      document.nextURL.isEmpty ? nil : WebURL(document.nextURL, against: document.baseURL)
    nextPart = document.nextPartReference(of: text).flatMap {
      WebURL($0, against: document.baseURL)
    }
    isArticle = nextPart != nil && Self.isArticle(document)
  }

  /// Returns whether a page is an article rather than a list of articles.
  private static func isArticle(_ document: Document) -> Bool {
    let linked = document.runs.reduce(0) { $0 + ($1.link != nil ? Int($1.end - $1.start) : 0) }
    guard document.text.count - linked >= max(minArticleLength, linked * 3) else { return false }
    let headings = document.blocks.count { block in
      guard case .heading = block.kind else { return false }
      return document.runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
        .contains { $0.link != nil }
    }
    return headings < minListHeadings
  }

  /// The minimum length in bytes of an article's text outside links.
  private static let minArticleLength = 400
  /// The minimum number of headings with links in a list of articles.
  private static let minListHeadings = 3

  /// Returns a digest of the title, text and images of a page; nil if it has no content.
  private static func contentDigest(of document: Document, images: [WebURL]) -> Int? {
    guard !document.text.isEmpty || !images.isEmpty else { return nil }
    var hasher = Hasher()
    hasher.combine(document.title)
    document.text.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(images)
    return hasher.finalize()
  }

  private static func feeds(
    of document: Document, inLinkFields fields: [String], url: WebURL
  ) -> [FeedLink] {
    let headerFeeds = feeds(inLinkFields: fields, of: url)
    let documentFeeds = document.feedLinks
    return document.feeds.isEmpty ? headerFeeds + documentFeeds : documentFeeds + headerFeeds
  }

  /// Returns the feeds that `Link` fields declare (RFC 8288).
  private static func feeds(inLinkFields fields: [String], of url: WebURL) -> [FeedLink] {
    let links = fields.flatMap { LinkValue.parseList($0) }.prefix(maxLinkValues)
    return links.compactMap { link -> FeedLink? in
      let relations = (link["rel"] ?? "").lowercased().split(separator: " ")
      let type = (link["type"] ?? "").prefix { $0 != ";" }.lowercased()
      guard
        relations.contains("feed") && type != "text/html"
          || relations.contains("alternate") && Document.isFeedType(type),
        let target = url.resolve(link.target), target.isWeb
      else { return nil }
      return FeedLink(url: target.description, title: (link["title"] ?? "").oneLine)
    }
  }

  /// The maximum number of links in `Link` fields that are examined.
  private static let maxLinkValues = 100
}
