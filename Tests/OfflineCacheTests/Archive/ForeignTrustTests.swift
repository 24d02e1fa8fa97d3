import Foundation
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Limited trust in files that this device did not write.
@Suite struct ForeignTrustTests {
  private static let url = "http://example.org/a"
  private static let head =
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=315360000\r\nETag: \"1\"\r\n\r\n"
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private func drop(
    _ name: String, date: Date, kind: WARCRecord.Kind = .response, head: String = Self.head,
    _ text: String, fields: [(String, String)] = []
  ) throws {
    var record = WARCRecord(
      kind, date: date, targetURI: Self.url, contentType: "application/http;msgtype=response")
    for (name, value) in fields { record.fields[name] = value }
    var bytes: [UInt8] = []
    try WARCWriter().write(record, block: Array((head + text).utf8)) { bytes += $0 }
    try files.write(bytes, to: name)
  }

  @Test func `a copy records the file it comes from, also in a rebuilt index`() throws {
    try drop("other.warc.gz", date: Date(timeIntervalSince1970: 1_600_000_000), "theirs")
    for _ in 0..<2 {
      let archive = files.open()
      #expect(try archive.captures(of: Self.url).map(\.importedFile) == ["other.warc.gz"])
      archive.close()
      try files.removeIndex()
    }
  }

  @Test
  func `the source of a record from a web archive is named instead of its file`()
    throws
  {
    let source = "https://archive.test/web/20200913id_/http://example.org/a"
    try drop(
      "import-1.warc.gz", date: Date(timeIntervalSince1970: 1_600_000_000), "theirs",
      fields: [("WARC-Source-URI", source)])
    try drop("memento-bank.test-20200914000000-00ff.warc.gz", date: Date(), "nobody's")
    for _ in 0..<2 {
      let archive = files.open()
      #expect(try archive.captures(of: Self.url).map(\.sourceURI) == [nil, source])
      archive.close()
      try files.removeIndex()
    }
  }

  @Test func `a resource record is copied as such, also from an uncompressed file`() throws {
    for isPacked in [true, false] {
      let name = isPacked ? "a.warc.gz" : "b.warc"
      let url = "http://example.org/\(name)"
      var bytes: [UInt8] = []
      let record = WARCRecord(
        .resource, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: url,
        contentType: "text/plain")
      try WARCWriter(compression: isPacked ? .gzip(level: 6) : .none)
        .write(record, block: Array("text".utf8)) { bytes += $0 }
      try files.write(bytes, to: name)
      let archive = files.open()
      let stored = try #require(try archive.captures(of: url).first)
      #expect(try archive.record(of: stored)?.kind == .resource)
      let member = try archive.member(of: stored)
      #expect((member == nil) == !isPacked && member?.response == nil)
      var copy: [UInt8] = []
      try member?.copy { copy += $0 }
      #expect(!isPacked || copy == bytes)
      archive.close()
    }
  }

  @Test func `no date is later than the file's arrival, and a future date replaces nothing`()
    throws
  {
    let archive = files.open()
    let ownVersion = try archive.save("ours", at: 0, key: Self.url)
    try drop("future.warc.gz", date: Date().addingTimeInterval(3e8), "theirs")
    try drop("today.warc.gz", date: Date().addingTimeInterval(600), "a clock that is ahead")
    try archive.catchUp()
    let all = try archive.captures(of: Self.url)
    #expect(all.allSatisfy { max($0.contentDate, $0.responseTime) <= Date().addingTimeInterval(2) })
    #expect(all.map(\.importedFile) == ["today.warc.gz", nil, "future.warc.gz"])
    #expect(all[1].id == ownVersion.id)
  }

