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

  /// A page has no more of them, and style sheets that name each other end after so many.
  static let most = 4096
  static let mostSheets = 8
  /// The longest style sheet that is read, in bytes.
  static let longestSheet: Int64 = 16 << 20

  /// What is accepted in its place.
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

/// What a page needs in a browser, told before it is fetched.
package struct PartsNotice: Sendable, Equatable {
  /// The page.
  package var url: String
  /// How many style sheets, scripts, fonts and pictures it names; style sheets may name more.
  package var count = 0
  /// How many of them are saved already, and their bytes: what the others have is known when they come.
  package var saved = 0
  package var savedSize: Int64 = 0
}

extension PageSaver {
  /// Whether a page is kept with all that it needs in a browser: as was asked for, else as was said of it,
  /// or of the feed that it came with, before.
  func isComplete(_ url: String) -> Bool {
    if let isComplete = request.isComplete { return isComplete }
    guard let key = cache.key(of: url), let page = try? library.page(key) else { return false }
    guard !page.isComplete, !page.feed.isEmpty else { return page.isComplete }
    return (try? library.page(page.feed).isComplete) ?? false
  }

  /// Whether a load is for a page that is kept with all that it needs in a browser.
  func isComplete(_ job: Job, _ visit: LinkFrontier.Visit?) -> Bool {
    switch job {
    case .page: visit.map { isComplete($0.url) } ?? false
    case .image(_, let page), .part(_, let page), .needed(_, let page, _):
      drafts[page]?.isComplete ?? false
    case .robots: false
    }
  }

  /// Asks for what a page, or a style sheet of it, needs in a browser, as far as nobody has.
  /// - Returns: what is asked for.
  @discardableResult
  func addParts(_ parts: [PagePart], to number: Int) -> [PagePart] {
    var added: [PagePart] = []
    for part in parts {
      guard let draft = drafts[number], draft.partCount < PagePart.most else { break }
      guard request.includesImages || part.kind != .picture, let key = cache.key(of: part.url),
        images.insert(key)
      else { continue }
      drafts[number]?.pending += 1
      drafts[number]?.partCount += 1
      pace.add(.part(part, page: number), host: WebURL(part.url)?.server ?? "")
      added.append(part)
    }
    return added
  }

  /// Tells what is known of parts before they are fetched.
  func announceParts(_ parts: [PagePart], of url: String) {
    guard !parts.isEmpty else { return }
    var notice = PartsNotice(url: url, count: parts.count)
    let saved = (try? cache.archive.newest(of: parts.compactMap { cache.key(of: $0.url) })) ?? [:]
    notice.saved = saved.count
    notice.savedSize = saved.values.reduce(0) { $0 + $1.length }
    announce(notice)
  }
}

extension PageSaver.Job {
  /// Whether it is read although it has not changed: a style sheet names what else is needed.
  var isReadUnchanged: Bool {
    switch self {
    case .page, .image: false
    case .robots, .needed: true
    case .part(let part, _): part.kind == .sheet
    }
  }
}

extension SaveOutcome {
  /// Counts what came of a part.
  mutating func countPart(_ result: PageSaver.Result) {
    if case .answered(let status, _, true) = result.ending, (200..<300).contains(status) {
      parts += 1
      partsSize += result.size
      size += result.size
    } else {
      missingParts += 1
    }
  }
}
