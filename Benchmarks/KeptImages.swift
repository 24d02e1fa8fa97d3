import Document
import DOM
import Foundation
import ReaderMode

/// Whether reader view keeps the images of a text: those in the known content that the whole page
/// shows.
enum KeptImages {
  private struct Count {
    var kept = 0
    var all = 0

    mutating func add(_ isKept: Bool) {
      all += 1
      if isKept { kept += 1 }
    }
  }

  /// Prints the missing images, and how many are kept: of all, and of those alone in a `div`.
  /// - Parameter arguments: Directories that contain a page (`source.html`) and its content as HTML
  ///   (`expected.html`).
  /// - Throws: An error if a file cannot be read.
  static func print(_ arguments: [String]) throws {
    var (all, alone) = (Count(), Count())
    for folder in arguments {
      let page = try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/source.html")))
      let content = try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/expected.html")))
      let wanted = names(in: DOMParser.parse(content), onlyAlone: false)
      let isAlone = names(in: DOMParser.parse(page), onlyAlone: true)
      let shown = names(in: Document(bytes: page, mediaType: "text/html", url: address))
      let kept = names(
        in: Document(
          bytes: page, mediaType: "text/html", url: address, view: .reader(ReaderOptions())))
      for name in wanted.intersection(shown).sorted() {
        all.add(kept.contains(name))
        if isAlone.contains(name) { alone.add(kept.contains(name)) }
        if !kept.contains(name) { Swift.print("\(folder): \(name)") }
      }
    }
    Swift.print("\(all.kept) of \(all.all) images of the texts are kept")
    Swift.print("\(alone.kept) of \(alone.all) that stand alone in a div")
  }

  private static let address = "https://page.example/text.html"

  private static func names(in document: Document) -> Set<String> {
    Set(document.images.map { name(of: $0.source) })
  }

  /// Returns the file names of images, since sizes and hosts differ.
  private static func names(in tree: DOMTree, onlyAlone: Bool) -> Set<String> {
    var names: Set<String> = []
    var next: Int32? = 0
    while let node = next {
      if tree.nodes[Int(node)].name == .img, !onlyAlone || isAlone(node, in: tree) {
        for attribute in [AttributeName.src, .dataSource, .dataOriginal] {
          guard let range = tree.attribute(attribute, of: node), !range.isEmpty else { continue }
          names.insert(name(of: String(decoding: tree.bytes[range], as: UTF8.self)))
        }
      }
      next = tree.nodeAfter(node, in: 0)
    }
    return names
  }

  /// Returns whether the `div` around an image contains no text and at most two images.
  private static func isAlone(_ image: Int32, in tree: DOMTree) -> Bool {
    var around = tree.nodes[Int(image)].parent ?? 0
    while around > 0, [.a, .picture, .span, .noscript].contains(tree.nodes[Int(around)].name) {
      around = tree.nodes[Int(around)].parent ?? 0
    }
    guard around > 0, tree.nodes[Int(around)].name == .div,
      !tree.nodes[Int(around)].contents.contains(.text)
    else { return false }
    var (images, next) = (0, tree.nodeAfter(around, in: around))
    while let node = next {
      if tree.nodes[Int(node)].name == .img { images += 1 }
      next = tree.nodeAfter(node, in: around)
    }
    return images <= 2
  }

  private static func name(of reference: String) -> String {
    let path = reference.prefix { $0 != "#" && $0 != "?" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return last.removingPercentEncoding ?? last
  }
}
