import Foundation
import WARC

/// The URL of an imported file that contains pages, such as a book, or of a file in it: `book://`,
/// the first 32 digits of the file's SHA-256 digest, and a path. The root of a book has a unique
/// host, as EPUB 3.3 §6.1.5 requires, so no relative path leads out of it. The URL of a file is the
/// same on every device.
package struct BookAddress: Sendable, Equatable {
  package static let scheme = "book"
  private static let digits = 32

  /// The cache key of the file, which is also its URL: `book://0a1b…/`.
  package let key: String
  /// The percent-decoded path of a file in the book; empty for the book itself.
  package let path: String

  /// Creates the URL of a book.
  /// - Parameter content: the bytes of the book.
  package init(of content: [UInt8]) {
    self.init(digest: DigestBuilder.bytes(of: content, .sha256))
  }

  /// Creates the URL of a book that is read in pieces.
  /// - Parameter next: returns the next bytes of the book; nil at its end.
  /// - Throws: the error of `next`.
  package init(reading next: () throws(ArchiveError) -> [UInt8]?) throws(ArchiveError) {
    var digest = DigestBuilder(.sha256)
    while let bytes = try next() { digest.update(bytes) }
    self.init(digest: digest.digest().bytes)
  }

  private init(digest: [UInt8]) {
    (key, path) = ("\(Self.scheme)://\(Hexadecimal.text(digest).prefix(Self.digits))/", "")
  }

  /// Parses the URL of a book or of a file in a book; nil for any other URL.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let url = WebURL(text), url.scheme == Self.scheme,
      let host = url.host, host.utf8.count == Self.digits,
      host.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    key = "\(Self.scheme)://\(host)/"
    path = String(
      decoding: PercentEncoding.decoded(Array(url.path.utf8.dropFirst())[...]), as: UTF8.self)
  }

  /// Returns the key of the book to which a URL belongs. A key that is not the URL of a book is
  /// returned unchanged.
  package static func key(of key: String) -> String { BookAddress(key)?.key ?? key }
}
