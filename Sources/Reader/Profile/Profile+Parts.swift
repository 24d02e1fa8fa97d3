import OfflineCache

extension Address {
  /// Whether it is that of something in a file, or of a file in the library: bytes that no server has.
  package var isInFile: Bool {
    switch self {
    case .book: true
    case .file(let path): LocalFile.split(path) != nil
    case .web, .builtIn, .standardInput: false
    }
  }
}

extension Profile {
  /// The bytes of something in a file (a chapter, a picture), or of a file in the library.
  /// - Parameter address: an address that `isInFile`.
  /// - Returns: the bytes, as they are in the file, unpacked.
  /// - Throws: `ReaderError`.
  package func bytes(inFile address: Address) throws(ReaderError) -> [UInt8] {
    if let part = BookAddress(address.url) {
      let book = try book(part.key)
      guard part.path.isEmpty else { return try book.file.content(at: part.path) }
      do throws(ArchiveError) {
        return try cache.archive.body(of: book.stored).rest()
      } catch {
        throw .archive(url: address.url, error)
      }
    }
    guard let (file, inner) = try documents.file(of: address.url), !inner.isEmpty else {
      throw .notAnAddress(address.url)
    }
    return try file.content(at: inner)
  }
}
