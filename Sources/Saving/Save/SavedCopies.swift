import Document
import Foundation
import Library
import OfflineCache
import Pages
import Synchronization

/// Reads saved copies to find out whether pages can be read offline.
struct SavedCopies: Sendable {
  private let cache: HTTPCache
  /// The maximum number of bytes of a page that are parsed.
  private let maxPageLength: Int64

  /// The maximum length in bytes of unchanged pages that are still parsed. Pages with frames or a
  /// refresh are usually short.
  private static let shortLength: Int64 = 16 << 10

  init(_ cache: HTTPCache, maxPageLength: Int64) {
    (self.cache, self.maxPageLength) = (cache, maxPageLength)
  }

  /// Returns the requirements for reading a page; nil if the page is not saved. Content that is not
  /// text usually has no requirements, because another program opens it.
  func pageNeeds(of url: WebURL) -> PageNeeds? {
    guard let copy = copy(of: url) else { return nil }
    guard let links = copy.links(limit: maxPageLength) else {
      if PageWatch.excludedPage(CacheKey.make(copy.url)) != nil { return .excluded }
      if PDFText.isDamaged(copy.content) { return .damaged }
      var needs = PageNeeds()
      if copy.type?.lowercased().hasPrefix("image/") ?? false { needs.textAmount = .none }
      return needs
    }
    var needs = links.pageNeeds
    needs.hasRendering = needs.textAmount == .none && hasRendering(of: url)
    return needs
  }

  /// Returns whether a page can be read only in the rendering of a browser, and the reason why it
  /// cannot be read; the reason is nil if the page can be read.
  func readiness(
    of url: WebURL, _ needs: PageNeeds
  ) -> (needsRendering: Bool, reason: Unreadiness?) {
    var needs = needs
    if needs.textAmount == .none { needs.hasRendering = hasRendering(of: url) }
    return (needs.hasRendering, needs.unreadiness(of: url, part: self.pageNeeds))
  }

  /// Returns whether a page is saved, and its links if it is text.
  func part(_ url: WebURL) -> (isSaved: Bool, links: PageLinks?) {
    let copy = copy(of: url)
    return (copy != nil, copy?.links(limit: maxPageLength))
  }

  /// Returns the links of an unchanged page; nil if it is long or cannot be read.
  func links(ofShort page: StoredResponse, url: WebURL) -> PageLinks? {
    guard page.length <= Self.shortLength, let content = try? cache.archive.body(of: page).rest()
    else { return nil }
    let fields = page.response.fields
    let copy = Copy(
      content: content, type: fields["Content-Type"], refresh: fields["Refresh"],
      linkFields: fields.values(of: "Link"), url: url)
    return copy.links(limit: maxPageLength)
  }

  /// Returns whether a rendering of the page that contains text is saved.
  func hasRendering(of url: WebURL) -> Bool {
    guard
      let rendering = try? cache.archive.indexedVersions(
        of: RenderedPage.key(of: cache.key(of: url))
      ).first,
      let content = try? cache.archive.body(of: rendering).rest()
    else { return false }
    let copy = Copy(content: content, type: "text/html; charset=utf-8", refresh: nil, url: url)
    return copy.links(limit: maxPageLength).map { $0.pageNeeds.textAmount != .none } ?? false
  }

  private struct Copy: Sendable {
    var content: [UInt8] = []
    var type: String?
    var refresh: String?
    var linkFields: [String] = []
    var url: WebURL

    func links(limit: Int64) -> PageLinks? {
      PageLinks(
        content, type: type, url: url, limit: limit, refresh: refresh, linkFields: linkFields)
    }
  }

  /// Returns the newest good copy for a URL, following redirects; nil if no complete copy is saved.
  private func copy(of url: WebURL) -> Copy? {
    let found = Mutex<(copy: Copy?, isWhole: Bool)>((nil, false))
    cache.readSaved(WebRequest(url: url)) { [maxPageLength] event in
      found.withLock { found in
        switch event {
        case .response(let response, let url)
        where ResponseHead.pageStatuses.contains(response.response.status):
          let fields = response.response.fields
          found.copy = Copy(
            type: fields["Content-Type"], refresh: fields["Refresh"],
            linkFields: fields.values(of: "Link"), url: url)
        case .data(let bytes):
          // Longer content is not parsed, so it is not collected.
          if Int64(found.copy?.content.count ?? 0) <= maxPageLength { found.copy?.content += bytes }
        case .finished: found.isWhole = true
        case .response, .redirected, .failed, .refreshed, .checked: break
        }
      }
    }
    return found.withLock { $0.isWhole ? $0.copy : nil }
  }
}
