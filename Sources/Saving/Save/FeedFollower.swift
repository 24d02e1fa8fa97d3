import Configuration
import Document
import Feeds
import OfflineCache
import Foundation
import Library
import Pages
import Profiles

/// Records the items of feeds, and adds the pages of new items to the run.
final class FeedFollower {
  let request: SaveRequest
  let cache: HTTPCache
  let library: PageLibrary
  private let settings: Settings
  let enclosures: EnclosureStore
  /// The requested feeds by cache key.
  var feeds: [String: FeedRequest] = [:]
  private(set) var outcomes: [FeedOutcome] = []
  /// The feeds whose older pages are being fetched, by cache key.
  private var growingFeeds: [String: GrowingFeed] = [:]
  /// Adds a page to the run. `isNamed` is whether the page is requested rather than found by a
  /// link; `isPublicOnly` is whether it may be loaded only from the public network. Returns whether
  /// the page is new.
  var add: (_ url: String, _ isNamed: Bool, _ isPublicOnly: Bool) -> Bool = { _, _, _ in false }

  init(_ request: SaveRequest, in profile: Profile) {
    (self.request, cache, library) = (request, profile.cache, profile.library)
    (settings, enclosures) = (profile.settings, profile.enclosures)
    for feed in request.feeds {
      if let key = cache.key(of: feed.url) { feeds[key] = feed }
    }
  }

  /// Returns the request for which a page is fetched as a feed; nil if it is not fetched as a feed.
  func request(for url: WebURL) -> FeedRequest? {
    feeds.isEmpty ? nil : feeds[cache.key(of: url)]
  }

  /// Returns the request as `request(for:)` does for a URL given as text.
  func request(for url: String) -> FeedRequest? {
    feeds.isEmpty ? nil : cache.key(of: url).flatMap { feeds[$0] }
  }

  /// Returns whether the page of an item that an earlier run queued may be loaded only from the
  /// public network. This depends on the URL of the feed, and on the address from which the feed
  /// was loaded then.
  func isPublicOnly(item url: String) -> Bool {
    guard let key = cache.key(of: url), let feed = try? library.page(key).feed, !feed.isEmpty,
      let isLocal = try? library.isLocal(key)
    else { return true }
    return !isLocal && cache.isOnPublicNetwork(feed)
  }

  /// Records the items of a feed and adds their pages, or requests a feed to which the page links.
  /// - Parameter response: the response.
  /// - Throws: `ArchiveError` if the items cannot be recorded.
  func receive(_ response: FeedResponse) throws(ArchiveError) {
    let (feedRequest, links, page) = (response.request, response.links, response.outcome)
    if let root = feedRequest.newestPage { return try addOlderPage(to: root, links?.feed, page) }
    var outcome = FeedOutcome(url: page.url)
    if let failure = page.lastingFailure, let key = cache.key(of: page.url) {
      outcome.isExcused = request.isExcused(failure, try library.page(key))
    }
    if let feed = links?.feed, page.isReadable {
      outcome.title = feed.title
      if page.isCurrent {
        if let formerURL = feedRequest.formerURL {
          _ = try moveFeed(from: formerURL, to: page.url, &outcome)
          recordMove(of: formerURL, to: page.url)
        }
        if let target = response.permanentTarget {
          outcome.newURL = try moveFeed(from: page.url, to: target.description, &outcome)
        }
        requestNewURL(feed.newURL, from: outcome.newURL ?? page.url, response)
        return try grow(GrowingFeed(feed, feedRequest, outcome, isPublic: response.isPublic))
      } else if case .kept(let reason) = page.result {
        (outcome.problem, outcome.isReportedAsPage) = (reason, true)
      }
    } else if feedRequest.isOptional {
      return
    } else if try requestsLinkedFeed(response) {
      return
    } else {
      outcome.problem = problem(page.result, feedRequest)
      outcome.isReportedAsPage = !page.isCurrent && page.result != .refused
      if try followUnread(response) {
        outcome.problem?.append("; the feed is followed, and the next sync requests it again")
        outcome.isReportedAsPage = false
      }
    }
    // A server that cannot send redirects responds with a page that refreshes to the new URL of the
    // feed.
    requestNewURL(response.refreshTarget, from: page.url, response)
    outcomes.append(outcome)
  }

