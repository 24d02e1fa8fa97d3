import Configuration
package import Reader
import Library
package import Foundation
package import OfflineCache

/// What a sync has to do.
package struct SyncPlan: Sendable, Equatable {
  /// The pages that wait in the queue, in the order in which they came into it.
  package var queued: [String] = []
  /// The kept pages that are due, those that have waited longest first.
  package var due: [String] = []
  /// Pages that wait in the queue and were read since: they need not wait any more.
  package var arrived: [String] = []
  /// The feeds that are due, in the order in which they are followed.
  package var feeds: [FeedRequest] = []
  /// Of the pages, those that another program has handed over: they have to stay in the public network.
  package var handedOver: Set<String> = []
  /// Of the queued pages, those whose scheme the user did not type.
  package var assumed: Set<String> = []
  /// Items of feeds that wait in the queue; they are none of `queued`.
  package var items: [String] = []
  /// How many pages of the queue wait as their servers are busy, and when the first is asked for again.
  package var later = 0
  package var askAgain: Date?
  /// How many queued pages are gone and not due for another request.
  package var gone = 0
  /// How many kept pages and feeds are not due yet.
  package var notDue = 0

  /// The pages that are asked for later.
  private var waitingKeys: Set<String> = []
  /// How many items of a feed stay, 0 for all.
  private var feedItems: Int

  /// Whether there is nothing to fetch.
  package var isEmpty: Bool { queued.isEmpty && due.isEmpty && feeds.isEmpty && items.isEmpty }

  /// A page that does not change is refreshed this many times more seldom at most.
  static let mostBackoff = 16.0
  /// Of the time for which a page was found unchanged, so much more may pass until it is looked at
  /// again.
  static let backoffShare = 0.25

  /// When a page is to be refreshed.
  ///
  /// A page that was last found unchanged a long time after it had changed need not be asked for as
  /// often as one that changes: a quarter of that time may pass, at most 16 intervals.
  /// - Parameters:
  ///   - interval: how often it is refreshed at least, in seconds.
  ///   - content: when its content is from.
  ///   - checked: when the server was last asked.
  /// - Returns: the time.
  package static func nextRefresh(
    interval: TimeInterval, content: Date, checked: Date
  ) -> Date {
    let unchanged = max(0, checked.timeIntervalSince(content)) * backoffShare
    return checked.addingTimeInterval(max(interval, min(unchanged, interval * mostBackoff)))
  }

  /// Looks at what is kept and queued.
  /// - Parameters:
  ///   - profile: whose library it is.
  ///   - now: the time of day.
  ///   - chosen: the keys of the pages that are asked for, due or not; nil for all that are due.
  /// - Throws: `ArchiveError.unreadable`.
  package init(
    of profile: Profile, now: Date, only chosen: Set<String>? = nil
  ) throws(ArchiveError) {
    try self.init(queueOf: profile, now: now, only: chosen)
    let settings = profile.settings
    let waiting = Set(queued + items).union(waitingKeys)
    var found: [(url: String, at: Date)] = []
    for key in try profile.library.keys(with: .kept) where chosen?.contains(key) ?? true {
      // Nobody has a newer version of a book.
      guard BookAddress(key) == nil else { continue }
      let page = try profile.library.page(key)
      guard !page.isFeed, page.removed == nil, !waiting.contains(page.url) else { continue }
      let at = try Self.due(page, settings, in: profile.cache.archive, now, chosen)
      if at <= now { found.append((page.url, at)) } else { notDue += 1 }
      if page.handedOver != nil { handedOver.insert(page.url) }
    }
    due = found.sorted { ($0.at, $0.url) < ($1.at, $1.url) }.map(\.url)
    for page in try profile.library.pages(with: .feed)
    where chosen?.contains(page.key) ?? true {
      let at = try Self.due(page, settings, in: profile.cache.archive, now, chosen)
      if at <= now {
        feeds.append(FeedRequest(page.url, mostItems: page.feedItems))
      } else {
        notDue += 1
      }
    }
  }

  /// Looks at what is queued only.
  /// - Parameters:
  ///   - profile: whose library it is.
  ///   - now: the time of day.
  ///   - chosen: the keys of the pages that are asked for; nil for all that wait.
  ///   - isInBackground: whether it is done while pages are read, which leaves pages that are not confirmed to a
  ///     sync: moments later, the same network answers.
  /// - Throws: `ArchiveError.unreadable`.
  init(
    queueOf profile: Profile, now: Date, only chosen: Set<String>? = nil,
    isInBackground: Bool = false
  ) throws(ArchiveError) {
    feedItems = profile.settings.sync.feedItems
    for page in try profile.library.pages(with: .queued)
    where chosen?.contains(page.key) ?? true {
      if try Self.hasArrived(page, in: profile.cache) {
        arrived.append(page.key)
      } else if chosen == nil,
        let date = page.nextRequestWhenGone(
          interval: profile.settings.interval(of: page), now: now), date > now
      {
        gone += 1
        waitingKeys.insert(page.url)
      } else if let date = page.askAgain, date > now, chosen == nil, page.goneSince == nil {
        later += 1
        askAgain = min(date, askAgain ?? date)
        waitingKeys.insert(page.url)
      } else if page.isUnconfirmed, isInBackground {
        waitingKeys.insert(page.url)
      } else if page.feed.isEmpty {
        queued.append(page.url)
        if page.isSchemeAssumed { assumed.insert(page.url) }
        if page.handedOver != nil { handedOver.insert(page.url) }
      } else {
        items.append(page.url)
      }
    }
  }

  /// Whether a queued page has been loaded since it was queued: it has a trusted response from after that. A
  /// redirect counts only when it leads to a page that was loaded, or confirmed by its server, since then: a
  /// captive portal redirects as well.
  private static func hasArrived(_ page: LibraryPage, in cache: HTTPCache) throws(ArchiveError)
    -> Bool
  {
    guard let queued = page.queued,
      let saved = try cache.archive.captures(of: page.key).first(where: \.isGood),
      saved.contentDate > queued
    else { return false }
    guard saved.isRedirect else { return true }
    return cache.page(of: page.key).map { $0.responseTime > queued } ?? false
  }

  /// When a page is due; the distant past for what is not saved or was chosen, and for what was checked by
  /// a clock that was wrong.
  private static func due(
    _ page: LibraryPage, _ settings: Settings, in archive: Archive, _ now: Date,
    _ chosen: Set<String>?
  ) throws(ArchiveError) -> Date {
    guard chosen == nil else { return .distantPast }
    let interval = settings.interval(of: page)
    let again = page.nextRequestWhenGone(interval: interval, now: now)
    let versions = try archive.captures(of: page.key)
    guard let saved = versions.first(where: \.isGood) else { return again ?? .distantPast }
    let checked = versions.map { max($0.responseTime, $0.lastCheck?.date ?? .distantPast) }.max()
    if let checked, checked > now.addingTimeInterval(wrongClock) { return .distantPast }
    let next = nextRefresh(
      interval: interval, content: saved.contentDate, checked: checked ?? saved.responseTime)
    return max(next, again ?? next)
  }

  /// A check that is so far in the future, in seconds, was made by a clock that was wrong.
  private static let wrongClock: TimeInterval = 86_400

  /// The URLs of the queued pages, also by the other scheme if that may be tried.
  package var queuedURLs: Set<String> {
    Set(queued + assumed.compactMap { WebURL($0)?.withOtherScheme.description })
  }

  /// The work as a request; it asks for every page, also for one that is fresh.
  /// - Parameter options: how each page is loaded.
  /// - Returns: the request.
  package func request(_ options: LoadOptions) -> SaveRequest {
    var request = SaveRequest(pages: queued + due, options: options)
    request.publicPages = handedOver
    request.assumedPages = assumed
    request.feeds = feeds
    request.feedItems = feedItems
    request.linkedPages = items
    request.options.isReload = true
    request.passesOverUnchanged = true
    request.resumes = false
    request.keeps = false
    return request
  }
}

extension Settings {
  /// How often a page is refreshed, in seconds: as it says, else as often as one of its tags asks for.
  func interval(of page: LibraryPage) -> TimeInterval {
    if let interval = page.interval { return interval }
    let tags = refreshes.filter { page.tags.contains($0.tag) }.compactMap(\.interval)
    return tags.min() ?? (page.isFeed ? sync.feedInterval : sync.interval)
  }
}

/// Sees to it that only one sync of a library runs at a time.
package final class SyncLock {
  private let file: OpenFile

  /// Takes the lock; nil when another process has it.
  /// - Parameter folder: the folder of the profile's state.
  /// - Throws: `ArchiveError.unwritable`.
  package init?(in folder: URL) throws(ArchiveError) {
    let files = LocalFileSystem()
    try files.makeFolders(folder.path)
    file = try files.openForWriting(folder.appendingPathComponent("sync.lock").path)
    guard try file.tryLock() else { return nil }
  }

  deinit { file.unlock() }
}
