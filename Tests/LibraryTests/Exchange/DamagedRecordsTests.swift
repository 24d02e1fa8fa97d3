import Exchange
import Foundation
import OfflineCache
import Profiles
import TestNetwork
import TestSupport
import Testing
import WARC
import WebArchive

@testable import Saving

/// Record files of which some records are damaged.
@Suite struct DamagedRecordsTests {
  let files: TestProfile
  let profile: Profile

  init() throws {
    files = try TestProfile()
    profile = files.open(SiteNetwork())
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func importing(_ bytes: [UInt8], as name: String) throws -> LibraryImport.Outcome {
    let file = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try LibraryImport(into: profile, now: Date(timeIntervalSince1970: 1.8e9)).run(file.path)
  }

  private func isSaved(_ url: String) -> Bool { !profile.cache.savedPages(among: [url]).isEmpty }

  private static func record(
    _ url: String, id: UUID? = nil, seconds: Double = 1.6e9, digest: String? = nil,
    text: String = "words", kind: WARCRecord.Kind = .response
  ) -> [UInt8] {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    let block = Array((head + (kind == .revisit ? "" : "<title>T</title><p>\(text)")).utf8)
    var record = WARCRecord(
      kind, id: id, date: Date(timeIntervalSince1970: seconds), targetURI: url,
      contentType: "application/http; msgtype=response")
    record.fields["WARC-Payload-Digest"] = digest
    if kind == .revisit, let id {
      record.fields["WARC-Refers-To"] = "<urn:uuid:\(id.uuidString.lowercased())>"
      record.fields["WARC-Profile"] = WARCRecord.identicalPayload
    }
    record.fields["Content-Length"] = String(block.count)
    return record.bytes + block + [13, 10, 13, 10]
  }

  private static func withoutID(_ record: [UInt8]) -> [UInt8] {
    Array(
      String(decoding: record, as: UTF8.self)
        .replacing("WARC-Record-ID:", with: "X-Former-ID:").utf8)
  }

  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var member: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(bytes) { member += $0 }
    deflater.finish { member += $0 }
    return member
  }

  @Test func `records with a wrong digest are reported`() throws {
    let wrong = "sha1:" + String(repeating: "A", count: 32)
    let nothing = DigestBuilder(.sha1).digest().description
    let outcome = try importing(
      Self.record("http://a.example/1", digest: wrong)
        + Self.record("http://a.example/2", digest: nothing) + Self.record("http://a.example/3"),
      as: "a.warc")
    #expect(outcome.damagedCount == 1)
    #expect(
      outcome.damagedRecords == ["http://a.example/1: the payload does not match its digest"])
    #expect(!isSaved("http://a.example/1"))
    // Some programs write the digest of zero bytes for every payload.
    #expect(isSaved("http://a.example/2") && isSaved("http://a.example/3"))
    profile.close()
  }

  @Test(arguments: ["a.warc", "a.warc.gz"], [true, false])
  func `pages whose records have one id or none are imported once`(
    _ name: String, _ haveID: Bool
  ) throws {
    let id = UUID()
    var bytes: [UInt8] = []
    for (path, seconds, text) in [
      ("1", 1.6e9, "words"), ("2", 1.6e9, "words"), ("1", 1.6e9, "words"), ("2", 1.6e9, "words"),
      ("1", 1.7e9, "words"), ("3", 1.6e9, "words"), ("3", 1.6e9, "other words"),
    ] {
      var record = Self.record("http://a.example/\(path)", id: id, seconds: seconds, text: text)
      if !haveID { record = Self.withoutID(record) }
      bytes += name.hasSuffix(".gz") ? Self.packed(record) : record
    }
    for isRepeated in [false, true] {
      let outcome = try importing(bytes, as: name)
      #expect(outcome.wasImportedBefore == isRepeated && outcome.hasNothingNew == isRepeated)
      #expect(outcome.unreadableRecords.isEmpty && outcome.damagedCount == 0)
      for (path, count) in [("1", 2), ("2", 1), ("3", 2)] {
        let key = "http://a.example/\(path)"
        #expect(try profile.cache.versions(of: key).count == count, "\(path)")
      }
    }
    profile.close()
  }

  @Test func `pages in several files of an archive that share one id are imported once`() throws {
    let id = UUID()
    var archive: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 1.7e9))
    for path in ["1", "2", "3"] {
      let record = Self.record("http://a.example/\(path)", id: id)
      try writer.add(ZIPEntry(path: "\(path).warc", bytes: record)) { archive += $0 }
    }
    try writer.finish { archive += $0 }
    for isRepeated in [false, true] {
      let outcome = try importing(archive, as: "a.zip")
      #expect(outcome.pageCount == 3 && outcome.unreadableCount == 0)
      #expect(outcome.wasImportedBefore == isRepeated && outcome.hasNothingNew == isRepeated)
      for path in ["1", "2", "3"] {
        #expect(try profile.cache.versions(of: "http://a.example/\(path)").count == 1, "\(path)")
      }
    }
    profile.close()
  }

  @Test func `a revisit that shares the id of all records has the content of its digest`() throws {
    let id = UUID()
    var payload = DigestBuilder(.sha1)
    payload.update("<title>T</title><p>low water".utf8)
    let digest = payload.digest().description
    let outcome = try importing(
      Self.record("http://a.example/1", id: id)
        + Self.record("http://a.example/2", id: id, digest: digest, text: "low water")
        + Self.record("http://a.example/3", id: id, digest: digest, kind: .revisit), as: "a.warc")
    #expect(outcome.unreadableCount == 0 && outcome.damagedCount == 0)
    let digests = try (1...3).map {
      try profile.cache.versions(of: "http://a.example/\($0)").first?.response.payloadDigest
    }
    #expect(digests[1] != nil && digests[2] == digests[1] && digests[0] != digests[1])
    profile.close()
  }

  @Test func `a compressed file is imported although its first record is damaged`() throws {
    var bytes = Self.packed(Self.record("http://a.example/1"))
    bytes[bytes.count - 6] ^= 0xFF  // within the checksum
    bytes += Self.packed(Self.record("http://a.example/2"))
    let outcome = try importing(bytes, as: "a.warc.gz")
    #expect(outcome.damagedCount == 1)
    #expect(!isSaved("http://a.example/1") && isSaved("http://a.example/2"))
    profile.close()
  }
}
