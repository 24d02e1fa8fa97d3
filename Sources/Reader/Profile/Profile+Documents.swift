package import Document
import Formats
package import ReaderMode
package import OfflineCache

extension Profile {
  /// What a browser has made of a page last, as a page is read.
  /// - Parameters:
  ///   - key: the page.
  ///   - limit: the most bytes that it may have.
  /// - Returns: nil when there is nothing that can be read.
  package func renderedDocument(of key: String, limit: Int64) -> Document? {
    let stored = try? cache.archive.known(of: RenderedPage.key(of: key)).first
    return stored.flatMap { try? document(of: $0, as: .page, limit: limit) }
  }

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
    let url = stored.renderedURL ?? stored.key
    return try PageContent(
      document: bytes, type: type, limit: limit, title: FileName(reference: url)?.text ?? ""
    ).document(url: url, view: view)
  }
}
