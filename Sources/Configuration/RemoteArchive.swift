package import OfflineCache

/// An archive of the web that is asked for pages that are gone (RFC 7089).
package struct RemoteArchive: Sendable, Equatable {
  /// The URL to which the address of a page is appended to have its TimeMap in
  /// `application/link-format`.
  package var timeMap: String

  package init(timeMap: String) {
    self.timeMap = timeMap
  }

  /// Where the TimeMap of a page is; nil where the setting gives no URL.
  package func timeMap(of page: WebURL) -> WebURL? {
    WebURL(timeMap + page.withoutFragment.withoutCredentials.description)
  }

  /// The host, for words.
  package var host: String { WebURL(timeMap)?.host ?? "" }
}
