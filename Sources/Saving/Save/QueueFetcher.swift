import Configuration
package import Reader
package import Crawl
import Library
import Dispatch
import Foundation
package import OfflineCache
import Synchronization

/// Fetches what waits in the queue while pages are read, as soon as there is a network for it.
///
/// It works behind the reader with the machinery of `sync`, and leaves everything to a sync that runs.
package final class QueueFetcher: Sendable {
  /// What it tells.
  package enum Event: Sendable, Equatable {
    /// So many pages wait in the queue.
    case waiting(Int)
    /// So many queued pages have come.
    case arrived(Int)
  }

  private struct State {
    var event: (@Sendable (Event) -> Void)?
    var pace: QueuePace
    /// Counts what was planned: only the last plan holds.
    var plan = 0
    var isPaused: Bool
    var isStopped = false
    var waiting = 0
  }

  private let profile: Profile
  private let options: LoadOptions
  private let limits: PaceLimits
  /// As it is at the beginning.
  private let pace: QueuePace
  private let queue = DispatchQueue(label: "offread.queue", qos: .utility)
  private let state: Mutex<State>

  /// Prepares to fetch; nothing is opened yet.
  /// - Parameters:
  ///   - profile: whose queue it is.
  ///   - options: how pages are loaded; in offline mode nothing is fetched until `setPaused(false)`.
  ///   - limits: how much is asked of sites at once.
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

  /// Begins; nothing happens when it has begun, or when nothing is written.
  /// - Parameter event: told what there is, from any thread.
  package func start(_ event: @escaping @Sendable (Event) -> Void) {
    guard !profile.isPrivate else { return }
    let isFirst = state.withLock { state in
      guard state.event == nil, !state.isStopped else { return false }
      state.event = event
      return true
    }
    guard isFirst else { return }
    queue.async { [self] in count() }
    plan(after: pace.start)
  }

  /// Ends, also loads that are running; what has not come stays in the queue.
  /// - Parameter seconds: how long it may take until nothing is done any more.
  package func stop(within seconds: Double = 20) {
    state.withLock { state in
      state.isStopped = true
      state.event = nil
    }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    _ = isDone.wait(timeout: .now() + seconds)
  }

  /// In offline mode nothing is fetched.
  package func setPaused(_ isPaused: Bool) {
    let isOver = state.withLock { state in
      defer { state.isPaused = isPaused }
      return state.isPaused && !isPaused && state.event != nil
    }
    if isOver { plan(after: pace.soon) }
  }

  /// Takes note of a sign that there is a network: a server answered.
  package func noteNetwork() {
    let (delay, hasBegun) = state.withLock { ($0.pace.afterAnswer(), $0.event != nil) }
    if hasBegun, let delay { plan(after: delay) }
  }

  /// Takes note that something may have been put into the queue.
  package func noteChange() {
    guard state.withLock({ $0.event != nil }) else { return }
    queue.async { [self] in
      // What was queued for want of a network is tried again when that may be over.
      if count() == 1 { plan(after: pace.least) }
    }
  }

  private func plan(after delay: Duration) {
    let plan = state.withLock { state in
      state.plan += 1
      return state.plan
    }
    let milliseconds = Int(delay / .milliseconds(1))
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      guard let self else { return }
      let isDue = state.withLock { $0.plan == plan && !$0.isStopped && !$0.isPaused }
      guard isDue else { return }
      self.plan(after: fetch())
    }
  }

  /// Tells how many pages wait.
  @discardableResult
  private func count() -> Int {
    let waiting = (try? profile.library.count(with: .queued)) ?? 0
    let event = state.withLock { state in
      defer { state.waiting = waiting }
      return state.waiting == waiting ? nil : state.event
    }
    event?(.waiting(waiting))
    return waiting
  }

  /// How long to wait until a time, a second at least.
  private static func pause(until date: Date) -> Duration {
    .seconds(max(1, min(date.timeIntervalSinceNow, 86_400)))
  }

  private var isStopped: Bool { state.withLock { $0.isStopped || $0.isPaused } }

  /// Tries to fetch what waits.
  /// - Returns: when to try again.
  private func fetch() -> Duration {
    // Others may have queued something, or fetched it.
    try? profile.library.catchUp()
    guard count() > 0 else { return pace.look }
    guard let lock = try? SyncLock(in: profile.locations.state) else { return pace.least }
    defer { withExtendedLifetime(lock) {} }
    guard let plan = try? SyncPlan(queueOf: profile, now: Date(), isInBackground: true) else {
      return pace.most
    }
    try? profile.library.record(plan.arrived.map { LibraryChange($0, .queued, nil) })
    guard !plan.isEmpty else { return plan.askAgain.map(Self.pause(until:)) ?? pace.look }
    var request = plan.request(options)
    request.pace = limits
    request.givesUpUnreached = true
    let queued = plan.queuedURLs
    var arrived = 0
    let report = PageSaver(request, in: profile).run(
      outcome: { if $0.isCurrent, !$0.isUnconfirmed, queued.contains($0.url) { arrived += 1 } },
      progress: { [self] _ in !isStopped })
    if arrived > 0 { state.withLock(\.event)?(.arrived(arrived)) }
    guard count() > 0 else { return pace.look }
    let pause = state.withLock { $0.pace.next(afterTryThatReached: report.isReached) }
    let later = try? SyncPlan(queueOf: profile, now: Date(), isInBackground: true)
    return min(pause, later?.askAgain.map(Self.pause(until:)) ?? pause)
  }
}
