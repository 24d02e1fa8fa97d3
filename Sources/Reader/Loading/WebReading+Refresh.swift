import OfflineCache
import ReaderMode

/// Saved pages that only lead to another one (`meta refresh`, the field `Refresh`).
extension WebReading {
  /// The saved page to which a saved page goes on by itself; nil for every other page.
  func savedTarget(of event: LoadEvent, _ answer: Answer) -> WebURL? {
    switch answer.source {
    case .saved, .fresh: break
    case .network, .validated, .seed, .substituted: return nil
    }
    guard case .loaded(let page) = event, page.view == .page, page.sent == nil,
      options.copy == .latest, refreshes.count < PageNeeds.maxLevels,
      let target = PageNeeds(page.document, url: page.url).refresh, let url = WebURL(target),
      !refreshes.contains(target), cache.page(of: cache.key(of: url)) != nil
    else { return nil }
    return url
  }

  /// Loads the page to which a saved page leads, and shows it in its place. The network is asked for it only
  /// where the page that leads to it is fresh.
  func follow(_ target: WebURL, from event: LoadEvent, isFresh: Bool) {
    guard case .loaded(let page) = event else { return }
    var request = request
    if !isFresh { request.options.mode = .cacheOnly }
    let next = PageLoad { [self] found in
      switch found {
      case .loaded(var shown):
        shown.requestedURL = page.requestedURL
        if !isFresh { shown.provenance.source = page.provenance.source }
        shown.notices.append("\(page.url) leads to this page")
        show(shown)
        load.report(.loaded(shown))
      case .failed: load.report(event)
      case .progressed, .asking, .began, .newer, .checked: break
      }
    }
    WebReading(
      request, url: target, loader: loader, load: next, cache: cache,
      refreshes: refreshes + [page.url, requested]
    ).start()
  }
}
