import Pages
import Library
import Crawl
import Document
import Formats
import OfflineCache

/// A subresource that a browser needs to display a page: a style sheet, a script, a font or an
/// image.
struct PagePart: Sendable, Equatable {
  /// The kind of part.
  var kind: PageParts.Kind
  /// The URL without fragment and credentials.
  var url: WebURL
  /// The number of style sheets in the import chain that leads from the page to the part.
  var depth = 0

  /// The maximum number of parts of a page.
  static let maxParts = 4096
  /// The maximum number of style sheets in an import chain.
  static let maxSheets = 8
  /// The maximum length in bytes of a style sheet that is parsed.
  static let maxSheetLength: Int64 = 16 << 20

  /// The value of the request field `Accept`.
  var accept: String {
    switch kind {
    case .sheet: "text/css,*/*;q=0.1"
    case .image: "image/*,*/*;q=0.5"
    case .script, .other: "*/*"
    }
  }

  /// Returns the subresources that a page references.
  /// - Parameters:
  ///   - content: the content of the response.
  ///   - type: the media type of the response.
  ///   - url: the URL of the response.
  ///   - limit: the maximum number of bytes that are parsed.
  /// - Returns: each part once; empty if the page is not HTML.
  static func parts(ofPage content: [UInt8], type: String?, url: WebURL, limit: Int64) -> [Self] {
    guard let page = try? PageContent(content, type: MediaType(type), limit: limit),
      page.hasReaderView
    else { return [] }
    let parts = PageParts(page: page.bytes, charset: page.charset)
    let base = parts.base.flatMap { url.resolve($0) } ?? url
    return resolved(parts, against: base, depth: 0)
  }

  /// Returns the subresources that this style sheet references.
  /// - Parameters:
  ///   - content: the content of the response.
  ///   - url: the URL of the response.
  /// - Returns: each part once, without style sheets if the import chain would exceed `maxSheets`.
  func parts(ofSheet content: [UInt8], url: WebURL) -> [Self] {
    let parts = Self.resolved(PageParts(sheet: content), against: url, depth: depth + 1)
    return depth + 1 < Self.maxSheets ? parts : parts.filter { $0.kind != .sheet }
  }

  private static func resolved(_ parts: PageParts, against base: WebURL, depth: Int) -> [Self] {
    var seen: Set<WebURL> = []
    return parts.parts.compactMap { part in
      guard let url = base.resolve(part.target)?.withoutFragment.withoutCredentials, url.isWeb,
        seen.insert(url).inserted
      else { return nil }
      return PagePart(kind: part.kind, url: url, depth: depth)
    }
  }
}
