import DOM
import Foundation
import Formats
import OfflineCache

/// An element of a feed, with the properties that the element inherits from its ancestors.
struct FeedElement {
  /// The element of the XML tree.
  let xml: XMLElement
  let name: String
  let vocabulary: FeedVocabulary
  /// The absolute base URL of references in the element, or empty.
  let base: String
  /// Whether the base URL comes from an `xml:base`.
  let hasOwnBase: Bool
  /// The language of the element (BCP 47), or empty.
  let language: String
  /// The vocabulary of the default namespace.
  private let defaultVocabulary: FeedVocabulary
  /// The vocabularies of the declared prefixes.
  private let prefixes: [String: FeedVocabulary]

  /// Creates the element that contains a whole feed.
  /// - Parameters:
  ///   - root: the root node of the XML tree.
  ///   - url: the URL of the feed, or empty.
  init(root: XMLElement, url: String) {
    xml = root
    name = ""
    vocabulary = .plain
    base = url
    hasOwnBase = false
    language = ""
    defaultVocabulary = .plain
    prefixes = [:]
  }

  private init(_ xml: XMLElement, in outer: FeedElement) {
    self.xml = xml
    name = xml.name
    var unprefixed = outer.defaultVocabulary
    var prefixes = outer.prefixes
    var base = outer.base
    var hasOwnBase = outer.hasOwnBase
    var language = outer.language
    for (name, value) in xml.attributes {
      switch name.lowercased() {
      case "xmlns":
        // Some RSS feeds declare the namespace of an extension as the default one.
        let isRSS = Self.rssElementNames.contains(xml.name)
        unprefixed = isRSS ? .plain : FeedVocabulary(namespace: value) ?? .plain
      case "xml:base":
        if let resolved = WebURL.resolve(value, against: base) {
          base = resolved
          hasOwnBase = true
        }
      case "xml:lang": language = value.oneLine
      case let name where name.hasPrefix("xmlns:"):
        prefixes[String(name.dropFirst(6))] = FeedVocabulary(namespace: value)
      default: break
      }
    }
    let prefix = xml.prefix.lowercased()
    vocabulary =
      prefix.isEmpty ? unprefixed : prefixes[prefix] ?? FeedVocabulary(prefix: prefix)
    self.base = base
    self.hasOwnBase = hasOwnBase
    self.language = language
    self.defaultVocabulary = unprefixed
    self.prefixes = prefixes
  }

  /// The names of elements that exist only in RSS. Elements without a prefix inside them belong to
  /// RSS as well.
  private static let rssElementNames: Set<String> = ["rss", "channel", "item"]

  var children: some Sequence<FeedElement> {
    xml.children.lazy.map { FeedElement($0, in: self) }
  }

  /// Returns the first RSS or Atom child with a name; nil if there is none.
  func child(_ name: String) -> FeedElement? {
    children.first { $0.name == name && ($0.vocabulary == .plain || $0.vocabulary == .atom) }
  }

  /// Returns the first descendant with a name in document order, at most `maxDepth` levels below;
  /// nil if there is none.
  func descendant(_ name: String, maxDepth: Int = 6) -> FeedElement? {
    for child in children {
      if child.name == name { return child }
      if maxDepth > 1, let found = child.descendant(name, maxDepth: maxDepth - 1) { return found }
    }
    return nil
  }

  /// The text of the element and its descendants.
  var text: String { xml.text.withoutCDATADelimiters }

  /// The text on one line.
  var line: String { text.oneLine }

  /// The text on one line, without inline markup.
  var lineWithoutInlineMarkup: String { text.withoutInlineMarkup.oneLine }

  /// Returns the absolute URL of a reference in the element; nil if it is missing or not an http(s)
  /// URL. If the element has no `xml:base`, the reference is resolved against `fallbackBase`, if
  /// given.
  func url(_ reference: String?, against fallbackBase: String? = nil) -> String? {
    webURL(reference, against: fallbackBase)?.description
  }

  /// Returns the URL of a reference as `url(_:against:)` does.
  func webURL(_ reference: String?, against fallbackBase: String? = nil) -> WebURL? {
    let base = hasOwnBase ? self.base : fallbackBase ?? self.base
    guard let reference, !reference.isEmpty,
      let url = WebURL(Self.corrected(reference, against: base), against: base), url.isWeb
    else { return nil }
    return url
  }

  /// Returns a reference that is an absolute URL for another program, such as `magnet:` or
  /// `gemini:`; nil for other text, and for schemes whose URLs are content.
  func externalURL(_ reference: String?) -> String? {
    guard let reference = reference?.oneLine, let colon = reference.firstIndex(of: ":"),
      case let scheme = reference[..<colon].lowercased(), Self.externalSchemes.contains(scheme)
    else { return nil }
    return reference
  }

  private static let externalSchemes: Set<String> = [
    "ed2k", "ftp", "ftps", "gemini", "gopher", "ipfs", "ipns", "magnet", "mailto", "news", "nntp",
    "rtmp", "rtsp", "sftp", "spotify", "tel", "titan", "xmpp",
  ]

  /// Returns a reference with common errors of feeds corrected: ampersands that are escaped twice
  /// are decoded, and a URL without a scheme that begins with `www.` gets the scheme of the base.
  private static func corrected(_ reference: String, against base: String) -> String {
    let reference = reference.withUnescapedAmpersands
    guard reference.prefix(4).lowercased() == "www." else { return reference }
    let host = reference.prefix { !"/?#:".contains($0) }
    guard host.count(where: { $0 == "." }) > 1, !host.contains(" ") else { return reference }
    return (base.hasPrefix("http:") ? "http://" : "https://") + reference
  }

