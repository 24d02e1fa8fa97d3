import LocalDocuments
package import OfflineCache
package import Pages
import Profiles

extension PageLoader {
  /// Reads a part of a local file or of an imported book, such as a chapter, on the calling thread.
  /// - Parameters:
  ///   - url: the URL of the part.
  ///   - options: the options of the load.
  /// - Returns: the page, without links to other parts unless the loader keeps content.
  /// - Throws: `ReaderError`; `.invalidURL` if the URL is not that of a part.
  package func part(at url: String, options: LoadOptions) throws(ReaderError) -> Page {
    let request = LoadRequest(url, options: options)
    if BookAddress(url) != nil { return try bookPage(url, for: request) }
    guard let (file, inner) = try profile.documents.file(of: url) else { throw .invalidURL(url) }
    return try page(at: inner, of: file, for: request)
  }
}
