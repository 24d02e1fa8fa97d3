/// The progress of a long operation on the archive.
public struct ArchiveProgress: Sendable, Equatable {
  /// The number of bytes of segments that were processed.
  public var done: Int64
  /// The total number of bytes; it may grow while other processes save.
  public var total: Int64

  /// Creates a progress value.
  /// - Parameters:
  ///   - done: the number of bytes that were processed.
  ///   - total: the total number of bytes.
  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }

  /// A closure that is called frequently with the progress, on the thread that does the work, and
  /// returns whether to continue. An operation that is stopped throws `ArchiveError.stopped` and
  /// leaves the archive in a consistent state.
  public typealias Watch = (ArchiveProgress) -> Bool
}

/// Adds up the steps of an operation and reports the progress.
final class ProgressMeter {
  private let watch: ArchiveProgress.Watch?
  private var progress: ArchiveProgress

  /// Creates a meter with a total number of bytes.
  init(total: Int64, _ watch: ArchiveProgress.Watch?) {
    progress = ArchiveProgress(done: 0, total: total)
    self.watch = watch
  }

  /// Advances by a number of bytes.
  /// - Throws: `ArchiveError.stopped` if the progress closure returns false.
  func advance(by bytes: Int64) throws(ArchiveError) {
    progress.done += bytes
    progress.total = max(progress.total, progress.done)
    guard watch?(progress) ?? true else { throw .stopped }
  }
}

/// The offset up to which the progress in a file was reported.
struct ReportedOffset {
  let meter: ProgressMeter
  private(set) var offset: Int64

  mutating func advance(to newOffset: Int64) throws(ArchiveError) {
    guard newOffset > offset else { return }
    try meter.advance(by: newOffset - offset)
    offset = newOffset
  }
}