  /// The text as an absolute http(s) URL; nil if it is not one.
  var absoluteURL: String? { WebURL(line).flatMap { $0.isWeb ? $0.description : nil } }

  /// Returns the content as HTML: the source of the child elements if there are any, otherwise the
  /// text, which is assumed to be escaped HTML; nil if the element is empty.
  func markup(base fallbackBase: String?) -> FeedItem.Markup? {
    let base = hasOwnBase ? base : fallbackBase ?? base
    if xml.hasElements {
      let source = String(decoding: xml.source, as: UTF8.self)
      // A CDATA section may occur beside child elements.
      guard !source.contains("<![CDATA[") else {
        return FeedItem.Markup(html: xml.text, base: base).nilIfBlank
      }
      let prefix = xml.children.first { _ in true }?.prefix ?? ""
      let html =
        prefix.isEmpty
        ? source
        : source.replacing("<\(prefix):", with: "<").replacing("</\(prefix):", with: "</")
      return FeedItem.Markup(html: html, isXML: true, base: base).nilIfBlank
    }
    return FeedItem.Markup(html: text.withoutRepeatedEscape, base: base).nilIfBlank
  }

  /// Returns content that is declared as plain text as HTML; nil if the element is empty. In spite
  /// of the declaration, content with child elements is treated as HTML, and so is text without a
  /// media type that looks like HTML.
  func textMarkup(mediaType: String?, base fallbackBase: String?) -> FeedItem.Markup? {
    guard !xml.hasElements, mediaType != nil || !text.looksLikeHTML else {
      return markup(base: fallbackBase)
    }
    // Descriptions of Media RSS are often escaped twice.
    let text = vocabulary == .media ? xml.text.withoutCharacterReferences : xml.text
    guard text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    return FeedItem.Markup(
      text: text, mediaType: mediaType ?? "text/plain",
      base: hasOwnBase ? base : fallbackBase ?? base)
  }

  /// Returns an RSS text that has no tags as HTML in which line breaks are kept and URLs are links.
  /// Returns nil for HTML, for a single line without a URL, and if all lines after the first are
  /// indented, because such line breaks only format the XML.
  func lineMarkup(base fallbackBase: String?) -> FeedItem.Markup? {
    guard !xml.hasElements else { return nil }
    let text = self.text.withoutRepeatedEscape.replacing("\r\n", with: "\n")
      .replacing("\r", with: "\n")
    let lines = text.split(separator: "\n").filter { $0.utf8.contains { $0 > 0x20 } }
    guard lines.count > 1 || text.contains("://"), !text.hasTag else { return nil }
    guard lines.count <= 1 || lines.dropFirst().contains(where: { $0.first?.isWhitespace == false })
    else { return nil }
    return FeedItem.Markup(
      text: text.withoutCharacterReferences, base: hasOwnBase ? base : fallbackBase ?? base)
  }
}

extension String {
  /// A title, which may be HTML, as plain text: inline tags are removed and character references
  /// replaced. Other tags are kept, because the title may be about them.
  var withoutInlineMarkup: String {
    // Tags such as `<div>` and `<h2>` around a title are markup; without an end tag, the title is
    // about such a tag. Most titles have no tags and are not searched.
    lazy var enclosing = Self.enclosingElementNames.filter {
      range(of: "</\($0)", options: .caseInsensitive) != nil
    }
    return withoutTags { name in
      Self.inlineElementNames.contains(name)
        || Self.enclosingElementNames.contains(name) && enclosing.contains(name)
    }
  }

  /// A name, which may be HTML, as plain text on one line. An e-mail address between `<` and `>` is
  /// kept.
  var withoutMarkup: String {
    // Some feeds escape the HTML twice.
    withoutTags { _ in true }.withoutTags { _ in true }.oneLine
  }

  /// Returns the text without the tags of some elements, with character references replaced.
  /// - Parameter isRemoved: returns whether the tags of an element are removed, given the start of
  ///   its name.
  /// - Returns: the text.
  private func withoutTags(_ isRemoved: (String) -> Bool) -> String {
    guard utf8.contains(UInt8(ascii: "<")) else { return withoutCharacterReferences }
    var result = ""
    var rest = self[...]
    while let separator = rest.firstIndex(of: "<") {
      result += rest[..<separator]
      let tag = rest[separator...].dropFirst()
      // No element name of interest has more than ten characters.
      let tagStart = (tag.first == "/" ? tag.dropFirst() : tag).prefix(11)
      let name = tagStart.prefix(10).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let characterAfterName = tagStart.dropFirst(name.count).first
      let isTag = characterAfterName.map { $0.isWhitespace || $0 == ">" || $0 == "/" } ?? true
      guard let first = name.first, first.isLetter, isTag, isRemoved(name.lowercased()) else {
        result.append("<")
        rest = tag
        continue
      }
      // If this tag has no end, neither has any later one.
      guard let end = tag.firstIndex(of: ">") else {
        rest = rest[separator...]
        break
      }
      if ["br", "p", "div", "li", "ul", "td"].contains(name.lowercased()) { result += " " }
      rest = tag[end...].dropFirst()
    }
    return (result + rest).withoutCharacterReferences
  }

  private static let enclosingElementNames: Set<String> = [
    "article", "blockquote", "center", "del", "div", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "li", "ol", "p", "q", "section", "time", "ul",
  ]
  private static let inlineElementNames: Set<String> = [
    "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "em", "font", "i", "img", "ins", "kbd",
    "mark", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
  ]
}
