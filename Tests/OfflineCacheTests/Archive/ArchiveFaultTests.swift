import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Every system call on a file fails once, in every way.
@Suite("Faults of files")
struct ArchiveFaultTests {
  /// The operation performed while a call fails.
  enum Operation: String, CaseIterable, CustomStringConvertible {
    case firstSave, save, longSave, newSegment, refresh, failedCheck, torn, rebuild, open, key
    case removal, compaction

    var description: String { rawValue }

    /// Whether the operation removes a page.
    var removes: Bool { self == .removal || self == .compaction }

    /// Whether the operation saves the new page.
    var saves: Bool { [.firstSave, .save, .longSave, .newSegment, .torn].contains(self) }
  }

  private static let earlierKeys = ["https://example.org/a", "https://example.org/b"]
  private static let newKey = "https://example.org/new"
  private static let nextKey = "https://example.org/next"
  private static let removedKey = "https://example.org/gone"
  private static let allKeys = earlierKeys + [newKey, nextKey, removedKey]

  /// The text of each page, which reveals wrong bytes.
  private static func text(_ key: String) -> String { "text of \(key) " + key + key }

  private static func longText(_ key: String) -> String {
    String(repeating: text(key), count: (1 << 20) / text(key).utf8.count + 100)
  }

  /// Creates a directory with two pages, prepared for an operation.
  private static func prepare(_ operation: Operation) throws -> TemporaryArchive {
    let files = try TemporaryArchive()
    if operation == .key {
      try LocalFileSystem().makeDirectories(files.location.archive.path)
    }
    guard operation != .firstSave, operation != .key else { return files }
    // Compaction needs several segments.
    let archive = files.open(segmentLimit: operation == .compaction ? 900 : 1 << 20)
    for key in operation.removes ? [removedKey] : [] {
      let stored = try archive.save(text(key), at: -1_000_000, key: key)
      let time = Archive.start - 999_000
      _ = try archive.refresh(stored, with: stored.response, requestTime: time, responseTime: time)
    }
    for key in earlierKeys { try archive.save(text(key), at: 0, key: key, fields: [("ETag", "1")]) }
    archive.close()
    if operation == .torn {
      let name = try #require(try files.segments().first)
      try files.append(Array(try files.bytes(of: name).prefix(90)), to: name)
    }
    if operation == .rebuild { try files.removeIndex() }
    return files
  }

  /// Performs the operation.
  /// - Returns: The archive, if it was opened, and whether the new page was reported as saved.
  private static func perform(
    _ operation: Operation, in files: TemporaryArchive, on layer: FaultyFileSystem
  ) throws(ArchiveError) -> (archive: Archive?, hasSaved: Bool) {
    if operation == .key {
      _ = VarySecret.load(from: files.location.archive, readOnly: false, files: layer)
      return (nil, false)
    }
    let archive = Archive(
      location: files.location, device: "m", readOnly: false,
      segmentLimit: operation == .newSegment ? 100 : 10_000_000, files: layer)
    var hasSaved = false
    do throws(ArchiveError) {
      switch operation {
      case .firstSave, .save, .newSegment, .torn:
        try archive.save(text(newKey), at: 1, key: newKey)
        hasSaved = true
      case .longSave:
        // The content is written uncompressed, in several chunks.
        try archive.save(
          longText(newKey), at: 1, key: newKey, fields: [("Content-Type", "image/png")])
        hasSaved = true
      case .refresh:
        for stored in try archive.captures(of: earlierKeys[0]) {
          var head = stored.response
          head.fields["ETag"] = "2"
          let time = Archive.start + 9
          _ = try archive.refresh(stored, with: head, requestTime: time, responseTime: time)
        }
      case .failedCheck:
        try archive.record(
          StoredResponse.Check(date: Archive.start + 9, result: .status(500)), of: earlierKeys[0])
      case .removal, .compaction: try removePage(operation, from: archive)
      case .rebuild, .open, .key: break
      }
      try archive.sync()
    } catch {
      #expect(!error.description.isEmpty && !error.description.contains("\n"))
    }
    return (archive, hasSaved)
  }

  /// Removes a page as part of an operation.
  private static func removePage(
    _ operation: Operation, from archive: Archive
  ) throws(ArchiveError) {
    if operation == .removal {
      try archive.remove(removedKey, now: Archive.start + 9)
    } else {
      var limits = StorageLimits()
      limits.age = 1000
      try archive.compact(
        limits: limits, now: Archive.start + 9, isEvictionExempt: { earlierKeys.contains($0) })
    }
  }

