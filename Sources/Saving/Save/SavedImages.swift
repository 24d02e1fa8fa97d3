import Formats
import OfflineCache

/// Distinguishes images from the pages that some servers send instead, for example because they
/// refuse requests from other sites.
enum SavedImages {
  /// The maximum length in bytes of the prefix that is examined.
  static let maxExaminedLength: Int64 = 1 << 16

  /// Returns the keys in `keys` whose saved response, after redirects, is an image rather than a
  /// page.
  static func keys(among keys: [String], in cache: HTTPCache) -> Set<String> {
    cache.savedPages(among: keys).filter { key in
      guard let image = cache.page(of: key),
        case let type = image.response.fields["Content-Type"], isHTML(type),
        let prefix = try? cache.archive.body(of: image).next()
      else { return true }
      return !isPage(prefix, type: type)
    }
  }

  /// Returns whether content is an HTML page: it is declared as HTML and also begins like it,
  /// because some servers declare images as HTML.
  static func isPage(_ content: [UInt8], type: String?) -> Bool {
    guard isHTML(type) else { return false }
    // A byte-order mark may precede white space.
    let marked = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content[...]
    let text = marked.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    let start = String(decoding: text.prefix(512), as: UTF8.self).lowercased()
    return ["<!doctype html", "<html", "<head", "<body", "<title"].contains { start.hasPrefix($0) }
  }

  private static func isHTML(_ type: String?) -> Bool {
    MediaType(type).essence == "text/html"
  }
}
