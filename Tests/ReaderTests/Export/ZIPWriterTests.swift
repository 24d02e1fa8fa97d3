import Exchange
import Foundation
import Reader
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

  @Test func `what is written is found by the directory, with the right sizes and checksums`()
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
    // An EPUB is known by these places.
    #expect(archive[30..<38].elementsEqual("mimetype".utf8))
    #expect(archive[38..<58].elementsEqual("application/epub+zip".utf8))
    #expect(
      try ZIPContents.read(archive)
        == entries.map { ($0.path, $0.bytes) }.map(ZIPContents.File.init))
    #expect(try Self.archive(entries) == archive)
  }

  @Test(
    arguments: [
      (1_795_256_130.9, [0xEF, 0x51, 0x75, 0x5D]), (0, [0, 0, 0x21, 0]),
      (1e11, [0x7D, 0xBF, 0x9F, 0xFF]),
    ] as [(Double, [UInt8])])
  func `times are those of DOS, within what it knows`(_ seconds: Double, _ expected: [UInt8]) throws
  {
    let archive = try Self.archive(
      [ZIPEntry(path: "a", bytes: [])], date: Date(timeIntervalSince1970: seconds))
    #expect(Array(archive[10..<14]) == expected)
  }

  @Test func `what does not fit is refused before any of it is written`() throws {
    var bytes: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 0), limit: 1000)
    try writer.add(ZIPEntry(path: "a", bytes: [1], isStored: true)) { bytes += $0 }
    let count = bytes.count
    let large = ZIPEntry(path: "large", bytes: [UInt8](repeating: 0, count: 900), isStored: true)
    #expect(throws: ZIPError.tooLarge(path: "large")) { try writer.add(large) { bytes += $0 } }
    #expect(bytes.count == count)
    try writer.finish { bytes += $0 }
    #expect(try ZIPContents.read(bytes).map(\.path) == ["a"])
  }
}

/// The files of a ZIP archive, read by its directory.
enum ZIPContents {
  struct File: Equatable {
    var path: String
    var bytes: [UInt8]
  }

  static func read(_ archive: [UInt8]) throws -> [File] {
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(archive[place + $1]) }
    }
    let end = archive.count - 22
    try #require(end >= 0 && number(end, 4) == 0x0605_4B50)
    var place = number(end + 16, 4)
    var files: [File] = []
    for _ in 0..<number(end + 10, 2) {
      try #require(number(place, 4) == 0x0201_4B50)
      let nameLength = number(place + 28, 2)
      let name = archive[(place + 46)..<(place + 46 + nameLength)]
      let local = number(place + 42, 4)
      try #require(number(local, 4) == 0x0403_4B50)
      // Both headers say the same.
      #expect(
        archive[(local + 4)..<(local + 30)].elementsEqual(archive[(place + 6)..<(place + 32)]))
      let start = local + 30 + nameLength
      let packed = Array(archive[start..<(start + number(place + 20, 4))])
      var bytes = packed
      if number(place + 10, 2) == 8 {
        bytes = []
        try Inflater(format: .raw).inflate(packed) { bytes += $0 }
      }
      #expect(bytes.count == number(place + 24, 4))
      #expect(CRC32.checksum(bytes) == UInt32(number(place + 16, 4)))
      files.append(File(path: String(decoding: name, as: UTF8.self), bytes: bytes))
      place += 46 + nameLength
    }
    #expect(place == end)
    return files
  }
}
