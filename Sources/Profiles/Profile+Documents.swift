import LocalDocuments
import Pages
import Feeds
package import Document
import Formats
import Library
package import ReaderMode
package import OfflineCache

extension Profile {
  /// Returns the latest rendering of a page as a document.
  /// - Parameters:
  ///   - key: the cache key of the page.
  ///   - limit: maximum size in bytes.
  /// - Returns: the document; nil if there is no readable rendering.
  package func renderedDocument(of key: String, limit: Int64) -> Document? {
    let stored = try? cache.archive.indexedVersions(of: RenderedPage.key(of: key)).first
    return stored.flatMap { try? document(of: $0, as: .page, limit: limit) }
  }

  /// Returns the document of a saved version.
  /// - Parameters:
  ///   - stored: the version.
  ///   - view: the view.
  ///   - limit: maximum size in bytes, after decompression.
  /// - Returns: the document.
  /// - Throws: `ArchiveError` if it cannot be read; `PageContent.Problem` if it is not text, or is
  ///   too large.
  package func document(
    of stored: StoredResponse, as view: PageViewMode, limit: Int64
  ) throws -> Document {
    let bytes = try cache.archive.body(of: stored).rest()
    let type = MediaType(stored.response.fields["Content-Type"])
    let url = stored.renderedURL ?? stored.key
    return try PageContent(
      document: bytes, type: type, limit: limit, title: FileName(reference: url)?.text ?? ""
    ).document(url: url, view: view)
  }

  /// Returns whether a saved response has text for the search index. In the archives of browsers,
  /// JSON is usually the data of a page, unless it is a feed; JSON that this program received is a
  /// page of its own.
  /// - Throws: `ArchiveError` if it cannot be read.
  func hasSearchableText(_ stored: StoredResponse) throws -> Bool {
    guard stored.importedFile != nil,
      MediaType(stored.response.fields["Content-Type"]).essence == "application/json",
      !library.isEvictionExempt(stored.key)
    else { return true }
    return FeedFormat(of: try cache.archive.body(of: stored).rest()) != nil
  }
}
