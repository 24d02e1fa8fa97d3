import Containers
import DOM

/// Names for the parts of a book that neither its table of contents nor its guide names.
struct PartNames {
  private let archive: ZIPArchive
  private let bookTitle: String
  private let namesPages: Bool

  /// The maximum number of characters of a name.
  private static let maxLength = 120
  /// The maximum number of parts that are read for their names.
  private static let maxParts = 1000
  /// The maximum number of bytes of a part that are read. The heading is near the beginning.
  private static let maxBytes = 1 << 14
  /// The maximum number of nodes of a part that are read.
  private static let maxNodes = 300

  /// Creates names for the parts of a book.
  /// - Parameters:
  ///   - archive: The book.
  ///   - title: The title of the book, which is not used as the name of a part.
  ///   - namesPages: Whether pages are named, too: by their first heading, or else by their title.
  ///     Images in SVG are always named by their title.
  init(of archive: ZIPArchive, inBook title: String, namesPages: Bool) {
    (self.archive, bookTitle, self.namesPages) = (archive, title, namesPages)
  }

  /// Names the parts without a title, at most `maxParts` of them. A name that several of these
  /// parts share is not used.
  func add(to parts: inout [EPUBPackage.Part]) {
    var found: [(index: Int, names: [String])] = []
    var counts: [String: Int] = [:]
    var paths: Set<String> = []
    for (index, part) in parts.enumerated()
    where part.title.isEmpty && part.problem == nil && isNamed(part) {
      guard found.count < Self.maxParts else { break }
      let names = candidates(of: part)
      // A part may be used several times.
      if paths.insert(part.path).inserted {
        for name in Set(names) { counts[name, default: 0] += 1 }
      }
      found.append((index, names))
    }
    for (index, names) in found {
      parts[index].title = names.first { counts[$0] == 1 } ?? ""
    }
  }

  private func isNamed(_ part: EPUBPackage.Part) -> Bool {
    part.isSVG || namesPages && !part.mediaType.hasPrefix("image/")
  }

  /// Returns the first heading and the title of a part.
  private func candidates(of part: EPUBPackage.Part) -> [String] {
    guard let entry = archive[part.path] else { return [] }
    let bytes = archive.beginning(of: entry, upTo: Self.maxBytes)
    let encoding = CharacterEncoding.detect(bytes, charset: nil)
    let tree = XMLTree(encoding.decode(bytes), maxNodes: Self.maxNodes)
    // An element that reaches the end of the nodes may be incomplete.
    let end = tree.isTruncated ? tree.nodes.last?.nameOrTextRange.lowerBound : nil
    let elements = tree.elements.lazy.filter { element in
      end.map { UInt32(element.source.endIndex) <= $0 } ?? true
    }
    let headings = elements.filter { Self.headings.contains($0.name) }
    let heading = headings.map { EPUBFiles.label(of: $0) }.first { !$0.isEmpty }
    let title = elements.first { $0.name == "title" }.map { EPUBFiles.line($0) }
    return [heading, title].compactMap(\.self).filter {
      !$0.isEmpty && $0 != bookTitle && $0.count <= Self.maxLength
    }
  }

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
}
