import OfflineCache
import Pages

extension String {
  /// The form in which URLs of pages are compared: without a fragment, and with normalized
  /// percent-encoding, so that `%7E` and `~` are the same page.
  var pageKey: String { CacheKey.normalized(String(prefix { $0 != "#" })) }

  /// Returns whether two URLs identify the same page; fragments are ignored.
  func isSamePage(as other: String) -> Bool { self == other || pageKey == other.pageKey }
}

extension DocumentAddress {
  /// Returns whether two addresses identify the same page; fragments are ignored.
  func isSamePage(as other: DocumentAddress) -> Bool { text.isSamePage(as: other.text) }
}
