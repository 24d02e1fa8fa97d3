/// A scheduler that decides which waiting loads may start, so that no site receives too many
/// requests. It is a value without a clock: the caller adds loads, reports when they end, and asks
/// which load to start next (`next`).
///
/// Instants are durations since the beginning of the crawl on a monotonic clock. A few hosts are
/// served at a time. A host is served until no loads for it are waiting or until it asks for a
/// pause. The cost of a load does not depend on the number of waiting hosts.
package struct SitePace<Load: Sendable>: Sendable {
  /// The next action of the caller.
  package enum Turn {
    /// This load starts now.
    case start(Load, host: String)
    /// This load is abandoned, because its host asks for a pause until the instant `until`, which
    /// exceeds `PaceLimits.maxPause`.
    case abandon(Load, host: String, until: Duration)
    /// No load may start before the instant `until`, unless a running load ends earlier.
    case wait(until: Duration)
    /// No load may start before a running load ends.
    case waitForEnd
    /// No load is waiting or running.
    case done
  }

  /// The result of a load, reduced to what affects the pace of the host.
  package enum Ending: Sendable, Equatable {
    /// The host sent a response that no other case names, or was not reached.
    case ended
    /// No request was needed, so no gap follows.
    case unsent
    /// The host does not have the resource. Such a response costs the host little, so no gap
    /// follows.
    case missing
    /// The host is overloaded (429, 503) or asks for a pause, with the value of `Retry-After`, if
    /// any.
    case busy(retryAfter: Duration?)
  }

  private struct Host: Sendable {
    /// The loads that start before `waiting`; the index of the next one is `firstPreferred`.
    var preferred: [Load] = []
    var firstPreferred = 0
    /// The other waiting loads; the index of the next one is `first`.
    var waiting: [Load] = []
    var first = 0
    var runningCount = 0
    /// The earliest instant at which the next load of the host may start.
    var nextStart: Duration = .zero
    /// The minimum time between the starts of loads that the host asks for.
    var gap: Duration = .zero
    /// The number of consecutive loads that ended with `Ending.busy`.
    var overloadCount = 0
    /// The number of loads that have ended.
    var endedCount = 0

    var isWaiting: Bool { waitingCount > 0 }
    var waitingCount: Int { preferredCount + waiting.count - first }
    var preferredCount: Int { preferred.count - firstPreferred }

    mutating func pop() -> Load {
      preferredCount > 0
        ? Self.pop(&preferred, &firstPreferred) : Self.pop(&waiting, &first)
    }

    /// Returns the waiting loads, and removes them.
    mutating func removeAll() -> [Load] {
      defer { (preferred, firstPreferred, waiting, first) = ([], 0, [], 0) }
      return Array(preferred[firstPreferred...]) + waiting[first...]
    }

    private static func pop(_ loads: inout [Load], _ next: inout Int) -> Load {
      defer {
        next += 1
        if next > 64, next * 2 > loads.count {
          loads.removeFirst(next)
          next = 0
        }
      }
      return loads[next]
    }
  }

  private let limits: PaceLimits
  private var hosts: [String: Host] = [:]
  /// The hosts that are being served.
  private var servedHosts: [String] = []
  /// The hosts that wait to be served, in order; the index of the next one is `firstQueued`.
  private var queuedHosts: [String] = []
  private var firstQueued = 0
  /// The hosts that asked for a pause and for which loads are waiting.
  private var pausedHosts: [String] = []
  /// The number of hosts above which idle hosts are forgotten.
  private var maxHosts = Self.minHosts
  /// The number of running loads.
  package private(set) var running = 0
  /// The number of waiting loads.
  package private(set) var waitingCount = 0

  package init(_ limits: PaceLimits = PaceLimits()) {
    self.limits = limits
  }

  /// The numbers of loads of each host that is being served or pausing, sorted by host.
  package var counts: [(host: String, waiting: Int, running: Int, ended: Int)] {
    (servedHosts + pausedHosts).compactMap { name in
      hosts[name].map { (name, $0.waitingCount, $0.runningCount, $0.endedCount) }
    }.sorted { $0.host < $1.host }
  }

  /// The number of hosts that are stored.
  var knownHostCount: Int { hosts.count }

  /// The number of hosts that wait to be served.
  package var waitingHostCount: Int { queuedHosts.count - firstQueued }

  /// Adds a load at the end of the queue of its host.
  /// - Parameters:
  ///   - load: the load.
  ///   - host: its host.
  ///   - isPreferred: whether the load starts before those of the host that are not preferred, and
  ///     its host, unless other loads of it are waiting, is served before other hosts.
  package mutating func add(_ load: Load, host: String, isPreferred: Bool = false) {
    let isKnown = hosts[host].map { $0.isWaiting || servedHosts.contains(host) } ?? false
    if isPreferred {
      hosts[host, default: Host()].preferred.append(load)
    } else {
      hosts[host, default: Host()].waiting.append(load)
    }
    waitingCount += 1
    guard !isKnown, !pausedHosts.contains(host) else { return }
    // The places before `firstQueued` are free.
    guard isPreferred, firstQueued > 0 else { return queuedHosts.append(host) }
    firstQueued -= 1
    queuedHosts[firstQueued] = host
  }

  /// Sets the gap that a host asks for (`Crawl-delay`), limited to `PaceLimits.maxGap`.
  package mutating func setGap(_ gap: Duration, host: String) {
    hosts[host, default: Host()].gap = min(gap, limits.maxGap)
  }

  /// Returns the next action at an instant. A returned load counts as started or abandoned. The
  /// caller repeats the call until no load is returned.
  package mutating func next(at instant: Duration) -> Turn {
    guard waitingCount > 0 else { return running > 0 ? .waitForEnd : .done }
    fill(at: instant)
    if let turn = removeAbandonable(at: instant) { return turn }
    var soonest: Duration?
    for (position, name) in servedHosts.enumerated() {
      guard let host = hosts[name], host.isWaiting else { continue }
      // A host that was overloaded, or that asks for a gap, gets one load at a time.
      let maxLoads = host.overloadCount > 0 || host.gap > limits.minGap ? 1 : limits.maxLoadsPerHost
      guard host.runningCount < maxLoads else { continue }
      if host.nextStart <= instant {
        // The host moves to the end, so that all hosts take turns.
        servedHosts.append(servedHosts.remove(at: position))
        return start(name, at: instant)
      }
      soonest = min(host.nextStart, soonest ?? host.nextStart)
    }
    for name in pausedHosts {
      let opens = hosts[name]?.nextStart ?? .zero
      if servedHosts.count < limits.hosts { soonest = min(opens, soonest ?? opens) }
    }
    return soonest.map { .wait(until: $0) } ?? .waitForEnd
  }

  /// Records that a load ended.
  package mutating func ended(host name: String, at instant: Duration, _ ending: Ending) {
    guard var host = hosts[name], host.runningCount > 0 else { return }
    host.runningCount -= 1
    host.endedCount += 1
    running -= 1
    switch ending {
    case .ended: host.overloadCount = 0
    case .unsent: host.nextStart -= max(host.gap, limits.minGap)
    case .missing:
      host.overloadCount = 0
      // If the host asks for a longer gap, that gap remains.
      if host.gap <= limits.minGap { host.nextStart -= limits.minGap }
    case .busy(let retryAfter):
      host.overloadCount = min(host.overloadCount + 1, 16)
      let backoff = limits.backoff * (1 << (host.overloadCount - 1))
      let pause = max(retryAfter ?? .zero, min(backoff, limits.maxPause))
      host.nextStart = max(host.nextStart, instant + pause)
    }
    hosts[name] = host
    if host.runningCount == 0 { release(name, at: instant) }
  }

  /// Removes and returns all loads that wait for a host.
  package mutating func removeAll(host name: String) -> [Load] {
    guard var host = hosts[name], host.isWaiting else { return [] }
    let loads = host.removeAll()
    hosts[name] = host
    waitingCount -= loads.count
    pausedHosts.removeAll { $0 == name }
    if host.runningCount == 0 { servedHosts.removeAll { $0 == name } }
    return loads
  }

  /// Removes the waiting loads that satisfy a predicate.
  package mutating func remove(where isRemoved: (Load) -> Bool) {
    for name in hosts.keys.sorted() {
      let preferredCount = hosts[name]?.preferredCount ?? 0
      for (index, load) in removeAll(host: name).enumerated() where !isRemoved(load) {
        add(load, host: name, isPreferred: index < preferredCount)
      }
    }
  }

  /// Removes and returns all waiting loads.
  package mutating func removeAll() -> [Load] {
    guard waitingCount > 0 else { return [] }
    return hosts.keys.sorted().flatMap { removeAll(host: $0) }
  }

  private mutating func start(_ name: String, at instant: Duration) -> Turn {
    guard var host = hosts[name] else { return .waitForEnd }
    let load = host.pop()
    host.runningCount += 1
    host.nextStart = max(host.nextStart, instant + max(host.gap, limits.minGap))
    hosts[name] = host
    waitingCount -= 1
    running += 1
    return .start(load, host: name)
  }

  /// Removes the next load of a host whose pause is too long, and returns the action that abandons
  /// it; nil if there is no such host.
  private mutating func removeAbandonable(at instant: Duration) -> Turn? {
    for name in pausedHosts {
      guard var host = hosts[name], host.nextStart - instant > limits.maxPause else { continue }
      let load = host.pop()
      waitingCount -= 1
      hosts[name] = host
      if !host.isWaiting { pausedHosts.removeAll { $0 == name } }
      return .abandon(load, host: name, until: host.nextStart)
    }
    return nil
  }

  /// Stops serving a host that has no loads or is pausing, so that another host can be served.
  private mutating func release(_ name: String, at instant: Duration) {
    guard let host = hosts[name] else { return }
    guard !host.isWaiting || isPaused(host, at: instant) else { return }
    servedHosts.removeAll { $0 == name }
    if host.isWaiting { pausedHosts.append(name) }
  }

  /// Returns whether a host asked for a pause that is longer than its gap between loads.
  private func isPaused(_ host: Host, at instant: Duration) -> Bool {
    host.nextStart - instant > max(host.gap, limits.minGap)
  }

  /// Begins to serve further hosts up to the maximum number: first the hosts whose pause is over,
  /// then those that wait to be served.
  private mutating func fill(at instant: Duration) {
    for name in pausedHosts where servedHosts.count < limits.hosts {
      guard let host = hosts[name], host.nextStart <= instant else { continue }
      pausedHosts.removeAll { $0 == name }
      servedHosts.append(name)
    }
    while servedHosts.count < limits.hosts, firstQueued < queuedHosts.count {
      let name = queuedHosts[firstQueued]
      firstQueued += 1
      guard let host = hosts[name], host.isWaiting, !servedHosts.contains(name),
        !pausedHosts.contains(name)
      else { continue }
      if isPaused(host, at: instant) { pausedHosts.append(name) } else { servedHosts.append(name) }
    }
    if firstQueued > 256, firstQueued * 2 > queuedHosts.count {
      queuedHosts.removeFirst(firstQueued)
      firstQueued = 0
    }
    if hosts.count > maxHosts {
      // Idle hosts without a gap or pause need not be stored.
      hosts = hosts.filter { _, host in
        host.isWaiting || host.runningCount > 0 || host.gap > .zero || host.nextStart > instant
      }
      maxHosts = max(Self.minHosts, hosts.count * 2)
    }
  }

  /// The number of hosts up to which idle hosts are never forgotten.
  private static var minHosts: Int { 1000 }
}
