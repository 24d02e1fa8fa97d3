import Foundation
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite struct ArchiveTests {
  let files: TemporaryArchive
  let archive: Archive
  let key = "https://example.org/"

  init() throws {
    files = try TemporaryArchive()
    archive = files.open()
  }

  @Test func `a saved response is found, with its codings removed and its length corrected`() throws
  {
    let stored = try archive.save(
      "hello", at: 0,
      fields: [
        ("Content-Type", "text/plain"), ("Content-Encoding", "gzip, br"), ("content-length", "999"),
        ("Transfer-Encoding", "chunked"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2"),
        ("X-Odd", "caf\u{e9} \u{fc}"),
      ], varying: [VaryingField(name: "accept", value: nil)])
    #expect(try archive.captures(of: key) == [stored])
    #expect(try archive.text(stored) == "hello")
    #expect(stored.response.status == 200)
    #expect(
      stored.response.fields.lines.map { "\($0.name): \($0.value)" } == [
        "Content-Type: text/plain", "Content-Length: 5", "X-Odd: café ü",
      ])
    #expect(stored.length == 5)
    #expect(stored.contentDate == Archive.start)
    #expect(stored.requestTime == Archive.start.addingTimeInterval(-0.25))
    #expect(stored.varying == [VaryingField(name: "accept", value: nil)])
    #expect(UUID(uuidString: stored.id) != nil)
    let location = try #require(archive.location(of: stored))
    #expect(location.file.lastPathComponent == "m-20261121-000001.warc.gz")
    #expect(location.offset > 0)
    #expect(archive.warning == nil)
    #expect(archive.takeNotices().isEmpty)
  }

  @Test func `repeated content replaces versions in between by the time it was seen`() throws {
    func version(_ id: String, _ content: Double, _ seen: Double, order: Int64) -> ArchivedVersion {
      let start = Archive.start
      let stored = StoredResponse(
        id: id, key: key, response: ResponseHead(status: 200),
        requestTime: start.addingTimeInterval(seen), responseTime: start.addingTimeInterval(seen),
        contentDate: start.addingTimeInterval(content))
      let location = RecordReference(
        segment: "s", position: WARCPosition(offset: order), record: id)
      return ArchivedVersion(stored: stored, order: order, location: location)
    }
    let versions = ArchivedVersion.sortedWithChecks([
      version("b", 100, 100, order: 1), version("a", 0, 200, order: 2),
    ])
    #expect(versions.map(\.stored.id) == ["a", "b"])
    let check = StoredResponse.Check(
      date: Archive.start.addingTimeInterval(200), result: .replaced)
    #expect(versions.map(\.stored.lastCheck) == [nil, check])
  }

  @Test func `an unknown content coding stays in the header`() throws {
    let stored = try archive.save("x", at: 0, fields: [("Content-Encoding", "gzip, aes128")])
    #expect(stored.response.fields["Content-Encoding"] == "gzip, aes128")
  }

  @Test(arguments: ["text/html", "image/png"])
  func `long content is spooled to a file and read back in chunks`(_ type: String) throws {
    let bytes = (0..<3_300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
    let spool = archive.makeSpool()
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      spool.write(Array(bytes[start..<min(bytes.count, start + 100_000)]))
    }
    let fields = FieldLines([FieldLines.Field("Content-Type", type)])
    let stored = try archive.append(
      Capture(
        key: key, url: key, response: ResponseHead(status: 200, fields: fields),
        requestTime: Archive.start, responseTime: Archive.start), body: spool)
    let body = try archive.body(of: stored)
    var readBytes: [UInt8] = []
    while let chunk = try body.next() {
      #expect((1...65_536).contains(chunk.count))
      readBytes += chunk
    }
    #expect(readBytes == bytes)
    #expect(try files.segments().count == 1)
  }

  @Test func `empty content is saved`() throws {
    let stored = try archive.save("", at: 0)
    #expect(try archive.body(of: stored).rest().isEmpty)
    #expect(stored.response.fields["Content-Length"] == "0")
  }

  @Test func `the same content again is the same version with a new check date`() throws {
    let first = try archive.save("hello", at: 0)
    let secondVersion = try archive.save("hello", at: 60, fields: [("ETag", "\"2\"")])
    #expect(secondVersion.id == first.id)
    #expect(secondVersion.contentDate == first.contentDate)
    #expect(secondVersion.responseTime == Archive.start.addingTimeInterval(60))
    #expect(secondVersion.response.fields["ETag"] == "\"2\"")
    #expect(
      secondVersion.lastCheck
        == StoredResponse.Check(date: secondVersion.responseTime, result: .unchanged))
    #expect(try archive.captures(of: key) == [secondVersion])
    #expect(try archive.text(secondVersion) == "hello")
  }

  @Test(arguments: [(0, true), (nil, false), (-900, false)] as [(Double?, Bool)])
  func `content that a wrong clock dated has a right date once it is received again`(
    _ serverDay: Double?, _ isNewVersion: Bool
  ) throws {
    let first = try archive.save("hello", at: 400 * 86_400)
    let fields = serverDay.map {
      [("Date", HTTPDate.format(Archive.start.addingTimeInterval($0 * 86_400)))]
    }
    let second = try archive.save("hello", at: 0, fields: fields ?? [])
    #expect((second.id != first.id) == isNewVersion)
    #expect(try archive.captures(of: key).first?.id == second.id)
    #expect((second.contentDate == Archive.start) == isNewVersion)
  }

  @Test func `the same content of another variant, status or trust level is another version`()
    throws
  {
    try archive.save("hello", at: 0)
    let german = [VaryingField(name: "accept-language", value: "de")]
    try archive.save("hello", at: 1, varying: german)
    try archive.save("hello", at: 2, status: 404)
    try archive.save("hello", at: 3, rejectionReason: .signInPage)
    #expect(try archive.captures(of: key).count == 4)
  }

  @Test func `content that returns after a change is a new version`() throws {
    let texts = ["one", "two", "one"]
    for (index, text) in texts.enumerated() { try archive.save(text, at: Double(index)) }
    #expect(try archive.captures(of: key).map { try archive.text($0) } == texts.reversed())
  }

  @Test func `a 304 updates the header fields and keeps content, id and date`() throws {
    let first = try archive.save("hello", at: 0, fields: [("ETag", "\"1\""), ("Age", "5")])
    var head = first.response
    head.fields["Cache-Control"] = "max-age=60"
    head.fields["Age"] = nil
    let times = (Archive.start.addingTimeInterval(99), Archive.start.addingTimeInterval(100))
    let refreshed = try archive.refresh(
      first, with: head, requestTime: times.0, responseTime: times.1)
    #expect(refreshed.id == first.id)
    #expect(refreshed.response == head)
    #expect(refreshed.contentDate == first.contentDate)
    #expect(refreshed.requestTime == times.0)
    #expect(refreshed.responseTime == times.1)
    #expect(refreshed.lastCheck == StoredResponse.Check(date: times.1, result: .unchanged))
    #expect(try archive.captures(of: key) == [refreshed])
    #expect(try archive.text(refreshed) == "hello")
  }

  @Test func `a failed check is recorded without changing the date of the content`() throws {
    let first = try archive.save("hello", at: 0)
    let failure = TransportFailure(.hostNotFound, "no such host: example.org")
    let check = StoredResponse.Check(
      date: Archive.start.addingTimeInterval(9), result: .failed(failure))
    try archive.record(check, of: key)
    try archive.record(check, of: "https://example.org/never-saved")
    let stored = try #require(try archive.captures(of: key).first)
    #expect(stored.lastCheck == check)
    #expect(stored.contentDate == first.contentDate)
    #expect(stored.responseTime == first.responseTime)
  }

  @Test func `a later response counts as a check of the good version before it`() throws {
    try archive.save("good", at: 0)
    try archive.save("gone", at: 1, status: 404)
    #expect(try archive.captures(of: key).map(\.isGood) == [false, true])
    #expect(try archive.captures(of: key)[1].lastCheck?.result == .status(404))
    try archive.save("sign in", at: 2, rejectionReason: .signInPage)
    #expect(try archive.captures(of: key)[2].lastCheck?.result == .suspect(.signInPage))
    try archive.save("better", at: 3)
    let versions = try archive.captures(of: key)
    #expect(try versions.map { try archive.text($0) } == ["better", "sign in", "gone", "good"])
    #expect(versions[3].lastCheck?.result == .replaced)
    #expect(versions[0].lastCheck == nil)
  }

  @Test func `a clock that was set back does not make an older version the newest`() throws {
    try archive.save("one", at: 1000)
    let second = try archive.save("two", at: -90_000)
    try archive.save("three", at: -90_000)
    #expect(second.contentDate == Archive.start.addingTimeInterval(-90_000))
    #expect(
      try archive.captures(of: key).map { try archive.text($0) } == ["three", "two", "one"])
  }

  @Test func `versions are found by a prefix of their id`() throws {
    let first = try archive.save("one", at: 0)
    let second = try archive.save("two", at: 1)
    let otherVersion = try archive.save("x", at: 2, key: "https://example.org/x")
    for stored in [first, second, otherVersion] {
      let prefix = String(stored.id.prefix(20)).uppercased()
      #expect(try archive.capture(id: prefix, of: nil)?.id == stored.id)
      #expect(try archive.capture(id: prefix, of: stored.key)?.id == stored.id)
    }
    #expect(try archive.capture(id: otherVersion.id, of: key) == nil)
    #expect(try archive.capture(id: "", of: nil) == nil)
    #expect(try archive.capture(id: "zzz", of: nil) == nil)
  }

  @Test func `the saved pages of a host are listed once each`() throws {
    for (index, path) in ["a", "b", "a", "c"].enumerated() {
      try archive.save("\(index)", at: Double(index), key: "https://example.org:8443/\(path)")
    }
    try archive.save("other", at: 9, key: "https://example.com/")
    try archive.save("gone", at: 10, key: "https://example.org/gone", status: 410)
    let keys = try archive.keys(host: "Example.org", limit: 10).map(\.key)
    #expect(keys == ["c", "a", "b"].map { "https://example.org:8443/\($0)" })
    #expect(try archive.keys(host: "example.org", limit: 1).count == 1)
    #expect(try archive.keys(host: "nowhere", limit: 10).isEmpty)
    let requestedKeys = keys + ["https://example.org/gone", "https://example.com/", "x"]
    #expect(try archive.contains(requestedKeys) == Set(keys + ["https://example.com/"]))
  }

  @Test func `versions are found and removed by URL, in any written form`() throws {
    let stored = try archive.save("a", at: 0, key: "https://example.org/a")
    try archive.save("b", at: 1, key: "https://example.org/b")
    let url = try #require(WebURL("HTTPS://example.org:443/x/../a#part"))
    let other = try #require(WebURL("https://example.org/c"))
    #expect(try archive.captures(of: url).map(\.id) == [stored.id])
    #expect(try archive.capture(id: String(stored.id.prefix(8)), of: url)?.id == stored.id)
    #expect(try archive.contains([url, other]) == [url])
    let removals = try archive.remove([url, other], now: Archive.start + 9)
    #expect(removals.map(\.versions) == [1, 0])
    #expect(try archive.captures(of: url).isEmpty)
    #expect(try archive.captures(of: "https://example.org/b").count == 1)
  }

  @Test func `files are accessible only to the user, and closing leaves no log behind`() throws {
    try archive.save("hello", at: 0)
    try archive.sync()
    archive.close()
    let manager = FileManager.default
    func mode(_ url: URL) throws -> Int? {
      try manager.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    #expect(try mode(files.location.archive) == 0o700)
    #expect(try mode(files.location.index.deletingLastPathComponent()) == 0o700)
    #expect(try mode(files.location.index) == 0o600)
    #expect(try mode(files.segment(try #require(try files.segments().first))) == 0o600)
    let left = try manager.contentsOfDirectory(
      atPath: files.location.index.deletingLastPathComponent().path)
    #expect(left == ["index.sqlite"])
    #expect(try manager.contentsOfDirectory(atPath: files.location.archive.path).count == 1)
  }

  @Test func `a closed archive throws an error`() throws {
    archive.close()
    archive.close()
    #expect(throws: ArchiveError.unreadable("the archive is closed")) {
      try archive.captures(of: key)
    }
    #expect(throws: ArchiveError.self) { try archive.save("x", at: 0) }
  }

  @Test func `new segments are begun at the size limit, and all are read`() throws {
    let small = try TemporaryArchive()
    let archive = small.open(device: "my laptop/1", segmentLimit: 2000)
    for index in 0..<20 { try archive.save("\(index)", at: Double(index) * -9000) }
    let names = try small.segments()
    #expect(names.count > 2)
    #expect(names.allSatisfy { $0.hasPrefix("my_laptop_1-20261121-00000") })
    #expect(
      try archive.captures(of: key).map { try archive.text($0) }
        == (0..<20).reversed().map { "\($0)" })
  }
}
