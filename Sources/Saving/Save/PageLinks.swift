import Document
import DOM
import Feeds
import Formats
import Library
import Metadata
import OfflineCache
import Reader
import ReaderMode

/// What a page leads to.
struct PageLinks: Sendable {
  var title = ""
  /// The pages it links to, without fragments, each once.
  var pages: [String] = []
  /// The images it shows.
  var images: [String] = []
  /// Its canonical URL, absolute, or nil.
  var canonical: String?
  /// A digest of its title, text and images, valid in this process; nil when it has neither text nor images.
  var contentDigest: Int?
  /// What it takes to read it.
  var needs = PageNeeds()
  /// The page with the next part of the same text.
  var nextPart: String?
  /// What it is as a feed, when it was asked for as one; else the feeds that it names.
  var feed: Feed?
  var feeds: [FeedLink] = []

  /// Reads a page; nil when it is not to be read: a picture, or too long.
  /// - Parameters:
  ///   - content: the content of the answer.
  ///   - type: its media type.
  ///   - url: the address that gave it.
  ///   - limit: the most bytes that are read.
  ///   - refresh: the field `Refresh` of the answer.
  ///   - isFeed: whether it is read as a feed.
  init?(
    _ content: [UInt8], type: String?, url: String, limit: Int64, refresh: String? = nil,
    isFeed: Bool = false
  ) {
    guard Int64(content.count) <= limit,
      var page = try? PageContent(content, type: MediaType(type), limit: limit)
    else { return nil }
    page.refresh = refresh
    let key = CacheKey.make(url) ?? url
    if isFeed {
      feed = PageWatch.process(key) { Feed(page.bytes, charset: page.charset, url: url) } ?? nil
      if feed != nil { return }
    }
    guard let document = PageWatch.process(key, { page.document(url: url) }) else { return nil }
    if isFeed { feeds = document.feedLinks }
    if !document.canonical.isEmpty {
      canonical = WebURL.resolve(document.canonical, against: document.base)
    }
    title = document.title
    needs = PageNeeds(document, url: url)
    pages = document.linkedPages
    var seen: Set<String> = []
    images = document.images.indices.compactMap { document.url(ofImage: $0) }
      .filter { $0.isWebURL && seen.insert($0).inserted }
    if !document.text.isEmpty || !images.isEmpty {
      var hasher = Hasher()
      hasher.combine(title)
      document.text.withUnsafeBytes { hasher.combine(bytes: $0) }
      hasher.combine(images)
      contentDigest = hasher.finalize()
    }
    nextPart = document.nextPart(of: url).flatMap { WebURL.resolve($0, against: document.base) }
  }
}
