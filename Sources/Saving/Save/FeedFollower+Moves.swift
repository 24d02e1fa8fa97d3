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
    let (wanted, page) = (response.request, response.outcome)
    var candidates: [String] = []
    if wanted.isDiscovered {
      if page.isReadable || page.lastingFailure != nil { candidates = wanted.otherFeeds }
    } else if page.isReadable {
      if !wanted.isNew {
        guard page.isCurrent, !page.isUnconfirmed, try isUnread(page.url) else { return false }
      }
      let found = (response.links?.feeds ?? []).filter {
        !(WebURL($0.url)?.hasBlockedPort ?? true)
      }
      // The feed of a site's comments must not replace the feed of its articles.
      let others = found.dropFirst().filter { !$0.isCommentFeed }
      candidates = (found.prefix(1) + others).prefix(Self.maxLinkedFeeds).map(\.url)
    }
    guard let url = candidates.first, let key = cache.key(of: url) else { return false }
    let former = wanted.formerURL ?? page.url
    guard feeds[key] == nil else {
      // If the linked feed is already followed and has been read, it replaces the page.
      if !wanted.isNew, try library.page(key).isFeed, try !isUnread(url) {
        var outcome = FeedOutcome(url: former)
        _ = try moveFeed(from: former, to: url, &outcome)
      }
      return true
    }
    var next = FeedRequest(url, maxItems: wanted.maxItems, isNew: wanted.isNew)
    (next.isDiscovered, next.otherFeeds) = (true, Array(candidates.dropFirst()))
    if !wanted.isNew { next.formerURL = former }
    feeds[key] = next
    _ = add(url, true, response.isPublic)
    return true
  }

  /// Requests a followed feed at the URL to which it has moved according to its content. If the
  /// response from there is a feed, the feed is followed at the new URL.
  /// - Parameters:
  ///   - feed: the feed.
  ///   - current: the URL at which it is followed.
  ///   - response: the response with the feed.
  func requestNewURL(of feed: Feed, from current: String, _ response: FeedResponse) {
    let wanted = response.request
    guard let url = feed.newURL, !wanted.isNew, !wanted.isDiscovered, !request.isOfflineCheck,
      let parsed = WebURL(url), parsed.isWeb, !parsed.hasBlockedPort
    else { return }
    let key = cache.key(of: parsed)
    guard key != cache.key(of: current), feeds[key] == nil else { return }
    var next = FeedRequest(url, maxItems: wanted.maxItems)
    (next.isDiscovered, next.isOptional, next.formerURL) = (true, true, current)
    feeds[key] = next
    _ = add(url, false, response.isPublic)
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
    guard let old = cache.key(of: url), let new = cache.key(of: target), old != new else {
      return nil
    }
    let (page, other) = (try library.page(old), try library.page(new))
    guard page.isFeed else { return target }
    var changes = LibraryChange.address(target, of: new)
    if !other.isFeed {
      changes.append(LibraryChange(new, .feed, page.maxFeedItems.map { "\($0)" } ?? ""))
    }
    changes += page.tags.map { LibraryChange(new, .tag($0), "1") }
    if other.note.isEmpty, !page.note.isEmpty {
      changes.append(LibraryChange(new, .note, page.note))
    }
    if other.title.isEmpty, !page.title.isEmpty, !isOwnTitle(page.title, ofFeed: old) {
      changes.append(LibraryChange(new, .title, page.title))
    }
    if let interval = page.interval, other.interval == nil {
      changes.append(LibraryChange(new, .interval, "\(interval)"))
    }
    if page.isComplete { changes.append(LibraryChange(new, .complete, "1")) }
    let known = Set(try library.itemRecords(of: new).map(\.identity))
    for record in try library.itemRecords(of: old) where !known.contains(record.identity) {
      changes.append(LibraryChange(new, .feedItem(record.identity), record.value))
    }
    for item in try library.items(of: old) { changes.append(LibraryChange(item, .item, new)) }
    let gone: [LibraryAttribute] =
      [.feed, .interval, .note, .failed, .notBefore] + page.tags.map { .tag($0) }
    changes += gone.map { LibraryChange(old, $0, nil) }
    try library.record(changes)
    do throws(ArchiveError) {
      try enclosures.move(feed: old, to: new)
    } catch {
      // Files that were not moved are fetched again.
      outcome.enclosureProblem = error.reason
    }
    return target
  }
}
