public import Foundation
import WARC

extension WACZFile {
  /// A page of the list of pages (WACZ 1.1.1 §5.2).
  public struct Page: Sendable, Hashable {
    /// The URL of the page.
    public var url: String
    /// The title, or nil.
    public var title: String?
    /// The time of the capture, or nil.
    public var date: Date?
    /// The text of the page, or nil.
    public var text: String?
  }

  private struct Line: Decodable {
    var url: String?
    var title: String?
    var ts: String?
    var text: String?
  }

  /// Returns the listed pages: those of `pages/pages.jsonl`, then those of the other lists.
  ///
  /// Lines without a URL, such as the header of a list, are skipped.
  /// - Parameter maxCount: The maximum number of pages.
  /// - Returns: The pages in order.
  /// - Throws: `WACZError` if a list cannot be read.
  public func pages(maxCount: Int = .max) throws -> [Page] {
    struct EnoughRead: Error {}
    var pages: [Page] = []
    let lists = self.paths
      .filter { $0.hasPrefix("pages/") && $0.hasSuffix(".jsonl") }
    let decoder = JSONDecoder()
    do {
      for path in lists.filter({ $0 == "pages/pages.jsonl" })
        + lists.filter({ $0 != "pages/pages.jsonl" })
      {
        try readLines(of: path) { line in
          guard pages.count < maxCount else { throw EnoughRead() }
          guard let page = try? decoder.decode(Line.self, from: Data(line)), let url = page.url
          else {
            return
          }
          pages.append(
            Page(
              url: url, title: page.title.flatMap { $0.isEmpty ? nil : $0 },
              date: page.ts.flatMap { WARCDate.parse($0) }, text: page.text))
        }
      }
    } catch is EnoughRead {}
    return pages
  }
}
