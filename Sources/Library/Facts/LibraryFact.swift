package import Foundation
import OfflineCache

/// A fact about a page, recorded by the user or by offread on the user's behalf: for example, that
/// the page is pinned, has a tag, or is queued.
///
/// Facts are only ever added. Of two facts about the same attribute of the same page, the later one
/// applies, so that devices can merge their facts in any order with the same result.
package struct LibraryFact: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  package var attribute: LibraryAttribute
  /// The value; nil if the attribute is removed.
  package var value: String?
  /// The time when the fact was recorded, in milliseconds since 1970.
  package var date: Int64
  /// The device that recorded the fact.
  package var device: String
  /// The digest of the key as the journal spells it, by which removals identify the page; nil if
  /// this spelling is the result of `CacheKey.normalized`.
  package var otherDigest: String?

  package init(
    key: String, attribute: LibraryAttribute, value: String?, date: Int64, device: String
  ) {
    self.key = key
    self.attribute = attribute
    self.value = value
    self.date = date
    self.device = device
  }

  /// Returns whether this fact replaces another one about the same attribute of the same page. The
  /// later fact applies. Of facts with the same time from different devices, the one from the
  /// device whose name sorts last applies; of facts with the same time from the same device, the
  /// one that was written last.
  package func supersedes(_ other: LibraryFact) -> Bool {
    (date, device) >= (other.date, other.device)
  }
}

