import Crawl
import Foundation

/// Something that a save loads.
enum CrawlJob: Sendable, Equatable {
  /// The page of a visit, by its number: those that wait are many.
  case page(Int)
  case image(url: String, page: Int)
  /// What a page needs in a browser.
  case part(PagePart, page: Int)
  /// A frame of a page, or the target of its `meta refresh`; `level` is the number of such parts that led to it.
  case needed(url: String, page: Int, level: Int)
  case robots(origin: String)

  /// The request field `Accept`, or nil.
  var accept: String? {
    switch self {
    case .page, .needed: "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5"
    case .image: "image/*,*/*;q=0.5"
    case .part(let part, _): part.accept
    case .robots: nil
    }
  }

  /// Whether its content is read although it has not changed: a style sheet names further parts.
  var isReadUnchanged: Bool {
    switch self {
    case .page, .image: false
    case .robots, .needed: true
    case .part(let part, _): part.kind == .sheet
    }
  }

  /// Whether its content is read at all.
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
  var url = ""
  /// The host whose pace it follows; nil when only the saved copy is read.
  var host: String?
  var began = Date.distantPast
  /// Whether it is a page that the request names, and whether it is requested or wanted as if it were.
  var isNamed = false
  var isWanted = false
  /// Whether it is a wanted page of which nothing is saved, or of which a version is saved.
  var isFirst = false
  var isRevisit = false
  /// Whether a feed names it as a page of its own.
  var isItem = false
  /// Whether its saved copy may have come from a captive portal.
  var isUnconfirmed = false
  /// Whether it belongs to a page that is saved with all of its parts.
  var isComplete = false
  /// Whether it has to stay in the public network.
  var isPublicOnly = true
  /// Whether a page or a feed has named it, and not the user.
  var isPageNamed = true
}
