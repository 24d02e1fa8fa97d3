import DOM
import Foundation
import Document
import Reader

/// Where links lead, in few words.
extension Browser {
  /// An address as it is told apart from the others of the page on screen: `#name` on this page, the
  /// path on this site, else all of it.
  func brief(_ url: String) -> String {
    guard let page = view?.page else { return shown(url) }
    if let fragment = fragment(of: url, on: page) { return shown("#" + fragment) }
    let site = Self.site(of: page.url)
    guard !site.isEmpty, Self.site(of: url) == site else { return shown(url) }
    let path = url.dropFirst(site.count)
    return path.hasPrefix("/") ? shown(String(path)) : shown("/" + path)
  }

  /// Scheme, host and port as they stand in an address of the web, or empty.
  private static func site(of url: String) -> Substring {
    guard url.isWebURL, let slashes = url.range(of: "://") else { return "" }
    let end = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end]
  }

  /// The fragment of a URL that points into the page itself.
  func fragment(of url: String, on page: Page) -> String? {
    guard let hash = url.firstIndex(of: "#") else { return nil }
    let isSame = [page.url, page.requestedURL].contains { $0.isSamePage(as: url) }
    return isSame ? String(url[url.index(after: hash)...]) : nil
  }
}
