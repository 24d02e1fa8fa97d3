import Feeds
import Library
import OfflineCache

/// Handles feeds that pages link to, feeds at new URLs, and the titles of feeds.
extension FeedFollower {
  /// The maximum number of feeds declared by a page that are requested, one after another.
  private static let maxLinkedFeeds = 3

  /// Requests a feed to which the response links. This is done if the request was to follow a feed,
  /// or if the followed URL has never been read as a feed, such as the page of a site in an
  /// imported list. If the linked feed does not exist or is not a feed, the next one is requested.
  /// - Returns: whether the response need not be reported, because another feed is requested.
  func requestsLinkedFeed(_ response: FeedResponse) throws(ArchiveError) -> Bool {
    let (feedRequest, page) = (response.request, response.outcome)
    var candidates: [String] = []
    if feedRequest.isDiscovered {
      if page.isReadable || page.lastingFailure != nil { candidates = feedRequest.otherFeeds }
    } else if page.isReadable {
      if !feedRequest.isNew {
        guard page.isCurrent, !page.isUnconfirmed, try isUnread(page.url) else { return false }
      }
      let linkedFeeds = (response.links?.feeds ?? []).filter {
        !(WebURL($0.url)?.hasBlockedPort ?? true)
      }
      // The feed of a site's comments must not replace the feed of its articles.
      let articleFeeds = linkedFeeds.dropFirst().filter { !$0.isCommentFeed }
      candidates = (linkedFeeds.prefix(1) + articleFeeds).prefix(Self.maxLinkedFeeds).map(\.url)
    }
    guard let url = candidates.first, let key = cache.key(of: url) else { return false }
    let formerURL = feedRequest.formerURL ?? page.url
    guard feeds[key] == nil else {
      // If the linked feed is already followed and has been read, it replaces the page.
      if !feedRequest.isNew, try library.page(key).isFeed, try !isUnread(url) {
        var outcome = FeedOutcome(url: formerURL)
        _ = try moveFeed(from: formerURL, to: url, &outcome)
      }
      return true
    }
    var linkedRequest = FeedRequest(url, maxItems: feedRequest.maxItems, isNew: feedRequest.isNew)
    (linkedRequest.isDiscovered, linkedRequest.otherFeeds) = (true, Array(candidates.dropFirst()))
    if !feedRequest.isNew { linkedRequest.formerURL = formerURL }
    feeds[key] = linkedRequest
    _ = add(url, true, response.isPublic)
    return true
  }

  /// Requests a followed feed at the URL to which it seems to have moved. If the response from the
  /// new URL is a feed, the feed is followed at the new URL.
  /// - Parameters:
  ///   - target: the new URL, as named by the feed or by a page that was received instead of the
  ///     feed; nil if there is none.
  ///   - current: the URL at which the feed is followed.
  ///   - response: the response from `current`.
  func requestNewURL(_ target: WebURL?, from current: String, _ response: FeedResponse) {
    let wanted = response.request
    guard let url = target, !wanted.isNew, !wanted.isDiscovered, !request.isOfflineCheck,
      url.isWeb, !url.hasBlockedPort
    else { return }
    let key = cache.key(of: url)
    guard key != cache.key(of: current), feeds[key] == nil else { return }
    var next = FeedRequest(url.description, maxItems: wanted.maxItems)
    (next.isDiscovered, next.isOptional, next.formerURL) = (true, true, current)
    feeds[key] = next
    _ = add(next.url, false, response.isPublic)
  }

  /// Returns whether a followed feed has no item and never had one.
  private func isUnread(_ url: String) throws(ArchiveError) -> Bool {
    guard let key = cache.key(of: url), try library.page(key).isFeed else { return false }
    guard try library.items(of: key).isEmpty else { return false }
    return try library.itemRecords(of: key).isEmpty
  }

  /// Follows a new feed that could not be requested for a reason that may be temporary, so that the
  /// next sync requests it again, as it does with pages.
  /// - Returns: whether the feed is followed.
  func followUnread(_ response: FeedResponse) throws(ArchiveError) -> Bool {
    let (wanted, page) = (response.request, response.outcome)
    guard case .failed = page.result, wanted.isNew, !wanted.isDiscovered, !request.isOfflineCheck,
      page.lastingFailure == nil, !page.isForbidden, !page.isUnstorable, !page.isUnconfirmed,
      let key = cache.key(of: page.url), try !library.page(key).isFeed
    else { return false }
    try library.record(followingChanges(of: key, for: wanted))
    return true
  }

