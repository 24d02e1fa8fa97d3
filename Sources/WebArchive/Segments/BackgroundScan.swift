import Dispatch
import Synchronization

/// The reading of files that others have put into an archive, behind everything else: what the index has
/// answers meanwhile.
final class BackgroundScan: Sendable {
  /// What there is to be read.
  struct Amount: Sendable, Equatable {
    /// How many files.
    var files = 0
    /// Their bytes that were not read before.
    var bytes: Int64 = 0
  }

  private struct State {
    var left = Amount()
    var isTold = false
    var isStopped = false
  }

  /// What has fewer bytes is read before anybody could be told of it.
  static let worthTelling: Int64 = 1 << 20

  private let state = Mutex(State())
  private let work = DispatchGroup()

  /// Begins to read.
  /// - Parameters:
  ///   - amount: what there is.
  ///   - read: reads it.
  func begin(_ amount: Amount, _ read: @escaping @Sendable () -> Void) {
    guard amount.files > 0, !isStopped else { return }
    state.withLock { $0.left = amount }
    work.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      read()
      state.withLock { $0.left = Amount() }
      work.leave()
    }
  }

  /// Whether nobody wants to know any more.
  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Waits until everything is read.
  /// - Parameter seconds: how long at most.
  /// - Returns: whether it is.
  @discardableResult
  func wait(atMost seconds: Double = .infinity) -> Bool {
    guard seconds < 1e6 else {
      work.wait()
      return true
    }
    return work.wait(timeout: .now() + max(0, seconds)) == .success
  }

  /// Stops the reading; what is read is kept, and the next one goes on there.
  func stop() {
    state.withLock { $0.isStopped = true }
    work.wait()
  }

  /// What a person may want to know of it, once; what is read in a moment is waited for.
  func takeNotice() -> ArchiveNotice? {
    if state.withLock({ $0.left.bytes < Self.worthTelling }) { wait(atMost: 0.1) }
    return state.withLock { state in
      guard !state.isTold, state.left.bytes >= Self.worthTelling else { return nil }
      state.isTold = true
      return .reading(files: state.left.files)
    }
  }
}
