import WARC

extension Archive {
  /// Saves what a browser has made of a page, beside its versions, none of which it changes.
  /// - Parameter page: what was made.
  /// - Returns: it as it is stored now.
  /// - Throws: `ArchiveError` when it cannot be written.
  @discardableResult
  package func append(_ page: RenderedPage) throws(ArchiveError) -> StoredResponse {
    try store.reporting { () throws(ArchiveError) in
      var digest = DigestBuilder(.sha256)
      digest.update(page.content)
      let payload = ArchiveEvent.Payload(
        digest: digest.digest().description, length: Int64(page.content.count))
      let record = ArchiveRecords.rendered(page, digest: payload.digest)
      let event = try versionStore.write(
        record, RecordBlock(head: page.content), payload, now: page.date)
      guard case .version(let version)? = event else { throw .notFound }
      return version.stored
    }
  }
}
