import Pages
import Crawl
import Document
package import OfflineCache

/// Finds the saved responses that belong to a page.
package enum SavedParts {
  /// The maximum length in bytes of a page that is parsed for its parts.
  private static let maxPageLength: Int64 = 16 << 20
  /// The maximum length of a redirect chain.
  private static let maxRedirects = 20

  /// The saved responses that are needed to read a page, each once.
  package struct Responses: Sendable {
    /// The redirects that lead to the page, followed by the page itself.
    package var chain: [StoredResponse] = []
    /// The frames or the refresh target of the page, the images and other parts, and the redirects
    /// that lead to all of these.
    package var parts: [StoredResponse] = []

    /// Creates an empty collection.
    package init() {}
  }

  /// Returns the saved responses for a page, with its redirects, frames and images.
  /// - Parameters:
  ///   - key: the cache key of the page, or of a URL that redirects to it.
  ///   - isComplete: whether style sheets, scripts and fonts are included.
  ///   - cache: the cache in which the page is saved.
  /// - Returns: the newest good versions; empty if nothing is saved.
  /// - Throws: `ArchiveError.unreadable`.
  package static func responses(
    for key: String, isComplete: Bool, in cache: HTTPCache
  ) throws(ArchiveError) -> Responses {
    var collector = PartCollector(cache, isComplete: isComplete)
    try collector.add(page: key)
    return collector.responses
  }

  /// Returns the newest good version for a key, preceded by the redirects that lead to it.
  /// - Returns: the responses in their order; the last one is a redirect if its target is not
  ///   saved.
  /// - Throws: `ArchiveError.unreadable`.
  package static func chain(
    of key: String, in cache: HTTPCache
  ) throws(ArchiveError) -> [StoredResponse] {
    var chain: [StoredResponse] = []
    var next: String? = key
    while let key = next, chain.count <= maxRedirects, !chain.contains(where: { $0.key == key }) {
      guard let stored = try cache.newest(of: [key])[key] else { break }
      chain.append(stored)
      next = Redirection.target(of: stored.response, storedAs: key).map { cache.key(of: $0) }
    }
    return chain
  }

  /// Returns the saved parts of a page: style sheets and the subresources that they reference,
  /// scripts, fonts and images, and the redirects that lead to all of these.
  /// - Parameters:
  ///   - page: the newest good version of the page.
  ///   - cache: the cache in which the page is saved.
  /// - Returns: the newest good versions of the parts, each once.
  /// - Throws: `ArchiveError.unreadable`.
  package static func parts(
    of page: StoredResponse, in cache: HTTPCache
  ) throws(ArchiveError) -> [StoredResponse] {
    var known: Set<String> = []
    return try parts(of: page, in: cache, except: &known)
  }

  /// Returns the saved parts of a page, without parts already known from other pages, so that parts
  /// shared by many pages are read only once.
  /// - Parameters:
  ///   - page: the newest good version of the page.
  ///   - cache: the cache in which the page is saved.
  ///   - known: the cache keys of the parts of other pages; the keys of this page's parts are
  ///     added.
  /// - Returns: the newest good versions of the parts, each once.
  /// - Throws: `ArchiveError.unreadable`.
  static func parts(
    of page: StoredResponse, in cache: HTTPCache, except known: inout Set<String>
  ) throws(ArchiveError) -> [StoredResponse] {
    guard page.length <= maxPageLength, let url = page.url,
      let content = try? cache.archive.body(of: page).rest()
    else {
      return []
    }
    var waiting = PagePart.parts(
      ofPage: content, type: page.response.fields["Content-Type"], url: url,
      limit: maxPageLength)
    var count = 0
    var found: [StoredResponse] = []
    while let part = waiting.popLast(), count < PagePart.maxParts {
      let key = cache.key(of: part.url)
      guard known.insert(key).inserted else { continue }
      count += 1
      let chain = try Self.chain(of: key, in: cache)
      found += chain
      guard part.kind == .sheet, let saved = chain.last, !saved.isRedirect,
        saved.length <= PagePart.maxSheetLength,
        let sheet = try? cache.archive.body(of: saved).rest(),
        let url = chain.count > 1 ? WebURL(saved.key) : part.url
      else { continue }
      // The references in a style sheet are relative to the URL after redirects.
      waiting += part.parts(ofSheet: sheet, url: url)
    }
    return found
  }

  /// Returns the URL at which the text of a saved page continues; nil if the text ends
  /// there. The next chapter of a book is a page of its own.
  package static func nextPartURL(of page: StoredResponse, in cache: HTTPCache) -> WebURL? {
    links(of: page, in: cache)?.nextPart
  }

  /// Returns the links, images and requirements of a saved page; nil if it is too long or not text.
  fileprivate static func links(of page: StoredResponse, in cache: HTTPCache) -> PageLinks? {
    guard page.length <= maxPageLength, let url = page.url,
      let content = try? cache.archive.body(of: page).rest()
    else { return nil }
    let fields = page.response.fields
    return PageLinks(
      content, type: fields["Content-Type"], url: url, limit: maxPageLength,
      refresh: fields["Refresh"], linkFields: fields.values(of: "Link"))
  }
}

/// Collects the saved responses that belong to a page.
private struct PartCollector {
  private let cache: HTTPCache
  private let isComplete: Bool
  /// The cache keys of the page, its frames and its images that have been processed.
  private var seen: Set<String> = []
  /// The ids of the collected responses.
  private var ids: Set<String> = []
  private var frameCount = 0
  private var imageCount = 0
  private(set) var responses = SavedParts.Responses()

  init(_ cache: HTTPCache, isComplete: Bool) {
    (self.cache, self.isComplete) = (cache, isComplete)
  }

  /// Adds the responses for a page or a frame.
  /// - Parameters:
  ///   - key: the cache key of the page or frame.
  ///   - level: the nesting depth of the frame; 0 for the page.
  /// - Throws: `ArchiveError.unreadable`.
  mutating func add(page key: String, level: Int = 0) throws(ArchiveError) {
    guard seen.insert(key).inserted else { return }
    let chain = try SavedParts.chain(of: key, in: cache)
    if level == 0 {
      responses.chain = chain
      ids.formUnion(chain.map(\.id))
    } else {
      add(chain)
    }
    guard let page = chain.last, !page.isRedirect else { return }
    seen.insert(page.key)
    if isComplete { add(try SavedParts.parts(of: page, in: cache)) }
    guard let links = SavedParts.links(of: page, in: cache) else { return }
    for url in links.images {
      guard imageCount < PagePart.maxParts else { break }
      let key = cache.key(of: url)
      guard seen.insert(key).inserted else { continue }
      imageCount += 1
      add(try SavedParts.chain(of: key, in: cache))
    }
    guard level < PageNeeds.maxLevels else { return }
    for url in links.pageNeeds.parts where frameCount < PageNeeds.maxParts {
      frameCount += 1
      try add(page: cache.key(of: url), level: level + 1)
    }
  }

  private mutating func add(_ stored: [StoredResponse]) {
    responses.parts += stored.filter { ids.insert($0.id).inserted }
  }
}
