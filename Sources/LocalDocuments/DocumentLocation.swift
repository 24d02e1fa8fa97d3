package import Pages
import HTTPCaching
import Platform

/// The location of a file that contains pages, and the URLs of its items.
package struct DocumentLocation: Sendable, Equatable {
  /// The path or URL of the file, for messages.
  package let description: String
  /// The name of the file, without its directory, as text for the user.
  package let name: String
  /// The URL of the file.
  package let url: DocumentAddress
  /// The prefix of the URLs of items.
  private let base: String
  /// The URL of the directory that contains the file; nil for an imported file.
  let directory: DocumentAddress?

  /// Creates the location of a local file.
  package init(path: String) {
    (description, url) = (path, DocumentAddress(path: path))
    name = path.split(separator: "/").last.map { PathText.displayText(String($0)) } ?? ""
    base = url.text + "/"
    directory = DocumentAddress(
      path: String(path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)))
  }

  /// Creates the location of an imported file.
  /// - Parameters:
  ///   - key: the URL of the file, with its trailing slash.
  ///   - name: the display name.
  package init(key: String, name: String) {
    (description, url, base, directory) = (key, DocumentAddress(key), key, nil)
    self.name = name
  }

  /// Returns the URL of an item of the file.
  func url(of inner: String) -> DocumentAddress {
    DocumentAddress(base + Address.escaped(path: inner))
  }
}
