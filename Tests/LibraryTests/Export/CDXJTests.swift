import Exchange
import Foundation
import OfflineCache
import TestSupport
import Testing
import WARC

@Suite struct CDXJTests {
  private static func capture(_ key: String, date: Int64 = 1_795_234_310_500) -> RecordedCapture {
    RecordedCapture(
      key: key, date: date, status: 200, contentType: "text/html; charset=utf-8",
      digest: "sha256:ABC====", segment: "m-20261124-000001.warc.gz", offset: 123, size: 456)
  }

  @Test func `a capture is a line with its key, timestamp and record position`() {
    let line = String(
      decoding: CDXJLine.capture(Self.capture("https://www.example.org/A?b")), as: UTF8.self)
    #expect(
      line == """
        org,example)/a?b 20261121041150 {"url": "https://www.example.org/A?b", "mime": "text/html", \
        "status": "200", "digest": "sha256:ABC====", "length": "456", "offset": "123", \
        "filename": "m-20261124-000001.warc.gz"}

        """)
  }

  @Test func `values of servers and files contain no line breaks or control characters`() throws {
    var capture = Self.capture("http://a.test/\u{1B}\n\"\u{2028}é😀")
    capture.contentType = "a\"\\\u{7}\u{85}"
    capture.segment = "x\ny \u{202E}.warc.gz"
    let line = CDXJLine.capture(capture)
    #expect(line.dropLast().allSatisfy { (0x20...0x7E).contains($0) } && line.last == 0x0A)
    let start = try #require(line.firstIndex(of: 0x7B))
    let object = try JSONDecoder().decode([String: String].self, from: Data(line[start...]))
    #expect(object["url"] == capture.key && object["filename"] == capture.segment)
    #expect(object["mime"] == capture.contentType)
  }

  @Test(
    arguments: [
      (-1, "19700101000000"), (253_402_300_799_999, "99991231235959"),
      (.max, "99991231235959"), (1_795_234_310_999, "20261121041150"),
    ] as [(Int64, String)])
  func `a timestamp has fourteen digits`(_ date: Int64, _ expected: String) {
    #expect(String(decoding: CDXJLine.timestamp(date), as: UTF8.self) == expected)
  }

  private static func sorted(_ lines: [String], limit: Int) throws -> [String] {
    var sorter = LineSorter(maxBufferedBytes: limit) { Spool(directory: NSTemporaryDirectory()) }
    for line in lines { try sorter.add(Array((line + "\n").utf8)) }
    var result: [String] = []
    try sorter.finish { result.append(String(decoding: $0.dropLast(), as: UTF8.self)) }
    return result
  }

  @Test(arguments: [1, 64, 5000, 1 << 20])
  func `lines are sorted by bytes without duplicates, in memory or in chunks`(_ limit: Int) throws {
    var random = SplitMix64(seed: 11)
    var lines = (0..<2000).map { _ in
      String(repeating: "a", count: Int.random(in: 0...3, using: &random))
        + String(Int.random(in: 0..<700, using: &random))
    }
    lines += ["", "é", "~", "A", String(repeating: "x", count: 200_000)]
    let expected = Set(lines).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try Self.sorted(lines, limit: limit) == expected)
    #expect(try Self.sorted([], limit: limit) == [])
  }

  @Test func `a chunk that cannot be spooled is an error, so no line is lost silently`() {
    var sorter = LineSorter(maxBufferedBytes: 10) { Spool(directory: "/nonexistent") }
    #expect(throws: ArchiveError.self) {
      for _ in 0..<3 { try sorter.add([UInt8](repeating: 0x61, count: 2 << 20) + [0x0A]) }
    }
  }

  private static func blocks(
    _ format: ZipNumWriter.IndexFormat, _ lines: [String]
  ) throws -> (blocks: [UInt8], index: [String]) {
    var (blocks, index): ([UInt8], [UInt8]) = ([], [])
    var writer = ZipNumWriter(format, linesPerBlock: 3)
    for line in lines {
      try writer.add(Array((line + "\n").utf8)[...]) {
        blocks += $0
      } index: {
        index += $0
      }
    }
    try writer.finish {
      blocks += $0
    } index: {
      index += $0
    }
    return (blocks, String(decoding: index, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  @Test func `blocks are gzip members, listed in a second index by their first line`() throws {
    let lines = (0..<8).map { "org,a)/\($0) 2026112404115\($0) {\"url\": \"x\"}" }
    let (blocks, index) = try Self.blocks(.tabs(part: "p"), lines)
    #expect(index.count == 3)
    var all = ""
    for (number, line) in index.enumerated() {
      let fields = line.split(separator: "\t")
      let (offset, length) = (Int(fields[2]) ?? -1, Int(fields[3]) ?? -1)
      var text: [UInt8] = []
      try Inflater(format: .gzip).inflate(Array(blocks[offset..<(offset + length)])) { text += $0 }
      #expect(lines[number * 3].hasPrefix(fields[0]) && fields[0].hasSuffix(String(number * 3)))
      #expect(fields[1] == "p" && fields[4] == "\(number + 1)")
      all += String(decoding: text, as: UTF8.self)
    }
    #expect(all == lines.map { $0 + "\n" }.joined())
    let (same, objects) = try Self.blocks(.objects(file: "index.cdx.gz"), lines)
    #expect(same == blocks && objects.count == 4)
    #expect(objects[0] == "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}")
    #expect(objects[1].hasPrefix("org,a)/0 20261124041150 {\"offset\": 0, \"length\": "))
    let (none, header) = try Self.blocks(.objects(file: "i"), [])
    #expect(header.count == 1 && none.starts(with: [0x1F, 0x8B]))
  }

  @Test func `an index records its source files, and is outdated only where they changed`() throws {
    let markers = [
      IndexedSegmentState(name: "a.warc.gz", firstRecordID: "urn:uuid:1", bytes: 100),
      IndexedSegmentState(name: "b \"\n.warc", firstRecordID: "urn:uuid:2", bytes: 50),
      IndexedSegmentState(name: "empty.warc.gz", firstRecordID: "", bytes: 0),
    ]
    let state = CDXJState(segments: markers)
    let lines = state.lines(software: "offread", date: 1_795_234_310_500)
    #expect(
      lines[0].starts(with: "!meta 0 {\"format\": \"cdxj\", \"software\": \"offread\"".utf8))
    let text = Array(lines.joined()) + Array("com,a)/ 2026 {}\n".utf8)
    #expect(CDXJState(parsing: text) == state)
    #expect(state.validity(markers).changedSegments == [] && state.validity(markers).newBytes == 0)
    var later = markers
    later[0].bytes = 130
    later[2] = IndexedSegmentState(name: "empty.warc.gz", firstRecordID: "urn:uuid:9", bytes: 7)
    later.append(IndexedSegmentState(name: "c.warc.gz", firstRecordID: "urn:uuid:3", bytes: 5))
    #expect(state.validity(later).changedSegments == [] && state.validity(later).newBytes == 42)
    later[1].firstRecordID = "urn:uuid:4"
    later[0].bytes = 99
    #expect(state.validity(later).changedSegments == ["a.warc.gz", "b \"\n.warc"])
    #expect(state.validity([]).changedSegments.count == 3)
  }

  @Test func `malformed indexes are ignored or harmless`() {
    for text in ["", "com,a)/ 2026 {}\n", "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}\n", "!\n!!\n"] {
      #expect(CDXJState(parsing: Array(text.utf8)) == nil)
    }
    let head = "!meta 0 {\"format\": \"cdxj\"}\n"
    for text in ["!segment 0 {}\n", "!segment 0 {\"filename\": 3, \"bytes\": 1e400}\n"] {
      #expect(CDXJState(parsing: Array((head + text).utf8)) == nil)
    }
    var random = SplitMix64(seed: 5)
    for _ in 0..<2000 {
      let noise = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = CDXJState(parsing: Array((head + "!segment 0 {\"filename\": ").utf8) + noise)
    }
  }
}
