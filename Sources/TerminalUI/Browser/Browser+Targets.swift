import Pages
import DOM
import Foundation
import Document

/// Short forms of URLs.
extension Browser {
  /// Returns a URL relative to the page on the screen: `#name` on the same page, the path on the
  /// same origin, otherwise the whole URL.
  func shortURL(_ url: String) -> String {
    guard let page = view?.page else { return displayURL(url) }
    if let fragment = samePageFragment(of: url, on: page) { return displayURL("#" + fragment) }
    let origin = Self.originPrefix(of: page.url.text)
    guard !origin.isEmpty, Self.originPrefix(of: url) == origin else { return displayURL(url) }
    let path = url.dropFirst(origin.count)
    return path.hasPrefix("/") ? displayURL(String(path)) : displayURL("/" + path)
  }

  /// Returns scheme, host and port of a web URL as written; empty for other URLs.
  private static func originPrefix(of url: String) -> Substring {
    guard url.isWebURL, let slashes = url.range(of: "://") else { return "" }
    let end = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end]
  }

  /// Returns the fragment of a URL that points to the page itself; nil for other URLs.
  func samePageFragment(of url: String, on page: Page) -> String? {
    guard let hash = url.firstIndex(of: "#") else { return nil }
    let isSame = [page.url, page.requestedURL].contains { $0.text.isSamePage(as: url) }
    return isSame ? String(url[url.index(after: hash)...]) : nil
  }
}
