package import Foundation
import OfflineCache

/// One thing that a person, or the program for them, has said of a page: that it is kept, that it
/// has a tag, that it waits in the queue.
///
/// Facts only follow each other. Of two about the same attribute of the same page the later one
/// counts, so any number of machines can put theirs together in any order and come to the same.
package struct LibraryFact: Sendable, Equatable {
  /// The page: its cache key.
  package var key: String
  /// What is said of it.
  package var attribute: LibraryAttribute
  /// The value, or nil when it is taken back.
  package var value: String?
  /// When it was said, in milliseconds since 1970.
  package var date: Int64
  /// The machine on which it was said.
  package var machine: String
  /// The digest of the key as the journal spells it, which removals use, if that differs from
  /// `CacheKey.normalised`; nil otherwise.
  package var otherDigest: String?

  /// Makes a fact; see the members.
  package init(
    key: String, attribute: LibraryAttribute, value: String?, date: Int64, machine: String
  ) {
    self.key = key
    self.attribute = attribute
    self.value = value
    self.date = date
    self.machine = machine
  }

  /// Whether this fact counts, and not another about the same attribute of the same page: the later
  /// one; of two at the same time that of the machine whose name sorts last, and of one machine's
  /// the one that was written last.
  package func supersedes(_ other: LibraryFact) -> Bool {
    (date, machine) >= (other.date, other.machine)
  }
}

