import Foundation
import TestSupport
import Testing
import WARC

/// A small file of records, with the expected results of reading it.
struct SampleFile {
  var bytes: [UInt8] = []
  var records: [WARCRecord] = []
  var blocks: [[UInt8]] = []
  var offsets: [Int] = []

  init(_ compression: WARCWriter.Compression, count: Int = 5) {
    let writer = WARCWriter(compression: compression)
    for index in 0..<count {
      let kind = WARCRecord.Kind.allCases[index % 6]
      var record = WARCRecord(
        kind, date: Date(timeIntervalSince1970: 1_795_234_310 + Double(index)),
        targetURI: kind == .warcinfo ? nil : "https://example.org/\(index)",
        contentType: kind == .response ? "application/http;msgtype=response" : "text/plain")
      var block = Array("block \(index) \(String(repeating: "x", count: index * 40))".utf8)
      if kind == .response {
        record.fields["WARC-Payload-Digest"] = Self.digest(block)
        block = Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8) + block
      }
      if kind == .revisit { record.fields["WARC-Profile"] = WARCRecord.identicalPayload }
      offsets.append(bytes.count)
      let written = try? writer.write(record, block: block) { bytes += $0 }
      records.append(written ?? record)
      blocks.append(block)
    }
    offsets.append(bytes.count)
  }

  static func digest(_ bytes: [UInt8], _ algorithm: WARCDigest.Algorithm = .sha256) -> String {
    var builder = DigestBuilder(algorithm)
    builder.update(bytes)
    return builder.digest().description
  }
}

/// The records and damage that a reader finds in the given bytes.
struct Found {
  var records: [(record: WARCRecord, block: [UInt8], position: WARCPosition)] = []
  var damages: [WARCDamage] = []

  init(_ bytes: [UInt8]) throws {
    let reader = WARCReader(bytes: bytes)
    while let entry = try reader.next() {
      switch entry {
      case .damage(let damage): damages.append(damage)
      case .record(let record, let position):
        if let block = try? reader.readBlock() { records.append((record, block, position)) }
      }
    }
  }
}

@Suite struct WARCReaderTests {
  @Test
  func `a revisit may have the digest of an empty payload, as in wget, and no other wrong one`()
    throws
  {
    for (kind, digest, isRead) in [
      (WARCRecord.Kind.revisit, SampleFile.digest([], .sha1), true),
      (.revisit, SampleFile.digest([1], .sha1), false),
      (.response, SampleFile.digest([], .sha1), false),
    ] {
      var record = WARCRecord(
        kind, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: "http://a.test/",
        contentType: "application/http;msgtype=response")
      record.fields["WARC-Block-Digest"] = digest
      let block = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
      let head = "\(String(decoding: record.bytes.dropLast(2), as: UTF8.self))"
      let text = head + "Content-Length: \(block.utf8.count)\r\n\r\n" + block + "\r\n\r\n"
      let found = try Found(Array(text.utf8))
      #expect(found.records.count == (isRead ? 1 : 0), "\(kind) \(digest)")
      #expect(found.damages.count == (isRead ? 0 : 1), "\(kind) \(digest)")
    }
  }

  static let compressions: [WARCWriter.Compression] = [.none, .gzip(level: 6), .gzip(level: 0)]

  @Test(arguments: compressions)
  func `written records are read back unchanged`(_ compression: WARCWriter.Compression) throws {
    let sample = SampleFile(compression, count: 12)
    let found = try Found(sample.bytes)
    #expect(found.damages.isEmpty)
    #expect(found.records.map(\.record) == sample.records)
    #expect(found.records.map(\.block) == sample.blocks)
    #expect(found.records.map { Int($0.position.offset) } == sample.offsets.dropLast())
  }

