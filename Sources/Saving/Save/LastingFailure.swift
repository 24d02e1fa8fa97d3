package import Foundation
package import Library
import OfflineCache
import Reader

/// Why a page could not be fetched, where another request hardly helps. The raw value is stored in the library.
package enum LastingFailure: String, Sendable, Equatable {
  case notFound = "404"
  case gone = "410"
  /// There is a network, and no host of that name in it.
  case unknownHost = "host"

  /// Returns the failure that the end of a load means; nil where another request may end otherwise.
  ///
  /// The status that the origin returned decides, also when a saved copy was shown in its place:
  ///
  /// | End of the load | Failure |
  /// | --- | --- |
  /// | 404 or 410 from the network, or a copy shown because of it | `notFound`, `gone` |
  /// | the same after a plain http redirect to another site | none: a captive portal may have sent it |
  /// | there is no such host | `unknownHost` |
  /// | every other status, error, rejected response | none |
  ///
  /// A queued page with such a failure stays in the queue, as only a complete, trusted 2xx response takes it
  /// out; once the failure is confirmed (`isConfirmed`), requests become rarer (`GoneSchedule`).
  /// - Parameters:
  ///   - ending: how the load ended.
  ///   - urls: the URLs of its redirects in order, and of the page at their end.
  init?(_ ending: CrawlResult.Ending, through urls: [String]) {
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

  /// Whether an http URL redirects to another site: anybody on the path can send that.
  private static func leavesSiteUnencrypted(_ urls: [String]) -> Bool {
    let urls = urls.map { WebURL($0) }
    return zip(urls, urls.dropFirst()).contains { from, to in
      from?.scheme != "https" && !Site.isSame(from?.host, to?.host)
    }
  }

  /// Whether a server has said that there is no such page.
  package var isGone: Bool { self != .unknownHost }

  /// Whether the failure is certain enough that the page is requested more rarely.
  ///
  /// A captive portal can answer in the place of any public http site, also with 404: there the same failure
  /// has to be seen again on another day. Over https, and in a private network, once is enough.
  /// - Parameters:
  ///   - url: the URL that was requested.
  ///   - isPublic: whether it is on the public network.
  ///   - since: when this failure was first seen, or nil if never before.
  ///   - now: the time of day.
  /// - Returns: whether it is.
  func isConfirmed(at url: String, isPublic: Bool, since: Date?, now: Date) -> Bool {
    guard isGone else { return false }
    if !isPublic || WebURL(url)?.scheme == "https" { return true }
    return since.map { now.timeIntervalSince($0) >= Self.confirmationDelay } ?? false
  }

  /// How long after the first failure a second one confirms it: less than a day, as daily timers have jitter.
  static let confirmationDelay: TimeInterval = 20 * 3600

  /// The text for the user.
  package var words: String {
    switch self {
    case .notFound: ReaderError.words(forStatus: 404)
    case .gone: ReaderError.words(forStatus: 410)
    case .unknownHost: FailureKind.hostNotFound.text().banner
    }
  }
}

/// When a page that is gone is requested again.
enum GoneSchedule {
  /// The longest wait, unless the page's own interval is longer.
  static let maxWait: TimeInterval = 30 * 86_400

  /// Returns when to request a page again: each wait is at least twice as long as the one before.
  /// - Parameters:
  ///   - interval: how often the page is refreshed, in seconds.
  ///   - since: since when it is gone.
  ///   - now: the time of the request that just failed.
  /// - Returns: the time before which it is not requested.
  static func nextRequest(interval: TimeInterval, goneSince since: Date, now: Date) -> Date {
    // Waits of 2, 4, 8 … intervals: after each of them so much has passed in all, and two intervals more.
    let doubled = 2 * interval + max(0, now.timeIntervalSince(since))
    return now.addingTimeInterval(max(interval, min(doubled, maxWait)))
  }
}

extension LibraryPage {
  /// Since when the page's server says that it does not exist, or nil.
  package var goneSince: Date? {
    LastingFailure(rawValue: failure)?.isGone == true ? failedSince : nil
  }

  /// When the page is requested again, if it is gone; nil if it is not, or if a wrong clock has set that time.
  func nextRequestWhenGone(interval: TimeInterval, now: Date) -> Date? {
    let latest = now.addingTimeInterval(max(interval, GoneSchedule.maxWait) + 86_400)
    guard goneSince != nil, let askAgain, askAgain <= latest else { return nil }
    return askAgain
  }
}
