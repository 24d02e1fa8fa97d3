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

  /// The number of bytes outside comments that are searched for the start of a feed.
  private static let searchedLength = 4096
  /// The number of bytes of UTF-16 text that are decoded to search for the start of a feed.
  private static let decodedPrefixLength = 1 << 16

  /// Detects the format of a feed from its first bytes, regardless of its media type; returns nil
  /// if the content is not a feed.
  ///
  /// Comments, empty lines and PHP warnings before the feed are ignored; other text is ignored if a
  /// complete feed follows.
  /// - Parameter bytes: the content, in any encoding.
  package init?(of bytes: [UInt8]) {
    // Only the ASCII characters matter, which all supported encodings except UTF-16 encode as
    // single bytes.
    guard bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "{"),
      bytes.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE })
    else {
      self.init(ofText: bytes)
      return
    }
    let start = Array(bytes.prefix(Self.decodedPrefixLength))
    let encoding = CharacterEncoding.detect(start, charset: nil, isMarkup: false)
    self.init(ofText: encoding.decode(start))
  }

  /// Detects the format of a feed in UTF-8; returns nil if the text is not a feed.
  package init?(ofText text: [UInt8]) {
    var start = text[...]
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 <= 0x20 }
    if start.first == UInt8(ascii: "{") {
      // The members of a JSON object have no order, and `/` may be escaped (RFC 8259 §4 and §7).
      guard
        text.contains("jsonfeed.org/version".utf8) || text.contains(#"jsonfeed.org\/version"#.utf8)
      else { return nil }
      self = .json
      return
    }
    guard let root = Self.root(of: start) else { return nil }
    // A text about feeds may contain the start tag of one, so an end tag is required after other
    // text, and after the document type of a page.
    guard
      start.first == UInt8(ascii: "<") && !root.isDeclaredAsPage
        || Self.hasEndTag(root.name, in: text)
    else { return nil }
    self = root.format
  }

  /// The root element of a feed.
  private struct Root {
    var name: String
    var format: FeedFormat
    /// Whether the document type is HTML, which some servers write before every text.
    var isDeclaredAsPage: Bool
  }

  /// Returns the root element of a feed; nil if another element comes first.
  private static func root(of text: ArraySlice<UInt8>) -> Root? {
    var rest = text
    var length = searchedLength
    var isPage = false
    while let tag = rest.prefix(length).firstIndex(of: UInt8(ascii: "<")) {
      length -= tag - rest.startIndex + 1
      rest = text[(tag + 1)...]
      if rest.starts(with: "!--".utf8) {
        guard let end = endOfComment(in: rest) else { return nil }
        rest = text[end...]
        continue
      }
      let name = rest.prefix(24).prefix {
        $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      let word = String(decoding: name, as: UTF8.self).lowercased()
      switch word.split(separator: ":").last.map(String.init) ?? "" {
      case "rss", "channel": return Root(name: word, format: .rss, isDeclaredAsPage: isPage)
      case "rdf": return Root(name: word, format: .rdf, isDeclaredAsPage: isPage)
      case "feed": return Root(name: word, format: .atom, isDeclaredAsPage: isPage)
      // A document may be a single entry (RFC 4287 §2). Other formats have such elements, too.
      case "entry" where declaresAtom(rest):
        return Root(name: word, format: .atom, isDeclaredAsPage: isPage)
      case "!doctype": isPage = isPage || declaresPage(text[tag...])
      case "br", "b", "", "!entity", "!element", "!attlist": continue
      case let word where word.hasPrefix("?"): continue
      default: return nil
      }
    }
    return nil
  }

  /// Returns whether the start tag with which a text begins, apart from the `<` before the text,
  /// declares the namespace of Atom.
  private static func declaresAtom(_ text: ArraySlice<UInt8>) -> Bool {
    let tag = text.prefix(searchedLength).prefix { $0 != UInt8(ascii: ">") }
    return String(decoding: tag, as: UTF8.self).split { "\"'".contains($0) }
      .contains { FeedVocabulary(namespace: String($0)) == .atom }
  }

  /// Returns the index after the comment with which a text begins, apart from the `<` before the
  /// text; nil if the comment is not closed.
  private static func endOfComment(in text: ArraySlice<UInt8>) -> Int? {
    var rest = text.dropFirst(3)
    while let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      if text[..<end].suffix(2).elementsEqual("--".utf8) { return end + 1 }
      rest = rest[(end + 1)...]
    }
    return nil
  }

  /// Returns whether a text ends with the end tag of an element, ignoring comments after the tag.
  private static func hasEndTag(_ name: String, in text: [UInt8]) -> Bool {
    var end = text[...]
    while true {
      while let last = end.last, last <= 0x20 { end.removeLast() }
      guard end.suffix(3).elementsEqual("-->".utf8),
        let start = end.lastIndex(of: UInt8(ascii: "<")),
        end[start...].starts(with: "<!--".utf8)
      else { break }
      end = end[..<start]
    }
    let tag = end.lastIndex(of: UInt8(ascii: "<")).map { end[$0...].prefix(64) } ?? []
    return String(decoding: tag.filter { $0 > 0x20 }, as: UTF8.self).lowercased() == "</\(name)>"
  }

  /// Returns whether a document type is HTML.
  private static func declaresPage(_ declaration: ArraySlice<UInt8>) -> Bool {
    String(decoding: declaration.prefix(24), as: UTF8.self).lowercased()
      .hasPrefix("<!doctype html")
  }
}
