import Configuration
import Document
import Exchange
import Foundation
import OfflineCache
import Profiles
import WARC

extension LibraryImport {
  /// Stores the texts of pages that a list contains, such as an export of wallabag, under the URLs
  /// of those pages that are not saved. The date of each text is the date at which the page was
  /// added to the list.
  /// - Parameter list: the list.
  /// - Throws: `ArchiveError`.
  func importTexts(of list: ImportedList) throws {
    let cache = profile.cache
    let links = list.links.filter { !$0.content.isEmpty }
    let keys = links.map { cache.key(of: $0.url) }
    let saved = cache.savedPages(among: keys.compactMap(\.self))
    let missing = zip(links, keys).filter { _, key in key.map { !saved.contains($0) } ?? false }
      .map(\.0)
    guard !missing.isEmpty else { return }
    var digest = DigestBuilder(.sha256)
    for link in missing { digest.update("\(link.url)\n\(link.title)\n\(link.content)\n".utf8) }
    let description = "texts of pages in a list; dates are those of the list"
    _ = try storeRecords(of: digest, description: description) { writer, sink in
      for link in missing {
        guard let url = WebURL(link.url)?.withoutFragment.withoutCredentials else { continue }
        let record = WARCRecord(
          .resource, date: min(link.date ?? now, now), targetURI: url.description,
          contentType: "text/html")
        try writer.write(record, block: Array(Self.page(of: link).utf8), into: sink)
      }
    }
  }

  /// Returns an HTML page with the title and the text of a list entry.
  private static func page(of link: ImportedLink) -> String {
    let title = Markup.escaped(link.title)
    return "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>\(title)</title></head><body>"
      + "<article><h1>\(title)</h1>\(link.content)</article></body></html>"
  }
}
