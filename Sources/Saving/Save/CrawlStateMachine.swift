import Reader
import Crawl
import Feeds
import Foundation
import OfflineCache
import Pages

/// The state machine of a save: it decides which load comes next, and evaluates each result. It has
/// no access to clock, network or files: events are its input and actions its output. `PageSaver`
/// performs the actions in order; the actions that result from one action are performed before the
/// next action.
///
/// A page that `LinkFrontier` has returned to be loaded has one of these states:
///
/// | State | Followed by |
/// | --- | --- |
/// | waiting for the robots.txt of its origin (`waitingForRobots`) | queued; finished (refused) |
/// | queued for its host (`pace`) or the archive (`replays`) | loading; left out (limit, variant) |
/// | loading | queued again (host busy, or saved copy gone); examined |
/// | examined | withheld; collecting; finished (rejected) |
/// | withheld while a captive portal may have responded (`withheldResults`) | examined again |
/// | collecting its images, parts and frames (`pages`) | finished |
///
/// No state is retained for a page that is finished or left out. An action whose name starts with
/// "find" is followed by the event whose name starts with "found".
struct CrawlStateMachine {
  typealias Entry = LinkFrontier.Entry

  enum Event {
    /// A load has ended, at this time since the start of the run.
    case ended(CrawlResult, at: Duration)
    case examined(CrawlResult, CrawlFacts, Stage)
    case foundRobots(Bool, origin: String)
    case foundImages(Set<String>, of: [Image], page: Int)
    case foundPart(Bool, PageLinks?, page: Int, level: Int)
    case foundCopy(Bool, Entry, reason: String, isRejected: Bool)
    /// The items of a feed have been recorded and added as pages.
    case followedFeed(page: Int)
  }

  enum Action {
    /// Start a load, or read the saved copy of a page if the task has no host.
    case load(CrawlTask)
    /// Return a result together with the facts about it in the archive and the library.
    case examine(CrawlResult, Stage)
    /// Look up saved data: a robots.txt file, images, a needed part, or a copy of a page.
    case findRobots(origin: String)
    case findImages([Image], page: Int)
    case findPart(url: WebURL, page: Int, level: Int)
    case findCopy(Entry, reason: String, isRejected: Bool)
    /// Mark the stored versions of these URLs as untrusted.
    case distrust([WebURL], since: Date, RejectionReason)
    case announce([PagePart], url: String)
    case followFeed(FeedResponse, page: Int)
    /// Record and report the outcome of a finished page.
    case finish(FinishedPage)
  }

  /// The stage of the evaluation of a result.
  enum Stage: Equatable {
    case received
    /// The result was withheld, and the verdict is now known.
    case resolved(CaptivePortalDetector.Verdict)
  }

  /// The next step for the caller.
  enum Turn {
    /// Perform these actions, then ask for the next turn.
    case perform([Action])
    /// Wait until a load ends, or until this time since the start of the run; nil for no time
    /// limit.
    case wait(until: Duration?)
    /// No load is waiting or running.
    case done
  }

  struct Image: Sendable, Equatable {
    var url: WebURL
    var key: String
  }

  let request: SaveRequest
  /// Returns the cache key of a URL.
  let cacheKey: @Sendable (WebURL) -> String
  /// The pages that an interrupted save had finished.
  private let finishedPages: SeenTexts
  /// The start of the run, reduced by a millisecond because of the precision with which the archive
  /// stores dates.
  var began = Date.distantPast

  var frontier: LinkFrontier
  var pace: SitePace<CrawlJob>
  var portals: CaptivePortalDetector
  /// The robots.txt rules by origin, and the reasons why they could not be read.
  private var robots: [String: (rules: RobotsRules, problem: String?)] = [:]
  private var waitingForRobots: [String: [Int]] = [:]
  /// The numbers of the pages whose saved copies are to be read.
  private var replays: [Int] = []
  /// The number of reads of saved copies that have been started.
  private var startedReplayCount = 0
  /// The number of reads of saved copies that are running.
  private var runningReplayCount = 0
  var pages: [Int: PendingPage] = [:]
  var withheldResults: [(result: CrawlResult, number: Int)] = []
  /// The number of failed attempts of loads that are retried, by URL.
  private var attempts: [WebURL: Int] = [:]
  /// The number of consecutive loads for which the gateway of a host reported an error, by host.
  private var gatewayErrorCounts: [String: Int] = [:]
  private var loadCount = 0
  /// The value of `Referer` for images that are requested again with this field, by URL.
  private var referers: [WebURL: String] = [:]
  /// The cache keys of the images and parts that were requested.
  var images = SeenTexts()
  /// The cache keys of the needed parts that were loaded without redirects, or do not exist. Other
  /// pages that need them, such as those with the same frame, look them up in the archive.
  var loadedParts = SeenTexts()
  /// The further parts of texts, by cache key.
  var continuations: [String: Continuation] = [:]
  /// The canonical URLs and contents of the pages whose links were followed.
  var followedPages = SeenTexts()
  var variants = URLVariants()
  /// The URLs of pages, without components that do not affect the content.
  var variantForms = SeenTexts()
  /// The lowest number of a loaded page whose redirects led to a URL, by the digest of the cache
  /// key of that URL and, if the crawl stays on the hosts of its start pages, of the start page's
  /// host.
  var redirectTargets: [Int: Int] = [:]
  /// The number of findings at the last search of the queue for variants, and the number of
  /// finished pages before the next search.
  var sweep = (findings: 0, next: 0)

