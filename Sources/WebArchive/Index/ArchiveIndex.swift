import Foundation
import Synchronization
import WARC

/// The index of an archive's segments, at all times: it is opened, built again when it is missing or
/// damaged, kept in memory when it cannot be written, and brought up to date with the segments.
///
/// Every method blocks and may be called from any thread.
final class ArchiveIndex: Sendable {
  private struct State {
    var index: CaptureIndex?
    /// Counts the indexes that were opened, so that two threads do not rebuild one after another.
    var generation = 0
    /// Whether the index was looked through.
    var isExamined = false
  }

  let store: SegmentStore
  /// The path of its file.
  let path: String
  let mayRemove: @Sendable (String) -> Bool
  /// Whether the index is kept in its file, also where the segments are only read.
  let keepsFile: Bool
  let notices: ArchiveNotices
  let arrivals = BackgroundScan()
  private let backlog = IndexBacklog()
  private let state = Mutex(State())
  private let replacing = Mutex(())
  /// The segments that were restored after an older version had overwritten them. They are read again.
  let overwritten = Mutex<Set<String>>([])

  /// Makes the index of some segments, which is not open yet.
  /// - Parameters:
  ///   - store: the segments.
  ///   - path: the path of its file.
  ///   - keepsFile: whether it is kept in its file.
  ///   - mayRemove: whether the removals of another machine, by its name, count for what others have
  ///     written; called on any thread.
  init(
    of store: SegmentStore, path: String, keepsFile: Bool,
    mayRemove: @escaping @Sendable (String) -> Bool
  ) {
    (self.store, self.path, self.keepsFile) = (store, path, keepsFile)
    (self.mayRemove, notices) = (mayRemove, store.notices)
  }

  /// The index that is open now; nil before it is opened and after it is closed.
  var current: CaptureIndex? { state.withLock(\.index) }

  /// Which opening of an index this is.
  var generation: Int { state.withLock(\.generation) }

  /// How many bytes it takes on the disk.
  var size: Int64 {
    ["", "-wal"].reduce(0) { $0 + ((try? store.files.status(of: path + $1))?.size ?? 0) }
  }

  /// Puts an index in the place of the one that is open.
  func install(_ index: CaptureIndex?) {
    state.withLock { state in
      state.index = index
      state.generation += 1
    }
  }

  /// Closes the index, with every record that was written here, and leaves no log of it behind.
  func close() {
    settle()
    let index = state.withLock { state in
      let index = state.index
      state.index = nil
      return index
    }
    index?.close()
  }

  // MARK: Looking up

  /// Uses the index, once it has everything that is there.
  func whole<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    arrivals.wait()
    return try settled(use)
  }

  /// Uses the index, once it has every record that was written here.
  func settled<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    settle()
    return try asItIs(use)
  }

  /// Uses the index as it is; builds it again, once, when it is found to be corrupt.
  func asItIs<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    let (opened, generation) = state.withLock { ($0.index, $0.generation) }
    guard let opened else { throw .unreadable("the archive is closed") }
    do {
      return try use(opened)
    } catch {
      if error == .stopped { throw .stopped }
      guard let other = try index(after: generation, error) else {
        throw ErrorWords.archiveError(error, of: "the index")
      }
      do { return try use(other) } catch { throw ErrorWords.archiveError(error, of: "the index") }
    }
  }

  /// The versions of a key, newest first, as far as the index has them by now.
  func versions(of key: String) throws(ArchiveError) -> [ArchivedVersion] {
    if backlog.holds(key) { settle() }
    return try asItIs { index throws(IndexError) in try index.versions(of: key) }
  }

  // MARK: Taking records

  /// Takes a record that was just written.
  /// - Parameters:
  ///   - row: what it means.
  ///   - isDeferred: whether it may go into the file some milliseconds later, together with others.
  ///     Who looks for its key finds it all the same.
  func take(_ row: IndexBacklog.Row, isDeferred: Bool) {
    backlog.add(row)
    if isDeferred {
      backlog.flushSoon { [weak self] in self?.settle() }
    } else {
      settle()
    }
  }

  /// The versions among the records that are not in the file yet, which meet a condition.
  func waiting(where isWanted: (StoredResponse) -> Bool) -> [StoredResponse] {
    backlog.versions(where: isWanted)
  }

  /// Takes records just written into the index. They are safe whatever happens here: what the index
  /// does not take now is read at the next catch-up.
  private func settle() {
    backlog.settle { rows in
      var rest = rows[...]
      do {
        while let state = rest.first?.state {
          let group = rest.prefix { $0.state.name == state.name }
          try asItIs { index throws(IndexError) in
            let isTaken = try index.apply(
              group.compactMap(\.event), group.last?.state ?? state,
              after: group.first?.start ?? 0, ends: group.flatMap(\.ends))
            // Another process has forgotten the segment, and may never read it again.
            if !isTaken { try self.catchUp(index, leavesNewFiles: true) }
          }
          rest = rest.dropFirst(group.count)
        }
      } catch {
        leave(because: ErrorWords.text(error))
      }
    }
  }

  // MARK: Repairing

  /// Goes on with an index in memory, as the one that is open does not take what it should.
  func leave(because reason: String) {
    guard let unwilling = current else { return }
    install(indexInMemory(insteadOf: unwilling, reason: reason))
  }

  /// Looks through the whole index, the first time this is called, and builds it again when
  /// something is wrong with it.
  /// - Returns: whether it was built again.
  func repair() -> Bool {
    let (isFirst, index, generation) = state.withLock { state in
      defer { state.isExamined = true }
      return (!state.isExamined, state.index, state.generation)
    }
    guard isFirst, let index, !index.isSound else { return false }
    return (try? self.index(after: generation, .corrupt)) != nil
  }

  /// The index to use after an error: a new one when that one was corrupt, or the one that another
  /// thread has put in its place; nil when there is no other.
  private func index(
    after generation: Int, _ error: IndexError
  ) throws(ArchiveError) -> CaptureIndex? {
    try replacing.withLock { _ throws(ArchiveError) in
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
