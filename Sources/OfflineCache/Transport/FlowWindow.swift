import Synchronization

/// A flow-control window, which limits the amount of content that a receiver has not processed yet.
final class FlowWindow: Sendable {
  /// The maximum number of unprocessed bytes; a piece that begins below the limit may exceed it.
  static let size = 1 << 20

  private struct State {
    var unprocessedByteCount = 0
    var isWaiting = false
  }

  private let state = Mutex(State())

  init() {}

  /// Counts bytes that are delivered.
  func add(_ count: Int) {
    state.withLock { $0.unprocessedByteCount += count }
  }

  /// Returns whether more bytes may be delivered. If not, the call of `remove` that reopens the
  /// window returns true.
  func requestCapacity() -> Bool {
    state.withLock { state in
      if state.unprocessedByteCount < Self.size { return true }
      state.isWaiting = true
      return false
    }
  }

  /// Counts bytes that were processed.
  /// - Returns: Whether the window has reopened for a waiting sender.
  func remove(_ count: Int) -> Bool {
    state.withLock { state in
      state.unprocessedByteCount = max(0, state.unprocessedByteCount - count)
      guard state.isWaiting, state.unprocessedByteCount <= Self.size / 2 else { return false }
      state.isWaiting = false
      return true
    }
  }
}
