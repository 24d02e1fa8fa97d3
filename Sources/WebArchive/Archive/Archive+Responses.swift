import Foundation

/// Recent responses, including those that other processes received.
extension Archive {
  /// Returns the recent responses of other URLs that had the same content; see `ResponseHistory`.
  /// - Parameter page: the response to compare with.
  /// - Returns: the stored responses with the same content, except responses of the same URL.
  /// - Throws: `ArchiveError.unreadable`.
  package func recentPages(like page: ReceivedPage) throws(ArchiveError) -> [ReceivedPage] {
    let start = page.date - ReceivedPage.comparisonPeriod
    let found = try index.withCurrentIndex { index throws(IndexError) in
      try index.versions(digest: page.digest, since: start)
    }.filter { store.isOwn($0.source) }.map(\.stored)
    // Versions whose rows have not been written to the index yet.
    let waiting = index.pendingVersions { stored in
      stored.payloadDigest == page.digest && stored.responseTime >= start && stored.length > 0
        && !found.contains { $0.id == stored.id }
    }
    var pages: [ReceivedPage] = []
    for stored in found + waiting {
      guard let url = WebURL(stored.key), url != page.url else { continue }
      let isOld = stored.isGood && stored.contentDate < start
      let before = try index.versions(of: stored.key).map(\.stored).first {
        $0.isGood && !$0.isRedirect && $0.id != stored.id && $0.contentDate <= stored.contentDate
      }
      pages.append(
        ReceivedPage(
          url: url, digest: page.digest,
          savedDigest: isOld ? page.digest : before?.payloadDigest, date: stored.responseTime))
    }
    return pages
  }
}
