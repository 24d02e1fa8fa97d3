import Containers
import DOM
import OfflineCache

/// What the package of a book says (EPUB 3.3, section 5; OPF 2.0.1).
struct EPUBManifest {
  private(set) var title = ""
  private(set) var creators: [String] = []
  private(set) var language = ""
  /// The files by their names in the package.
  private(set) var items: [String: Item] = [:]
  /// The names of what is read, in order.
  private(set) var order: [String] = []
  /// Those of them that are read by a link only, such as notes (`linear="no"`; EPUB 3.3, section
  /// 5.7.2).
  private(set) var nonlinear: Set<String> = []
  /// The path of the table of contents of EPUB 3, or nil.
  private(set) var navigation: String?
  /// Where the text begins (OPF 2.0.1, section 2.6), or nil.
  private(set) var text: String?
  /// What a book of EPUB 2 calls its cover, its title page and so on, by their paths (OPF 2.0.1,
  /// section 2.6).
  private(set) var guide: [String: String] = [:]
  private var cover: String?
  private var coverID = ""
  private var tableID = ""

  private static let mostItems = 10_000, mostCreators = 20, mostReferences = 100

  /// A file of the book.
  struct Item {
    /// As the package names it.
    let reference: String
    /// Its path, or nil when that leads out.
    let path: String?
    let mediaType: String
    let properties: [Substring]

    init(_ element: XMLElement, package: String, in archive: ZIPArchive) {
      let reference = element.attribute("href") ?? ""
      self.reference = reference
      path = reference.isEmpty ? nil : EPUBFiles.path(of: reference, from: package, in: archive)
      let said = element.attribute("media-type")?.lowercased() ?? ""
      let named = path.flatMap { FileMediaType.byName($0) } ?? ""
      // Many books call a page something else; what its name says counts then.
      mediaType = !said.isEmpty && (Self.isShown(said) || !Self.isShown(named)) ? said : named
      properties = (element.attribute("properties") ?? "").split(separator: " ")
    }

    /// Whether it is a page, or a picture.
    var isShown: Bool { Self.isShown(mediaType) }
    var isNCX: Bool { mediaType == "application/x-dtbncx+xml" }

    private static func isShown(_ type: String) -> Bool {
      type.hasPrefix("image/") || pageTypes.contains(type)
    }

    private static let pageTypes = [
      "application/xhtml+xml", "text/html", "application/xml", "text/xml",
      "application/x-dtbook+xml", "text/x-oeb1-document",
    ]
  }

  /// Reads the package of a book.
  init(in archive: ZIPArchive) throws(ContainerError) {
    let path = try EPUBFiles.packagePath(in: archive)
    for element in try EPUBFiles.tree(of: path, in: archive).elements {
      switch element.name {
      case "item": add(Item(element, package: path, in: archive), id: element.attribute("id"))
      case "spine": tableID = element.attribute("toc") ?? ""
      case "itemref" where order.count < Self.mostItems:
        guard let id = element.attribute("idref") else { continue }
        order.append(id)
        if element.attribute("linear")?.lowercased() == "no" { nonlinear.insert(id) }
      case "reference" where guide.count < Self.mostReferences:
        let reference = element.attribute("href") ?? ""
        guard let target = EPUBFiles.path(of: reference, from: path, in: archive) else { continue }
        if element.attribute("type")?.lowercased() == "text", text == nil { text = target }
        let title = (element.attribute("title") ?? "").split { $0.isWhitespace }
        guide[target] = title.joined(separator: " ")
      default: describe(element)
      }
    }
  }

  private mutating func add(_ item: Item, id: String?) {
    if let id, items.count < Self.mostItems { items[id] = item }
    if item.properties.contains("nav") { navigation = item.path }
    if item.properties.contains("cover-image") { cover = item.path }
  }

  private mutating func describe(_ element: XMLElement) {
    switch element.name {
    case "title" where title.isEmpty && element.prefix == "dc": title = EPUBFiles.line(element)
    case "creator" where creators.count < Self.mostCreators:
      let name = EPUBFiles.line(element)
      if !name.isEmpty { creators.append(name) }
    case "language" where language.isEmpty: language = EPUBFiles.line(element)
    case "meta" where element.attribute("name")?.lowercased() == "cover":
      coverID = element.attribute("content") ?? ""
    default: break
    }
  }

  /// The paths of what may be the picture of the cover.
  var covers: [String] { [cover, items[coverID]?.path].compactMap(\.self) }

  /// The path of the table of contents of EPUB 2, or nil.
  var table: String? { items[tableID]?.path ?? items.values.first { $0.isNCX }?.path }
}
