import WARC

extension Archive {
  /// Saves a page that a browser has rendered. It is stored in addition to the versions of the
  /// page, which do not change.
  /// - Parameter page: the rendered page.
  /// - Returns: the page as it is stored now.
  /// - Throws: `ArchiveError` if the record cannot be written.
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
