import Document
package import OfflineCache
import Crawl

/// Finds the saved parts of a page that a browser needs to display it.
package enum SavedParts {
  /// The maximum length in bytes of a page that is parsed for its parts.
  private static let maxPageLength: Int64 = 16 << 20

  /// Returns the saved parts of a page: style sheets with the parts that they name, scripts, fonts
  /// and images.
  /// - Parameters:
  ///   - page: the newest good version of the page.
  ///   - cache: the cache in which it is saved.
  /// - Returns: the newest good versions of the parts, each once.
  /// - Throws: `ArchiveError.unreadable`.
  package static func parts(
    of page: StoredResponse, in cache: HTTPCache
  ) throws(ArchiveError) -> [StoredResponse] {
    guard page.length <= maxPageLength, let content = try? cache.archive.body(of: page).rest()
    else {
      return []
    }
    var waiting = PagePart.parts(
      ofPage: content, type: page.response.fields["Content-Type"], url: page.key,
      limit: maxPageLength)
    var seen: Set<String> = []
    var found: [StoredResponse] = []
    while let part = waiting.popLast(), seen.count < PagePart.maximum {
      guard let key = cache.key(of: part.url), seen.insert(key).inserted,
        let saved = try cache.archive.captures(of: key).first(where: \.isGood)
      else { continue }
      found.append(saved)
      guard part.kind == .sheet, saved.length <= PagePart.maxSheetLength,
        let sheet = try? cache.archive.body(of: saved).rest()
      else { continue }
      waiting += part.parts(ofSheet: sheet, url: part.url)
    }
    return found
  }
}
