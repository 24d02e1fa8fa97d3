@testable import Sandbox
@testable import Profiles
import Crawl
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Configuration
@testable import Library
@testable import Saving

/// Items that are read, and the calls of the read hook for them.
@Suite struct HookRunTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let feed = "http://a.example/feed"

  init() throws {
    files = try TestProfile()
  }

  private static func key(_ number: Int) -> String { "http://a.example/\(number)" }

  private func settings(_ change: (inout Settings) -> Void = { _ in }) throws -> Settings {
    var settings = Settings()
    settings.hooks.readCommand = HookCommand(line: "mark-read")
    change(&settings)
    return settings
  }

  /// Records items of a feed.
  private func add(_ numbers: ClosedRange<Int>, to profile: Profile) throws {
    try profile.library.record([LibraryChange(Self.feed, .feed, "")])
    for number in numbers {
      try profile.library.record([
        LibraryChange(Self.key(number), .item, Self.feed),
        LibraryChange(Self.key(number), .title, "Item \(number)"),
      ])
    }
  }

  private func read(_ numbers: ClosedRange<Int>, in profile: Profile) throws {
    let pages = try profile.library.pages(numbers.map(Self.key))
    try profile.library.record(profile.changes(markingRead: pages))
  }

  /// Runs a command that fails for the URLs of some numbers, and records its arguments.
  private func run(
    _ profile: Profile, at now: Date = Date(), failing: Set<Int> = []
  ) throws -> (report: HookReport, calls: [String]) {
    var arguments: [String] = []
    let failing = Set(failing.map(Self.key))
    let run = HookRun(profile.library) { url, title in
      arguments.append("\(url) \(title)")
      return failing.contains(url) ? .failed("exit status 1") : .succeeded
    }
    let report = try run.run(clock: { now })
    return (report, arguments)
  }

  @Test func `a read item is reported once, oldest first, and only if it is an item`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...2, to: profile)
    try profile.library.record([LibraryChange("http://a.example/other", .pinned, "")])
    try read(1...2, in: profile)
    let other = try profile.library.page("http://a.example/other")
    try profile.library.record(profile.changes(markingRead: [other]))
    #expect(try profile.library.page(Self.key(1)).readDate != nil)
    let (report, calls) = try run(profile)
    #expect(calls == ["http://a.example/1 Item 1", "http://a.example/2 Item 2"])
    #expect(report.succeededCount == 2 && report.failedCount == 0 && report.waitingCount == 0)
    let again = try run(profile)
    #expect(again.report.isEmpty && again.calls == [])
  }

  @Test func `without a command, or for another feed, no call waits`() throws {
    var profile = files.open(network)
    try add(1...2, to: profile)
    try read(1...1, in: profile)
    #expect(try profile.library.hookCalls() == [])
    profile.close()
    profile = files.open(
      network, settings: try settings { $0.hooks.feeds = ["http://b.example/*"] })
    try read(2...2, in: profile)
    #expect(try profile.library.hookCalls() == [])
    profile.close()
  }

  @Test func `a failed call is repeated after a pause, and its failures are counted`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...2, to: profile)
    try read(1...2, in: profile)
    let now = Date()
    let first = try run(profile, at: now, failing: [1]).report
    #expect(
      first.succeededCount == 1 && first.failedCount == 1 && first.waitingCount == 1
        && first.retriedCount == 1)
    #expect(first.firstFailures.map(\.url) == [Self.key(1)] && first.reason == "exit status 1")
    #expect(try run(profile, at: now.addingTimeInterval(60)).calls == [])
    let later = now.addingTimeInterval(301)
    let second = try run(profile, at: later, failing: [1])
    #expect(second.calls.count == 1 && second.report.failedCount == 1)
    #expect(second.report.firstFailures == [])
    #expect(try profile.library.hookCalls().first?.state.failure?.attempts == 2)
    let third = try run(profile, at: later.addingTimeInterval(601)).report
    #expect(third.succeededCount == 1 && third.waitingCount == 0)
  }

  @Test func `after three failures in a row the other calls wait, without counting as failed`()
    throws
  {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...6, to: profile)
    try read(1...6, in: profile)
    let (report, calls) = try run(profile, failing: Set(1...6))
    #expect(
      calls.count == 3 && report.failedCount == 3 && report.waitingCount == 6
        && report.retriedCount == 3)
  }

  @Test func `a call that always fails is abandoned, and can be discarded or made again`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...1, to: profile)
    try read(1...1, in: profile)
    let now = Date()
    let days = try (0..<30).map { day in
      try run(profile, at: now.addingTimeInterval(Double(day) * 86_401), failing: [1]).calls.count
    }
    #expect(days.reduce(0, +) == HookCall.State.maxAttempts && days.last == 0)
    let report = HookReport(try profile.library.hookCalls())
    #expect(report.abandonedCount == 1 && report.waitingCount == 0)
    // The user marks the item again.
    try read(1...1, in: profile)
    #expect(try profile.library.hookCalls().map(\.state) == [.waiting])
    try profile.library.discard(try profile.library.hookCalls())
    #expect(try profile.library.hookCalls() == [])
    #expect(try profile.library.page(Self.key(1)).readDate != nil)
  }

  @Test func `marking an item as unread removes its call`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...1, to: profile)
    try read(1...1, in: profile)
    try profile.library.mark([Self.key(1)], isRead: false)
    #expect(try profile.library.hookCalls() == [])
  }

  @Test func `an item that is marked as unread during a run is not reported`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...3, to: profile)
    try read(1...3, in: profile)
    var urls: [String] = []
    let run = HookRun(profile.library) { url, _ in
      urls.append(url)
      try? profile.library.mark([Self.key(2)], isRead: false)
      return .succeeded
    }
    let report = try run.run()
    #expect(
      urls == [Self.key(1), Self.key(3)] && report.succeededCount == 2 && report.waitingCount == 0)
  }

  @Test func `a call is discarded if it is own, and failed or never made`() {
    let failed = HookCall.State.failed(.init(attempts: 1, retryTime: 0, reason: "no"))
    func call(_ state: HookCall.State, isOwn: Bool) -> HookCall {
      HookCall(key: "k", url: "u", title: "", state: state, isFromThisDevice: isOwn)
    }
    for hasCommand in [true, false] {
      #expect(call(failed, isOwn: true).isDiscardable(hasCommand: hasCommand))
      #expect(!call(failed, isOwn: false).isDiscardable(hasCommand: hasCommand))
      #expect(call(.waiting, isOwn: true).isDiscardable(hasCommand: hasCommand) != hasCommand)
    }
  }

  @Test func `an interrupted call waits, and ends the run`() throws {
    let profile = files.open(network, settings: try settings())
    defer { profile.close() }
    try add(1...2, to: profile)
    try read(1...2, in: profile)
    var count = 0
    let run = HookRun(profile.library) { _, _ in
      count += 1
      return .interrupted
    }
    let report = try run.run()
    #expect(
      count == 1 && report.failedCount == 0 && report.waitingCount == 2 && report.retriedCount == 0)
  }

  @Test func `calls survive a kill, and the call during which it happened is made again`() throws {
    var calls: [String] = []
    let first = files.open(network, settings: try settings(), device: "desk")
    try add(1...2, to: first)
    try read(1...2, in: first)
    // The process ends in the second call: nothing of it is closed.
    let other = files.open(network, settings: try settings(), device: "desk")
    let run = HookRun(first.library) { url, _ in
      guard url == Self.key(2) else { return .succeeded }
      calls = (try? other.library.hookCalls().map(\.key)) ?? []
      return .interrupted
    }
    _ = try run.run()
    #expect(calls == [Self.key(2)])
    #expect(try self.run(other).calls == ["http://a.example/2 Item 2"])
    other.close()
    first.close()
  }

  /// Copies the journal of a device to another directory, as a synchroniser does.
  private func copyJournal(of device: String, from source: TestProfile, to target: TestProfile)
    throws
  {
    let (source, target) = (
      source.directory.appendingPathComponent("library"),
      target.directory.appendingPathComponent("library")
    )
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
      .filter { $0.hasPrefix(device) }
    try #require(!names.isEmpty)
    for name in names {
      let copy = target.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: source.appendingPathComponent(name), to: copy)
    }
  }

  @Test func `of two devices, the one on which an item was read makes the call`() throws {
    let (deskFiles, boatFiles) = (try TestProfile(), try TestProfile())
    let desk = deskFiles.open(network, settings: try settings(), device: "desk")
    try add(1...2, to: desk)
    try read(1...2, in: desk)
    try copyJournal(of: "desk", from: deskFiles, to: boatFiles)
    let boat = boatFiles.open(network, settings: try settings(), device: "boat")
    let idle = try run(boat)
    #expect(idle.calls == [] && idle.report.otherDeviceCount == 2 && idle.report.waitingCount == 0)
    // The desk is switched off: the boat marks one item again.
    try read(1...1, in: boat)
    #expect(try run(boat).calls == ["http://a.example/1 Item 1"])
    try copyJournal(of: "boat", from: boatFiles, to: deskFiles)
    try desk.library.catchUp()
    #expect(try run(desk).calls == ["http://a.example/2 Item 2"])
    try copyJournal(of: "desk", from: deskFiles, to: boatFiles)
    try boat.library.catchUp()
    #expect(try boat.library.hookCalls() == [])
    desk.close()
    boat.close()
  }

  @Test func `a filter that marks items as read has calls, and a new item with its link has none`()
    throws
  {
    let profile = files.open(
      network,
      settings: try settings {
        var rule = FeedRule()
        (rule.terms, rule.action) = (["advert"], .read)
        $0.feeds = [rule]
      })
    defer { profile.close() }
    network.add(
      Self.feed,
      "<rss><channel><title>F</title><item><title>An advert</title><link>\(Self.key(1))</link>"
        + "</item><item><title>News</title><link>\(Self.key(2))</link></item></channel></rss>")
    for number in 1...2 { network.add(Self.key(number), "<title>\(number)</title><p>words") }
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(Self.feed, isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    #expect(try profile.library.hookCalls().map(\.key) == [Self.key(1)])
  }

  @Test func `nothing is called in a private session or with restricted settings`() throws {
    let locations = Locations(dataDirectory: files.directory.path, environment: [:])
    let hidden = Profile(
      locations: locations, shared: nil, settings: try settings(), transport: network,
      isPrivate: true)
    #expect(HookRun(in: hidden, isStopped: { false }) == nil)
    hidden.close()
    let restricted = files.open(network, settings: try settings { $0.restrictToSaved() })
    #expect(HookRun(in: restricted, isStopped: { false }) == nil)
    restricted.close()
    let open = files.open(network, settings: try settings())
    #expect(HookRun(in: open, isStopped: { false }) != nil)
    open.close()
  }
}
