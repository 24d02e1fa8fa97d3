package import OfflineCache

/// The pages to fetch in a crawl: the start pages, and the pages that are reached from them by
/// links, each once.
///
/// Pages are returned level by level, in the order of the links, regardless of the order in which
/// they are fetched: the links of a page wait until the links of all earlier pages are known.
/// Therefore, each page is reached by a shortest path, and limits exclude the same pages each time.
///
/// Only a digest of the URL is stored for processed pages, so millions of pages need little memory.
package struct LinkFrontier: Sendable {
  /// A page to fetch.
  package struct Entry: Sendable, Equatable {
    /// The position of the page in the order in which pages are returned.
    package let number: Int
    /// The absolute URL without its fragment, parsed.
    package let parsedURL: WebURL
    /// The absolute URL without its fragment, as text.
    package let url: String
    /// The number of links from the start page.
    package let depth: Int
    /// The host of the start page.
    package let seedHost: String
    /// The number of this page among the pages of a text that is split over several, from 1.
    package var partNumber = 1
    /// Whether the page was requested explicitly, not found by a link.
    package var isRequested = true
    /// Whether only pages of the public network link to this page, so that its host must not have a
    /// private address.
    package var isPublicOnly = false

    /// Whether the user requested this page by its URL, so that it is neither the target of a link
    /// nor a further part of a text.
    package var isNamed: Bool { depth == 0 && partNumber == 1 }
  }

  private let bounds: CrawlBounds
  private let isSignedIn: @Sendable (WebURL) -> Bool
  private let maxDeferredSize: Int
  private let key: @Sendable (String) -> String?
  private var entries = CrawlQueue()
  /// The number of the next page to return.
  private var nextNumber = 0
  /// The number of the next page whose links are processed.
  private var nextProcessed = 0
  /// The links of finished pages that wait for earlier pages to be finished, by page number.
  /// `deferredSize` is the size of these links in bytes.
  private var deferredLinks: [Int: [String]] = [:]
  private var deferredSize = 0
  /// The URLs of the next parts of texts that belong to pages in `deferredLinks`, by page number.
  private var deferredParts: [Int: WebURL] = [:]
  /// The numbers of the pages in `deferredLinks` that are in the public network.
  private var publicOnlyPages: Set<Int> = []
  /// The hosts to which start pages in `deferredLinks` redirect, by page number.
  private var deferredHosts: [Int: String] = [:]
  /// The hosts to which start pages redirect, by the host of the start page. Links to a host that a
  /// start page redirects to count as links to the host of that start page.
  private var redirectHosts: [String: Set<String>] = [:]
  /// The cache keys of all known URLs, without session ids; for requested pages, also the unchanged
  /// keys.
  private var seen = SeenTexts()
  /// The number of pages in each series, by the digest of its pattern.
  private var series: [Int: Int] = [:]
  /// The number of pages that were returned, except those that were dropped.
  private var countedPages = 0
  /// The total size of the fetched pages in bytes, or the number of received bytes if that is
  /// larger.
  private var bytes: Int64 = 0
  /// The number of links that were not followed, by reason. A link that occurs on several pages
  /// counts once for each.
  package private(set) var refusals: [CrawlBounds.Refusal: Int] = [:]

  /// Creates a frontier without pages.
  /// - Parameters:
  ///   - bounds: the limits for following links.
  ///   - maxDeferredSize: the maximum size in bytes of links that wait for earlier pages.
  ///   - isSignedIn: returns whether requests to a URL carry cookies or passwords of the user; only
  ///     called if `bounds.isSignedIn` is true.
  ///   - key: returns the cache key of a URL, which identifies the page; nil if it is not a valid
  ///     URL.
  package init(
    _ bounds: CrawlBounds, maxDeferredSize: Int = 16 << 20,
    isSignedIn: @escaping @Sendable (WebURL) -> Bool = { _ in true },
    key: @escaping @Sendable (String) -> String? = { CacheKey.make($0) }
  ) {
    self.bounds = bounds
    self.maxDeferredSize = maxDeferredSize
    self.isSignedIn = isSignedIn
    self.key = key
  }

  /// Adds a requested page. Of the limits, only those on the number and size of pages apply to it.
  /// - Parameters:
  ///   - url: the absolute URL.
  ///   - isNamed: whether the user named the page; otherwise, it counts as the target of a link on
  ///     a start page.
  ///   - partNumber: the number of this part of a text in several parts, from 1.
  ///   - isPublicOnly: whether the host of the page must be in the public network.
  /// - Returns: whether the page is new and has an http(s) URL.
  @discardableResult
  package mutating func add(
    _ url: String, isNamed: Bool = true, partNumber: Int = 1, isPublicOnly: Bool = false
  ) -> Bool {
    guard let url = WebURL(url) else { return false }
    return add(url, isNamed: isNamed, partNumber: partNumber, isPublicOnly: isPublicOnly)
  }

  /// Adds a requested page like the function above.
  @discardableResult
  package mutating func add(
    _ url: WebURL, isNamed: Bool = true, partNumber: Int = 1, isPublicOnly: Bool = false
  ) -> Bool {
    url.isWeb
      && append(
        url.withoutFragment, depth: isNamed ? 0 : 1, seedHost: url.host ?? "",
        partNumber: partNumber, isRequested: true, isPublicOnly: isPublicOnly)
  }

  /// Marks a URL as seen, because it is fetched as part of another page. Links to this URL do not
  /// add a page.
  package mutating func recordSeen(_ url: String) {
    if let key = linkKey(url) { seen.insert(key) }
  }

  /// Returns an unfinished page that `next` has returned; nil if the page is no longer stored.
  package func entry(_ number: Int) -> Entry? { entries[number] }

  /// Returns the next page to fetch; nil if there is none, or if an unfinished page must be
  /// finished first.
  package mutating func next() -> Entry? {
    guard nextNumber < entries.count, !isFull else { return nil }
    defer {
      nextNumber += 1
      countedPages += 1
    }
    return entries[nextNumber]
  }

  /// Whether no more pages will be returned, even after running pages are finished.
  package var isDone: Bool {
    isFull ? nextProcessed >= nextNumber : nextProcessed >= entries.count
  }

  /// The number of pages that are known, fetched or not.
  package var count: Int { entries.count }

  /// Records that a page was fetched, and adds its links.
  /// - Parameters:
  ///   - entry: the page, as returned by `next`.
  ///   - links: the absolute URLs of the links of the page, in their order.
  ///   - nextPart: the URL of the next part of the text, which gets the same depth as the page
  ///     and is subject to the limits for links, or nil.
  ///   - size: the size of the page in bytes, including resources.
  ///   - isPublic: whether the page is in the public network, so that the pages to which it links
  ///     must be in it as well.
  ///   - finalHost: the host of the response after redirects; nil if there is no response.
  package mutating func recordFinished(
    _ entry: Entry, links: [String], nextPart: WebURL? = nil, size: Int64 = 0,
    isPublic: Bool = false, finalHost: String? = nil
  ) {
    bytes += max(0, size)
    guard entry.number >= nextProcessed, deferredLinks[entry.number] == nil else { return }
    if bounds.staysOnHost, entry.isNamed, let finalHost, finalHost != entry.seedHost {
      deferredHosts[entry.number] = finalHost
    }
    if isPublic || entry.isPublicOnly { publicOnlyPages.insert(entry.number) }
    // Links that are already known need not wait.
    let mayFollow = entry.depth < bounds.depth
    let new = mayFollow ? links.filter { !isSeen($0) } : []
    deferredLinks[entry.number] = new
    deferredParts[entry.number] = nextPart
    deferredSize += Self.size(of: new)
    while let links = deferredLinks.removeValue(forKey: nextProcessed) {
      deferredSize -= Self.size(of: links)
      let part = deferredParts.removeValue(forKey: nextProcessed)
      if let host = deferredHosts.removeValue(forKey: nextProcessed),
        let start = entries[nextProcessed]
      {
        redirectHosts[start.seedHost, default: []].insert(host)
      }
      if part != nil || !links.isEmpty, let page = entries[nextProcessed] {
        if let part { follow([part.description], from: page, isPart: true) }
        follow(links, from: page)
      }
      publicOnlyPages.remove(nextProcessed)
      nextProcessed += 1
    }
    entries.drop(before: nextProcessed)
  }

  /// Whether the links that wait for earlier pages exceed the maximum size, so that the caller
  /// should finish the earlier pages before it fetches further ones.
  package var isCrowded: Bool { deferredSize > maxDeferredSize }

  private static func size(of links: [String]) -> Int {
    links.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
  }

  /// Records that a page was not fetched because its site does not allow it. The page does not
  /// count towards the limits.
  package mutating func recordDropped(_ entry: Entry) {
    countedPages -= 1
    recordFinished(entry, links: [])
  }

  /// Records that a page was not fetched because of its URL. The page does not count towards the
  /// limits.
  package mutating func recordDropped(_ entry: Entry, reason refusal: CrawlBounds.Refusal) {
    refusals[refusal, default: 0] += 1
    recordDropped(entry)
  }

  /// Whether the maximum number or size of pages is reached.
  package var isFull: Bool {
    countedPages >= bounds.maxPages ?? .max || bytes >= bounds.maxBytes ?? .max
  }

  /// Records the total number of bytes received, including those of running loads.
  package mutating func recordReceived(_ count: Int64) { bytes = max(bytes, count) }

  /// Returns whether a number of bytes reaches the maximum size.
  package func isFull(afterBytes count: Int64) -> Bool { count >= bounds.maxBytes ?? .max }

  /// The number of known pages that will not be fetched, because a limit is reached.
  package var cutOff: Int { isFull ? entries.count - nextNumber : 0 }

  /// The maximum number of pages in the queue.
  private static let maxQueueLength = 200_000

  private mutating func follow(_ links: [String], from page: Entry, isPart: Bool = false) {
    for link in links {
      guard let url = WebURL(link)?.withoutFragment, url.isWeb, !isSeen(link) else { continue }
      if let refusal = refusal(of: url, from: page) {
        refusals[refusal, default: 0] += 1
      } else {
        append(
          url, depth: isPart ? page.depth : page.depth + 1, seedHost: page.seedHost,
          partNumber: isPart ? page.partNumber + 1 : 1, isRequested: false,
          isPublicOnly: publicOnlyPages.contains(page.number))
      }
    }
  }

  private mutating func refusal(of url: WebURL, from page: Entry) -> CrawlBounds.Refusal? {
    let hosts = [page.seedHost] + (redirectHosts[page.seedHost] ?? [])
    if let refusal = bounds.refusal(of: url, hosts: hosts, isSignedIn: isSignedIn) {
      return refusal
    }
    if entries.count - nextNumber >= Self.maxQueueLength { return .limit }
    // The links of start pages are finite.
    guard page.depth > 0, let pattern = URLSeries.pattern(of: url).map({ SeenTexts.digest($0) })
    else { return nil }
    guard series[pattern, default: 0] < bounds.maxPagesOfSeries else { return .series }
    series[pattern, default: 0] += 1
    return nil
  }

  private func isSeen(_ url: String) -> Bool {
    linkKey(url).map { seen.contains($0) } ?? true
  }

  /// Returns the key that identifies the target of a link, without session ids.
  private func linkKey(_ url: String) -> String? { key(SessionIdentifiers.removed(from: url)) }

  @discardableResult
  private mutating func append(
    _ url: WebURL, depth: Int, seedHost: String, partNumber: Int, isRequested: Bool,
    isPublicOnly: Bool
  ) -> Bool {
    let url = url.withoutCredentials
    let text = url.description
    guard let key = key(text), let linkKey = linkKey(text) else { return false }
    // A requested page is omitted only if it was already added under the same cache key.
    let isNew = seen.insert(linkKey)
    guard isRequested ? linkKey == key ? isNew : seen.insert(key) : isNew else { return false }
    entries.append(
      Entry(
        number: entries.count, parsedURL: url, url: text, depth: depth, seedHost: seedHost,
        partNumber: partNumber, isRequested: isRequested, isPublicOnly: isPublicOnly))
    return true
  }
}
