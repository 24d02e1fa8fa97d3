import Foundation

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