  /// The number of pages that the request names.
  private(set) var namedCount = 0
  /// The number of pages that `LinkFrontier` has returned to be loaded and that are not finished.
  var unfinishedCount = 0
  /// The number of finished pages.
  private(set) var finishedCount = 0
  /// The number of pages among the first `networkCheckPageCount` finished ones that reached no
  /// server.
  private var leadingUnreachedCount = 0
  /// The number of pages that `LinkFrontier` has returned and that were not loaded because of the
  /// size limit.
  private var cutOffPageCount = 0
  /// The number of pages that are deferred because their servers are busy, and the time at which
  /// the first of them is requested again.
  private var deferredPages: (pages: Int, first: Date)?
  var isDiskFull = false
  /// Whether a captive portal responded to the request of a page.
  var hasDetectedPortal = false

  /// The number of first pages that determine whether there is a network.
  private static let networkCheckPageCount = 4
  private static let maxAttempts = 3
  /// The maximum number of consecutive gateway errors of a host after which loads are retried. If
  /// there are more, its server is not available for longer, and retries would double its load.
  private static let maxGatewayErrors = 4
  private static let maxReplays = 8
  /// The maximum number of parsed robots.txt files in memory; if it is exceeded, they are read
  /// again.
  private static let maxRobotsFiles = 1000

  init(
    _ request: SaveRequest, finishedPages: SeenTexts = SeenTexts(),
    isSignedIn: @escaping @Sendable (WebURL) -> Bool = { _ in true },
    key: @escaping @Sendable (WebURL) -> String = { CacheKey.make($0) }
  ) {
    (self.request, self.finishedPages, cacheKey) = (request, finishedPages, key)
    frontier = LinkFrontier(request.bounds, isSignedIn: isSignedIn) { WebURL($0).map(key) }
    pace = SitePace(request.pace)
    portals = CaptivePortalDetector(
      requestsSeveralSites: FirstVisitResponse.spanSeveralSites(
        request.pages + request.linkedPages + request.feeds.map(\.url)))
  }

  /// Returns the cache key of a URL given as text; nil if it is not an absolute URL.
  func key(_ url: String) -> String? { WebURL(url).map(cacheKey) }

  /// Adds a page to the frontier.
  /// - Parameters:
  ///   - url: the absolute URL.
  ///   - isNamed: whether the request names the page; otherwise it counts as a link, which
  ///     robots.txt may disallow.
  ///   - isPublicOnly: whether the page may only be loaded from the public network.
  /// - Returns: whether the page is new.
  @discardableResult
  mutating func add(_ url: String, isNamed: Bool, isPublicOnly: Bool) -> Bool {
    let isNew = frontier.add(url, isNamed: isNamed, isPublicOnly: isPublicOnly)
    if isNew, isNamed { namedCount += 1 }
    return isNew
  }

  /// Whether the first pages indicate that there is no network.
  var isHopeless: Bool {
    request.givesUpUnreached && leadingUnreachedCount >= Self.networkCheckPageCount
  }

  /// The number of known pages that will not be loaded because a limit is reached.
  var cutOffCount: Int { frontier.cutOff + cutOffPageCount }

  /// Returns the progress of the run.
  func progress(received: Int64) -> SaveProgress {
    var progress = SaveProgress()
    (progress.doneCount, progress.knownCount, progress.received) = (
      finishedCount, frontier.count, received
    )
    progress.hosts = pace.counts.map {
      SaveProgress.Host(
        name: $0.host, waitingCount: $0.waiting, runningCount: $0.running, done: $0.ended)
    }
    progress.waitingHosts = pace.waitingHostCount
    (progress.deferredCount, progress.retryAfter) = (
      deferredPages?.pages ?? 0, deferredPages?.first
    )
    return progress
  }

