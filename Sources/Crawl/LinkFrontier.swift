package import OfflineCache

/// The pages that are to be fetched: those that were asked for and, by their links, those behind
/// them, each once.
///
/// Pages come out level by level, in the order of the links, whichever was fetched first: the links
/// of a page wait until those of all pages before it are known. So a page is reached by the shortest
/// way, and where limits cut is the same each time.
///
/// Of what is over nothing stays but a digest of each address, so that millions of pages need little memory.
package struct LinkFrontier: Sendable {
  /// A page to fetch.
  package struct Visit: Sendable, Equatable {
    /// Its place in the order.
    package let number: Int
    /// The absolute URL without fragment, and its text.
    package let address: WebURL
    package let url: String
    /// How many links lead to it.
    package let depth: Int
    /// The host of the page that was asked for.
    package let seedHost: String
    /// Which part of a text in several parts it is, from 1.
    package var part = 1
    /// Whether it was asked for, or is wanted as if it were; else it was found.
    package var isWanted = true
    /// Whether only a page of the public network has named it, so that it has to be of that network, too.
    package var isPublicOnly = false

    /// Whether a person has named this very page.
    package var isNamed: Bool { depth == 0 && part == 1 }
  }

  private let bounds: CrawlBounds
  private let mostEarly: Int
  private let key: @Sendable (String) -> String?
  private var visits = VisitQueue()
  /// The place of the next one that is handed out.
  private var nextOut = 0
  /// The place of the next one whose links are taken.
  private var nextTaken = 0
  /// The links of pages that are before their turn, and how many bytes they have.
  private var early: [Int: [String]] = [:]
  private var earlySize = 0
  /// Which of them are of the public network.
  private var publicPages: Set<Int> = []
  /// The keys of all addresses, and how many there are of each series.
  private var seen = SeenTexts()
  private var series: [Int: Int] = [:]
  /// How many pages were handed out and not dropped.
  private var counted = 0
  private var bytes: Int64 = 0
  /// How many links were not followed, and why; a link counts on each page.
  package private(set) var refusals: [CrawlBounds.Refusal: Int] = [:]

  /// A frontier without pages.
  /// - Parameters:
  ///   - bounds: how far links are followed.
  ///   - mostEarly: the bytes of links that may wait for a page before theirs.
  ///   - key: the key under which a URL is saved, by which pages are told apart; nil for what is no
  ///     URL.
  package init(
    _ bounds: CrawlBounds, mostEarly: Int = 16 << 20,
    key: @escaping @Sendable (String) -> String? = { CacheKey.make($0) }
  ) {
    self.bounds = bounds
    self.mostEarly = mostEarly
    self.key = key
  }

  /// Adds a page that is asked for; patterns and limits other than those of number and size are not
  /// for it.
  /// - Parameters:
  ///   - url: its absolute URL.
  ///   - isNamed: whether a person has named it; else it counts as a link of such a page.
  ///   - part: which part of a text in several parts it is.
  ///   - isPublicOnly: whether it has to be of the public network.
  /// - Returns: whether it is new, and a page of the web.
  @discardableResult
  package mutating func add(
    _ url: String, isNamed: Bool = true, part: Int = 1, isPublicOnly: Bool = false
  ) -> Bool {
    guard let parsed = WebURL(url), parsed.isWeb else { return false }
    return append(
      parsed.withoutFragment, depth: isNamed ? 0 : 1, seedHost: parsed.host ?? "", part: part,
      isWanted: true, isPublicOnly: isPublicOnly)
  }

  /// Notes that a URL comes as a part of another page: a link to it adds no page.
  package mutating func noteSeen(_ url: String) {
    if let key = linkKey(url) { seen.insert(key) }
  }

  /// A page that was handed out and is not finished; nil for any other one that is no more known.
  package func visit(_ number: Int) -> Visit? { visits[number] }

  /// The next page to fetch; nil when there is none, or none before another one is finished.
  package mutating func next() -> Visit? {
    guard nextOut < visits.count, !isFull else { return nil }
    defer {
      nextOut += 1
      counted += 1
    }
    return visits[nextOut]
  }

  /// Whether nothing comes out any more, whatever is finished.
  package var isDone: Bool {
    isFull ? nextTaken >= nextOut : nextTaken >= visits.count
  }

  /// How many pages there are as far as known: handed out, and still to come.
  package var count: Int { visits.count }

  /// Takes the links of a page.
  /// - Parameters:
  ///   - visit: the page, as it came out.
  ///   - links: the absolute URLs of its links, in the order of the page.
  ///   - size: its size in bytes, resources included.
  ///   - isPublic: whether it is of the public network, so that what it links to has to be, too.
  package mutating func finished(
    _ visit: Visit, links: [String], size: Int64 = 0, isPublic: Bool = false
  ) {
    bytes += max(0, size)
    guard visit.number >= nextTaken, early[visit.number] == nil else { return }
    if isPublic || visit.isPublicOnly { publicPages.insert(visit.number) }
    // What is known already need not wait.
    let mayFollow = visit.depth < bounds.depth
    let new = mayFollow ? links.filter { !isSeen($0) } : []
    early[visit.number] = new
    earlySize += Self.size(of: new)
    while let links = early.removeValue(forKey: nextTaken) {
      earlySize -= Self.size(of: links)
      if !links.isEmpty, let page = visits[nextTaken] { follow(links, from: page) }
      publicPages.remove(nextTaken)
      nextTaken += 1
    }
    visits.drop(before: nextTaken)
  }

  /// Whether so many links wait for a page before theirs that nothing more should be fetched until it is
  /// there.
  package var isCrowded: Bool { earlySize > mostEarly }

  private static func size(of links: [String]) -> Int {
    links.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
  }

  /// Notes that a page was not fetched (its site does not want it): it does not count.
  package mutating func dropped(_ visit: Visit) {
    counted -= 1
    finished(visit, links: [])
  }

  /// Notes that a page was not fetched for what its URL is: it does not count.
  package mutating func dropped(_ visit: Visit, because refusal: CrawlBounds.Refusal) {
    refusals[refusal, default: 0] += 1
    dropped(visit)
  }

  /// Whether the number or the size of the pages has reached its limit.
  package var isFull: Bool {
    counted >= bounds.mostPages ?? .max || bytes >= bounds.mostBytes ?? .max
  }

  /// Notes how many bytes have come in all, also of loads that are running.
  package mutating func noteReceived(_ count: Int64) { bytes = max(bytes, count) }

  /// Whether so many bytes reach the limit of size.
  package func isFull(of count: Int64) -> Bool { count >= bounds.mostBytes ?? .max }

  /// How many pages are known and will not be fetched, as the limits are reached.
  package var cutOff: Int { isFull ? visits.count - nextOut : 0 }

  /// The most links that wait: beyond that nobody fetches them all.
  private static let longestQueue = 200_000

  private mutating func follow(_ links: [String], from page: Visit) {
    for link in links {
      guard let url = WebURL(link)?.withoutFragment, url.isWeb, !isSeen(link) else { continue }
      if let refusal = refusal(of: url, from: page) {
        refusals[refusal, default: 0] += 1
      } else {
        append(
          url, depth: page.depth + 1, seedHost: page.seedHost, part: 1, isWanted: false,
          isPublicOnly: publicPages.contains(page.number))
      }
    }
  }

  private mutating func refusal(of url: WebURL, from page: Visit) -> CrawlBounds.Refusal? {
    if let refusal = bounds.refusal(of: url, host: page.seedHost) { return refusal }
    if visits.count - nextOut >= Self.longestQueue { return .limit }
    // The links of the pages that were asked for are finite.
    guard page.depth > 0, let pattern = URLSeries.pattern(of: url).map({ SeenTexts.digest($0) })
    else { return nil }
    guard series[pattern, default: 0] < bounds.mostOfSeries else { return .series }
    series[pattern, default: 0] += 1
    return nil
  }

  private func isSeen(_ url: String) -> Bool {
    linkKey(url).map { seen.contains($0) } ?? true
  }

  /// The key that identifies the target of a link; session ids are removed from it.
  private func linkKey(_ url: String) -> String? { key(SessionIdentifiers.removed(from: url)) }

  @discardableResult
  private mutating func append(
    _ url: WebURL, depth: Int, seedHost: String, part: Int, isWanted: Bool,
    isPublicOnly: Bool
  ) -> Bool {
    let address = url.withoutCredentials
    let text = address.description
    guard let key = key(text), let linkKey = linkKey(text) else { return false }
    // Of what was asked for nothing is left out.
    let isNew = seen.insert(linkKey)
    guard isWanted ? linkKey == key ? isNew : seen.insert(key) : isNew else { return false }
    visits.append(
      Visit(
        number: visits.count, address: address, url: text, depth: depth, seedHost: seedHost,
        part: part, isWanted: isWanted, isPublicOnly: isPublicOnly))
    return true
  }
}
