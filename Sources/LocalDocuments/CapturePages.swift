import Pages
import Containers
import Document
import Formats
import Exchange
import Foundation
import OfflineCache

/// The page list of a WACZ file (WACZ 1.1.1). The captures themselves can be read after an import.
struct CapturePages {
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
    let pages = try pages()
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

  private func pages() throws(ContainerError) -> [(url: String, title: String, date: String)] {
    var pages: [(url: String, title: String, date: String)] = []
    for entry in archive.entries
    where entry.path.hasPrefix("pages/") && entry.path.hasSuffix(".jsonl") {
      let bytes = try archive.content(of: entry.path)
      for line in bytes.split(separator: 10) where pages.count < Self.maxPages {
        guard let page = try? JSONDecoder().decode(Line.self, from: Data(line)), let url = page.url,
          WebURL(url)?.isWeb ?? false
        else { continue }
        let title = page.title.flatMap { $0.isEmpty ? nil : $0 } ?? url
        pages.append((url, title, String((page.ts ?? "").prefix(10))))
      }
    }
    return pages
  }
}
