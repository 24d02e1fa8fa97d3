import DOM
package import Document
import OfflineCache

/// A feed that a page leads to.
package struct FeedLink: Sendable, Equatable {
  /// The absolute URL.
  package let url: String
  /// What the page calls it, or empty.
  package let title: String

  /// Makes a link.
  package init(url: String, title: String) {
    self.url = url
    self.title = title
  }
}

extension Document {
  /// The feeds of a page, the one to take first: those that it names in its head, else the links on
  /// it that look like a feed's. Feeds of comments come last.
  package var feedLinks: [FeedLink] {
    var seen: Set<String> = []
    let named = feeds.compactMap { feed in
      absolute(feed.target).map { FeedLink(url: $0, title: feed.title) }
    }
    let found = named.isEmpty ? linksToFeeds : named
    let unique = found.filter { seen.insert($0.url).inserted }
    return unique.filter { !$0.isOfComments } + unique.filter(\.isOfComments)
  }

  private var linksToFeeds: [FeedLink] {
    links.filter { $0.kind == .anchor }.compactMap { link in
      guard Self.looksLikeFeed(link.target), let url = absolute(link.target) else { return nil }
      return FeedLink(url: url, title: link.title.oneLine)
    }
  }

  private func absolute(_ reference: String) -> String? {
    // `feed:` is what browsers with a reader of feeds once understood.
    var reference = reference
    if reference.hasPrefix("feed:") {
      reference = String(reference.dropFirst(5))
      if reference.hasPrefix("//") { reference = "https:" + reference }
    }
    guard let resolved = WebURL.resolve(reference, against: base), let url = WebURL(resolved),
      url.isWeb
    else { return nil }
    return url.withoutFragment.description
  }

  /// Whether an address ends as those of feeds do.
  private static func looksLikeFeed(_ target: String) -> Bool {
    if target.hasPrefix("feed:") { return true }
    let path = target.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return ["feed", "rss", "atom", "feed.json", "feed.xml", "index.rdf"].contains(name)
      || [".rss", ".atom", "rss.xml", "atom.xml", "feed.xml"].contains { name.hasSuffix($0) }
  }
}

extension FeedLink {
  fileprivate var isOfComments: Bool {
    url.lowercased().contains("comment") || title.lowercased().contains("comment")
  }
}
