package import Pages
package import Profiles
import ReaderMode
import Foundation
import Document
import DOM
import OfflineCache

/// The page that is shown when a page is not available. It explains the error, gives advice, and
/// lists saved pages of the same origin.
package struct ExplanationPage: Sendable, Equatable {
  package var error: ReaderError
  /// The requested URL.
  package var url: String
  /// Saved pages of the same origin, newest first.
  package var savedPages: [SavedAddresses.Match]
  /// The URL of a saved page that is probably the requested page (see
  /// `HTTPCache.savedVariant(of:)`); nil for none.
  package var variant: String?
  /// Whether the page is queued for the next sync.
  package var isQueued: Bool
  /// Whether an error in the settings file prevents all requests.
  package var isRestricted = false
  /// The keys that the advice names.
  var keyNames = KeyNames()

  package init(
    error: ReaderError, url: String, savedPages: [SavedAddresses.Match] = [], isQueued: Bool = false
  ) {
    self.isQueued = isQueued
    self.error = error
    self.url = url
    self.savedPages = savedPages
  }

  /// The URL to which the page redirects, if its load failed there; nil otherwise.
  private var failedTarget: String? {
    switch error {
    case .unreachable(let target, _), .noResponse(let target, _): target == url ? nil : target
    case .invalidURL, .noFile, .unsupportedScheme, .forbiddenTarget, .noSuchVersion,
      .notInArchives, .notRendered, .needsNetwork, .notSaved, .status, .archive, .noBuiltInPage,
      .notText, .tooLarge, .unreadableFile, .usage:
      nil
    }
  }

  /// Whether the advice begins with the requested file, so that the page does not name it before.
  private var namesFileInAdvice: Bool {
    guard case .unreadableFile(let path, _) = error else { return false }
    return path == url || url.hasScheme("stdin")
  }

  /// The explanation as a page, ready for layout.
  package var page: Page {
    let html = Array(markup.utf8)
    let document = Document(bytes: html, mediaType: "text/html", charset: "utf-8", url: url)
    let shown = DocumentAddress(url).withoutCredentials
    return Page(
      requestedURL: shown, url: shown, document: document,
      provenance: Provenance(source: .explanation), length: html.count)
  }

  private var markup: String {
    let shown = Markup.escapedLine(SafeText.withoutCredentials(url))
    var html = "<!DOCTYPE html><title>\(Markup.escaped(error.headline))</title>"
    html += "<main><h1>\(Markup.escaped(error.headline))</h1>"
    if !namesFileInAdvice { html += "<p><code>\(shown)</code></p>" }
    if let failedTarget {
      let target = Markup.escapedLine(SafeText.withoutCredentials(failedTarget))
      html += "<p>It redirects to <code>\(target)</code>.</p>"
    }
    if let variant {
      html +=
        "<p>A page with a similar URL is saved:"
        + " <a href=\"\(Markup.escaped(variant))\">\(Markup.escapedLine(variant))</a>."
        + " <kbd>Tab</kbd> and <kbd>Enter</kbd> open it.</p>"
    }
    if isQueued {
      html +=
        "<p>It is queued: it is fetched while you read, as soon as there is a network, or by"
        + " <code>offread sync</code>. <kbd>Q</kbd> lists the queue.</p>"
    }
    html += advice.map { "<p>\($0)</p>" }.joined()
    if !isQueued, error.mayRecover {
      html += "<p><kbd>a</kbd> puts it into the queue until the server responds.</p>"
    }
    if !savedPages.isEmpty {
      html += "<h2>Saved from this host</h2><ul>"
      for page in savedPages {
        let text = page.title.isEmpty ? SafeText.withoutCredentials(page.url) : page.title
        html += "<li><a href=\"\(Markup.escaped(page.url))\">\(Markup.escapedLine(text))</a></li>"
      }
      html += "</ul>"
    }
    return keyNames.applied(to: html + "</main>")
  }
}
