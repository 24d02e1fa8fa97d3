import Dispatch
import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The effects of a power failure.
@Suite("Power cuts")
struct PowerCutTests {
  private static let flushedKeys = (0..<4).map { "https://example.org/old/\($0)" }
  private static let unflushedKeys = (0..<4).map { "https://example.org/new/\($0)" }

  private let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private func open(on layer: VolatileFileSystem, segmentLimit: Int64 = 1 << 20) -> Archive {
    Archive(
      location: files.location, device: "m", readOnly: false, segmentLimit: segmentLimit,
      files: layer)
  }

  private static func text(_ key: String) -> String { String(repeating: key + "\n", count: 50) }

  @Test(arguments: VolatileFileSystem.Loss.allCases, ["kept", "gone", "of before"])
  func `synchronized pages survive, and other pages are correct or absent`(
    _ loss: VolatileFileSystem.Loss, _ index: String
  ) throws {
    for seed in 0..<5 as Range<UInt64> {
      let files = try TemporaryArchive()
      let layer = VolatileFileSystem()
      // The segments are small, so that the power also fails right after a new one is begun.
      let archive = Archive(
        location: files.location, device: "m", readOnly: false, segmentLimit: 900 * Int64(seed),
        files: layer)
      for key in Self.flushedKeys { try archive.save(Self.text(key), at: 0, key: key) }
      try archive.sync()
      #expect(layer.isSettled)
      let before = try Data(contentsOf: files.location.index)
      for key in Self.unflushedKeys { try archive.save(Self.text(key), at: 1, key: key) }
      // The index may be ahead of the segments, or behind.
      try layer.cut(loss, seed: seed)
      archive.close()
      switch index {
      case "gone": try files.removeIndex()
      case "of before":
        try files.removeIndex()
        try LocalFileSystem().makeDirectories(files.location.index.deletingLastPathComponent().path)
        try before.write(to: files.location.index)
      default: break
      }
      let reopened = files.open()
      for key in Self.flushedKeys {
        let versions = try reopened.captures(of: key)
        #expect(try versions.map { try reopened.text($0) } == [Self.text(key)])
      }
      for key in Self.unflushedKeys {
        for version in try reopened.captures(of: key) {
          do throws(ArchiveError) {
            #expect(try reopened.text(version) == Self.text(key))
          } catch {
            #expect(try reopened.captures(of: key).isEmpty, "damage was not detected")
          }
        }
        try reopened.save(Self.text(key), at: 2, key: key)
        #expect(try reopened.captures(of: key).map { try reopened.text($0) } == [Self.text(key)])
      }
      #expect(reopened.warning == nil)
      let snapshot = try reopened.snapshot(Self.flushedKeys + Self.unflushedKeys)
      reopened.close()
      try files.removeIndex()
      #expect(try files.open().snapshot(Self.flushedKeys + Self.unflushedKeys) == snapshot)
    }
  }

  @Test func `a saved page is synchronized automatically within a second`() throws {
    let layer = VolatileFileSystem()
    let archive = open(on: layer)
    #expect(SegmentStore.syncDelay <= 1)
    for key in Self.unflushedKeys { try archive.save(Self.text(key), at: 0, key: key) }
    #expect(!layer.isSettled)
    #expect(layer.synchronized.wait(timeout: .now() + 60) == .success)
    // All four pages are synchronized together.
    #expect(layer.events.count { $0.hasPrefix("sync") } == 1)
    // The next page is synchronized as well.
    try archive.save("more", at: 1)
    #expect(layer.synchronized.wait(timeout: .now() + 60) == .success)
  }

  @Test func `an explicit sync is immediate, and closing syncs`() throws {
    let layer = VolatileFileSystem()
    let archive = open(on: layer)
    try archive.save("one", at: 0)
    try archive.sync()
    #expect(layer.isSettled)
    try archive.save("two", at: 1)
    archive.close()
    #expect(layer.isSettled)
  }

  @Test func `the directory entry of a new segment is on the disk before its content`() throws {
    let layer = VolatileFileSystem()
    let archive = open(on: layer, segmentLimit: 300)
    for key in Self.flushedKeys { try archive.save(Self.text(key), at: 0, key: key) }
    let names = try files.segments()
    #expect(names.count > 2)
    let events = layer.events
    for name in names {
      let write = try #require(events.firstIndex(of: "write \(name)"))
      #expect(events[..<write].last == "names archive")
    }
  }
}
