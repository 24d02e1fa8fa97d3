import Crawl
import Foundation
import OfflineCache
import Profiles
import TestNetwork
import Testing

@testable import Configuration
@testable import Library
@testable import Saving

/// Runs that fetch enclosures, from a network in memory.
@Suite struct EnclosureFetcherTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  private func open() -> Profile {
    var rule = FeedRule()
    rule.enclosures = .audio
    var settings = Settings()
    settings.feeds = [rule]
    return files.open(network, settings: settings)
  }

  /// Records an unread item of the feed of a host with a waiting enclosure.
  private func add(_ host: String, date: Double = 1, to profile: Profile) throws -> EnclosureRecord
  {
    let (feed, item) = ("http://\(host)/feed", "http://\(host)/1")
    try profile.library.record([
      LibraryChange(feed, .feed, ""), LibraryChange(item, .item, feed),
    ])
    let record = EnclosureRecord(
      url: "http://\(host)/1.mp3", feed: feed, item: item, mediaType: "audio/mpeg",
      date: Date(timeIntervalSince1970: date))
    try profile.enclosures.save(record)
    return record
  }

  private func addPart(to record: EnclosureRecord, in profile: Profile) throws {
    var record = record
    (record.size, record.flushed) = (9, 3)
    (record.source, record.validator) = (record.url, "\"a\"")
    try profile.enclosures.openPart(of: record).write([1, 2, 3], at: 0)
    try profile.enclosures.save(record)
  }

  private func fetch(_ profile: Profile, at now: Date = Date()) -> EnclosureReport {
    EnclosureFetcher(profile, options: LoadOptions(), now: now).run()
  }

  @Test(arguments: ["ETag", "Last-Modified"])
  func `long fields of one server do not stop the enclosures of other feeds`(_ field: String)
    throws
  {
    let profile = open()
    defer { profile.close() }
    _ = try add("a.example", date: 2, to: profile)
    _ = try add("b.example", to: profile)
    let long = "\"" + String(repeating: "x", count: 66_000) + "\""
    network.add("http://a.example/1.mp3", "sound", fields: [(field, long)], type: "audio/mpeg")
    network.add("http://b.example/1.mp3", "sound", type: "audio/mpeg")
    let report = fetch(profile)
    #expect(report.fetchedCount == 2 && report.problem == nil, "\(report)")
  }

  @Test func `without a network, partial files stay`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    try addPart(to: record, in: profile)
    network.setDown(true)
    for _ in 0..<5 { #expect(fetch(profile).fetchedCount == 0) }
    let stored = try #require(try profile.enclosures.contents().records.first)
    #expect(try stored.validator == "\"a\"" && profile.enclosures.storedSize(of: stored) == 3)
    #expect(stored.failedResumptions == 0 && stored.retryAfter == nil)
  }

  @Test func `a source that is gone is given up after three attempts of runs with a network`()
    throws
  {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    try addPart(to: record, in: profile)
    network.add(record.url, "busy", status: 503)
    for _ in 0..<3 { _ = fetch(profile) }
    #expect(try profile.enclosures.contents().records.first?.validator == nil)
  }

  @Test func `a waiting file of an item that was read is dropped, unless the page is pinned`()
    throws
  {
    let profile = open()
    defer { profile.close() }
    let (read, pinned) = (
      try add("a.example", to: profile), try add("b.example", to: profile)
    )
    try addPart(to: read, in: profile)
    network.add(pinned.url, "sound", type: "audio/mpeg")
    try profile.library.mark([read.item, pinned.item], isRead: true)
    try profile.library.record([LibraryChange(pinned.item, .pinned, "")])
    #expect(try EnclosureStatus.all(in: profile).map(\.record) == [pinned])
    let fetcher = EnclosureFetcher(profile, options: LoadOptions())
    #expect(try fetcher.dueCount() == 1 && fetcher.run().fetchedCount == 1)
    #expect(network.requests == [pinned.url])
    #expect(try profile.enclosures.contents().records.map(\.url) == [pinned.url])
  }

  @Test func `the files of a requested item come first, also if it is read or they failed`() throws
  {
    let profile = open()
    defer { profile.close() }
    var requested = try add("a.example", date: 1, to: profile)
    _ = try add("b.example", date: 2, to: profile)
    let read = try add("c.example", date: 3, to: profile)
    for host in ["a", "b", "c"] {
      network.add("http://\(host).example/1.mp3", "sound", type: "audio/mpeg")
    }
    (requested.state, requested.failure) = (.failed, "the server responded with 404")
    requested.retryAfter = Int64(Date().timeIntervalSince1970) + 86_400
    try profile.enclosures.save(requested)
    try profile.library.mark([requested.item, read.item], isRead: true)
    let options = LoadOptions()
    #expect(try EnclosureFetcher(profile, options: options).dueCount() == 1)
    let fetcher = EnclosureFetcher(profile, first: requested.item, options: options)
    #expect(try fetcher.dueCount() == 2)
    let report = fetcher.run()
    #expect(report.fetchedCount == 2 && report.failedEarlierCount == 0, "\(report)")
    #expect(network.requests == ["http://a.example/1.mp3", "http://b.example/1.mp3"])
  }

  @Test func `a requested file of a read item is continued by the next run after it was stopped`()
    throws
  {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    network.add(record.url, "sound", type: "audio/mpeg")
    try profile.library.mark([record.item], isRead: true)
    let requesting = EnclosureFetcher(profile, first: record.item, options: LoadOptions())
    let stopped = requesting.run { _ in false }
    #expect(stopped.isInterrupted && stopped.waitingCount == 1, "\(stopped)")
    #expect(try EnclosureStatus.all(in: profile).map(\.state) == [.waiting])
    #expect(fetch(profile).fetchedCount == 1)
    #expect(try profile.enclosures.contents().records.map(\.isRequested) == [nil])
  }

  @Test func `a requested file of a read item that fails for good is not requested again`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    network.add(record.url, "gone", status: 404)
    try profile.library.mark([record.item], isRead: true)
    let requesting = EnclosureFetcher(profile, first: record.item, options: LoadOptions())
    #expect(requesting.run().failures.count == 1)
    #expect(try EnclosureFetcher(profile, options: LoadOptions()).dueCount() == 0)
  }

  @Test(arguments: ["http://a.example/2", "", "no URL"])
  func `a request for an unknown item changes nothing`(_ item: String) throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    network.add(record.url, "sound", type: "audio/mpeg")
    let fetcher = EnclosureFetcher(profile, of: [record.feed], first: item, options: LoadOptions())
    #expect(fetcher.run().fetchedCount == 1)
  }

  @Test func `the texts of a report name each kind of result once`() {
    var report = EnclosureReport()
    #expect(report.summaryLines.isEmpty && report.failureLines.isEmpty)
    (report.fetchedCount, report.bytes, report.waitingCount) = (2, 6000, 1)
    #expect(
      report.summaryLines == [
        "2 enclosures fetched; 6 kB", "1 enclosure not fetched yet; offread sync continues",
      ])
    let record = EnclosureRecord(
      url: "http://u:p@a.example/1.mp3", feed: "", item: "", mediaType: "", date: Date())
    report.failures = [.init(record: record, reason: .unsupportedMediaType("text/\u{1B}x"))]
    (report.problem, report.isBusy, report.damagedCount) = ("disk full\n", true, 2)
    let lines = report.failureLines
    #expect(lines.count == 4 && !lines.joined().unicodeScalars.contains { $0.value < 32 })
    #expect(!lines[0].contains("u:p"))
    #expect(lines[3] == "2 records of enclosures cannot be read")
  }

  @Test func `an enclosure that is removed during its transfer stays removed`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", date: 2, to: profile)
    let other = try add("b.example", to: profile)
    for url in [record.url, other.url] { network.add(url, "sound", type: "audio/mpeg") }
    let report = EnclosureFetcher(profile, options: LoadOptions()).run { progress in
      if progress.number == 1 { try? profile.enclosures.remove([record]) }
      return true
    }
    #expect(report.problem == nil && report.fetchedCount == 1 && report.isComplete, "\(report)")
    #expect(try profile.enclosures.contents().records.map(\.url) == [other.url])
  }

  @Test func `a page is requested again after a day, then after a week`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", to: profile)
    network.add(record.url, "<p>sign in")
    let now = Date()
    for (days, count) in [(0.0, 1), (0.5, 1), (1.1, 2), (2.2, 2), (8.0, 2), (8.2, 3)] {
      _ = fetch(profile, at: now.addingTimeInterval(days * 86_400))
      #expect(network.requests.count == count, "\(days)")
    }
    // The clock was wrong.
    _ = fetch(profile, at: now.addingTimeInterval(-1000 * 86_400))
    #expect(network.requests.count == 4)
  }

  @Test func `a file that is known to be too large is not due`() throws {
    let profile = open()
    defer { profile.close() }
    var record = try add("a.example", to: profile)
    #expect(try EnclosureFetcher(profile, options: LoadOptions()).dueCount() == 1)
    record.size = 500_000_001
    try profile.enclosures.save(record)
    #expect(try EnclosureFetcher(profile, options: LoadOptions()).dueCount() == 0)
  }

  @Test func `the kind that the feed declares stays, and a playlist is refused`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", date: 2, to: profile)
    let other = try add("b.example", to: profile)
    network.add(record.url, "sound", type: "video/mp4")
    network.add(other.url, "#EXTM3U\nfile:///x", type: "application/octet-stream")
    let report = fetch(profile)
    #expect(report.fetchedCount == 1)
    #expect(report.failures.map(\.reason) == [.unsupportedMediaType("a playlist")])
    #expect(try profile.enclosures.contents().records.first?.kind == .audio)
  }

  @Test func `a file that the server declares as plain text is fetched unless it is text`() throws {
    let profile = open()
    defer { profile.close() }
    let record = try add("a.example", date: 2, to: profile)
    let other = try add("b.example", to: profile)
    network.add(record.url, "ID3\u{3}\u{0}\u{0}sound", type: "text/plain")
    network.add(other.url, "The file is not here.", type: "text/plain")
    let report = fetch(profile)
    #expect(report.fetchedCount == 1)
    #expect(report.failures.map(\.reason) == [.unsupportedMediaType("text/plain")])
  }

  @Test func `a transfer is too slow if few bytes arrive in five minutes`() {
    let start = ContinuousClock.now
    var pace = TransferPace(at: start)
    let (interval, minBytes) = (TransferPace.interval, TransferPace.minBytes)
    let tests = [
      pace.isTooSlow(received: 0, at: start + interval - .seconds(1)),
      pace.isTooSlow(received: minBytes, at: start + interval),
      pace.isTooSlow(received: minBytes, at: start + interval * 2 - .seconds(1)),
      pace.isTooSlow(received: 2 * minBytes - 1, at: start + interval * 2),
    ]
    #expect(tests == [false, false, false, true])
  }

  @Test func `a reserve of the disk stays free`() {
    #expect(
      FreeSpaceReserve.allows(5, of: FreeSpaceReserve.bytes + 5)
        && FreeSpaceReserve.allows(.max, of: nil))
    #expect(
      !FreeSpaceReserve.allows(6, of: FreeSpaceReserve.bytes + 5)
        && !FreeSpaceReserve.allows(0, of: 0))
    #expect(!FreeSpaceReserve.allows(.max, of: 0))
  }

  @Test(arguments: [EnclosurePolicy.Choice.audio, .none])
  func `enclosures that are not recorded are counted, if the settings select enclosures`(
    _ choice: EnclosurePolicy.Choice
  ) throws {
    var rule = FeedRule()
    rule.enclosures = choice
    var settings = Settings()
    settings.feeds = [rule]
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let long = String(repeating: "x", count: 8200)
    let enclosures = (1...51).map { "<enclosure url='/\($0).mp3' type='audio/mpeg'/>" }.joined()
    network.add(
      "http://a.example/feed",
      """
      <rss version='2.0'><channel><title>News</title>
      <item><title>1</title><link>http://a.example/1</link>\(enclosures)</item>
      <item><title>2</title><link>http://a.example/2</link>
      <enclosure url='/\(long).mp3' type='audio/mpeg'/><enclosure url='/a.mp4' type='video/mp4'/>
      </item></channel></rss>
      """)
    for number in 1...2 { network.add("http://a.example/\(number)", "<title>P</title><p>words") }
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest("http://a.example/feed", isNew: true)]
    request.pace.minGap = .zero
    let feeds = PageSaver(request, in: profile).collected().feeds
    #expect(feeds.map(\.newEnclosureCount) == [choice == .none ? 0 : 50])
    #expect(feeds.map(\.omittedEnclosureCount) == [choice == .none ? 0 : 2])
  }
}
