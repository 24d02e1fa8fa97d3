package import OfflineCache

/// A web archive from which pages that no longer exist can be loaded (Memento, RFC 7089).
package struct RemoteArchive: Sendable, Equatable {
  /// The URL prefix to which the URL of a page is appended to get its TimeMap in
  /// `application/link-format`.
  package var timeMap: String

  package init(timeMap: String) {
    self.timeMap = timeMap
  }

  /// Returns the URL of the TimeMap of a page; nil if the setting does not result in a URL.
  package func timeMap(of page: WebURL) -> WebURL? {
    WebURL(timeMap + page.withoutFragment.withoutCredentials.description)
  }

  /// The host name, for messages.
  package var host: String { WebURL(timeMap)?.host ?? "" }
}