/// What can be said of a page. The text of each is what a journal has.
package enum LibraryAttribute: Sendable, Hashable {
  /// It is kept: exempt from limits, refreshed by `sync`. Any value.
  case kept
  /// Its title when it was kept.
  case title
  /// It waits to be fetched; the value is the URL of the page it was found on, or empty.
  case queued
  /// It was read. Any value.
  case read
  /// It was put aside, out of the list of what is to be read. Any value.
  case archived
  /// A person's own words on it.
  case note
  /// How often it is refreshed, in seconds.
  case interval
  /// It is a feed whose new items are saved; the value is how many items stay, or empty.
  case feed
  /// It came as an item of a feed, whose key is the value, and stays as long as it is one of the
  /// last.
  case item
  /// Its URL, where that is not its key.
  case address
  /// The key of its canonical URL, where that is another one; written by earlier versions only.
  case canonical
  /// It may be of a network of one's own, as the feed that named it was. Any value; it counts on
  /// the machine that says it, as others stand in other networks.
  case local
  /// Its style sheets, scripts and fonts are kept with it. Any value.
  case complete
  /// Another program has handed its address over, unasked for by anything here. Any value.
  case handedOver
  /// It waits in the queue and is not asked for before; the value is a time, in seconds since 1970.
  case again
  /// It did not come when it was last asked for, and asking again hardly helps; the value tells
  /// why.
  case failed
  /// How far its links were followed when it was kept; see `CrawlScope`.
  case trip
  /// It is unknown whether the saved copy came from its site or a captive portal, so it is
  /// requested again. Any value.
  case unconfirmed
  /// A response was not trusted as the page; the value has the days (`Refusals`).
  case refused
  /// The frames, and the target of an automatic redirect, without which the page cannot be read;
  /// the value holds their keys, one per line.
  case frames
  /// It waits to be removed and is hidden until then. Any value.
  case removed
  /// It has a tag. Any value.
  case tag(String)
  /// It is a feed and has had an item whose identity has this digest; the value is what
  /// `FeedItemRecord.value` gives.
  case feedItem(String)
  /// A passage of it is kept, under this name; the value is what `Highlight.value` gives.
  case highlight(String)

  private static let named: [(name: String, attribute: LibraryAttribute)] = [
    ("kept", .kept), ("title", .title), ("queued", .queued), ("read", .read),
    ("archived", .archived), ("note", .note), ("interval", .interval), ("feed", .feed),
    ("item", .item), ("hidden", .removed), ("address", .address), ("canonical", .canonical),
    ("local", .local), ("complete", .complete), ("handed", .handedOver), ("again", .again),
    ("failed", .failed), ("trip", .trip),
    ("unconfirmed", .unconfirmed), ("refused", .refused), ("frames", .frames),
  ]
  private static let tagMark = "tag:"
  static let highlightMark = "highlight:"
  static let itemMark = "guid:"
  /// What makes a page exempt from limits: also what waits to be removed may still be wanted.
  static let keeping: [LibraryAttribute] = [.kept, .item, .feed, .removed]

  /// Reads what a journal has; nil for words of a later version.
  package init?(text: String) {
    if text.hasPrefix(Self.tagMark) {
      guard let tag = Self.tag(String(text.dropFirst(Self.tagMark.count))) else { return nil }
      self = .tag(tag)
      return
    }
    if text.hasPrefix(Self.highlightMark) {
      let name = String(text.dropFirst(Self.highlightMark.count))
      guard Highlight.isName(name) else { return nil }
      self = .highlight(name)
      return
    }
    if text.hasPrefix(Self.itemMark) {
      let identity = text.dropFirst(Self.itemMark.count)
      guard FeedItemRecord.isDigest(identity) else { return nil }
      self = .feedItem(String(identity))
      return
    }
    guard let found = Self.named.first(where: { $0.name == text }) else { return nil }
    self = found.attribute
  }

  /// The text that a journal has.
  package var text: String {
    if case .tag(let tag) = self { return Self.tagMark + tag }
    if case .highlight(let name) = self { return Self.highlightMark + name }
    if case .feedItem(let identity) = self { return Self.itemMark + identity }
    return Self.named.first { $0.attribute == self }?.name ?? ""
  }

  /// The form in which a tag is kept: small letters, composed (Unicode NFC), without white space
  /// around it and with one space for each within; nil when nothing is left.
  package static func tag(_ text: String) -> String? {
    let words = text.precomposedStringWithCanonicalMapping.lowercased()
      .split { $0.isWhitespace || $0 == "," || $0.unicodeScalars.contains { $0.value < 0x20 } }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The tags that were typed, with commas between them.
  package static func tags(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { tag(String($0)) }
  }
}

extension LibraryChange {
  /// The change, and what it means for a page that was put out of sight: who keeps it, or follows
  /// it, has it back.
  var withReturn: [LibraryChange] {
    guard value != nil, attribute == .kept || attribute == .feed else { return [self] }
    return [self, LibraryChange(key, .removed, nil)]
  }
}

/// What is to be said of a page: a fact without the time and place.
package struct LibraryChange: Sendable, Hashable {
  /// The page: its cache key.
  package var key: String
  /// What is said of it.
  package var attribute: LibraryAttribute
  /// The value, or nil to take it back.
  package var value: String?

  /// What is to be said of the URL of a page: nothing where it is the key.
  package static func address(_ url: String, of key: String) -> [LibraryChange] {
    let plain = WebURL(url)?.withoutFragment.withoutCredentials.description ?? key
    let url = LibraryPage.address(plain, of: key)
    return url == key ? [] : [LibraryChange(key, .address, url)]
  }

  /// Makes a change; see the members.
  package init(_ key: String, _ attribute: LibraryAttribute, _ value: String?) {
    self.key = key
    self.attribute = attribute
    self.value = value
  }
}

/// A page of the library, as all facts together say.
package struct LibraryPage: Sendable, Equatable {
  /// The page: its cache key.
  package var key: String
  /// Since when it is kept, or nil.
  package var kept: Date?
  /// Its title when it was kept, or empty.
  package var title = ""
  /// Its tags, sorted.
  package var tags: [String] = []
  /// Since when it waits in the queue, or nil.
  package var queued: Date?
  /// The page on which the queued link was found, or empty.
  package var queuedFrom = ""
  /// When it was read, or nil.
  package var read: Date?
  /// Whether it was put aside.
  package var isArchived = false
  /// A person's own words, or empty.
  package var note = ""
  /// How often it is refreshed, in seconds, or nil for the default.
  package var interval: TimeInterval?
  /// Its URL.
  package var url: String
  /// The key of its canonical address, where that is another one, or empty.
  package var canonical = ""
  /// Whether it is a feed that is followed.
  package var isFeed = false
  /// How many of its items stay (0 for all), or nil for the default.
  package var feedItems: Int?
  /// The key of the feed whose item it is, or empty.
  package var feed = ""
  /// Before when it is not asked for, or nil.
  package var askAgain: Date?
  /// Why it did not come when it was last asked for, where asking again hardly helps, or empty.
  package var failure = ""
  /// Since when that is so, or nil.
  package var failedSince: Date?
  /// How far its links were followed when it was kept, as `CrawlScope` writes it, or empty.
  package var trip = ""
  /// Whether the saved copy may have come from a captive portal.
  package var isUnconfirmed = false
  /// On which days a response was not trusted as the page, since the last one that was.
  package var refusals = Refusals()
  /// Since when it waits to be removed, or nil.
  package var removed: Date?
  /// The passages of it that are kept, as they stood on it.
  package var highlights: [Highlight] = []
  /// Whether its style sheets, scripts and fonts are kept with it.
  package var isComplete = false
  /// When another program has handed its address over, or nil.
  package var handedOver: Date?

  /// Whether it is there to be read and was not yet.
  package var isUnread: Bool {
    (kept != nil || !feed.isEmpty) && !isFeed && read == nil && !isArchived
  }

  /// Makes a page of which nothing is said.
  package init(key: String) {
    self.key = key
    url = key
  }

  /// The address under which a page is listed and asked for: without parameters that only tell by
  /// which link somebody came, where its key has none of that either.
  /// - Parameters:
  ///   - url: its URL as it was named.
  ///   - key: its cache key.
  /// - Returns: the address.
  package static func address(_ url: String, of key: String) -> String {
    guard let named = WebURL(url), let known = WebURL(key), known.withoutTracking == known else {
      return url
    }
    let clean = named.withoutTracking
    return clean == named ? url : clean.description
  }

  /// Takes a fact into account. No two may be about the same attribute.
  /// Any device may have written a value: the longest interval (a thousand years) and the latest
  /// time (the year 9999) that are taken, in seconds.
  private static let longestInterval: TimeInterval = 31_557_600_000
  private static let latest: TimeInterval = 253_402_300_799

  mutating func take(_ attribute: LibraryAttribute, _ value: String, at milliseconds: Int64) {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    switch attribute {
    case .kept: kept = date
    case .title: title = value
    case .queued: (queued, queuedFrom) = (date, value)
    case .read: read = date
    case .archived: isArchived = true
    case .note: note = value
    case .interval:
      interval = TimeInterval(value).flatMap { $0 > 0 && $0 <= Self.longestInterval ? $0 : nil }
    case .feed: (isFeed, feedItems) = (true, Int(value).map { max(0, $0) })
    case .item: feed = value
    case .removed: removed = date
    case .address: url = Self.address(value, of: key)
    case .canonical: canonical = value
    case .local, .feedItem, .frames: break
    case .highlight(let name):
      guard let highlight = Highlight(id: name, value: value) else { return }
      highlights.append(highlight)
      highlights.sort { ($0.place, $0.id) < ($1.place, $1.id) }
    case .complete: isComplete = true
    case .handedOver: handedOver = date
    case .again:
      askAgain = TimeInterval(value).flatMap {
        abs($0) <= Self.latest ? Date(timeIntervalSince1970: $0) : nil
      }
    case .failed: (failure, failedSince) = (value, date)
    case .trip: trip = value
    case .unconfirmed: isUnconfirmed = true
    case .refused: refusals = Refusals(text: value)
    case .tag(let tag):
      let place = tags.firstIndex { $0 >= tag } ?? tags.endIndex
      if place == tags.endIndex || tags[place] != tag { tags.insert(tag, at: place) }
    }
  }
}
