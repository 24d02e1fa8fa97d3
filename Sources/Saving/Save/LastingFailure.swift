package import Foundation
package import Library
package import OfflineCache
import Pages

/// A reason for failing to load a page that is likely to be the same for another request. The raw
/// value is stored in the library.
package enum LastingFailure: String, Sendable, Equatable {
  case notFound = "404"
  case gone = "410"
  /// The network works, but the host name does not exist.
  case unknownHost = "host"

  /// Creates the failure that corresponds to the end of a load; nil if another request may end
  /// differently.
  ///
  /// The status from the origin determines the failure, even if a saved copy was shown instead:
  ///
  /// | End of the load | Failure |
  /// | --- | --- |
  /// | 404 or 410 from the network, or a copy shown because of it | `notFound`, `gone` |
  /// | the same after a plain http redirect to another site | none: maybe from a captive portal |
  /// | there is no such host | `unknownHost` |
  /// | every other status, error, rejected response | none |
  ///
  /// A queued page with such a failure remains in the queue, because only a complete, trusted 2xx
  /// response removes it. Once the failure is confirmed (`isConfirmed`), requests become less
  /// frequent (`GoneSchedule`).
  /// - Parameters:
  ///   - ending: the end of the load.
  ///   - urls: the URLs of its redirects in order, followed by that of the response.
  init?(_ ending: CrawlResult.Ending, through urls: [WebURL]) {
    switch ending {
    case .answered(let status, .network, _), .answered(_, .saved(.status(let status)), _):
      guard let failure = Self(status: status), !Self.leavesSiteUnencrypted(urls) else {
        return nil
      }
      self = failure
    case .failed(.transport(let failure)) where failure.kind == .hostNotFound: self = .unknownHost
    case .answered, .failed, .abandoned: return nil
    }
  }

  private init?(status: Int) {
    switch status {
    case 404: self = .notFound
    case 410: self = .gone
    default: return nil
    }
  }

  /// Whether an http URL redirects to another site. An attacker on the network path can forge such
  /// a redirect.
  private static func leavesSiteUnencrypted(_ urls: [WebURL]) -> Bool {
    zip(urls, urls.dropFirst()).contains { from, to in
      from.scheme != "https" && !Site.isSame(from.host, to.host)
    }
  }

  /// Whether a server has reported that the page does not exist.
  package var isGone: Bool { self != .unknownHost }

  /// Returns whether the failure is certain enough to request the page less frequently.
  ///
  /// A captive portal can respond in place of any public http site, even with 404. For such a site,
  /// the same failure must occur again on another day. With https, and in a private network, one
  /// failure is enough.
  /// - Parameters:
  ///   - url: the URL that was requested.
  ///   - isPublic: whether the URL is on the public network.
  ///   - since: the time of the first such failure, or nil if there was none before.
  ///   - now: the current time.
  /// - Returns: whether the failure is confirmed.
  func isConfirmed(at url: String, isPublic: Bool, since: Date?, now: Date) -> Bool {
    guard isGone else { return false }
    if !isPublic || WebURL(url)?.scheme == "https" { return true }
    return since.map { now.timeIntervalSince($0) >= Self.confirmationDelay } ?? false
  }

  /// The minimum time in seconds between two failures for the second to confirm the first. It is
  /// less than a day, because daily timers have jitter.
  static let confirmationDelay: TimeInterval = 20 * 3600

  /// The text for the user.
  package var message: String {
    switch self {
    case .notFound: ReaderError.statusText(forStatus: 404)
    case .gone: ReaderError.statusText(forStatus: 410)
    case .unknownHost: FailureKind.hostNotFound.text().banner
    }
  }
}

extension LibraryPage {
  /// Whether the page is known only as the target of a link and does not exist. Such a page is in
  /// no collection and is never requested again.
  package var isDeadLink: Bool {
    LastingFailure(rawValue: failure) != nil && queuedDate == nil && pinnedDate == nil && !isFeed
      && membership.collections.isEmpty
  }

  /// The reason why the last request for the page failed, as text for the user; nil if it did not
  /// fail.
  package var failureText: String? {
    LastingFailure(rawValue: failure)?.message ?? (failure.isEmpty ? nil : failure)
  }

  /// Returns the time since which the page's server has reported that the page does not exist; nil
  /// if the server has not reported this, or if it has sent or confirmed the page since.
  /// - Parameter copy: the newest good version, or nil.
  /// - Returns: the time.
  package func goneSince(besides copy: StoredResponse?) -> Date? {
    guard let goneSince, let copy, copy.importedFile == nil, copy.responseTime > goneSince else {
      return goneSince
    }
    return nil
  }

  /// The time since which the page's server has reported that the page does not exist; nil if
  /// the page is not reported as missing.
  package var goneSince: Date? {
    LastingFailure(rawValue: failure)?.isGone == true ? failedSince : nil
  }

  /// Returns the end of the pause for which the server of the page asked (`Retry-After`); nil if it
  /// asked for none, or if a wrong clock set the time.
  package func endOfPause(now: Date) -> Date? {
    retryAfter.flatMap { $0 <= now.addingTimeInterval(Self.maxPause) ? $0 : nil }
  }

  /// The maximum pause in seconds for which a server can ask: a week (`RetryAfter`), plus a day for
  /// differences between clocks.
  private static let maxPause: TimeInterval = 8 * 86_400

  /// Returns the time before which a sync does not request the page because of its last failure;
  /// nil if there is none, or if a wrong clock set the time.
  /// - Parameters:
  ///   - interval: the refresh interval of the page in seconds.
  ///   - now: the current time.
  /// - Returns: the time.
  func nextRequest(interval: TimeInterval, now: Date) -> Date? {
    goneSince == nil ? endOfPause(now: now) : nextRequestWhenGone(interval: interval, now: now)
  }

  /// Returns the time of the next request if the page is gone; nil if it is not gone, or if a wrong
  /// clock set the time.
  func nextRequestWhenGone(interval: TimeInterval, now: Date) -> Date? {
    let latest = now.addingTimeInterval(max(interval, GoneSchedule.maxWait) + 86_400)
    guard goneSince != nil, let retryAfter, retryAfter <= latest else { return nil }
    return retryAfter
  }
}
