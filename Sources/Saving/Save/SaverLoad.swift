import Crawl
import OfflineCache
import Reader
import Synchronization

/// A running load, which collects its response.
final class SaverLoad: Sendable {
  private struct State {
    var answer: Answer?
    var hops: [FirstAnswer.Hop] = []
    var otherURL: String?
    var url = ""
    var content: [UInt8] = []
    var size: Int64 = 0
    var isOver = false
    /// The loads of the page and of the targets of refreshes, until the result is posted.
    var navigations: [Navigation] = []
    /// The number of refreshes that were followed.
    var refreshes = 0
    var isCancelled = false
  }

  private let task: CrawlTask
  private let limit: Int64
  private let passesOverUnchanged: Bool
  private let isFeed: Bool
  private let inbox: Inbox
  /// Parses an unchanged page; returns nil if it is long.
  private let readShort: @Sendable (StoredResponse, String) -> PageLinks?
  /// Loads the target of a refresh with the cookies of the chain; nil if refreshes are not followed.
  private let loadTarget: LoadTarget?
  private let state = Mutex(State())

  /// Starts the load of a URL to which a page refreshes.
  typealias LoadTarget =
    @Sendable (
      _ target: WebURL, _ page: WebURL, ChainCookies,
      _ event: @escaping @Sendable (NavigationEvent) -> Void
    ) -> Navigation

  init(
    _ task: CrawlTask, limit: Int64, passesOverUnchanged: Bool, isFeed: Bool, _ inbox: Inbox,
    readShort: @escaping @Sendable (StoredResponse, String) -> PageLinks? = { _, _ in nil },
    loadTarget: LoadTarget? = nil
  ) {
    self.loadTarget = loadTarget
    self.readShort = readShort
    self.isFeed = isFeed
    self.task = task
    self.limit = limit
    self.passesOverUnchanged = passesOverUnchanged
    self.inbox = inbox
  }

  /// Starts a load whose events are passed to `receive`.
  func start(_ load: (_ event: @escaping @Sendable (NavigationEvent) -> Void) -> Navigation) {
    let navigation = load { self.receive($0) }
    let isCancelled = state.withLock { state in
      if !state.isOver { state.navigations.append(navigation) }
      return state.isCancelled
    }
    if isCancelled { navigation.cancel() }
  }

  /// Cancels the load.
  func cancel() {
    let navigations = state.withLock { state in
      state.isCancelled = true
      return state.navigations
    }
    navigations.forEach { $0.cancel() }
  }

  func receive(_ event: NavigationEvent) {
    switch event {
    case .response(let answer, let url):
      state.withLock { state in
        (state.answer, state.url) = (answer, url.description)
        state.otherURL = answer.otherScheme?.url.description
        (state.content, state.size) = ([], 0)
      }
    case .data(let bytes):
      inbox.add(bytes.count)
      state.withLock { state in
        state.size += Int64(bytes.count)
        if task.job.readsContent, state.size <= limit { state.content += bytes }
      }
    case .finished(let stored): finish(stored)
    case .failed(let error): end(.failed(error))
    case .redirected(let from, _, let answer):
      state.withLock { $0.hops.append(.init(url: from, answer: answer)) }
    case .refreshed, .checked: break
    }
  }

  private func finish(_ stored: StoredResponse?) {
    let (answer, url, content, hops) = state.withLock {
      ($0.answer, $0.url, $0.content, $0.hops)
    }
    guard let answer else { return end(.abandoned("there was no answer")) }
    let status = answer.response.status
    var result = CrawlResult(
      task: task,
      ending: .answered(
        status: status, source: answer.source, isStored: (stored ?? answer.stored) != nil))
    let isLeftOut = passesOverUnchanged && answer.source == .validated
    result.size = isLeftOut ? answer.stored?.length ?? 0 : state.withLock(\.size)
    result.date = (stored ?? answer.stored)?.contentDate
    // A version keeps the date of its content when the same content arrives again. A page without a
    // saved version is new, even if it leads to a page whose content is saved.
    result.isUnchanged = task.wasSaved && stored.map { $0.contentDate < $0.requestTime } ?? false
    result.isGoodCopy = hops.isEmpty && (stored ?? answer.stored)?.isGood ?? false
    result.otherURL = state.withLock(\.otherURL)
    result.suspicion = (stored ?? answer.stored)?.suspicion
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
    if followsRefresh(of: answer, url, result.links?.needs) { return }
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

  /// Continues the redirect chain if a page from the network sets a cookie and then refreshes, as
  /// the reader does.
  /// - Returns: Whether the target is loaded, whose response is the result.
  private func followsRefresh(of answer: Answer, _ url: String, _ needs: PageNeeds?) -> Bool {
    guard answer.source == .network, answer.setsChainCookie, let cookies = answer.chain,
      let loadTarget, let target = needs?.continuation.flatMap({ WebURL($0) }),
      let source = WebURL(url)
    else { return false }
    let isAllowed = state.withLock { state in
      guard state.refreshes < PageNeeds.maxLevels, !state.isCancelled else { return false }
      state.refreshes += 1
      state.hops.append(.init(url: source, answer: answer))
      (state.answer, state.content, state.size) = (nil, [], 0)
      return true
    }
    if isAllowed { start { loadTarget(target, source, cookies, $0) } }
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
    let hops = state.withLock(\.hops)
    result.way = hops.map(\.url.description)
    result.leavesPublicNetwork = FirstAnswer.leavesPublicNetwork(hops, endingIn: ending.failure)
    post(result)
  }

  private func post(_ result: CrawlResult) {
    let isFirst = state.withLock { state in
      defer {
        state.isOver = true
        (state.content, state.navigations) = ([], [])
      }
      return !state.isOver
    }
    if isFirst { inbox.post(result) }
  }
}
