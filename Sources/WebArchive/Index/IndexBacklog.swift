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
    /// How far the segment has to be known before it.
    var start: Int64
    /// Where the record ends; before it the segment's description, if it was written, too.
    var ends: [Int64]
  }

  /// Rows, and the keys that they say something about.
  private struct Rows {
    private(set) var all: [Row] = []
    private var keys: Set<String> = []
    /// Whether some of them may be about any key.
    private var isOpen = false

    mutating func append(_ row: Row) {
      all.append(row)
      if case .version(let version)? = row.event {
        keys.insert(version.stored.key)
      } else {
        isOpen = true
      }
    }

    func mayConcern(_ key: String) -> Bool { isOpen || keys.contains(key) }
  }

  private struct State {
    var waiting = Rows()
    /// What is just being taken over.
    var taken = Rows()
    var isScheduled = false
  }

  /// How long a row may wait, for others to join it.
  private static let delay = DispatchTimeInterval.milliseconds(20)

  private let state = Mutex(State())
  /// Held while rows are taken over, so that they go in order and a reader can wait for them.
  private let transfer = Mutex(())
  private let queue = DispatchQueue(label: "offread.index", target: .global())

  /// Adds a row. Then `settle` has to be called, or `flushSoon`.
  func add(_ row: Row) {
    state.withLock { $0.waiting.append(row) }
  }

  /// Sees to it that `settle` is called in a moment.
  func flushSoon(_ settle: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.delay, execute: settle) }
  }

  /// Whether a version of a key is among the rows.
  func holds(_ key: String) -> Bool {
    state.withLock { $0.waiting.mayConcern(key) || $0.taken.mayConcern(key) }
  }

  /// The versions among the rows that meet a condition.
  func versions(where isWanted: (StoredResponse) -> Bool) -> [StoredResponse] {
    state.withLock { state in
      (state.taken.all + state.waiting.all).compactMap { row in
        guard case .version(let version)? = row.event, isWanted(version.stored) else { return nil }
        return version.stored
      }
    }
  }

  /// Takes over what waits, and waits for what another thread is taking over.
  /// - Parameter apply: takes rows into the index.
  func settle(_ apply: ([Row]) -> Void) {
    transfer.withLock { _ in
      let rows = state.withLock { state in
        state.taken = state.waiting
        (state.waiting, state.isScheduled) = (Rows(), false)
        return state.taken.all
      }
      guard !rows.isEmpty else { return }
      apply(rows)
      state.withLock { $0.taken = Rows() }
    }
  }
}
