import Foundation
package import OfflineCache

/// The earlier items of a feed. New items are compared with them by identifier, or else by page.
struct FeedItemHistory {
  /// The status of an item in comparison with the history.
  enum Verdict: Equatable {
    case known
    /// The item is known, but its link has changed; `from` is the digest of the key of its previous
    /// page.
    case moved(from: String)
    case new
    /// The item is new, but has the link of an earlier item. Its page therefore counts as a new
    /// item again, even if the user has read it.
    case newWithKnownLink
  }

  private var recordsByIdentity: [String: FeedItemRecord] = [:]
  private var recordsByPage: [String: [FeedItemRecord]] = [:]
  /// The digests of the pages of former items, by title and date; nil if the item is still in the
  /// feed, or if several items have or had this title and date.
  private let formerPages: [String: String?]
  /// The identities of the items in the current feed.
  private let current: Set<String>
  /// Whether an earlier item is still in the feed.
  private let isContinued: Bool

  /// Creates a history.
  /// - Parameters:
  ///   - records: The records of the feed.
  ///   - current: The items of the current feed.
  ///   - itemPages: The digests of the pages that are items of the feed in the library. The former
  ///     page of an item that has moved is not among them, unless it was saved.
  init(
    _ records: [FeedItemRecord], current: [FeedItemRecord], itemPages: Set<String> = []
  ) {
    let currentIdentities = Set(current.map(\.identity))
    var recordsByTitleAndDate: [String: [FeedItemRecord]] = [:]
    for record in records {
      recordsByIdentity[record.identity] = record
      recordsByPage[record.page, default: []].append(record)
      if let event = record.titleAndDate {
        recordsByTitleAndDate[event, default: []].append(record)
      }
    }
    let currentCounts = Dictionary(
      current.compactMap { item in item.titleAndDate.map { ($0, 1) } }, uniquingKeysWith: +)
    formerPages = recordsByTitleAndDate.filter { currentCounts[$0.key, default: 0] <= 1 }
      .mapValues { Self.formerPage($0, current: currentIdentities, itemPages: itemPages) }
    self.current = currentIdentities
    isContinued = recordsByIdentity.keys.contains(where: currentIdentities.contains)
  }

  /// Determines the status of an item.
  ///
  /// | Guid | Link | Verdict |
  /// | --- | --- | --- |
  /// | known | known | known |
  /// | known | unknown | moved; new if it also has another title and is not older |
  /// | unknown | unknown | new; moved if a former item had the same title and date |
  /// | none | none | the same; without a date, moved only if another earlier item remains |
  /// | unknown | differs in `/`, `www.`, scheme | moved if title and known dates are equal |
  /// | unknown | known, of an item without a guid | known: an earlier version recorded it |
  /// | unknown | known, of an older item in the current feed | new, with a known link |
  /// | unknown | known, otherwise | known; new if it is newer and has another title |
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - isKnownPage: Whether the page of the item has been the page of an item before.
  ///   - variants: The digests of pages whose URLs differ insignificantly from that of the item.
  /// - Returns: The status of the item.
  func verdict(
    on item: FeedItemRecord, isKnownPage: Bool, variants: [String] = []
  ) -> Verdict {
    let knownRecord = recordsByIdentity[item.identity]
    guard isKnownPage else {
      if let knownRecord {
        return item.isProbablyOther(than: knownRecord) ? .new : .moved(from: knownRecord.page)
      }
      // Some sites use the link as the guid, so that both change when an item moves.
      if item.date != nil || item.isIdentifiedByTitle && isContinued,
        let event = item.titleAndDate, let page = formerPages[event] ?? nil
      {
        return .moved(from: page)
      }
      let former = variants.lazy.flatMap { recordsByPage[$0] ?? [] }.first {
        item.isSame(as: $0) && !current.contains($0.identity)
      }
      return former.map { .moved(from: $0.page) } ?? .new
    }
    guard knownRecord == nil, let otherRecords = recordsByPage[item.page] else { return .known }
    let isBesideOlderItem = otherRecords.contains { other in
      current.contains(other.identity) && (item.date ?? .max) >= (other.date ?? .min)
    }
    return isBesideOlderItem || otherRecords.allSatisfy(item.isOther(than:))
      ? .newWithKnownLink : .known
  }

