import Foundation
import Synchronization

@testable import OfflineCache
@testable import WebArchive

/// The local file system, with one failing call.
final class FaultyFileSystem: FileSystem {
  /// How a call fails.
  enum Fault: CaseIterable {
    /// Only a part of the bytes is read or written.
    case part
    /// The call is interrupted by a signal.
    case interrupted
    /// The device fails once.
    case broken
    /// The disk is full from this call on.
    case full
    /// The process is killed: the call is performed partially or not at all, and no call follows
    /// it.
    case killed
  }

  private struct State {
    var calls: [String] = []
    var failingCallNumber: Int?
    var fault = Fault.broken
    var isFull = false
    var isDead = false
    var descriptors: Set<Int32> = []
    var beforeReading: (number: Int, action: @Sendable () -> Void)?
    var afterListing: (@Sendable () -> Void)?
    var unlistedName: String?
  }

  /// Whether the thread of a killed process is suspended. Otherwise all its further calls fail. A
  /// thread suspended within an index transaction would keep the index locked.
  private let stopsWhenKilled: Bool
  private let files = LocalFileSystem()
  private let state = Mutex(State())
  /// Signalled when the process is killed.
  let death = DispatchSemaphore(value: 0)
  private let resumption = DispatchSemaphore(value: 0)

  init(stopsWhenKilled: Bool = true) {
    self.stopsWhenKilled = stopsWhenKilled
  }

  /// The names of all calls so far.
  var calls: [String] { state.withLock(\.calls) }

  /// Makes the call with the given number, counted from now on, fail.
  func fail(_ number: Int, by fault: Fault) {
    state.withLock { state in
      state.calls = []
      state.failingCallNumber = number
      state.fault = fault
    }
  }

  /// Stops all failures.
  func heal() {
    state.withLock { state in
      state.failingCallNumber = nil
      state.isFull = false
    }
  }

  /// Performs an action before the read with the given number.
  func beforeReading(_ number: Int, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeReading = (number, action) }
  }

  /// Performs an action each time a directory has been listed.
  func afterListing(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterListing = action }
  }

  /// Omits a name from every directory listing.
  func hideInLists(_ name: String) {
    state.withLock { $0.unlistedName = name }
  }

  /// Resumes the suspended thread of a killed process; all its further calls fail.
  func resumeKilledThread() { resumption.signal() }

  /// Counts a call and performs it.
  /// - Parameters:
  ///   - call: The name of the call.
  ///   - needsSpace: Whether it fails on a full disk.
  ///   - part: Performs a part of the work.
  ///   - whole: Performs the work.
  /// - Returns: The result of the call.
  private func call(
    _ call: String, needsSpace: Bool = false, part: (() -> Int)? = nil, _ whole: () -> Int
  ) -> Int {
    let (fault, isDead) = state.withLock { state -> (Fault?, Bool) in
      if state.isDead { return (nil, true) }
      state.calls.append(call)
      if state.calls.count - 1 == state.failingCallNumber {
        if state.fault == .full { state.isFull = true }
        return (state.isFull && !needsSpace ? nil : state.fault, false)
      }
      return (state.isFull && needsSpace ? .full : nil, false)
    }
    if isDead { return -Int(EIO) }
    switch fault {
    case nil: return whole()
    case .part: return part?() ?? whole()
    case .interrupted: return -Int(EINTR)
    case .broken: return -Int(EIO)
    case .full: return -Int(ENOSPC)
    case .killed:
      _ = part?()
      die()
      return -Int(EIO)
    }
  }

  /// Releases the locks that the kernel would release for a killed process, and suspends the thread
  /// if `stopsWhenKilled` is true.
  private func die() {
    let descriptors = state.withLock { state in
      state.isDead = true
      return state.descriptors
    }
    for descriptor in descriptors { flock(descriptor, LOCK_UN) }
    guard stopsWhenKilled else { return }
    death.signal()
    resumption.wait()
  }

  private func opened(_ descriptor: Int) -> Int {
    if descriptor >= 0 { state.withLock { _ = $0.descriptors.insert(Int32(descriptor)) } }
    return descriptor
  }

  func open(_ path: String, _ flags: Int32) -> Int {
    call("open", needsSpace: flags & O_CREAT != 0) { opened(files.open(path, flags)) }
  }

  func openUnnamed(in directory: String) -> Int {
    call("open unnamed", needsSpace: true) { opened(files.openUnnamed(in: directory)) }
  }

  func close(_ descriptor: Int32) {
    state.withLock { _ = $0.descriptors.remove(descriptor) }
    files.close(descriptor)
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
    -> Int
  {
    let action = state.withLock { state in
      defer { state.beforeReading?.number -= 1 }
      return state.beforeReading?.number == 0 ? state.beforeReading?.action : nil
    }
    action?()
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix((buffer.count + 1) / 2))
    return call(
      "read", part: { [files] in files.read(descriptor, into: part, at: offset) },
      { files.read(descriptor, into: buffer, at: offset) })
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: bytes.prefix((bytes.count + 1) / 2))
    return call(
      "write", needsSpace: true, part: { [files] in files.write(descriptor, part, at: offset) },
      { files.write(descriptor, bytes, at: offset) })
  }

  func truncate(_ descriptor: Int32, to size: Int64) -> Int {
    call("truncate") { files.truncate(descriptor, to: size) }
  }

  /// Does not wait for the disk, because no test examines files after a loss of power.
  func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
    call("sync", needsSpace: true) { fcntl(descriptor, F_GETFD) < 0 ? -Int(errno) : 0 }
  }

  func lock(_ descriptor: Int32, _ operation: Int32) -> Int {
    guard operation == LOCK_UN else {
      return call("lock") { files.lock(descriptor, operation) }
    }
    // Unlocking may be interrupted, but does not fail.
    let result = call("unlock") { files.lock(descriptor, operation) }
    return result == -Int(EINTR) ? result : files.lock(descriptor, operation)
  }

  func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int {
    call("lock description") { files.lockDescription(descriptor, type, waits: waits) }
  }

  func status(_ descriptor: Int32, _ status: inout stat) -> Int {
    call("fstat") { files.status(descriptor, &status) }
  }

  func status(of path: String, _ status: inout stat) -> Int {
    call("stat") { files.status(of: path, &status) }
  }

  func access(_ path: String, _ mode: Int32) -> Int {
    call("access") { files.access(path, mode) }
  }

  func setMode(of path: String, to mode: mode_t) -> Int {
    call("chmod") { files.setMode(of: path, to: mode) }
  }

  func makeDirectory(_ path: String) -> Int {
    call("mkdir", needsSpace: true) { files.makeDirectory(path) }
  }

  func rename(_ path: String, to other: String) -> Int {
    call("rename", needsSpace: true) { files.rename(path, to: other) }
  }

  func link(_ path: String, to other: String) -> Int {
    call("link", needsSpace: true) { files.link(path, to: other) }
  }

  func remove(_ path: String) -> Int {
    call("unlink") { files.remove(path) }
  }

  func list(_ directory: String, _ each: (String) -> Void) -> Int {
    var names: [String] = []
    let result = call(
      "list",
      part: { [files] in
        _ = files.list(directory) { names.append($0) }
        names.removeLast(names.count / 2)
        return -Int(EIO)
      }, { files.list(directory) { names.append($0) } })
    state.withLock(\.afterListing)?()
    let missing = state.withLock(\.unlistedName)
    names.filter { $0 != missing }.forEach(each)
    return result
  }
}
