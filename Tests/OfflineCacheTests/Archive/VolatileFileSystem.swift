import Foundation
import Synchronization
import TestSupport

@testable import OfflineCache
@testable import WebArchive

/// The local file system, simulating a disk with power failures: changes that were not synchronized
/// may be lost completely or partially.
final class VolatileFileSystem: FileSystem {
  /// The fate of changes that were not synchronized.
  enum Loss: CaseIterable {
    /// No change reached the disk.
    case all
    /// All changes reached the disk.
    case none
    /// Files have their length, but contain zeros.
    case zeros
    /// Some of the changed sectors reached the disk.
    case someSectors
  }

  private struct Change {
    var path: String
    /// The offset of the written bytes, or of the new end of a truncated file.
    var offset: Int64
    /// The bytes before the change.
    var oldBytes: [UInt8]
    /// The number of written bytes.
    var count: Int
    /// The length of the file before the change.
    var size: Int64
    /// Whether this change created the file.
    var createdFile = false
  }

  private struct State {
    var paths: [Int32: String] = [:]
    var changes: [Change] = []
    var events: [String] = []
    var hasFailed = false
  }

  private static let sectorSize = 512
  private let files = LocalFileSystem()
  private let state = Mutex(State())
  /// Signalled when a file is synchronized.
  let synchronized = DispatchSemaphore(value: 0)

  /// All operations in order: `write` and `sync` with the name of a file, and `names` for the
  /// entries of a directory.
  var events: [String] { state.withLock(\.events) }

  /// Whether all changes are on the disk.
  var isSettled: Bool { state.withLock(\.changes.isEmpty) }

  /// Simulates a power failure. All later calls fail.
  func cut(_ loss: Loss, seed: UInt64) throws {
    let changes = state.withLock { state in
      state.hasFailed = true
      return state.changes
    }
    var random = SplitMix64(seed: seed)
    for change in changes.reversed() {
      if change.createdFile {
        if loss == .all { unlink(change.path) }
      } else {
        try revert(change, loss, &random)
      }
    }
  }

  private func revert(
    _ change: Change, _ loss: Loss, _ random: inout SplitMix64
  ) throws {
    guard loss != .none, let handle = FileHandle(forUpdatingAtPath: change.path) else { return }
    defer { try? handle.close() }
    if loss == .all {
      try handle.seek(toOffset: UInt64(change.offset))
      try handle.write(contentsOf: Data(change.oldBytes))
      try handle.truncate(atOffset: UInt64(change.size))
      return
    }
    for start in stride(from: 0, to: change.count, by: Self.sectorSize)
    where loss == .zeros || Bool.random(using: &random) {
      let range = start..<min(start + Self.sectorSize, change.count)
      let old = change.oldBytes.dropFirst(start).prefix(range.count)
      let filled = Array(old) + [UInt8](repeating: 0, count: range.count - old.count)
      try handle.seek(toOffset: UInt64(change.offset) + UInt64(start))
      try handle.write(contentsOf: Data(filled))
    }
  }

  private func whileOn(_ call: () -> Int) -> Int {
    state.withLock(\.hasFailed) ? -Int(EIO) : call()
  }

  private func record(_ event: String, _ path: String?) {
    let name = (path as NSString?)?.lastPathComponent ?? "?"
    state.withLock { $0.events.append("\(event) \(name)") }
  }

  private func path(_ descriptor: Int32) -> String? { state.withLock { $0.paths[descriptor] } }

  private func size(_ descriptor: Int32) -> Int64 {
    var status = stat()
    return files.status(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Records the bytes that a change of a file replaces.
  private func willChange(_ descriptor: Int32, at offset: Int64, count: Int, replaced: Int) {
    guard let path = path(descriptor) else { return }
    var before = [UInt8](repeating: 0, count: replaced)
    let readCount = before.withUnsafeMutableBytes { files.read(descriptor, into: $0, at: offset) }
    let change = Change(
      path: path, offset: offset, oldBytes: Array(before.prefix(max(0, readCount))), count: count,
      size: size(descriptor))
    state.withLock { $0.changes.append(change) }
  }

  func open(_ path: String, _ flags: Int32) -> Int {
    whileOn {
      let isNew = flags & O_CREAT != 0 && access(path, F_OK) != 0
      let descriptor = files.open(path, flags)
      guard descriptor >= 0 else { return descriptor }
      state.withLock { state in
        state.paths[Int32(descriptor)] = path
        // SQLite synchronizes its file itself.
        if isNew, !path.hasSuffix(".sqlite") {
          state.changes.append(
            Change(path: path, offset: 0, oldBytes: [], count: 0, size: 0, createdFile: true))
        }
      }
      return descriptor
    }
  }

  func openUnnamed(in directory: String) -> Int { whileOn { files.openUnnamed(in: directory) } }

  func close(_ descriptor: Int32) {
    state.withLock { $0.paths[descriptor] = nil }
    files.close(descriptor)
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
    -> Int
  {
    whileOn { files.read(descriptor, into: buffer, at: offset) }
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
    whileOn {
      willChange(descriptor, at: offset, count: bytes.count, replaced: bytes.count)
      record("write", path(descriptor))
      return files.write(descriptor, bytes, at: offset)
    }
  }

  func truncate(_ descriptor: Int32, to size: Int64) -> Int {
    whileOn {
      let lost = Int(max(0, self.size(descriptor) - size))
      willChange(descriptor, at: size, count: 0, replaced: lost)
      return files.truncate(descriptor, to: size)
    }
  }

  func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
    whileOn {
      let path = path(descriptor)
      state.withLock { state in
        state.changes.removeAll { change in
          isDirectory
            ? change.createdFile && (change.path as NSString).deletingLastPathComponent == path
            : !change.createdFile && change.path == path
        }
      }
      record(isDirectory ? "names" : "sync", path)
      let result = files.sync(descriptor, isDirectory: isDirectory)
      if !isDirectory { synchronized.signal() }
      return result
    }
  }

  func lock(_ descriptor: Int32, _ operation: Int32) -> Int { files.lock(descriptor, operation) }

  func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int {
    files.lockDescription(descriptor, type, waits: waits)
  }

  func status(_ descriptor: Int32, _ status: inout stat) -> Int {
    files.status(descriptor, &status)
  }

  func status(of path: String, _ status: inout stat) -> Int { files.status(of: path, &status) }

  func access(_ path: String, _ mode: Int32) -> Int { files.access(path, mode) }

  func setMode(of path: String, to mode: mode_t) -> Int { files.setMode(of: path, to: mode) }

  func makeDirectory(_ path: String) -> Int { files.makeDirectory(path) }

  func rename(_ path: String, to other: String) -> Int { files.rename(path, to: other) }

  func link(_ path: String, to other: String) -> Int { files.link(path, to: other) }

  func remove(_ path: String) -> Int { files.remove(path) }

  func list(_ directory: String, _ each: (String) -> Void) -> Int { files.list(directory, each) }
}
