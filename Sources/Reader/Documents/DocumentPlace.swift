import HTTPCaching

/// Where a file with pages in it is, and how what is in it is addressed.
package struct DocumentPlace: Sendable, Equatable {
  /// What it is called in messages: its path, or its address.
  package let words: String
  /// Its name, without folders.
  package let name: String
  /// Its address.
  package let url: String
  /// What stands before paths in it.
  private let base: String
  /// The address of the folder that it is in, or nil.
  let folder: String?

  /// A file of this machine.
  package init(path: String) {
    (words, url) = (path, Address.fileURL(path: path))
    name = path.split(separator: "/").last.map(String.init) ?? ""
    base = url + "/"
    folder = Address.fileURL(
      path: String(path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)))
  }

  /// A file in the archive.
  /// - Parameters:
  ///   - key: its address, with the slash at its end.
  ///   - name: what it is called.
  package init(key: String, name: String) {
    (words, url, base, folder) = (key, key, key, nil)
    self.name = name
  }

  /// The address of something in it.
  func url(of inner: String) -> String { base + Address.escaped(path: inner) }
}
