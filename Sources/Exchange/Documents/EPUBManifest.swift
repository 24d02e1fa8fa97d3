import Containers
import DOM
import OfflineCache

/// The package document of a book (EPUB 3.3 §5, OPF 2.0.1).
struct EPUBManifest {
  private(set) var metadata = EPUBMetadata()
  /// The manifest items by id.
  private(set) var items: [String: Item] = [:]
  /// The ids of the spine, in reading order. If the spine is empty, these are the ids of all pages
  /// in the manifest.
  private(set) var spineIDs: [String] = []
  /// The ids in the spine that are only reached by links, such as notes (`linear="no"`; EPUB 3.3
  /// §5.7.2).
  private(set) var nonlinearIDs: Set<String> = []
  /// The path of the navigation document of EPUB 3; nil if there is none.
  private(set) var navigationPath: String?
  /// The paths of pages that may be the navigation document by their names, if none is declared.
  private(set) var navigationCandidates: [String] = []
  /// The path where the text begins (OPF 2.0.1 §2.6); nil if the guide does not name it.
  private(set) var bodyStartPath: String?
  /// The titles in the guide of an EPUB 2 book, such as that of its cover, by path (OPF 2.0.1
  /// §2.6).
  private(set) var guide: [String: String] = [:]
  private var coverPath: String?
  private var coverID = ""
  private var ncxID = ""
  /// The ids of the pages, in the order of the manifest, without the navigation document.
  private var pageIDs: [String] = []

  private static let maxItems = 10_000, maxReferences = 100
  private static let maxFallbacks = 10, maxCandidates = 8

  /// A file of the book.
  struct Item {
    /// The reference in the package document.
    let reference: String
    /// The path, or nil if it leads out of the book.
    fileprivate(set) var path: String?
    let mediaType: String
    let properties: [Substring]
    /// The id of the item to use if this one cannot be shown (EPUB 3.3 §3.5.1); nil for none.
    let fallback: String?

    init(_ element: XMLElement, package: String, in archive: ZIPArchive) {
      let reference = EPUBManifest.trimmed(element.attribute("href") ?? "")
      self.reference = reference
      path = reference.isEmpty ? nil : EPUBFiles.path(of: reference, from: package, in: archive)
      let declaredType = element.attribute("media-type")?.lowercased() ?? ""
      let impliedType = path.flatMap { FileMediaType.byName($0) } ?? ""
      // Many books declare a wrong media type for pages; then the file extension counts.
      let type =
        !declaredType.isEmpty && (Self.isShown(declaredType) || !Self.isShown(impliedType))
        ? declaredType : impliedType
      mediaType = Self.currentTypes[type] ?? type
      properties = (element.attribute("properties") ?? "").split(separator: " ")
      fallback = element.attribute("fallback")
    }

    /// Creates an item for a file that the package document does not list.
    init(path: String) {
      reference = path
      self.path = path
      mediaType = FileMediaType.byName(path) ?? ""
      properties = []
      fallback = nil
    }

    /// Whether the item is a page, a plain text or an image.
    var isShown: Bool { Self.isShown(mediaType) || mediaType == "text/plain" }
    var isPage: Bool { Self.pageTypes.contains(mediaType) }
    /// Whether the item is an NCX; many books declare another media type for it.
    var isNCX: Bool {
      mediaType == "application/x-dtbncx+xml" || path?.lowercased().hasSuffix(".ncx") ?? false
    }

    /// Whether the name of the page suggests a table of contents, as in `nav.xhtml`.
    var isNamedAsNavigation: Bool {
      guard isPage, let name = path?.split(separator: "/").last?.lowercased() else { return false }
      return ["nav", "toc", "contents"].contains { name.contains($0) }
    }

    private static func isShown(_ type: String) -> Bool {
      type.hasPrefix("image/") || pageTypes.contains(type)
    }

    /// The media types that replace those of the older formats OEB 1.2 and DTBook (OPF 2.0.1
    /// §1.3.7), whose elements have the names of HTML elements.
    private static let currentTypes = [
      "text/x-oeb1-document": "text/html", "application/x-dtbook+xml": "application/xhtml+xml",
    ]

    private static let pageTypes = [
      "application/xhtml+xml", "text/html", "application/xml", "text/xml",
      "application/x-dtbook+xml", "text/x-oeb1-document",
    ]
  }

  /// Parses the package document of a book.
  init(in archive: ZIPArchive) throws(ContainerError) {
    let path = try EPUBFiles.packagePath(in: archive)
    for element in try EPUBFiles.tree(of: path, in: archive).elements {
      switch element.name {
      case "item":
        let item = Item(element, package: path, in: archive)
        add(item, id: element.attribute("id").map(Self.trimmed) ?? item.reference)
      case "spine": ncxID = element.attribute("toc") ?? ""
      case "itemref" where spineIDs.count < Self.maxItems:
        guard let id = element.attribute("idref").map(Self.trimmed) else { continue }
        spineIDs.append(id)
        if element.attribute("linear")?.lowercased() == "no" { nonlinearIDs.insert(id) }
      case "reference" where guide.count < Self.maxReferences:
        let reference = element.attribute("href") ?? ""
        guard let target = EPUBFiles.path(of: reference, from: path, in: archive) else { continue }
        if element.attribute("type")?.lowercased() == "text", bodyStartPath == nil {
          bodyStartPath = target
        }
        let titleWords = (element.attribute("title") ?? "").split { $0.isWhitespace }
        guide[target] = titleWords.joined(separator: " ")
      case "meta" where element.attribute("name")?.lowercased() == "cover":
        coverID = element.attribute("content") ?? ""
      default: metadata.add(element)
      }
    }
    correctSpine()
    correctPaths(in: archive)
    addUnlistedPages(of: archive)
  }

