import Containers
import DOM
import Exchange

/// The style sheets to which a page links, if page and style sheets are in the same container, such
/// as a book.
struct LinkedStyleSheets {
  /// The references of the links, in their order.
  private(set) var references: [String] = []

  private static let maxHeadBytes = 1 << 16
  private static let maxSheets = 64
  /// The maximum nesting depth of imports.
  private static let maxDepth = 8
  private static let maxBytes = 1 << 20

  /// Collects the links from the beginning of a page, and the imports of its own style sheets.
  /// Links within other elements are left out: they may belong to a shadow tree, to which their
  /// style sheets are limited.
  /// - Parameter page: the page, in an encoding that is a superset of ASCII.
  init(in page: [UInt8]) {
    let head = Array(page.prefix(Self.maxHeadBytes))
    let isXML = head.starts(with: "<?xml".utf8)
    let tree = DOMParser.parse(isXML ? head.withoutHTMLPrefix : head, isXML: isXML)
    var next = tree.nodeAfter(0, in: 0)
    while let node = next, references.count < Self.maxSheets {
      if tree.nodes[Int(node)].name == .link, tree.value(.rel, of: node, contains: "stylesheet"),
        !tree.value(.rel, of: node, contains: "alternate"),
        tree.string(.media, of: node)?.lowercased().contains("print") != true,
        let reference = tree.string(.href, of: node), Self.isOutermost(node, in: tree)
      {
        references.append(reference)
      }
      next = tree.nodeAfter(node, in: 0)
    }
    references += StyleImports(of: tree.styleSheet).all.filter(\.condition.isEmpty).map(\.reference)
      .prefix(Self.maxSheets - references.count)
  }

  /// Returns whether an element is directly in the head or the body, not within another element.
  private static func isOutermost(_ node: Int32, in tree: DOMTree) -> Bool {
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    while ancestor > 0 {
      let outer = tree.nodes[Int(ancestor)]
      guard [.html, .head, .body].contains(outer.name) else { return false }
      ancestor = outer.parent ?? 0
    }
    return true
  }

  /// Returns the concatenated style sheets of a page at a path in an archive.
  func content(of archive: ZIPArchive, at path: String) -> [UInt8] {
    var loaded: Set<String> = []
    return content(loadedBy: { reference in
      Self.sheet(reference, from: path, in: archive, &loaded)
    })
  }

  /// Returns the text of a style sheet in an archive, preceded by the texts of the style sheets
  /// that it imports. Each style sheet is loaded only once. Nil if the style sheet is missing or
  /// damaged, or was loaded before.
  private static func sheet(
    _ reference: String, from file: String, in archive: ZIPArchive, _ loaded: inout Set<String>,
    depth: Int = 0
  ) -> [UInt8]? {
    guard let resolved = ContainedPath.resolve(reference, from: file) else { return nil }
    let path = archive.path(matching: resolved)
    guard depth < maxDepth, loaded.count < maxSheets, loaded.insert(path).inserted,
      let entry = archive[path], entry.size < maxBytes,
      let sheet = try? archive.content(of: path)
    else { return nil }
    var text: [UInt8] = []
    for rule in StyleImports(of: sheet).all {
      guard
        let imported = Self.sheet(
          rule.reference, from: path, in: archive, &loaded, depth: depth + 1)
      else { continue }
      if !rule.condition.isEmpty { text += "@media \(rule.condition) {".utf8 }
      let start = text.count
      text += imported
      text.closeStyleSheet(from: start)
      if !rule.condition.isEmpty { text += "}\n".utf8 }
    }
    return text + sheet
  }

  /// Returns the concatenated style sheets. Missing and damaged ones, and those with which the
  /// result would reach `maxBytes`, are skipped, as the page is readable without them.
  /// - Parameter load: returns the style sheet that a reference refers to, or nil.
  /// - Returns: the style sheets, in the order of the links.
  func content(loadedBy load: (_ reference: String) -> [UInt8]?) -> [UInt8] {
    var text: [UInt8] = []
    for reference in references {
      guard let sheet = load(reference), text.count + sheet.count < Self.maxBytes else { continue }
      let start = text.count
      text += sheet
      text.closeStyleSheet(from: start)
    }
    return text
  }
}
