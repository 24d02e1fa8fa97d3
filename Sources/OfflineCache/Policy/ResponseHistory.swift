import Foundation

/// The recently received pages, identified by their content, because the gateway of a network sends
/// the same page for every request.
///
/// Equal content is not suspicious if both responses may be the same page. This is so if both URLs
/// are on the same site, if they have the same path on different hosts (a mirror), or if the
/// content equals that of the saved copy.
struct ResponseHistory: Sendable {
  /// The maximum number of recorded responses.
  static let maxPages = 128
  private var pages: [ReceivedPage] = []

  /// The number of recorded responses.
  var count: Int { pages.count }

  /// Records a response.
  mutating func record(_ page: ReceivedPage) {
    pages.removeAll { $0.url == page.url || !Self.isRecent($0, now: page.date) }
    pages.append(page)
    if pages.count > Self.maxPages { pages.removeFirst(pages.count - Self.maxPages) }
  }

  /// Returns whether unrelated pages of other sites recently had the same content. If the given
  /// page has a saved copy to compare with, one such page suffices, otherwise two are required.
  /// - Parameters:
  ///   - page: The response.
  ///   - saved: The responses that other processes received.
  /// - Returns: Whether the content is repeated.
  func isRepeated(_ page: ReceivedPage, besides saved: [ReceivedPage] = []) -> Bool {
    let pageURLs = Set(pages.map(\.url.description))
    let others = (pages + saved.filter { !pageURLs.contains($0.url.description) }).filter {
      $0.digest == page.digest && Self.isRecent($0, now: page.date) && isUnrelated($0, page)
    }
    return others.count >= (page.savedDigest == nil ? 2 : 1)
  }

  private func isUnrelated(_ other: ReceivedPage, _ page: ReceivedPage) -> Bool {
    // Captive portals do not intercept requests to private networks.
    guard !Site.isSame(other.url.host, page.url.host), other.savedDigest != other.digest,
      !Site.isPrivate(other.url.host), !Site.isPrivate(page.url.host)
    else { return false }
    if let mine = page.savedDigest, let theirs = other.savedDigest { return mine != theirs }
    return (other.url.path, other.url.query ?? "") != (page.url.path, page.url.query ?? "")
  }

  private static func isRecent(_ page: ReceivedPage, now: Date) -> Bool {
    (0..<ReceivedPage.comparisonPeriod).contains(now.timeIntervalSince(page.date))
  }
}
