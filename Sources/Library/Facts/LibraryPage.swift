package import Foundation
import OfflineCache

/// A page of the library as described by all facts about it.
package struct LibraryPage: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  /// The time when the page was pinned, or added to the list that the page was imported from; nil
  /// if it is not pinned.
  package var pinnedDate: Date?
  /// The title when the page was pinned; empty if unknown.
  package var title = ""
  /// The tags, sorted.
  package var tags: [String] = []
  /// The time when the page was queued; nil if it is not queued.
  package var queuedDate: Date?
  /// The URL of the page that contains the queued link; empty if unknown.
  package var queuedFrom = ""
  /// The time when the page was read; nil if it is unread.
  package var readDate: Date?
  package var isArchived = false
  /// The note of the user; empty if there is none.
  package var note = ""
  /// The refresh interval in seconds; nil for the default.
  package var interval: TimeInterval?
  package var url: String
  /// The key of the canonical URL of the page; empty if it does not differ from `key`.
  package var canonical = ""
  /// Whether the page is a followed feed.
  package var isFeed = false
  /// The number of items to keep (0 for all); nil for the default.
  package var maxFeedItems: Int?
  /// The key of the feed of which the page is an item; empty if it is not an item.
  package var feed = ""
  /// Whether images of the page are missing and another request for them may succeed.
  package var lacksImages = false
  /// The titles of the unread items of the feed that lead to this page, the oldest first; empty if
  /// there was only one item.
  package var itemTitles: [String] = []
  /// The time before which the page must not be requested; nil if there is no such restriction.
  package var retryAfter: Date?
  /// The reason why the last request failed, if a retry is unlikely to help; otherwise empty.
  package var failure = ""
  /// The time when `failure` was recorded; nil if it is empty.
  package var failedSince: Date?
  /// The extent to which links were followed when the page was pinned, in the format of
  /// `CrawlScope`; empty if none was recorded.
  package var crawlScope = ""
  /// Whether the saved copy may have come from a captive portal.
  package var isUnconfirmed = false
  /// The days on which responses were rejected since the last trusted one.
  package var refusals = Refusals()
  /// The time when the removal of the page was requested; nil if no removal is pending.
  package var removed: Date?
  /// The highlights, ordered by position.
  package var highlights: [Highlight] = []
  /// Whether the style sheets, scripts and fonts of the page are saved with it.
  package var isComplete = false
  /// The time when another program passed the URL of the page to offread; nil if none did.
  package var fromProgram: Date?
  /// Whether the user did not type the scheme of the URL, so that either of http and https may be
  /// tried when the page is fetched.
  package var isSchemeAssumed = false
  /// The cache keys of the frames and of the target of an automatic redirect without which the page
  /// cannot be read.
  package var frames: [String] = []
  /// Whether the page is pinned only because it is a start page of a collection.
  package var isPinnedAsStart = false
  /// The cache key of the page whose text this page continues, if the page is pinned only for that
  /// reason; otherwise empty.
  package var continuedPage = ""
  /// The additions to collections, and the removals from them.
  package var membership = CollectionMembership()

  /// Whether the page is saved for reading and neither read nor archived.
  package var isUnread: Bool {
    (pinnedDate != nil || !feed.isEmpty || !membership.collections.isEmpty) && !isFeed
      && readDate == nil
      && !isArchived
  }

  /// Creates a page without any facts.
  package init(key: String) {
    self.key = key
    url = key
  }

  /// Copies of this page, one for each unread feed item that leads to it, with the title of the
  /// item. If there are no such items, the only element is the page itself.
  package var unreadItems: [LibraryPage] {
    guard isUnread, !feed.isEmpty, !itemTitles.isEmpty else { return [self] }
    return itemTitles.map { title in
      var page = self
      page.itemTitles = []
      if !title.isEmpty { page.title = title }
      return page
    }
  }

  /// Returns the URL under which a page is listed and requested. Tracking parameters are removed if
  /// the key of the page has none either.
  /// - Parameters:
  ///   - url: The URL as the user entered it or a link contains it.
  ///   - key: The cache key of the page.
  /// - Returns: The URL.
  package static func address(_ url: String, of key: String) -> String {
    guard let named = WebURL(url), let known = WebURL(key), known.withoutTracking == known else {
      return url
    }
    let untrackedURL = named.withoutTracking
    return untrackedURL == named ? url : untrackedURL.description
  }

  /// The maximum accepted refresh interval, in seconds: a thousand years. The limit guards against
  /// invalid values in journals of other devices.
  private static let maxInterval: TimeInterval = 31_557_600_000
  /// The latest accepted time, in seconds since 1970: the end of the year 9999.
  private static let maxTime: TimeInterval = 253_402_300_799

  /// Applies a fact. At most one fact about each attribute may be applied.
  mutating func apply(_ attribute: LibraryAttribute, _ value: String, at milliseconds: Int64) {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    switch attribute {
    case .pinned:
      pinnedDate = PinnedDate.date(value, recorded: date)
      isPinnedAsStart = value == PageCollection.startMarker
      continuedPage = PinnedDate.continuedPage(value) ?? ""
    case .title: title = value
    case .queued: (queuedDate, queuedFrom) = (date, value)
    case .read: readDate = date
    case .archived: isArchived = true
    case .note: note = value
    case .interval:
      interval = TimeInterval(value).flatMap { $0 > 0 && $0 <= Self.maxInterval ? $0 : nil }
    case .feed: (isFeed, maxFeedItems) = (true, Int(value).map { max(0, $0) })
    case .item: feed = value
    case .removed: removed = date
    case .address: url = Self.address(value, of: key)
    case .canonical: canonical = value
    case .missingImages: lacksImages = true
    case .itemTitles:
      itemTitles = value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .frames: frames = value.split(separator: "\n").map(String.init)
    case .local, .feedItem, .collection, .order, .readCall: break
    case .member(let id, let device): membership.add(value, to: id, by: device)
    case .formerMember(let id, let device): membership.remove(value, from: id, by: device)
    case .highlight(let name):
      guard let highlight = Highlight(id: name, value: value) else { return }
      highlights.append(highlight)
      highlights.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    case .complete: isComplete = true
    case .fromProgram: fromProgram = date
    case .notBefore:
      retryAfter = TimeInterval(value).flatMap {
        abs($0) <= Self.maxTime ? Date(timeIntervalSince1970: $0) : nil
      }
    case .failed: (failure, failedSince) = (value, date)
    case .crawlScope: crawlScope = value
    case .schemeAssumed: isSchemeAssumed = true
    case .unconfirmed: isUnconfirmed = true
    case .rejections: refusals = Refusals(text: value)
    case .tag(let tag):
      let position = tags.firstIndex { $0 >= tag } ?? tags.endIndex
      if position == tags.endIndex || tags[position] != tag { tags.insert(tag, at: position) }
    }
  }
}
