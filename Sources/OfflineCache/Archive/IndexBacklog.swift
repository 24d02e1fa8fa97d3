import Dispatch
import Synchronization

/// Rows of records that are written and not yet in the index. Those that come together are taken
/// over in one transaction, which costs hardly more than that of a single row.
///
/// Nothing depends on them: should they be lost, the next catch-up reads them from the segment.
final class IndexBacklog: Sendable {
  /// What a record means, and how far its segment is known with it.
  struct Row: Sendable {
    var event: ArchiveEvent?
    var state: SegmentState
    /// Where the record ends; before it the segment's description, if it was written, too.
    var ends: [Int64]
  }

  private struct State {
    var waiting: [Row] = []
    var waitingCalls: [@Sendable () -> Void] = []
    /// What is just being taken over.
    var taken: [Row] = []
    var takenCalls: [@Sendable () -> Void] = []
    var isScheduled = false
  }

  private let state = Mutex(State())
  /// Held while rows are taken over, so that they go in order and a reader can wait for them.
  private let transfer = Mutex(())
  private let queue = DispatchQueue(label: "offread.index", target: .global())

  /// Adds a row. Then `settle` has to be called, or `settleSoon`.
  func add(_ row: Row) {
    state.withLock { $0.waiting.append(row) }
  }

  /// Sees to it that `settle` is called when the work that is waiting now has had its turn.
  func settleSoon(_ settle: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.async(execute: settle) }
  }

  /// Whether a version of a key is among the rows.
  func holds(_ key: String) -> Bool {
    state.withLock { state in
      (state.waiting + state.taken).contains { row in
        if case .version(let version)? = row.event { version.stored.key == key } else { true }
      }
    }
  }

  /// Calls back once everything added so far is in the index.
  /// - Returns: false when it is there already; `body` is not called then.
  func callWhenSettled(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.waiting.isEmpty {
        state.waitingCalls.append(body)
      } else if !state.taken.isEmpty {
        state.takenCalls.append(body)
      } else {
        return false
      }
      return true
    }
  }

  /// Takes over what waits, and waits for what another thread is taking over.
  /// - Parameter apply: takes rows into the index.
  func settle(_ apply: ([Row]) -> Void) {
    let calls = transfer.withLock { _ in
      let rows = state.withLock { state in
        (state.taken, state.takenCalls) = (state.waiting, state.waitingCalls)
        (state.waiting, state.waitingCalls, state.isScheduled) = ([], [], false)
        return state.taken
      }
      guard !rows.isEmpty else { return [@Sendable () -> Void]() }
      apply(rows)
      return state.withLock { state in
        defer { (state.taken, state.takenCalls) = ([], []) }
        return state.takenCalls
      }
    }
    for call in calls { call() }
  }
}
