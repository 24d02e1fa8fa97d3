import Configuration
import Foundation
import OfflineCache
import Profiles
import WARC

extension LibraryImport {
  /// Stores records in a WARC file whose name is derived from the imported content, so that
  /// importing the same content again changes nothing.
  /// - Parameters:
  ///   - digest: the digest of the imported content.
  ///   - description: a description of the records and of their dates.
  ///   - write: writes the records.
  /// - Returns: whether the file is new in the archive or was there before. If removed pages were
  ///   restored, it counts as new.
  /// - Throws: `ArchiveError`, and the errors of `write`.
  func storeRecords(
    of digest: DigestBuilder, description: String,
    _ write: @escaping (WARCWriter, _ sink: ([UInt8]) throws -> Void) throws -> Void
  ) throws -> ArrivingFile.Outcome {
    let name = "import-\(ArrivingFile.name(of: digest.digest().bytes)).warc.gz"
    let outcome = try ArrivingFile(in: profile.locations.archive.path).make(name) { sink in
      let writer = WARCWriter()
      var head = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
      head.fields.append("WARC-Filename", name)
      let text =
        "software: \(Software.product)\r\nformat: WARC File Format 1.1\r\n"
        + "description: \(description)\r\n"
      try writer.write(head, block: Array(text.utf8), into: sink)
      try write(writer, sink)
    }
    return try restoringRemoved(outcome)
  }
}
