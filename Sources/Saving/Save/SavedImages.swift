import Formats
import OfflineCache

/// A namespace for distinguishing images from the pages that some servers send instead, for example
/// because they refuse requests from other sites.
enum SavedImages {
  /// The maximum length in bytes of content that is examined. Such pages are short.
  static let maxPageLength: Int64 = 1 << 16

  /// Returns the keys that lead to a saved image.
  static func keys(among keys: [String], in cache: HTTPCache) -> Set<String> {
    cache.savedPages(among: keys).filter { key in
      guard let image = cache.page(of: key), image.length <= maxPageLength,
        case let type = image.response.fields["Content-Type"], isHTML(type),
        let content = try? cache.archive.body(of: image).rest()
      else { return true }
      return !isPage(content, type: type)
    }
  }

  /// Returns whether content is declared as HTML and begins like an HTML page; some servers declare
  /// images as HTML.
  static func isPage(_ content: [UInt8], type: String?) -> Bool {
    guard isHTML(type) else { return false }
    let start = String(decoding: content.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return ["<!doctype html", "<html", "<head", "<body", "<title"].contains { start.hasPrefix($0) }
  }

  private static func isHTML(_ type: String?) -> Bool {
    MediaType(type).essence == "text/html"
  }
}
