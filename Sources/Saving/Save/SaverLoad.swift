import Reader
import Crawl
import Foundation
import OfflineCache
import Pages
import Synchronization

/// A running load that collects its response.
final class SaverLoad: Sendable {
  private struct State {
    var collector: ResponseCollector
    var phase = Phase.running
    /// The loads of the page and of the targets of refreshes, until the result is posted.
    var navigations: [Navigation] = []
    var moveCheck = MoveCheck.notBegun
    /// The number of refreshes that have been followed.
    var refreshCount = 0
  }

  private enum Phase {
    case running
    /// The load was cancelled, and its result is not posted yet.
    case cancelled
    /// The result is posted.
    case ended
  }

  /// The check whether the page has moved to another site.
  private enum MoveCheck {
    case notBegun
    /// The target of the redirect is loaded, or was loaded without the text of the page.
    case begun
    /// The page is loaded again to confirm the recognized move.
    case confirming(Move)
  }

  /// A recognized move of a page.
  private struct Move {
    /// The URL of the response with the text of the page.
    var url: WebURL
    /// The saved copy of the page.
    var copy: StoredResponse
    /// The result of the first load, whose redirect was rejected.
    var rejected: CrawlResult
  }

  private let task: CrawlTask
  private let limit: Int64
  private let skipsUnchanged: Bool
  private let isFeed: Bool
  private let inbox: Inbox
  /// Parses an unchanged page; returns nil if the page is long.
  private let readShort: @Sendable (StoredResponse, WebURL) -> PageLinks?
  /// Loads the target of a refresh with the cookies of the chain; nil if refreshes are not
  /// followed.
  private let loadTarget: LoadTarget?
  /// The loads that check whether the page has moved; nil if this is not checked.
  private let moveLoads: MoveLoads?
  private let state: Mutex<State>

  /// A function that starts the load of a URL to which a page refreshes.
  typealias LoadTarget =
    @Sendable (
      _ target: WebURL, _ page: WebURL, ChainCookies,
      _ event: @escaping @Sendable (NavigationEvent) -> Void
    ) -> Navigation

  init(
    _ task: CrawlTask, limit: Int64, skipsUnchanged: Bool, isFeed: Bool, _ inbox: Inbox,
    readShort: @escaping @Sendable (StoredResponse, WebURL) -> PageLinks? = { _, _ in nil },
    moveLoads: MoveLoads? = nil, loadTarget: LoadTarget? = nil
  ) {
    (self.loadTarget, self.moveLoads) = (loadTarget, moveLoads)
    self.readShort = readShort
    self.isFeed = isFeed
    self.task = task
    self.limit = limit
    self.skipsUnchanged = skipsUnchanged
    self.inbox = inbox
    var maxLength = task.job.readsContent ? limit : 0
    if case .image = task.job { maxLength = SavedImages.maxExaminedLength }
    let collector = ResponseCollector(maxLength: maxLength)
    state = Mutex(State(collector: collector))
  }

  /// Starts a load whose events are passed to `receive`.
  func start(_ load: (_ event: @escaping @Sendable (NavigationEvent) -> Void) -> Navigation) {
    add(load { self.receive($0) })
  }

  private func add(_ navigation: Navigation) {
    let isCancelled = state.withLock { state in
      if state.phase != .ended { state.navigations.append(navigation) }
      return state.phase == .cancelled
    }
    if isCancelled { navigation.cancel() }
  }

  /// Cancels all running navigations of the load.
  func cancel() {
    let navigations = state.withLock { state in
      if state.phase == .running { state.phase = .cancelled }
      return state.navigations
    }
    navigations.forEach { $0.cancel() }
  }

  func receive(_ event: NavigationEvent) {
    if case .data(let bytes) = event { inbox.add(bytes.count) }
    state.withLock { $0.collector.receive(event) }
    switch event {
    case .finished: finish(state.withLock(\.collector))
    case .failed(let error): end(.failed(error))
    case .response, .data, .redirected, .refreshed, .checked: break
    }
  }

  private func finish(_ response: ResponseCollector) {
    guard let reply = response.response, let url = response.url else {
      return end(.abandoned("there was no response"))
    }
    var result = result(of: response, reply, url)
    result.isInPlaceOfNoContent = reply.isInPlaceOfNoContent
    addContent(response.content, of: reply, url, to: &result)
    if followRefresh(of: reply, url, result.links?.pageNeeds) { return }
    if let pace = self.pace(of: reply) { result.pace = pace }
    if case .confirming(let move) = state.withLock(\.moveCheck) {
      post(isConfirmed(move, by: response, result) ? result : move.rejected)
    } else if !followMove(of: reply, result) {
      post(result)
    }
  }

