import Crawl
import OfflineCache

/// Detects pages that a site serves under several URLs (`link rel=canonical`).
extension CrawlStateMachine {
  /// Returns whether the links of an equal page were already followed in this run; otherwise,
  /// records this page. A page is equal if it has the same canonical URL and the same content. The
  /// canonical URL alone is only a hint, because some sites use one on all of their pages. A page
  /// that the user named is never a duplicate.
  mutating func recordAndCheckDuplicate(_ links: PageLinks, _ entry: Entry) -> Bool {
    guard request.bounds.depth > entry.depth, let digest = links.contentDigest else { return false }
    let own = cacheKey(entry.parsedURL)
    let name = canonicalKey(links.canonical, of: entry.parsedURL, own) ?? own
    return !followedPages.insert("\(digest) \(name)") && !entry.isNamed
  }

  /// Returns whether the URL of a page differs from that of an earlier page only in a component
  /// that does not affect the content, such as a session ID; otherwise, records the URL.
  mutating func recordAndCheckVariant(_ entry: Entry) -> Bool {
    guard request.bounds.depth > 0 else { return false }
    let isNew = variantForms.insert(variants.form(of: entry.parsedURL))
    return !isNew && !entry.isRequested
  }

  /// Records the content of a page for detecting variants of URLs. From time to time, drops the
  /// queued pages that have turned out to be variants of others.
  mutating func recordVariant(_ links: PageLinks, _ entry: Entry) {
    guard request.bounds.depth > 0, let digest = links.contentDigest else { return }
    variants.record(entry.parsedURL, content: digest)
    // Searching all waiting pages is expensive, so a number of pages must be finished between two
    // searches.
    guard variants.redundancyCount > sweep.findings, finishedCount >= sweep.next else { return }
    sweep.findings = variants.redundancyCount
    var gone: [Entry] = []
    let (frontier, variants) = (frontier, variants)
    var forms = SeenTexts()
    swap(&forms, &variantForms)
    pace.remove { job in
      guard case .page(let number) = job, let entry = frontier.entry(number), !entry.isRequested,
        case let form = variants.form(of: entry.parsedURL), form != entry.parsedURL.description,
        !forms.insert(form)
      else { return false }
      gone.append(entry)
      return true
    }
    variantForms = forms
    gone.forEach { skip($0) }
    sweep.next = finishedCount + pace.waitingCount / 4
  }

  /// Whether a page that a check did not find is one that the save omitted as a variant of another
  /// URL.
  func isMissingVariant(_ outcome: SaveOutcome, _ entry: Entry) -> Bool {
    guard request.isOfflineCheck, !entry.isRequested, case .failed = outcome.result else {
      return false
    }
    return variants.form(of: entry.parsedURL) != entry.parsedURL.description
  }

  /// Records the page that the redirects of a loaded page led to.
  mutating func recordRedirectTarget(_ result: CrawlResult, _ page: PendingPage) {
    guard request.bounds.depth > 0, page.outcome.isCurrent, result.redirectChain.count > 1,
      let target = result.redirectChain.last.map(cacheKey)
    else { return }
    let digest = digest(ofTarget: target, page.entry)
    redirectTargets[digest] = min(redirectTargets[digest] ?? .max, page.entry.number)
  }

  /// Omits a page whose load would start now if the redirects of an earlier page led to it, so that
  /// it is loaded already.
  /// - Returns: whether the page was omitted.
  mutating func skipIfRedirectTarget(_ job: CrawlJob) -> Bool {
    guard !redirectTargets.isEmpty, case .page(let number) = job,
      let entry = frontier.entry(number), !entry.isRequested, entry.partNumber == 1,
      let earlier = redirectTargets[digest(ofTarget: cacheKey(entry.parsedURL), entry)],
      earlier < number
    else { return false }
    skip(entry)
    return true
  }

  /// Returns the key in `redirectTargets` for a page with a cache key. If a crawl stays on the
  /// hosts of its start pages, pages that were found from different ones have different links.
  private func digest(ofTarget key: String, _ entry: Entry) -> Int {
    SeenTexts.digest(request.bounds.staysOnHost ? "\(entry.seedHost) \(key)" : key)
  }

  /// Finishes a page that `LinkFrontier` has returned and that is omitted because it is the same
  /// page as one with another URL.
  mutating func skip(_ entry: Entry) {
    frontier.recordDropped(entry, reason: .duplicate)
    unfinishedCount -= 1
  }

  /// Returns the cache key of a page's canonical URL; nil if the page has none, or one that is its
  /// own (with the cache key `ownKey`) or on another site.
  private func canonicalKey(
    _ canonical: WebURL?, of url: WebURL, _ ownKey: String
  ) -> String? {
    guard let canonical, canonical.isWeb, Self.site(url) == Self.site(canonical),
      case let key = cacheKey(canonical), key != ownKey
    else { return nil }
    return key
  }

  private static func site(_ url: WebURL) -> Substring {
    let host = url.host ?? ""
    return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }
}