  /// Records in the outcome of a feed that the feed is now followed at another URL. If its older
  /// pages are still being fetched, their items are added to the feed at that URL.
  private func recordMove(of former: String, to url: String) {
    let key = cache.key(of: former)
    func isMoved(_ outcome: FeedOutcome) -> Bool {
      cache.key(of: outcome.newURL ?? outcome.url) == key
    }
    for index in outcomes.indices where isMoved(outcomes[index]) {
      outcomes[index].newURL = url
      outcomes[index].problem = nil
    }
    for (root, growing) in growingFeeds where isMoved(growing.outcome) {
      growingFeeds[root]?.outcome.newURL = url
    }
  }

  /// The message about a response that is not a feed.
  static let notAFeedMessage = "the response is not a feed; the saved items are unchanged"

  private func problem(_ result: SaveOutcome.Result, _ wanted: FeedRequest) -> String {
    switch result {
    case .kept(let reason), .failed(let reason): reason
    case .refused: "robots.txt of the site forbids fetching it"
    case .saved, .unchanged:
      wanted.isNew && !wanted.isDiscovered
        ? "this is not a feed, and it links to no feed"
        : Self.notAFeedMessage
    }
  }

  /// Records the current items of a feed, adds the pages of new items to the run, and drops the
  /// oldest items beyond the maximum number.
  private func follow(_ growingFeed: GrowingFeed) throws(ArchiveError) {
    let (feed, isPublic) = (growingFeed.feed, growingFeed.isPublic)
    var outcome = growingFeed.outcome
    guard let key = cache.key(of: outcome.newURL ?? outcome.url) else { return }
    let maxItems = growingFeed.request.maxItems ?? request.feedItems
    let items = entries(feed.newestItems(maxItems), of: key)
    try learnItems(of: key)
    let kinds = try library.changes(
      of: items.map { ($0.key, $0.record) }, in: key,
      currentItems: entries(feed.items, of: key).map(\.record))
    let knownItems = zip(items, kinds).filter { $1 == .none }.map(\.0)
    let correctedItems = try corrections(among: knownItems, of: key)
    let filters = filters(ofFeed: outcome.newURL ?? outcome.url)
    var recording = FeedRecording(
      feed: key, siteKey: feed.siteURL.flatMap { cache.key(of: $0) },
      savedPageKeys: cache.savedPages(
        among: zip(items, kinds).filter { $0.1 != .none }.map(\.0.key)),
      filters: filters, callsHook: settings.hooks.isCalledForItems(of: key), isPublic: isPublic,
      changes: try feedChanges(growingFeed, key, knownItems))
    // The oldest items are recorded first, because the library removes the oldest ones first if
    // there are too many.
    for (item, kind) in zip(items, kinds).reversed() { try record(item, kind, in: &recording) }
    outcome.newItemCount += recording.newItemCount
    outcome.hiddenItemCount += recording.hiddenItemCount
    let unfinishedItems = try growingFeed.request.isNew ? queuedItems(among: knownItems) : []
    try library.record(
      recording.changes + titleChanges(recording.titles, maxItems: maxItems)
        + queueingChanges(correctedItems, of: key, isPublic: isPublic))
    outcome.retainedItemCount = try removeOldestItems(of: key, beyond: maxItems)
    do throws(ArchiveError) {
      try recordEnclosures(
        of: items.filter { !$0.isHidden(by: filters) }, in: key, isPublic: isPublic, to: &outcome)
    } catch {
      outcome.enclosureProblem = error.reason
    }
    outcomes.append(outcome)
    for item in unfinishedItems + correctedItems + recording.fetchedItems.reversed() {
      _ = add(item.url, false, isPublic)
    }
  }

  private func filters(ofFeed url: String) -> [FeedFilter] {
    settings.feeds.filter { $0.isFilter && $0.applies(to: url) }.map(FeedFilter.init)
  }

  /// Returns the changes of a feed's own facts and of the titles of its known items.
  private func feedChanges(
    _ growingFeed: GrowingFeed, _ key: String, _ knownItems: [FeedEntry]
  ) throws(ArchiveError) -> [LibraryChange] {
    var changes = try retitlingChanges(knownItems, of: key)
    if growingFeed.request.isNew {
      changes += followingChanges(of: key, for: growingFeed.request)
    }
    if try replacesTitle(of: key, by: growingFeed.feed.title) {
      changes.append(LibraryChange(key, .title, growingFeed.feed.title))
    }
    return changes
  }

