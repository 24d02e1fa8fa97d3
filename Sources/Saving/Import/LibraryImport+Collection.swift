import Exchange
import Pages
import LocalDocuments
import Containers
import Document
import Foundation
import Library
import OfflineCache
import Profiles
import WACZ

/// Imports collections of WACZ files (multi-WACZ), and records the pages of WACZ files as
/// collections.
extension LibraryImport {
  /// Records the pages that WACZ files list as a collection that is not pinned, unless fewer than
  /// two of them are saved or a collection with the same start page exists.
  /// - Parameters:
  ///   - urls: the URLs of the pages in order.
  ///   - title: the title in the description of the file, or empty.
  ///   - document: the file, by which the collection is named if there is no title.
  /// - Returns: the name of the collection; nil if none was recorded.
  /// - Throws: `ArchiveError`.
  func recordCollection(
    of urls: [String], named title: String, in document: DocumentFile
  ) throws(ArchiveError) -> String? {
    let (library, cache) = (profile.library, profile.cache)
    var seen: Set<String> = []
    let keys = urls.compactMap { url in
      cache.key(of: url).flatMap { cache.page(of: $0)?.key }
    }.filter { seen.insert($0).inserted }
    guard keys.count > 1, let start = keys.first else { return nil }
    let id = PageCollection.id(ofStart: start)
    if let existing = try library.collection(id), existing.removed == nil { return nil }
    let fileName = document.name.hasSuffix(".wacz") ? document.name.dropLast(5) : document.name[...]
    let name = title.isEmpty ? String(fileName) : title
    let record = PageCollection.Record(
      name: name, start: [start], isPinned: false, saved: library.now)
    let memberships = try library.pages(keys).map(\.membership)
    try library.record(
      PageCollection.changes(record, id, of: keys, memberships, by: library.device, at: library.now)
    )
    return name
  }

  /// The maximum number of listed WACZ files that are imported.
  private static let maxListedParts = 1000

  /// A WACZ file that a collection lists, if it was found.
  private enum ListedFile: Hashable {
    /// An entry in the file of the collection.
    case entry(path: String)
    /// A file in the same directory as the collection.
    case file(path: String)
  }

  /// A WACZ file of a collection, with the path or URL that names it in messages.
  private typealias FoundPart = (name: String, file: ListedFile)

  /// Imports the WACZ files that a collection lists, if they are in its file or directory, the
  /// other WACZ files in it, and the records that the collection itself contains. A file that is
  /// listed several times is imported once. Missing files are counted and reported.
  /// - Parameters:
  ///   - archive: the file of the collection.
  ///   - description: the description of the collection.
  ///   - document: the file of the collection, opened as a document.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile` if nothing can be imported, `ArchiveError`.
  func importParts(
    of archive: ZIPArchive, listedIn description: WACZDescription, _ document: DocumentFile
  ) throws -> Outcome {
    var outcomes: [Outcome] = []
    var refusalReasons: [String] = []
    if archive.entries.contains(where: Self.isWARCFile) {
      outcomes.append(try importRecords(of: archive, in: document, as: .wacz))
    }
    var listedParts: Set<String> = []
    let parts = description.parts.filter { listedParts.insert($0).inserted }
    let (found, missingNames) = findParts(parts, in: archive, beside: document.path)
    var importedFiles: Set = [ListedFile.file(path: document.path)]
    for (name, file) in found where importedFiles.insert(file).inserted {
      let verb = if case .entry = file { "has" } else { "lists" }
      do {
        outcomes.append(
          try importRecords(of: open(file, in: archive), in: document, as: .wacz))
      } catch ReaderError.unreadableFile(_, let reason) {
        refusalReasons.append("\(verb) \(name), which \(reason)")
      } catch let error as ContainerError {
        refusalReasons.append("\(verb) \(name), which \(error.description)")
      }
    }
    let missingParts = Self.messages(missing: missingNames, count: parts.count)
    guard var outcome = Outcome.combining(outcomes) else {
      throw ReaderError.unreadableFile(
        path: document.path, refusalReasons.first ?? missingParts.first ?? "lists no WACZ files")
    }
    outcome.refusalReasons += refusalReasons
    outcome.missingParts += missingParts
    return outcome
  }

