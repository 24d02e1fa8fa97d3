import DOM

/// The XML vocabularies that are used in feeds.
enum FeedVocabulary {
  /// RSS of any version, and elements without a known namespace.
  case plain
  case atom, rdf, dublinCore, content, syndication, media, itunes, xhtml
  case other

  /// Creates the vocabulary for a namespace URL; returns nil if it is unknown. Only the part that
  /// the URLs of all versions have in common is compared.
  init?(namespace: String) {
    let name = namespace.lowercased()
    for (part, vocabulary) in Self.namespaces where name.contains(part) {
      self = vocabulary
      return
    }
    return nil
  }

  /// Creates the vocabulary for which a prefix usually stands, because many feeds do not declare
  /// their prefixes.
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
