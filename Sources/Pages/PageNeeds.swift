package import Document
import Feeds
package import OfflineCache

/// The data that must be saved to read a page offline: the page itself and its *parts*. A part is a
/// frame that contains text of the page, or the page to which it redirects by a refresh.
package struct PageNeeds: Sendable, Equatable {
  package struct Frame: Sendable, Equatable {
    /// The absolute URL of the frame, without fragment and credentials.
    package var url: WebURL
    /// Whether the frame is on the same host as the page.
    package var isOfSite: Bool

    package init(_ url: WebURL, isOfSite: Bool = true) {
      (self.url, self.isOfSite) = (url, isOfSite)
    }
  }

  /// The amount of text of the page itself.
  package var textAmount = Document.TextAmount.enough
  /// Whether the content of the page is empty.
  package var isEmpty = false
  /// Whether the page is a frameset.
  package var isFrameset = false
  /// The frames on the web, at most 20, without duplicates.
  package var frames: [Frame] = []
  /// The absolute URL of the `meta refresh` of a page with little text; nil for none.
  package var refresh: WebURL?
  /// The value of `refresh`; for a page that refreshes itself, its own URL (some pages set a cookie
  /// and then reload); nil for none.
  package var continuation: WebURL?
  /// Whether the page only requests consent.
  package var asksForConsent = false
  /// Whether a rendering of the page by a browser is saved.
  package var hasRendering = false
  /// Whether the page was skipped because offread crashed on it repeatedly.
  package var isExcluded = false
  /// Whether the page is a damaged file of which nothing can be read.
  package var isDamaged = false

  package init() {}

  /// The needs of a damaged file.
  package static var damaged: PageNeeds {
    var needs = PageNeeds()
    needs.isDamaged = true
    return needs
  }

  /// The needs of a page that is skipped because offread crashed on it repeatedly.
  package static var excluded: PageNeeds {
    var needs = PageNeeds()
    needs.isExcluded = true
    return needs
  }

  /// Determines the needs of a page.
  /// - Parameters:
  ///   - document: the parsed page.
  ///   - url: the URL of the page.
  package init(_ document: Document, url: WebURL) {
    textAmount = document.textAmount
    isFrameset = document.isFrameset
    func target(_ link: Int) -> WebURL? {
      document.webURL(ofLink: link)?.withoutFragment.withoutCredentials
    }
    var seen: Set = [CacheKey.make(url)]
    for link in document.links.indices where document.links[link].kind == .frame {
      guard frames.count < Self.maxFrames, let frame = target(link), frame.isWeb,
        seen.insert(CacheKey.make(frame)).inserted
      else { continue }
      frames.append(Frame(frame, isOfSite: frame.host == url.host))
    }
    if let delay = document.refreshDelay, textAmount != .enough,
      delay < Self.shortDelay || document.images.isEmpty && delay <= Self.maxDelay
    {
      let link = document.links.firstIndex { $0.kind == .refresh }
      let destination = link.map(target) ?? url.withoutFragment.withoutCredentials
      if let destination, destination.isWeb {
        continuation = destination
        if CacheKey.make(destination) != CacheKey.make(url) { refresh = destination }
      }
    }
    asksForConsent = document.asksOnlyForConsent
  }

  /// The URLs of the parts to save with the page, because its text may be in them.
  package var parts: [WebURL] {
    if let refresh { return [refresh] }
    let isOfFrames = isFrameset || textAmount == .none
    return frames.filter { $0.isOfSite || isOfFrames }.map(\.url)
  }

  /// Maximum number of frames that are considered.
  private static let maxFrames = 20
  /// Minimum delay of a refresh, in seconds, that leaves time to read the page.
  private static let shortDelay = 3.0
  /// Maximum delay of a refresh, in seconds, for a page without images to count as a redirect.
  private static let maxDelay = 30.0
}

extension PageNeeds {
  /// Determines whether a page can be read offline. Every report of offline pages uses this
  /// function.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - part: returns the needs of the part at a URL; nil if it is not saved. It is called for
  ///     required parts only.
  /// - Returns: the reason why the page cannot be read; nil if it can.
  package func unreadiness(of url: WebURL, part: (WebURL) -> PageNeeds?) -> Unreadiness? {
    withoutActuallyEscaping(part) { part in
      var search = PartTraversal(lookUp: part)
      return search.unreadiness(of: self, path: [url])
    }
  }

  /// Maximum nesting depth of parts. Deeper parts count as parts without text.
  package static let maxLevels = 5
  /// Maximum number of parts of a page. Further parts count as parts without text.
  package static let maxParts = 100
}

/// A traversal of the parts of a page.
private struct PartTraversal {
  let find: (WebURL) -> PageNeeds?
  /// The number of parts that were looked up.
  private var lookupCount = 0

  init(lookUp: @escaping (WebURL) -> PageNeeds?) { self.find = lookUp }

  mutating func unreadiness(of page: PageNeeds, path: Set<WebURL>) -> Unreadiness? {
    if page.isExcluded { return .crashes }
    if page.isDamaged { return .damaged }
    if page.asksForConsent { return .asksForConsent }
    if let refresh = page.refresh {
      return unreadiness(ofPart: refresh, path, missing: .missingTarget(refresh.description))
    }
    guard page.textAmount != .enough || page.isFrameset else { return nil }
    var (isReadable, missing) = (false, Unreadiness?.none)
    for frame in page.frames where frame.isOfSite || page.isFrameset || page.textAmount == .none {
      let reason = unreadiness(
        ofPart: frame.url, path, missing: .missingFrame(frame.url.description))
      guard let reason else {
        isReadable = true
        continue
      }
      guard reason.kind == .missingPart else { continue }
      if frame.isOfSite { return reason }
      missing = reason
    }
    let hasText = page.textAmount == .enough || page.textAmount == .little && !page.isFrameset
    if isReadable || hasText || page.hasRendering { return nil }
    return missing ?? (page.isEmpty ? .empty : .withoutText)
  }

  /// Checks whether a part can be read. A part that contains itself, or that exceeds the maximum
  /// depth or number of parts, counts as a part without text.
  /// - Parameters:
  ///   - url: The URL of the part.
  ///   - path: The URLs of the page and of the parts that contain the part.
  ///   - missing: The reason to return if the part is not saved.
  /// - Returns: The reason why the part cannot be read; nil if it can.
  private mutating func unreadiness(
    ofPart url: WebURL, _ path: Set<WebURL>, missing: Unreadiness
  ) -> Unreadiness? {
    guard path.count <= PageNeeds.maxLevels, lookupCount < PageNeeds.maxParts, !path.contains(url)
    else {
      return .withoutText
    }
    lookupCount += 1
    guard let needs = find(url) else { return missing }
    return unreadiness(of: needs, path: path.union([url]))
  }
}
