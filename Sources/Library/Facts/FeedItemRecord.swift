package import Foundation
import WARC

/// What is known of an item of a feed: enough to recognise it when its link or its guid changes.
///
/// It is a fact about the feed, so it stays when the item's page is removed; it names the page by a
/// digest.
package struct FeedItemRecord: Sendable, Equatable {
  /// A digest of what the feed identifies the item by.
  package var identity: String
  /// A digest of the cache key of its page.
  package var page: String
  /// When the item was published, in seconds since 1970, or nil.
  package var date: Int64?
  /// A digest of its title.
  package var title: String

  /// Makes a record of an item as its feed has it now.
  /// - Parameters:
  ///   - identity: what the feed identifies it by (see `FeedItem.id`).
  ///   - page: the cache key of its page.
  ///   - date: when it was published, or nil.
  ///   - title: its title.
  package init(identity: String, page: String, date: Date?, title: String) {
    self.identity = Self.digest(of: identity)
    self.page = Self.digest(of: page)
    self.date = date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded()) }
    self.title = Self.digest(of: title)
  }

  /// Reads a fact; nil unless it is one of these.
  init?(identity: String, value: String) {
    let parts = value.split(separator: " ").map(String.init)
    guard Self.isDigest(identity), parts.count == 3, Self.isDigest(parts[1]),
      Self.isDigest(parts[2])
    else { return nil }
    (self.identity, date, title, page) = (identity, Int64(parts[0]), parts[1], parts[2])
  }

  /// The value of its fact: date, title and page.
  package var value: String { "\(date.map { "\($0)" } ?? "-") \(title) \(page)" }

  /// The digest that stands for a text.
  package static func digest(of text: String) -> String {
    Hexadecimal.text(DigestBuilder.bytes(of: text.utf8, .sha256).prefix(8))
  }

  /// Whether a text is such a digest.
  static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Title and date together; nil where the item lacks one of them.
  var event: String? {
    title == Self.noTitle ? nil : date.map { "\($0) \(title)" }
  }

  private static let noTitle = digest(of: "")

  /// Whether this item certainly is another one: it is newer and has another title.
  func isOther(than old: FeedItemRecord) -> Bool {
    guard title != old.title, let date, let before = old.date else { return false }
    return date > before
  }
}
