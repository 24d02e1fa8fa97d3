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
  /// - Throws: `ReaderError`; `.invalidURL` if the URL is not that of a part, and
  ///   `.unreadableFile` for a part that the reader shows as an explanation why it cannot be read.
  package func part(at url: DocumentAddress, options: LoadOptions) throws(ReaderError) -> Page {
    let (file, inner) = try location(ofPart: url)
    let item = try file.item(at: inner)
    if let problem = item.problem {
      throw .unreadableFile(path: file.path, "has \(inner), which cannot be read: \(problem)")
    }
    return try page(showing: item, at: inner, of: file, for: LoadRequest(url, options: options))
  }

  private func location(
    ofPart url: DocumentAddress
  ) throws(ReaderError) -> (file: DocumentFile, inner: String) {
    if let address = BookAddress(url.text) {
      return (try profile.book(address.key).file, address.path)
    }
    guard let (file, inner) = try profile.documents.file(of: url) else {
      throw .invalidURL(url.text)
    }
    return (file, inner)
  }
}
