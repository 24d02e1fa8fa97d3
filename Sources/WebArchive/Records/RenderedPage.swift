package import Foundation
import WARC

/// A page after a browser has run its scripts. It is stored in a `resource` record with a URN of
/// its own (`urn:rendered:` and the URL), so that neither this archive nor other programs mistake
/// it for a response of the server.
package struct RenderedPage: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  /// The final URL of the document.
  package var url: String
  /// The browser and its version: `chromium/156.0.8078.79`.
  package var browser: String
  /// The id of the version whose scripts were run; nil if that version could not be saved.
  package var source: String?
  /// The time at which the page was rendered.
  package var date: Date
  /// The serialized document in UTF-8.
  package var content: [UInt8]

  package init(
    key: String, url: String, browser: String, source: String?, date: Date, content: [UInt8]
  ) {
    (self.key, self.url, self.browser) = (key, url, browser)
    (self.source, self.date, self.content) = (source, date, content)
  }

  private static let prefix = "urn:rendered:"
  static let browserField = "Offread-Rendered-By"
  static let mediaType = "text/html; charset=utf-8"

  /// Returns the key under which rendered versions of a page are stored.
  package static func key(of page: String) -> String { prefix + page }

  /// Returns the key of the page for the key of a rendered version; nil for any other key.
  package static func page(of key: String) -> String? {
    key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
  }
}

extension StoredResponse {
  /// Whether this is a rendered page, not a response of a server.
  package var isRendered: Bool { RenderedPage.page(of: key) != nil }

  /// The browser that rendered the page, as in `RenderedPage.browser`; nil for a response of a
  /// server.
  package var browser: String? { isRendered ? response.fields[RenderedPage.browserField] : nil }

  /// Returns whether this was rendered by the same browser with the same result.
  package func isSame(as page: RenderedPage) -> Bool {
    var digest = DigestBuilder(.sha256)
    digest.update(page.content)
    return browser == page.browser && renderedURL == page.url && importedFile == nil
      && payloadDigest == digest.digest().description
  }

  /// The final URL of the document; nil for a response of a server.
  package var renderedURL: String? { isRendered ? response.fields["Content-Location"] : nil }
}

extension RenderedPage {
  /// The browser that rendered the page, for display: `chromium 156`.
  package var browserDescription: String {
    let tokens = browser.split(separator: "/", maxSplits: 1)
    let number = tokens.last?.prefix { $0 != "." } ?? ""
    return tokens.count == 2 ? "\(tokens[0]) \(number)" : browser
  }
}
