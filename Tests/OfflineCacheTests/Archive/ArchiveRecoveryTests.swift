import Foundation
import Synchronization
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite struct ArchiveRecoveryTests {
  let files: TemporaryArchive
  let key = "https://example.org/"
  let keys = ["https://example.org/", "https://example.org/b", "https://example.org/c?d=e"]

  init() throws {
    files = try TemporaryArchive()
  }

  /// Saves entries of every kind that an archive can contain.
  private func fill(_ archive: Archive) throws {
    let first = try archive.save(
      "one", at: 0.125, fields: [("ETag", "\"1\""), ("Content-Type", "text/html")],
      varying: [VaryingField(name: "accept", value: "a: b")])
    var head = first.response
    head.fields["ETag"] = "\"2\""
    head.fields["Content-Type"] = nil
    _ = try archive.refresh(
      first, with: head, requestTime: Archive.start, responseTime: Archive.start + 5)
    try archive.save("two", at: 10)
    try archive.save("two", at: 11, fields: [("X", "y")])
    try archive.save("gone", at: 12, status: 404)
    try archive.save("sign in", at: 13, rejectionReason: .signInPage)
    try archive.save("clock", at: -5000)
    try archive.save("moved", at: 1, key: keys[1], status: 301, fields: [("Location", "/c")])
    try archive.record(
      StoredResponse.Check(
        date: Archive.start + 50, result: .failed(TransportFailure(.timedOut, "30 s"))),
      of: keys[1])
    try archive.save("c", at: 2, key: keys[2])
  }

  @Test func `a deleted index is rebuilt identically`() throws {
    let archive = files.open(segmentLimit: 3000)
    try fill(archive)
    let snapshotBefore = try archive.snapshot(keys)
    #expect(snapshotBefore.map(\.count) == [5, 1, 1])
    archive.close()
    try files.removeIndex()
    let reopened = files.open()
    #expect(try reopened.snapshot(keys) == snapshotBefore)
    for stored in snapshotBefore.joined() { #expect(try !reopened.text(stored).isEmpty) }
    #expect(reopened.takeNotices().isEmpty)
    // An existing index is left unchanged.
    reopened.close()
    #expect(try files.open().snapshot(keys) == snapshotBefore)
  }

  @Test(arguments: ["garbage", "empty", "other tables", "flipped rows", "cut", "older"])
  func `a damaged index is rebuilt with a notice, and one of an earlier version silently`(
    _ damage: String
  ) throws {
    let archive = files.open()
    try fill(archive)
    for index in 0..<50 { try archive.save("\(index)", at: 99, key: keys[0] + "\(index)") }
    let snapshotBefore = try archive.snapshot(keys)
    archive.close()
    let index = files.location.index
    var bytes = [UInt8](try Data(contentsOf: index))
    switch damage {
    case "garbage": bytes = Array("this is no database, but it is long enough".utf8)
    case "empty": bytes = []
    case "other tables": bytes[60...63] = [0, 0, 0, 99]
    case "cut": bytes.removeLast(bytes.count / 2)
    // The pages have no checksums, as written by an earlier version.
    case "older": bytes[20] = 0
    default:
      let needle = Array("HTTP/1.1 200 Any".utf8)
      for location in 0..<bytes.count - needle.count
      where bytes[location] == needle[0]
        && bytes[location..<location + needle.count].elementsEqual(needle)
      {
        bytes[location + 9] = UInt8(ascii: "3")
      }
    }
    try Data(bytes).write(to: index)
    let reopened = files.open()
    #expect(try reopened.snapshot(keys) == snapshotBefore)
    let rebuilt = reopened.takeNotices().contains {
      if case .indexRebuilt = $0 { true } else { false }
    }
    #expect(rebuilt == (damage != "empty" && damage != "older"))
    reopened.close()
    #expect(files.open().takeNotices().isEmpty)
  }

  @Test func `a record that is appended while its segment is read is not damage`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    let name = try #require(try files.segments().first)
    let start = try files.bytes(of: name).count
    try archive.save("two", at: 1)
    try archive.save("three", at: 2)
    archive.close()
    let wholeBytes = try files.bytes(of: name)
    for count in stride(from: start + 1, to: wholeBytes.count, by: 23) {
      for readIndex in 0..<5 {
        try files.removeIndex()
        try files.write(Array(wholeBytes[..<count]), to: name)
        let layer = FaultyFileSystem()
        // The rest is appended during the read.
        layer.beforeReading(readIndex) { [files] in
          try? files.append(Array(wholeBytes[count...]), to: name)
        }
        let reading = Archive(
          location: files.location, device: "other", readOnly: false, segmentLimit: 1 << 20,
          files: layer)
        try reading.catchUp()
        let texts = try reading.captures(of: key).map { try reading.text($0) }
        #expect(texts == ["three", "two", "one"], "\(count) bytes, read \(readIndex)")
        #expect(reading.takeNotices().isEmpty, "\(count) bytes, read \(readIndex)")
        reading.close()
      }
    }
  }

  @Test func `a segment that another process creates in the meantime stays in the index`() throws {
    let writing = files.open()
    let layer = FaultyFileSystem()
    let saved = Mutex<StoredResponse?>(nil)
    layer.afterListing {
      saved.withLock { if $0 == nil { $0 = try? writing.save("one", at: 0) } }
    }
    let reading = Archive(
      location: files.location, device: "other", readOnly: false, segmentLimit: 1 << 20,
      files: layer)
    let savedTexts = saved.withLock { $0 }
    let one = try #require(savedTexts)
    #expect(try reading.snapshot([key]) == [[one]])
    #expect(try writing.captures(of: key) == [one])
    #expect(try writing.text(one) == "one")
  }

  @Test func `a process that found a segment empty does not remove it from the index`() throws {
    let archive = files.open()
    let firstVersion = try archive.save("one", at: 0)
    let name = try #require(try files.segments().first)
    let opened = archive.index.current
    let index = try #require(opened)
    var late = try #require(try index.segment(name))
    let first = late.firstRecordID
    #expect(first != nil)
    (late.indexedEnd, late.size, late.firstRecordID) = (0, 0, nil)
    try index.apply([], late, after: 0)
    let known = try #require(try index.segment(name))
    #expect(known.firstRecordID == first)
    #expect(known.indexedEnd == Int64(try files.bytes(of: name).count))
    try archive.catchUp()
    #expect(try archive.captures(of: key) == [firstVersion])
  }

  @Test func `a save killed after any byte loses nothing saved before`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    let firstVersion = try #require(try archive.captures(of: key).first)
    let name = try #require(try files.segments().first)
    let wholeBytes = try files.bytes(of: name)
    try archive.save("two", at: 1)
    let bytesOfBoth = try files.bytes(of: name)
    archive.close()
    for count in wholeBytes.count..<bytesOfBoth.count {
      try files.write(Array(bytesOfBoth[..<count]), to: name)
      let opened = files.open()
      #expect(try opened.captures(of: key) == [firstVersion], "\(count) bytes")
      #expect(try opened.text(firstVersion) == "one")
      #expect(try files.bytes(of: name) == wholeBytes)
      // The first index still refers to the second page.
      let isLost =
        count == wholeBytes.count
        && opened.takeNotices() == [
          .shortened(file: name, known: Int64(bytesOfBoth.count), size: Int64(wholeBytes.count))
        ]
      #expect(isLost || opened.takeNotices().isEmpty == (count == wholeBytes.count))
      if count % 20 == 0 {
        let three = try opened.save("three", at: 2)
        #expect(try opened.captures(of: key).map(\.id) == [three.id, firstVersion.id])
        #expect(try opened.text(three) == "three")
        // The index drops the second page before the next round, whose record may be shorter than
        // the rest of the second one.
        try files.write(wholeBytes, to: name)
        try opened.catchUp()
      }
      opened.close()
    }
    // The record was appended, but the process was killed before updating the index.
    try files.write(bytesOfBoth, to: name)
    let opened = files.open()
    #expect(try opened.captures(of: key).map { try opened.text($0) } == ["two", "one"])
  }

  @Test func `an incomplete record of another process is truncated before the next save`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    let name = try #require(try files.segments().first)
    let wholeBytes = try files.bytes(of: name)
    try files.append(Array(wholeBytes[..<60]), to: name)
    try archive.save("two", at: 1)
    #expect(try archive.captures(of: key).map { try archive.text($0) } == ["two", "one"])
    archive.close()
    try files.removeIndex()
    let reopened = files.open()
    #expect(try reopened.captures(of: key).map { try reopened.text($0) } == ["two", "one"])
    #expect(reopened.takeNotices().isEmpty)
  }

  @Test func `an unfinished segment of another device is never modified`() throws {
    let otherArchive = files.open(device: "other")
    try otherArchive.save("one", at: 0)
    try otherArchive.save("two", at: 1)
    otherArchive.close()
    let name = try #require(try files.segments().first)
    let wholeBytes = try files.bytes(of: name)
    let cut = Array(wholeBytes.dropLast(30))
    try files.write(cut, to: name)
    try files.removeIndex()
    let archive = files.open()
    #expect(try archive.captures(of: key).count == 1)
    try archive.save("mine", at: 2)
    #expect(try files.bytes(of: name) == cut)
    // The rest of the file arrives.
    try files.write(wholeBytes, to: name)
    try archive.catchUp()
    #expect(
      try archive.captures(of: key).map { try archive.text($0) } == ["mine", "two", "one"])
  }

  @Test func `a damaged record is reported, and the previous version is found`() throws {
    let archive = files.open()
    let firstVersion = try archive.save("one", at: 0)
    let two = try archive.save("two", at: 1)
    let location = try #require(archive.location(of: two))
    let name = location.file.lastPathComponent
    let wholeBytes = try files.bytes(of: name)
    archive.close()
    let index = try Data(contentsOf: files.location.index)
    for byte in Int(location.offset)..<wholeBytes.count {
      var bytes = wholeBytes
      bytes[byte] ^= 0x40
      try files.overwrite(bytes, name)
      try index.write(to: files.location.index)
      let opened = files.open()
      do {
        #expect(try opened.text(two) == "two", "byte \(byte)")
      } catch {
        #expect(error == .damaged(file: name, offset: location.offset), "byte \(byte)")
        #expect(try opened.captures(of: key) == [firstVersion])
        #expect(try opened.text(firstVersion) == "one")
        #expect(!opened.takeNotices().isEmpty)
      }
      opened.close()
    }
    // A repaired file is read again.
    try files.overwrite(wholeBytes, name)
    #expect(try files.open().text(two) == "two")
  }

  @Test func `long content is delivered while it is read, and damage is reported at its end`()
    throws
  {
    let archive = files.open()
    let text = String(repeating: "0123456789abcdef", count: 200_000)
    let stored = try archive.save(text, at: 0, fields: [("Content-Type", "image/png")])
    let name = try #require(try files.segments().first)
    var bytes = try files.bytes(of: name)
    bytes[bytes.count - 5000] ^= 1
    try files.overwrite(bytes, name)
    let body = try archive.body(of: stored)
    #expect(try body.next()?.isEmpty == false)
    #expect(throws: ArchiveError.self) { while try body.next() != nil {} }
    #expect(throws: ArchiveError.self) { try body.next() }
    #expect(try archive.captures(of: key).isEmpty)
    // The same content is saved again, not as a reference to the damaged record.
    let secondVersion = try archive.save(text, at: 5, fields: [("Content-Type", "image/png")])
    #expect(secondVersion.id != stored.id)
    #expect(try archive.text(secondVersion) == text)
  }

  @Test func `undetected damage does not prevent the same content from being saved again`() throws {
    let archive = files.open()
    let stored = try archive.save("hello, hello", at: 0)
    let location = try #require(archive.location(of: stored))
    var bytes = try files.bytes(of: location.file.lastPathComponent)
    bytes[Int(location.offset) + 40] ^= 0xFF
    try files.overwrite(bytes, location.file.lastPathComponent)
    let secondVersion = try archive.save("hello, hello", at: 1)
    #expect(secondVersion.id != stored.id)
    #expect(try archive.text(secondVersion) == "hello, hello")
  }

  @Test func `the versions of a missing segment disappear and reappear with it`() throws {
    let archive = files.open()
    let firstVersion = try archive.save("one", at: 0)
    let name = try #require(try files.segments().first)
    let bytes = try files.bytes(of: name)
    try FileManager.default.removeItem(at: files.segment(name))
    #expect(throws: ArchiveError.notFound) { try archive.body(of: firstVersion) }
    #expect(try archive.captures(of: key).isEmpty)
    try files.write(bytes, to: name)
    try archive.catchUp()
    #expect(try archive.captures(of: key) == [firstVersion])
    #expect(try archive.text(firstVersion) == "one")
  }

  @Test func `a segment with changed content is read again`() throws {
    let archive = files.open(device: "a")
    try archive.save("one", at: 0)
    let otherArchive = try TemporaryArchive()
    let stored = try otherArchive.open(device: "a").save("something else", at: 3)
    let name = try #require(try files.segments().first)
    try files.write(try otherArchive.bytes(of: name), to: name)
    try archive.catchUp()
    #expect(try archive.captures(of: key) == [stored])
    #expect(try archive.text(stored) == "something else")
  }

  @Test func `several archives can create the same missing directory concurrently`() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      let archive = files.open()
      let path = "https://example.org/\(worker)"
      do { try archive.save("\(worker)", at: 0, key: path) } catch { Issue.record(error) }
      #expect(archive.takeNotices().isEmpty)
    }
    let archive = files.open()
    for worker in 0..<8 {
      let captures = try archive.captures(of: "https://example.org/\(worker)")
      #expect(try captures.map { try archive.text($0) } == ["\(worker)"])
    }
  }

  @Test func `a new segment is created if the current one is removed during use`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    try FileManager.default.removeItem(at: files.segment(try #require(try files.segments().first)))
    try archive.save("two", at: 1)
    #expect(try archive.captures(of: key).map { try archive.text($0) } == ["two"])
  }

  @Test func `warcio validates the segments`() throws {
    let archive = files.open()
    try fill(archive)
    archive.close()
    let name = try #require(try files.segments().first)
    let reader = WARCReader(bytes: try files.bytes(of: name))
    var kinds: [WARCRecord.Kind] = []
    while case .record(let record, _)? = try reader.next() {
      _ = try reader.readBlock()
      kinds.append(try #require(record.kind))
    }
    #expect(kinds.first == .warcinfo)
    #expect(kinds.count { $0 == .response } == 7)
    #expect(kinds.count { $0 == .revisit } == 2)
    #expect(kinds.last == .response)
    #expect(try Warcio.complaint(about: files.segment(name).path) == nil)
  }

  @Test func `two archives on one directory lose nothing`() throws {
    let archives = [files.open(segmentLimit: 20_000), files.open(segmentLimit: 20_000)]
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      for index in 0..<25 {
        let path = "https://example.org/\(worker)/\(index)"
        do {
          let stored = try archives[worker % 2].save("\(worker) \(index)", at: 1, key: path)
          let text = try archives[(worker + 1) % 2].text(stored)
          #expect(text == "\(worker) \(index)")
        } catch {
          Issue.record("\(path): \(error)")
        }
      }
    }
    let paths = (0..<200).map { "https://example.org/\($0 / 25)/\($0 % 25)" }
    let snapshotBefore = try archives[0].snapshot(paths)
    #expect(snapshotBefore.allSatisfy { $0.count == 1 })
    for archive in archives { archive.close() }
    try files.removeIndex()
    let reopened = files.open()
    #expect(try reopened.snapshot(paths) == snapshotBefore)
    #expect(reopened.takeNotices().isEmpty)
  }
}

extension TemporaryArchive {
  /// Appends bytes to a segment.
  func append(_ bytes: [UInt8], to name: String) throws {
    let handle = try FileHandle(forWritingTo: segment(name))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  /// Overwrites the content of a segment in place.
  func overwrite(_ bytes: [UInt8], _ name: String) throws {
    let handle = try FileHandle(forWritingTo: segment(name))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }
}
