import OfflineCache
import Pages

extension StandardOutput {
  /// Prints which saved page with another URL is probably the requested page, if there is one.
  /// - Parameters:
  ///   - url: The requested URL, which is not saved.
  ///   - cache: The cache with the saved pages.
  ///   - command: The command for the saved page, without the URL.
  static func printVariant(of url: String, in cache: HTTPCache, command: String) {
    guard let wanted = WebURL(url), let variant = cache.savedVariant(of: wanted) else { return }
    printError(ReaderError.suggestion(forSaved: variant.description, command: command))
  }
}
