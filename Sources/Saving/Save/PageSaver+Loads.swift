import FoundationEssentials
import Crawl
import Library
import OfflineCache
import OfflineCacheURLSession

/// Starts the loads of a save.
extension PageSaver {
  /// Adds to a task for a page the facts that the library has about the page, and whether there is
  /// a good saved copy with which the response can be compared.
  func addLibraryFacts(_ task: inout CrawlTask) {
    task.began = now()
    guard case .page = task.job else { return }
    let key = cache.key(of: task.url)
    let page = try? library.page(key)
    task.isComplete = isComplete(page)
    guard !request.isOfflineCheck else { return }
    task.lacksImages = request.includesImages && page?.lacksImages ?? false
    task.wasSaved = !cache.savedPages(among: [key]).isEmpty
    guard task.isRequested, feeds.request(for: task.url) == nil else { return }
    task.isUnconfirmed = page?.isUnconfirmed ?? false
    task.isItem = !task.isNamed && !(page?.feed ?? "").isEmpty
    guard request.options.trust != .accepted else { return }
    task.visit = task.isUnconfirmed || !task.wasSaved ? .first : .repeated
  }

  /// Returns whether a page is saved with all parts that a browser needs. The request decides, or
  /// else what the library has recorded about the page or its feed.
  private func isComplete(_ page: LibraryPage?) -> Bool {
    if let isComplete = request.isComplete { return isComplete }
    guard let page, !page.isComplete, !page.feed.isEmpty else { return page?.isComplete ?? false }
    return (try? library.page(page.feed).isComplete) ?? false
  }

  /// Starts a load.
  /// - Returns: the load; nil if it has already ended.
  func load(_ task: CrawlTask) -> SaverLoad? {
    let limit = maxLength(of: task.job)
    var webRequest = WebRequest(url: task.url)
    if let accept = task.job.accept { webRequest.fields.append("Accept", accept) }
    if let referer = task.referer { webRequest.fields.append("Referer", referer) }
    let isFeed = feeds.request(for: task.url) != nil
    var options = request.options(for: task, isFeed: isFeed)
    options.pagesFreshSince = machine.began.timeIntervalSince1970
    let saved = SavedCopies(cache, maxPageLength: limit)
    let load = SaverLoad(
      task, limit: limit, skipsUnchanged: options.omitsValidatedContent, isFeed: isFeed, inbox,
      readShort: saved.links(ofShort:url:),
      moveLoads: task.visit == .repeated ? moveLoads(task, webRequest, options) : nil
    ) { [cache, options, accept = task.job.accept] target, page, cookies, event in
      var options = options
      (options.chain, options.isReload, options.isFromPage) = (cookies, true, true)
      (options.isUserEntered, options.isSchemeAssumed) = (false, false)
      if cache.isOnPublicNetwork(page) { options.isPublicOnly = true }
      var webRequest = WebRequest(url: target)
      if let accept { webRequest.fields.append("Accept", accept) }
      return cache.startInSession(webRequest, options: options, event: event)
    }
    guard task.host == nil else {
      load.start { cache.startInSession(webRequest, options: options, event: $0) }
      return load
    }
    // The copy is read on this thread. On several threads, the loads would wait for each other at
    // the index, which costs more time than parallel reading saves.
    cache.readSaved(webRequest, options: options) { load.receive($0) }
    return nil
  }

  private func maxLength(of job: CrawlJob) -> Int64 {
    let limit = request.options.maxRenderedSize
    return switch job {
    case .page, .needed, .image: limit
    case .part: min(limit, PagePart.maxSheetLength)
    case .robots: Int64(RobotsRules.maxSize) + 1
    }
  }
}

extension PageSaver {
  /// Creates the loads that check whether a page has moved to another site.
  private func moveLoads(
    _ task: CrawlTask, _ query: WebRequest, _ options: LoadOptions
  ) -> MoveLoads {
    // Stored dates are rounded to milliseconds.
    let startDate = task.began.addingTimeInterval(-0.001)
    return MoveLoads(
      pages: movedPages,
      loadTarget: { [cache] target, receive in
        var options = options
        var probe = WebRequest(url: target)
        (options.isReload, options.isFromPage, options.isUserEntered) = (true, true, false)
        options.isSchemeAssumed = false
        options.mode = .networkOnly
        if cache.isOnPublicNetwork(query.url) { options.isPublicOnly = true }
        if let accept = query.fields["Accept"] { probe.fields.append("Accept", accept) }
        // The response is not saved, only compared with the saved copy.
        probe.fields.append("Cache-Control", "no-store")
        return cache.startInSession(probe, options: options, event: receive)
      },
      loadAccepted: { [cache] receive in
        var options = options
        (options.isReload, options.trust) = (true, .accepted)
        // The content is compared with the saved copy again.
        options.omitsValidatedContent = false
        if cache.isOnPublicNetwork(query.url) { options.isPublicOnly = true }
        return cache.startInSession(query, options: options, event: receive)
      },
      distrust: { [cache] in cache.distrust($0, since: startDate, reason: .foreignRedirect) })
  }
}

extension SaveRequest {
  /// Returns the options of a load.
  func options(for task: CrawlTask, isFeed: Bool) -> LoadOptions {
    var options = options
    options.isUserEntered = task.isNamed
    options.isPublicOnly = task.isPublicOnly
    options.isFromPage = task.isFromPage
    options.isSchemeAssumed = task.isNamed && assumedPages.contains(task.url.description)
    options.isUnattended = true
    options.followsRefreshes = true
    options.maxStreamSize = options.maxRenderedSize
    options.refusesEndless = true
    // The user accepts untrusted responses for the named pages, but not for pages found by links.
    if !task.isNamed, options.trust == .accepted { options.trust = .compared(withCopy: true) }
    if task.isUnconfirmed, options.trust != .accepted { options.trust = .compared(withCopy: false) }
    options.recordsRequest = task.isComplete
    // A captive portal never responds with a feed.
    options.acceptsPermanentMoves = isFeed
    // A stored refusal may be fresh, because the cache does not know that it depends on `Referer`.
    // An HTML page that was sent instead of the image must not cause the image to be rejected.
    if task.referer != nil {
      options.isReload = true
      if options.trust != .accepted { options.trust = .compared(withCopy: false) }
    }
    // The content of an unchanged page need not be read.
    options.omitsValidatedContent =
      skipsUnchanged && !isFeed && !task.job.isReadUnchanged && !task.lacksImages
    return options
  }
}
