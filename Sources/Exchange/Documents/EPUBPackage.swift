package import Containers
import DOM

/// A book in EPUB 2 or 3, as its package says (EPUB 3.3, sections 4 and 5): what its parts are, in which order
/// they are read, and how it is called. A book that breaks the rules is read as far as it can be.
package struct EPUBPackage: Sendable, Equatable {
  /// The title, or empty.
  package private(set) var title = ""
  /// Who has written it.
  package private(set) var creators: [String] = []
  /// Its language as it says (BCP 47), or empty.
  package private(set) var language = ""
  /// The path of the picture of its cover, or nil.
  package private(set) var cover: String?
  /// What is read, in order.
  package private(set) var parts: [Part] = []
  /// The table of contents.
  package private(set) var contents: [Entry] = []

  /// Something that is read: a chapter.
  package struct Part: Sendable, Equatable {
    /// Its path in the book; what the package says where it leads out.
    package var path: String
    /// What the table of contents calls it, or empty.
    package var title = ""
    /// Its media type, as the package says.
    package var mediaType = ""
    /// Why it cannot be read, or nil.
    package var problem: Problem?
  }

  /// Why a part cannot be read.
  package enum Problem: Sendable, Equatable {
    /// The book has no such file.
    case missing
    /// Its path leads out of the book.
    case outside
    /// It is locked.
    case locked
  }

  /// A line of the table of contents.
  package struct Entry: Sendable, Equatable {
    /// What it says.
    package var title: String
    /// The part that it leads to, or empty where it only heads others.
    package var path: String
    /// The place in the part, or empty.
    package var fragment: String
    /// How deep it stands, from 0.
    package var level: Int
  }

  private static let mostParts = 10_000
  private static let mostEntries = 20_000
  private static let deepest = 12
  /// A package that is longer is not read, in bytes.
  private static let longest = 32 << 20

  /// Whether an archive is a book.
  package static func isBook(_ archive: ZIPArchive) -> Bool {
    if archive["META-INF/container.xml"] != nil { return true }
    return (try? text(of: "mimetype", in: archive))?.hasPrefix("application/epub+zip") ?? false
  }

  /// Reads the package.
  /// - Parameter archive: the book.
  /// - Throws: `ContainerError`: no package, a package that cannot be read, or a book that is locked.
  package init(_ archive: ZIPArchive) throws(ContainerError) {
    let path = try Self.packagePath(in: archive)
    let tree = XMLTree(Array(try Self.text(of: path, in: archive).utf8))
    var items: [String: Item] = [:]
    var order: [String] = []
    var (navigation, cover) = (String?.none, String?.none)
    var coverID = ""
    var tableID = ""
    var guide: [String: String] = [:]
    for element in tree.elements {
      switch element.name {
      case "title" where title.isEmpty && element.prefix == "dc": title = Self.line(element.text)
      case "creator" where creators.count < 20:
        let name = Self.line(element.text)
        if !name.isEmpty { creators.append(name) }
      case "language" where language.isEmpty: language = Self.line(element.text)
      case "meta" where element.attribute("name")?.lowercased() == "cover":
        coverID = element.attribute("content") ?? ""
      case "item":
        let item = Item(element, package: path)
        if let id = element.attribute("id"), items.count < Self.mostParts { items[id] = item }
        if item.properties.contains("nav") { navigation = item.path }
        if item.properties.contains("cover-image") { cover = item.path }
      // What a book of EPUB 2 says of its cover, its title page and so on.
      case "reference" where guide.count < 100:
        if let target = ContainedPath.resolve(element.attribute("href") ?? "", from: path) {
          guide[target] = Self.line(element.attribute("title") ?? "")
        }
      case "spine": tableID = element.attribute("toc") ?? ""
      case "itemref" where order.count < Self.mostParts:
        if let id = element.attribute("idref") { order.append(id) }
      default: break
      }
    }
    guard !order.isEmpty else { throw .damaged("its package names nothing to read") }
    self.cover = [cover, items[coverID]?.path].compactMap(\.self).first { archive[$0] != nil }
    let table = items[tableID]?.path ?? items.values.first { $0.isNCX }?.path
    contents = Self.contents(navigation: navigation, table: table, in: archive)
    let locked = Self.lockedPaths(in: archive)
    var titles: [String: String] = [:]
    for entry in contents where titles[entry.path] == nil { titles[entry.path] = entry.title }
    parts = order.map { id in
      let item = items[id]
      guard let path = item?.path else {
        return Part(path: item?.reference ?? id, problem: item == nil ? .missing : .outside)
      }
      return Part(
        path: path, title: titles[path] ?? guide[path] ?? "", mediaType: item?.mediaType ?? "",
        problem: locked.contains(path) ? .locked : archive[path] == nil ? .missing : nil)
    }
    guard !parts.allSatisfy({ $0.problem == .locked }) else { throw .locked }
  }

  /// A file of the manifest.
  private struct Item {
    let reference: String
    let path: String?
    let mediaType: String
    let properties: [Substring]

    init(_ element: XMLElement, package: String) {
      reference = element.attribute("href") ?? ""
      path = reference.isEmpty ? nil : ContainedPath.resolve(reference, from: package)
      mediaType = element.attribute("media-type")?.lowercased() ?? ""
      properties = (element.attribute("properties") ?? "").split(separator: " ")
    }

    var isNCX: Bool { mediaType == "application/x-dtbncx+xml" }
  }

  // MARK: Files

  private static func packagePath(in archive: ZIPArchive) throws(ContainerError) -> String {
    if archive["META-INF/container.xml"] != nil {
      let tree = XMLTree(Array(try text(of: "META-INF/container.xml", in: archive).utf8))
      for element in tree.elements where element.name == "rootfile" {
        if let path = element.attribute("full-path"), archive[path] != nil { return path }
      }
    }
    guard let entry = archive.entries.first(where: { $0.path.lowercased().hasSuffix(".opf") })
    else { throw .damaged("it has no package (.opf)") }
    return entry.path
  }

  /// The text of a file of the book, in UTF-8.
  private static func text(
    of path: String, in archive: ZIPArchive
  ) throws(ContainerError) -> String {
    guard let entry = archive[path] else { throw .missing(path: path) }
    guard entry.size <= longest else { throw .tooLarge(path: path, limit: Int64(longest)) }
    let bytes = try archive.content(of: path)
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// What is locked. Fonts that are only made unusable elsewhere are not meant.
  private static func lockedPaths(in archive: ZIPArchive) -> Set<String> {
    guard let text = try? text(of: "META-INF/encryption.xml", in: archive) else { return [] }
    var paths: Set<String> = []
    var isLock = false
    for element in XMLTree(Array(text.utf8)).elements {
      switch element.name {
      case "encryptionmethod":
        isLock = !fontMethods.contains(element.attribute("Algorithm") ?? "")
      case "cipherreference" where isLock:
        let reference = element.attribute("URI") ?? ""
        if let path = ContainedPath.resolve(reference, from: "") { paths.insert(path) }
      default: break
      }
    }
    return paths
  }

  private static let fontMethods = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
  ]

  // MARK: Contents

  private static func contents(
    navigation: String?, table: String?, in archive: ZIPArchive
  ) -> [Entry] {
    var entries: [Entry] = []
    if let navigation, let text = try? text(of: navigation, in: archive) {
      let tree = XMLTree(Array(text.utf8))
      let lists = tree.elements.filter { $0.name == "nav" }
      let list = lists.first { $0.attribute("epub:type") == "toc" } ?? lists.first
      if let list { add(navigationOf: list, 0, from: navigation, to: &entries) }
    }
    if entries.isEmpty, let table, let text = try? text(of: table, in: archive) {
      let tree = XMLTree(Array(text.utf8))
      if let map = tree.elements.first(where: { $0.name == "navmap" }) {
        add(pointsOf: map, 0, from: table, to: &entries)
      }
    }
    return entries
  }

  /// The lists of EPUB 3: `li` with `a` or `span`, and with further lists.
  private static func add(
    navigationOf element: XMLElement, _ level: Int, from file: String, to entries: inout [Entry]
  ) {
    guard level < 3 * deepest else { return }
    for child in element.children where entries.count < mostEntries {
      switch child.name {
      case "a", "span":
        add(child.text, child.attribute("href") ?? "", level, from: file, to: &entries)
      case "li": add(navigationOf: child, level, from: file, to: &entries)
      case "ol", "ul":
        add(
          navigationOf: child, element.name == "li" ? level + 1 : level, from: file, to: &entries)
      default: add(navigationOf: child, level, from: file, to: &entries)
      }
    }
  }

  /// The points of EPUB 2 (NCX).
  private static func add(
    pointsOf element: XMLElement, _ level: Int, from file: String, to entries: inout [Entry]
  ) {
    guard level < deepest else { return }
    for point in element.children where point.name == "navpoint" && entries.count < mostEntries {
      let label = point.children.first { $0.name == "navlabel" }?.text ?? ""
      let target = point.children.first { $0.name == "content" }?.attribute("src") ?? ""
      add(label, target, level, from: file, to: &entries)
      add(pointsOf: point, level + 1, from: file, to: &entries)
    }
  }

  private static func add(
    _ words: String, _ target: String, _ level: Int, from file: String, to entries: inout [Entry]
  ) {
    let title = line(words)
    let path = target.isEmpty ? nil : ContainedPath.resolve(target, from: file)
    guard !title.isEmpty else { return }
    let fragment = target.firstIndex(of: "#").map { String(target[target.index(after: $0)...]) }
    entries.append(
      Entry(
        title: title, path: path ?? "", fragment: path == nil ? "" : fragment ?? "",
        level: min(level, deepest)))
  }

  /// Text with single spaces.
  private static func line(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }
}
