import Foundation
import TestFiles
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("Segments overwritten with an older copy by a sync program")
struct OverwrittenSegmentTests {
  /// How an older copy is written back.
  enum ReplacementMethod: CaseIterable {
    case renamed, overwritten
  }

  private let files: TemporaryArchive

  init() throws { files = try TemporaryArchive() }

  private var copies: URL { files.directory.appendingPathComponent("state/recent") }

  private func open(_ device: String = "m", copying: Bool = true) -> Archive {
    Archive(
      location: files.location, device: device, readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize,
      recent: copying ? RecentAppends(directory: copies.path) : nil)
  }

  private static func key(_ number: Int) -> String { "https://example.org/\(number)" }

  private static func save(_ numbers: Range<Int>, in archive: Archive) throws {
    for number in numbers {
      try archive.save("text \(number)", at: Double(number), key: key(number))
    }
  }

  private static func saved(_ archive: Archive) throws -> [Int] {
    try (0..<8).filter { number in
      guard let stored = try archive.captures(of: key(number)).first else { return false }
      return try archive.text(stored) == "text \(number)"
    }
  }

  private func writeBack(_ bytes: [UInt8], to name: String, _ method: ReplacementMethod) throws {
    switch method {
    case .overwritten:
      let file = try LocalFileSystem().openForWriting(files.segment(name).path)
      try file.write(bytes, at: 0)
      try file.truncate(to: Int64(bytes.count))
    case .renamed:
      let draft = files.segment(".\(name).Xk3d9a")
      try Data(bytes).write(to: draft)
      #expect(rename(draft.path, files.segment(name).path) == 0)
    }
  }

  /// Expects all pages in this archive, after a rebuild of its index, and on another device.
  private func expectAll(_ comment: Comment) throws {
    let all = Array(0..<8)
    let reopened = open()
    #expect(try Self.saved(reopened) == all, comment)
    reopened.close()
    try files.removeIndex()
    let rebuilt = open()
    #expect(try Self.saved(rebuilt) == all, "\(comment), rebuilt")
    rebuilt.close()
    let otherArchive = try TemporaryArchive()
    try FileManager.default.copyItem(at: files.location.archive, to: otherArchive.location.archive)
    let elsewhere = otherArchive.open(device: "other")
    #expect(try Self.saved(elsewhere) == all, "\(comment), on another device")
    elsewhere.close()
  }

  @Test(arguments: ReplacementMethod.allCases, [true, false])
  func `pages saved since the copy are kept, wherever the copy ends`(
    _ method: ReplacementMethod, staysOpen: Bool
  ) throws {
    // Offsets at which a copy may end: in each part of the first record, and of a later one.
    let cuts = [0, 1, 100, 500, 900, 1000, 1300, 1301]
    for cut in cuts {
      let archive = open()
      try Self.save(0..<3, in: archive)
      let name = try #require(try files.segments().first)
      let copy = Array(try files.bytes(of: name).prefix(cut == 1301 ? Int.max : cut))
      try Self.save(3..<6, in: archive)
      if !staysOpen { archive.close() }
      try writeBack(copy, to: name, method)
      let writer = staysOpen ? archive : open()
      try Self.save(6..<8, in: writer)
      writer.close()
      try expectAll("cut at \(cut)")
      try FileManager.default.removeItem(at: files.location.archive)
      try FileManager.default.removeItem(at: copies)
      try files.removeIndex()
    }
  }

  @Test(arguments: ReplacementMethod.allCases)
  func `closing the archive restores the lost last pages`(_ method: ReplacementMethod) throws {
    let archive = open()
    try Self.save(0..<3, in: archive)
    let name = try #require(try files.segments().first)
    let copy = try files.bytes(of: name)
    try Self.save(3..<8, in: archive)
    let wholeBytes = try files.bytes(of: name)
    try writeBack(copy, to: name, method)
    archive.close()
    #expect(try files.bytes(of: name) == wholeBytes)
  }

