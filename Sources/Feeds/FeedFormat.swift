import DOM
import Foundation

/// The format of a feed.
package enum FeedFormat: String, Sendable, Equatable {
  /// RSS 0.91 to 0.94 and 2.0.
  case rss = "RSS"
  /// RSS 0.90 and 1.0, which are RDF.
  case rdf = "RSS 1.0"
  case atom = "Atom"
  case json = "JSON Feed"

  /// The number of bytes in which the start of a feed is searched for.
  private static let searchedLength = 4096

  /// Detects the format of a feed by its first bytes, regardless of its media type; nil if the
  /// content is not a feed.
  ///
  /// Comments, empty lines and PHP warnings before the feed are ignored.
  /// - Parameter bytes: the content, in any encoding.
  package init?(of bytes: [UInt8]) {
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      self.init(ofText: bytes)
      return
    }
    var start = Array(bytes.prefix(Self.searchedLength))
    // Only the ASCII characters matter, which all supported encodings except UTF-16 encode as
    // single bytes.
    if start.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) {
      start = CharacterEncoding.detect(start, charset: nil, isMarkup: false).decode(start)
    }
    self.init(ofText: start)
  }

  /// Detects the format of a feed in UTF-8; nil if the text is not a feed.
  package init?(ofText text: [UInt8]) {
    var start = text.prefix(Self.searchedLength)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 <= 0x20 }
    if start.first == UInt8(ascii: "{") {
      // The members of an object have no order, and `/` may be escaped (RFC 8259 §4 and §7).
      guard
        text.contains("jsonfeed.org/version".utf8) || text.contains(#"jsonfeed.org\/version"#.utf8)
      else { return nil }
      self = .json
      return
    }
    guard start.first == UInt8(ascii: "<") else { return nil }
    var isComment = false
    for index in start.indices {
      let byte = start[index]
      if isComment, byte == UInt8(ascii: ">") {
        isComment = !start[..<index].suffix(2).elementsEqual("--".utf8)
      }
      guard byte == UInt8(ascii: "<"), !isComment else { continue }
      let name = start[(index + 1)...].prefix(24).prefix {
        $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      let word = String(decoding: name, as: UTF8.self).lowercased()
      switch word.split(separator: ":").last.map(String.init) ?? "" {
      case "rss", "channel": self = .rss
      case "rdf": self = .rdf
      case "feed": self = .atom
      case "!doctype" where !Self.isPage(start[index...]): continue
      case "br", "b", "", "!entity", "!element", "!attlist": continue
      case let word where word.hasPrefix("?"): continue
      case let word where word.hasPrefix("!--"):
        isComment = true
        continue
      default: return nil
      }
      return
    }
    return nil
  }

  private static func isPage(_ declaration: ArraySlice<UInt8>) -> Bool {
    String(decoding: declaration.prefix(24), as: UTF8.self).lowercased()
      .hasPrefix("<!doctype html")
  }
}
