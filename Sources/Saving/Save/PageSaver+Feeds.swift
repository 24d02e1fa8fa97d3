import Reader
import Feeds
import Library
import Foundation
import OfflineCache

/// Feeds: what is new in them is saved with the pages behind it.
extension PageSaver {
  /// The request for which a page is fetched as a feed, or nil.
  func feedRequest(for url: String) -> FeedRequest? {
    feeds.isEmpty ? nil : cache.key(of: url).flatMap { feeds[$0] }
  }

  /// Whether an item that an earlier run has queued has to be of the public network: as its feed's connection
  /// told then, else as the feed is called.
  func isPublicOnly(item url: String) -> Bool {
    guard let key = cache.key(of: url), let feed = try? library.page(key).feed, !feed.isEmpty,
      let isLocal = try? library.isLocal(key)
    else { return true }
    return !isLocal && cache.isOnPublicNetwork(feed)
  }

  /// Takes what came of a feed: its new items wait in the queue from now on, and are fetched.
  /// - Parameters:
  ///   - wanted: what was asked for.
  ///   - links: what is in the page, or nil when it could not be read.
  ///   - draft: what came of the page.
  ///   - isPublic: whether it is of the public network.
  /// - Throws: `ArchiveError` when it cannot be noted which items are there.
  func take(
    _ wanted: FeedRequest, _ links: PageLinks?, _ draft: SaveOutcome, isPublic: Bool
  ) throws(ArchiveError) {
    var outcome = FeedOutcome(url: draft.url)
    if let failure = draft.lasting, let key = cache.key(of: draft.url) {
      outcome.isExcused = isReported(failure, try library.page(key))
    }
    if let feed = links?.feed, draft.isReadable {
      outcome.title = feed.title
      if draft.isCurrent {
        try follow(feed, wanted, &outcome, isPublic: isPublic)
      } else if case .kept(let reason) = draft.result {
        (outcome.problem, outcome.isToldAsPage) = (reason, true)
      }
    } else if let found = links?.feeds.first, draft.isReadable, wanted.isNew, !wanted.isDiscovered,
      let key = cache.key(of: found.url)
    {
      guard feeds[key] == nil else { return }
      var request = FeedRequest(found.url, mostItems: wanted.mostItems, isNew: true)
      request.isDiscovered = true
      feeds[key] = request
      addNamed(found.url, isPublicOnly: isPublic)
      return
    } else {
      outcome.problem = problem(draft.result, wanted)
      outcome.isToldAsPage = !draft.isCurrent && draft.result != .refused
    }
    feedOutcomes.append(outcome)
  }

  private func problem(_ result: SaveOutcome.Result, _ wanted: FeedRequest) -> String {
    switch result {
    case .kept(let reason), .failed(let reason): reason
    case .refused: "its site does not want it to be fetched"
    case .saved, .unchanged:
      wanted.isNew && !wanted.isDiscovered
        ? "this is no feed, and names none" : "what came is no feed; its items stay as they are"
    }
  }

  /// Notes which items a feed has now.
  private func follow(
    _ feed: Feed, _ wanted: FeedRequest, _ outcome: inout FeedOutcome, isPublic: Bool
  ) throws(ArchiveError) {
    guard let key = cache.key(of: outcome.url) else { return }
    let most = wanted.mostItems ?? request.feedItems
    var seen: Set<String> = []
    let items = feed.newest(most).compactMap { item -> (key: String, url: String, title: String)? in
      guard let url = item.url, let page = WebURL(url), page.isWeb,
        let itemKey = cache.key(of: url), itemKey != key, seen.insert(itemKey).inserted
      else { return nil }
      return (itemKey, page.withoutFragment.withoutCredentials.description, item.title)
    }
    let isNew = try library.newItems(among: items.map(\.key), of: key)
    let new = items.filter { isNew.contains($0.key) }
    let saved = cache.savedPages(among: new.map(\.key))
    var changes: [LibraryChange] = []
    if wanted.isNew {
      changes.append(LibraryChange(key, .feed, wanted.mostItems.map { "\($0)" } ?? ""))
      changes += request.changes(of: key)
    }
    if !feed.title.isEmpty { changes.append(LibraryChange(key, .title, feed.title)) }
    // The oldest first: those go first when there are too many.
    for item in new.reversed() {
      changes.append(LibraryChange(item.key, .item, key))
      if !item.title.isEmpty { changes.append(LibraryChange(item.key, .title, item.title)) }
      if !saved.contains(item.key) {
        changes.append(LibraryChange(item.key, .queued, key))
        if !isPublic { changes.append(LibraryChange(item.key, .local, "1")) }
      }
    }
    try library.record(changes)
    let all = try library.items(of: key)
    let old = most > 0 ? all.prefix(max(0, all.count - most)) : []
    try library.record(
      old.flatMap { [LibraryChange($0, .item, nil), LibraryChange($0, .queued, nil)] })
    outcome.new = new.count
    outcome.items = all.count - old.count
    for item in new where !saved.contains(item.key) {
      addLinked(item.url, isPublicOnly: isPublic)
    }
  }
}