  @Test(arguments: compressions)
  func `a record can be read at its position`(_ compression: WARCWriter.Compression) throws {
    let sample = SampleFile(compression)
    for index in 0..<5 {
      let position = WARCPosition(offset: Int64(sample.offsets[index]))
      let reader = WARCReader(at: position) { offset, buffer in
        let rest = sample.bytes[min(Int(offset), sample.bytes.count)...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
      }
      #expect(try reader.next() == .record(sample.records[index], at: position))
      #expect(try reader.readBlock() == sample.blocks[index])
      #expect(reader.end == Int64(sample.offsets[index + 1]))
    }
  }

  @Test(arguments: [WARCWriter.Compression.gzip(level: 6), .gzip(level: 0)])
  func `a damaged byte affects at most its own record`(
    _ compression: WARCWriter.Compression
  ) throws {
    let sample = SampleFile(compression)
    for position in sample.bytes.indices {
      var bytes = sample.bytes
      bytes[position] ^= 0x5A
      let hit = try #require(sample.offsets.lastIndex { $0 <= position })
      let found = try Found(bytes)
      for index in 0..<5 where index != hit {
        let record = found.records.first { $0.record.id == sample.records[index].id }
        #expect(record?.block == sample.blocks[index], "record \(index), damage at \(position)")
      }
      // The damaged record is reported, or the byte was insignificant.
      if let record = found.records.first(where: { $0.record.id == sample.records[hit].id }) {
        #expect(record.block == sample.blocks[hit], "damage at \(position)")
      } else {
        #expect(
          found.damages.contains { $0.range.contains(Int64(position)) }, "damage at \(position)")
      }
    }
  }

  @Test func `in an uncompressed file later records are found, and damaged blocks left out`() throws
  {
    let sample = SampleFile(.none)
    for position in sample.bytes.indices {
      var bytes = sample.bytes
      bytes[position] ^= 0x15
      let hit = try #require(sample.offsets.lastIndex { $0 <= position })
      let found = try Found(bytes)
      for index in 0..<5 where index != hit {
        let record = found.records.first { $0.record.id == sample.records[index].id }
        #expect(record?.block == sample.blocks[index], "record \(index), damage at \(position)")
      }
    }
  }

  @Test(arguments: compressions)
  func `a truncated file yields its complete records and is reported as truncated`(
    _ compression: WARCWriter.Compression
  ) throws {
    let sample = SampleFile(compression, count: 3)
    for count in sample.offsets[2] + 1..<sample.bytes.count {
      let found = try Found(Array(sample.bytes[..<count]))
      // In an uncompressed record, only the empty lines at its end may be missing.
      if compression == .none, count >= sample.bytes.count - 4 {
        #expect(found.records.count == 3)
        continue
      }
      #expect(found.records.map(\.block) == Array(sample.blocks[..<2]), "\(count) bytes")
      #expect(found.damages.count == 1)
      #expect(found.damages.last?.isTruncated == true)
      #expect(found.damages.last?.range == Int64(sample.offsets[2])..<Int64(count))
    }
  }

  @Test(arguments: compressions)
  func `reading resumes after a missing section`(_ compression: WARCWriter.Compression) throws {
    let sample = SampleFile(compression)
    for length in [1, 50, 200] {
      for start in stride(from: sample.offsets[1], to: sample.offsets[2] - length, by: 7) {
        let bytes = Array(sample.bytes[..<start] + sample.bytes[(start + length)...])
        let found = try Found(bytes)
        #expect(found.records.first?.block == sample.blocks[0])
        #expect(found.records.suffix(3).map(\.block) == Array(sample.blocks[2...]))
      }
    }
  }

