import WARC

/// The URL of an item of a feed that has no page of its own: `feed-item://` and the first 32 digits
/// of a digest of the feed and the item. It is the same on every device. The text of such an item
/// is in the saved versions of its feed, so the archive has no responses for the URL.
package struct FeedItemAddress: Sendable, Equatable {
  package static let scheme = "feed-item"
  private static let digits = 32

  /// The key of the item in the library, which is also its URL: `feed-item://0a1b…/`.
  package let key: String

  /// Creates the URL of an item.
  /// - Parameters:
  ///   - identity: the identifier of the item in the feed (see `FeedItem.id`).
  ///   - feed: the cache key of the feed.
  package init(ofItem identity: String, in feed: String) {
    let digest = DigestBuilder.bytes(of: (feed + "\n" + identity).utf8, .sha256)
    key = "\(Self.scheme)://\(Hexadecimal.text(digest).prefix(Self.digits))/"
  }

  /// Parses the URL of an item; nil for any other URL.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let url = WebURL(text), url.scheme == Self.scheme,
      let host = url.host, host.utf8.count == Self.digits,
      host.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    key = "\(Self.scheme)://\(host)/"
  }
}
