import Configuration
package import Profiles
import Library
package import Foundation
package import OfflineCache

/// The plan of a sync: the pages, feeds and collections to fetch.
package struct SyncPlan: Sendable, Equatable {
  /// The URLs of queued pages, in the order of the queue.
  package var queuedPageURLs: [String] = []
  /// The URLs of pinned pages that are due, longest overdue first.
  package var dueURLs: [String] = []
  /// The cache keys of queued pages that have been loaded since and are to be removed from the
  /// queue.
  package var arrivedKeys: [String] = []
  /// The feeds that are due, in the order in which they were followed.
  package var feeds: [FeedRequest] = []
  /// The collections that are due.
  package var collections: [CollectionPlan] = []
  /// The pages that may be loaded only from the public network: those that other programs have
  /// added, and those of collections to which a page of a public site links.
  package var publicOnlyPages: Set<String> = []
  /// The queued pages whose scheme the user did not type.
  package var assumedPages: Set<String> = []
  /// The URLs of queued feed items, which are not in `queuedPageURLs`.
  package var queuedItemURLs: [String] = []
  /// The number of queued pages that are deferred because their servers are busy.
  package var deferredCount = 0
  /// The time at which the first page of a busy server is requested again; nil if there is none.
  package var retryAfter: Date?
  /// The number of queued pages that are gone and not yet due for another request.
  package var goneCount = 0
  /// The number of pinned pages, feeds and collections that are not due yet.
  package var notDueCount = 0

  /// The URLs of queued pages that this plan does not request.
  private var unrequestedURLs: Set<String> = []
  /// The maximum number of items of a feed, or 0 for all.
  private var feedItems: Int

  /// Whether there is nothing to fetch.
  package var isEmpty: Bool {
    queuedPageURLs.isEmpty && dueURLs.isEmpty && feeds.isEmpty && queuedItemURLs.isEmpty
      && collections.isEmpty
  }

  /// The maximum factor by which the interval of an unchanged page is extended.
  static let maxBackoff = 16.0
  /// The time until the next request of an unchanged page, as a fraction of the time for which it
  /// has been unchanged.
  static let backoffShare = 0.25

  /// Returns the time at which a page is to be refreshed.
  ///
  /// A page that has been unchanged for a long time is requested less often: after a quarter of
  /// that time, but at most after 16 intervals.
  /// - Parameters:
  ///   - interval: the refresh interval in seconds, which is the minimum.
  ///   - content: the date of the page's content.
  ///   - checked: the time of the last request.
  /// - Returns: the time of the next refresh.
  package static func nextRefresh(
    interval: TimeInterval, content: Date, checked: Date
  ) -> Date {
    let unchanged = max(0, checked.timeIntervalSince(content)) * backoffShare
    return checked.addingTimeInterval(max(interval, min(unchanged, interval * maxBackoff)))
  }

  /// Creates the plan for pinned and queued pages, and feeds.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - now: the current time.
  ///   - chosen: the cache keys of the pages to fetch, whether due or not; nil for all pages that
  ///     are due.
  /// - Throws: `ArchiveError.unreadable`.
  package init(
    of profile: Profile, now: Date, only chosen: Set<String>? = nil
  ) throws(ArchiveError) {
    try self.init(queueOf: profile, now: now, only: chosen)
    let settings = profile.settings
    let startKeys = try planCollections(of: profile, now, chosen)
    let waitingURLs = Set(queuedPageURLs + queuedItemURLs).union(unrequestedURLs)
    var duePages: [(url: String, at: Date)] = []
    for key in try profile.library.keys(with: .pinned) where chosen?.contains(key) ?? true {
      // A book is a file of the user and has no newer version. The text of an item without a page
      // is refreshed with its feed.
      guard BookAddress(key) == nil, FeedItemAddress(key) == nil, !startKeys.contains(key) else {
        continue
      }
      let page = try profile.library.page(key)
      guard !page.isFeed, page.removed == nil, !waitingURLs.contains(page.url) else { continue }
      let dueDate = try Self.dueDate(page, settings, in: profile.cache.archive, now, chosen)
      if dueDate <= now { duePages.append((page.url, dueDate)) } else { notDueCount += 1 }
      if page.fromProgram != nil { publicOnlyPages.insert(page.url) }
    }
    dueURLs = duePages.sorted { ($0.at, $0.url) < ($1.at, $1.url) }.map(\.url)
    for page in try profile.library.pages(with: .feed)
    where chosen?.contains(page.key) ?? true {
      let dueDate = try Self.dueDate(page, settings, in: profile.cache.archive, now, chosen)
      if dueDate <= now {
        feeds.append(FeedRequest(page.url, maxItems: page.maxFeedItems))
      } else {
        notDueCount += 1
      }
    }
  }

  /// Plans the refresh of each collection whose pages are pinned and whose start page is due.
  /// - Returns: the keys of the start pages of all pinned collections, whether due or not.
  private mutating func planCollections(
    of profile: Profile, _ now: Date, _ chosen: Set<String>?
  ) throws(ArchiveError) -> Set<String> {
    var starts: Set<String> = []
    for collection in try profile.library.collections() where collection.record.isPinned {
      let pages = try profile.library.pages(collection.startKeys(in: profile.cache))
        .filter { !$0.isFeed && $0.removed == nil }
      guard !pages.isEmpty else { continue }
      starts.formUnion(pages.map(\.key))
      guard chosen.map({ chosen in pages.contains { chosen.contains($0.key) } }) ?? true else {
        continue
      }
      var tagged = pages[0]
      tagged.tags += collection.tags
      let at = try Self.dueDate(tagged, profile.settings, in: profile.cache.archive, now, chosen)
      guard at <= now, !pages.contains(where: { unrequestedURLs.contains($0.url) }) else {
        notDueCount += 1
        continue
      }
      let urls = Set(pages.map(\.url))
      queuedPageURLs.removeAll { urls.contains($0) }
      collections.append(CollectionPlan(collection, start: pages))
    }
    return starts
  }

  /// Creates the plan for queued pages only.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - now: the current time.
  ///   - chosen: the cache keys of the pages to fetch; nil for all queued pages.
  ///   - isInBackground: whether the pages are fetched in the background of an interactive session.
  ///     If so, unconfirmed pages are left to a later sync, because a response moments later would
  ///     come from the same network.
  /// - Throws: `ArchiveError.unreadable`.
  init(
    queueOf profile: Profile, now: Date, only chosen: Set<String>? = nil,
    isInBackground: Bool = false
  ) throws(ArchiveError) {
    feedItems = profile.settings.sync.feedItems
    for page in try profile.library.pages(with: .queued)
    where chosen?.contains(page.key) ?? true {
      if try Self.hasArrived(page, in: profile.cache) {
        arrivedKeys.append(page.key)
      } else if chosen == nil,
        let date = page.nextRequestWhenGone(
          interval: profile.settings.interval(of: page), now: now), date > now
      {
        goneCount += 1
        unrequestedURLs.insert(page.url)
      } else if let date = page.endOfPause(now: now), date > now, chosen == nil,
        page.goneSince == nil
      {
        deferredCount += 1
        retryAfter = min(date, retryAfter ?? date)
        unrequestedURLs.insert(page.url)
      } else if page.isUnconfirmed, isInBackground {
        unrequestedURLs.insert(page.url)
      } else if page.feed.isEmpty {
        queuedPageURLs.append(page.url)
        if page.isSchemeAssumed { assumedPages.insert(page.url) }
        if page.fromProgram != nil || Self.isLinked(page, in: profile.cache) {
          publicOnlyPages.insert(page.url)
        }
      } else {
        queuedItemURLs.append(page.url)
      }
    }
  }

  /// Returns whether a queued page belongs to a collection because a page of a public site links to
  /// it.
  private static func isLinked(_ page: LibraryPage, in cache: HTTPCache) -> Bool {
    page.pinnedDate == nil && !page.queuedFrom.isEmpty && !page.membership.collections.isEmpty
      && cache.isOnPublicNetwork(page.queuedFrom)
  }

  /// Returns whether a queued page has been loaded with a trusted response since it was queued. A
  /// redirect counts only if its target was also loaded, or confirmed by its server, since then,
  /// because a captive portal redirects as well.
  private static func hasArrived(_ page: LibraryPage, in cache: HTTPCache) throws(ArchiveError)
    -> Bool
  {
    guard let queued = page.queuedDate,
      let saved = try cache.archive.captures(of: page.key).first(where: \.isGood),
      saved.contentDate > queued
    else { return false }
    guard saved.isRedirect else { return true }
    return cache.page(of: page.key).map { $0.responseTime > queued } ?? false
  }

  /// Returns the time at which a page is due. It is the distant past if the page was chosen by the
  /// user, if it is neither saved nor gone, or if a wrong clock set the time of its last check.
  private static func dueDate(
    _ page: LibraryPage, _ settings: Settings, in archive: Archive, _ now: Date,
    _ chosen: Set<String>?
  ) throws(ArchiveError) -> Date {
    guard chosen == nil else { return .distantPast }
    let interval = settings.interval(of: page)
    let again = page.nextRequest(interval: interval, now: now)
    let versions = try archive.captures(of: page.key)
    guard let saved = versions.first(where: \.isGood) else { return again ?? .distantPast }
    let checked = versions.map { max($0.responseTime, $0.lastCheck?.date ?? .distantPast) }.max()
    if let checked, checked > now.addingTimeInterval(maxClockSkew) { return .distantPast }
    let next = nextRefresh(
      interval: interval, content: saved.contentDate, checked: checked ?? saved.responseTime)
    let due = next.addingTimeInterval(-earlyTolerance(of: interval))
    return max(due, again ?? due)
  }

  /// Returns the time in seconds by which a page may be requested before it is due. A job that runs
  /// once per interval never runs at exactly the same time, because pages are loaded some time
  /// after the start of a run, and timers have a random delay. Without the tolerance, every other
  /// run would skip the page.
  static func earlyTolerance(of interval: TimeInterval) -> TimeInterval {
    min(interval / 5, maxSlack)
  }

  /// The maximum time in seconds by which a page may be requested before it is due.
  private static let maxSlack: TimeInterval = 7200

  /// The maximum time in seconds by which the time of a check may be in the future; a later time
  /// was set by a wrong clock.
  private static let maxClockSkew: TimeInterval = 86_400

  /// The URLs of the queued pages. For a page whose scheme is assumed, the URL with the other
  /// scheme (http or https) is included.
  package var queuedURLs: Set<String> {
    Set(queuedPageURLs + assumedPages.compactMap { WebURL($0)?.togglingScheme.description })
  }

  /// Creates the request for this plan. It requests every page, even if the saved copy is fresh.
  /// - Parameter options: options for loading pages.
  /// - Returns: the request.
  package func request(_ options: LoadOptions) -> SaveRequest {
    var request = SaveRequest(pages: queuedPageURLs + dueURLs, options: options)
    request.publicOnlyPages = publicOnlyPages
    request.assumedPages = assumedPages
    request.feeds = feeds
    request.feedItems = feedItems
    request.linkedPages = queuedItemURLs
    request.options.isReload = true
    request.skipsUnchanged = true
    request.resumes = false
    request.pinsPages = false
    return request
  }
}

extension SyncPlan {
  /// Creates the requests for this plan: one for single pages and feeds, followed by those that
  /// refresh the collections.
  /// - Parameter options: options for loading pages.
  /// - Returns: the requests.
  package func requests(_ options: LoadOptions) -> [SaveRequest] {
    let isForPages =
      !(queuedPageURLs.isEmpty && dueURLs.isEmpty && feeds.isEmpty && queuedItemURLs.isEmpty)
    return (isForPages ? [request(options)] : []) + collections.flatMap { $0.requests(options) }
  }
}

extension Settings {
  /// Returns the refresh interval of a page in seconds: its own, or else the shortest interval of
  /// its tags, or else the default.
  func interval(of page: LibraryPage) -> TimeInterval {
    if let interval = page.interval { return interval }
    let tags = refreshes.filter { page.tags.contains($0.tag) }.compactMap(\.interval)
    return tags.min() ?? (page.isFeed ? sync.feedInterval : sync.interval)
  }
}
