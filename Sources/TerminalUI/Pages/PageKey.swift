import OfflineCache

extension String {
  /// The form in which URLs of pages are compared: without a fragment, and with percent-encoding in its normal form,
  /// so that `%7E` and `~` are the same page.
  var pageKey: String { CacheKey.normalised(String(prefix { $0 != "#" })) }

  /// Whether two URLs are spellings of the same page's URL, fragments aside.
  func isSamePage(as other: String) -> Bool { self == other || pageKey == other.pageKey }
}
