import Foundation
import WARC

/// The address of a file with pages of its own, such as a book, that was imported, and of what is in it:
/// `book://`, the beginning of the file's SHA-256, and a path. The root of a book has a host that no other has, as
/// EPUB 3.3, section 6.1.5 asks for, so no path leads out of it; and every machine gives a file the same address.
package struct BookAddress: Sendable, Equatable {
  /// The scheme.
  package static let scheme = "book"
  private static let digits = 32

  /// The cache key of the file, which is its address, too: `book://0a1b…/`.
  package let key: String
  /// The path of something in it, not escaped; empty for the file itself.
  package let path: String

  /// The address of a file.
  /// - Parameter content: all of it.
  package init(of content: [UInt8]) {
    let digest = Hexadecimal.text(DigestBuilder.bytes(of: content, .sha256))
    (key, path) = ("\(Self.scheme)://\(digest.prefix(Self.digits))/", "")
  }

  /// Reads an address; nil for those of other kinds.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let url = WebURL(text), url.scheme == Self.scheme,
      let host = url.host, host.utf8.count == Self.digits,
      host.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    key = "\(Self.scheme)://\(host)/"
    path = String(
      decoding: PercentEncoding.decoded(Array(url.path.utf8.dropFirst())[...]), as: UTF8.self)
  }

  /// The key of the file that an address leads into, or of the page that another address is of.
  package static func key(of key: String) -> String { BookAddress(key)?.key ?? key }
}
