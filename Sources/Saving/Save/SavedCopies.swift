import Document
import Foundation
import Library
import OfflineCache
package import Reader
import Synchronization

/// Reads saved copies for what decides whether pages can be read without a network.
struct SavedCopies: Sendable {
  private let cache: HTTPCache
  /// The most bytes of a page that are read.
  private let limit: Int64

  /// Pages up to this length, in bytes, are read again although they have not changed: frames and refreshes are on
  /// short pages.
  private static let shortLength: Int64 = 16 << 10

  init(_ cache: HTTPCache, limit: Int64) { (self.cache, self.limit) = (cache, limit) }

  /// What a page needs; nil when it is not saved. What is no text is opened by another program.
  func needs(of url: String) -> PageNeeds? {
    guard let copy = copy(of: url) else { return nil }
    guard let links = copy.links(limit: limit) else {
      if PageWatch.leftOut(CacheKey.make(copy.url) ?? copy.url) != nil { return .leftOut }
      var needs = PageNeeds()
      if copy.type?.lowercased().hasPrefix("image/") ?? false { needs.text = .none }
      return needs
    }
    var needs = links.needs
    needs.hasRendering = needs.text == .none && hasRendering(of: url)
    return needs
  }

  /// Returns whether a page can only be read as a browser has rendered it, and why it cannot be read, or nil.
  func readiness(
    of url: String, _ needs: PageNeeds
  ) -> (needsRendering: Bool, reason: Unreadiness?) {
    var needs = needs
    if needs.text == .none { needs.hasRendering = hasRendering(of: url) }
    return (needs.hasRendering, needs.unreadiness(of: url, part: self.needs))
  }

  /// Returns whether a page is saved, and its links if it is text.
  func part(_ url: String) -> (isSaved: Bool, links: PageLinks?) {
    let copy = copy(of: url)
    return (copy != nil, copy?.links(limit: limit))
  }

  /// What a short page leads to that was saved before and has not changed; nil for a longer one.
  func links(ofShort page: StoredResponse, url: String) -> PageLinks? {
    guard page.length <= Self.shortLength, let content = try? cache.archive.body(of: page).rest()
    else { return nil }
    let fields = page.response.fields
    let copy = Copy(
      content: content, type: fields["Content-Type"], refresh: fields["Refresh"], url: url)
    return copy.links(limit: limit)
  }

  /// Whether the text is saved that a browser has made of a page.
  func hasRendering(of url: String) -> Bool {
    guard let key = cache.key(of: url),
      let rendering = try? cache.archive.known(of: RenderedPage.key(of: key)).first,
      let content = try? cache.archive.body(of: rendering).rest()
    else { return false }
    let copy = Copy(content: content, type: "text/html; charset=utf-8", refresh: nil, url: url)
    return copy.links(limit: limit).map { $0.needs.text != .none } ?? false
  }

  private struct Copy: Sendable {
    var content: [UInt8] = []
    var type: String?
    var refresh: String?
    var url: String

    func links(limit: Int64) -> PageLinks? {
      PageLinks(content, type: type, url: url, limit: limit, refresh: refresh)
    }
  }

  /// The newest good copy that a URL gives, redirects followed.
  private func copy(of url: String) -> Copy? {
    guard let query = try? WebRequest(written: url) else { return nil }
    let found = Mutex<(copy: Copy?, isWhole: Bool)>((nil, false))
    cache.readSaved(query) { [limit] event in
      found.withLock { found in
        switch event {
        case .response(let answer, let url) where (200..<300).contains(answer.response.status):
          let fields = answer.response.fields
          found.copy = Copy(
            type: fields["Content-Type"], refresh: fields["Refresh"], url: url.description)
        case .data(let bytes):
          // What is longer is not read in any case.
          if Int64(found.copy?.content.count ?? 0) <= limit { found.copy?.content += bytes }
        case .finished: found.isWhole = true
        case .response, .redirected, .failed, .refreshed, .checked: break
        }
      }
    }
    return found.withLock { $0.isWhole ? $0.copy : nil }
  }
}

/// Whether pages that are saved can be read without a network.
package enum SavedReadiness {
  /// Returns whether a saved page can be read, judged by the saved copies of it and its parts.
  /// - Returns: why it cannot be read; nil when it can be, and when it is not saved at all.
  package static func unreadiness(of url: String, in profile: Profile) -> Unreadiness? {
    let saved = SavedCopies(profile.cache, limit: LoadOptions().renderLimit)
    return saved.needs(of: url)?.unreadiness(of: url, part: saved.needs)
  }
}
