import Foundation
import OfflineCache
import Crawl

/// A load that was started.
struct CrawlTask: Sendable, Equatable {
  var number: Int
  var job: CrawlJob
  var url: WebURL
  /// The host whose rate limit applies; nil if the task only reads the saved copy.
  var host: String?
  var began = Date.distantPast
  /// The value of the request field `Referer`; nil to send none.
  var referer: String?
  /// Whether the request names the page, so that the depth of the page is 0.
  var isNamed = false
  /// Whether the page was requested in any way instead of found by a link.
  var isRequested = false
  /// Whether the task loads a page of which a version was saved before.
  var wasSaved = false
  /// The visit of a requested page, whose response may have come from a captive portal; nil for
  /// other tasks, and if responses are trusted.
  var visit: Visit?
  /// Whether the task loads a page to which an item of a feed leads.
  var isItem = false
  /// Whether the saved copy may have come from a captive portal.
  var isUnconfirmed = false
  /// Whether the task loads a page with missing images that may be requested again.
  var lacksImages = false
  /// Whether the page (or the page to which this image or part belongs) is saved with all
  /// subresources that a browser needs.
  var isComplete = false
  /// Whether the URL may be loaded only from the public network.
  var isPublicOnly = true
  /// Whether the URL comes from a page, a feed or another program, rather than from the user.
  var isFromPage = true

  /// A visit of a requested page.
  enum Visit {
    /// No version is saved with which the response can be compared.
    case first
    case repeated
  }
}
