package import Foundation
import WARC

/// The text that a browser has made of a page by its scripts: a `resource` record under a name of its own
/// (`urn:rendered:` and the address), so that neither this archive nor another program takes it for an answer
/// of the server.
package struct RenderedPage: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  /// The address that the document had in the end.
  package var url: String
  /// Which browser it was, with its version: `chromium/156.0.8078.79`.
  package var browser: String
  /// The id of the version whose scripts were run; nil when that could not be saved.
  package var source: String?
  /// When it was made.
  package var date: Date
  /// The document, serialised, in UTF-8.
  package var content: [UInt8]

  /// Makes it from its parts.
  package init(
    key: String, url: String, browser: String, source: String?, date: Date, content: [UInt8]
  ) {
    (self.key, self.url, self.browser) = (key, url, browser)
    (self.source, self.date, self.content) = (source, date, content)
  }

  private static let prefix = "urn:rendered:"
  static let browserField = "Offread-Rendered-By"
  static let mediaType = "text/html; charset=utf-8"

  /// The key under which what was rendered of a page is found.
  package static func key(of page: String) -> String { prefix + page }

  /// The key of the page of which something was rendered; nil when a key is none of that.
  package static func page(of key: String) -> String? {
    key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
  }
}

extension StoredResponse {
  /// Whether it is no answer of a server, but what a browser has made of one.
  package var isRendered: Bool { RenderedPage.page(of: key) != nil }

  /// Which browser has made it, as in `RenderedPage.browser`; nil for an answer of a server.
  package var browser: String? { isRendered ? response.fields[RenderedPage.browserField] : nil }

  /// Whether the same browser has made the same of a page.
  package func isSame(as page: RenderedPage) -> Bool {
    var digest = DigestBuilder(.sha256)
    digest.update(page.content)
    return browser == page.browser && renderedURL == page.url && foreignFile == nil
      && payloadDigest == digest.digest().description
  }

  /// The address that the document had, where a browser has made it.
  package var renderedURL: String? { isRendered ? response.fields["Content-Location"] : nil }
}
