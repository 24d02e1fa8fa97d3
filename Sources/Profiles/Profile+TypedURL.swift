import Pages
import DOM
import Library
package import OfflineCache

/// A URL that the user typed, and whether its scheme is an assumption.
package struct TypedURL: Sendable, Equatable {
  /// The typed URL, with the assumed scheme if the user typed none.
  package var url: String
  /// Whether the user typed no scheme, so that a saved page with the other one of http and https
  /// may match.
  package var isSchemeAssumed = false
  /// Whether the other scheme may be tried over the network as well.
  package var mayTryOtherScheme = false

  /// Creates the typed URL for the text `typed`, which was completed to `url`.
  package init(_ url: String, typed: String) {
    self.url = url
    guard url.isWebURL else { return }
    isSchemeAssumed = Address.assumesScheme(typed, isOffline: true)
    mayTryOtherScheme = Address.assumesScheme(typed)
  }
}

extension Profile {
  /// Returns the URL to open. If the scheme is an assumption, and only the page with the other
  /// scheme is saved or in the library, this is the URL with the other scheme; otherwise, it is the
  /// typed URL.
  package func url(of typed: TypedURL) -> String {
    guard typed.isSchemeAssumed, let url = WebURL(typed.url)?.withoutCredentials else {
      return typed.url
    }
    let other = url.togglingScheme
    return !isKnown(url) && isKnown(other) ? other.description : typed.url
  }

  /// Returns the URL of a page to save. A URL with credentials is used as typed, because they must
  /// not be sent with the other scheme.
  package func url(saving typed: TypedURL) -> String {
    WebURL(typed.url)?.credentials == nil ? url(of: typed) : typed.url
  }

  /// Whether a page is saved or in the library.
  package func isKnown(_ url: WebURL) -> Bool {
    let key = cache.key(of: url)
    if !cache.savedPages(among: [key]).isEmpty { return true }
    return (try? library.page(key)).map { $0 != LibraryPage(key: key) } ?? false
  }
}