  @Test(arguments: ReplacementMethod.allCases)
  func `records appended to an older copy by a program without second copies are found`(
    _ method: ReplacementMethod
  ) throws {
    let archive = open()
    try Self.save(0..<2, in: archive)
    let name = try #require(try files.segments().first)
    let copy = try files.bytes(of: name)
    try Self.save(2..<5, in: archive)
    archive.close()
    try writeBack(copy, to: name, method)
    // A separate index is used, as by an earlier version that does not read the index of this
    // version.
    let otherArchive = try TemporaryArchive()
    let earlier = Archive(
      location: ArchiveLocation(
        archive: files.location.archive, index: otherArchive.location.index),
      device: "m", readOnly: false, segmentLimit: SegmentWriter.maxSegmentSize)
    // The records have the same length as the lost ones, so that the file exceeds its known size.
    for number in [5, 6, 7] {
      try earlier.save("text \(number)", at: Double(number), key: Self.key(number))
    }
    try earlier.save("more", at: 9, key: "https://example.org/9")
    earlier.close()
    try expectAll("grown by another program")
  }

  /// It matters whether a record of the longer segment begins where the known one ends, which
  /// depends on how well record ids compress. Both cases are produced by retrying.
  @Test(arguments: [true, false], [true, false])
  func `an index detects a longer replacement segment with the same beginning`(
    isOwn: Bool, endsAtRecord: Bool
  ) throws {
    let writer = open("m", copying: false)
    try Self.save(0..<2, in: writer)
    writer.close()
    let name = try #require(try files.segments().first)
    let copy = try files.bytes(of: name)
    /// Returns the segment as the same device continues a copy of it.
    func continued(_ numbers: Range<Int>) throws -> [UInt8] {
      let elsewhere = try TemporaryArchive()
      try elsewhere.write(copy, to: name)
      let otherArchive = elsewhere.open()
      try Self.save(numbers, in: otherArchive)
      otherArchive.close()
      return try elsewhere.bytes(of: name)
    }
    // Both segments are created again for each attempt, so that all attempts are equally likely to
    // succeed.
    var (known, longer): ([UInt8], [UInt8]) = ([], [])
    for attempt in 1... {
      try #require(attempt < 1000)
      (known, longer) = (try continued(2..<4), try continued(4..<8))
      let end = Int64(known.count)
      if try Self.records(of: longer).contains(end) == endsAtRecord { break }
    }
    try writeBack(known, to: name, .renamed)
    try files.removeIndex()
    let reading = open(isOwn ? "m" : "other", copying: false)
    #expect(try Self.saved(reading) == [0, 1, 2, 3])
    try writeBack(longer, to: name, .renamed)
    try reading.catchUp()
    #expect(try Self.saved(reading) == [0, 1, 4, 5, 6, 7])
    reading.close()
  }

  /// Returns the offsets of the records of a segment.
  private static func records(of bytes: [UInt8]) throws -> [Int64] {
    let reader = WARCReader(bytes: bytes)
    var starts: [Int64] = []
    while case .record(_, let position)? = try reader.next() { starts.append(position.offset) }
    return starts
  }

  @Test func `an older copy that is written back twice loses nothing`() throws {
    let archive = open()
    try Self.save(0..<2, in: archive)
    let name = try #require(try files.segments().first)
    let copy = try files.bytes(of: name)
    try Self.save(2..<5, in: archive)
    try writeBack(copy, to: name, .renamed)
    try Self.save(5..<7, in: archive)
    try writeBack(copy, to: name, .overwritten)
    archive.close()
    try writeBack(copy, to: name, .renamed)
    let reopened = open()
    try Self.save(7..<8, in: reopened)
    reopened.close()
    try expectAll("twice")
  }