  /// Returns the digest of the page of a former item with these records, which have the same title
  /// and date; nil if the item is still in the feed, or if they are records of several items. An
  /// item that has moved before has several records.
  private static func formerPage(
    _ records: [FeedItemRecord], current: Set<String>, itemPages: Set<String>
  ) -> String? {
    guard !records.contains(where: { current.contains($0.identity) }) else { return nil }
    let pages = Set(records.map(\.page))
    let remaining = pages.count > 1 ? pages.intersection(itemPages) : pages
    return remaining.count == 1 ? remaining.first : nil
  }
}

extension PageLibrary {
  /// Determines which items of a feed are new. An item is new if neither the item nor its page was
  /// known or removed before.
  ///
  /// If the feed has not been followed until now, items that remain from an earlier subscription
  /// count as new as well.
  /// - Parameters:
  ///   - items: The items with the cache keys of their pages.
  ///   - feed: The cache key of the feed.
  ///   - currentItems: All items of the current feed.
  /// - Returns: The change of each item.
  /// - Throws: `ArchiveError.unreadable`.
  package func changes(
    of items: [(page: String, record: FeedItemRecord)], in feed: String,
    currentItems: [FeedItemRecord]
  ) throws(ArchiveError) -> [FeedItemChange] {
    try withStore { store throws in
      let isFollowed = try store.fact(.feed, of: feed)?.value != nil
      let removals = try store.removals()
      let pageByDigest = Dictionary(
        try store.items(of: feed).map { (FeedItemRecord.digest(of: $0), $0) },
        uniquingKeysWith: { first, _ in first })
      let history = FeedItemHistory(
        try store.itemRecords(of: feed), current: currentItems, itemPages: Set(pageByDigest.keys))
      return try items.map { page, record in
        let fact = try store.fact(.item, of: page)
        guard removals.isEmpty || removals[LibraryJournal.digest(of: page)] == nil else {
          return .none
        }
        if !isFollowed, fact?.value == nil {
          // The item is new, unless the library has it under its previous link.
          if case .moved(let old) = history.verdict(
            on: record, isKnownPage: false, variants: Self.variants(ofPage: page)),
            let page = pageByDigest[old]
          {
            return .moved(from: page)
          }
          return .new
        }
        let variants = fact == nil ? Self.variants(ofPage: page) : []
        switch history.verdict(on: record, isKnownPage: fact != nil, variants: variants) {
        case .known: return .none
        case .new: return .new
        case .newWithKnownLink: return .newWithKnownLink
        case .moved(let old): return pageByDigest[old].map { .moved(from: $0) } ?? .none
        }
      }
    }
  }

  /// Returns the digests of the keys that differ from that of a page only in the scheme (HTTP or
  /// HTTPS), in `www.`, in a slash at the end of the path if there is no query, or in several of
  /// these.
  static func variants(ofPage key: String) -> [String] {
    guard let url = WebURL(key), url.isWeb, let host = url.host, key.hasPrefix(url.origin + "/")
    else { return [] }
    let rest = String(key.dropFirst(url.origin.count))
    let port = url.port.map { ":\($0)" } ?? ""
    // Another scheme has another port, too.
    let schemes =
      url.port != nil ? [url.scheme] : [url.scheme, url.scheme == "http" ? "https" : "http"]
    let hosts = [host, host.hasPrefix("www.") ? String(host.dropFirst(4)) : "www." + host]
    var paths = [rest]
    if rest == url.path, rest.count > 1 {
      paths.append(rest.hasSuffix("/") ? String(rest.dropLast()) : rest + "/")
    }
    let keys: [String] = schemes.flatMap { scheme in
      hosts.flatMap { host in paths.map { "\(scheme)://\(host)\(port)\($0)" } }
    }
    return keys.dropFirst().map(FeedItemRecord.digest(of:))
  }

  /// Returns the records of the items of a feed.
  /// - Throws: `ArchiveError.unreadable`.
  package func itemRecords(of feed: String) throws(ArchiveError) -> [FeedItemRecord] {
    try withStore { store throws in try store.itemRecords(of: feed) }
  }
}
