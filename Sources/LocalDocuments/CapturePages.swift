import Pages
package import Containers
import Document
import Formats
import Exchange
import Foundation
import OfflineCache

/// The page list of a WACZ file (WACZ 1.1.1). The captures themselves can be read after an import.
package struct CapturePages {
  /// A page of the list.
  package struct Page: Sendable {
    /// The URL of the page.
    package var url: String
    /// The title; the URL if the page has no title.
    package var title: String
    /// The day of the capture as text, or empty.
    package var date: String
  }

  let file: DocumentFile
  let archive: ZIPArchive

  private static let maxPages = 20_000

  /// A line of a page list (WACZ 1.1.1 §5.2).
  private struct Line: Decodable {
    var url: String?
    var title: String?
    var ts: String?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case ts = "ts"
    }
  }

  /// Returns the page list for an empty path, otherwise the file at the path.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    guard inner.isEmpty else {
      return DocumentFile.Item(
        bytes: try archive.content(of: inner), type: MediaType(forFileName: inner))
    }
    return DocumentFile.Item(
      bytes: Array(try list().utf8), type: MediaType("text/html; charset=utf-8"))
  }

  private func list() throws(ContainerError) -> String {
    let name = file.name
    let title = Markup.escapedLine(name)
    var html = "<!DOCTYPE html><title>\(title)</title><main><h1>\(title)</h1>"
    let pages = try Self.pages(in: archive)
    let count =
      pages.isEmpty
      ? "Pages that the file does not list" : CountFormatter.countText(pages.count, "page")
    html += "<p>\(count), captured by another program. They can be read once the file is imported:"
    html += "<pre>offread import '\(Markup.escapedLine(file.path))'</pre>"
    guard !pages.isEmpty else { return html + "</main>" }
    html += "<table><thead><tr><th>Page<th>Captured</thead>"
    for page in pages {
      html +=
        "<tr><td><a href=\"\(Markup.escaped(page.url))\">\(Markup.escapedLine(page.title))</a>"
      html += "<td>\(Markup.escapedLine(page.date))"
    }
    return html + "</table></main>"
  }

  /// Returns the web pages that the lists of a WACZ file name, first the pages of
  /// `pages/pages.jsonl`; at most 20,000.
  /// - Parameter archive: The file.
  /// - Returns: The pages in order.
  /// - Throws: `ContainerError` if a list cannot be read.
  package static func pages(in archive: ZIPArchive) throws(ContainerError) -> [Page] {
    let lists = archive.entries.map(\.path).filter {
      $0.hasPrefix("pages/") && $0.hasSuffix(".jsonl")
    }
    let main = "pages/pages.jsonl"
    var pages: [Page] = []
    for list in lists.filter({ $0 == main }) + lists.filter({ $0 != main }) {
      let bytes = try archive.content(of: list)
      for line in bytes.split(separator: 10) where pages.count < maxPages {
        guard let page = try? JSONDecoder().decode(Line.self, from: Data(line)), let url = page.url,
          WebURL(url)?.isWeb ?? false
        else { continue }
        let title = page.title.flatMap { $0.isEmpty ? nil : $0 } ?? url
        pages.append(Page(url: url, title: title, date: String((page.ts ?? "").prefix(10))))
      }
    }
    return pages
  }
}
