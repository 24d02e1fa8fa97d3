package import Foundation
import WARC

extension Archive {
  /// Saves a file that contains pages, such as a book, in a `resource` record. A file that is
  /// already saved is not saved again.
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - type: the media type of the file.
  ///   - date: the time at which the file was imported.
  /// - Returns: the stored file, and whether it was already saved.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func append(
    book content: [UInt8], type: String, at date: Date
  ) throws(ArchiveError) -> (stored: StoredResponse, isKnown: Bool) {
    let key = BookAddress(of: content).key
    if let known = try captures(of: key).first(where: \.isGood) { return (known, true) }
    let stored = try store.reporting { () throws(ArchiveError) in
      var digest = DigestBuilder(.sha256)
      digest.update(content)
      let payload = ArchiveEvent.Payload(
        digest: digest.digest().description, length: Int64(content.count))
      var record = WARCRecord(.resource, date: date, targetURI: key, contentType: type)
      record.fields.append("WARC-Payload-Digest", payload.digest)
      record.fields.append("Offread-Key", key)
      let event = try versionStore.write(record, RecordBlock(head: content), payload, now: date)
      guard case .version(let version)? = event else { throw .notFound }
      return version.stored
    }
    return (stored, false)
  }
}