/// The attributes of a page. `text` is the representation of an attribute in a journal.
package enum LibraryAttribute: Sendable, Hashable {
  /// The page is pinned: exempt from eviction and refreshed by `sync`. The value is
  /// `PinnedDate.value`, `PageCollection.startMarker` or any other text.
  case pinned
  /// The title when the page was pinned.
  case title
  /// The page is queued for fetching; the value is the URL of the page that links to it, or empty.
  case queued
  /// The page was read; the value has no meaning.
  case read
  /// The page is archived, which removes it from the reading list; the value has no meaning.
  case archived
  /// The note of the user.
  case note
  /// The refresh interval in seconds.
  case interval
  /// The page is a followed feed, whose new items are saved; the value is the number of items to
  /// keep, or empty.
  case feed
  /// The page was saved as an item of a feed and is protected from eviction while it is one of the
  /// last items; the value is the key of the feed.
  case item
  /// The URL of the page, if it differs from the key.
  case address
  /// The key of the canonical URL of the page, if it differs from the key of the page; only written
  /// by earlier versions.
  case canonical
  /// The page may be in a private network, like the feed that referred to it; the value has no
  /// meaning. This fact applies only on the device that recorded it, because other devices are in
  /// other networks.
  case local
  /// The style sheets, scripts and fonts of the page are saved with it; the value has no meaning.
  case complete
  /// Another program passed the URL to offread, and the user has not asked for the page; the value
  /// has no meaning.
  case fromProgram
  /// The queued page must not be requested before a certain time; the value is in seconds since
  /// 1970.
  case notBefore
  /// The last request failed and a retry is unlikely to help; the value is the reason.
  case failed
  /// The extent to which links were followed when the page was pinned; see `CrawlScope`.
  case crawlScope
  /// It is unknown whether the saved copy came from its site or from a captive portal, so the page
  /// is requested again; the value has no meaning.
  case unconfirmed
  /// Responses for the page were rejected as untrusted; the value contains the days (`Refusals`).
  case rejections
  /// The user did not type the scheme of the URL, so either of http and https may be tried when the
  /// page is fetched; the value has no meaning.
  case schemeAssumed
  /// The page cannot be read without its frames or the target of its automatic redirect; the value
  /// contains their keys, one per line.
  case frames
  /// Images of the page are missing, and another request for them may succeed; the value has no
  /// meaning.
  case missingImages
  /// Several items of a feed lead to the page; the value contains the titles of the unread items,
  /// one per line.
  case itemTitles
  /// The read hook is to be called for the page, on the device that recorded it; the value is
  /// `HookCall.State.text`.
  case readCall
  /// The user has requested the removal of the page, which is hidden until it is removed; the value
  /// has no meaning.
  case removed
  /// The page has the tag in the associated value, in normalized form; the value of the fact has no
  /// meaning.
  case tag(String)
  /// The page is a feed that has or had an item whose identifier has this digest; the value is
  /// `FeedItemRecord.value`.
  case feedItem(String)
  /// The page has a highlight with this name; the value is `Highlight.value`.
  case highlight(String)
  /// The record of a collection; the key of the fact is that of the collection, not of a page, and
  /// the value is `PageCollection.Record.text`.
  case collection
  /// The reading order of a collection; the value is `PageCollection.Order.text`.
  case order
  /// A device has added the page to a collection; the value is
  /// `CollectionMembership.Addition.text`.
  case member(of: String, device: String)
  /// The page was removed from a collection. `device` is the device that had added the page, and
  /// the value is the time of the addition, in milliseconds since 1970.
  case formerMember(of: String, device: String)

  private static let namedAttributes: [(name: String, attribute: LibraryAttribute)] = [
    ("kept", .pinned), ("title", .title), ("queued", .queued), ("read", .read),
    ("archived", .archived), ("note", .note), ("interval", .interval), ("feed", .feed),
    ("item", .item), ("hidden", .removed), ("address", .address), ("canonical", .canonical),
    ("local", .local), ("complete", .complete), ("handed", .fromProgram), ("again", .notBefore),
    ("failed", .failed), ("trip", .crawlScope),
    ("unconfirmed", .unconfirmed), ("refused", .rejections), ("frames", .frames),
    ("entries", .itemTitles), ("images", .missingImages),
    ("scheme", .schemeAssumed), ("collection", .collection), ("order", .order),
    ("read-call", .readCall),
  ]
  private static let tagPrefix = "tag:"
  static let highlightPrefix = "highlight:"
  static let itemPrefix = "guid:"
  static let memberPrefix = "in:"
  static let formerMemberPrefix = "out:"
  /// The attributes that exempt a page from eviction. Pages with a pending removal are included,
  /// because the removal may be undone.
  static let evictionExempt: [LibraryAttribute] = [.pinned, .item, .feed, .removed]

  /// Parses the representation in a journal; returns nil for attributes of later versions.
  package init?(text: String) {
    if text.hasPrefix(Self.tagPrefix) {
      guard let tag = Self.tag(String(text.dropFirst(Self.tagPrefix.count))) else { return nil }
      self = .tag(tag)
      return
    }
    if text.hasPrefix(Self.highlightPrefix) {
      let name = String(text.dropFirst(Self.highlightPrefix.count))
      guard Highlight.isValidName(name) else { return nil }
      self = .highlight(name)
      return
    }
    if text.hasPrefix(Self.itemPrefix) {
      let identity = text.dropFirst(Self.itemPrefix.count)
      guard FeedItemRecord.isDigest(identity) else { return nil }
      self = .feedItem(String(identity))
      return
    }
    if let (id, device) = Self.membership(text, after: Self.memberPrefix) {
      self = .member(of: id, device: device)
      return
    }
    if let (id, device) = Self.membership(text, after: Self.formerMemberPrefix) {
      self = .formerMember(of: id, device: device)
      return
    }
    guard let namedAttribute = Self.namedAttributes.first(where: { $0.name == text }) else {
      return nil
    }
    self = namedAttribute.attribute
  }

  /// The identifier of the collection to which a page was added, or from which it was removed; nil
  /// for other attributes.
  package var joinedCollection: String? {
    switch self {
    case .member(let id, _), .formerMember(let id, _): id
    default: nil
    }
  }

  /// The representation of the attribute in a journal.
  package var text: String {
    if case .tag(let tag) = self { return Self.tagPrefix + tag }
    if case .highlight(let name) = self { return Self.highlightPrefix + name }
    if case .feedItem(let identity) = self { return Self.itemPrefix + identity }
    if case .member(let id, let device) = self { return "\(Self.memberPrefix)\(id):\(device)" }
    if case .formerMember(let id, let device) = self {
      return "\(Self.formerMemberPrefix)\(id):\(device)"
    }
    return Self.namedAttributes.first { $0.attribute == self }?.name ?? ""
  }

  /// Parses the identifier of a collection and the name of a device after a prefix; returns nil for
  /// other text.
  private static func membership(
    _ text: String, after marker: String
  ) -> (id: String, device: String)? {
    guard text.hasPrefix(marker) else { return nil }
    let parts = text.dropFirst(marker.count).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, FeedItemRecord.isDigest(parts[0]) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// Returns the normalized form of a tag: in lower case, composed (Unicode NFC), with words
  /// separated by single spaces; nil if no word remains. White space, commas and control characters
  /// separate words.
  package static func tag(_ text: String) -> String? {
    let words = text.precomposedStringWithCanonicalMapping.lowercased()
      .split { $0.isWhitespace || $0 == "," || $0.unicodeScalars.contains { $0.value < 0x20 } }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Parses comma-separated tags.
  package static func tags(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { tag(String($0)) }
  }
}

extension LibraryChange {
  /// The changes to record for this change. If it pins or follows the page, or sets a tag or a
  /// note, a second change follows that cancels a pending removal.
  var withRemovalCancelled: [LibraryChange] {
    guard value != nil else { return [self] }
    switch attribute {
    case .pinned, .feed, .tag, .note: return [self, LibraryChange(key, .removed, nil)]
    default: return [self]
    }
  }
}

/// A change to be recorded: a fact without time and device.
package struct LibraryChange: Sendable, Hashable {
  /// The cache key of the page.
  package var key: String
  package var attribute: LibraryAttribute
  /// The value, or nil to remove the attribute.
  package var value: String?

  /// Returns the changes that record the URL of a page; empty if the URL is the same as the key.
  package static func address(_ url: String, of key: String) -> [LibraryChange] {
    let plain = WebURL(url)?.withoutFragment.withoutCredentials.description ?? key
    let url = LibraryPage.address(plain, of: key)
    return url == key ? [] : [LibraryChange(key, .address, url)]
  }

  package init(_ key: String, _ attribute: LibraryAttribute, _ value: String?) {
    self.key = key
    self.attribute = attribute
    self.value = value
  }
}

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
