import Reader
import Crawl
import OfflineCache

/// Detection of pages that a site serves under several URLs (`link rel=canonical`).
extension CrawlMachine {
  /// Whether the links of an equal page were followed before in this run: a page with the same
  /// canonical URL and the same content. The canonical URL alone is only a hint, because some sites
  /// use one on all of their pages. A page that the user named is never a duplicate.
  mutating func isDuplicate(_ links: PageLinks, _ visit: Visit) -> Bool {
    guard request.bounds.depth > visit.depth, let digest = links.contentDigest,
      let own = key(visit.url)
    else { return false }
    let name = canonicalKey(links.canonical, of: visit.url) ?? own
    return !followed.insert("\(digest) \(name)") && !visit.isNamed
  }

  /// Whether the URL of a page differs from that of an earlier one only in a component that does
  /// not affect the content, such as a session ID.
  mutating func isVariant(_ visit: Visit) -> Bool {
    guard request.bounds.depth > 0 else { return false }
    let isNew = variantForms.insert(variants.form(of: visit.address))
    return !isNew && !visit.isWanted
  }

  /// Records the content of a page for detecting variants of URLs.
  mutating func recordVariant(_ links: PageLinks, _ visit: Visit) {
    guard request.bounds.depth > 0, let digest = links.contentDigest else { return }
    variants.record(visit.address, content: digest)
    // Searching all waiting pages is expensive, so some pages have to end between two searches.
    guard variants.findings > sweep.findings, ended >= sweep.next else { return }
    sweep.findings = variants.findings
    var gone: [Visit] = []
    let (frontier, variants) = (frontier, variants)
    var forms = SeenTexts()
    swap(&forms, &variantForms)
    pace.remove { job in
      guard case .page(let number) = job, let visit = frontier.visit(number), !visit.isWanted,
        case let form = variants.form(of: visit.address), form != visit.address.description,
        !forms.insert(form)
      else { return false }
      gone.append(visit)
      return true
    }
    variantForms = forms
    gone.forEach { leaveOut($0) }
    sweep.next = ended + pace.waiting / 4
  }

  /// Whether a check did not find a page because the save left it out as a variant of another URL.
  func isMissingVariant(_ outcome: SaveOutcome, _ visit: Visit) -> Bool {
    guard request.isCheck, !visit.isWanted, case .failed = outcome.result else { return false }
    return variants.form(of: visit.address) != visit.address.description
  }

  /// Ends a page that was handed out, and is left out as a variant of another URL.
  mutating func leaveOut(_ visit: Visit) {
    frontier.dropped(visit, because: .duplicate)
    open -= 1
  }

  /// Returns the cache key of a page's canonical URL; nil unless it is another URL of the same
  /// site.
  private func canonicalKey(_ canonical: String?, of url: String) -> String? {
    guard let canonical, let own = WebURL(url), let other = WebURL(canonical), other.isWeb,
      Self.site(own) == Self.site(other), let key = key(canonical),
      key != self.key(url)
    else { return nil }
    return key
  }

  private static func site(_ url: WebURL) -> Substring {
    let host = url.host ?? ""
    return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }
}
