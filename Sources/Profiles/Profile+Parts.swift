import LocalDocuments
package import Pages
import OfflineCache

extension Address {
  /// Whether the address refers to an item of a file or to an imported file, which cannot be
  /// requested from a server.
  package var isInFile: Bool {
    switch self {
    case .book: true
    case .file(let path): LocalFile.split(path) != nil
    case .web, .builtIn, .feedItem, .standardInput: false
    }
  }
}

extension Profile {
  /// Returns the bytes of an item of a file, such as a chapter or an image, or of an imported file.
  /// - Parameter address: an address for which `isInFile` is true.
  /// - Returns: the bytes as stored in the file, decompressed.
  /// - Throws: `ReaderError`.
  package func bytes(inFile address: Address) throws(ReaderError) -> [UInt8] {
    if let part = BookAddress(address.url.text) {
      let book = try book(part.key)
      guard part.path.isEmpty else { return try book.file.content(at: part.path) }
      do throws(ArchiveError) {
        return try cache.archive.body(of: book.stored).rest()
      } catch {
        throw .archive(url: address.url.text, error)
      }
    }
    guard let (file, inner) = try documents.file(of: address.url, asItem: true), !inner.isEmpty
    else {
      throw .invalidURL(address.url.text)
    }
    return try file.content(at: inner)
  }
}
