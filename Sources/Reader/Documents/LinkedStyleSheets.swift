import Containers
import DOM
import Exchange

/// The style sheets in a container that one of its pages links to.
struct LinkedStyleSheets {
  /// Their paths in the container, in the order of the links.
  private(set) var paths: [String] = []

  private static let maxHeadBytes = 1 << 16
  private static let maxSheets = 16
  private static let maxBytes = 1 << 20

  /// Collects the links from the beginning of a page.
  /// - Parameters:
  ///   - page: the page, in an encoding that is a superset of ASCII.
  ///   - path: its path in the container.
  init(in page: [UInt8], at path: String) {
    let head = Array(page.prefix(Self.maxHeadBytes))
    let tree = DOMParser.parse(head, isXML: head.starts(with: "<?xml".utf8))
    var node = tree.next(0, in: 0)
    while node >= 0, paths.count < Self.maxSheets {
      if tree.nodes[Int(node)].name == .link, tree.value(.rel, of: node, contains: "stylesheet"),
        !tree.value(.rel, of: node, contains: "alternate"),
        tree.string(.media, of: node)?.lowercased().contains("print") != true,
        let reference = tree.string(.href, of: node),
        let target = ContainedPath.resolve(reference, from: path)
      {
        paths.append(target)
      }
      node = tree.next(node, in: 0)
    }
  }

  /// Returns the concatenated style sheets. Missing and damaged ones, and those with which the
  /// result would reach `maxBytes`, are skipped, as the page is readable without them.
  func content(of archive: ZIPArchive) -> [UInt8] {
    var text: [UInt8] = []
    for path in paths {
      guard let sheet = try? archive.content(of: archive.path(matching: path)),
        text.count + sheet.count < Self.maxBytes
      else { continue }
      text += sheet + [0x0A]
    }
    return text
  }
}