  // MARK: Starting loads

  /// Takes pages from the frontier and queues them. The caller must perform the actions and call
  /// this method again, until the result is empty.
  /// - Parameter received: the number of bytes received, including those of running loads.
  /// - Returns: the actions.
  mutating func dispatchPages(received: Int64) -> [Action] {
    var actions: [Action] = []
    if request.bounds.maxBytes != nil {
      frontier.recordReceived(received)
      if frontier.isFull(afterBytes: received) { actions += cutOffWaiting() }
    }
    // If the size is limited, at most one page per concurrent host is loaded at a time, because
    // sizes are not known in advance.
    let window = request.bounds.maxBytes == nil ? Int.max : request.pace.hosts
    while unfinishedCount < window, let entry = frontier.next() {
      guard !recordAndCheckVariant(entry) else {
        frontier.recordDropped(entry, reason: .duplicate)
        continue
      }
      unfinishedCount += 1
      let origin = entry.parsedURL.origin
      guard request.obeysRobots, entry.depth > 0 else {
        begin(entry)
        continue
      }
      guard robots[origin] == nil else {
        actions += beginIfAllowed(entry)
        continue
      }
      waitingForRobots[origin, default: []].append(entry.number)
      guard waitingForRobots[origin]?.count == 1 else { continue }
      if request.isOfflineCheck { return actions + [.findRobots(origin: origin)] }
      add(.robots(origin: origin), host: entry.parsedURL.server)
    }
    return actions
  }

  private mutating func beginIfAllowed(_ entry: Entry) -> [Action] {
    guard let (rules, problem) = robots[entry.parsedURL.origin], !rules.allows(entry.parsedURL)
    else {
      begin(entry)
      return []
    }
    frontier.recordDropped(entry)
    guard let problem else {
      return finish(SaveOutcome(url: entry.url, depth: entry.depth, result: .refused), entry)
    }
    // If the robots.txt file of a site could not be read, the site has not refused the request.
    let reason = "the robots.txt of its site could not be read: \(problem)"
    return [.findCopy(entry, reason: reason, isRejected: false)]
  }

  private mutating func begin(_ entry: Entry) {
    if request.isOfflineCheck || finishedPages.contains(entry.url) {
      replays.append(entry.number)
    } else {
      add(.page(entry.number), host: entry.parsedURL.server)
    }
  }

  /// Adds a load to the queue of a host.
  mutating func add(_ job: CrawlJob, host: String) {
    pace.add(job, host: host, isPreferred: job.completesPage)
  }

  private mutating func beginWaiting(for origin: String) -> [Action] {
    (waitingForRobots.removeValue(forKey: origin) ?? []).flatMap { number in
      frontier.entry(number).map { beginIfAllowed($0) } ?? []
    }
  }

  private mutating func setRobots(_ rules: RobotsRules, _ problem: String?, of origin: String) {
    if robots.count >= Self.maxRobotsFiles { robots = [:] }
    robots[origin] = (rules, problem)
  }

  /// Returns the next turn.
  /// - Parameters:
  ///   - instant: the time since the start of the run.
  ///   - now: the current time.
  ///   - received: the number of bytes received.
  /// - Returns: the turn.
  mutating func next(at instant: Duration, now: Date, received: Int64) -> Turn {
    if startedReplayCount < replays.count, runningReplayCount < Self.maxReplays {
      let job = CrawlJob.page(replays[startedReplayCount])
      startedReplayCount += 1
      guard !skipIfRedirectTarget(job), let task = task(job, host: nil) else { return .perform([]) }
      runningReplayCount += 1
      return .perform([.load(task)])
    }
    // While too many links wait for earlier pages that are being loaded, no further load starts.
    guard !frontier.isCrowded || pace.running == 0 else { return .wait(until: nil) }
    if frontier.isFull(afterBytes: received), case let actions = cutOffWaiting(), !actions.isEmpty {
      return .perform(actions)
    }
    switch pace.next(at: instant) {
    case .start(let job, let host):
      if !skipIfRedirectTarget(job), let task = task(job, host: host) {
        return .perform([.load(task)])
      }
      pace.ended(host: host, at: instant, .unsent)
      return .perform([])
    case .abandon(let job, let host, let end):
      guard let task = task(job, host: host) else { return .perform([]) }
      var result = CrawlResult(task: task, ending: .abandoned("its server is busy"))
      result.retryAfter = now.addingTimeInterval(
        Double(max(0, (end - instant).components.seconds)))
      return .perform([.examine(result, .received)])
    case .wait(let end): return .wait(until: end)
    case .waitForEnd: return .wait(until: nil)
    case .done: return runningReplayCount == 0 ? .done : .wait(until: nil)
    }
  }

