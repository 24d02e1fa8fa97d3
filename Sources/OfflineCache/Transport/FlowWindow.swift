import Synchronization

/// How much content may wait for a receiver: back-pressure by counting.
final class FlowWindow: Sendable {
  /// The most bytes in flight; a chunk that begins below it may pass.
  static let size = 1 << 20

  private struct State {
    var inFlight = 0
    var isWaiting = false
  }

  private let state = Mutex(State())

  init() {}

  /// Counts bytes that are handed out.
  func add(_ count: Int) {
    state.withLock { $0.inFlight += count }
  }

  /// Whether more may be handed out; if not, the next `remove` that makes room says so.
  func hasRoom() -> Bool {
    state.withLock { state in
      if state.inFlight < Self.size { return true }
      state.isWaiting = true
      return false
    }
  }

  /// Counts bytes that were used up.
  /// - Returns: whether there is room again for someone who waits.
  func remove(_ count: Int) -> Bool {
    state.withLock { state in
      state.inFlight = max(0, state.inFlight - count)
      guard state.isWaiting, state.inFlight <= Self.size / 2 else { return false }
      state.isWaiting = false
      return true
    }
  }
}
