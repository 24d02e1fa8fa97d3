import Library
import Crawl
import Dispatch
import Document
import DOM
import Feeds
import Formats
import Metadata
import OfflineCache
import OfflineCacheURLSession
import Reader
import ReaderMode
import Synchronization

/// What a page leads to.
struct PageLinks: Sendable {
  var title = ""
  /// The pages it links to, without fragments, each once.
  var pages: [String] = []
  /// The images it shows.
  var images: [String] = []
  /// Its canonical URL, absolute, or nil.
  var canonical: String?
  /// A digest of its title, text and images, valid in this process; nil when it has neither text nor images.
  var contentDigest: Int?
  /// What it takes to read it.
  var needs = PageNeeds()
  /// The page with the next part of the same text.
  var nextPart: String?
  /// What it is as a feed, when it was asked for as one; else the feeds that it names.
  var feed: Feed?
  var feeds: [FeedLink] = []

  /// Reads a page; nil when it is not to be read: a picture, or too long.
  /// - Parameters:
  ///   - content: the content of the answer.
  ///   - type: its media type.
  ///   - url: the address that gave it.
  ///   - limit: the most bytes that are read.
  ///   - refresh: the field `Refresh` of the answer.
  ///   - isFeed: whether it is read as a feed.
  init?(
    _ content: [UInt8], type: String?, url: String, limit: Int64, refresh: String? = nil,
    isFeed: Bool = false
  ) {
    guard Int64(content.count) <= limit,
      var page = try? PageContent(content, type: MediaType(type), limit: limit)
    else { return nil }
    page.refresh = refresh
    let key = CacheKey.make(url) ?? url
    if isFeed {
      feed = PageWatch.process(key) { Feed(page.bytes, charset: page.charset, url: url) } ?? nil
      if feed != nil { return }
    }
    guard let document = PageWatch.process(key, { page.document(url: url) }) else { return nil }
    if isFeed { feeds = document.feedLinks }
    if !document.canonical.isEmpty {
      canonical = WebURL.resolve(document.canonical, against: document.base)
    }
    title = document.title
    needs = PageNeeds(document, url: url)
    pages = document.linkedPages
    var seen: Set<String> = []
    images = document.images.indices.compactMap { document.url(ofImage: $0) }
      .filter { $0.isWebURL && seen.insert($0).inserted }
    if !document.text.isEmpty || !images.isEmpty {
      var hasher = Hasher()
      hasher.combine(title)
      document.text.withUnsafeBytes { hasher.combine(bytes: $0) }
      hasher.combine(images)
      contentDigest = hasher.finalize()
    }
    nextPart = document.nextPart(of: url).flatMap { WebURL.resolve($0, against: document.base) }
  }
}

/// What loads bring to the thread that waits for it.
final class Inbox: Sendable {
  private struct State {
    var results: [PageSaver.Result] = []
    var received: Int64 = 0
  }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)

  /// Bytes that have come in all.
  var received: Int64 { state.withLock(\.received) }

  /// Notes that bytes have come; wakes nobody.
  func add(_ bytes: Int) { state.withLock { $0.received += Int64(bytes) } }

  /// Brings a result.
  func post(_ result: PageSaver.Result) {
    state.withLock { $0.results.append(result) }
    count.signal()
  }

  /// Waits for the next results, not longer than a time.
  func take(within time: Duration) -> [PageSaver.Result] {
    let (seconds, attoseconds) = time.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard count.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return [] }
    let results = state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
    // Those that come together are taken together.
    for _ in results.dropFirst() { count.wait() }
    return results
  }
}

/// One running load: collects what is needed of it.
private final class SaverLoad: Sendable {
  private struct State {
    var answer: Answer?
    var hops: [FirstAnswer.Hop] = []
    var url = ""
    var content: [UInt8] = []
    var size: Int64 = 0
    var isOver = false
  }

  private let task: PageSaver.Task
  private let limit: Int64
  private let passesOverUnchanged: Bool
  private let isFeed: Bool
  private let inbox: Inbox
  /// Reads a page that has not changed, unless it is long.
  private let readShort: @Sendable (StoredResponse, String) -> PageLinks?
  private let state = Mutex(State())

  init(
    _ task: PageSaver.Task, limit: Int64, passesOverUnchanged: Bool, isFeed: Bool, _ inbox: Inbox,
    readShort: @escaping @Sendable (StoredResponse, String) -> PageLinks? = { _, _ in nil }
  ) {
    self.readShort = readShort
    self.isFeed = isFeed
    self.task = task
    self.limit = limit
    self.passesOverUnchanged = passesOverUnchanged
    self.inbox = inbox
  }

  private var readsContent: Bool {
    switch task.job {
    case .page, .needed, .robots: true
    case .image: false
    case .part(let part, _): part.kind == .sheet
    }
  }

