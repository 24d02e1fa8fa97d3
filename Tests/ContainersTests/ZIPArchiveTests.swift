import Containers
import Exchange
import Foundation
import TestSupport
import Testing
import WARC

@Suite struct ZIPArchiveTests {
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let deflater = Deflater(format: .raw)
    var packed: [UInt8] = []
    deflater.deflate(bytes) { packed += $0 }
    deflater.finish { packed += $0 }
    return packed
  }

  private static func deflated(_ name: String, _ content: [UInt8]) -> ZIPBytes.Entry {
    ZIPBytes.Entry(
      name: Array(name.utf8), packed: packed(content), size: UInt64(content.count),
      checksum: ZIPBytes.checksum(content), method: 8, flags: 0)
  }

  private static func open(
    _ bytes: [UInt8], bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) -> ZIPArchive {
    try ZIPArchive(ByteAccess(bytes), bounds: bounds)
  }

  @Test func `an archive of the EPUB writer is read`() throws {
    let files = [
      ("mimetype", "application/epub+zip"),
      ("dir/é.txt", String(repeating: "text ", count: 90_000)),
      ("empty", ""),
    ]
    var bytes: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 0))
    for (path, text) in files {
      try writer.add(ZIPEntry(path: path, bytes: Array(text.utf8))) { bytes += $0 }
    }
    try writer.finish { bytes += $0 }
    let archive = try Self.open(bytes)
    #expect(archive.entries.map(\.path) == files.map(\.0))
    for (path, text) in files { #expect(try archive.content(of: path) == Array(text.utf8)) }
    #expect(throws: ContainerError.missing(path: "other")) { try archive.content(of: "other") }
  }

  @Test func `an archive with ZIP64 sizes and a signature in its comment is read`() throws {
    var zip = ZIPBytes()
    zip.add("a", "first")
    zip.add("b", "second")
    zip.entries[1].isLarge = true
    zip.isLarge = true
    zip.comment = [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0x20, count: 40)
    #expect(try Self.open(zip.bytes).content(of: "b") == Array("second".utf8))
  }

  @Test(arguments: [false, true])
  func `bytes after the archive, or a wrong length of its comment, do no harm`(_ isLarge: Bool)
    throws
  {
    var zip = ZIPBytes()
    zip.add("a", "first")
    zip.isLarge = isLarge
    var wrong = zip.bytes
    wrong[wrong.count - 2] = 1
    for bytes in [zip.bytes + [0x0A], zip.bytes + [UInt8](repeating: 0, count: 100), wrong] {
      #expect(try Self.open(bytes).content(of: "a") == Array("first".utf8))
    }
  }

  @Test(arguments: [(true, 2), (false, 0)])
  func `the whole entries of a truncated archive can be read if this is wanted`(
    _ isRecovering: Bool, _ count: Int
  ) throws {
    var zip = ZIPBytes()
    zip.entries = [Self.deflated("a", Array(repeating: 0x61, count: 3000))]
    zip.add("b", "second")
    zip.entries[1].isLarge = true
    zip.add("c", "the third is cut")
    let end = try #require(zip.bytes.firstRange(of: Array(" is cut".utf8))?.lowerBound)
    let bytes = Array(zip.bytes[..<end])
    let archive = try? ZIPArchive(ByteAccess(bytes), recovering: isRecovering)
    #expect(archive?.entries.count ?? 0 == count)
    if let archive {
      #expect(archive.isRecovered && archive.entries.map(\.path) == ["a", "b"])
      #expect(try archive.content(of: "a").count == 3000)
      #expect(try archive.content(of: "b") == Array("second".utf8))
    }
    #expect(try !ZIPArchive(ByteAccess(zip.bytes), recovering: true).isRecovered)
  }

  @Test(arguments: [4, 8])
  func `entries that were written as streams are recovered`(_ width: Int) throws {
    // The sizes and the checksum follow the content; a record with another size is part of it.
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var bytes: [UInt8] = []
    let text = Array("text PK\u{7}\u{8} 1234567890123456".utf8)
    for name in ["a", "b"] {
      bytes += [0x50, 0x4B, 3, 4, 20, 0, 8, 0] + little(0, 18) + little(1, 2) + little(0, 2)
      bytes += Array(name.utf8) + text + [0x50, 0x4B, 7, 8]
      bytes += little(Int(ZIPBytes.checksum(text)), 4) + little(text.count, width)
      bytes += little(text.count, width)
    }
    let archive = try ZIPArchive(ByteAccess(bytes), recovering: true)
    #expect(archive.entries.map(\.path) == ["a", "b"])
    #expect(try archive.content(of: "b") == text)
  }

  @Test func `an archive is not recovered if its names and extra fields are very long`() {
    // Headers of empty entries, each with a name and extra fields of the maximum length.
    let head: [UInt8] = [0x50, 0x4B, 3, 4] + Array(repeating: 0, count: 22) + [255, 255, 255, 255]
    let period = Int64(head.count + 2 * 0xFFFF)
    let access = ByteAccess(size: 600 * period) { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      if offset % period == 0 {
        let length = min(count, head.count)
        bytes.replaceSubrange(..<length, with: head[..<length])
      }
      return bytes
    }
    #expect(throws: ContainerError.self) { try ZIPArchive(access, recovering: true) }
  }

  @Test func `an archive within a truncated one is not mistaken for it`() throws {
    var inner = ZIPBytes()
    inner.add("a", "first")
    var zip = ZIPBytes()
    zip.add("b", "second")
    zip.add("inner.zip", inner.bytes + Array("more".utf8))
    let whole = zip.bytes
    let end = try #require(whole.indices.last { whole[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    #expect(throws: ContainerError.self) { try Self.open(Array(whole[..<end])) }
  }

  @Test(
    arguments: [
      ([0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x95, 0xB6, 0x8F, 0x91, 0x2E, 0x74], "日本語文書.t"),
      ([0x8D, 0xAE, 0xA2, 0xA0, 0xEF, 0x20, 0xAF, 0xA0, 0xAF, 0xAA, 0xA0], "Новая папка"),
      ([0x47, 0x72, 0x94, 0xE1, 0x65, 0x20, 0x9A, 0x62, 0x75, 0x6E, 0x67], "Größe Übung"),
      ([0x82, 0x74, 0x82, 0x2E, 0x74], "été.t"),
    ] as [([UInt8], String)])
  func `names in other encodings are decoded`(_ name: [UInt8], _ expected: String) throws {
    var zip = ZIPBytes()
    zip.add("é", "x")
    zip.entries.append(
      ZIPBytes.Entry(name: name, packed: [], size: 0, checksum: 0, method: 0, flags: 0))
    let archive = try ZIPArchive(ByteAccess(zip.bytes), decodingNames: ZIPNames.decoded)
    #expect(archive.entries.map(\.path) == ["é", expected])
  }

  @Test(
    arguments: [
      (
        [
          [0x8E, 0xE2, 0xE7, 0xF1, 0xE2, 0x2E, 0x64, 0x6F, 0x63],
          [
            0x91, 0xE7, 0xF1, 0xE2, 0x20, 0xA7, 0xA0, 0x20, 0xAC, 0xA0, 0xE0, 0xE2, 0x2E, 0x70,
            0x64, 0x66,
          ],
        ], ["Отчёт.doc", "Счёт за март.pdf"]
      ),
      (
        [
          [
            0xCF, 0xE8, 0xF1, 0xFC, 0xEC, 0xEE, 0x20, 0x96, 0x20, 0xAB, 0xCE, 0xF2, 0xF7, 0xB8,
            0xF2, 0x20, 0xEE, 0x20, 0xF0, 0xE0, 0xE1, 0xEE, 0xF2, 0xE5, 0xBB, 0x20, 0xB9, 0x35,
            0x2E, 0x64, 0x6F, 0x63,
          ],
          [
            0xCD, 0xEE, 0xE2, 0xE0, 0xFF, 0x20, 0xEF, 0xE0, 0xEF, 0xEA, 0xE0, 0x2E, 0x74, 0x78,
            0x74,
          ],
        ], ["Письмо – «Отчёт о работе» №5.doc", "Новая папка.txt"]
      ),
      (
        [
          [0xEC, 0xEE, 0xBC, 0xE0, 0x20, 0xEA, 0x9C, 0xE8, 0xE3, 0xE0, 0x2E, 0x74, 0x78, 0x74],
          [0x8E, 0xE8, 0xF0, 0xE8, 0xEB, 0xE8, 0xF6, 0xE0, 0x2E, 0x74, 0x78, 0x74],
        ], ["моја књига.txt", "Ћирилица.txt"]
      ),
      (
        [
          [0xC9, 0xCD, 0xCD, 0xCD, 0xBB, 0x2E, 0x74, 0x78, 0x74],
          [0xDB, 0xDC, 0xDD, 0x2E, 0x6E, 0x66, 0x6F],
        ], ["╔═══╗.txt", "█▄▌.nfo"]
      ),
    ] as [([[UInt8]], [String])])
  func `short names in code page 866, and line drawing, are not mistaken for others`(
    _ names: [[UInt8]], _ expected: [String]
  ) throws {
    var zip = ZIPBytes()
    zip.entries = names.map {
      ZIPBytes.Entry(name: $0, packed: [], size: 0, checksum: 0, method: 0, flags: 0)
    }
    let archive = try ZIPArchive(ByteAccess(zip.bytes), decodingNames: ZIPNames.decoded)
    #expect(archive.entries.map(\.path) == expected)
  }

  @Test(arguments: [(0, "Ёж.doc"), (1, "ü")])
  func `a name in UTF-8 is used unless the entry was renamed`(
    _ change: UInt32, _ expected: String
  ) throws {
    let name: [UInt8] = [0x81]
    let text = Array("Ёж.doc".utf8)
    let checksum = ZIPBytes.checksum(name) ^ change
    var entry = ZIPBytes.Entry(
      name: name, packed: [], size: 0, checksum: 0, method: 0, flags: 0)
    entry.extra =
      [0x75, 0x70, UInt8(5 + text.count), 0, 1]
      + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) } + text
    var zip = ZIPBytes()
    zip.entries = [entry]
    let archive = try ZIPArchive(ByteAccess(zip.bytes), decodingNames: { $0.map { _ in "ü" } })
    #expect(archive.entries.map(\.path) == [expected])
  }

  @Test func `names stay in code page 437 if the decoder does not return one for each`() throws {
    var zip = ZIPBytes()
    zip.entries = [[0x81], [0x81, 0x2F, 0x61]].map {
      ZIPBytes.Entry(name: $0, packed: [], size: 0, checksum: 0, method: 0, flags: 0)
    }
    for decoded in [nil, [], ["x"]] as [[String]?] {
      let archive = try ZIPArchive(ByteAccess(zip.bytes)) { _ in decoded }
      #expect(archive.entries.map(\.path) == ["ü", "ü/a"])
    }
    let archive = try ZIPArchive(ByteAccess(zip.bytes)) { _ in ["../x", "b"] }
    #expect(archive.entries.map(\.path) == ["b"] && archive.rejectedNames == ["../x"])
  }

  @Test func `the entries that macOS adds are recognized`() throws {
    var zip = ZIPBytes()
    for name in ["__MACOSX/._a", "b/.DS_Store", ".DS_Store", "b/__MACOSX", "a.DS_Store"] {
      zip.add(name, "x")
    }
    #expect(
      try Self.open(zip.bytes).entries.map(\.isMacMetadata) == [true, true, true, false, false])
  }

  @Test func `an archive after other data is rejected`() throws {
    var zip = ZIPBytes()
    zip.add("a", "first")
    zip.prefix = Array("#!/bin/sh\n".utf8)
    #expect(!ZIPArchive.isFormat(of: zip.bytes))
    #expect(throws: ContainerError.self) { try Self.open(zip.bytes) }
  }

  @Test func `duplicate names and paths outside the archive are reported and not read`() throws {
    var zip = ZIPBytes()
    let bad = ["../x", "/etc/passwd", "a/../../x", "C:\\x", "\\\\host\\x", "a\u{0}b", ""]
    for name in ["a", "./b//c", "d\\e"] + bad { zip.add(name, name) }
    zip.add("a", "again")
    zip.entries.append(
      ZIPBytes.Entry(name: [0x81], packed: [], size: 0, checksum: 0, method: 0, flags: 0))
    let archive = try Self.open(zip.bytes)
    #expect(archive.entries.map(\.path) == ["a", "b/c", "d/e", "ü"])
    #expect(archive.rejectedNames == bad + ["a"])
    #expect(try archive.content(of: "a") == Array("a".utf8))
  }

  @Test func `encrypted entries and unsupported compression methods are reported by name`() throws {
    var zip = ZIPBytes()
    zip.add("secret", "x")
    zip.entries[0].flags |= 1
    zip.add("odd", "x")
    zip.entries[1].method = 14
    zip.add("plain", "x")
    let archive = try Self.open(zip.bytes)
    #expect(throws: ContainerError.encrypted(path: "secret")) {
      try archive.content(of: "secret")
    }
    #expect(throws: ContainerError.unknownMethod(path: "odd", 14)) {
      try archive.content(of: "odd")
    }
    #expect(try archive.content(of: "plain") == Array("x".utf8))
  }

  @Test func `ZIP bombs are rejected before they are decompressed`() throws {
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    var zip = ZIPBytes()
    zip.entries = [Self.deflated("bomb", zeros)]
    let dense = try Self.open(zip.bytes)
    #expect(throws: ContainerError.suspiciousRatio(path: "bomb", limit: 200)) {
      try dense.content(of: "bomb")
    }
    // The declared size is small, but the actual size is not.
    zip.entries[0].size = 1000
    let lying = try Self.open(zip.bytes)
    #expect(throws: ContainerError.damaged("bomb is longer than the central directory states")) {
      try lying.content(of: "bomb")
    }
    // Overlapping entries that share their data (Fifield 2019).
    zip.entries = [Self.deflated("a", zeros), Self.deflated("b", [])]
    zip.entries[1].offset = 0
    #expect(throws: ContainerError.self) { try Self.open(zip.bytes) }
    // The total of all entries.
    var bounds = ContainerBounds()
    bounds.maxSize = 1 << 20
    zip.entries = (0..<3).map { Self.deflated("\($0)", [UInt8](repeating: 0, count: 400_000)) }
    #expect(throws: ContainerError.tooLarge(path: "", limit: 1 << 20)) {
      try Self.open(zip.bytes, bounds: bounds)
    }
    bounds = ContainerBounds()
    bounds.maxEntries = 2
    #expect(throws: ContainerError.tooManyEntries(limit: 2)) {
      try Self.open(zip.bytes, bounds: bounds)
    }
    zip.count = 1 << 40
    zip.isLarge = true
    #expect(throws: ContainerError.tooManyEntries(limit: 10_000)) { try Self.open(zip.bytes) }
  }

  @Test func `an archive that contains itself is read once`() throws {
    // A quine is like any archive within an archive: its entries are just bytes.
    var inner = ZIPBytes()
    inner.add("r/r.zip", "…")
    var zip = ZIPBytes()
    zip.add("r/r.zip", inner.bytes)
    let archive = try Self.open(zip.bytes)
    #expect(archive.entries.count == 1)
    #expect(try archive.content(of: "r/r.zip") == inner.bytes)
  }

  @Test func `an altered byte of an entry is detected`() throws {
    var zip = ZIPBytes()
    zip.add("a", "text")
    zip.entries[0].checksum ^= 1
    let archive = try Self.open(zip.bytes)
    #expect(throws: ContainerError.wrongChecksum(path: "a")) { try archive.content(of: "a") }
  }

  @Test func `bytes that are not an archive, or only its beginning, throw an error`() throws {
    var zip = ZIPBytes()
    zip.add("a", "text")
    for count in 0..<zip.bytes.count {
      #expect(throws: ContainerError.self) { try Self.open(Array(zip.bytes[..<count])) }
    }
    #expect(throws: ContainerError.otherFormat) {
      try Self.open(Array("GIF89a, and more of it.".utf8))
    }
  }

  @Test func `archives with altered bytes do not crash the reader`() throws {
    var zip = ZIPBytes()
    zip.add("a", "text")
    zip.entries.append(Self.deflated("b", Array(String(repeating: "text ", count: 100).utf8)))
    zip.entries[0].isLarge = true
    zip.isLarge = true
    var random = SplitMix64(seed: 22)
    for _ in 0..<3000 {
      var bytes = zip.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = [0, 1, 0x7F, 0xFF].randomElement(
          using: &random)!
      }
      guard let archive = try? Self.open(bytes) else { continue }
      for entry in archive.entries { _ = try? archive.content(of: entry.path) }
    }
  }

  @Test func `the first bytes of an entry can be read without the rest`() throws {
    var zip = ZIPBytes()
    zip.add("a", "text")
    var entry = Self.deflated("b", [UInt8](repeating: 0x61, count: 200_000))
    entry.checksum ^= 1
    zip.entries.append(entry)
    let archive = try Self.open(zip.bytes)
    #expect(archive.beginning(of: try #require(archive["a"]), upTo: 9) == Array("text".utf8))
    let packed = try #require(archive["b"])
    #expect(archive.beginning(of: packed, upTo: 3) == Array("aaa".utf8))
    #expect(throws: ContainerError.wrongChecksum(path: "b")) { try archive.content(of: "b") }
  }

  @Test(
    arguments: [
      // 2024-11-03 10:15:04, an invalid month, and the date that stands for no date.
      (0x5963_51E2, 1_730_628_904), (0x5803_51E2, nil), (0x21_0000, nil), (0, nil),
    ] as [(UInt32, Int64?)])
  func `entries have their modification time`(_ time: UInt32, _ seconds: Int64?) throws {
    var zip = ZIPBytes()
    zip.add("a", "text")
    zip.entries[0].time = time
    #expect(try Self.open(zip.bytes)["a"]?.modificationTime == seconds)
  }

  @Test(
    arguments: [
      ("ch2.xhtml", "OEBPS/text/ch2.xhtml"), ("../img/a%20b.png#x", "OEBPS/img/a b.png"),
      ("/top.html", "top.html"), ("../../../x", nil), ("http://a/b", nil), ("//a/b", nil),
      ("a%2Fb", nil), ("", "OEBPS/text/ch1.xhtml"), ("#note", "OEBPS/text/ch1.xhtml"),
    ] as [(String, String?)])
  func `references are resolved within the container`(_ reference: String, _ path: String?) {
    #expect(ContainedPath.resolve(reference, from: "OEBPS/text/ch1.xhtml") == path)
  }
}