  /// Returns the load of a job; nil if its page is no longer stored.
  private mutating func task(_ job: CrawlJob, host: String?) -> CrawlTask? {
    let entry: Entry? = if case .page(let number) = job { frontier.entry(number) } else { nil }
    let url: WebURL? =
      switch job {
      case .page: entry?.parsedURL
      case .image(let url, _), .needed(let url, _, _): url
      case .part(let part, _): part.url
      case .robots(let origin): WebURL(origin).flatMap(RobotsRules.robotsURL(for:))
      }
    guard let url else { return nil }
    loadCount += 1
    var task = CrawlTask(number: loadCount, job: job, url: url, host: host)
    switch job {
    case .page:
      guard let entry else { break }
      (task.isNamed, task.isRequested) = (entry.depth == 0, entry.isRequested)
      task.isPublicOnly = entry.isPublicOnly
      task.isFromPage = entry.depth != 0 || entry.isPublicOnly
    case .image(let url, let number):
      task.referer = referers[url]
      task.copyProperties(of: pages[number])
    case .needed(_, let number, _), .part(_, let number):
      task.copyProperties(of: pages[number])
    case .robots(let origin):
      let visits = (waitingForRobots[origin] ?? []).map { frontier.entry($0) }
      task.isPublicOnly = visits.allSatisfy { $0?.isPublicOnly ?? true }
      task.isFromPage = !visits.contains { $0?.depth == 0 }
    }
    return task
  }

  /// Finishes all waiting loads because the size limit has been reached.
  private mutating func cutOffWaiting() -> [Action] {
    pace.removeAll().flatMap { job -> [Action] in
      switch job {
      case .image(let url, let number):
        pages[number]?.outcome.countMissing(image: url, "the limit of --max-size was reached")
        return end(number)
      case .part(_, let number):
        pages[number]?.outcome.missingPartCount += 1
        return end(number)
      case .needed(_, let number, _):
        pages[number]?.outcome.missingNeededPartCount += 1
        return endNeededPart(of: number)
      case .page(let number): cutOff(number)
      case .robots(let origin):
        (waitingForRobots.removeValue(forKey: origin) ?? []).forEach { cutOff($0) }
      }
      return []
    }
  }

  private mutating func cutOff(_ number: Int) {
    guard let entry = frontier.entry(number) else { return }
    frontier.recordFinished(entry, links: [])
    unfinishedCount -= 1
    cutOffPageCount += 1
  }

  /// Finishes the pages whose images or other parts are not all loaded. Called when the run is
  /// stopped; another run requests these parts.
  mutating func finishPendingPages() -> [Action] {
    pages.keys.sorted().flatMap { number -> [Action] in
      pages[number]?.outcome.lacksImages = request.includesImages
      pages[number]?.outcome.lacksParts = true
      pages[number]?.mayRecover = true
      pages[number]?.pendingLoadCount = 1
      return end(number)
    }
  }

  // MARK: Events