  /// Removes the oldest items of a feed beyond the maximum number; 0 removes no items.
  /// - Returns: the number of items that remain.
  private func removeOldestItems(of key: String, beyond maxItems: Int) throws(ArchiveError) -> Int {
    let itemKeys = try library.items(of: key)
    let excessItemKeys = maxItems > 0 ? itemKeys.prefix(max(0, itemKeys.count - maxItems)) : []
    try library.record(
      excessItemKeys.flatMap { [LibraryChange($0, .item, nil), LibraryChange($0, .queued, nil)] })
    return itemKeys.count - excessItemKeys.count
  }

  /// Returns the known items whose pages are still queued because an earlier save of the feed was
  /// interrupted, and which may be requested now.
  private func queuedItems(among items: [FeedEntry]) throws(ArchiveError) -> [FeedEntry] {
    let now = Date()
    var found: [FeedEntry] = []
    for item in items {
      let page = try library.page(item.key)
      let next = page.nextRequest(interval: settings.interval(of: page), now: now)
      guard page.queuedDate != nil, next.map({ $0 <= now }) ?? true else { continue }
      found.append(item)
    }
    return found
  }

  /// Records the enclosures of unread items that the settings select. Counts the newly recorded
  /// ones and the omitted ones.
  private func recordEnclosures(
    of items: [FeedEntry], in feed: String, isPublic: Bool, to outcome: inout FeedOutcome
  ) throws(ArchiveError) {
    let policy = settings.enclosurePolicy(ofFeed: feed)
    guard policy.choice != .none, !request.isOfflineCheck else { return }
    let unreadKeys = Set(
      try library.pages(items.map(\.key))
        .filter { $0.feed == feed && $0.isUnread && $0.removed == nil }.map(\.key))
    var records: [EnclosureRecord] = []
    for entry in items where unreadKeys.contains(entry.key) {
      outcome.omittedEnclosureCount += entry.item.omittedEnclosureCount
      records += entry.item.chosenEnclosures(for: policy).compactMap { enclosure in
        let type = EnclosureRecord.mediaType(declared: enclosure.mediaType, url: enclosure.url)
        guard policy.selects(EnclosureRecord.kind(of: type)) else { return nil }
        guard let url = WebURL(enclosure.url),
          type.utf8.count <= EnclosureRecord.maxMediaTypeLength,
          max(url.description.utf8.count, entry.key.utf8.count) <= EnclosureRecord.maxURLLength
        else {
          outcome.omittedEnclosureCount += 1
          return nil
        }
        var record = EnclosureRecord(
          url: url.withoutFragment.withoutCredentials.description, feed: feed, item: entry.key,
          mediaType: type,
          date: entry.item.date ?? Date())
        record.title = String(entry.title.prefix(Self.maxItemTitleLength))
          .prefix(maxUTF8Count: Self.maxItemTitleSize)
        record.identifier = entry.record.identity
        record.duration = enclosure.duration.isEmpty ? entry.item.duration : enclosure.duration
        record.declaredSize = enclosure.length
        record.isLocal = !isPublic
        return record
      }
    }
    outcome.newEnclosureCount = try enclosures.add(records)
  }

  /// Returns the known items whose saved pages are requested again, because the feed has a new
  /// title or a later date for them, or states a change after the last request for the page. If
  /// most items seem to have changed, this does not indicate corrections, and no item is returned.
  private func corrections(
    among items: [FeedEntry], of feed: String
  ) throws(ArchiveError) -> [FeedEntry] {
    guard !request.isOfflineCheck else { return [] }
    let known = Dictionary(
      try library.itemRecords(of: feed).map { ($0.identity, $0) }, uniquingKeysWith: { $1 })
    let now = Date()
    var keys: Set<String> = []
    let corrected = items.filter { item in
      guard let old = known[item.record.identity] else { return false }
      return item.record.isCorrection(of: old)
        || item.item.updateDate.map { $0 <= now && now.timeIntervalSince($0) < Self.maxUpdateAge }
          ?? false
    }.filter { item in
      guard let page = cache.page(of: item.key), let old = known[item.record.identity] else {
        return false
      }
      let asked = max(page.responseTime, page.lastCheck?.date ?? page.responseTime)
      let isChanged = item.record.isCorrection(of: old) || item.item.updateDate ?? asked > asked
      return isChanged && keys.insert(item.key).inserted
    }
    let isPlausible =
      corrected.count <= items.count / 2
      || corrected.count < min(items.count, Self.minCorrections)
    return isPlausible ? corrected : []
  }

