import Reader
import Document
package import OfflineCache
import Crawl

/// What a saved page needs in a browser, as far as it is saved too.
package enum SavedParts {
  /// The longest page that is looked through, in bytes.
  private static let longestPage: Int64 = 16 << 20

  /// The saved parts of a page: style sheets with what they name, scripts, fonts, pictures.
  /// - Parameters:
  ///   - page: the newest good version of the page.
  ///   - cache: where it is saved.
  /// - Returns: their newest good versions, each once.
  /// - Throws: `ArchiveError.unreadable`.
  package static func parts(
    of page: StoredResponse, in cache: HTTPCache
  ) throws(ArchiveError) -> [StoredResponse] {
    guard page.length <= longestPage, let content = try? cache.archive.body(of: page).rest() else {
      return []
    }
    var waiting = PagePart.parts(
      ofPage: content, type: page.response.fields["Content-Type"], url: page.key,
      limit: longestPage)
    var seen: Set<String> = []
    var found: [StoredResponse] = []
    while let part = waiting.popLast(), seen.count < PagePart.most {
      guard let key = cache.key(of: part.url), seen.insert(key).inserted,
        let saved = try cache.archive.captures(of: key).first(where: \.isGood)
      else { continue }
      found.append(saved)
      guard part.kind == .sheet, saved.length <= PagePart.longestSheet,
        let sheet = try? cache.archive.body(of: saved).rest()
      else { continue }
      waiting += part.parts(ofSheet: sheet, url: part.url)
    }
    return found
  }
}