  func receive(_ event: NavigationEvent) {
    switch event {
    case .response(let answer, let url):
      state.withLock { state in
        (state.answer, state.url) = (answer, url.description)
        (state.content, state.size) = ([], 0)
      }
    case .data(let bytes):
      inbox.add(bytes.count)
      state.withLock { state in
        state.size += Int64(bytes.count)
        if readsContent, state.size <= limit { state.content += bytes }
      }
    case .finished(let stored): finish(stored)
    case .failed(let error): end(.failed(error), pace: .ended)
    case .redirected(let from, _, let answer):
      state.withLock { $0.hops.append(.init(url: from, answer: answer)) }
    case .refreshed, .checked: break
    }
  }

  private func finish(_ stored: StoredResponse?) {
    let (answer, url, content, hops) = state.withLock {
      ($0.answer, $0.url, $0.content, $0.hops)
    }
    guard let answer else { return end(.abandoned("there was no answer"), pace: .ended) }
    let status = answer.response.status
    var result = PageSaver.Result(
      task: task,
      ending: .answered(
        status: status, source: answer.source, isStored: (stored ?? answer.stored) != nil),
      pace: .ended)
    let isLeftOut = passesOverUnchanged && answer.source == .validated
    result.size = isLeftOut ? answer.stored?.length ?? 0 : state.withLock(\.size)
    result.date = (stored ?? answer.stored)?.contentDate
    result.isGoodCopy = hops.isEmpty && (stored ?? answer.stored)?.isGood ?? false
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
        task.url, through: hops, last: last, content: content, isItem: task.isItem)
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

  /// The URL that the leading permanent redirects end at; nil when there are none.
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

  private func end(_ ending: PageSaver.Result.Ending, pace: SitePace<PageSaver.Job>.Ending) {
    var result = PageSaver.Result(task: task, ending: ending, pace: pace)
    let hops = state.withLock(\.hops)
    result.way = hops.map(\.url.description)
    result.leavesPublicNetwork = FirstAnswer.leavesPublicNetwork(hops, endingIn: ending.failure)
    post(result)
  }

  private func post(_ result: PageSaver.Result) {
    let isFirst = state.withLock { state in
      defer {
        state.isOver = true
        state.content = []
      }
      return !state.isOver
    }
    if isFirst { inbox.post(result) }
  }
}

extension PageSaver {
  /// Starts a load.
  /// - Parameters:
  ///   - task: what is loaded.
  ///   - isNamed: whether a person has named it.
  ///   - isDone: whether only what is saved of it is read.
  /// - Returns: the load, to cancel it; nil when it has ended.
  func load(_ task: Task, isNamed: Bool, isDone: Bool) -> Navigation? {
    var options = request.options
    options.isUserNamed = isNamed
    options.isPublicOnly = task.isPublicOnly
    options.isPageNamed = task.isPageNamed
    options.isUnattended = true
    // The user accepts what comes for the pages that are named, not for what they link to.
    if !isNamed, options.trust == .accepted { options.trust = .compared(withCopy: true) }
    if task.isUnconfirmed, options.trust != .accepted { options.trust = .compared(withCopy: false) }
    var limit = options.renderLimit
    let load: SaverLoad
    var query: WebRequest
    do throws(LoadError) {
      query = try WebRequest(written: task.url)
    } catch {
      SaverLoad(task, limit: limit, passesOverUnchanged: false, isFeed: false, inbox)
        .receive(.failed(error))
      return nil
    }
    switch task.job {
    case .page, .needed:
      query.fields.append("Accept", "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5")
    case .image: query.fields.append("Accept", "image/*,*/*;q=0.5")
    case .part(let part, _):
      query.fields.append("Accept", part.accept)
      limit = min(limit, PagePart.longestSheet)
    case .robots: limit = Int64(RobotsRules.sizeLimit) + 1
    }
    options.recordsRequest = task.isComplete
    let isFeed = feedRequest(for: task.url) != nil
    // No captive portal answers with a feed.
    options.acceptsPermanentMoves = isFeed
    let isRead = task.job.isReadUnchanged
    // Of what has not changed nothing is looked at.
    options.leavesOutValidated = request.passesOverUnchanged && !isFeed && !isRead
    let saved = SavedCopies(cache, limit: limit)
    load = SaverLoad(
      task, limit: limit, passesOverUnchanged: options.leavesOutValidated, isFeed: isFeed, inbox,
      readShort: saved.links(ofShort:url:))
    guard isDone else { return cache.startInSession(query, options: options) { load.receive($0) } }
    // On this thread: others would wait for each other at the index, which costs more than they save.
    cache.readSaved(query, options: options) { load.receive($0) }
    return nil
  }
}
