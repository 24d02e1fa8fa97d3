import Exchange
import Pages
import LocalDocuments
import Containers
import Foundation
import OfflineCache
import Reader
import WACZ

/// Imports collections of WACZ files (multi-WACZ).
extension LibraryImport {
  /// The maximum number of WACZ files of a collection that are imported; the others count as
  /// missing.
  private static let maxListedParts = 1000

  /// Imports the WACZ files that a collection lists, if they are in its file or directory, and the
  /// records that it contains itself. The missing files are counted and reported.
  /// - Parameters:
  ///   - archive: the file of the collection.
  ///   - description: its description.
  ///   - document: the same file.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile` if nothing can be imported, `ArchiveError`.
  func importParts(
    of archive: ZIPArchive, listedIn description: WACZDescription, _ document: DocumentFile
  ) throws -> Outcome {
    var outcomes: [Outcome] = []
    var refused: [String] = []
    var missing: [String] = []
    if archive.entries.contains(where: Self.isRecords) {
      outcomes.append(try importRecords(of: archive, in: document, as: .wacz))
    }
    let entries = Dictionary(grouping: archive.entries) { Self.name(of: $0.path) }
    for (index, part) in description.parts.enumerated() {
      do {
        guard index < Self.maxListedParts,
          let file = try listedFile(part, in: archive, entries, beside: document.path)
        else {
          missing.append(part)
          continue
        }
        outcomes.append(try importRecords(of: file, in: document, as: .wacz))
      } catch ReaderError.unreadableFile(_, let reason) {
        refused.append("lists \(part), which \(reason)")
      } catch let error as ContainerError {
        refused.append("lists \(part), which \(error.description)")
      }
    }
    if let first = missing.first {
      let files =
        missing.count == 1
        ? "lists a WACZ file that is neither in it nor in its directory (\(first)): copy it there"
        : "lists \(missing.count) WACZ files that are neither in it nor in its directory, such as"
          + " \(first): copy them there"
      refused.append(files + ", and import again")
    }
    guard let first = outcomes.first else {
      throw ReaderError.unreadableFile(
        path: document.path, refused.first ?? "lists no WACZ files")
    }
    var outcome = outcomes.dropFirst().reduce(first) { $0.adding($1) }
    outcome.refused += refused
    return outcome
  }

  /// Returns the last component of a path.
  private static func name(of path: some StringProtocol) -> String {
    path.split(separator: "/").last.map { String($0) } ?? ""
  }

  /// Opens a WACZ file that a collection lists by its path or URL: the one with that path or name
  /// in the collection, or else the one with that name in its directory. Nil if there is none.
  /// `entries` are the entries of the collection by their names.
  private func listedFile(
    _ part: String, in archive: ZIPArchive, _ entries: [String: [ZIPArchive.Entry]],
    beside path: String
  ) throws -> ZIPArchive? {
    let written = Self.name(of: part.prefix { $0 != "?" && $0 != "#" })
    let name = written.removingPercentEncoding ?? written
    let named = name.isEmpty ? [] : entries[name] ?? []
    if let entry = archive[part] ?? (named.count == 1 ? named.first : nil) {
      if let bytes = try archive.storedBytes(of: entry) { return try ZIPArchive(bytes) }
      return try ZIPArchive(ByteAccess(try archive.content(of: entry.path)))
    }
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    // A named pipe must not be opened.
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
      (try? files.status(of: directory + name))?.isFile ?? false,
      let file = try? files.openForReading(directory + name)
    else { return nil }
    return try ZIPArchive(
      ByteAccess(size: try file.status().size) { offset, count in
        try file.bytes(at: offset, count: count)
      })
  }
}
