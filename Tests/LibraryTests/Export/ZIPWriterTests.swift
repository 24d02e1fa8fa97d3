import Exchange
import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

@Suite struct ZIPWriterTests {
  private static func archive(
    _ entries: [ZIPEntry], date: Date = Date(timeIntervalSince1970: 1_795_256_130)
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ZIPWriter(date: date)
    for entry in entries { try writer.add(entry) { bytes += $0 } }
    try writer.finish { bytes += $0 }
    return bytes
  }

  @Test func `written files are found through the directory, with correct sizes and checksums`()
    throws
  {
    var random = SplitMix64(seed: 1989)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let entries = [
      ZIPEntry(path: "mimetype", bytes: Array("application/epub+zip".utf8), isStored: true),
      ZIPEntry(path: "dir/é.txt", bytes: Array(String(repeating: "text ", count: 10_000).utf8)),
      ZIPEntry(path: "noise", bytes: noise), ZIPEntry(path: "empty", bytes: []),
    ]
    let archive = try Self.archive(entries)
    #expect(archive.count < 7000)
    // EPUB files are recognized by these offsets.
    #expect(archive[30..<38].elementsEqual("mimetype".utf8))
    #expect(archive[38..<58].elementsEqual("application/epub+zip".utf8))
    #expect(
      try ZIPContents.read(archive)
        == entries.map {
          ZIPContents.File(
            path: $0.path, bytes: $0.bytes, isStored: $0.path != "dir/é.txt")
        })
    #expect(try Self.archive(entries) == archive)
  }

  @Test(
    arguments: [
      (1_795_256_130.9, [0xEF, 0x51, 0x75, 0x5D]), (0, [0, 0, 0x21, 0]),
      (1e11, [0x7D, 0xBF, 0x9F, 0xFF]),
    ] as [(Double, [UInt8])])
  func `modification times are DOS times within their range`(_ seconds: Double, _ expected: [UInt8])
    throws
  {
    let archive = try Self.archive(
      [ZIPEntry(path: "a", bytes: [])], date: Date(timeIntervalSince1970: seconds))
    #expect(Array(archive[10..<14]) == expected)
  }

  @Test func `a file that does not fit is refused before any of it is written`() throws {
    var bytes: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 0), maxSize: 1000)
    try writer.add(ZIPEntry(path: "a", bytes: [1], isStored: true)) { bytes += $0 }
    let count = bytes.count
    let large = ZIPEntry(path: "large", bytes: [UInt8](repeating: 0, count: 900), isStored: true)
    #expect(throws: ZIPError.tooLarge(path: "large")) { try writer.add(large) { bytes += $0 } }
    #expect(bytes.count == count)
    try writer.finish { bytes += $0 }
    #expect(try ZIPContents.read(bytes).map(\.path) == ["a"])
  }

  /// Writes a file at once, one in chunks uncompressed, and one in chunks compressed.
  private static func pieces(wideAbove plain: UInt64) throws -> ([UInt8], [ZIPContents.File]) {
    var random = SplitMix64(seed: 64)
    let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Array(String(repeating: "a line of text\n", count: 500).utf8)
    var bytes: [UInt8] = []
    var writer = ZIPWriter(
      date: Date(timeIntervalSince1970: 1_795_256_130), maxSize: .max, maxPlainSize: plain)
    try writer.add(ZIPEntry(path: "small", bytes: [1, 2], isStored: true)) { bytes += $0 }
    for (path, content) in [("noise", noise), ("dir/text", text), ("empty", [])] {
      try writer.begin(path, isStored: path == "noise") { bytes += $0 }
      for start in stride(from: 0, to: content.count, by: 700) {
        try writer.write(Array(content[start...].prefix(700))) { bytes += $0 }
      }
      try writer.end { bytes += $0 }
    }
    try writer.add(ZIPEntry(path: "last", bytes: text)) { bytes += $0 }
    try writer.finish { bytes += $0 }
    let files = [
      ("small", [1, 2], true), ("noise", noise, true), ("dir/text", text, false),
      ("empty", [], false), ("last", text, false),
    ].map { ZIPContents.File(path: $0.0, bytes: $0.1, isStored: $0.2) }
    return (bytes, files)
  }

  /// Entries that use 64-bit sizes above 4 GB are written the same way with a lower limit.
  @Test(arguments: [0, 100, 2500, ZIPWriter.maxSizeWithoutZIP64])
  func `files written in chunks are read back, also with sizes above 32 bits`(
    _ plain: UInt64
  ) throws {
    let (bytes, files) = try Self.pieces(wideAbove: plain)
    #expect(try ZIPContents.read(bytes) == files)
    let script = """
      import io, sys, zipfile
      archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
      print(archive.testzip(), [(file.filename, file.file_size) for file in archive.infolist()])
      """
    guard Effort.isWhole else { return }
    let run = try Judges.python(script, input: Data(bytes))
    let list = files.map { "('\($0.path)', \($0.bytes.count))" }.joined(separator: ", ")
    #expect(run.text == "None [\(list)]\n", "\(run.errorText)")
  }

  @Test func `a file written in chunks that grows too large is refused`() throws {
    var count = 0
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 0), maxSize: 5000)
    try writer.begin("large", isStored: true) { count += $0.count }
    #expect(throws: ZIPError.tooLarge(path: "large")) {
      for _ in 0..<10 { try writer.write([UInt8](repeating: 0, count: 900)) { count += $0.count } }
    }
    #expect(count < 5000)
  }
}