  /// Finds the WACZ files of a collection: those that it lists in order, followed by all that it
  /// contains, because the lists of some programs are incomplete.
  /// - Parameters:
  ///   - parts: the listed paths and URLs.
  ///   - archive: the file of the collection.
  ///   - path: its path.
  /// - Returns: the files, some of them several times, and the names of the missing ones.
  private func findParts(
    _ parts: [String], in archive: ZIPArchive, beside path: String
  ) -> (found: [FoundPart], missingNames: [String]) {
    let entries = Dictionary(grouping: archive.entries.filter { !$0.isDirectory }) {
      $0.path.split(separator: "/").last.map(String.init) ?? ""
    }
    var found: [FoundPart] = []
    var missingNames: [String] = []
    for part in parts.prefix(Self.maxListedParts) {
      let name = Self.withoutSecrets(part)
      if let file = listedFile(part, among: entries, in: archive, beside: path) {
        found.append((name, file))
      } else {
        missingNames.append(name)
      }
    }
    for entry in archive.entries
    where !entry.isDirectory && entry.path.lowercased().hasSuffix(".wacz")
      && !ArchiveTree.isHidden(entry.path)
    {
      found.append((entry.path, .entry(path: entry.path)))
    }
    return (found, missingNames)
  }

  /// Returns a listed path or URL in the form shown in messages: without a password, and without
  /// the query, which may contain a token.
  private static func withoutSecrets(_ part: String) -> String {
    SafeText.withoutCredentials(String(part.prefix { $0 != "?" && $0 != "#" }))
  }

  /// Returns the messages about the listed files that were not imported.
  /// - Parameters:
  ///   - missing: the files that were not found.
  ///   - count: the number of listed files.
  /// - Returns: the messages, each a clause that continues a sentence about the collection.
  private static func messages(missing: [String], count: Int) -> [String] {
    var messages: [String] = []
    if let first = missing.first {
      let files =
        missing.count == 1
        ? "lists a WACZ file that is neither in it nor in its directory (\(first)): copy it there"
        : "lists \(missing.count) WACZ files that are neither in it nor in its directory, such as"
          + " \(first): copy them there"
      messages.append(files + ", and import again")
    }
    if count > maxListedParts {
      messages.append(
        "lists \(count) WACZ files, of which only the first \(maxListedParts) are imported: import"
          + " the others one by one")
    }
    return messages
  }

  /// Finds a WACZ file that a collection lists by its path or URL.
  /// - Parameters:
  ///   - part: the path or URL.
  ///   - entries: the files in the collection by their names.
  ///   - archive: the collection.
  ///   - path: the path of the collection.
  /// - Returns: the file with that path or name in the collection, or else the file with that name
  ///   in the directory of the collection; nil if there is none.
  private func listedFile(
    _ part: String, among entries: [String: [ZIPArchive.Entry]], in archive: ZIPArchive,
    beside path: String
  ) -> ListedFile? {
    let written = part.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    let name = written.removingPercentEncoding ?? String(written)
    let named = entries[name] ?? []
    if let entry = archive[part] ?? (named.count == 1 ? named.first : nil) {
      return .entry(path: entry.path)
    }
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    // Opening a named pipe would block.
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
      (try? files.status(of: directory + name))?.isFile ?? false
    else { return nil }
    return .file(path: directory + name)
  }

  /// Opens an archive that an archive contains.
  static func open(_ path: String, in archive: ZIPArchive) throws -> ZIPArchive {
    if let entry = archive[path], let bytes = try archive.storedBytes(of: entry) {
      return try ZIPArchive(bytes)
    }
    return try ZIPArchive(ByteAccess(try archive.content(of: path)))
  }

  private func open(_ listed: ListedFile, in archive: ZIPArchive) throws -> ZIPArchive {
    switch listed {
    case .entry(let path): return try Self.open(path, in: archive)
    case .file(let path):
      guard let file = try files.openForReading(path) else {
        throw ReaderError.unreadableFile(path: path, "does not exist")
      }
      return try ZIPArchive(
        ByteAccess(size: try file.status().size) { offset, count in
          try file.bytes(at: offset, count: count)
        })
    }
  }
}
