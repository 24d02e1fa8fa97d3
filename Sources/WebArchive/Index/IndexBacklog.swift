import Dispatch
import Synchronization

/// Rows of records that were written to a segment, but not to the index yet. Rows that arrive
/// within a short time are written in one transaction, which costs hardly more than for a single
/// row.
///
/// If rows are lost, the next update of the index reads their records from the segment.
final class IndexBacklog: Sendable {
  /// The meaning of a record, and the state of its segment after the record was appended.
  struct Row: Sendable {
    var event: ArchiveEvent?
    var state: SegmentState
    /// The offset up to which the segment must already be in the index.
    var start: Int64
    /// The end offsets of the record, and of the segment's `warcinfo` record if that was written
    /// before it.
    var ends: [Int64]
  }

  /// Rows, and the keys that they affect.
  private struct Rows {
    private(set) var all: [Row] = []
    private var keys: Set<String> = []
    /// Whether some rows may affect the versions of any key.
    private var affectsAllKeys = false

    mutating func append(_ row: Row) {
      all.append(row)
      if case .version(let version)? = row.event {
        keys.insert(version.stored.key)
      } else {
        affectsAllKeys = true
      }
    }

    func mayAffect(_ key: String) -> Bool { affectsAllKeys || keys.contains(key) }
  }

  private struct State {
    var pendingRows = Rows()
    /// The rows that are being written to the index.
    var rowsBeingWritten = Rows()
    var isScheduled = false
  }

  /// The maximum time that a row waits for others.
  private static let delay = DispatchTimeInterval.milliseconds(20)

  private let state = Mutex(State())
  /// Locked while rows are written, so that they are written in order and readers can wait for
  /// them.
  private let transfer = Mutex(())
  private let queue = DispatchQueue(label: "offread.index", target: .global())

  /// Adds a row. The caller must then call `flush` or `flushSoon`.
  func add(_ row: Row) {
    state.withLock { $0.pendingRows.append(row) }
  }

  /// Schedules a call of `settle`, unless such a call is scheduled already.
  func flushSoon(_ settle: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.delay, execute: settle) }
  }

  /// Returns whether the rows may affect the versions of a key.
  func mayAffect(_ key: String) -> Bool {
    state.withLock { $0.pendingRows.mayAffect(key) || $0.rowsBeingWritten.mayAffect(key) }
  }

  /// Returns the versions among the rows that satisfy a predicate.
  func versions(where isWanted: (StoredResponse) -> Bool) -> [StoredResponse] {
    state.withLock { state in
      (state.rowsBeingWritten.all + state.pendingRows.all).compactMap { row in
        guard case .version(let version)? = row.event, isWanted(version.stored) else { return nil }
        return version.stored
      }
    }
  }

  /// Writes the pending rows to the index, after waiting for another thread that is doing so.
  /// - Parameter apply: writes rows to the index.
  func flush(_ apply: ([Row]) -> Void) {
    transfer.withLock { _ in
      let rows = state.withLock { state in
        state.rowsBeingWritten = state.pendingRows
        (state.pendingRows, state.isScheduled) = (Rows(), false)
        return state.rowsBeingWritten.all
      }
      guard !rows.isEmpty else { return }
      apply(rows)
      state.withLock { $0.rowsBeingWritten = Rows() }
    }
  }
}