  /// Returns the changes that rename known items to their present titles in the feed. Items are
  /// renamed if they have no page of their own, or if their page is not saved and their title is
  /// from the feed.
  private func retitlingChanges(
    _ items: [FeedEntry], of feed: String
  ) throws(ArchiveError) -> [LibraryChange] {
    let keys = items.map(\.key)
    let pages = Dictionary(
      try library.pages(keys).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let former = Dictionary(
      try library.itemRecords(of: feed).map { ($0.identity, $0.title) }, uniquingKeysWith: { $1 })
    let saved = cache.savedPages(among: keys)
    return items.compactMap { item in
      guard let page = pages[item.key], page.feed == feed, page.itemTitles.isEmpty,
        !saved.contains(item.key),
        !item.hasOwnPage
          || FeedItemRecord.digest(of: page.title) == former[item.record.identity]
      else { return nil }
      // Without a title in the feed, this parses the text of the item.
      let title = item.title
      return title.isEmpty || title == page.title ? nil : LibraryChange(item.key, .title, title)
    }
  }

  /// Returns the changes that queue the pages of corrected items until they have been loaded: the
  /// correction is recorded now, and would not be noticed again.
  private func queueingChanges(
    _ corrected: [FeedEntry], of feed: String, isPublic: Bool
  ) throws(ArchiveError) -> [LibraryChange] {
    var changes: [LibraryChange] = []
    for item in corrected where try library.page(item.key).queuedDate == nil {
      changes.append(LibraryChange(item.key, .queued, feed))
      if !isPublic { changes.append(LibraryChange(item.key, .local, "1")) }
    }
    return changes
  }

  /// The age in seconds beyond which a change is no longer compared with the saved page.
  private static let maxUpdateAge = 30 * 86_400.0
  /// The minimum number of seemingly corrected items that are implausible if they are more than
  /// half of all items. A smaller number is implausible only if it comprises all items.
  private static let minCorrections = 3

  /// The maximum size of the title of an enclosure in bytes.
  private static let maxItemTitleSize = 800

  /// Records the identifiers of the items in the saved versions of a feed, if an earlier version of
  /// offread followed the feed and identified items by their URLs alone.
  private func learnItems(of feed: String) throws(ArchiveError) {
    guard try library.page(feed).isFeed, try library.itemRecords(of: feed).isEmpty else { return }
    let pages = Set(try library.items(of: feed))
    let versions = try cache.archive.captures(of: feed).filter { version in
      version.isGood && !version.isRedirect && version.length <= request.options.maxRenderedSize
    }
    var changes: [String: LibraryChange] = [:]
    for version in versions.prefix(Self.maxLearnedVersions) {
      guard let content = try? cache.archive.body(of: version).rest(),
        let saved = Feed(content, url: feed)
      else { continue }
      for item in entries(saved.items, of: feed) where pages.contains(item.key) {
        let identity = item.record.identity
        guard changes[identity] == nil else { continue }
        changes[identity] = LibraryChange(feed, .feedItem(identity), item.record.value)
      }
    }
    try library.record(changes.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Returns whether an item is a corrected version of an item in one of the last saved versions of
  /// the feed.
  /// - Parameters:
  ///   - item: the item.
  ///   - former: the cache key of the page of the former item.
  ///   - feed: the cache key of the feed.
  /// - Returns: whether the item is such a version.
  /// - Throws: `ArchiveError.unreadable`.
  func isCorrection(
    _ item: FeedItem, of former: String, in feed: String
  ) throws(ArchiveError) -> Bool {
    for version in try cache.archive.captures(of: feed).filter(\.isGood)
      .prefix(Self.maxComparedVersions)
    {
      guard let content = try? cache.archive.body(of: version).rest(),
        let saved = Feed(content, url: feed),
        let entry = entries(saved.items, of: feed).first(where: { $0.key == former })
      else { continue }
      return item.corrects(entry.item)
    }
    return false
  }

  /// The maximum number of saved versions of a feed, including the current one, in which an item is
  /// looked up.
  private static let maxComparedVersions = 3
  /// The maximum number of saved versions of a feed that are parsed for their items.
  private static let maxLearnedVersions = 20

  /// Returns the items of a feed with their pages, without an item that is cut off. For an item
  /// without a link, or with a link to the feed itself, the page consists of the text in the feed.
  private func entries(_ items: [FeedItem], of feed: String) -> [FeedEntry] {
    items.filter { !$0.isCutOff }.map { item in
      let page = item.url.flatMap { WebURL($0) }.flatMap { url in
        url.isWeb && cache.key(of: url) != feed ? url : nil
      }
      let key = page.map { cache.key(of: $0) } ?? FeedItemAddress(ofItem: item.id, in: feed).key
      var record = FeedItemRecord(
        identity: item.id, page: key, date: item.date == item.updateDate ? nil : item.date,
        title: item.title)
      record.isIdentifiedByText = item.isIdentifiedByText
      return FeedEntry(
        key: key, url: page?.withoutFragment.withoutCredentials.description ?? key,
        record: record, item: item, hasOwnPage: page != nil)
    }
  }

  // MARK: Paged feeds

  /// Fetches the next older page of a feed (RFC 5005, JSON Feed `next_url`) if more items are
  /// wanted than the feed has so far; otherwise records its items.
  private func grow(_ growing: GrowingFeed) throws(ArchiveError) {
    guard let root = cache.key(of: growing.outcome.url), let next = growing.feed.nextURL,
      let key = cache.key(of: next), feeds[key] == nil, try wantsMore(growing)
    else { return try follow(growing) }
    guard growing.pageCount < GrowingFeed.maxPages else {
      return try follow(growing, without: "the feed has more than \(GrowingFeed.maxPages) pages")
    }
    var request = FeedRequest(next)
    request.newestPage = root
    feeds[key] = request
    guard add(next, false, growing.isPublic) else {
      return try follow(growing)
    }
    growingFeeds[root] = growing
  }

  /// Returns whether older items are wanted. This is so if the pages that were read have fewer
  /// items than may be retained and, if the feed was followed before, all items of the last page
  /// are new.
  private func wantsMore(_ growing: GrowingFeed) throws(ArchiveError) -> Bool {
    let maxItems = growing.request.maxItems ?? request.feedItems
    guard let key = cache.key(of: growing.outcome.newURL ?? growing.outcome.url),
      !request.isOfflineCheck
    else { return false }
    let items = entries(growing.feed.items, of: key)
    guard maxItems == 0 || Set(items.map(\.key)).count < maxItems else { return false }
    if growing.request.isNew { return true }
    let last = entries(growing.lastItems, of: key)
    let kinds = try library.changes(
      of: last.map { ($0.key, $0.record) }, in: key, currentItems: last.map(\.record))
    return kinds.allSatisfy { $0 == .new }
  }

  /// Adds the items of an older page to the feed.
  private func addOlderPage(
    to root: String, _ page: Feed?, _ outcome: SaveOutcome
  ) throws(ArchiveError) {
    guard var growing = growingFeeds.removeValue(forKey: root) else { return }
    guard let page, outcome.isReadable else {
      let reason =
        switch outcome.result {
        case .kept(let reason), .failed(let reason): reason
        case .refused: "robots.txt of the site forbids fetching older pages of the feed"
        case .saved, .unchanged: "\(outcome.url) is not a feed"
        }
      return try follow(growing, without: reason)
    }
    growing.feed.append(olderPage: page)
    growing.lastItems = page.items
    growing.pageCount += 1
    try grow(growing)
  }

  private func follow(
    _ growing: GrowingFeed, without reason: String
  ) throws(ArchiveError) {
    var growing = growing
    growing.outcome.olderProblem = reason
    try follow(growing)
  }

  /// Records the items of feeds whose older pages were not loaded, because they were refused or the
  /// run is ending.
  /// - Returns: whether there were any such feeds, and the last error.
  func followUnfinished() -> (isAny: Bool, error: ArchiveError?) {
    let unfinished = growingFeeds.sorted { $0.key < $1.key }.map(\.value)
    growingFeeds = [:]
    var last: ArchiveError?
    for growing in unfinished {
      do throws(ArchiveError) {
        try follow(growing, without: "the older pages of the feed were not fetched")
      } catch {
        last = error
      }
    }
    return (!unfinished.isEmpty, last)
  }
}
