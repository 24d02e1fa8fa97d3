import Library
package import OfflineCache
import Pages

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
