import Dispatch
import Synchronization

/// Rows of records that are written and not yet in the index. Those that come within a moment are
/// taken over in one transaction, which costs hardly more than that of a single row.
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
    /// What is just being taken over.
    var taken: [Row] = []
    var isScheduled = false
  }

  /// How long a row may wait, for others to join it.
  private static let delay = DispatchTimeInterval.milliseconds(20)

  private let state = Mutex(State())
  /// Held while rows are taken over, so that they go in order and a reader can wait for them.
  private let transfer = Mutex(())
  private let queue = DispatchQueue(label: "offread.index", target: .global())

  /// Adds a row. Then `settle` has to be called, or `settleSoon`.
  func add(_ row: Row) {
    state.withLock { $0.waiting.append(row) }
  }

  /// Sees to it that `settle` is called in a moment.
  func settleSoon(_ settle: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.delay, execute: settle) }
  }

  /// Whether a version of a key is among the rows.
  func holds(_ key: String) -> Bool {
    state.withLock { state in
      state.waiting.contains { $0.mayConcern(key) } || state.taken.contains { $0.mayConcern(key) }
    }
  }

  /// Takes over what waits, and waits for what another thread is taking over.
  /// - Parameter apply: takes rows into the index.
  func settle(_ apply: ([Row]) -> Void) {
    transfer.withLock { _ in
      let rows = state.withLock { state in
        state.taken = state.waiting
        (state.waiting, state.isScheduled) = ([], false)
        return state.taken
      }
      guard !rows.isEmpty else { return }
      apply(rows)
      state.withLock { $0.taken = [] }
    }
  }
}

extension IndexBacklog.Row {
  /// Whether it says something about a key, as far as that can be told.
  fileprivate func mayConcern(_ key: String) -> Bool {
    if case .version(let version)? = event { version.stored.key == key } else { true }
  }
}
