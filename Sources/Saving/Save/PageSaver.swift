import Configuration
package import Reader
import Feeds
import Crawl
import Library
import Dispatch
package import Foundation
import OfflineCache
import Synchronization

/// Saves pages ahead of time, with what they need and, as far as is wanted, the pages behind their
/// links.
///
/// The work is done by the thread that calls `run`: it decides what may start, and takes what the
/// loads bring, one after the other. Only the loads themselves, and reading pages for their links, run
/// on other threads.
package final class PageSaver {
  /// A page of which not everything has come.
  struct Draft {
    var visit: LinkFrontier.Visit
    var outcome: SaveOutcome
    /// Whether it is of the public network.
    var isPublic = false
    /// The loads of the page and its images that are not over.
    var pending = 1
    /// Whether it is kept with all that it needs in a browser, and how much of that was asked for.
    var isComplete = false
    var partCount = 0
    /// What it takes to read it, where that is known, and the frames and refresh targets that were asked for.
    var needs: PageNeeds?
    var needed = NeededParts()
  }

  let request: SaveRequest
  let cache: HTTPCache
  let library: PageLibrary
  let settings: Settings
  private let log: InterruptedSave?
  let now: @Sendable () -> Date
  /// Tells first-visit responses of sites from those of a captive portal.
  lazy var portals = CaptivePortalDetector(
    asksSeveralSites: FirstAnswer.areOfSeveralSites(
      request.pages + request.linkedPages + request.feeds.map(\.url)))
  /// When the run began, as the archive writes dates.
  lazy var began = Date(timeIntervalSince1970: (now().timeIntervalSince1970 - 0.001))
  let inbox = Inbox()
  /// Told what a page needs in a browser before it is fetched.
  package var announce: (PartsNotice) -> Void = { _ in }

  /// Whether a page is counted and told; several runs may come by the same one.
  package var counts: (SaveOutcome) -> Bool = { _ in true }

  var frontier: LinkFrontier
  var pace: SitePace<Job>
  /// How many pages were asked for.
  private var named = 0
  /// The feeds that are fetched, by cache key, and what came of them.
  var feeds: [String: FeedRequest] = [:]
  var feedOutcomes: [FeedOutcome] = []
  /// Those of which older pages are being fetched, by cache key.
  var growingFeeds: [String: GrowingFeed] = [:]
  /// The canonical URLs and contents of the pages whose links were followed.
  var followed = SeenTexts()
  /// Which parts of URLs make no difference to pages, and the URLs of the pages without these.
  var variants = URLVariants()
  var variantForms = SeenTexts()
  var sweep = (findings: 0, next: 0)
  /// How often a load was asked for again, as its host was busy.
  private var attempts: [String: Int] = [:]
  /// Why what was saved, or said of it, may not be on the disk.
  var warning: ArchiveError?
  var drafts: [Int: Draft] = [:]
  /// How many pages were handed out and are not done.
  var open = 0
  /// How many of those did not start, as the limit of size was reached.
  var withheld = 0
  /// The pages that were kept with how far their links were followed.
  var packed: [String] = []
  /// How many pages wait as their servers are busy, and when the first is asked for again.
  private var later: (pages: Int, first: Date)?
  var report = SaveReport()
  /// How many pages came to an end, also those that are not told yet.
  private(set) var ended = 0
  /// How often the archive had lost what it should bring onto the disk, as far as that was told.
  private var lostFlushes = 0
  /// How many of the pages that were asked for are done, and how many of the first ones reached no server.
  var namedDone = 0
  private var firstUnreached = 0
  /// First-visit responses of which it is not clear who sent them, with their numbers in `portals`.
  var doubtful: [(result: Result, visit: LinkFrontier.Visit, number: Int)] = []
  /// The images that were asked for, by cache key.
  var images = SeenTexts()
  private var robots: [String: (rules: RobotsRules, problem: String?)] = [:]
  /// The pages that wait for the robots.txt of their origins, by their numbers.
  var waiting: [String: [Int]] = [:]
  /// The pages that an interrupted save had done, to be read for their links.
  private var replays: [Int] = []
  /// How many of them were started, and how many run.
  private var replayed = 0
  private var replaying = 0
  private var loads: [Int: Navigation] = [:]
  private var loadCount = 0
  /// What is done and not yet known to be on the disk.
  var unsynced: [(visit: LinkFrontier.Visit, outcome: SaveOutcome)] = []
  /// What is on the disk, and could not be noted as it is full; and the named pages that are noted.
  var unnoted: [(visit: LinkFrontier.Visit, outcome: SaveOutcome)] = []
  var noted = SeenTexts()
  /// Room for noting these when there is no other.
  var reserve: DiskReserve?
  private let folder: URL
  private var toldCount = 0
  private var lastSync = ContinuousClock.now
  private let start = ContinuousClock.now

  /// Prepares to save.
  /// - Parameters:
  ///   - request: what, and how.
  ///   - profile: where to.
  ///   - now: the time of day.
  package init(
    _ request: SaveRequest, in profile: Profile, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.request = request
    self.now = now
    cache = profile.cache
    library = profile.library
    settings = profile.settings
    lostFlushes = cache.archive.lostFlushes
    log =
      request.isCheck || !request.resumes
      ? nil
      : InterruptedSave(
        request, in: profile.locations.saves, now: now())
    folder = profile.locations.archive.deletingLastPathComponent()
    let cache = cache
    frontier = LinkFrontier(request.bounds) { cache.key(of: $0) }
    pace = SitePace(request.pace)
  }

  /// How many pages an interrupted save of the same had done.
  package var resumed: Int { log?.done.count ?? 0 }

  /// Saves everything.
  /// - Parameters:
  ///   - outcome: told of each page once it is on the disk; of a check in the order in which they were found.
  ///   - progress: told how far the work is, several times a second; false stops it.
  /// - Returns: what came of it.
  package func run(
    outcome: (SaveOutcome) -> Void = { _ in }, progress: (SaveProgress) -> Bool = { _ in true }
  ) -> SaveReport {
    for feed in request.feeds {
      if let key = cache.key(of: feed.url) { feeds[key] = feed }
      addNamed(feed.url)
    }
    _ = began
    if request.keeps, !request.isCheck { reserve = DiskReserve(in: folder.path) }
    for page in request.pages {
      addNamed(page, isPublicOnly: request.publicPages.contains(page))
    }
    for page in request.linkedPages { addLinked(page, isPublicOnly: isPublicOnly(item: page)) }
    while true {
      handOut()
      guard !report.isDiskFull else { break }
      guard progress(current), !isHopeless else {
        report.isInterrupted = true
        break
      }
      let isOver = advance()
      if isOver, settleDoubts() { continue }
      if isOver, open == 0, followUnfinishedFeeds() { continue }
      if isOver, open == 0, frontier.isDone { break }
      synchronize(isLast: false, outcome)
    }
    loads.values.forEach { $0.cancel() }
    let isEnded = !report.isInterrupted && !report.isDiskFull
    if !isEnded {
      dropDoubts()
      if !report.isDiskFull { _ = followUnfinishedFeeds() }
    }
    synchronize(isLast: true, outcome)
    if report.isDiskFull { rememberNamed() }
    if isEnded, !report.isDiskFull { log?.end() }
    report.refusals = frontier.refusals
    report.cutOff = frontier.cutOff + withheld
    if isEnded { notePacked() }
    report.namedCutOff = named - namedDone
    report.warning = (warning ?? cache.warning)?.description
    report.feeds = feedOutcomes
    return report
  }

  /// Adds a page that is asked for.
  func addNamed(_ page: String, isPublicOnly: Bool) {
    if frontier.add(page, isPublicOnly: isPublicOnly) { named += 1 }
  }

  private func addNamed(_ page: String) { addNamed(page, isPublicOnly: false) }

  /// Adds a page that is wanted for a link to it, so its site is asked whether it may be fetched.
  func addLinked(_ page: String, isPublicOnly: Bool) {
    frontier.add(page, isNamed: false, isPublicOnly: isPublicOnly)
  }

  /// Whether there is no network, as far as loads tell.
  private var isHopeless: Bool {
    request.givesUpUnreached && firstUnreached >= Self.fewest
  }

  /// So many loads tell whether there is a network.
  private static let fewest = 4

  /// How far the work is.
  private var current: SaveProgress {
    var progress = SaveProgress()
    progress.done = ended
    progress.known = frontier.count
    progress.received = inbox.received
    progress.hosts = pace.counts.map {
      SaveProgress.Host(
        name: $0.host, waiting: $0.waiting, running: $0.running, done: $0.ended)
    }
    progress.waitingHosts = pace.waitingHosts
    (progress.later, progress.askAgain) = (later?.pages ?? 0, later?.first)
    return progress
  }

  /// The time since the beginning.
  private var elapsed: Duration { ContinuousClock.now - start }

  /// How often a person is told how far it is.
  private static let tick = Duration.milliseconds(100)

  // MARK: What may start

  /// How many pages may be waited for: where a size is the limit, as many as hosts are asked at a time, as
  /// theirs is not known yet; else any number, so that one host keeps no other one waiting.
  private var window: Int {
    request.bounds.mostBytes == nil ? .max : request.pace.hosts
  }

  /// Takes pages out of the frontier as far as it gives any.
  private func handOut() {
    if request.bounds.mostBytes != nil {
      // Loads that are running count.
      frontier.noteReceived(inbox.received)
      if frontier.isFull(of: inbox.received) { withhold() }
    }
    while open < window, let visit = frontier.next() {
      guard !isVariant(visit) else {
        frontier.dropped(visit, because: .duplicate)
        continue
      }
      open += 1
      let url = visit.address
      guard request.obeysRobots, visit.depth > 0,
        !request.isCheck || robots[url.origin] != nil || hasRobots(url)
      else {
        begin(visit)
        continue
      }
      if robots[url.origin] != nil {
        beginIfAllowed(visit)
        continue
      }
      if waiting[url.origin] == nil {
        pace.add(.robots(origin: url.origin), host: url.server)
      }
      waiting[url.origin, default: []].append(visit.number)
    }
  }

  private func beginIfAllowed(_ visit: LinkFrontier.Visit) {
    guard let (rules, problem) = robots[visit.address.origin], !rules.allows(visit.address) else {
      return begin(visit)
    }
    frontier.dropped(visit)
    // A site that cannot say what it wants is not one that does not want it.
    let reason = problem.map { "the robots.txt of its site could not be read: \($0)" }
    let key = cache.key(of: visit.address)
    let result: SaveOutcome.Result =
      reason.map { cache.savedPages(among: [key]).isEmpty ? .failed($0) : .kept($0) } ?? .refused
    finish(visit, SaveOutcome(url: visit.url, depth: visit.depth, result: result, size: 0))
  }

  private func begin(_ visit: LinkFrontier.Visit) {
    if request.isCheck || log?.done.contains(visit.url) ?? false {
      replays.append(visit.number)
    } else {
      pace.add(.page(visit.number), host: visit.address.server)
    }
  }

  /// Starts what may start, and waits for what comes next, a moment at most.
  /// - Returns: whether nothing is left to wait for.
  private func advance() -> Bool {
    while replayed < replays.count, replaying < Self.mostReplays {
      start(.page(replays[replayed]), host: nil)
      replayed += 1
      replaying += 1
    }
    var deadline = elapsed + Self.tick
    // What runs has what all others wait for.
    starting: while !frontier.isCrowded || pace.running == 0 {
      if let limit = request.bounds.mostBytes, inbox.received >= limit { withhold() }
      switch pace.next(at: elapsed) {
      case .start(let job, let host): start(job, host: host)
      case .abandon(let job, let host, let instant): abandon(job, host, until: instant)
      case .wait(let instant):
        deadline = min(deadline, instant)
        break starting
      case .waitForEnd: break starting
      case .done:
        if replaying == 0 { return true }
        break starting
      }
    }
    for result in inbox.take(within: max(.zero, deadline - elapsed)) {
      loads[result.task.number] = nil
      if let host = result.task.host {
        pace.ended(host: host, at: elapsed, result.isMissingImage ? .missing : result.pace)
        if isAskedAgain(result) {
          pace.add(result.task.job, host: host)
          continue
        }
      } else {
        replaying -= 1
        if case .page = result.task.job, !request.isCheck, isGone(result) {
          // It was removed, or evicted, since.
          pace.add(result.task.job, host: WebURL(result.task.url)?.server ?? "")
          continue
        }
      }
      take(result)
    }
    return false
  }

  /// Whether a page that an interrupted save had done is there no more.
  private func isGone(_ result: Result) -> Bool {
    if case .answered = result.ending { false } else { true }
  }

  /// Whether a load is worth another try: its host was busy, and not too often.
  private func isAskedAgain(_ result: Result) -> Bool {
    let url = result.task.url
    guard case .busy = result.pace else {
      attempts[url] = nil
      return false
    }
    let count = attempts[url, default: 0] + 1
    attempts[url] = count < Self.mostAttempts ? count : nil
    return count < Self.mostAttempts
  }

  private static let mostAttempts = 3
  /// So many copies are read before somebody is told how far it is.
  private static let mostReplays = 8
  /// So many sites' robots.txt are in memory.
  private static let mostRobots = 1000
  /// A text has no more parts than this; a list may have any number of pages.
  private static let mostParts = 20

  /// Ends a load that was never started, of a host that asks to be left alone for long.
  private func abandon(_ job: Job, _ host: String, until instant: Duration) {
    let seconds = max(0, (instant - elapsed).components.seconds)
    var result = Result(
      task: Task(number: 0, job: job, url: url(of: job), host: host, began: now()),
      ending: .abandoned("its server is busy"), pace: .ended)
    result.askAgain = now().addingTimeInterval(Double(seconds))
    take(result)
  }

  private func start(_ job: Job, host: String?) {
    loadCount += 1
    var task = Task(number: loadCount, job: job, url: url(of: job), host: host, began: now())
    let visit: LinkFrontier.Visit? =
      if case .page(let number) = job { frontier.visit(number) } else { nil }
    let (isNamed, isWanted) = (visit?.depth == 0, visit?.isWanted ?? false)
    task.isPublicOnly = isPublicOnly(job, visit)
    task.isPageNamed = isPageNamed(job, visit)
    task.isComplete = isComplete(job, visit)
    if case .page = job, isWanted, !request.isCheck { describe(&task, isNamed: isNamed) }
    loads[task.number] = load(task, isNamed: isNamed, isDone: host == nil)
  }

  // MARK: What has come

  private func take(_ result: Result) {
    switch result.task.job {
    case .robots(let origin):
      let (status, problem): (Int?, String?) =
        switch result.ending {
        case .answered(let status, _, _):
          (status, status >= 500 || status == 429 ? ReaderError.words(forStatus: status) : nil)
        case .failed(let error): (nil, error.text.line)
        case .abandoned(let reason): (nil, reason)
        }
      let rules = RobotsRules(status: status, body: result.body)
      // What is asked for again comes out of the archive.
      if robots.count >= Self.mostRobots { robots = [:] }
      robots[origin] = (rules, problem)
      if let delay = rules.crawlDelay, let host = result.task.host {
        pace.setGap(delay, host: host)
      }
      for number in waiting.removeValue(forKey: origin) ?? [] {
        guard let visit = frontier.visit(number) else { continue }
        beginIfAllowed(visit)
      }
    case .page(let number):
      guard let visit = frontier.visit(number) else { return }
      if !isWithheld(result, visit) { take(result, of: visit) }
    case .part(_, let number):
      guard drafts[number] != nil else { return }
      if isWithoutRoom(result) { report.isDiskFull = true }
      drafts[number]?.outcome.countPart(result)
      addParts(result.parts, to: number)
      end(number)
    case .needed(_, let number, let level): takeNeededPart(result, of: number, level: level)
    case .image(let url, let number):
      guard drafts[number] != nil else { return }
      if isWithoutRoom(result) { report.isDiskFull = true }
      if case .answered(let status, _, true) = result.ending, (200..<300).contains(status) {
        drafts[number]?.outcome.images += 1
        drafts[number]?.outcome.size += result.size
      } else {
        drafts[number]?.outcome.countMissing(image: url, result.ending.words)
      }
      end(number)
    }
  }

  func take(_ result: Result, of visit: LinkFrontier.Visit, isConfirmed: Bool = true) {
    guard !isMissingVariant(result, visit) else { return leaveOut(visit) }
    // It is as if it had not been asked for: the end of all tells why.
    guard !isWithoutRoom(result) else {
      report.isDiskFull = true
      return
    }
    var draft = Draft(
      visit: visit,
      outcome: SaveOutcome(
        url: visit.url, depth: visit.depth, result: outcome(of: result, at: visit.url),
        size: result.size, date: result.date))
    draft.outcome.askAgain = result.askAgain
    draft.outcome.isUnconfirmed = !isConfirmed && isQueuedNow(visit.url)
    draft.outcome.isRefused = result.isRefused
    draft.outcome.isNextPart = visit.part > 1
    draft.outcome.lasting = LastingFailure(result.ending, through: result.way)
    distrustRedirects(result, draft.outcome)
    // What a server says of a page that is not there is none of its content.
    if !draft.outcome.isReadable { draft.outcome.size = 0 }
    draft.isPublic = visit.isPublicOnly || cache.isOnPublicNetwork(result.way.last ?? visit.url)
    var followed: [String] = []
    if case .answered(_, let source, _) = result.ending {
      draft.outcome.isReached = source == .network || source == .validated
      if case .saved(let reason) = source, SavedReason(reason) == .signInPage {
        draft.outcome.isPortal = true
      }
      if result.leavesPublicNetwork { draft.outcome.isPortal = true }
    }
    if let feed = feedRequest(for: visit.url) {
      if feed.newestPage == nil { draft.outcome.title = result.links?.feed?.title ?? "" }
      do throws(ArchiveError) {
        try take(
          feed, result.links, draft.outcome, movedTo: result.permanentTarget,
          isPublic: draft.isPublic)
      } catch {
        warning = error
      }
    } else if let links = result.links {
      draft.needs = links.needs
      recordVariant(links, visit)
      if !result.isPassedOver { draft.outcome.title = links.title }
      if !result.isPassedOver { followed = isDuplicate(links, visit) ? [] : links.pages }
      if !result.isPassedOver, draft.outcome.isReadable, visit.isWanted,
        visit.part < Self.mostParts,
        let next = links.nextPart
      {
        frontier.add(
          next, isNamed: visit.depth == 0, part: visit.part + 1,
          isPublicOnly: draft.isPublic)
      }
    }
    if result.isLeftOut(visit.url) { draft.needs = .leftOut }
    draft.isComplete = result.task.isComplete
    draft.needed.links = followed
    draft.needed.size = result.size
    drafts[visit.number] = draft
    if draft.outcome.isReadable {
      announceParts(addParts(result.parts, to: visit.number), of: visit.url)
      if !result.isPassedOver { addImages(result.links?.images ?? [], to: visit.number) }
      if let needs = draft.needs { addNeededParts(needs, to: visit.number, level: 1) }
    }
    endNeededPart(of: visit.number)
  }

  /// Notes that one of the loads of a page is over.
  func end(_ number: Int) {
    guard var draft = drafts[number] else { return }
    draft.pending -= 1
    drafts[number] = draft.pending > 0 ? draft : nil
    guard draft.pending == 0 else { return }
    judgeReadiness(&draft)
    finish(draft.visit, draft.outcome)
  }

  /// Notes that a page is done.
  func finish(_ visit: LinkFrontier.Visit, _ outcome: SaveOutcome) {
    var outcome = outcome
    outcome.isQueued = isQueued(visit, outcome)
    outcome.refusedDays = refusedDays(outcome)
    judgeLasting(&outcome)
    if let date = outcome.askAgain {
      later = ((later?.pages ?? 0) + 1, min(date, later?.first ?? date))
    }
    open -= 1
    if ended < Self.fewest, !outcome.isReached { firstUnreached += 1 }
    ended += 1
    if visit.isNamed { namedDone += 1 }
    unsynced.append((visit, outcome))
  }

  // MARK: What is on the disk

  /// Sees to it that what is done is on the disk, then says so.
  private func synchronize(isLast: Bool, _ tell: (SaveOutcome) -> Void) {
    let now = ContinuousClock.now
    guard !unsynced.isEmpty, isLast || now - lastSync >= .seconds(1) else { return }
    lastSync = now
    do throws(ArchiveError) {
      try bringToDisk()
      try noteNow()
    } catch {
      warning = error
      takeBackSaved(error)
    }
    if request.isCheck { unsynced.sort { $0.visit.number < $1.visit.number } }
    // Of a check, those that come after one that is still looked at wait.
    let row = unsynced.enumerated().prefix { index, done in
      !request.isCheck || isLast || done.visit.number == toldCount + index
    }
    for (_, done) in row where counts(done.outcome) {
      report.count(done.outcome)
      tell(done.outcome)
    }
    toldCount += row.count
    unsynced.removeFirst(row.count)
  }

  /// Waits until what was saved is on the disk.
  /// - Throws: also when somebody else has waited for it since, in vain.
  private func bringToDisk() throws(ArchiveError) {
    try cache.archive.sync()
    let lost = cache.archive.lostFlushes
    defer { lostFlushes = lost }
    if lost > lostFlushes {
      throw cache.archive.warning ?? .unwritable("it was not brought to the disk")
    }
  }

  /// Notes in the library what was asked for, and what is done.
  func note(
    _ outcomes: [(visit: LinkFrontier.Visit, outcome: SaveOutcome)]
  ) throws(ArchiveError) {
    guard !request.isCheck else { return }
    var changes: [LibraryChange] = []
    for (visit, outcome) in outcomes where visit.isWanted {
      guard let key = cache.key(of: outcome.url) else { continue }
      // What its site does not want to be fetched need not wait any longer.
      if outcome.isCurrent && !outcome.lacksParts || outcome.result == .refused {
        changes.append(LibraryChange(key, .queued, nil))
        changes.append(LibraryChange(key, .again, nil))
        changes.append(LibraryChange(key, .failed, nil))
      }
      changes += try confirmationChanges(outcome, key)
      if outcome.isQueued, !outcome.isUnconfirmed {
        changes += try queueChanges(outcome, visit, key)
      }
      if let failure = outcome.lasting, outcome.isAskedAgain {
        changes += try lastingChanges(failure, outcome, key)
      }
      guard outcome.isReadable else { continue }
      if !outcome.title.isEmpty { changes.append(LibraryChange(key, .title, outcome.title)) }
      guard outcome.depth == 0, feedRequest(for: outcome.url) == nil else { continue }
      if request.keeps {
        changes.append(LibraryChange(key, .kept, "1"))
        changes += LibraryChange.address(outcome.url, of: key)
        changes.append(LibraryChange(key, .trip, try trip(of: key)))
        packed.append(key)
      }
      changes += outcome.frameChanges(of: key) + request.changes(of: key)
    }
    try library.record(changes)
    for (visit, _) in outcomes where visit.isNamed { noted.insert(visit.url) }
    log?.note(outcomes.map(\.outcome).filter(\.isCurrent).map(\.url))
  }
}
