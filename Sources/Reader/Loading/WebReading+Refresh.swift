import Pages
import OfflineCache
import ReaderMode

/// Saved pages that only redirect to another page (`meta refresh` or the `Refresh` header field).
extension WebReading {
  /// Returns the URL of the page that a saved page redirects to by a refresh; nil if there is no
  /// refresh, its target is not saved, or the chain is circular or too long.
  func savedTarget(of event: LoadEvent, _ response: LoadedResponse) -> WebURL? {
    switch response.source {
    case .saved, .fresh: break
    case .network, .validated, .seed, .substituted: return nil
    }
    guard case .loaded(let page) = event, page.view == .page, page.sentForm == nil,
      options.copy == .latest, refreshes.count < PageNeeds.maxLevels,
      let url = page.needs?.refresh,
      !refreshes.contains(where: { CacheKey.make($0.text) == CacheKey.make(url) }),
      cache.page(of: cache.key(of: url)) != nil
    else { return nil }
    return url
  }

  /// Loads the page that a saved page redirects to, and shows it instead; if that fails, shows the
  /// saved page. The network is used only if the redirecting page is fresh.
  func follow(_ target: WebURL, from event: LoadEvent, isFresh: Bool) {
    guard case .loaded(let page) = event else { return }
    var request = request
    if !isFresh { request.options.mode = .cacheOnly }
    let next = PageLoad { [self] found in
      switch found {
      case .loaded(var shown):
        shown.requestedURL = page.requestedURL
        if !isFresh { shown.provenance.source = page.provenance.source }
        shown.notices.append("\(page.url) redirects to this page")
        show(shown)
        load.report(.loaded(shown))
      case .failed: load.report(event)
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    WebReading(
      request, url: target, loader: loader, load: next, cache: cache,
      refreshes: refreshes + [page.url, DocumentAddress(requestedURL)]
    ).start()
  }
}

extension Page {
  /// The data that must be saved to read the page; nil if it has no absolute URL.
  fileprivate var needs: PageNeeds? { url.parsedURL.map { PageNeeds(document, url: $0) } }
}

/// Pages that set a cookie and redirect by a refresh to a page that is shown only with that cookie.
extension WebReading {
  /// Returns the URL to which a response from the network redirects by a refresh, if the response
  /// sets a new or changed cookie; nil for every other response.
  func continuation(of event: LoadEvent, _ response: LoadedResponse) -> WebURL? {
    guard response.source == .network, response.setsChainCookie, options.copy == .latest,
      refreshes.count < PageNeeds.maxLevels, case .loaded(let page) = event, page.view != .source
    else { return nil }
    return page.needs?.continuation
  }

  /// Continues the redirect chain of a response at the target of its refresh.
  func continueRedirects(to target: WebURL, from event: LoadEvent, _ response: LoadedResponse) {
    guard case .loaded(let page) = event else { return }
    var request = request
    request.origin = .link(from: page.url)
    request.options.chain = response.chain
    request.options.isAfterForm = self.request.content != nil || options.isAfterForm
    request.options.isSchemeAssumed = false
    // The response without the cookie may still be fresh.
    request.options.isReload = true
    request.content = nil
    let step = LoadTrace.Redirect(url: page.url, status: page.status)
    WebReading(
      request, url: target, loader: loader, load: load, cache: cache,
      refreshes: refreshes + [page.url], firstURL: page.requestedURL,
      redirects: page.loadTrace.redirects + [step]
    ).start()
  }
}
