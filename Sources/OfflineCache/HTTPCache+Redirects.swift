extension HTTPCache {
  /// The most redirects that are looked through.
  private static let hopLimit = 20

  /// The versions of a URL without the redirects that came after a page and lead to none that is
  /// saved: such a redirect does not replace the page.
  func withoutDeadRedirects(_ captures: [StoredResponse]) -> [StoredResponse] {
    guard let page = captures.firstIndex(where: \.isGoodPage),
      captures[..<page].contains(where: { $0.isGood && $0.isRedirect })
    else { return captures }
    return captures[..<page].filter { !$0.isRedirect || leadsToPage($0) } + captures[page...]
  }

  /// Whether there is a page among the saved versions of a URL.
  func hasPage(_ key: String) -> Bool {
    let captures = attempt { archive throws(ArchiveError) in try archive.captures(of: key) }
    return captures?.contains(where: \.isGoodPage) ?? false
  }

  private func leadsToPage(_ redirect: StoredResponse) -> Bool {
    var hop = redirect
    var visited: Set<String> = [redirect.key]
    for _ in 0..<Self.hopLimit {
      guard let target = Redirection.target(of: hop.response, from: hop.key) else { return false }
      let key = key(of: target)
      guard visited.insert(key).inserted else { return false }
      let captures = attempt { archive throws(ArchiveError) in try archive.captures(of: key) } ?? []
      if captures.contains(where: \.isGoodPage) { return true }
      guard let next = captures.first(where: \.isGood) else { return false }
      hop = next
    }
    return false
  }
}

extension StoredResponse {
  /// Whether this may be shown as a page and is no redirect.
  fileprivate var isGoodPage: Bool { isGood && !isRedirect }
}
