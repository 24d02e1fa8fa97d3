import DOM
import OfflineCache

/// The vocabularies of which the elements of feeds are.
enum FeedVocabulary {
  /// RSS of any kind, and whatever says nothing of itself.
  case plain
  case atom, rdf, dublinCore, content, syndication, media, itunes, xhtml
  case other

  /// The vocabulary with an address, or nil; compared by what all its versions have in common.
  init?(namespace: String) {
    let name = namespace.lowercased()
    for (part, vocabulary) in Self.namespaces where name.contains(part) {
      self = vocabulary
      return
    }
    return nil
  }

  /// The vocabulary that a prefix mostly stands for: many feeds do not say what theirs mean.
  init(prefix: String) {
    switch prefix.lowercased() {
    case "": self = .plain
    case "atom", "atom10", "a10": self = .atom
    case "rdf": self = .rdf
    case "dc", "dcterms": self = .dublinCore
    case "content": self = .content
    case "sy": self = .syndication
    case "media": self = .media
    case "itunes": self = .itunes
    case "xhtml": self = .xhtml
    case "rss": self = .plain
    default: self = .other
    }
  }

  private static let namespaces: [(String, FeedVocabulary)] = [
    ("w3.org/2005/atom", .atom), ("purl.org/atom/", .atom),
    ("purl.org/rss/1.0/modules/content", .content),
    ("purl.org/rss/1.0/modules/syndication", .syndication), ("purl.org/rss/1.0/modules", .other),
    ("purl.org/rss", .plain), ("my.netscape.com/rdf", .plain), ("backend.userland.com", .plain),
    ("w3.org/1999/02/22-rdf", .rdf), ("purl.org/dc/", .dublinCore),
    ("search.yahoo.com/mrss", .media),
    ("itunes.com/dtds", .itunes), ("w3.org/1999/xhtml", .xhtml),
  ]
}

/// An element of a feed, with what holds for it from the elements around it.
struct FeedElement {
  let element: XMLElement
  let name: String
  let vocabulary: FeedVocabulary
  /// The absolute URL from which references in it are taken, or empty.
  let base: String
  /// Whether the base is that of an `xml:base`.
  let hasOwnBase: Bool
  /// The language, or empty.
  let language: String
  /// The vocabulary of elements without prefix, and of prefixes.
  private let unprefixed: FeedVocabulary
  private let prefixes: [String: FeedVocabulary]

  /// The element that holds all of a feed.
  /// - Parameters:
  ///   - root: what holds the text.
  ///   - url: the address of the feed, or empty.
  init(root: XMLElement, url: String) {
    element = root
    name = ""
    vocabulary = .plain
    base = url
    hasOwnBase = false
    language = ""
    unprefixed = .plain
    prefixes = [:]
  }

  private init(_ element: XMLElement, in outer: FeedElement) {
    self.element = element
    name = element.name
    var unprefixed = outer.unprefixed
    var prefixes = outer.prefixes
    var base = outer.base
    var hasOwnBase = outer.hasOwnBase
    var language = outer.language
    for (name, value) in element.attributes {
      switch name.lowercased() {
      case "xmlns": unprefixed = FeedVocabulary(namespace: value) ?? .plain
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
    let prefix = element.prefix.lowercased()
    vocabulary =
      prefix.isEmpty ? unprefixed : prefixes[prefix] ?? FeedVocabulary(prefix: prefix)
    self.base = base
    self.hasOwnBase = hasOwnBase
    self.language = language
    self.unprefixed = unprefixed
    self.prefixes = prefixes
  }

  /// The elements directly in it.
  var children: some Sequence<FeedElement> {
    element.children.lazy.map { FeedElement($0, in: self) }
  }

  /// The first child with a name, of RSS or of Atom.
  func child(_ name: String) -> FeedElement? {
    children.first { $0.name == name && ($0.vocabulary == .plain || $0.vocabulary == .atom) }
  }

  /// The text on one line.
  var line: String { element.text.oneLine }

  /// The text on one line, markup taken out.
  var plainLine: String { element.text.withoutInlineMarkup.oneLine }

  /// The absolute URL of the web that a reference in it means, or nil.
  func url(_ reference: String?, against other: String? = nil) -> String? {
    guard let reference, !reference.isEmpty,
      let resolved = WebURL.resolve(reference, against: hasOwnBase ? base : other ?? base),
      let url = WebURL(resolved), url.isWeb
    else { return nil }
    return url.description
  }

  /// What the element holds as HTML: markup that was not escaped, as it is written, else the text.
  func markup(base other: String?) -> FeedItem.Markup? {
    let base = hasOwnBase ? base : other ?? base
    if element.hasElements {
      let source = String(decoding: element.source, as: UTF8.self)
      // A section may stand beside markup that is none.
      guard !source.contains("<![CDATA[") else {
        return FeedItem.Markup(html: element.text, base: base).nonEmpty
      }
      let prefix = element.children.first { _ in true }?.prefix ?? ""
      let html =
        prefix.isEmpty
        ? source
        : source.replacing("<\(prefix):", with: "<").replacing("</\(prefix):", with: "</")
      return FeedItem.Markup(html: html, isXML: true, base: base).nonEmpty
    }
    return FeedItem.Markup(html: element.text, base: base).nonEmpty
  }
}

extension FeedItem.Markup {
  /// Nil when there is nothing but white space.
  var nonEmpty: FeedItem.Markup? {
    html.utf8.contains { $0 > 0x20 } ? self : nil
  }
}

extension String {
  /// A title that may be HTML as plain text: tags that style text and references are replaced; other
  /// tags are what the title is about.
  var withoutInlineMarkup: String {
    withoutTags { Self.inlineElements.contains($0) }
  }

  /// A name, which may be HTML, as plain text on one line. An e-mail address between `<` and `>` is kept.
  var withoutMarkup: String {
    // Some feeds escape the HTML twice.
    withoutTags { _ in true }.withoutTags { _ in true }.oneLine
  }

  /// Returns the text without the tags of some elements, with character references replaced.
  /// - Parameter isRemoved: returns whether the tags of an element are removed, given the start of its name.
  /// - Returns: the text.
  private func withoutTags(_ isRemoved: (String) -> Bool) -> String {
    guard utf8.contains(UInt8(ascii: "<")) else { return withoutCharacterReferences }
    var result = ""
    var rest = self[...]
    while let mark = rest.firstIndex(of: "<") {
      result += rest[..<mark]
      let tag = rest[mark...].dropFirst()
      // No name is longer.
      let written = (tag.first == "/" ? tag.dropFirst() : tag).prefix(11)
      let name = written.prefix(10).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let next = written.dropFirst(name.count).first
      let isTag = next.map { $0.isWhitespace || $0 == ">" || $0 == "/" } ?? true
      guard let first = name.first, first.isLetter, isTag, isRemoved(name.lowercased()) else {
        result.append("<")
        rest = tag
        continue
      }
      // Without an end here there is none further on either.
      guard let end = tag.firstIndex(of: ">") else {
        rest = rest[mark...]
        break
      }
      if ["br", "p", "div", "li", "ul", "td"].contains(name.lowercased()) { result += " " }
      rest = tag[end...].dropFirst()
    }
    return (result + rest).withoutCharacterReferences
  }

  private static let inlineElements: Set<String> = [
    "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "div", "em", "font", "i", "img", "ins",
    "kbd", "mark", "p", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
  ]
}
