import Reader
import Library
import Crawl
import Document
import Formats
import OfflineCache

/// Something that a page needs in a browser: a style sheet, a script, a font, a picture.
struct PagePart: Sendable, Equatable {
  /// What it is.
  var kind: PageParts.Kind
  /// Its absolute URL without fragment.
  var url: String
  /// How many style sheets named each other before it.
  var depth = 0

  /// Maximum number of parts of a page, and of style sheets that name each other.
  static let most = 4096
  static let mostSheets = 8
  /// The longest style sheet that is read, in bytes.
  static let longestSheet: Int64 = 16 << 20

  /// The request field `Accept`.
  var accept: String {
    switch kind {
    case .sheet: "text/css,*/*;q=0.1"
    case .picture: "image/*,*/*;q=0.5"
    case .script, .other: "*/*"
    }
  }

  /// The parts that a page names.
  /// - Parameters:
  ///   - content: the content of the answer.
  ///   - type: its media type.
  ///   - url: the address that gave it.
  ///   - limit: the most bytes that are read.
  /// - Returns: each part once; none of what is no page of HTML.
  static func parts(ofPage content: [UInt8], type: String?, url: String, limit: Int64) -> [Self] {
    guard let page = try? PageContent(content, type: MediaType(type), limit: limit),
      page.hasReaderView
    else { return [] }
    let parts = PageParts(page: page.bytes, charset: page.charset)
    let base = parts.base.flatMap { WebURL.resolve($0, against: url) } ?? url
    return resolved(parts, against: base, depth: 0)
  }

  /// The parts that this one names, which is a style sheet.
  /// - Parameters:
  ///   - content: the content of the answer.
  ///   - url: the address that gave it.
  /// - Returns: each part once; no style sheets where too many have named each other.
  func parts(ofSheet content: [UInt8], url: String) -> [Self] {
    let parts = Self.resolved(PageParts(sheet: content), against: url, depth: depth + 1)
    return depth + 1 < Self.mostSheets ? parts : parts.filter { $0.kind != .sheet }
  }

  private static func resolved(_ parts: PageParts, against base: String, depth: Int) -> [Self] {
    var seen: Set<String> = []
    return parts.parts.compactMap { part in
      guard let text = WebURL.resolve(part.target, against: base), let url = WebURL(text),
        url.isWeb
      else { return nil }
      let address = url.withoutFragment.withoutCredentials.description
      return seen.insert(address).inserted
        ? PagePart(kind: part.kind, url: address, depth: depth) : nil
    }
  }
}

/// The parts that a page needs in a browser, reported before they are fetched.
package struct PartsNotice: Sendable, Equatable {
  /// The page.
  package var url: String
  /// How many style sheets, scripts, fonts and pictures it names; style sheets may name more.
  package var count = 0
  /// How many of them are saved already, and their bytes. The sizes of others are not known before they are loaded.
  package var saved = 0
  package var savedSize: Int64 = 0
}
