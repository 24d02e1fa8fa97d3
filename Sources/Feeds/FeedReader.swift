import Foundation
import DOM
import OfflineCache

extension Feed {
  /// The maximum number of items of a feed that are read.
  static let maxItems = 20_000
  /// The maximum number of nodes (elements and text nodes, or JSON values) of a feed that are read:
  /// enough for twenty thousand items with fifty nodes each.
  static let maxNodes = 1 << 20

  /// Parses a feed in any format, regardless of its media type, tolerating errors. Returns nil if
  /// the content is not a feed.
  /// - Parameters:
  ///   - bytes: the content.
  ///   - charset: the encoding according to the server, or nil.
  ///   - url: the URL of the feed, or empty.
  package init?(_ bytes: consuming [UInt8], charset: String? = nil, url: String = "") {
    let encoding = CharacterEncoding.detect(bytes, charset: charset, isMarkup: false)
    let text = encoding.decode(bytes)
    guard let format = FeedFormat(ofText: text) else { return nil }
    switch format {
    case .json:
      var reader = JSONParser(text, maxValues: Self.maxNodes)
      guard let json = reader.parseValue(depth: 0) else { return nil }
      self = JSONFeedParser(json, url: url).feed
      if !items.isEmpty { items[items.count - 1].isCutOff = reader.isCutOff }
      isTruncated = isTruncated || reader.hasReachedMaxValues
    case .rss, .rdf, .atom:
      guard let feed = XMLFeedParser(text, format: format, url: url).feed else { return nil }
      self = feed
    }
    self.encoding = encoding.name
    for index in items.indices { items[index].guid = items[index].id }
    assignItemIDs()
  }

  /// Returns whether the content of this feed, in any encoding, is truncated before the first item:
  /// the feed has no items, and its root element has no end tag.
  package func isCutOffBeforeItems(in content: [UInt8]) -> Bool {
    guard items.isEmpty, format != .json else { return false }
    // The end is converted to lower case, and the zero bytes of UTF-16 are removed. A comment may
    // follow the end tag.
    let end = content.suffix(Self.endLength).filter { $0 > 0x20 }.map { $0 | 0x20 }
    let endTags = ["</rss", "</rdf", "</feed", "</channel", ":rdf>", ":feed>", ":channel>"]
    return !end.suffix(2).elementsEqual("/>".utf8)
      && !endTags.contains { end.contains($0.utf8) }
  }

  /// The number of bytes at the end of a feed in which the end tag is searched for.
  private static let endLength = 4096
}
