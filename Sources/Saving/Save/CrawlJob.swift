import Crawl
import Foundation
import OfflineCache

/// The load of one URL in a save.
enum CrawlJob: Sendable, Equatable {
  /// A page, given as the number of its `LinkFrontier.Entry`. The number takes less memory than the
  /// entry, and many pages may wait.
  case page(Int)
  case image(url: String, page: Int)
  /// A subresource that a browser needs to display a page: a style sheet, a script, a font or an
  /// image.
  case part(PagePart, page: Int)
  /// A frame of a page, or the target of its `meta refresh`. `level` is the number of such steps
  /// that lead to it from the page, from 1.
  case needed(url: String, page: Int, level: Int)
  case robots(origin: String)

  /// The value of the request field `Accept`; nil to send none.
  var accept: String? {
    switch self {
    case .page, .needed: "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5"
    case .image: "image/*,*/*;q=0.5"
    case .part(let part, _): part.accept
    case .robots: nil
    }
  }

  /// Whether the content is parsed even if it is unchanged; a style sheet, for example, names
  /// further subresources.
  var isReadUnchanged: Bool {
    switch self {
    case .page, .image: false
    case .robots, .needed: true
    case .part(let part, _): part.kind == .sheet
    }
  }

  /// Whether the content is parsed at all.
  var readsContent: Bool {
    switch self {
    case .page, .needed, .robots: true
    case .image: false
    case .part(let part, _): part.kind == .sheet
    }
  }
}

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