  /// Adds items for the ids in the spine that the manifest does not have but that name a page of
  /// the book, with or without its extension: the only such file that is not an item.
  private mutating func addUnlistedPages(of archive: ZIPArchive) {
    let missingIDs = spineIDs.filter { items[$0] == nil }
    guard !missingIDs.isEmpty else { return }
    let usedPaths = Set(items.values.compactMap(\.path))
    // An empty path means that several files have the name.
    var paths: [String: String] = [:]
    for entry in archive.entries where !usedPaths.contains(entry.path) && !entry.isMacMetadata {
      guard Item(path: entry.path).isPage, let name = entry.path.split(separator: "/").last else {
        continue
      }
      let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
      for key in [name.lowercased(), stem.lowercased()] {
        paths[key] = paths[key] == nil ? entry.path : ""
      }
    }
    for id in missingIDs {
      if let path = paths[id.lowercased()], !path.isEmpty { items[id] = Item(path: path) }
    }
  }

  /// Replaces the ids in the spine that the manifest does not have. The replacement is the id of
  /// the only item whose id or reference differs from the missing id at most in letter case. If no
  /// id in the spine is right, the pages of the manifest are the spine.
  private mutating func correctSpine() {
    if !spineIDs.allSatisfy({ items[$0] != nil }) {
      // An empty id means that several items match.
      var ids: [String: String] = [:]
      for (id, item) in items {
        for key in Set([id.lowercased(), item.reference.lowercased()]) {
          ids[key] = ids[key] == nil ? id : ""
        }
      }
      spineIDs = spineIDs.map { written in
        guard items[written] == nil, let id = ids[written.lowercased()], !id.isEmpty else {
          return written
        }
        if nonlinearIDs.contains(written) { nonlinearIDs.insert(id) }
        return id
      }
    }
    if !spineIDs.contains(where: { items[$0] != nil }), !pageIDs.isEmpty { spineIDs = pageIDs }
  }

  /// Replaces paths of missing files by that of the only file with the same name, unless another
  /// item has it, or several paths would be replaced by it.
  private mutating func correctPaths(in archive: ZIPArchive) {
    func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    let itemsWithoutFile = items.filter { _, item in item.path.map { archive[$0] == nil } ?? false }
    guard !itemsWithoutFile.isEmpty else { return }
    let usedPaths = Set(items.values.compactMap(\.path))
    let unusedPaths = archive.entries.lazy.map(\.path).filter { !usedPaths.contains($0) }
    let unusedPathsByName = Dictionary(grouping: unusedPaths, by: name)
    let missingPaths = Dictionary(
      grouping: Set(itemsWithoutFile.values.compactMap(\.path)), by: name)
    for (id, item) in itemsWithoutFile {
      guard let path = item.path, let found = unusedPathsByName[name(path)], found.count == 1,
        missingPaths[name(path)]?.count == 1
      else { continue }
      items[id]?.path = found[0]
      if navigationPath == path { navigationPath = found[0] }
      if coverPath == path { coverPath = found[0] }
    }
  }

  /// Returns an attribute without white space around its value.
  private static func trimmed(_ value: String) -> String {
    guard value.first?.isWhitespace == true || value.last?.isWhitespace == true else {
      return value
    }
    let end = value.lastIndex { !$0.isWhitespace }
    return end.map { String(value[...$0].drop(while: \.isWhitespace)) } ?? ""
  }

  private mutating func add(_ item: Item, id: String) {
    if !id.isEmpty, items.count < Self.maxItems {
      if items[id] == nil, item.isPage, !item.isNCX, !item.properties.contains("nav") {
        pageIDs.append(id)
      }
      items[id] = item
    }
    if item.isNamedAsNavigation, let path = item.path,
      navigationCandidates.count < Self.maxCandidates
    {
      navigationCandidates.append(path)
    }
    if item.properties.contains("nav") { navigationPath = item.path }
    if item.properties.contains("cover-image") { coverPath = item.path }
  }

  /// The possible paths of the cover image.
  var covers: [String] { [coverPath, items[coverID]?.path].compactMap(\.self) }

  /// Returns the item to show for an id: the first one in its chain of fallbacks that is a page or
  /// an image, or else the item with the id; nil if the manifest does not have the id.
  func shownItem(_ id: String) -> Item? {
    var next = items[id]
    for _ in 0..<Self.maxFallbacks {
      guard let item = next, !item.isShown else { break }
      next = item.fallback.flatMap { items[$0] }
    }
    return next?.isShown == true ? next : items[id]
  }

  /// The path of the NCX of EPUB 2; nil if there is none.
  var ncxPath: String? { items[ncxID]?.path ?? items.values.first { $0.isNCX }?.path }
}