  @Test func `a second copy that is itself overwritten by an older one loses nothing`() throws {
    let archive = open()
    try Self.save(0..<2, in: archive)
    let name = try #require(try files.segments().first)
    let segment = try files.bytes(of: name)
    let copy = try #require(try second().first)
    let older = try Data(contentsOf: copy)
    try Self.save(2..<4, in: archive)
    try older.write(to: copy, options: .atomic)
    try Self.save(4..<8, in: archive)
    archive.close()
    // The name that the copy had while it was written does not matter.
    try older.write(to: copy, options: .atomic)
    try writeBack(segment, to: name, .renamed)
    try expectAll("both overwritten")
  }

  private func second() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: copies, includingPropertiesForKeys: nil)
  }

  @Test func `a second copy truncated by a kill restores the complete records before the end`()
    throws
  {
    let archive = open()
    try Self.save(0..<2, in: archive)
    let name = try #require(try files.segments().first)
    let old = try files.bytes(of: name)
    try Self.save(2..<8, in: archive)
    archive.close()
    let copy = try #require(try second().first)
    try Data(contentsOf: copy).dropLast(5).write(to: copy)
    try writeBack(old, to: name, .renamed)
    let reopened = open()
    #expect(try Self.saved(reopened) == Array(0..<7))
    reopened.close()
  }

  @Test func `a record truncated during a write is completed from the second copy`()
    throws
  {
    let archive = open()
    try Self.save(0..<8, in: archive)
    archive.close()
    let name = try #require(try files.segments().first)
    let wholeBytes = try files.bytes(of: name)
    try writeBack(wholeBytes.dropLast(20), to: name, .overwritten)
    let reopened = open()
    #expect(try Self.saved(reopened) == Array(0..<8))
    reopened.close()
    #expect(try files.bytes(of: name) == wholeBytes)
  }

  @Test func `nothing of a removed page remains in the second copy`() throws {
    let archive = open()
    let noise = (0..<40).map { "\($0 &* 7919)" }.joined()
    try Self.save(0..<2, in: archive)
    try archive.save(noise, at: 3, key: Self.key(7))
    #expect(try !second().isEmpty)
    let name = try #require(try files.segments().first)
    let copy = try files.bytes(of: name)
    try archive.remove(Self.key(7), now: Archive.start + 10)
    try Self.save(2..<3, in: archive)
    for file in try second() {
      #expect(!(try Self.text(of: file).contains(noise)))
    }
    // The remaining records are copied again, so an older copy that is written back loses nothing
    // else.
    try writeBack(copy, to: name, .renamed)
    archive.close()
    let reopened = open()
    #expect(try Self.saved(reopened).starts(with: [0, 1, 2]))
    reopened.close()
  }

  /// The decompressed records of a second copy.
  private static func text(of copy: URL) throws -> String {
    let bytes = [UInt8](try Data(contentsOf: copy))
    let reader = WARCReader(bytes: bytes)
    var text: [UInt8] = []
    while let entry = try reader.next() {
      guard case .record = entry else { continue }
      while let chunk = try reader.nextChunk() { text += chunk }
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `a removed segment directory is not restored`() throws {
    let archive = open()
    try Self.save(0..<4, in: archive)
    archive.close()
    try FileManager.default.removeItem(at: files.location.archive)
    let reopened = open()
    try Self.save(4..<6, in: reopened)
    #expect(try Self.saved(reopened) == [4, 5])
    reopened.close()
  }

  @Test func `a failed append is not restored`() throws {
    let archive = open()
    try Self.save(0..<1, in: archive)
    archive.close()
    let broken = Archive(
      location: files.location, device: "m", readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize, files: FullDisk(),
      recent: RecentAppends(directory: copies.path))
    #expect(throws: ArchiveError.self) { try Self.save(1..<2, in: broken) }
    broken.close()
    let reopened = open()
    #expect(try Self.saved(reopened) == [0])
    reopened.close()
  }

  /// A full disk.
  private struct FullDisk: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
      -Int(ENOSPC)
    }
  }
}
