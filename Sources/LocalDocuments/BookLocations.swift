package import Pages
import Containers
import Document
import Exchange

/// The parts of a book and their URLs.
package struct BookLocations: Sendable {
  /// The parts. Those without a title are numbered ("Part 3").
  package let list: PartList
  private var indices: [String: Int] = [:]

  /// Assigns URLs and titles to the parts of a book.
  init(of package: EPUBPackage, at file: DocumentLocation) {
    var parts: [PartList.Part] = []
    for (index, part) in package.parts.enumerated() {
      // Unreadable parts have URLs as well: a page there reports the problem.
      let location = part.problem == .outsideBook ? "part-\(index + 1)" : part.path
      if indices[location] == nil { indices[location] = index }
      let title = part.title.isEmpty ? "Part \(index + 1)" : part.title
      parts.append(
        .init(
          url: file.url(of: location), title: SafeText.line(title), isLinear: part.isLinear))
    }
    let entries = package.contents.map { entry in
      PartList.Entry(
        title: SafeText.line(entry.title),
        part: entry.path.isEmpty ? nil : file.url(of: entry.path),
        fragment: entry.fragment, level: entry.level)
    }
    list = PartList(
      title: SafeText.line(package.title.isEmpty ? file.name : package.title),
      contentsURL: file.url,
      parts: parts, index: nil, entries: entries)
  }

  /// The index of the part at a path in the book; nil if no part has this path.
  subscript(path: String) -> Int? { indices[path] }
}
