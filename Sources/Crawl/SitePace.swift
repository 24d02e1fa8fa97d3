/// Which of the loads that wait may start, so that no site is asked too often: a value without a
/// clock. It is told when loads come, start and end, and asked what may start.
///
/// Instants are times since the beginning of the work, by a clock that is never set back. A few hosts
/// are served at a time, each until nothing waits for it or until it asks to be left alone; a load
/// costs no more when thousands of hosts wait.
package struct SitePace<Load: Sendable>: Sendable {
  /// What may be done now.
  package enum Turn {
    /// This load starts now.
    case start(Load, host: String)
    /// This load is not worth waiting for: its host asks to be left alone until the instant.
    case abandon(Load, host: String, until: Duration)
    /// Nothing may start before the instant, unless a load ends.
    case wait(until: Duration)
    /// Nothing may start before a load ends.
    case waitForEnd
    /// Nothing waits and nothing runs.
    case done
  }

  /// How a load ended, as far as its host's pace is concerned.
  package enum Ending: Sendable, Equatable {
    /// Otherwise: the host answered, was not reached, or not asked.
    case ended
    /// The host does not provide the resource. That costs it little, so no gap follows.
    case missing
    /// The host has too much to do (429, 503), and says when to come again, if it does.
    case busy(retryAfter: Duration?)
  }

  private struct Host: Sendable {
    /// The loads that wait, the next one at `first`.
    var waiting: [Load] = []
    var first = 0
    var running = 0
    /// No load starts before.
    var opens: Duration = .zero
    /// The gap that the host asks for itself.
    var gap: Duration = .zero
    /// How often in a row it was busy.
    var refusals = 0
    /// How many loads have ended.
    var ended = 0

    var isWaiting: Bool { first < waiting.count }
    var waitingCount: Int { waiting.count - first }

    mutating func pop() -> Load {
      defer {
        first += 1
        if first > 64, first * 2 > waiting.count {
          waiting.removeFirst(first)
          first = 0
        }
      }
      return waiting[first]
    }
  }

  private let limits: PaceLimits
  private var hosts: [String: Host] = [:]
  /// The hosts that are served.
  private var served: [String] = []
  /// The hosts that wait for being served, in order, the next one at `firstQueued`.
  private var queued: [String] = []
  private var firstQueued = 0
  /// The hosts that asked to be left alone while loads wait for them.
  private var resting: [String] = []
  /// When there are more hosts, those are forgotten that have nothing to do.
  private var mostHosts = Self.fewHosts
  /// How many loads run.
  package private(set) var running = 0
  /// How many loads wait.
  package private(set) var waiting = 0

  /// A pace at which nothing waits.
  package init(_ limits: PaceLimits = PaceLimits()) {
    self.limits = limits
  }

  /// The loads of each host that is served or was busy.
  package var counts: [(host: String, waiting: Int, running: Int, ended: Int)] {
    (served + resting).compactMap { name in
      hosts[name].map { (name, $0.waitingCount, $0.running, $0.ended) }
    }.sorted { $0.host < $1.host }
  }

  /// Of how many hosts anything is known.
  var knownHosts: Int { hosts.count }

  /// How many hosts wait for being served.
  package var waitingHosts: Int { queued.count - firstQueued }

  /// Puts a load behind those that wait for the same host.
  package mutating func add(_ load: Load, host: String) {
    let isKnown = hosts[host].map { $0.isWaiting || served.contains(host) } ?? false
    hosts[host, default: Host()].waiting.append(load)
    waiting += 1
    guard !isKnown, !resting.contains(host) else { return }
    queued.append(host)
  }

  /// Notes the gap that a host asks for (`Crawl-delay`); one longer than the longest counts as that.
  package mutating func setGap(_ gap: Duration, host: String) {
    hosts[host, default: Host()].gap = min(gap, limits.longestGap)
  }

  /// What may be done at an instant. What is handed out has started, or is abandoned; ask again
  /// until there is nothing to do.
  package mutating func next(at instant: Duration) -> Turn {
    guard waiting > 0 else { return running > 0 ? .waitForEnd : .done }
    fill(at: instant)
    if let turn = abandonable(at: instant) { return turn }
    var soonest: Duration?
    for (place, name) in served.enumerated() {
      guard let host = hosts[name], host.isWaiting else { continue }
      // A host that was busy gets one load at a time, and so does one that asks for a gap.
      let most = host.refusals > 0 || host.gap > limits.gap ? 1 : limits.loadsPerHost
      guard host.running < most else { continue }
      if host.opens <= instant {
        // The host goes to the end, so that all of them have their turns.
        served.append(served.remove(at: place))
        return start(name, at: instant)
      }
      soonest = min(host.opens, soonest ?? host.opens)
    }
    for name in resting {
      let opens = hosts[name]?.opens ?? .zero
      if served.count < limits.hosts { soonest = min(opens, soonest ?? opens) }
    }
    return soonest.map { .wait(until: $0) } ?? .waitForEnd
  }

  /// Notes that a load ended.
  package mutating func ended(host name: String, at instant: Duration, _ ending: Ending) {
    guard var host = hosts[name], host.running > 0 else { return }
    host.running -= 1
    host.ended += 1
    running -= 1
    switch ending {
    case .ended: host.refusals = 0
    case .missing:
      host.refusals = 0
      // The gap of another load that has begun since stays.
      if host.gap <= limits.gap { host.opens -= limits.gap }
    case .busy(let retryAfter):
      host.refusals = min(host.refusals + 1, 16)
      let backoff = limits.backoff * (1 << (host.refusals - 1))
      let pause = max(retryAfter ?? .zero, min(backoff, limits.patience))
      host.opens = max(host.opens, instant + pause)
    }
    hosts[name] = host
    if host.running == 0 { release(name, at: instant) }
  }

  /// Takes out all loads that wait for a host.
  package mutating func removeAll(host name: String) -> [Load] {
    guard var host = hosts[name], host.isWaiting else { return [] }
    let loads = Array(host.waiting[host.first...])
    host.waiting = []
    host.first = 0
    hosts[name] = host
    waiting -= loads.count
    resting.removeAll { $0 == name }
    if host.running == 0 { served.removeAll { $0 == name } }
    return loads
  }

  /// Takes out the loads that wait and fulfil a condition.
  package mutating func remove(where isRemoved: (Load) -> Bool) {
    for name in hosts.keys.sorted() {
      for load in removeAll(host: name) where !isRemoved(load) { add(load, host: name) }
    }
  }

  /// Takes out all loads that wait.
  package mutating func removeAll() -> [Load] {
    guard waiting > 0 else { return [] }
    return hosts.keys.sorted().flatMap { removeAll(host: $0) }
  }

  private mutating func start(_ name: String, at instant: Duration) -> Turn {
    guard var host = hosts[name] else { return .waitForEnd }
    let load = host.pop()
    host.running += 1
    host.opens = max(host.opens, instant + max(host.gap, limits.gap))
    hosts[name] = host
    waiting -= 1
    running += 1
    return .start(load, host: name)
  }

  /// The next load of a host whose pause is longer than anybody waits.
  private mutating func abandonable(at instant: Duration) -> Turn? {
    for name in resting {
      guard var host = hosts[name], host.opens - instant > limits.patience else { continue }
      let load = host.pop()
      waiting -= 1
      hosts[name] = host
      if !host.isWaiting { resting.removeAll { $0 == name } }
      return .abandon(load, host: name, until: host.opens)
    }
    return nil
  }

  /// Gives the place of a host that has nothing to do, or rests, to another one.
  private mutating func release(_ name: String, at instant: Duration) {
    guard let host = hosts[name] else { return }
    guard !host.isWaiting || isResting(host, at: instant) else { return }
    served.removeAll { $0 == name }
    if host.isWaiting { resting.append(name) }
  }

  /// Whether a host asked for more than the gap between two loads.
  private func isResting(_ host: Host, at instant: Duration) -> Bool {
    host.opens - instant > max(host.gap, limits.gap)
  }

  /// Gives the free places to the hosts whose pause is over, and to those that come next.
  private mutating func fill(at instant: Duration) {
    for name in resting where served.count < limits.hosts {
      guard let host = hosts[name], host.opens <= instant else { continue }
      resting.removeAll { $0 == name }
      served.append(name)
    }
    while served.count < limits.hosts, firstQueued < queued.count {
      let name = queued[firstQueued]
      firstQueued += 1
      guard let host = hosts[name], host.isWaiting, !served.contains(name), !resting.contains(name)
      else { continue }
      if isResting(host, at: instant) { resting.append(name) } else { served.append(name) }
    }
    if firstQueued > 256, firstQueued * 2 > queued.count {
      queued.removeFirst(firstQueued)
      firstQueued = 0
    }
    if hosts.count > mostHosts {
      // Of a host that has nothing to do and asks for nothing, nothing need be known.
      hosts = hosts.filter { _, host in
        host.isWaiting || host.running > 0 || host.gap > .zero || host.opens > instant
      }
      mostHosts = max(Self.fewHosts, hosts.count * 2)
    }
  }

  /// As many hosts are known without a look at which of them are over.
  private static var fewHosts: Int { 1000 }
}

/// How much is asked of sites at once.
package struct PaceLimits: Sendable, Equatable {
  /// How many loads run at a host.
  package var loadsPerHost = 2
  /// The time between the starts of two loads of one host.
  package var gap: Duration = .milliseconds(250)
  /// How many hosts have loads running.
  package var hosts = 8
  /// The longest gap that is granted to a host that asks for one.
  package var longestGap: Duration = .seconds(30)
  /// How long a busy host that does not say so is left alone the first time; then twice as long.
  package var backoff: Duration = .seconds(2)
  /// The longest pause that is waited for; loads of a host that asks for more are abandoned.
  package var patience: Duration = .seconds(15)

  /// Two loads at each of eight hosts, 250 ms apart.
  package init() {}
}
