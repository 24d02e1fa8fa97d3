@testable import Crawl
import Foundation
import OfflineCache
import TestSupport
import Testing

@Suite struct SitePaceTests {
  private typealias Pace = SitePace<Int>

  /// The loads that start at a time, followed by the next waiting time.
  private func turns(_ pace: inout Pace, at milliseconds: Int) -> [String] {
    var tokens: [String] = []
    while true {
      switch pace.next(at: .milliseconds(milliseconds)) {
      case .start(let load, let host): tokens.append("\(host)\(load)")
      case .abandon(let load, let host, let until):
        tokens.append("-\(host)\(load) \(until.components.seconds)")
      case .wait(let until):
        let parts = until.components
        tokens.append("wait \(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)")
        return tokens
      case .waitForEnd: return tokens + ["wait"]
      case .done: return tokens + ["done"]
      }
    }
  }

  @Test func `two concurrent loads per host start 250 ms apart`() {
    var pace = Pace()
    for load in 1...3 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "wait 250"])
    #expect(turns(&pace, at: 249) == ["wait 250"])
    #expect(turns(&pace, at: 250) == ["a2", "wait"])
    #expect(turns(&pace, at: 900) == ["wait"])
    pace.ended(host: "a", at: .milliseconds(1000), .ended)
    #expect(turns(&pace, at: 1000) == ["a3", "wait"])
    #expect(pace.waitingCount == 0 && pace.running == 2)
    pace.ended(host: "a", at: .milliseconds(1100), .ended)
    pace.ended(host: "a", at: .milliseconds(1100), .ended)
    #expect(turns(&pace, at: 1100) == ["done"])
  }

  @Test func `the gap is measured between starts, even after a quick load`() {
    var pace = Pace()
    for load in 1...2 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "wait 250"])
    pace.ended(host: "a", at: .milliseconds(10), .ended)
    #expect(turns(&pace, at: 10) == ["wait 250"])
    #expect(turns(&pace, at: 250) == ["a2", "wait"])
    pace.ended(host: "a", at: .milliseconds(260), .ended)
    pace.add(3, host: "a")
    #expect(turns(&pace, at: 260) == ["wait 500"])
  }

  @Test func `there is no gap after a missing page`() {
    var pace = Pace()
    for load in 1...4 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "wait 250"])
    pace.ended(host: "a", at: .milliseconds(10), .missing)
    #expect(turns(&pace, at: 10) == ["a2", "wait 260"])
    pace.ended(host: "a", at: .milliseconds(20), .ended)
    #expect(turns(&pace, at: 20) == ["wait 260"])
    #expect(turns(&pace, at: 260) == ["a3", "wait 510"])
    // A gap requested by the host still applies.
    pace.setGap(.seconds(2), host: "a")
    pace.ended(host: "a", at: .milliseconds(270), .missing)
    #expect(turns(&pace, at: 270) == ["wait 510"])
  }

  @Test func `there is no gap after a load that needed no request`() {
    var pace = Pace()
    pace.setGap(.seconds(2), host: "a")
    for load in 1...3 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "wait"])
    pace.ended(host: "a", at: .zero, .unsent)
    #expect(turns(&pace, at: 0) == ["a2", "wait"])
    pace.ended(host: "a", at: .milliseconds(10), .ended)
    #expect(turns(&pace, at: 10) == ["wait 2000"])
  }

  @Test func `at most eight hosts are active, and the next starts when one is finished`() {
    var pace = Pace()
    for load in 1...2 {
      for host in "abcdefghij" { pace.add(load, host: String(host)) }
    }
    #expect(
      turns(&pace, at: 0) == ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "wait 250"])
    pace.ended(host: "c", at: .milliseconds(100), .ended)
    // The host has another load, so it stays active.
    #expect(turns(&pace, at: 100) == ["wait 250"])
    let second = Set(turns(&pace, at: 250))
    #expect(second == ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "wait"])
    pace.ended(host: "c", at: .milliseconds(300), .ended)
    #expect(turns(&pace, at: 300) == ["i1", "wait 550"])
    pace.ended(host: "a", at: .milliseconds(301), .ended)
    pace.ended(host: "a", at: .milliseconds(301), .ended)
    #expect(turns(&pace, at: 301) == ["j1", "wait 550"])
    #expect(pace.counts.first { $0.host == "i" }.map { [$0.waiting, $0.running] } == [1, 1])
  }

  @Test func `preferred loads and their hosts precede others, even after some are removed`() {
    var limits = PaceLimits()
    (limits.hosts, limits.minGap) = (1, .zero)
    var pace = Pace(limits)
    for load in 1...3 { pace.add(load, host: "a") }
    pace.add(4, host: "b")
    #expect(turns(&pace, at: 0) == ["a1", "a2", "wait"])
    pace.add(5, host: "a", isPreferred: true)
    pace.add(6, host: "c", isPreferred: true)
    pace.remove { $0 == 4 }
    pace.add(4, host: "b")
    #expect(pace.waitingCount == 4)
    for _ in 1...2 { pace.ended(host: "a", at: .zero, .ended) }
    #expect(turns(&pace, at: 0) == ["a5", "a3", "wait"])
    for _ in 1...2 { pace.ended(host: "a", at: .zero, .ended) }
    #expect(turns(&pace, at: 0) == ["c6", "wait"])
    pace.ended(host: "c", at: .zero, .ended)
    #expect(turns(&pace, at: 0) == ["b4", "wait"])
  }

  @Test func `finished hosts are forgotten, except for those that requested a gap`() {
    var pace = Pace()
    pace.setGap(.seconds(9), host: "slow")
    for load in 0..<20_000 {
      pace.add(load, host: "h\(load)")
      #expect(turns(&pace, at: load * 1000) == ["h\(load)\(load)", "wait"])
      pace.ended(host: "h\(load)", at: .seconds(load), .ended)
    }
    #expect(pace.knownHostCount < 3000)
    for load in 1...2 { pace.add(load, host: "slow") }
    #expect(turns(&pace, at: 30_000_000) == ["slow1", "wait"])
    pace.ended(host: "slow", at: .seconds(30_001), .ended)
    #expect(turns(&pace, at: 30_001_000) == ["wait 30009000"])
    #expect(pace.waitingHostCount == 0)
  }

  @Test func `a busy host is paused for the requested time, or otherwise longer each time`() {
    var pace = Pace()
    for load in 1...3 { pace.add(load, host: "a") }
    pace.add(9, host: "b")
    #expect(turns(&pace, at: 0) == ["a1", "b9", "wait 250"])
    pace.ended(host: "a", at: .milliseconds(100), .busy(retryAfter: .seconds(12)))
    pace.add(1, host: "a")
    #expect(turns(&pace, at: 100) == ["wait 12100"])
    #expect(turns(&pace, at: 12_100) == ["a2", "wait"])
    pace.ended(host: "a", at: .seconds(13), .busy(retryAfter: nil))
    #expect(turns(&pace, at: 13_000) == ["wait 17000"])
    // Only one load runs at a time until the host responds.
    #expect(turns(&pace, at: 17_000) == ["a3", "wait"])
    #expect(turns(&pace, at: 18_000) == ["wait"])
    pace.ended(host: "a", at: .seconds(18), .ended)
    #expect(turns(&pace, at: 18_000) == ["a1", "wait"])
  }

  @Test
  func `loads of a host that requests a too long pause are given up one by one`() {
    var pace = Pace()
    for load in 1...3 { pace.add(load, host: "a") }
    pace.add(7, host: "b")
    #expect(turns(&pace, at: 0) == ["a1", "b7", "wait 250"])
    pace.ended(host: "a", at: .milliseconds(50), .busy(retryAfter: .seconds(3600)))
    pace.add(1, host: "a")
    #expect(turns(&pace, at: 60) == ["-a2 3600", "-a3 3600", "-a1 3600", "wait"])
    pace.ended(host: "b", at: .seconds(1), .ended)
    #expect(turns(&pace, at: 1000) == ["done"])
  }

  @Test func `a paused host makes room for another one`() {
    var limits = PaceLimits()
    limits.hosts = 1
    var pace = Pace(limits)
    pace.add(1, host: "a")
    pace.add(2, host: "a")
    pace.add(1, host: "b")
    #expect(turns(&pace, at: 0) == ["a1", "wait 250"])
    pace.ended(host: "a", at: .milliseconds(10), .busy(retryAfter: .seconds(10)))
    #expect(turns(&pace, at: 10) == ["b1", "wait"])
    pace.ended(host: "b", at: .milliseconds(20), .ended)
    #expect(turns(&pace, at: 20) == ["wait 10010"])
    #expect(turns(&pace, at: 10_010) == ["a2", "wait"])
  }

  @Test func `a gap requested by a host is honoured up to a maximum, with one load at a time`() {
    var pace = Pace()
    pace.setGap(.seconds(5), host: "a")
    pace.setGap(.seconds(500), host: "b")
    for host in ["a", "b"] { for load in 1...2 { pace.add(load, host: host) } }
    #expect(turns(&pace, at: 0) == ["a1", "b1", "wait"])
    pace.ended(host: "a", at: .seconds(1), .ended)
    #expect(turns(&pace, at: 1000) == ["wait 5000"])
    pace.ended(host: "b", at: .seconds(1), .ended)
    #expect(turns(&pace, at: 5000) == ["a2", "wait 30000"])
  }

  @Test func `without a gap the allowed number of loads run concurrently`() {
    var limits = PaceLimits()
    limits.minGap = .zero
    limits.maxLoadsPerHost = 3
    var pace = Pace(limits)
    for load in 1...5 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "a2", "a3", "wait"])
  }

  @Test func `loads can be removed`() {
    var pace = Pace()
    for load in 1...3 { pace.add(load, host: "a") }
    #expect(turns(&pace, at: 0) == ["a1", "wait 250"])
    let taken = [pace.removeAll(host: "a"), pace.removeAll(host: "x")]
    #expect(taken == [[2, 3], []])
    #expect(turns(&pace, at: 300) == ["wait"])
    pace.ended(host: "a", at: .milliseconds(300), .ended)
    pace.add(4, host: "a")
    #expect(turns(&pace, at: 300) == ["a4", "wait"])
  }

  @Test func `in any order of events every load starts once, and no limit is exceeded`() {
    for seed in 0..<30 {
      var random = SplitMix64(seed: UInt64(seed))
      var pace = Pace()
      var now = Duration.zero
      var waitingLoads = Set(0..<400)
      var running: [String: Int] = [:]
      var lastStart: [String: Duration] = [:]
      for load in waitingLoads { pace.add(load, host: "h\(load % 23)") }
      var startedLoads: Set<Int> = []
      var steps = 0
      while !waitingLoads.isEmpty, steps < 100_000 {
        steps += 1
        switch pace.next(at: now) {
        case .start(let load, let host):
          #expect(startedLoads.insert(load).inserted)
          waitingLoads.remove(load)
          running[host, default: 0] += 1
          if let previousStart = lastStart[host] {
            #expect(now - previousStart >= .milliseconds(250))
          }
          lastStart[host] = now
          #expect(
            running.values.filter { $0 > 0 }.count <= 8 && running.values.allSatisfy { $0 <= 2 })
        case .abandon(let load, _, let until):
          #expect(until - now > .seconds(120))
          waitingLoads.remove(load)
        case .wait(let until):
          #expect(until > now)
          now = until
        case .waitForEnd: #expect(!running.isEmpty)
        case .done: #expect(waitingLoads.isEmpty)
        }
        if let host = running.keys.sorted().randomElement(using: &random),
          Bool.random(using: &random)
        {
          running[host] = (running[host] ?? 0) - 1
          if running[host] == 0 { running[host] = nil }
          now += .milliseconds(Int.random(in: 0...300, using: &random))
          let endings: [Pace.Ending] = [
            .ended, .ended, .ended, .busy(retryAfter: nil), .busy(retryAfter: .seconds(300)),
          ]
          pace.ended(host: host, at: now, endings.randomElement(using: &random) ?? .ended)
        }
      }
      #expect(waitingLoads.isEmpty && pace.waitingCount == 0)
    }
  }

  @Test(
    arguments: [
      ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("99999999999999999999", 604_800), ("-5", nil),
      ("1.5", nil), ("tomorrow", nil), ("", nil), ("\u{0}", nil),
    ] as [(String, Int?)])
  func `Retry-After is parsed as seconds or as a date`(_ field: String, _ seconds: Int?) {
    let now = Date(timeIntervalSince1970: 784_111_777)
    #expect(RetryAfter.delay(field, now: now) == seconds.map { .seconds($0) })
  }
}
