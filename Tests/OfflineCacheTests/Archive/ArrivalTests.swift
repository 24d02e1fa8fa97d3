import Foundation
import Synchronization
import TestSupport
import TestFiles
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Arrival of new files from other devices during other work.
@Suite struct ArrivalTests {
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private static func key(_ number: Int) -> String { "http://example.org/\(number)" }

  /// The bytes of a record whose page consists of random letters.
  private func record(_ number: Int, length: Int) throws -> [UInt8] {
    var random = SplitMix64(seed: UInt64(number))
    let text = (0..<length).map { _ in UInt8.random(in: 97...122, using: &random) }
    let record = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: Self.key(number),
      contentType: "application/http;msgtype=response")
    var bytes: [UInt8] = []
    try WARCWriter(compression: .none).write(
      record, block: Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + text
    ) { bytes += $0 }
    return bytes
  }

  @Test func `indexed pages are available while new files are read`() throws {
    let ownKey = "http://example.org/own"
    let first = files.open()
    try first.save("ours", at: 0, key: ownKey)
    first.close()
    for number in 0..<3 {
      try files.write(try record(number, length: 600_000), to: "other-\(number).warc")
    }
    let pending = BlockingFileSystem("other-")
    let archive = Archive(
      location: files.location, device: "m", readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize, files: pending)
    #expect(try archive.indexedVersions(of: ownKey).count == 1)
    #expect(try archive.contains([ownKey, Self.key(1)]) == [ownKey])
    #expect(archive.takeNotices().map(\.description) == ["reading 3 new files"])
    #expect(archive.takeNotices() == [])
    // Neither saving nor a bounded catch-up waits for the new files.
    let saved = try archive.save("new", at: 60, key: ownKey)
    #expect(try archive.text(saved) == "new")
    try archive.catchUp(within: 0)
    #expect(try archive.indexedVersions(of: Self.key(1)).isEmpty)
    pending.release()
    // A lookup of all captures waits for the new files.
    #expect(try archive.captures(of: Self.key(1)).count == 1)
    #expect(try archive.captures(of: ownKey).count == 2)
    archive.close()
  }

  @Test func `indexed pages are available first, also in a read-only archive`() throws {
    let ownKey = "http://example.org/own"
    let first = files.open()
    try first.save("ours", at: 0, key: ownKey)
    first.close()
    try files.write(try record(1, length: 600_000), to: "other-1.warc")
    let pending = BlockingFileSystem("other-")
    let archive = Archive(
      location: files.location, device: "m", readOnly: true,
      segmentLimit: SegmentWriter.maxSegmentSize, files: pending)
    #expect(try archive.indexedVersions(of: ownKey).count == 1)
    #expect(try archive.indexedVersions(of: Self.key(1)).isEmpty)
    pending.release()
    #expect(try archive.captures(of: Self.key(1)).count == 1)
    archive.close()
  }

  @Test func `a page that only a new file contains is found offline`() throws {
    let fixture = CacheFixture(ScriptedTransport { _ in .failure(.noNetwork) })
    let directory = fixture.cache.archive.location.archive
    try Data(try record(7, length: 100)).write(to: directory.appendingPathComponent("other.warc"))
    #expect(fixture.load(Self.key(7)).status == 200)
  }

  @Test func `a record that decompresses to too much data is skipped`() throws {
    var bytes: [UInt8] = []
    for number in 0..<3 {
      var packed: [UInt8] = []
      let deflater = Deflater(format: .gzip)
      var text = String(decoding: try record(number, length: 100), as: UTF8.self)
      if number == 1 {
        // The declared length counts, so nothing is decompressed to check it.
        text.replace(
          try Regex("Content-Length: [0-9]+"), with: "Content-Length: 6000000000",
          maxReplacements: 1)
      }
      deflater.deflate(Array(text.utf8)) { packed += $0 }
      deflater.finish { packed += $0 }
      bytes += packed
    }
    try files.write(bytes, to: "other.warc.gz")
    let archive = files.open()
    let captures = try (0..<3).map { try archive.captures(of: Self.key($0)).count }
    #expect(captures == [1, 0, 1])
    let notices = archive.takeNotices().map(\.description)
    #expect(notices.count == 1 && notices[0].contains("bytes when unpacked"), "\(notices)")
  }

  @Test func `content that decompresses to too much data is broken`() throws {
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate([UInt8](repeating: 32, count: 5000)) { packed += $0 }
    deflater.finish { packed += $0 }
    let record = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 0), targetURI: Self.key(0),
      contentType: "application/http;msgtype=response")
    for (limit, isWhole) in [(4999, false), (5000, true)] as [(Int64, Bool)] {
      var reader = BlockReader(record, maxLength: limit)
      reader.push(Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + packed)
      while let piece = try? reader.content() { #expect(!piece.isEmpty) }
      #expect(reader.isComplete == isWhole)
    }
  }
}

/// A file system in which some files cannot be read until they are released.
private final class BlockingFileSystem: ForwardingFileSystem {
  let base: any FileSystem = LocalFileSystem()
  private let namePrefix: String
  private let gate = Gate()
  private let blocked = Mutex<Set<Int32>>([])

  /// Blocks reads of files whose names have the prefix `namePrefix`.
  init(_ namePrefix: String) {
    self.namePrefix = namePrefix
  }

  func release() { gate.open() }

  func open(_ path: String, _ flags: Int32) -> Int {
    let descriptor = base.open(path, flags)
    let name = path.split(separator: "/").last ?? ""
    if descriptor >= 0, name.hasPrefix(namePrefix) {
      blocked.withLock { _ = $0.insert(Int32(descriptor)) }
    }
    return descriptor
  }

  func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Int {
    if blocked.withLock({ $0.contains(descriptor) }) { gate.wait() }
    return base.read(descriptor, into: buffer, at: offset)
  }

  func close(_ descriptor: Int32) {
    blocked.withLock { _ = $0.remove(descriptor) }
    base.close(descriptor)
  }
}
