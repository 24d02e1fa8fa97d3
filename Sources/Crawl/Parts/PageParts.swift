import DOM

/// The resources that a browser needs for a page: style sheets, scripts, fonts and images,
/// including those that only inline styles reference. URLs are returned unresolved, as in the page.
package struct PageParts: Sendable, Equatable {
  /// The kind of a resource, derived from the element that references it.
  package enum Kind: Sendable, Equatable {
    /// A style sheet, which may reference further resources.
    case sheet
    case script
    /// An image in the markup.
    case image
    /// A font, an image in a style sheet, or an icon.
    case other
  }

  /// A reference to a resource.
  package struct Part: Sendable, Equatable {
    package var kind: Kind
    /// The URL as written in the page.
    package var target: String
  }

  /// The references in order; there may be duplicates.
  package private(set) var parts: [Part] = []
  /// The base URL that the page specifies (`base`); nil if there is none.
  package private(set) var base: String?
  /// The encoding of the page, in which the queries of references in its attributes are encoded.
  private var encoding = CharacterEncoding.utf8

  /// The maximum number of references of a page.
  package static let maxReferences = 4096

  /// Finds the resources of a page.
  /// - Parameters:
  ///   - page: the bytes of an HTML page, without content codings.
  ///   - charset: the `charset` parameter of the page's `Content-Type`; nil if there is none.
  package init(page: [UInt8], charset: String?) {
    encoding = CharacterEncoding.detect(page, charset: charset)
    var scanner = TagScanner(encoding.decode(page))
    while parts.count < Self.maxReferences, let tag = scanner.next() { add(tag) }
  }

  /// Finds the references in a style sheet.
  /// - Parameter sheet: the bytes of the style sheet.
  package init(sheet: [UInt8]) { add(StyleReferences(sheet)) }

  private mutating func add(_ tag: TagScanner.Tag) {
    if let style = tag.value("style") { add(StyleReferences(style)) }
    switch String(decoding: tag.name, as: UTF8.self) {
    case "base":
      if base == nil, let href = tag.value("href") {
        base = String(decoding: encoding.encodingQuery(of: href[...]) ?? href, as: UTF8.self)
      }
    case "link": addLink(tag)
    case "script": add(.script, tag.value("src"))
    case "style": add(StyleReferences(Array(tag.content)))
    case "img":
      add(.image, tag.value("src"))
      addSet(tag.value("srcset"))
    case "source": addSet(tag.value("srcset"))
    case "input":
      if word(tag.value("type")) == "image" { add(.image, tag.value("src")) }
    case "video": add(.image, tag.value("poster"))
    case "body", "table", "td", "th": add(.image, tag.value("background"))
    case "image", "use": add(.image, tag.value("href") ?? tag.value("xlink:href"))
    default: break
    }
  }

  private mutating func addLink(_ tag: TagScanner.Tag) {
    let relations = Set(
      word(tag.value("rel")).split(whereSeparator: \.isWhitespace).map(String.init))
    let target = tag.value("href")
    if relations.contains("stylesheet") {
      add(.sheet, target)
    } else if relations.contains("modulepreload") {
      add(.script, target)
    } else if relations.contains("preload") {
      switch word(tag.value("as")) {
      case "style": add(.sheet, target)
      case "script": add(.script, target)
      case "font": add(.other, target)
      case "image":
        add(.image, target)
        addSet(tag.value("imagesrcset"))
      default: break
      }
    } else if !relations.isDisjoint(with: ["icon", "apple-touch-icon", "mask-icon"]) {
      add(.other, target)
    }
  }

  private func word(_ value: [UInt8]?) -> String {
    String(decoding: value ?? [], as: UTF8.self).lowercased()
  }

  private mutating func add(_ references: StyleReferences) {
    // In style sheets, the queries of references are always UTF-8.
    for target in references.imports { add(.sheet, Array(target.utf8), in: .utf8) }
    for target in references.otherReferences { add(.other, Array(target.utf8), in: .utf8) }
  }

  private mutating func addSet(_ value: [UInt8]?) {
    for candidate in SourceSet((value ?? [])[...]) where parts.count < Self.maxReferences {
      add(.image, Array(candidate.url))
    }
  }

  private mutating func add(_ kind: Kind, _ target: [UInt8]?) { add(kind, target, in: encoding) }

  private mutating func add(_ kind: Kind, _ target: [UInt8]?, in encoding: CharacterEncoding) {
    guard parts.count < Self.maxReferences, let target, !target.isEmpty,
      target.count <= StyleReferences.maxLength, target.first != UInt8(ascii: "#"),
      // Data in `data:` URLs need not be saved separately.
      !target.prefix(5).lazy.map(\.lowercased).elementsEqual("data:".utf8)
    else { return }
    let encoded = encoding.encodingQuery(of: target[...]) ?? target
    parts.append(Part(kind: kind, target: String(decoding: encoded, as: UTF8.self)))
  }
}