  /// Expects that everything an archive returns for the given pages is correct.
  private static func expectIntact(
    _ archive: Archive, _ keys: [String], _ location: Comment
  ) throws {
    for key in keys {
      let versions = try archive.captures(of: key)
      #expect(versions.count == 1, location)
      for version in versions {
        let text = try archive.text(version)
        #expect(text == Self.text(key) || text == longText(key), location)
      }
    }
  }

  /// Checks the conditions that hold after every fault.
  private static func examine(
    _ files: TemporaryArchive, _ archive: Archive?, hasSaved: Bool, _ operation: Operation,
    _ location: Comment
  ) throws {
    let expectedKeys = operation == .firstSave || operation == .key ? [] : earlierKeys
    let keptKeys = expectedKeys + (hasSaved ? [newKey] : [])
    // The same archive can still be used.
    if let archive {
      try archive.save(text(nextKey), at: 20, key: nextKey)
      #expect(archive.warning == nil, location)
      try archive.sync()
      try expectIntact(archive, keptKeys + [nextKey], location)
      archive.close()
    }
    // An archive that is opened afterwards can be used, too.
    let reopened = files.open()
    try expectIntact(reopened, keptKeys, location)
    if operation.removes {
      for version in try reopened.captures(of: removedKey) {
        #expect(try reopened.text(version) == text(removedKey), location)
      }
      try removePage(operation, from: reopened)
      #expect(try reopened.captures(of: removedKey).isEmpty, location)
    }
    try reopened.save(text(nextKey), at: 30, key: nextKey)
    #expect(reopened.warning == nil, location)
    try expectIntact(reopened, keptKeys + [nextKey], location)
    if try !reopened.captures(of: newKey).isEmpty { try expectIntact(reopened, [newKey], location) }
    // The surviving index equals one rebuilt from the segments.
    let snapshot = try reopened.snapshot(allKeys)
    reopened.close()
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.snapshot(allKeys) == snapshot, location)
    // No damage remains.
    #expect(rebuilt.takeNotices().isEmpty, location)
    #expect(VarySecret.load(from: files.location.archive, readOnly: true).count == 32, location)
  }

  /// The numbers of the calls to fail: all, but only the first, second and last of a run of equal
  /// calls.
  private static func numbers(_ calls: [String]) -> [Int] {
    let telling = calls.indices.filter { number in
      let around = [number - 2, number - 1, number, number + 1]
      return !around.allSatisfy { calls.indices.contains($0) && calls[$0] == calls[number] }
    }
    guard Effort.isThreadSanitized else { return Effort.some(telling, part: 6) }
    let step = max(1, telling.count / 3)
    return stride(from: 0, to: telling.count, by: step).map { telling[$0] }
  }

  @Test(arguments: Operation.allCases)
  func `a failed system call loses at most the page being saved`(_ operation: Operation) throws {
    let countingLayer = FaultyFileSystem()
    let files = try Self.prepare(operation)
    let (archive, hasSaved) = try Self.perform(operation, in: files, on: countingLayer)
    let numbers = Self.numbers(countingLayer.calls)
    try Self.examine(files, archive, hasSaved: hasSaved, operation, "no fault")
    #expect(countingLayer.calls.count > 5)
    for number in numbers {
      for fault in FaultyFileSystem.Fault.allCases where fault != .killed {
        let location: Comment = "\(fault) at call \(number)"
        let layer = FaultyFileSystem()
        let files = try Self.prepare(operation)
        layer.fail(number, by: fault)
        let (archive, hasSaved) = try Self.perform(operation, in: files, on: layer)
        // An interrupting signal is not a failure.
        if fault == .interrupted { #expect(hasSaved == operation.saves, location) }
        layer.heal()
        try Self.examine(files, archive, hasSaved: hasSaved, operation, location)
      }
    }
  }

  @Test(arguments: Operation.allCases)
  func `a kill at any system call loses at most the page being saved`(_ operation: Operation) throws
  {
    let countingLayer = FaultyFileSystem()
    _ = try Self.perform(operation, in: try Self.prepare(operation), on: countingLayer)
    let numbers = Self.numbers(countingLayer.calls)
    #expect(countingLayer.calls.count > 5)
    for number in numbers {
      let layer = FaultyFileSystem(stopsWhenKilled: !operation.removes)
      let files = try Self.prepare(operation)
      layer.fail(number, by: .killed)
      let ended = DispatchSemaphore(value: 0)
      Thread {
        // The result in the killed process is ignored.
        _ = try? Self.perform(operation, in: files, on: layer)
        layer.death.signal()
        ended.signal()
      }.start()
      layer.death.wait()
      try Self.examine(files, nil, hasSaved: false, operation, "killed at call \(number)")
      layer.resumeKilledThread()
      ended.wait()
    }
  }
}
