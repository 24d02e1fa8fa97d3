package import Containers
import DOM

/// The structure of an EPUB 2 or 3 book according to its package document (EPUB 3.3 §4 and §5):
/// parts, reading order, metadata. Invalid books are read as far as possible.
package struct EPUBPackage: Sendable, Equatable {
  /// The media type of EPUB files.
  package static let mediaType = "application/epub+zip"

  /// The title, or empty.
  package let title: String
  /// The subtitle, or empty.
  package let subtitle: String
  /// The series with the position in it, or empty.
  package let series: String
  /// The date of publication as written, or empty.
  package let date: String
  /// The description, as plain text or HTML, or empty.
  package let description: String
  /// The authors, followed by the other creators with their roles.
  package let creators: [String]
  /// The declared language (BCP 47), or empty.
  package let language: String
  /// The path of the cover image; nil if the book contains none.
  package let cover: String?
  /// The parts in reading order; not empty.
  package let parts: [Part]
  /// The index in `parts` where the text begins.
  package let bodyStart: Int
  /// The table of contents.
  package let contents: [Entry]

  /// A part of the reading order, such as a chapter.
  package struct Part: Sendable, Equatable {
    /// The path of the part in the book; the reference as written if it leads out of the book.
    package var path: String
    /// The title of the part in the table of contents or the guide, or empty.
    package var title = ""
    /// The media type of the part by the package document or its file name.
    package var mediaType = ""
    /// The reason why the part cannot be read; nil if it can be read.
    package var problem: Problem?
    /// Whether the part is in the linear reading order, as opposed to notes reached only by links.
    package var isLinear = true

    /// Whether the part is an SVG image, which may contain text.
    package var isSVG: Bool { mediaType == "image/svg+xml" }
  }

  /// A reason why a part cannot be read.
  package enum Problem: Sendable, Equatable {
    /// The book has no such file.
    case missing
    /// The path of the part leads out of the book.
    case outsideBook
    /// The part is encrypted.
    case drmProtected
    /// The part is neither a page nor an image, but of this media type.
    case unsupportedType(String)
  }

  /// An entry of the table of contents.
  package struct Entry: Sendable, Equatable {
    /// The text of the entry.
    package var title: String
    /// The path of the part, or empty for a heading without a link.
    package var path: String
    /// The fragment in the part, or empty.
    package var fragment: String
    /// The nesting level, from 0.
    package var level: Int
  }

  /// Returns whether an archive is an EPUB book.
  package static func isBook(_ archive: ZIPArchive) -> Bool {
    if EPUBFiles.root(of: archive) != nil { return true }
    return (try? EPUBFiles.text(of: "mimetype", in: archive))?.hasPrefix(Self.mediaType)
      ?? false
  }

  /// Reads the package document.
  /// - Parameter archive: The book.
  /// - Throws: `ContainerError` if the package document is missing or unreadable, or if the book is
  ///   encrypted.
  package init(_ archive: ZIPArchive) throws(ContainerError) {
    let manifest = try EPUBManifest(in: archive)
    guard !manifest.spineIDs.isEmpty else { throw .damaged("its reading order is empty") }
    let tableOfContents = EPUBContents(manifest, in: archive)
    let encryptedPaths = EPUBFiles.encryptedPaths(in: archive)
    var titles: [String: String] = [:]
    for entry in tableOfContents.entries where titles[entry.path] == nil && !entry.title.isEmpty {
      titles[entry.path] = entry.title
    }
    var parts = manifest.spineIDs.map { id in
      Self.part(id, of: manifest, in: archive, titles, encryptedPaths)
    }
    guard !parts.allSatisfy({ $0.problem == .drmProtected }) else { throw .drmProtected }
    let metadata = manifest.metadata
    title = metadata.title
    let partNames = PartNames(of: archive, inBook: title, namesPages: !tableOfContents.hasTitles)
    partNames.add(to: &parts)
    if parts.allSatisfy({ !$0.isLinear }) {
      for index in parts.indices { parts[index].isLinear = true }
    }
    (creators, language) = (metadata.creators, metadata.language)
    description = metadata.description
    (subtitle, series, date) = (metadata.subtitle, metadata.series, metadata.date)
    cover = manifest.covers.first { archive[$0] != nil }
    contents = Self.withTitles(tableOfContents.entries, parts)
    bodyStart = Self.bodyStart(
      of: parts, [tableOfContents.bodyStartPath, manifest.bodyStartPath] + contents.map(\.path))
    self.parts = parts
  }

  private static func part(
    _ id: String, of manifest: EPUBManifest, in archive: ZIPArchive, _ titles: [String: String],
    _ encryptedPaths: Set<String>
  ) -> Part {
    let isLinear = !manifest.nonlinearIDs.contains(id)
    guard let item = manifest.shownItem(id) else {
      return Part(path: id, problem: .missing, isLinear: isLinear)
    }
    guard let path = item.path else {
      return Part(path: item.reference, problem: .outsideBook, isLinear: isLinear)
    }
    let problem: Problem? =
      if encryptedPaths.contains(path) {
        .drmProtected
      } else if archive[path] == nil {
        .missing
      } else {
        item.isShown ? nil : .unsupportedType(item.mediaType)
      }
    return Part(
      path: path, title: titles[path] ?? manifest.guide[path] ?? "", mediaType: item.mediaType,
      problem: problem, isLinear: isLinear)
  }

  /// Returns the entries of a table of contents. Those without a text are named after their parts,
  /// or are left out if they lead to no part.
  private static func withTitles(_ entries: [Entry], _ parts: [Part]) -> [Entry] {
    guard entries.contains(where: \.title.isEmpty) else { return entries }
    let indices = Dictionary(
      parts.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { min($0, $1) })
    return entries.compactMap { entry in
      guard entry.title.isEmpty else { return entry }
      guard entry.fragment.isEmpty, let index = indices[entry.path] else { return nil }
      var entry = entry
      entry.title = parts[index].title.isEmpty ? "Part \(index + 1)" : parts[index].title
      return entry
    }
  }

  /// Returns the index where the text begins: as the book declares, or else the first part in the
  /// table of contents, or the first readable part.
  private static func bodyStart(of parts: [Part], _ paths: [String?]) -> Int {
    let positions = Dictionary(
      parts.enumerated().filter { $1.problem == nil }.map { ($1.path, $0) },
      uniquingKeysWith: { first, _ in first })
    return paths.lazy.compactMap(\.self).compactMap { positions[$0] }.first
      ?? parts.firstIndex { $0.problem == nil } ?? 0
  }
}
