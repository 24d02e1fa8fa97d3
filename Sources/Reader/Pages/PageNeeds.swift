package import Document
import Feeds
import OfflineCache

/// What it takes to read a page without a network: its own text, or the parts that carry the text.
package struct PageNeeds: Sendable, Equatable {
  /// A frame that the page shows.
  package struct Frame: Sendable, Equatable {
    /// Its absolute URL, without fragment and credentials.
    package var url: String
    /// Whether it is of the same host as the page.
    package var isOfSite: Bool

    package init(_ url: String, isOfSite: Bool = true) {
      (self.url, self.isOfSite) = (url, isOfSite)
    }
  }

  /// How much text of its own it has.
  package var text = Document.TextAmount.enough
  /// Whether its frames are the page.
  package var isFrameset = false
  /// The first frames, each once.
  package var frames: [Frame] = []
  /// The absolute URL of the `meta refresh` of a page with hardly any text.
  package var refresh: String?
  /// The same, or the page itself if it asks to be loaded again, as pages do that set a cookie first.
  var continuation: String?
  /// Whether it only asks for consent.
  package var asksForConsent = false
  /// Whether the text that a browser has made of it is saved.
  package var hasRendering = false
  /// Whether it was skipped because offread crashed on it repeatedly.
  package var isLeftOut = false

  package init() {}

  /// The needs of a page that is skipped because offread crashed on it repeatedly.
  package static var leftOut: PageNeeds {
    var needs = PageNeeds()
    needs.isLeftOut = true
    return needs
  }

  /// Finds what a page needs.
  /// - Parameters:
  ///   - document: the page.
  ///   - url: the URL that gave it.
  package init(_ document: Document, url: String) {
    guard let here = WebURL(url) else { return }
    text = document.ownText
    isFrameset = document.isFrameset
    func target(_ link: Int) -> WebURL? {
      document.url(ofLink: link).flatMap { WebURL($0) }?.withoutFragment.withoutCredentials
    }
    var seen: Set = [CacheKey.make(here)]
    for link in document.links.indices where document.links[link].kind == .frame {
      guard frames.count < Self.maxFrames, let url = target(link), url.isWeb,
        seen.insert(CacheKey.make(url)).inserted
      else { continue }
      frames.append(Frame(url.description, isOfSite: url.host == here.host))
    }
    if let delay = document.refreshDelay, text != .enough,
      delay < Self.shortDelay || document.images.isEmpty && delay <= Self.longestDelay
    {
      let link = document.links.firstIndex { $0.kind == .refresh }
      let url = link.map(target) ?? here.withoutFragment.withoutCredentials
      if let url, url.isWeb {
        continuation = url.description
        if CacheKey.make(url) != CacheKey.make(here) { refresh = url.description }
      }
    }
    asksForConsent = document.asksOnlyForConsent
  }

  /// The parts to save with the page: without one of them its text would be missing.
  package var parts: [String] {
    if let refresh { return [refresh] }
    let isOfFrames = isFrameset || text == .none
    return frames.filter { $0.isOfSite || isOfFrames }.map(\.url)
  }

  /// A page has no more frames that are looked at.
  private static let maxFrames = 20
  /// A page that goes on after fewer seconds is not read.
  private static let shortDelay = 3.0
  /// A page that goes on after more seconds is not only there to go on.
  private static let longestDelay = 30.0
}

/// Why a page that is saved cannot be read without a network.
package enum Unreadiness: Sendable, Hashable, CustomStringConvertible {
  /// It has no text, or scripts make its text.
  case withoutText
  /// It only asks for consent.
  case asksForConsent
  /// A frame without which it cannot be read is not saved: its URL.
  case missingFrame(String)
  /// The page to which it goes on by itself is not saved: its URL.
  case missingTarget(String)
  /// offread crashed on it repeatedly, so this version does not read it.
  case crashes

  /// What can be the matter, for counts.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case withoutText, asksForConsent, missingPart, leftOut
  }

  package var kind: Kind {
    switch self {
    case .withoutText: .withoutText
    case .asksForConsent: .asksForConsent
    case .missingFrame, .missingTarget: .missingPart
    case .crashes: .leftOut
    }
  }

  /// Why, as the second half of a sentence about the page.
  package var description: String {
    switch self {
    case .withoutText: "it has no text to read"
    case .asksForConsent: "it only asks for consent"
    case .missingFrame(let url): "its frame \(Self.shown(url)) is not saved"
    case .missingTarget(let url): "it leads to \(Self.shown(url)), which is not saved"
    case .crashes: "offread has crashed on it"
    }
  }

  private static func shown(_ url: String) -> String {
    SafeText.line(SafeText.withoutCredentials(url))
  }
}

extension PageNeeds {
  /// Decides whether a page can be read without a network. Every report of ready pages uses it.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - part: returns the needs of a saved part; nil if it is not saved. It is called for required parts only.
  /// - Returns: why it cannot be read, or nil.
  package func unreadiness(of url: String, part: (String) -> PageNeeds?) -> Unreadiness? {
    withoutActuallyEscaping(part) { part in
      var search = PartSearch(lookUp: part)
      return search.unreadiness(of: self, path: [url])
    }
  }

  /// The maximum depth of parts within parts, and the maximum number of parts of a page.
  package static let maxLevels = 5
  package static let maxParts = 100
}

/// The walk through the parts of one page.
private struct PartSearch {
  let lookUp: (String) -> PageNeeds?
  /// How many parts were looked up.
  private var count = 0

  init(lookUp: @escaping (String) -> PageNeeds?) { self.lookUp = lookUp }

  mutating func unreadiness(of page: PageNeeds, path: Set<String>) -> Unreadiness? {
    if page.isLeftOut { return .crashes }
    if page.asksForConsent { return .asksForConsent }
    if let refresh = page.refresh {
      return unreadiness(ofPart: refresh, path, missing: .missingTarget(refresh))
    }
    guard page.text != .enough || page.isFrameset else { return nil }
    var (isReadable, missing) = (false, Unreadiness?.none)
    for frame in page.frames where frame.isOfSite || page.isFrameset || page.text == .none {
      let reason = unreadiness(ofPart: frame.url, path, missing: .missingFrame(frame.url))
      guard let reason else {
        isReadable = true
        continue
      }
      guard reason.kind == .missingPart else { continue }
      if frame.isOfSite { return reason }
      missing = reason
    }
    let hasText = page.text == .enough || page.text == .little && !page.isFrameset
    return isReadable || hasText || page.hasRendering ? nil : missing ?? .withoutText
  }

  /// Decides on a part. One that leads back to a page that needs it adds nothing.
  private mutating func unreadiness(
    ofPart url: String, _ path: Set<String>, missing: Unreadiness
  ) -> Unreadiness? {
    guard path.count <= PageNeeds.maxLevels, count < PageNeeds.maxParts, !path.contains(url) else {
      return .withoutText
    }
    count += 1
    guard let needs = lookUp(url) else { return missing }
    return unreadiness(of: needs, path: path.union([url]))
  }
}
