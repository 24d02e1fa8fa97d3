import DOM
import Document
package import OfflineCache

/// The absolute URL of a document of any scheme, such as `https:`, `file:`, `about:` or `book:`.
///
/// Typed texts, references in documents and keys of the archive are strings; they become addresses
/// where they are resolved. An address keeps its text unchanged, as it is shown and stored. For a
/// page that explains why a typed text is not a URL, it is that text.
package struct DocumentAddress: Sendable, Hashable, CustomStringConvertible {
  /// The URL as text, with its fragment.
  package let text: String

  /// Creates the address with a text that is an absolute URL.
  package init(_ text: String) { self.text = text }

  /// Creates the address of a parsed URL.
  package init(_ url: WebURL) { text = url.description }

  /// Creates the `file:` address of a path; see `Address.fileURL(path:)`.
  package init(path: String) { text = Address.fileURL(path: path) }

  package var description: String { text }

  /// The parsed URL; nil if the text is not an absolute URL. Each call parses it again.
  package var parsedURL: WebURL? { WebURL(text) }

  /// Whether the scheme is http or https.
  package var isWebURL: Bool { text.isWebURL }

  /// Returns whether the address has a scheme, given in lower case.
  package func hasScheme(_ scheme: StaticString) -> Bool { text.hasScheme(scheme) }

  /// The path of a local file; nil for every other address.
  package var filePath: String? {
    guard hasScheme("file"), case .file(let path)? = try? Address(typed: text) else { return nil }
    return path
  }

  /// The fragment without `#`; nil for none.
  package var fragment: Substring? {
    text.firstIndex(of: "#").map { text[text.index(after: $0)...] }
  }

  /// Returns the address followed by a fragment, with `#`, or by an empty text.
  package func appending(fragment: String) -> DocumentAddress { DocumentAddress(text + fragment) }

  /// The address without its fragment.
  package var withoutFragment: DocumentAddress {
    text.firstIndex(of: "#").map { DocumentAddress(String(text[..<$0])) } ?? self
  }

  /// The address without user name and password.
  package var withoutCredentials: DocumentAddress {
    DocumentAddress(SafeText.withoutCredentials(text))
  }
}

extension DocumentAddress: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.text = text }
}
