package import Foundation
import WARC

/// The recorded properties of a feed item, by which the item is recognized if its link or its guid
/// changes.
///
/// The record is a fact about the feed, so it remains when the item's page is removed; therefore it
/// contains only a digest of the page's key.
package struct FeedItemRecord: Sendable, Equatable {
  /// A digest of the identifier of the item in the feed.
  package var identity: String
  /// A digest of the cache key of the item's page.
  package var page: String
  /// The time when the item was published, in seconds since 1970; nil if unknown.
  package var date: Int64?
  /// A digest of the title of the item.
  package var title: String
  /// Whether the item has neither guid nor link, so that its identifier contains its text and
  /// changes with it. This is not stored.
  package var isIdentifiedByText = false

  /// Creates a record of an item in the current feed.
  /// - Parameters:
  ///   - identity: the identifier in the feed (see `FeedItem.id`).
  ///   - page: the cache key of the item's page.
  ///   - date: the time when the item was published; nil if unknown.
  ///   - title: the title of the item.
  package init(identity: String, page: String, date: Date?, title: String) {
    self.identity = Self.digest(of: identity)
    self.page = Self.digest(of: page)
    self.date = date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded()) }
    self.title = Self.digest(of: title)
  }

  /// Parses the identity and the value of a fact; returns nil if they do not have the format of
  /// `identity` and `value`.
  init?(identity: String, value: String) {
    let parts = value.split(separator: " ").map(String.init)
    guard Self.isDigest(identity), parts.count == 3, Self.isDigest(parts[1]),
      Self.isDigest(parts[2])
    else { return nil }
    (self.identity, date, title, page) = (identity, Int64(parts[0]), parts[1], parts[2])
  }

  /// The value of the fact that represents the record: date, title and page.
  package var value: String { "\(date.map { "\($0)" } ?? "-") \(title) \(page)" }

  /// Returns the digest that represents a text.
  package static func digest(of text: String) -> String {
    Hexadecimal.text(DigestBuilder.bytes(of: text.utf8, .sha256).prefix(8))
  }

  /// Returns whether a text has the format of a result of `digest(of:)`.
  static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether only the title shows that this is another version of an earlier item.
  package var isIdentifiedByTitle: Bool { isIdentifiedByText && date == nil }

  /// The title and the date, if there is one; nil if the item has no title.
  var titleAndDate: String? {
    title == Self.noTitle ? nil : "\(date.map { "\($0)" } ?? "-") \(title)"
  }

  private static let noTitle = digest(of: "")

  /// Returns whether this item has the same title as `old`, and the same date unless one of the
  /// dates is unknown.
  func isSame(as old: FeedItemRecord) -> Bool {
    title == old.title && title != Self.noTitle
      && (date == old.date || date == nil || old.date == nil)
  }

  /// Returns whether this is a later version of the item `old`, which has the same identifier: its
  /// page is the same, and it has another title or a later date.
  package func isCorrection(of old: FeedItemRecord) -> Bool {
    guard page == old.page else { return false }
    guard let date, let before = old.date else { return title != old.title }
    return date > before || title != old.title
  }

  /// Returns whether this item is certainly a different one than `old`, because it is newer and has
  /// another title.
  func isOther(than old: FeedItemRecord) -> Bool {
    guard title != old.title, let date, let before = old.date else { return false }
    return date > before
  }

  /// Returns whether this item is probably a different one than `old`, which has the same
  /// identifier but another link. This is the case if the title is different and, unless one of the
  /// dates is unknown, the date is later.
  func isProbablyOther(than old: FeedItemRecord) -> Bool {
    guard title != old.title else { return false }
    guard let date, let before = old.date else { return true }
    return date > before
  }
}
