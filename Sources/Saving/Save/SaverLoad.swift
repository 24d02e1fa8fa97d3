import Crawl
import OfflineCache
import Reader
import Synchronization

/// A running load, which collects its response.
final class SaverLoad: Sendable {
  private struct State {
    var collector: ResponseCollector
    var isOver = false
    /// The number of pages that set a cookie and led on by a refresh.
    var continuations = 0
  }

  private let task: CrawlTask
  private let limit: Int64
  private let passesOverUnchanged: Bool
  private let isFeed: Bool
  private let inbox: Inbox
  /// Parses an unchanged page; returns nil if it is long.
  private let readShort: @Sendable (StoredResponse, String) -> PageLinks?
  /// Loads the page to which a page leads on that set a cookie; the events are passed to `receive`.
  private let goOn: @Sendable (SaverLoad, _ target: WebURL, _ from: WebURL, ChainCookies) -> Void
  private let state: Mutex<State>

  init(
    _ task: CrawlTask, limit: Int64, passesOverUnchanged: Bool, isFeed: Bool, _ inbox: Inbox,
    readShort: @escaping @Sendable (StoredResponse, String) -> PageLinks? = { _, _ in nil },
    goOn: @escaping @Sendable (SaverLoad, WebURL, WebURL, ChainCookies) -> Void = { _, _, _, _ in }
  ) {
    self.goOn = goOn
    self.readShort = readShort
    self.isFeed = isFeed
    self.task = task
    self.limit = limit
    self.passesOverUnchanged = passesOverUnchanged
    self.inbox = inbox
    let collector = ResponseCollector(maxLength: task.job.readsContent ? limit : 0)
    state = Mutex(State(collector: collector))
  }

  func receive(_ event: NavigationEvent) {
    if case .data(let bytes) = event { inbox.add(bytes.count) }
    let collector = state.withLock { state in
      state.collector.receive(event)
      return state.collector.end == nil ? nil : state.collector
    }
    switch collector?.end {
    case .success: if let collector { finish(collector) }
    case .failure(let error): end(.failed(error))
    case nil: break
    }
  }

  private func finish(_ response: ResponseCollector) {
    let (hops, content) = (response.redirects, response.content)
    guard let answer = response.answer, let url = response.url?.description else {
      return end(.abandoned("there was no response"))
    }
    let stored = response.stored
    let status = answer.response.status
    var result = CrawlResult(
      task: task,
      ending: .answered(
        status: status, source: answer.source, isStored: stored != nil))
    let isLeftOut = passesOverUnchanged && answer.source == .validated
    result.size = isLeftOut ? answer.stored?.length ?? 0 : response.length
    result.date = stored?.contentDate
    // A version keeps the date of its content when the same content arrives again.
    if case .success(let new?) = response.end {
      result.isUnchanged = new.contentDate < new.requestTime
    }
    result.isGoodCopy = hops.isEmpty && stored?.isGood ?? false
    result.otherURL = answer.otherScheme?.url.description
    result.suspicion = stored?.suspicion
    result.way = hops.map(\.url.description) + [url]
    let failure = result.ending.failure
    let last = failure == nil ? WebURL(url).map { FirstAnswer.Hop(url: $0, answer: answer) } : nil
    result.leavesPublicNetwork = FirstAnswer.leavesPublicNetwork(
      hops + (last.map { [$0] } ?? []), endingIn: failure)
    result.permanentTarget = Self.permanentTarget(hops, url)
    result.forbidsStoring = answer.response.fields.values(of: "Cache-Control")
      .contains { $0.lowercased().contains("no-store") }
    if task.isFirst || task.isRevisit, let last {
      result.first = FirstAnswer(
        result.otherURL ?? task.url, through: hops, last: last, content: content,
        isItem: task.isItem)
      result.first?.isRevisit = task.isRevisit
    }
    switch task.job {
    case .page where passesOverUnchanged && answer.source != .network:
      result.links = answer.stored.flatMap { readShort($0, url) }
      result.isPassedOver = true
    case .page where (200..<300).contains(status) && result.size <= limit:
      result.links = PageLinks(
        content, type: answer.response.fields["Content-Type"], url: url, limit: limit,
        refresh: answer.response.fields["Refresh"], isFeed: isFeed)
      result.isDamaged = result.links == nil && PDFText.isDamaged(content)
      if task.isComplete, result.links != nil {
        result.parts = PagePart.parts(
          ofPage: content, type: answer.response.fields["Content-Type"], url: url, limit: limit)
      }
    case .part(let part, _) where part.kind == .sheet && (200..<300).contains(status):
      if result.size <= limit { result.parts = part.parts(ofSheet: content, url: url) }
    case .needed where (200..<300).contains(status) && result.size <= limit:
      result.links = PageLinks(
        content, type: answer.response.fields["Content-Type"], url: url, limit: limit,
        refresh: answer.response.fields["Refresh"])
    case .robots: result.body = content
    case .page, .needed, .image, .part: break
    }
    if goesOn(from: answer, url, by: result.links?.needs) { return }
    if answer.source == .network || answer.source == .saved(.status(status)),
      status == 429 || status == 503
    {
      result.pace = .busy(
        retryAfter: answer.response.fields["Retry-After"].flatMap {
          RetryAfter.delay($0, now: task.began)
        })
    }
    post(result)
  }

  /// Continues the redirect chain if a page of the network sets a cookie and leads on, as a page for
  /// the reader does.
  /// - Returns: whether another page is loaded, whose response is the result.
  private func goesOn(from answer: Answer, _ url: String, by needs: PageNeeds?) -> Bool {
    guard answer.source == .network, answer.setsChainCookie, let cookies = answer.chain,
      let target = needs?.continuation.flatMap({ WebURL($0) }), let source = WebURL(url)
    else { return false }
    let isAllowed = state.withLock { state in
      guard state.continuations < PageNeeds.maxLevels else { return false }
      state.continuations += 1
      state.collector.continueRedirects(from: source, answer)
      return true
    }
    if isAllowed { goOn(self, target, source, cookies) }
    return isAllowed
  }

  /// Returns the target of the leading permanent redirects, or nil.
  private static func permanentTarget(_ hops: [FirstAnswer.Hop], _ url: String) -> String? {
    let urls = hops.dropFirst().map(\.url.description) + [url]
    var target: String?
    for (hop, next) in zip(hops, urls) where !hop.answer.isUpgrade {
      guard [301, 308].contains(hop.answer.response.status), hop.answer.source != .seed else {
        break
      }
      target = next
    }
    return target
  }

  private func end(_ ending: CrawlResult.Ending) {
    var result = CrawlResult(task: task, ending: ending)
    let hops = state.withLock(\.collector.redirects)
    result.way = hops.map(\.url.description)
    result.leavesPublicNetwork = FirstAnswer.leavesPublicNetwork(hops, endingIn: ending.failure)
    post(result)
  }

  private func post(_ result: CrawlResult) {
    let isFirst = state.withLock { state in
      defer {
        state.isOver = true
        state.collector.dropContent()
      }
      return !state.isOver
    }
    if isFirst { inbox.post(result) }
  }
}
