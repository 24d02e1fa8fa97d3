import Dispatch
import Synchronization

/// A background task that reads files from elsewhere, such as those of other devices, into the
/// index of an archive. While it runs, only pages that are already in the index are found.
final class BackgroundScan: Sendable {
  /// The amount of data to read.
  struct Amount: Sendable, Equatable {
    var fileCount = 0
    /// The number of unread bytes in the files.
    var bytes: Int64 = 0
  }

  private struct State {
    var remaining = Amount()
    var isReported = false
    var isStopped = false
  }

  /// The minimum number of unread bytes for which the user is notified. Fewer bytes are read before
  /// a notice could be shown.
  static let minReportedBytes: Int64 = 1 << 20

  private let state = Mutex(State())
  private let work = DispatchGroup()

  /// Begins to read in the background. Does nothing if there are no files, or after `stop`.
  /// - Parameters:
  ///   - amount: the amount of data.
  ///   - read: reads the files; called once, on a background thread.
  func begin(_ amount: Amount, _ read: @escaping @Sendable () -> Void) {
    guard amount.fileCount > 0, !isStopped else { return }
    state.withLock { $0.remaining = amount }
    work.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      read()
      state.withLock { $0.remaining = Amount() }
      work.leave()
    }
  }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Waits until everything is read.
  /// - Parameter seconds: maximum waiting time, in seconds.
  /// - Returns: whether everything is read.
  @discardableResult
  func wait(atMost seconds: Double = .infinity) -> Bool {
    guard seconds < 1e6 else {
      work.wait()
      return true
    }
    return work.wait(timeout: .now() + max(0, seconds)) == .success
  }

  /// Stops the scan. What was read stays in the index, and the next scan continues there.
  func stop() {
    state.withLock { $0.isStopped = true }
    work.wait()
  }

  /// Returns a notice if many bytes are still unread; nil if they are few, or if the notice was
  /// already returned. Waits up to 0.1 seconds for the end of the scan first.
  func drainNotice() -> ArchiveNotice? {
    if state.withLock({ $0.remaining.bytes < Self.minReportedBytes }) { wait(atMost: 0.1) }
    return state.withLock { state in
      guard !state.isReported, state.remaining.bytes >= Self.minReportedBytes else { return nil }
      state.isReported = true
      return .reading(files: state.remaining.fileCount)
    }
  }
}
