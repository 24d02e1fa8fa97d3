import Foundation
import Synchronization
import WARC

/// The index of an archive's segments. It is opened, rebuilt if it is missing or damaged, held in
/// memory if it cannot be written, and kept up to date with the segments.
///
/// Every method blocks and may be called from any thread.
final class ArchiveIndex: Sendable {
  private struct State {
    var index: CaptureIndex?
    /// The number of times that an index was installed. A thread that finds its index damaged
    /// rebuilds it only if this number has not changed, because otherwise another thread has
    /// rebuilt the index already.
    var generation = 0
    /// Whether the integrity of the index was checked.
    var isIntegrityChecked = false
  }

  let store: SegmentStore
  /// The path of the index file.
  let path: String
  let mayRemove: @Sendable (String) -> Bool
  /// Whether the index is stored in its file, even if the segments are only read.
  let keepsFile: Bool
  let notices: ArchiveNotices
  let arrivalScan = BackgroundScan()
  private let backlog = IndexBacklog()
  private let state = Mutex(State())
  private let replacementLock = Mutex(())
  /// The segments that were restored after an older version had overwritten them. They are read
  /// again.
  let overwrittenSegments = Mutex<Set<String>>([])

  /// Creates the index of some segments, without opening it.
  /// - Parameters:
  ///   - store: the segments.
  ///   - path: the path of the index file.
  ///   - keepsFile: whether the index is stored in that file, even if the segments are only read.
  ///   - mayRemove: receives a device name, and returns whether removals by that device also apply
  ///     to records that other devices wrote; called on any thread.
  init(
    of store: SegmentStore, path: String, keepsFile: Bool,
    mayRemove: @escaping @Sendable (String) -> Bool
  ) {
    (self.store, self.path, self.keepsFile) = (store, path, keepsFile)
    (self.mayRemove, notices) = (mayRemove, store.notices)
  }

  /// The open index; nil before it is opened and after it is closed.
  var current: CaptureIndex? { state.withLock(\.index) }

  /// The number of times that an index was installed, which identifies the open one.
  var generation: Int { state.withLock(\.generation) }

  /// The size of the index on the disk, in bytes.
  var size: Int64 {
    ["", "-wal"].reduce(0) { $0 + ((try? store.files.status(of: path + $1))?.size ?? 0) }
  }

  /// Replaces the open index.
  func install(_ index: CaptureIndex?) {
    state.withLock { state in
      state.index = index
      state.generation += 1
    }
  }

  /// Writes pending rows, closes the index, and leaves no write-ahead log.
  func close() {
    flush()
    let index = state.withLock { state in
      let index = state.index
      state.index = nil
      return index
    }
    index?.close()
  }

  // MARK: Looking up

  /// Passes the index to a closure, after all files of other devices and the pending rows of this
  /// process have been added to it.
  func withCompleteIndex<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    arrivalScan.wait()
    return try withFlushedIndex(use)
  }

  /// Passes the index to a closure, after pending rows of this process have been written to it.
  func withFlushedIndex<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    flush()
    return try withCurrentIndex(use)
  }

  /// Passes the index to a closure in its current state. If it is corrupt, it is rebuilt, and the
  /// closure is called once more.
  func withCurrentIndex<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    let (opened, generation) = state.withLock { ($0.index, $0.generation) }
    guard let opened else { throw .unreadable("the archive is closed") }
    do {
      return try use(opened)
    } catch {
      if error == .stopped { throw .stopped }
      guard let other = try index(after: generation, error) else {
        throw ErrorMessage.archiveError(error, of: "the index")
      }
      do { return try use(other) } catch { throw ErrorMessage.archiveError(error, of: "the index") }
    }
  }

  /// Returns the versions of a key, newest first, from the current index.
  func versions(of key: String) throws(ArchiveError) -> [ArchivedVersion] {
    if backlog.mayAffect(key) { flush() }
    return try withCurrentIndex { index throws(IndexError) in try index.versions(of: key) }
  }

  // MARK: Adding records

  /// Adds a record that was just written to a segment.
  /// - Parameters:
  ///   - row: the meaning of the record, and the state of its segment.
  ///   - isDeferred: whether the row may be written to the index file some milliseconds later,
  ///     together with others. Lookups of its key see the row nevertheless.
  func add(_ row: IndexBacklog.Row, isDeferred: Bool) {
    backlog.add(row)
    if isDeferred {
      backlog.flushSoon { [weak self] in self?.flush() }
    } else {
      flush()
    }
  }

  /// Returns the versions that satisfy a predicate among the rows that have not been written to the
  /// index yet.
  func pendingVersions(where isWanted: (StoredResponse) -> Bool) -> [StoredResponse] {
    backlog.versions(where: isWanted)
  }

  /// Writes pending rows to the index. If that fails, an index in memory is used from then on. No
  /// row is lost, because the records are already in a segment.
  private func flush() {
    backlog.flush { rows in
      var rest = rows[...]
      do throws(ArchiveError) {
        while let state = rest.first?.state {
          let group = rest.prefix { $0.state.name == state.name }
          try withCurrentIndex { index throws(IndexError) in
            let isTaken = try index.apply(
              group.compactMap(\.event), group.last?.state ?? state,
              after: group.first?.start ?? 0, ends: group.flatMap(\.ends))
            // Another process has removed the segment from the index, and may never read it again.
            if !isTaken { try self.catchUp(index, leavesNewFiles: true) }
          }
          rest = rest.dropFirst(group.count)
        }
      } catch {
        switchToMemory(reason: error.reason)
      }
    }
  }

  // MARK: Repairing

  /// Continues with an index in memory, because the open one cannot be written.
  func switchToMemory(reason: String) {
    guard let unwilling = current else { return }
    install(indexInMemory(insteadOf: unwilling, reason: reason))
  }

  /// Checks the integrity of the index, the first time this is called, and rebuilds it if it is
  /// damaged.
  /// - Returns: whether the index was rebuilt.
  func repair() -> Bool {
    let (isFirst, index, generation) = state.withLock { state in
      defer { state.isIntegrityChecked = true }
      return (!state.isIntegrityChecked, state.index, state.generation)
    }
    guard isFirst, let index, !index.passesIntegrityCheck else { return false }
    return (try? self.index(after: generation, .corrupt)) != nil
  }

  /// Returns the index to use after an error: a rebuilt one if the index was corrupt, or the one
  /// with which another thread has replaced it; nil if there is no other.
  private func index(
    after generation: Int, _ error: IndexError
  ) throws(ArchiveError) -> CaptureIndex? {
    try replacementLock.withLock { _ throws(ArchiveError) in
      let (opened, now) = state.withLock { ($0.index, $0.generation) }
      guard let opened else { throw .unreadable("the archive is closed") }
      guard now == generation else { return opened }
      guard error == .corrupt else { return nil }
      opened.close()
      let built = builtIndex(insteadOf: opened.file, reason: "it was damaged")
      install(built)
      guard let built else { throw .unreadable("the index cannot be built") }
      return built
    }
  }
}
