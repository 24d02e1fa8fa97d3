package import Document
package import ReaderMode
package import OfflineCache

extension Profile {
  /// The document of a version that is saved.
  /// - Parameters:
  ///   - stored: the version.
  ///   - view: how it is read.
  ///   - limit: the most bytes that it may have unpacked.
  /// - Returns: the document.
  /// - Throws: `ArchiveError` when it cannot be read; `PageContent.Problem` when it is no text, or too long.
  package func document(
    of stored: StoredResponse, as view: ReadingView, limit: Int64
  ) throws -> Document {
    let bytes = try cache.archive.body(of: stored).rest()
    let type = MediaType(stored.response.fields["Content-Type"])
    return try PageContent(bytes, type: type, limit: limit).document(url: stored.key, view: view)
  }
}
