import DOM

/// A page that consists of images without alternative text, such as a page of a comic or of a
/// scanned book. Its images are declared as decorative, but are its content.
struct ImagePage {
  /// The references to the images, in their order; not empty.
  private(set) var sources: [String] = []

  private static let maxBytes = 1 << 16

  /// Parses a page; nil if it has any content other than such images.
  /// - Parameters:
  ///   - page: the page, in an encoding that is a superset of ASCII.
  ///   - isXML: whether it is XHTML.
  init?(_ page: [UInt8], isXML: Bool) {
    guard page.count <= Self.maxBytes else { return nil }
    let tree = DOMParser.parse(page, isXML: isXML)
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      switch tree.nodes[Int(node)].name {
      case .characters where !tree.isBlank(node): return nil
      case .characters, .html, .head, .body, .meta, .link, .div, .p, .span, .section, .article,
        .main, .figure, .br, .center:
        break
      case .title, .style, .script:
        next = tree.nodeAfterSubtree(node, in: 0)
        continue
      case .img:
        guard tree.string(.alt, of: node)?.isEmpty ?? true,
          let source = tree.string(.src, of: node), !source.isEmpty, !source.contains(":")
        else { return nil }
        sources.append(source)
      default: return nil
      }
      next = tree.nodeAfter(node, in: 0)
    }
    guard !sources.isEmpty else { return nil }
  }
}
