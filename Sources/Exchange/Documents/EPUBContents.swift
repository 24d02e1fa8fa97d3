import Containers
import DOM

/// The table of contents of a book: the navigation document of EPUB 3 (EPUB 3.3 §7), or otherwise
/// the NCX of EPUB 2.
struct EPUBContents {
  /// The entries. The title of an entry without any text is empty.
  private(set) var entries: [EPUBPackage.Entry] = []
  /// Whether any entry has a title.
  var hasTitles: Bool { entries.contains { !$0.title.isEmpty } }
  /// The path of the part where the text begins, if the landmarks define it.
  private(set) var bodyStartPath: String?

  private let archive: ZIPArchive

  private static let maxEntries = 20_000
  /// The maximum level; deeper entries are raised to it.
  private static let maxLevel = 12

  init(_ manifest: EPUBManifest, in archive: ZIPArchive) {
    self.archive = archive
    if let file = manifest.navigationPath { read(navigationDocument: file, isDeclared: true) }
    if !hasTitles, let file = manifest.ncxPath,
      let tree = try? EPUBFiles.tree(of: file, in: archive),
      let map = tree.elements.first(where: { $0.name == "navmap" })
    {
      entries = []
      read(points: map, from: file)
    }
    for file in manifest.navigationCandidates where entries.isEmpty {
      read(navigationDocument: file, isDeclared: false)
    }
  }

  /// Reads a navigation document. A document that the manifest does not declare as such must mark
  /// its table of contents.
  private mutating func read(navigationDocument file: String, isDeclared: Bool) {
    guard let tree = try? EPUBFiles.tree(of: file, in: archive) else { return }
    let lists = tree.elements.filter { $0.name == "nav" }
    let marked = lists.first { $0.attribute("epub:type") == "toc" }
    guard let list = marked ?? (isDeclared ? lists.first : nil) else { return }
    read(navigation: list, from: file)
    let landmarks = lists.first { $0.attribute("epub:type") == "landmarks" }
    if let landmarks { read(landmarks: landmarks, from: file) }
  }

  /// Reads the nested lists of EPUB 3: `li` elements with `a` or `span`, and with further lists.
  /// Elements around them are ignored.
  private mutating func read(navigation list: XMLElement, from file: String) {
    list.visitDescendants(with: (level: 0, isItem: false)) { element, holder in
      switch element.name {
      case "a", "span":
        add(element, element.attribute("href") ?? "", holder.level, from: file)
        return nil
      case "ol", "ul": return (holder.isItem ? holder.level + 1 : holder.level, false)
      case "li": return (holder.level, true)
      default: return holder
      }
    }
  }

  private mutating func read(landmarks: XMLElement, from file: String) {
    landmarks.visitDescendants(with: ()) { element, _ in
      let types = (element.attribute("epub:type") ?? "").split(separator: " ")
      if element.name == "a", types.contains("bodymatter"), bodyStartPath == nil {
        let reference = element.attribute("href") ?? ""
        bodyStartPath = EPUBFiles.path(of: reference, from: file, in: archive)
      }
      return ()
    }
  }

  /// Reads the navigation points of EPUB 2.
  private mutating func read(points map: XMLElement, from file: String) {
    map.visitDescendants(with: 0) { point, level in
      guard point.name == "navpoint" else { return nil }
      let label = point.children.first { $0.name == "navlabel" }
      let target = point.children.first { $0.name == "content" }?.attribute("src") ?? ""
      if let label { add(label, target, level, from: file) }
      return level + 1
    }
  }

  private mutating func add(
    _ label: XMLElement, _ target: String, _ level: Int, from file: String
  ) {
    let path = target.isEmpty ? nil : EPUBFiles.path(of: target, from: file, in: archive)
    let title = EPUBFiles.label(of: label)
    guard !title.isEmpty || path != nil, entries.count < Self.maxEntries else { return }
    let fragment = target.firstIndex(of: "#").map { String(target[target.index(after: $0)...]) }
    entries.append(
      EPUBPackage.Entry(
        title: title, path: path ?? "", fragment: path == nil ? "" : fragment ?? "",
        level: min(level, Self.maxLevel)))
  }
}
