import Dispatch
import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Errors when saved data cannot be flushed to the disk.
@Suite struct FlushTests {
  /// A file system in which flushes of files fail.
  final class FailingFlushes: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    private let remainingFailures = Mutex(0)
    /// Signalled at each failed flush.
    let failed = DispatchSemaphore(value: 0)

    /// Makes the next `count` flushes of files fail.
    func fail(_ count: Int) { remainingFailures.withLock { $0 = count } }

    func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
      let fails = remainingFailures.withLock { count in
        defer { if !isDirectory, count > 0 { count -= 1 } }
        return !isDirectory && count > 0
      }
      guard fails else { return base.sync(descriptor, isDirectory: isDirectory) }
      failed.signal()
      return -Int(EIO)
    }
  }

  private let archive: TemporaryArchive
  private let files = FailingFlushes()

  init() throws { archive = try TemporaryArchive() }

  private func open() -> Archive {
    Archive(
      location: archive.location, device: "m", readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize, files: files)
  }

  @Test func `a failed flush throws an error, and the next record begins a new segment`() throws {
    let saving = open()
    try saving.save("a", at: 0)
    files.fail(1)
    #expect(throws: ArchiveError.self) { try saving.sync() }
    #expect(saving.failedFlushCount == 1)
    #expect(
      saving.takeNotices().map(\.description).contains {
        $0.hasPrefix("the pages saved last may not")
      })
    try saving.save("b", at: 1, key: "https://example.org/b")
    try saving.sync()
    #expect(try archive.segments().count == 2)
    #expect(saving.failedFlushCount == 1)
    saving.close()
  }

  @Test func `a failed background flush is reported by the next query`() throws {
    let saving = open()
    let before = saving.failedFlushCount
    files.fail(1)
    try saving.save("a", at: 0)
    // The archive itself flushes within a second.
    files.failed.wait()
    try saving.sync()
    #expect(saving.failedFlushCount == before + 1)
    saving.close()
  }

  @Test func `a failed flush on closing is reported`() throws {
    let saving = open()
    try saving.save("a", at: 0)
    files.fail(.max)
    saving.close()
    let notices = saving.takeNotices()
    #expect(notices.contains { if case .lost = $0 { true } else { false } }, "\(notices)")
    #expect(notices.filter { $0.follows(from: .full) }.isEmpty == false)
  }

  @Test func `all segments are flushed even if one of them fails`() throws {
    let saving = Archive(
      location: archive.location, device: "m", readOnly: false, segmentLimit: 1, files: files)
    for number in 0..<3 {
      try saving.save("\(number)", at: Double(number), key: "https://e.org/\(number)")
    }
    files.fail(1)
    #expect(throws: ArchiveError.self) { try saving.sync() }
    // Nothing is left to flush.
    files.fail(.max)
    try saving.sync()
    saving.close()
  }
}