  /// Returns the changes that follow a feed.
  func followingChanges(of key: String, for wanted: FeedRequest) -> [LibraryChange] {
    var changes = [LibraryChange(key, .feed, wanted.maxItems.map { "\($0)" } ?? "")]
    changes += request.changes(of: key)
    // The collection gets the tags, but the feed is not one of its pages and needs tags of its own.
    if request.collection != nil {
      changes += request.tags.map { LibraryChange(key, .tag($0), "1") }
    }
    return changes
  }

  // MARK: Titles

  /// The number of saved versions of a feed whose titles are compared: the current one, and the one
  /// before.
  private static let comparedVersionCount = 2

  /// Returns whether the recorded title of a feed is replaced by its current title. A title from
  /// the user, such as one in an imported list, remains.
  func replacesTitle(of feed: String, by title: String) throws(ArchiveError) -> Bool {
    let known = try library.page(feed)
    guard !title.isEmpty, known.title != title else { return false }
    return !known.isFeed || known.title.isEmpty || isOwnTitle(known.title, ofFeed: feed)
  }

  /// Returns whether one of the newest saved versions of a feed has a title.
  private func isOwnTitle(_ title: String, ofFeed feed: String) -> Bool {
    let versions = (try? cache.archive.captures(of: feed)) ?? []
    let readable = versions.filter { version in
      version.isGood && !version.isRedirect && version.length <= request.options.maxRenderedSize
    }
    return readable.prefix(Self.comparedVersionCount).contains { version in
      guard let content = try? cache.archive.body(of: version).rest() else { return false }
      return Feed(content, url: feed)?.title == title
    }
  }

  // MARK: Moves

  /// Follows a feed at another URL from now on: moves its facts and its items there. If enclosures
  /// cannot be moved, the outcome reports this as a problem.
  /// - Returns: the new URL; nil if the new URL has the same cache key.
  func moveFeed(
    from url: String, to target: String, _ outcome: inout FeedOutcome
  ) throws(ArchiveError) -> String? {
    guard let oldKey = cache.key(of: url), let newKey = cache.key(of: target), oldKey != newKey
    else {
      return nil
    }
    let (oldPage, newPage) = (try library.page(oldKey), try library.page(newKey))
    guard oldPage.isFeed else { return target }
    var changes = LibraryChange.address(target, of: newKey)
    changes += changesMovingFacts(of: oldPage, to: newPage)
    let knownIdentities = Set(try library.itemRecords(of: newKey).map(\.identity))
    for record in try library.itemRecords(of: oldKey)
    where !knownIdentities.contains(record.identity) {
      changes.append(LibraryChange(newKey, .feedItem(record.identity), record.value))
    }
    for item in try library.items(of: oldKey) { changes.append(LibraryChange(item, .item, newKey)) }
    let movedAttributes: [LibraryAttribute] =
      [.feed, .interval, .note, .failed, .notBefore] + oldPage.tags.map { .tag($0) }
    changes += movedAttributes.map { LibraryChange(oldKey, $0, nil) }
    try library.record(changes)
    do throws(ArchiveError) {
      try enclosures.move(feed: oldKey, to: newKey)
    } catch {
      // Files that were not moved are fetched again.
      outcome.enclosureProblem = error.reason
    }
    return target
  }

  /// Returns the changes that add the user's facts about a feed to the page at its new URL.
  private func changesMovingFacts(
    of oldPage: LibraryPage, to newPage: LibraryPage
  ) -> [LibraryChange] {
    let (oldKey, newKey) = (oldPage.key, newPage.key)
    var changes: [LibraryChange] = []
    if !newPage.isFeed {
      changes.append(LibraryChange(newKey, .feed, oldPage.maxFeedItems.map { "\($0)" } ?? ""))
    }
    changes += oldPage.tags.map { LibraryChange(newKey, .tag($0), "1") }
    if newPage.note.isEmpty, !oldPage.note.isEmpty {
      changes.append(LibraryChange(newKey, .note, oldPage.note))
    }
    if newPage.title.isEmpty, !oldPage.title.isEmpty, !isOwnTitle(oldPage.title, ofFeed: oldKey) {
      changes.append(LibraryChange(newKey, .title, oldPage.title))
    }
    if let interval = oldPage.interval, newPage.interval == nil {
      changes.append(LibraryChange(newKey, .interval, "\(interval)"))
    }
    if oldPage.isComplete { changes.append(LibraryChange(newKey, .complete, "1")) }
    return changes
  }
}