  /// Returns the actions that follow from an event.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .ended(let result, let instant): return handleEnd(result, at: instant)
    case .examined(let result, let facts, let stage): return handleExamination(result, facts, stage)
    case .foundRobots(let isSaved, let origin):
      guard isSaved, let number = waitingForRobots[origin]?.first else {
        // A check neither requests robots.txt files nor omits pages because of them.
        setRobots(RobotsRules(status: 404, body: []), nil, of: origin)
        return beginWaiting(for: origin)
      }
      add(.robots(origin: origin), host: frontier.entry(number)?.parsedURL.server ?? "")
      return []
    case .foundImages(let saved, let images, let number):
      return count(images, saved: saved, of: number)
    case .foundPart(let isSaved, let links, let number, let level):
      return finishNeededPart(of: number, level: level, isSaved: isSaved, links)
    case .foundCopy(let isSaved, let entry, let reason, let isRejected):
      var outcome = SaveOutcome(
        url: entry.url, depth: entry.depth, result: isSaved ? .kept(reason) : .failed(reason))
      outcome.isRejected = isRejected
      return finish(outcome, entry)
    case .followedFeed(let number): return endNeededPart(of: number)
    }
  }

  private mutating func handleEnd(_ result: CrawlResult, at instant: Duration) -> [Action] {
    let task = result.task
    if let host = task.host {
      pace.ended(host: host, at: instant, result.isMissingImage ? .missing : result.pace)
      let errorCount = gatewayErrorCounts[host, default: 0] + 1
      gatewayErrorCounts[host] = result.isGatewayError ? errorCount : nil
      if retry(result, host: host) || retryWithReferer(result) {
        add(task.job, host: host)
        return []
      }
    } else {
      runningReplayCount -= 1
      if case .page = task.job, !request.isOfflineCheck, result.isGone {
        // The copy was removed or evicted after the interrupted save.
        add(task.job, host: task.url.server)
        return []
      }
    }
    return [.examine(result, .received)]
  }

  /// Returns whether a load is retried because its host was busy (at most twice), because a gateway
  /// reported an error (once, unless it fails repeatedly), or because the connection was closed
  /// before the end of the response (once; RFC 9110 §9.2.2), and counts the attempt.
  private mutating func retry(_ result: CrawlResult, host: String) -> Bool {
    let url = result.task.url
    let isRetriedOnce =
      result.isCutOff
      || 1...Self.maxGatewayErrors ~= gatewayErrorCounts[host, default: 0]
    let maxCount =
      if case .busy = result.pace {
        Self.maxAttempts
      } else {
        isRetriedOnce ? 2 : 1
      }
    let count = attempts[url, default: 0] + 1
    attempts[url] = count < maxCount ? count : nil
    return count < maxCount
  }

  /// Returns whether a refused image is requested again with the origin of its page in `Referer`,
  /// which browsers send by default: some servers send images only to pages of certain sites. The
  /// origin of a page on a private network is not sent to public servers, and the origin of an
  /// encrypted page is not sent unencrypted. The referrer policy of the page is not considered,
  /// because only its origin is sent.
  private mutating func retryWithReferer(_ result: CrawlResult) -> Bool {
    let image = result.task.url
    guard result.isRefusedImage, result.task.referer == nil,
      case .image(let url, let number) = result.task.job, let page = pages[number],
      page.isPublic || image.origin == page.origin,
      image.scheme == "https" || !page.origin.hasPrefix("https:")
    else { return false }
    referers[url] = page.origin + "/"
    return true
  }

  private mutating func handleExamination(
    _ result: CrawlResult, _ facts: CrawlFacts, _ stage: Stage
  ) -> [Action] {
    switch result.task.job {
    case .robots(let origin):
      let (status, problem): (Int?, String?) =
        switch result.ending {
        case .answered(let status, _, _):
          (status, status >= 500 || status == 429 ? ReaderError.statusText(forStatus: status) : nil)
        // An unresolved redirect (RFC 9309 §2.3.1.2).
        case .failed(.redirectLoop), .failed(.tooManyRedirects), .failed(.forbiddenRedirect):
          (302, nil)
        case .failed, .abandoned: (nil, result.ending.text)
        }
      let rules = RobotsRules(status: status, body: result.body)
      setRobots(rules, problem, of: origin)
      if let delay = rules.crawlDelay, let host = result.task.host {
        pace.setGap(delay, host: host)
      }
      return beginWaiting(for: origin)
    case .page(let number):
      guard let entry = frontier.entry(number) else { return [] }
      return continueAfterExamination(result, of: entry, facts, stage)
    case .part(_, let number), .needed(_, let number, _), .image(_, let number):
      guard pages[number] != nil else { return [] }
      recordDiskSpace(result, facts)
      return collect(result, for: number)
    }
  }

  /// Records that the disk is full if a response was not stored for that reason; no later response
  /// can be stored then.
  /// - Returns: whether the disk is full.
  @discardableResult
  mutating func recordDiskSpace(_ result: CrawlResult, _ facts: CrawlFacts) -> Bool {
    guard facts.isDiskFull, case .answered(_, .network, false) = result.ending else { return false }
    isDiskFull = true
    return true
  }

  /// Finishes a page.
  mutating func finish(
    _ outcome: SaveOutcome, _ entry: Entry, pageNeeds: PageNeeds? = nil, mayRecover: Bool = false
  ) -> [Action] {
    if let date = outcome.retryAfter {
      deferredPages = ((deferredPages?.pages ?? 0) + 1, min(date, deferredPages?.first ?? date))
    }
    unfinishedCount -= 1
    if finishedCount < Self.networkCheckPageCount, !outcome.isReached { leadingUnreachedCount += 1 }
    finishedCount += 1
    return [
      .finish(
        FinishedPage(entry: entry, outcome: outcome, pageNeeds: pageNeeds, mayRecover: mayRecover))
    ]
  }
}

extension CrawlTask {
  /// Copies those properties of a page that apply to the loads of its parts.
  fileprivate mutating func copyProperties(of page: PendingPage?) {
    (isPublicOnly, isComplete) = (page?.isPublic ?? true, page?.isComplete ?? false)
  }
}