  /// Returns the result of a load without the links, parts and requirements of the page.
  private func result(
    of response: ResponseCollector, _ reply: LoadedResponse, _ url: WebURL
  ) -> CrawlResult {
    let (steps, stored) = (response.redirects, response.stored)
    var result = CrawlResult(
      task: task,
      ending: .answered(
        status: reply.response.status, source: reply.source, isStored: stored != nil))
    let isLeftOut = skipsUnchanged && reply.source == .validated
    result.size = isLeftOut ? reply.stored?.length ?? 0 : response.length
    result.date = stored?.contentDate
    // When the same content arrives again, the version keeps the date of its content. A page
    // without a saved version is new, even if it leads to a page whose content is saved.
    if task.wasSaved, case .success(let resultingVersion?) = response.result {
      result.isUnchanged = resultingVersion.contentDate < resultingVersion.requestTime
    }
    result.hasGoodCopy = steps.isEmpty && stored?.isGood ?? false
    result.otherURL = reply.otherScheme?.url
    result.rejectionReason = stored?.rejectionReason
    result.redirectChain = steps.map(\.url) + [url]
    let failure = result.ending.failure
    let lastStep =
      failure == nil ? FirstVisitResponse.Step(url: url, response: reply) : nil
    result.leavesPublicNetwork = FirstVisitResponse.leavesPublicNetwork(
      steps + (lastStep.map { [$0] } ?? []), endingIn: failure)
    result.permanentTarget = Self.permanentTarget(steps, url)
    result.rejectedRefreshTarget = reply.rejectedRefreshTarget
    result.mediaType = reply.response.fields["Content-Type"].map {
      $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
    result.forbidsStoring = reply.response.fields.values(of: "Cache-Control")
      .contains { $0.lowercased().contains("no-store") }
    if let visit = task.visit, let lastStep {
      result.firstVisit = FirstVisitResponse(
        result.otherURL ?? task.url, through: steps, last: lastStep, content: response.content,
        isItem: task.isItem)
      result.firstVisit?.isRevisit = visit == .repeated
    }
    return result
  }

  /// Adds to a result the information from the content of the response: the links and parts of a
  /// page, the parts of a style sheet, the text of a robots.txt file, or whether a page was sent
  /// instead of an image.
  private func addContent(
    _ content: [UInt8], of reply: LoadedResponse, _ url: WebURL, to result: inout CrawlResult
  ) {
    let (status, type) = (reply.response.status, reply.response.fields["Content-Type"])
    switch task.job {
    case .page where skipsUnchanged && reply.source != .network:
      result.links = reply.stored.flatMap { readShort($0, url) }
      result.isSkippedUnchanged = true
    case .page where ResponseHead.pageStatuses.contains(status) && result.size <= limit:
      result.links = PageLinks(
        content, type: type, url: url, limit: limit,
        refresh: reply.response.fields["Refresh"],
        linkFields: reply.response.fields.values(of: "Link"), isFeed: isFeed)
      result.isDamaged = result.links == nil && PDFText.isDamaged(content)
      if task.isComplete, result.links != nil {
        result.parts = PagePart.parts(
          ofPage: content, type: type, url: url, limit: limit)
      }
    case .part(let part, _) where part.kind == .sheet && (200..<300).contains(status):
      if result.size <= limit { result.parts = part.parts(ofSheet: content, url: url) }
    case .needed where ResponseHead.pageStatuses.contains(status) && result.size <= limit:
      result.links = PageLinks(
        content, type: type, url: url, limit: limit,
        refresh: reply.response.fields["Refresh"],
        linkFields: reply.response.fields.values(of: "Link"))
    case .robots: result.body = content
    case .image where (200..<300).contains(status):
      result.isPageForImage = SavedImages.isPage(content, type: type)
    case .page, .needed, .image, .part: break
    }
  }

  /// Returns the pace for a busy host; nil if the host is not busy. If a saved copy was served
  /// instead of the response, or the error is not that of a busy host, this applies only if the
  /// host asks for a pause.
  private func pace(of reply: LoadedResponse) -> SitePace<CrawlJob>.Ending? {
    let pause = reply.retryAfter.flatMap { RetryAfter.delay($0, now: task.began) }
    switch reply.source {
    case .network where [429, 503].contains(reply.response.status):
      return .busy(retryAfter: pause)
    case .network, .saved(.status):
      return pause.map { .busy(retryAfter: $0) }
    case .validated, .fresh, .saved, .seed, .substituted: return nil
    }
  }

  /// Continues the redirect chain if a page from the network sets a cookie and then refreshes, as
  /// in an interactive session.
  /// - Returns: Whether the target of the refresh is loaded; its response is then the result.
  private func followRefresh(of response: LoadedResponse, _ url: WebURL, _ needs: PageNeeds?)
    -> Bool
  {
    guard response.source == .network, response.setsChainCookie, let cookies = response.chain,
      let loadTarget, let target = needs?.continuation
    else { return false }
    let isAllowed = state.withLock { state in
      guard state.refreshCount < PageNeeds.maxLevels, state.phase == .running else { return false }
      state.refreshCount += 1
      state.collector.continueRedirects(from: url, to: target, response)
      return true
    }
    if isAllowed { start { loadTarget(target, url, cookies, $0) } }
    return isAllowed
  }

  /// Loads the target of a rejected redirect to another site if the page may have moved there. If
  /// the target has the text of the saved copy, the page is loaded again and the redirect is
  /// trusted.
  /// - Returns: Whether the target is being loaded; if not, the result is final.
  private func followMove(of reply: LoadedResponse, _ result: CrawlResult) -> Bool {
    guard case .page = task.job, task.visit == .repeated, let moveLoads,
      let target = reply.rejectedTarget, let copy = reply.stored, !copy.isRedirect,
      moveLoads.pages.mayLead(to: target)
    else { return false }
    let isAllowed = state.withLock { state in
      guard case .notBegun = state.moveCheck else { return false }
      state.moveCheck = .begun
      return state.phase == .running
    }
    guard isAllowed else { return false }
    let collector = Mutex(ResponseCollector(maxLength: limit))
    let load = moveLoads.loadTarget(target) { [inbox, limit] event in
      if case .data(let bytes) = event { inbox.add(bytes.count) }
      collector.withLock { $0.receive(event) }
      switch event {
      case .finished, .failed: break
      case .response, .data, .redirected, .refreshed, .checked: return
      }
      let response = collector.withLock(\.self)
      guard moveLoads.pages.isPage(response, at: target, copy), let url = response.url else {
        return self.post(result)
      }
      self.state.withLock { state in
        state.collector = ResponseCollector(maxLength: limit)
        state.moveCheck = .confirming(Move(url: url, copy: copy, rejected: result))
      }
      self.start { moveLoads.loadAccepted($0) }
    }
    add(load)
    return true
  }

  /// Returns whether the second load of a moved page led to the same URL and text as the first. If
  /// not, a captive portal may have responded, so the responses are not trusted.
  private func isConfirmed(
    _ move: Move, by response: ResponseCollector, _ result: CrawlResult
  ) -> Bool {
    guard let moveLoads else { return true }
    if response.url?.withoutFragment == move.url.withoutFragment,
      moveLoads.pages.isPage(response, at: move.url, move.copy)
    {
      return true
    }
    moveLoads.distrust(result.redirectChain)
    return false
  }

  /// Returns the target of the permanent redirects at the start of the chain; nil if there are
  /// none.
  private static func permanentTarget(_ steps: [FirstVisitResponse.Step], _ url: WebURL) -> WebURL?
  {
    let urls = steps.dropFirst().map(\.url) + [url]
    var target: WebURL?
    for (step, next) in zip(steps, urls) where !step.loadedResponse.isHTTPSUpgrade {
      guard [301, 308].contains(step.loadedResponse.response.status),
        step.loadedResponse.source != .seed
      else {
        break
      }
      target = next
    }
    return target
  }

  private func end(_ ending: CrawlResult.Ending) {
    var result = CrawlResult(task: task, ending: ending)
    let (steps, target) = state.withLock { ($0.collector.redirects, $0.collector.redirectTarget) }
    result.redirectChain = steps.map(\.url)
    result.failedTarget = target
    result.leavesPublicNetwork = FirstVisitResponse.leavesPublicNetwork(
      steps, endingIn: ending.failure)
    post(result)
  }

  private func post(_ result: CrawlResult) {
    let isFirst = state.withLock { state in
      defer {
        state.phase = .ended
        state.collector.dropContent()
        state.navigations = []
      }
      return state.phase != .ended
    }
    if isFirst { inbox.post(result) }
  }
}
