import Reader
import Configuration
import Pages
package import Profiles
import Rendering
import Crawl
import Library
package import Foundation
import OfflineCache

/// Saves pages for offline use, with the parts that they need and, if requested, the pages to which
/// they link.
///
/// The thread that calls `run` performs the actions of `CrawlStateMachine` and passes results to
/// it, one at a time. Only loading itself and parsing pages for their links run on other threads.
package final class PageSaver {
  let request: SaveRequest
  private let profile: Profile
  let cache: HTTPCache
  let library: PageLibrary
  let now: @Sendable () -> Date
  let feeds: FeedFollower
  let inbox = Inbox()
  let movedPages: MovedPages
  private(set) var machine: CrawlStateMachine
  private var journal: SaveJournal
  private var loads: [Int: SaverLoad] = [:]
  /// The cache keys of the loads that were started, if the saved pages are pinned.
  private var exemptKeys: Set<String> = []
  private let start = ContinuousClock.now
  /// Called with the number and the saved size of a page's subresources (style sheets, scripts,
  /// fonts, images) before they are fetched.
  package var announce: (PartsNotice) -> Void = { _ in }
  /// Called once if the pinned pages exceed the maximum size of the archive.
  package var announceExcess: (PinnedSize.Excess) -> Void = { _ in }
  private var hasExcess = false
  /// Returns whether a page is counted and reported. Several runs may save the same page, which
  /// should be counted once.
  package var isCounted: (SaveOutcome) -> Bool = { _ in true }

  /// The interval between progress reports.
  private static let progressInterval = Duration.milliseconds(100)

  /// Prepares a save.
  /// - Parameters:
  ///   - request: the pages to save, and the options.
  ///   - profile: the profile to save into.
  ///   - now: returns the current time.
  package init(
    _ request: SaveRequest, in profile: Profile, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    var request = request
    if !request.isOfflineCheck, request.bounds.depth > 0, profile.isSignedIn {
      request.bounds.isSignedIn = true
    }
    (self.request, self.now, self.profile) = (request, now, profile)
    (cache, library) = (profile.cache, profile.library)
    feeds = FeedFollower(request, in: profile)
    movedPages = MovedPages(cache)
    journal = SaveJournal(request, in: profile, feeds: feeds, now: now)
    // A check may not have the cookies and passwords of the crawl. Therefore, it follows a link
    // that signs out only if the crawl has saved its target.
    let isSignedIn: @Sendable (WebURL) -> Bool
    if request.isOfflineCheck {
      isSignedIn = { [cache] url in cache.savedPages(among: [cache.key(of: url)]).isEmpty }
    } else {
      isSignedIn = { [profile] url in profile.isSignedIn(at: url) }
    }
    machine = CrawlStateMachine(
      request, finishedPages: journal.finishedPages, isSignedIn: isSignedIn
    ) {
      [cache] in cache.key(of: $0)
    }
  }

  /// The number of pages that an interrupted save of the same request has already finished.
  package var resumedCount: Int { journal.finishedPages.count }

  /// Saves all pages.
  /// - Parameters:
  ///   - outcome: called with each page once it is on the disk; in a check, in the order in which
  ///     the pages were found.
  ///   - progress: called with the progress several times a second; returns false to stop.
  /// - Returns: the report.
  package func run(
    outcome: (SaveOutcome) -> Void = { _ in }, progress: (SaveProgress) -> Bool = { _ in true }
  ) -> SaveReport {
    var report = SaveReport()
    func deliver(_ pages: [SaveOutcome]) {
      for page in pages where isCounted(page) {
        report.count(page)
        outcome(page)
      }
    }
    func synchronize(isLast: Bool) { deliver(journal.synchronize(isLast: isLast)) }
    defer { library.endLoading(exemptKeys) }
    checkPinnedSize()
    begin()
    deliver(unlinkedItems)
    while true {
      startLoads()
      guard !isDiskFull else { break }
      guard progress(machine.progress(received: inbox.receivedBytes)), !machine.isHopeless else {
        report.isInterrupted = true
        break
      }
      if advance() {
        let actions = machine.resolveWithheld()
        perform(actions)
        if !actions.isEmpty || machine.unfinishedCount == 0 && followUnfinishedFeeds() { continue }
        if machine.unfinishedCount == 0, machine.frontier.isDone { break }
      }
      synchronize(isLast: false)
      checkPinnedSize()
    }
    endLoads(isInterrupted: report.isInterrupted)
    synchronize(isLast: true)
    checkPinnedSize(isLast: true)
    endJournal(isComplete: !report.isInterrupted && !isDiskFull)
    fill(&report)
    return report
  }

  /// Cancels the running loads, and finishes the pages that wait for their parts, unless there is
  /// no space to record them.
  private func endLoads(isInterrupted: Bool) {
    loads.values.forEach { $0.cancel() }
    if isInterrupted { perform(machine.finishPendingPages()) }
    if isInterrupted || isDiskFull { dropWithheldPages() }
  }

  private func endJournal(isComplete: Bool) {
    journal.isDiskFull = isDiskFull
    let saved = machine.cutOffCount > 0 ? machine.frontier.count - machine.cutOffCount : nil
    journal.end(isComplete: isComplete, limitedTo: saved)
  }

  private func dropWithheldPages() {
    perform(machine.dropWithheld())
    if !isDiskFull { _ = followUnfinishedFeeds() }
  }

  private func startLoads() {
    while case let actions = machine.dispatchPages(received: inbox.receivedBytes),
      !actions.isEmpty
    {
      perform(actions)
    }
  }

  /// The number of received bytes when the size of the pinned pages was last determined; nil if it
  /// has not been determined yet.
  private var checkedSize: Int64?

  /// Announces that the pinned pages exceed the maximum size, at most once.
  /// - Parameter isLast: Whether all pages are recorded. Otherwise, the size is computed again only
  ///   after a sixteenth of the maximum size was received.
  private func checkPinnedSize(isLast: Bool = false) {
    let received = inbox.receivedBytes
    guard let limit = profile.settings.storage.bytes, !request.isOfflineCheck, request.pinsPages,
      !hasExcess,
      checkedSize.map({ isLast ? received > 0 : received - $0 > limit / 16 }) ?? true
    else { return }
    checkedSize = received
    guard let excess = try? PinnedSize.excess(in: profile) else { return }
    hasExcess = true
    announceExcess(excess)
  }

  private var isDiskFull: Bool { machine.isDiskFull || journal.isDiskFull }

  private func begin() {
    feeds.add = { [unowned self] in machine.add($0, isNamed: $1, isPublicOnly: $2) }
    for feed in request.feeds { machine.add(feed.url, isNamed: true, isPublicOnly: false) }
    machine.began = Date(timeIntervalSince1970: now().timeIntervalSince1970 - 0.001)
    journal.begin()
    for page in request.pages {
      machine.add(page, isNamed: true, isPublicOnly: request.publicOnlyPages.contains(page))
    }
    for page in request.linkedPages {
      machine.add(page, isNamed: false, isPublicOnly: feeds.isPublicOnly(item: page))
    }
  }

  private func fill(_ report: inout SaveReport) {
    report.isDiskFull = isDiskFull
    report.hasDetectedPortal = machine.hasDetectedPortal
    report.refusals = machine.frontier.refusals
    report.cutOff = machine.cutOffCount
    report.namedCutOff = machine.namedCount - journal.finishedNamedCount
    (report.waitingForSpace, report.hasUnrecordedPages) = (
      journal.queuedOnFullDiskCount, journal.hasUnrecordedPages
    )
    report.warning = (journal.warning ?? cache.warning)?.description
    report.feeds = feeds.outcomes
    if let summary = journal.summary { report.collections = [summary] }
  }

  /// The time since the start.
  private var elapsed: Duration { ContinuousClock.now - start }

  /// Starts the loads that may start now, and waits briefly for results.
  /// - Returns: whether no load is waiting or running.
  private func advance() -> Bool {
    var deadline = elapsed + Self.progressInterval
    turns: while true {
      switch machine.next(at: elapsed, now: now(), received: inbox.receivedBytes) {
      case .perform(let actions): perform(actions)
      case .wait(let instant):
        deadline = min(deadline, instant ?? deadline)
        break turns
      case .done: return true
      }
    }
    for result in inbox.receive(timeout: max(.zero, deadline - elapsed)) {
      loads[result.task.number] = nil
      perform(machine.handle(.ended(result, at: elapsed)))
    }
    return false
  }

  private func perform(_ actions: [CrawlStateMachine.Action]) {
    for action in actions {
      if let event = perform(action) { perform(machine.handle(event)) }
    }
  }

  /// Performs an action.
  /// - Returns: the resulting event, if the action has one.
  private func perform(_ action: CrawlStateMachine.Action) -> CrawlStateMachine.Event? {
    switch action {
    case .load(var task):
      addLibraryFacts(&task)
      exemptFromEviction(task.url)
      loads[task.number] = load(task)
    case .examine(let result, let stage): return .examined(result, facts(result), stage)
    case .findRobots(let origin):
      let url = WebURL(origin).flatMap(RobotsRules.robotsURL(for:))
      return .foundRobots(url.map(isSaved) ?? false, origin: origin)
    case .findImages(let images, let page):
      return .foundImages(
        SavedImages.keys(among: images.map(\.key), in: cache), of: images, page: page)
    case .findPart(let url, let page, let level):
      let savedPart = savedCopies.part(url)
      return .foundPart(savedPart.isSaved, savedPart.links, page: page, level: level)
    case .findCopy(let entry, let reason, let isRejected):
      return .foundCopy(isSaved(entry.parsedURL), entry, reason: reason, isRejected: isRejected)
    case .distrust(let urls, let date, let rejectionReason):
      cache.distrust(urls, since: date, reason: rejectionReason)
    case .announce(let parts, let url): announce(parts, of: url)
    case .followFeed(let response, let page):
      do throws(ArchiveError) {
        try feeds.receive(response)
      } catch {
        journal.warning = error
      }
      return .followedFeed(page: page)
    case .finish(let page): finish(page)
    }
    return nil
  }

  /// Exempts a response from eviction if it is pinned once its page is recorded.
  private func exemptFromEviction(_ url: WebURL) {
    guard journal.pinsPages else { return }
    let key = cache.key(of: url)
    if exemptKeys.insert(key).inserted { library.beginLoading(key) }
  }

  private func finish(_ finishedPage: FinishedPage) {
    var page = finishedPage
    if let needs = page.pageNeeds {
      let url = page.entry.parsedURL
      var readiness = savedCopies.readiness(of: url, needs)
      // Loading a part of the page may have led back to the page, with a different response.
      if readiness.reason != nil, let newNeeds = savedCopies.pageNeeds(of: url), newNeeds != needs {
        readiness = savedCopies.readiness(of: url, newNeeds)
      }
      page.evaluate(readiness, excusesUnchanged: request.excusesRepeatedFailures)
    }
    useFeedText(&page.outcome)
    journal.add(page.outcome, page.entry)
  }

  /// Changes the outcome of an offline check for a feed item whose page is not saved. The item can
  /// be read if the feed contains its text.
  private func useFeedText(_ outcome: inout SaveOutcome) {
    guard request.isOfflineCheck, case .failed = outcome.result,
      let text = FeedItemText.find(
        for: outcome.url, in: profile, limit: request.options.maxRenderedSize)
    else { return }
    outcome.result = .unchanged
    outcome.date = text.version.contentDate
    outcome.isFeedText = true
  }

  /// The outcomes of an offline check for items of feeds that have no page of their own, and are
  /// therefore not loaded. Such an item can be read if its feed contains it.
  private var unlinkedItems: [SaveOutcome] {
    guard request.isOfflineCheck else { return [] }
    return request.pages.filter { FeedItemAddress($0) != nil }.map { url in
      var outcome = SaveOutcome(url: url, depth: 0, result: .failed("not saved"))
      useFeedText(&outcome)
      return outcome
    }
  }

  private var savedCopies: SavedCopies {
    SavedCopies(cache, maxPageLength: request.options.maxRenderedSize)
  }

  private func isSaved(_ url: WebURL) -> Bool {
    !cache.savedPages(among: [cache.key(of: url)]).isEmpty
  }

  /// Returns the facts about the archive and the library that are needed to evaluate a result.
  private func facts(_ result: CrawlResult) -> CrawlFacts {
    var facts = CrawlFacts()
    facts.isDiskFull = cache.archive.warning == .full
    guard case .page = result.task.job else { return facts }
    let url = result.task.url
    facts.warning = cache.warning
    facts.isSaved = result.hasGoodCopy || isSaved(result.otherURL ?? url)
    facts.feed = feeds.request(for: url)
    facts.isPublic = cache.isOnPublicNetwork(url)
    facts.isTargetPublic = result.redirectChain.last.map(cache.isOnPublicNetwork) ?? facts.isPublic
    facts.forbidsStoring = result.isComplete && forbidsStoring(result)
    if result.firstVisit != nil {
      facts.isQueued = (try? library.page(cache.key(of: url)).queuedDate) != nil
    }
    if result.links?.nextPart != nil, let page = try? library.page(cache.key(of: url)) {
      facts.isPinned = page.pinnedDate != nil && !page.isPinnedAsStart
    }
    facts.isExcluded =
      result.links == nil
      && (result.redirectChain.suffix(1) + [url]).contains {
        PageWatch.excludedPage(CacheKey.make($0)) != nil
      }
    return facts
  }

  /// Returns whether a rule in the settings forbids storing a response or the redirect that leads
  /// to it.
  private func forbidsStoring(_ result: CrawlResult) -> Bool {
    let url = result.task.url
    let target = result.redirectChain.last ?? url
    return cache.forbidsStoring(target, mediaType: result.mediaType, size: result.size)
      || target != url && cache.forbidsStoring(url)
  }

  /// Announces the subresources of a page before they are fetched.
  private func announce(_ parts: [PagePart], of url: String) {
    var notice = PartsNotice(url: url, count: parts.count)
    let saved = (try? cache.archive.newest(of: parts.map { cache.key(of: $0.url) })) ?? [:]
    notice.savedCount = saved.count
    notice.savedSize = saved.values.reduce(0) { $0 + $1.length }
    announce(notice)
  }

  /// Records the items of feeds whose older pages were not loaded.
  /// - Returns: whether there were any such feeds.
  private func followUnfinishedFeeds() -> Bool {
    let (isAny, error) = feeds.followUnfinished()
    if let error { journal.warning = error }
    return isAny
  }
}
