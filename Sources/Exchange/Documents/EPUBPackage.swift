package import Containers
import DOM

/// A book in EPUB 2 or 3, as its package says (EPUB 3.3, sections 4 and 5): what its parts are, in
/// which order they are read, and how it is called. A book that breaks the rules is read as far as
/// it can be.
package struct EPUBPackage: Sendable, Equatable {
  /// The media type of the file.
  package static let mediaType = "application/epub+zip"

  /// The title, or empty.
  package let title: String
  /// Who has written it.
  package let creators: [String]
  /// Its language as it says (BCP 47), or empty.
  package let language: String
  /// The path of the picture of its cover, or nil.
  package let cover: String?
  /// What is read, in order; not empty.
  package let parts: [Part]
  /// The part with which its text begins: the index in `parts`.
  package let beginning: Int
  /// The table of contents.
  package let contents: [Entry]

  /// Something that is read: a chapter.
  package struct Part: Sendable, Equatable {
    /// Its path in the book; what the package says where it leads out.
    package var path: String
    /// What the table of contents calls it, or empty.
    package var title = ""
    /// Its media type, as the package says, or its name.
    package var mediaType = ""
    /// Why it cannot be read, or nil.
    package var problem: Problem?
    /// Whether it is read in its turn; notes and answers may be for links only.
    package var isLinear = true
  }

  /// Why a part cannot be read.
  package enum Problem: Sendable, Equatable {
    /// The book has no such file.
    case missing
    /// Its path leads out of the book.
    case outside
    /// It is locked.
    case locked
    /// It is neither a page nor a picture, but of this media type.
    case otherKind(String)
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

  /// Whether an archive is a book.
  package static func isBook(_ archive: ZIPArchive) -> Bool {
    if archive[EPUBFiles.container] != nil { return true }
    return (try? EPUBFiles.text(of: "mimetype", in: archive))?.hasPrefix(Self.mediaType)
      ?? false
  }

  /// Reads the package.
  /// - Parameter archive: the book.
  /// - Throws: `ContainerError`: no package, a package that cannot be read, or a book that is
  ///   locked.
  package init(_ archive: ZIPArchive) throws(ContainerError) {
    let manifest = try EPUBManifest(in: archive)
    guard !manifest.order.isEmpty else { throw .damaged("its package names nothing to read") }
    let table = EPUBContents(manifest, in: archive)
    let locked = EPUBFiles.lockedPaths(in: archive)
    var titles: [String: String] = [:]
    for entry in table.entries where titles[entry.path] == nil { titles[entry.path] = entry.title }
    var parts = manifest.order.map { id -> Part in
      let isLinear = !manifest.nonlinear.contains(id)
      guard let item = manifest.items[id] else {
        return Part(path: id, problem: .missing, isLinear: isLinear)
      }
      guard let path = item.path else {
        return Part(path: item.reference, problem: .outside, isLinear: isLinear)
      }
      let problem: Problem? =
        if locked.contains(path) {
          .locked
        } else if archive[path] == nil {
          .missing
        } else {
          item.isShown ? nil : .otherKind(item.mediaType)
        }
      return Part(
        path: path, title: titles[path] ?? manifest.guide[path] ?? "", mediaType: item.mediaType,
        problem: problem, isLinear: isLinear)
    }
    guard !parts.allSatisfy({ $0.problem == .locked }) else { throw .locked }
    if parts.allSatisfy({ !$0.isLinear }) {
      for index in parts.indices { parts[index].isLinear = true }
    }
    (title, creators, language) = (manifest.title, manifest.creators, manifest.language)
    cover = manifest.covers.first { archive[$0] != nil }
    contents = table.entries
    beginning = Self.beginning(of: parts, [table.text, manifest.text] + contents.map(\.path))
    self.parts = parts
  }

  /// Where the book says that its text begins, the first part that the contents name, or the first
  /// one.
  private static func beginning(of parts: [Part], _ paths: [String?]) -> Int {
    let places = Dictionary(
      parts.enumerated().filter { $1.problem == nil }.map { ($1.path, $0) },
      uniquingKeysWith: { first, _ in first })
    return paths.lazy.compactMap(\.self).compactMap { places[$0] }.first
      ?? parts.firstIndex { $0.problem == nil } ?? 0
  }
}
