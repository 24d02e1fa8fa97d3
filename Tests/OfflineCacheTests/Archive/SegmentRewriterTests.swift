import Foundation
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Rewriting segments: known records from the index save work without changing the result.
@Suite struct SegmentRewriterTests {
  private let files: TemporaryArchive
  private let name: String
  private let knownRecords: [SegmentRewriter.KnownRecord]
  private let end: Int64
  private let rule: RemovalRule

  private static func key(_ number: Int) -> String { "https://example.org/\(number)" }

  init() throws {
    files = try TemporaryArchive()
    let archive = files.open()
    for number in 0..<6 {
      try archive.save("content \(number)", at: Double(number), key: Self.key(number))
    }
    try archive.save("content 2", at: 9, key: Self.key(2))
    try archive.save("content 2 again", at: 10, key: Self.key(2))
    archive.close()
    name = try files.segments()[0]
    end = Int64(try files.bytes(of: name).count)
    rule = RemovalRule(keys: [Self.key(3)])
    let index = try CaptureIndex(path: files.location.index.path, device: "m")
    let inode = try #require(try index.segment(name)).inode
    knownRecords = try index.records(staying: name, inode: UInt64(bitPattern: inode), without: rule)
    #expect(try index.records(staying: name, inode: 1, without: rule) == [])
    index.close()
  }

  /// Returns the bytes of a copy of the segment after its warcinfo record, and the moves of its
  /// records.
  private func copy(
    _ knownRecords: [SegmentRewriter.KnownRecord]
  ) throws -> (bytes: ArraySlice<UInt8>, moves: [SegmentRewriter.Move]) {
    let target = files.location.archive.appendingPathComponent(".copy").path
    let file = try LocalFileSystem().openForWriting(target)
    try file.truncate(to: 0)
    let source = try LocalFileSystem().openForWriting(files.segment(name).path)
    var rewriter = try SegmentRewriter(into: file, name: name, rule: rule, now: Archive.start)
    let meter = ProgressMeter(total: end, nil)
    try rewriter.copy(source, name, 0..<end, known: knownRecords, meter: meter)
    try rewriter.finish()
    let start = rewriter.start
    let moves = rewriter.moves.map { move in
      var move = move
      move.newPosition.offset -= start
      return move
    }
    return (try files.bytes(of: ".copy").dropFirst(Int(start)), moves)
  }

  @Test func `known records are copied identically to records that are read`() throws {
    let read = try copy([])
    #expect(knownRecords.count == 6)
    #expect(read.moves.count >= 7 && !read.bytes.isEmpty)
    let unread = try copy(knownRecords)
    #expect(unread.bytes == read.bytes)
    #expect(unread.moves == read.moves)
    let half = try copy(knownRecords.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    #expect(half.bytes == read.bytes && half.moves == read.moves)
  }

  @Test func `known records are not decompressed`() throws {
    let location = try #require(knownRecords.first).range
    let bytes = try files.bytes(of: name)
    var damaged = bytes
    damaged[Int(location.upperBound) - 9] ^= 0xFF
    try files.write(damaged, to: name)
    let moved = try copy(knownRecords).moves.map(\.oldPosition.offset)
    #expect(moved.contains(location.lowerBound))
    #expect(try !copy([]).moves.map(\.oldPosition.offset).contains(location.lowerBound))
  }

  @Test func `ranges that cannot be those of records are read instead`() throws {
    let read = try copy([])
    let first = try #require(knownRecords.first)
    let wrong: [[Range<Int64>]] = [
      [first.range.lowerBound + 1..<first.range.upperBound],
      [first.range.lowerBound..<first.range.upperBound - 1],
      [first.range, first.range], [first.range, first.range.lowerBound + 5..<end + 7],
      [-5..<3], [end..<end + 9], [first.range.lowerBound..<end + 1], [0..<0],
    ]
    for positions in wrong {
      let result = try copy(
        positions.enumerated().map { .init(id: "wrong \($0.offset)", range: $0.element) })
      #expect(result.bytes == read.bytes, "\(positions)")
    }
  }
}