  @Test func `several records in one gzip member are read, each at its position`() throws {
    let plain = SampleFile(.none)
    let member = DeflateCodecTests.deflated(plain.bytes, .gzip)
    let found = try Found(member)
    #expect(found.damages.isEmpty)
    #expect(found.records.map(\.block) == plain.blocks)
    for (index, record) in found.records.enumerated() {
      #expect(record.position.offset == 0)
      #expect(record.position.memberOffset == Int64(plain.offsets[index]))
      let reader = WARCReader(at: record.position) { offset, buffer in
        let rest = member[min(Int(offset), member.count)...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
      }
      _ = try reader.next()
      #expect(try reader.readBlock() == plain.blocks[index])
    }
  }

  /// The records of an uncompressed sample.
  private static func parts(_ sample: SampleFile) -> [[UInt8]] {
    zip(sample.offsets, sample.offsets.dropFirst()).map { Array(sample.bytes[$0..<$1]) }
  }

  @Test(arguments: ["2", "x"])
  func `a wrong length in a gzip member with several records affects only its record`(
    _ length: String
  ) throws {
    let sample = SampleFile(.none, count: 3)
    let parts = Self.parts(sample)
    let wrong = "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: \(length)\r\n\r\nabcdef\r\n\r\n"
    // The next record begins in another piece of decoded bytes.
    let longTail = [UInt8](repeating: 0x41, count: 65_530)
    for tail in [[], longTail, longTail + [0x41, 0x41, 0x41]] {
      let bytes = parts[0] + Array(wrong.utf8.dropLast(4)) + tail + [13, 10, 13, 10]
      let found = try Found(DeflateCodecTests.deflated(bytes + parts[1] + parts[2], .gzip))
      #expect(found.damages.map(\.range) == [0..<0])
      #expect(found.records.first?.block == sample.blocks[0])
      #expect(found.records.suffix(2).map(\.block) == Array(sample.blocks[1...]))
      #expect(found.records.last?.position.memberOffset == Int64(bytes.count + parts[1].count))
    }
  }

  @Test func `line breaks at the start of a gzip member, and empty members, are skipped`() throws {
    let sample = SampleFile(.none, count: 3)
    let parts = Self.parts(sample)
    let lineBreaks: [UInt8] = [13, 10, 13, 10]
    let members: [[UInt8]] = [
      Array(parts[0].dropLast(4)), lineBreaks + parts[1].dropLast(4), lineBreaks, [], parts[2],
    ]
    let bytes = members.flatMap { DeflateCodecTests.deflated($0, .gzip) }
    let found = try Found(bytes)
    #expect(found.damages.isEmpty && found.records.map(\.block) == sample.blocks)
    #expect(found.records.map(\.position.memberOffset) == [0, 4, 0])
    // The record after damage is found there, too.
    let rest = DeflateCodecTests.deflated(members[1], .gzip)
    #expect(try Found([0x1F, 0x8B, 8, 0, 7] + rest).records.map(\.block) == [sample.blocks[1]])
  }

  @Test func `gzip members and uncompressed records may be mixed`() throws {
    let bytes = SampleFile(.gzip(level: 6), count: 2).bytes + SampleFile(.none, count: 2).bytes
    #expect(try Found(bytes).records.count == 4)
  }

  @Test(arguments: WARCDigest.Algorithm.allCases, [true, false])
  func `digests written by other programs are verified`(
    _ algorithm: WARCDigest.Algorithm, _ isHexadecimal: Bool
  ) throws {
    let block = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let body = Array("5\r\nhello\r\n0\r\n\r\n".utf8)
    func text(_ bytes: [UInt8]) -> String {
      let base32 = SampleFile.digest(bytes, algorithm)
      guard isHexadecimal, let digest = WARCDigest(base32) else { return base32 }
      return "\(algorithm.rawValue):" + digest.bytes.map { String(format: "%02x", $0) }.joined()
    }
    func file(block blockDigest: String?, payload: String?) -> [UInt8] {
      var record = WARCRecord(
        .response, date: Date(timeIntervalSince1970: 0), targetURI: "http://a/",
        contentType: "application/http; msgtype=response")
      record.fields["WARC-Block-Digest"] = blockDigest
      record.fields["WARC-Payload-Digest"] = payload
      record.fields["Content-Length"] = String(block.count + body.count)
      return record.bytes + block + body + [13, 10, 13, 10]
    }
    let (all, wrong) = (text(block + body), text([1]))
    // The payload is digested with or without its transfer coding.
    for payload in [nil, text(body), text(Array("hello".utf8))] {
      #expect(try Found(file(block: all, payload: payload)).damages.isEmpty)
      #expect(try Found(file(block: nil, payload: payload)).damages.isEmpty)
      #expect(try Found(file(block: wrong, payload: payload)).damages.count == 1)
    }
    #expect(try Found(file(block: all, payload: wrong)).damages.count == 1)
    // Webrecorder wrote the digest of the payload as that of the block.
    #expect(try Found(file(block: text(body), payload: text(body))).damages.isEmpty)
    #expect(try Found(file(block: wrong, payload: wrong)).damages.count == 1)
    #expect(try Found(file(block: text(body), payload: nil)).damages.count == 1)
    // Some programs write the digest of zero bytes for every payload.
    #expect(try Found(file(block: all, payload: text([]))).damages.isEmpty)
    #expect(try Found(file(block: "sha9:abc", payload: "none")).damages.isEmpty)
  }

  @Test(
    arguments: [
      ("gemini://a/", "application/gemini; msgtype=response", WARCRecord.Kind.response, 0),
      ("gemini://a/", "application/gemini; msgtype=request", .request, 0),
      ("http://a/", "text/plain", .response, 1), ("gemini://a/", "text/plain", .resource, 1),
    ] as [(String, String, WARCRecord.Kind, Int)])
  func `a payload digest is verified if it is known where the payload begins`(
    _ url: String, _ type: String, _ kind: WARCRecord.Kind, _ damageCount: Int
  ) throws {
    var record = WARCRecord(
      kind, date: Date(timeIntervalSince1970: 0), targetURI: url, contentType: type)
    record.fields["WARC-Payload-Digest"] = SampleFile.digest(Array("other".utf8))
    var bytes: [UInt8] = []
    try WARCWriter(compression: .none).write(
      record, block: Array("20 text/plain\r\nA: b\r\n\r\nhello".utf8)
    ) { bytes += $0 }
    #expect(try Found(bytes).damages.count == damageCount)
  }

  @Test func `an unterminated header is rejected in bounded memory`() throws {
    let bytes = Array("WARC/1.1\r\n".utf8) + [UInt8](repeating: 0x41, count: 3 << 20)
    let found = try Found(bytes)
    #expect(found.records.isEmpty)
    #expect(found.damages.map(\.reason) == ["a record header is too long"])
  }

  @Test(arguments: [
    "", "Content-Length: -1\r\n", "Content-Length: x\r\n", "Content-Length: +3\r\n",
  ])
  func `a record without a valid length is damaged`(_ line: String) throws {
    let good = SampleFile(.none, count: 2)
    let bad = Array("WARC/1.1\r\nWARC-Type: response\r\n\(line)\r\nabc\r\n\r\n".utf8)
    let found = try Found(bad + good.bytes)
    #expect(found.damages.count == 1)
    #expect(found.records.map(\.block) == good.blocks)
  }

  @Test(arguments: Seeds.all)
  func `no input crashes the reader`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sample = SampleFile(.gzip(level: 6))
    for round in 0..<300 {
      var bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
      if round % 2 == 0 { bytes = Array("WARC/1.1\r\n".utf8) + bytes }
      let found = try Found(bytes + sample.bytes)
      #expect(found.records.count >= sample.blocks.count || round % 2 == 0)
      #expect(found.records.last?.block == sample.blocks.last || round % 2 == 0)
    }
  }

  @Test func `writing a block of the wrong length fails`() throws {
    let record = WARCRecord(.resource, date: Date(timeIntervalSince1970: 0))
    #expect(throws: WARCError.wrongLength(announced: 4, actual: 3)) {
      try WARCWriter().write(record, blockLength: 4, block: { $0 == 0 ? [1, 2, 3] : nil }) { _ in }
    }
  }

  @Test func `opening a missing file throws an error with its path`() {
    #expect(throws: WARCError.unreadable("/no/such/file: No such file or directory")) {
      try WARCReader(path: "/no/such/file")
    }
  }
}
