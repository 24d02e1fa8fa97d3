import Exchange
import Foundation
import Pages
import Profiles
import OfflineCache
import WARC

extension LibraryImport {
  /// Imports the responses of an HTTP Archive as records.
  /// - Parameters:
  ///   - archive: the responses.
  ///   - path: the path of the file, for messages.
  /// - Returns: the outcome, which is that of a WARC file.
  /// - Throws: `ReaderError.unreadableFile` if there are no responses; `ArchiveError`.
  func importResponses(of archive: HTTPArchive, in path: String) throws -> Outcome {
    var outcome = Outcome(format: .warc)
    let urls = archive.urlsWithoutContent
    if let first = urls.first {
      let others = urls.count > 1 ? " and \(urls.count - 1) more" : ""
      outcome.missingParts.append("lacks the content of \(first)\(others)")
    }
    guard !archive.responses.isEmpty else {
      throw ReaderError.unreadableFile(
        path: path, outcome.missingParts.first ?? "has no responses with pages")
    }
    let last = try profile.cache.archive.lastRow()
    var digest = DigestBuilder(.sha256)
    for response in archive.responses {
      let seconds = response.date.map { String($0.timeIntervalSince1970) } ?? ""
      digest.update("\(response.url) \(seconds)\n".utf8)
      digest.update(response.message)
    }
    outcome.wasImportedBefore =
      try !storeRecords(of: digest, description: "responses of an HTTP Archive") { writer, sink in
        for response in archive.responses {
          let record = WARCRecord(
            .response, date: min(response.date ?? now, now), targetURI: response.url,
            contentType: "application/http; msgtype=response")
          try writer.write(record, block: response.message, into: sink)
        }
      }.isNew
    outcome.hasNothingNew = try !hasReadableVersions(after: last)
    return outcome
  }
}
