package import Pages
import Library
package import OfflineCache

/// A URL that the user typed, and whether its scheme is an assumption.
package struct TypedURL: Sendable, Equatable {
  /// The address of the URL, with the assumed scheme if the user typed none.
  package let address: Address
  /// Whether the user typed no scheme, so that a saved page with the other one of http and https
  /// may match.
  package var isSchemeAssumed = false
  /// Whether the other scheme may be tried over the network as well.
  package var mayTryOtherScheme = false

  /// Creates the typed URL for the text `typed`, which was parsed to `address`.
  package init(_ address: Address, typed: String) {
    self.address = address
    guard case .web = address else { return }
    isSchemeAssumed = Address.assumesScheme(typed, isOffline: true)
    mayTryOtherScheme = Address.assumesScheme(typed)
  }

  /// The typed URL as text.
  package var url: String { address.url }
}

extension Profile {
  /// Returns the URL to open. If the scheme is an assumption, and only the page with the other
  /// scheme is saved or in the library, this is the URL with the other scheme; otherwise, it is the
  /// typed URL.
  package func url(of typed: TypedURL) -> String {
    guard typed.isSchemeAssumed, case .web(let typedURL) = typed.address else { return typed.url }
    let url = typedURL.withoutCredentials
    let other = url.togglingScheme
    return !isKnown(url) && isKnown(other) ? other.description : typed.url
  }

  /// Returns the URL of a page to save. A URL with credentials is used as typed, because they must
  /// not be sent with the other scheme.
  package func url(saving typed: TypedURL) -> String {
    if case .web(let url) = typed.address, url.credentials != nil { return typed.url }
    return url(of: typed)
  }

  /// Whether a page is saved or in the library.
  package func isKnown(_ url: WebURL) -> Bool {
    let key = cache.key(of: url)
    if !cache.savedPages(among: [key]).isEmpty { return true }
    return (try? library.page(key)).map { $0 != LibraryPage(key: key) } ?? false
  }
}
