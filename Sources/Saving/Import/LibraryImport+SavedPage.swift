import Pages
import Configuration
import Exchange
import Foundation
import Library
import OfflineCache
import Profiles
import WARC

extension LibraryImport {
  /// The maximum length in bytes of a page whose title is extracted.
  private static let maxTitledLength: Int64 = 64 << 20

  /// Imports a page that a browser or SingleFile has saved, and pins it under its URL. The date of
  /// the page is the one that the page contains, or else the modification time of the file, because
  /// the content cannot be newer.
  /// - Parameters:
  ///   - page: the page's URL and date.
  ///   - bytes: the content of the file.
  ///   - path: the path of the file, or `-` for standard input.
  ///   - tags: the tags to add.
  /// - Returns: the outcome.
  /// - Throws: `ArchiveError`.
  func importPage(
    _ page: SavedPage, _ bytes: [UInt8], of path: String, tags: [String]
  ) throws -> Outcome {
    var outcome = Outcome(format: .savedPage)
    let bytes = SavedPage.unpacked(bytes)
    let modificationTime = path == "-" ? nil : try files.status(of: path)?.modificationTime
    let fileDate =
      modificationTime.map {
        min(Date(timeIntervalSince1970: (Double($0) / 1e9).rounded(.down)), now)
      } ?? now
    let date = page.date.flatMap { $0 <= now ? $0 : nil } ?? fileDate
    let url = page.url.description
    var digest = DigestBuilder(.sha256)
    digest.update("\(url)\n".utf8)
    digest.update(bytes)
    let description = "a page that a browser has saved; its date is that of the file"
    outcome.wasImportedBefore =
      try !storeRecords(of: digest, description: description) { writer, sink in
        let record = WARCRecord(.resource, date: date, targetURI: url, contentType: "text/html")
        try writer.write(record, block: bytes, into: sink)
      }.isNew
    outcome.pageCount = 1
    guard let key = profile.cache.key(of: url) else { return outcome }
    var changes = [LibraryChange(key, .pinned, "1")]
    changes += LibraryChange.address(url, of: key)
    let title =
      PageLinks(bytes, type: "text/html", url: page.url, limit: Self.maxTitledLength)?.title ?? ""
    if !title.isEmpty { changes.append(LibraryChange(key, .title, title)) }
    changes += Set(tags.flatMap(LibraryAttribute.tags)).sorted().map {
      LibraryChange(key, .tag($0), "1")
    }
    try profile.library.record(changes)
    return outcome
  }
}