  @Test(arguments: [(1_767_225_600_000, true), (1_600_000_000_000, false), (0, false)])
  func `dates are not compared with the arrival at a time when the clock was not set`(
    _ arrival: Int64, _ isReplaced: Bool
  ) {
    let date = Date(milliseconds: arrival + 3_000_000_000)
    let event = ArchiveEvent.invalidation(date, key: Self.url)
    let end = Date(milliseconds: arrival)
    #expect(
      event.withPlausibleDates(seen: arrival)
        == .invalidation(isReplaced ? end : date, key: Self.url))
  }

  @Test func `a version of a device whose clock is ahead has the date that its server stated`()
    throws
  {
    let archive = files.open()
    let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let ownVersion = try archive.save("ours", at: 0, key: Self.url)
    let ahead = now.addingTimeInterval(10 * 86_400)
    let dates = [("newer", now), ("older", Date(timeIntervalSince1970: 0)), ("bad", ahead)]
    for (name, date) in dates {
      try drop(
        "\(name).warc.gz", date: ahead,
        head: "HTTP/1.1 200 OK\r\nDate: \(HTTPDate.format(date))\r\n\r\n", name)
    }
    try drop(
      "next.warc.gz", date: now.addingTimeInterval(-1), "saved after the clock was corrected",
      fields: [("Offread-Order", WARCDate.text(milliseconds: ahead.milliseconds + 1))])
    try archive.catchUp()
    let all = try archive.captures(of: Self.url)
    #expect(all.map(\.importedFile).prefix(3) == ["newer.warc.gz", "next.warc.gz", nil])
    #expect(all.count == 5 && all[2].id == ownVersion.id)
    #expect(all[0].contentDate == now && all[0].responseTime == now)
  }

  @Test(arguments: [true, false])
  func `a device rejects versions in imported files, but not those of another device`(
    _ isImported: Bool
  ) throws {
    let ownLocation = ArchiveLocation(
      archive: files.location.archive,
      index: files.directory.appendingPathComponent("other/index.sqlite"))
    func other() -> Archive {
      Archive(
        location: ownLocation, device: "b", mayRemove: { _ in true }, readOnly: false,
        segmentLimit: SegmentWriter.maxSegmentSize)
    }
    if isImported {
      try drop("import-1.warc.gz", date: Date(timeIntervalSince1970: 1_600_000_000), "theirs")
    } else {
      let archive = other()
      try archive.save("ours", at: 0, key: Self.url)
      archive.close()
    }
    let archive = files.open(device: "a")
    let captures = try #require(try archive.captures(of: Self.url).first)
    try archive.markUntrusted(captures, reason: .errorPage, at: Date())
    archive.close()
    for _ in 0..<2 {
      let archive = other()
      try archive.catchUp()
      let stored = try #require(try archive.captures(of: Self.url).first)
      #expect(stored.rejectionReason == (isImported ? .errorPage : nil))
      // The result does not depend on the order in which the records are read.
      try archive.rebuild()
      archive.close()
    }
  }

  @Test func `a copy confirmed by the server becomes our own and stays so`() throws {
    try drop("other.warc.gz", date: Date(timeIntervalSince1970: 1_600_000_000), "theirs")
    let archive = files.open()
    let captures = try #require(try archive.captures(of: Self.url).first)
    var head = captures.response
    head.fields["Cache-Control"] = "max-age=60"
    let now = Date()
    let confirmed = try archive.refresh(captures, with: head, requestTime: now, responseTime: now)
    #expect(confirmed.importedFile == nil && confirmed.id == captures.id)
    try drop(
      "revisit.warc.gz", date: now, kind: .revisit, "",
      fields: [
        ("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified"),
        ("WARC-Refers-To", "<urn:uuid:\(captures.id)>"), ("Offread-Head", "complete"),
      ])
    try archive.catchUp()
    for _ in 0..<2 {
      let stored = try #require(try archive.captures(of: Self.url).first)
      #expect(stored.importedFile == nil)
      #expect(stored.response.fields["Cache-Control"] == "max-age=60")
      #expect(stored.responseTime.milliseconds == now.milliseconds)
      // The result does not depend on the order in which the records are read.
      try archive.rebuild()
    }
  }
}
