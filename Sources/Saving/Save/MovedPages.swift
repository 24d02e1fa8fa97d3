import OfflineCache
import Synchronization

/// Checks whether http pages have moved to other sites. The cache rejects redirects from an http
/// page to another site, because a captive portal may have sent them. A page that has really moved
/// is recognized by the text of its saved copy, which a captive portal does not know.
final class MovedPages: Sendable {
  /// The hosts that sent a text different from that of the saved copy.
  private let otherHosts = Mutex<Set<String>>([])
  private let cache: HTTPCache

  init(_ cache: HTTPCache) { self.cache = cache }

  /// Returns whether a page may have moved to a URL and the URL should be loaded to check this.
  func mayLead(to target: WebURL) -> Bool {
    otherHosts.withLock { !$0.contains(target.server) }
  }

  /// Returns whether the response from the new URL has the text of the saved copy. If not, the host
  /// of the new URL is recorded.
  func isPage(_ found: ResponseCollector, at target: WebURL, _ copy: StoredResponse) -> Bool {
    let isComplete = if case .success = found.result { !found.isTooLong } else { false }
    if isComplete, let status = found.response?.response.status, (200..<300).contains(status),
      cache.hasText(of: copy, found.content)
    {
      return true
    }
    otherHosts.withLock { _ = $0.insert(target.server) }
    return false
  }
}
