import Crawl
import OfflineCache

/// The load of one URL in a save.
///
/// Many pages may wait. Therefore, a page is the number of its `LinkFrontier.Entry`, and the cases
/// with URLs are indirect.
enum CrawlJob: Sendable, Equatable {
  case page(Int)
  indirect case image(url: WebURL, page: Int)
  /// A subresource that a browser needs to display a page: a style sheet, a script, a font or an
  /// image.
  indirect case part(PagePart, page: Int)
  /// A frame of a page, or the target of its `meta refresh`. `level` is the number of such steps
  /// that lead to it from the page, from 1.
  indirect case needed(url: WebURL, page: Int, level: Int)
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

  /// Whether the load belongs to a page that has been loaded. Such a load precedes those of other
  /// pages, so that a page is recorded soon after it was loaded, and is not lost if the save is
  /// interrupted.
  var completesPage: Bool {
    switch self {
    case .page, .robots: false
    case .image, .part, .needed: true
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
