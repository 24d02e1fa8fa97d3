import Configuration
package import Profiles
package import Crawl
import Library
import Dispatch
import Foundation
package import OfflineCache
import Synchronization

/// Fetches queued pages in the background during an interactive session, as soon as there is a
/// network.
///
/// It uses the same code as `sync`, and does nothing while a sync is running.
package final class QueueFetcher: Sendable {
  /// An event for the interactive session.
  package enum Event: Sendable, Equatable {
    /// The number of queued pages has changed to this number.
    case waiting(Int)
    /// The queued pages with these URLs have been loaded.
    case arrived(Set<String>)
    /// Calls of the read hook failed for the first time: their number, and the reason for the first
    /// of these failures.
    case hookFailed(Int, reason: String)
    /// The queue or the calls of the read hook cannot be read, or pages cannot be saved. Each
    /// reason is reported once.
    case failed(reason: String)
  }

  private struct State {
    var phase = Phase.idle
    var pace: QueuePace
    /// The number of the latest scheduled try; earlier ones are cancelled.
    var planNumber = 0
    var isPaused: Bool
    /// Whether a server has responded since the last failed call of the read hook.
    var hasNetwork = false
    var waitingCount = 0
    /// The reasons for failures that have been reported.
    var reportedReasons: Set<String> = []

    /// The receiver of events; nil before fetching was started and after it was stopped.
    var event: (@Sendable (Event) -> Void)? {
      if case .started(let event) = phase { event } else { nil }
    }
  }

  private enum Phase {
    case idle
    case started(@Sendable (Event) -> Void)
    case stopped

    var isStopped: Bool { if case .stopped = self { true } else { false } }
  }

  private let profile: Profile
  private let options: LoadOptions
  private let limits: PaceLimits
  /// The initial schedule.
  private let pace: QueuePace
  private let queue = DispatchQueue(label: "offread.queue", qos: .utility)
  private let state: Mutex<State>

  /// Creates a fetcher without opening any file.
  /// - Parameters:
  ///   - profile: the profile with the queue.
  ///   - options: options for loading pages; in offline mode, nothing is fetched until
  ///     `setPaused(false)`.
  ///   - limits: rate limits for sites.
  package convenience init(
    _ profile: Profile, options: LoadOptions, limits: PaceLimits = PaceLimits()
  ) {
    self.init(profile, options: options, limits: limits, pace: QueuePace())
  }

  init(_ profile: Profile, options: LoadOptions, limits: PaceLimits, pace: QueuePace) {
    self.pace = pace
    self.profile = profile
    self.options = options
    self.limits = limits
    state = Mutex(State(pace: pace, isPaused: options.mode == .cacheOnly))
  }

  /// Starts fetching. Does nothing if fetching was started before, or in a private session.
  /// - Parameter event: receives events, on any thread.
  package func start(_ event: @escaping @Sendable (Event) -> Void) {
    guard !profile.isPrivate else { return }
    let isFirst = state.withLock { state in
      guard case .idle = state.phase else { return false }
      state.phase = .started(event)
      return true
    }
    guard isFirst else { return }
    queue.async { [self] in count() }
    plan(after: pace.startDelay)
  }

  /// Stops fetching and cancels running loads; pages that were not loaded remain queued.
  /// - Parameter seconds: the maximum time in seconds to wait for the end of fetching.
  package func stop(within seconds: Double = 20) {
    state.withLock { $0.phase = .stopped }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    _ = isDone.wait(timeout: .now() + seconds)
  }

  /// Pauses fetching in offline mode, or resumes it.
  package func setPaused(_ isPaused: Bool) {
    let isOver = state.withLock { state in
      defer { state.isPaused = isPaused }
      return state.isPaused && !isPaused && state.event != nil
    }
    if isOver { plan(after: pace.networkDelay) }
  }

  /// Informs the fetcher that there is a network, because a server has responded.
  package func reportNetwork() {
    let (delay, hasBegun) = state.withLock { state in
      state.hasNetwork = true
      return (state.pace.afterResponse(), state.event != nil)
    }
    if hasBegun, let delay { plan(after: delay) }
  }

  /// Informs the fetcher that pages may have been queued.
  package func reportChange() {
    guard state.withLock({ $0.event != nil }) else { return }
    queue.async { [self] in
      // The user may have queued the first page because loading it failed without a network.
      if count() == 1 { plan(after: pace.initialDelay) }
    }
  }

  private func plan(after delay: Duration) {
    let plan = state.withLock { state in
      state.planNumber += 1
      return state.planNumber
    }
    let milliseconds = Int(delay / .milliseconds(1))
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      guard let self else { return }
      let isDue = state.withLock { $0.planNumber == plan && !$0.phase.isStopped && !$0.isPaused }
      guard isDue else { return }
      self.plan(after: fetch())
    }
  }

  /// Counts the queued pages, and reports the number if it has changed.
  /// - Returns: the number; 0 if it cannot be determined.
  @discardableResult
  private func count() -> Int {
    guard
      let waiting = attempt({ () throws(ArchiveError) in try profile.library.count(with: .queued) })
    else { return 0 }
    let event = state.withLock { state in
      defer { state.waitingCount = waiting }
      return state.waitingCount == waiting ? nil : state.event
    }
    event?(.waiting(waiting))
    return waiting
  }

  /// Returns the result of `work`; nil if it throws an error, which is reported.
  private func attempt<Value>(_ work: () throws(ArchiveError) -> Value) -> Value? {
    do throws(ArchiveError) {
      return try work()
    } catch {
      report(error.description)
      return nil
    }
  }

  /// Reports the reason for a failure, once.
  private func report(_ reason: String) {
    let event = state.withLock { state in
      state.reportedReasons.insert(reason).inserted ? state.event : nil
    }
    event?(.failed(reason: reason))
  }

  /// Acquires the lock for syncs; returns nil if another process has it, or after an error, which
  /// is reported.
  private func lockSync() -> SyncLock? {
    do throws(ArchiveError) {
      return try SyncLock(in: profile.locations.state)
    } catch {
      report(error.description)
      return nil
    }
  }

  /// Returns the time until a date, clamped to a range from a second to a day.
  private static func delay(until date: Date) -> Duration {
    .seconds(max(1, min(date.timeIntervalSinceNow, 86_400)))
  }

  private var isStopped: Bool { state.withLock { $0.phase.isStopped || $0.isPaused } }

  /// Fetches queued pages.
  /// - Returns: the time until the next try.
  private func fetch() -> Duration {
    // Another process may have queued or fetched pages.
    _ = attempt { () throws(ArchiveError) in try profile.library.catchUp() }
    let hook = HookRun(in: profile) { [self] in isStopped }
    let isHookDue = state.withLock(\.hasNetwork) && hook.map(isDue) ?? false
    guard count() > 0 || isHookDue else { return pace.idleDelay }
    guard let lock = lockSync() else { return pace.initialDelay }
    defer { withExtendedLifetime(lock) {} }
    if isHookDue, let hook { call(hook) }
    guard count() > 0 else { return pace.idleDelay }
    guard let plan = planQueue() else { return pace.maxDelay }
    _ = attempt { () throws(ArchiveError) in
      try profile.library.record(plan.arrivedKeys.map { LibraryChange($0, .queued, nil) })
    }
    guard !plan.isEmpty else { return plan.retryAfter.map(Self.delay(until:)) ?? pace.idleDelay }
    var request = plan.request(options)
    request.pace = limits
    request.givesUpUnreached = true
    let queuedURLs = plan.queuedURLs
    var arrivedURLs: Set<String> = []
    let report = PageSaver(request, in: profile).run(
      outcome: {
        if $0.isCurrent, !$0.isUnconfirmed, queuedURLs.contains($0.url) {
          arrivedURLs.insert($0.url)
        }
      },
      progress: { [self] _ in !isStopped })
    if report.isReached { state.withLock { $0.hasNetwork = true } }
    if let warning = report.warning { self.report(warning) }
    if !arrivedURLs.isEmpty { state.withLock(\.event)?(.arrived(arrivedURLs)) }
    guard count() > 0 else { return pace.idleDelay }
    let pause = state.withLock { $0.pace.next(afterTryThatReached: report.isReached) }
    return min(pause, planQueue()?.retryAfter.map(Self.delay(until:)) ?? pause)
  }

  /// Returns the plan for the queue; nil if reading it fails, which is reported.
  private func planQueue() -> SyncPlan? {
    attempt { () throws(ArchiveError) in
      try SyncPlan(queueOf: profile, now: Date(), isInBackground: true)
    }
  }

  private func isDue(_ hook: HookRun) -> Bool {
    attempt { () throws(ArchiveError) in try hook.isDue(at: Date()) } ?? false
  }

  /// Makes the calls of the read hook that are due, and reports those that failed for the first
  /// time. After an error, or if all calls fail, further calls are postponed until a server
  /// responds again.
  private func call(_ hook: HookRun) {
    guard let report = attempt({ () throws(ArchiveError) in try hook.run() }) else {
      state.withLock { $0.hasNetwork = false }
      return
    }
    if report.failedCount > 0, report.succeededCount == 0 {
      state.withLock { $0.hasNetwork = false }
    }
    guard let first = report.firstFailures.first else { return }
    state.withLock(\.event)?(.hookFailed(report.firstFailures.count, reason: first.reason))
  }
}
