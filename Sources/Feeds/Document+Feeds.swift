import DOM
package import Document
import OfflineCache

extension Document {
  /// The feeds of a page, preferred ones first. If the head of the page declares feeds, these are
  /// returned; otherwise, links whose URLs look like feeds, followed by links that are labeled as
  /// feeds. Feeds of comments come last.
  package var feedLinks: [FeedLink] {
    var seenURLs: Set<String> = []
    let declaredFeeds = feeds.compactMap { feed in
      absoluteURL(feed.target).map { FeedLink(url: $0, title: feed.title) }
    }
    let candidates = declaredFeeds.isEmpty ? linksToFeeds : declaredFeeds
    let uniqueLinks = candidates.filter { seenURLs.insert($0.url).inserted }
    return uniqueLinks.filter { !$0.isCommentFeed } + uniqueLinks.filter(\.isCommentFeed)
  }

  private var linksToFeeds: [FeedLink] {
    let anchors = links.filter { $0.kind == .anchor }
    let labelByLink = linkTexts(maxLength: Self.maxLabelLength)
    let linksLabeledAsFeed = links.indices.filter { index in
      links[index].kind == .anchor && !links[index].target.hasPrefix("#")
        && (labelByLink[Int32(index)].map { Self.isFeedLabel(String(decoding: $0, as: UTF8.self)) }
          ?? false || Self.isFeedLabel(links[index].title))
    }.map { links[$0] }
    return (anchors.filter { Self.looksLikeFeed($0.target) } + linksLabeledAsFeed).compactMap {
      link in
      absoluteURL(link.target).map { FeedLink(url: $0, title: link.title.oneLine) }
    }
  }

  /// Returns whether the text or title of a link is just the name of a feed format, or invites the
  /// user to subscribe.
  private static func isFeedLabel(_ text: String) -> Bool {
    guard text.utf8.count <= maxLabelLength else { return false }
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    return feedLabels.contains(words.joined(separator: " "))
      || words.contains { $0 == "rss" || $0 == "atom" }
        && words.allSatisfy(subscriptionWords.contains)
  }

  /// The words of labels with "rss" or "atom", in several languages.
  private static let subscriptionWords: Set<String> = [
    "rss", "atom", "feed", "newsfeed", "xml", "web", "news", "the", "our", "this", "by",
    "via", "with", "to", "get", "follow", "subscribe", "subscription", "abonnieren", "als", "den",
    "per", "mit", "folgen", "flux", "fil", "abonner", "abonnez", "s", "vous", "au", "le", "nos",
    "canal", "suscribirse", "suscríbete", "suscripción", "al", "a", "por", "iscriviti", "ai",
    "assinar", "o", "abonneren", "op", "de", "prenumerera", "på", "подписаться", "на",
  ]

  /// Further labels of links to feeds, which contain neither "rss" nor "atom".
  private static let feedLabels: Set<String> = ["feed", "json feed", "web feed"]
  /// The maximum length in bytes of a link text or title that names a feed format.
  private static let maxLabelLength = 48

  private func absoluteURL(_ reference: String) -> String? {
    var reference = reference
    if let scheme = reference.urlScheme, OPML.feedSchemes.contains(scheme) {
      reference = String(reference.dropFirst(scheme.count + 1))
      if reference.hasPrefix("//") { reference = "https:" + reference }
    }
    guard let url = WebURL(reference, against: baseURL), url.isWeb else { return nil }
    return url.withoutFragment.description
  }

  /// Returns whether a URL ends like the URL of a feed.
  private static func looksLikeFeed(_ target: String) -> Bool {
    if !target.hasPrefix("http"), let scheme = target.urlScheme,
      OPML.feedSchemes.contains(scheme)
    {
      return true
    }
    let path = target.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return ["feed", "rss", "atom", "feed.json", "feed.xml", "index.rdf"].contains(name)
      || [".rss", ".atom", "rss.xml", "atom.xml", "feed.xml"].contains { name.hasSuffix($0) }
  }
}
