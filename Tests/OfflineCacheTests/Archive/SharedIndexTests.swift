import Foundation
import Synchronization
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Changes by one process to the index while another one uses it.
@Suite struct SharedIndexTests {
  private let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private static func key(_ number: Int) -> String { "https://example.org/\(number)" }

  private func index(of archive: Archive) throws -> CaptureIndex {
    let index = archive.index.current
    return try #require(index)
  }

  /// Opens an archive on the same segments with a separate index, as on another device.
  private func elsewhere(
    _ device: String, files layer: any FileSystem = LocalFileSystem()
  ) -> Archive {
    Archive(
      location: ArchiveLocation(
        archive: files.location.archive,
        index: files.directory.appendingPathComponent("elsewhere/index.sqlite")),
      device: device, readOnly: false, segmentLimit: SegmentWriter.maxSegmentSize, files: layer)
  }

  /// How another process makes the index lose track of a part of a segment.
  enum Loss: CaseIterable {
    /// The segment is removed from the index by a process that is killed before reading it again.
    case forgotten
    /// The index is replaced by one built before the last pages were saved.
    case older
  }

  @Test(arguments: Loss.allCases)
  func `the next save reads again what the index has lost`(_ loss: Loss) throws {
    let saving = files.open()
    try saving.save("0", at: 0, key: Self.key(0))
    let otherArchive = files.open()
    let built = try index(of: otherArchive).copyInMemory()
    try saving.save("1", at: 1, key: Self.key(1))
    switch loss {
    case .forgotten:
      try index(of: otherArchive).forget(segment: try #require(try files.segments().first))
    case .older: try built.copy(to: try index(of: otherArchive))
    }
    try saving.save("2", at: 2, key: Self.key(2))
    for archive in [saving, otherArchive, files.open()] {
      for number in 0..<3 {
        #expect(try archive.captures(of: Self.key(number)).count == 1, "\(number)")
      }
    }
    #expect(try saving.summary().records == 4)
  }

  @Test func `a page removed from the index by another process can still be read`() throws {
    let archive = files.open()
    let stored = try archive.save("text", at: 0)
    let otherArchive = files.open()
    try index(of: otherArchive).forget(segment: try #require(try files.segments().first))
    #expect(try archive.text(stored) == "text")
  }

  @Test func `an index overwritten concurrently is overwritten by all`() throws {
    let archives = (0..<4).map { _ in files.open() }
    try archives[0].save("text", at: 0)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: archives.count) { number in
      for round in 0..<25 {
        do {
          try index(of: archives[number]).erase([], keys: [Self.key(round)])
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock(\.self) == [])
  }

  @Test func `a segment missing from a directory listing stays in the index`() throws {
    let layer = FaultyFileSystem()
    let archive = Archive(
      location: files.location, device: "m", readOnly: false, segmentLimit: 1 << 20,
      files: layer)
    let stored = try archive.save("text", at: 0)
    layer.hideInLists(try #require(try files.segments().first))
    try archive.catchUp()
    #expect(try archive.captures(of: stored.key) == [stored])
  }

  @Test func `a segment rewritten by its device loses no information from other devices`() throws {
    let theirs = files.open(device: "theirs")
    for number in 0..<3 { try theirs.save("\(number)", at: 0, key: Self.key(number)) }
    // The name sorts before theirs.
    let mine = elsewhere("mine")
    let stored = try #require(try mine.captures(of: Self.key(0)).first)
    let head = ResponseHead(
      status: 304, reason: "Not Modified",
      fields: FieldLines([FieldLines.Field("Content-Type", "text/html")]))
    let time = Archive.start + 60
    _ = try mine.refresh(stored, with: head, requestTime: time, responseTime: time)
    try mine.record(.init(date: Archive.start + 90, result: .status(503)), of: Self.key(2))
    let keys = [0, 2].map(Self.key)
    let snapshotBefore = try mine.snapshot(keys)
    #expect(snapshotBefore.map { $0.first?.lastCheck?.result } == [.unchanged, .status(503)])
    try theirs.remove(Self.key(1), now: Archive.start + 120)
    try mine.catchUp()
    #expect(try mine.snapshot(keys) == snapshotBefore)
    #expect(try mine.captures(of: Self.key(1)) == [])
    let (records, rebuilt) = (try mine.summary().records, elsewhere("other"))
    try rebuilt.rebuild()
    #expect(try rebuilt.snapshot(keys) == snapshotBefore)
    #expect(try rebuilt.summary().records == records)
  }

  @Test func `pages of a segment being read again stay available to others`() throws {
    let theirs = files.open(device: "theirs")
    try theirs.save("kept", at: 0, key: Self.key(0))
    let layer = FaultyFileSystem()
    let reading = elsewhere("mine", files: layer)
    let watching = elsewhere("mine")
    for step in 0..<8 {
      try theirs.save("gone", at: 1, key: Self.key(1))
      try theirs.remove(Self.key(1), now: Archive.start + 2)
      let found = Mutex<Int?>(nil)
      layer.beforeReading(step) {
        let count = try? watching.captures(of: Self.key(0)).count
        found.withLock { $0 = count }
      }
      try reading.catchUp()
      layer.beforeReading(.max) {}
      let count = found.withLock(\.self)
      #expect(count == nil || count == 1, "read \(step)")
      if step < 2 { #expect(count == 1) }
      #expect(try reading.captures(of: Self.key(0)).count == 1)
    }
  }

  @Test func `a response with a pending index row is found by a save of the same content`() throws {
    let archive = files.open()
    let spool = archive.makeSpool()
    spool.write(Array("the same page".utf8))
    let capture = Capture(
      key: "https://a.example/x", url: "https://a.example/x",
      response: ResponseHead(status: 200, reason: "OK"), requestTime: Archive.start,
      responseTime: Archive.start)
    let stored = try archive.append(capture, body: spool, isDeferred: true)
    let page = ReceivedPage(
      url: try #require(WebURL("https://b.example/y")), digest: stored.payloadDigest,
      savedDigest: nil, date: Archive.start + 1)
    #expect(try archive.recentPages(like: page).map(\.url.description) == [stored.key])
  }
}
