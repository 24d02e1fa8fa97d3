import Dispatch
import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Locks on file systems that lack some lock types, such as network file systems.
@Suite struct LockTests {
  /// A file system without `flock`, and optionally without other locks.
  struct Lockless: ForwardingFileSystem {
    /// The remaining mechanisms of the file system.
    enum RemainingLocks: CaseIterable {
      case descriptionLocks, links, nothing
    }

    let remainingLocks: RemainingLocks
    var error = ENOLCK
    let base: any FileSystem = LocalFileSystem()

    func lock(_ descriptor: Int32, _ operation: Int32) -> Int { -Int(error) }

    func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int {
      remainingLocks == .descriptionLocks
        ? base.lockDescription(descriptor, type, waits: waits) : -Int(error)
    }

    func link(_ path: String, to other: String) -> Int {
      remainingLocks == .nothing ? -Int(EPERM) : base.link(path, to: other)
    }
  }

  private let archive: TemporaryArchive
  private var path: String { archive.directory.appendingPathComponent("a").path }
  private var lockPath: String { archive.directory.appendingPathComponent(".a.lock").path }

  init() throws { archive = try TemporaryArchive() }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archive.directory.path).sorted()
  }

  @Test(arguments: Lockless.RemainingLocks.allCases, [ENOLCK, EOPNOTSUPP, ENOSYS])
  func `only one of two writers has the lock, whatever locks are available`(
    _ remainingLocks: Lockless.RemainingLocks, _ error: Int32
  ) throws {
    let files = Lockless(remainingLocks: remainingLocks, error: error)
    let (one, other) = (try files.openForWriting(path), try files.openForWriting(path))
    #expect(try one.tryLock())
    #expect(try !other.tryLock())
    #expect(try names().contains(".a.lock") == (remainingLocks != .descriptionLocks))
    one.unlock()
    #expect(try other.tryLock())
    #expect(try !one.tryLock())
    other.unlock()
    try one.lock()
    one.unlock()
    #expect(try names() == ["a"])
  }

  @Test(arguments: Lockless.RemainingLocks.allCases)
  func `a reader of a file waits for its writer`(_ remainingLocks: Lockless.RemainingLocks) throws {
    let files = Lockless(remainingLocks: remainingLocks)
    let writer = try files.openForWriting(path)
    let reader = try #require(try files.openForReading(path))
    #expect(try writer.tryLock())
    #expect(try !reader.tryShare())
    writer.unlock()
    #expect(try reader.tryShare())
    #expect(try !writer.tryLock())
    reader.unlock()
    #expect(try writer.tryLock())
  }

  @Test(arguments: [true, false])
  func `readers do not block each other`(_ hasLocks: Bool) throws {
    let files: any FileSystem =
      hasLocks ? LocalFileSystem() : Lockless(remainingLocks: .descriptionLocks)
    let writer = try files.openForWriting(path)
    let one = try #require(try files.openForReading(path))
    let otherFile = try #require(try files.openForReading(path))
    #expect(try one.tryShare() && otherFile.tryShare())
    one.unlock()
    #expect(try !writer.tryLock())
    otherFile.unlock()
    #expect(try writer.tryLock())
    #expect(try !one.tryShare())
  }

  @Test(arguments: Lockless.RemainingLocks.allCases)
  func `closing a file releases its lock`(_ remainingLocks: Lockless.RemainingLocks) throws {
    let files = Lockless(remainingLocks: remainingLocks)
    var one: OpenFile? = try files.openForWriting(path)
    #expect(try one?.tryLock() == true)
    one = nil
    let otherFile = try files.openForWriting(path)
    #expect(try otherFile.tryLock())
  }

  @Test(arguments: [Lockless.RemainingLocks.descriptionLocks, .links, .nothing])
  func `a directory can be locked`(_ remainingLocks: Lockless.RemainingLocks) throws {
    let files = Lockless(remainingLocks: remainingLocks)
    let one = try #require(try files.openDirectory(archive.directory.path))
    let otherDirectory = try #require(try files.openDirectory(archive.directory.path))
    #expect(try one.tryLock())
    #expect(try !otherDirectory.tryLock())
    one.unlock()
    #expect(try otherDirectory.tryLock())
  }

  @Test(arguments: Lockless.RemainingLocks.allCases)
  func `an archive without system locks keeps the pages of two writers`(
    _ remainingLocks: Lockless.RemainingLocks
  )
    throws
  {
    let both = (0..<2).map { _ in
      Archive(
        location: archive.location, device: "m", readOnly: false,
        segmentLimit: SegmentWriter.maxSegmentSize, files: Lockless(remainingLocks: remainingLocks))
    }
    let failures = DispatchQueue.concurrentPerformed(2) { index in
      for number in 0..<20 {
        try both[index].save(
          "\(index) \(number)", at: Double(number), key: "https://e.org/\(index)/\(number)")
      }
    }
    #expect(failures.isEmpty, "\(failures)")
    both.forEach { $0.close() }
    let after = archive.open()
    for index in 0..<2 {
      for number in 0..<20 {
        #expect(try after.captures(of: "https://e.org/\(index)/\(number)").count == 1)
      }
    }
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: archive.location.archive.path)
        .contains { $0.hasSuffix(".lock") })
  }

  private func put(_ holder: LockFile.Holder) throws {
    try Data(holder.bytes).write(to: URL(fileURLWithPath: lockPath))
  }

  private func isFree() throws -> Bool {
    let file = try Lockless(remainingLocks: .links).openForWriting(path)
    defer { file.unlock() }
    return try file.tryLock()
  }

  @Test func `a lock file of a terminated process is ignored`() throws {
    let ended = try Program.start("true", [])
    Program.wait(for: ended)
    var holder = LockFile.Holder.makeForThisProcess()
    holder.process = ended
    try put(holder)
    #expect(try isFree())
    // The process id of the terminated process has been reused.
    holder = .makeForThisProcess()
    holder.start = "1"
    try put(holder)
    #expect(try isFree())
    #expect(try names() == ["a"])
  }

  @Test func `the lock file of a running process or of another host is respected`() throws {
    try put(.makeForThisProcess())
    #expect(try !isFree())
    var holder = LockFile.Holder.makeForThisProcess()
    (holder.host, holder.process) = ("elsewhere 1", 1)
    try put(holder)
    #expect(try !isFree())
  }

  @Test func `an unreadable lock file counts as being written until it is old`()
    throws
  {
    var random = SplitMix64(seed: 21)
    for count in [0, 1, 20, 300] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(LockFile.Holder(bytes) == nil)
      try Data(bytes).write(to: URL(fileURLWithPath: lockPath))
      #expect(try !isFree())
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: lockPath)
      #expect(try isFree())
    }
  }

  @Test func `a lock file is parsed completely or not at all`() {
    let holder = LockFile.Holder.makeForThisProcess()
    #expect(LockFile.Holder(holder.bytes) == holder)
    #expect(!holder.hasEnded)
    for count in holder.bytes.indices {
      #expect(LockFile.Holder(Array(holder.bytes.prefix(count))) == nil)
    }
    #expect(LockFile.Holder(Array("offread lock 1\nh\n-1\n\nx\n".utf8)) == nil)
    #expect(LockFile.Holder(Array("offread lock 1\nh\n99999999999\n\nx\n".utf8)) == nil)
  }

  @Test func `a process that lost its lock to another one does not remove the lock file`() throws {
    let lock = LockFile(of: path, isDirectory: false, files: LocalFileSystem())
    let one = LockFile.Holder.makeForThisProcess()
    let otherHolder = LockFile.Holder.makeForThisProcess()
    #expect(try lock.acquire(for: one) == nil)
    #expect(try lock.acquire(for: otherHolder)?.holder == one)
    lock.release(otherHolder)
    #expect(try lock.acquire(for: otherHolder)?.holder == one)
    lock.release(one)
    #expect(try lock.acquire(for: otherHolder) == nil)
    lock.release(otherHolder)
  }
}

extension DispatchQueue {
  /// Runs a closure several times concurrently.
  /// - Returns: Descriptions of the thrown errors.
  static func concurrentPerformed(
    _ count: Int, _ work: @Sendable (Int) throws -> Void
  ) -> [String] {
    let failures = Mutex([String]())
    concurrentPerform(iterations: count) { index in
      do { try work(index) } catch { failures.withLock { $0.append("\(error)") } }
    }
    return failures.withLock { $0 }
  }
}
