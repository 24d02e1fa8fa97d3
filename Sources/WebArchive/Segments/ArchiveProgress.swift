/// How far a long work on the archive is.
public struct ArchiveProgress: Sendable, Equatable {
  /// How many bytes of segments are done.
  public var done: Int64
  /// How many there are in all; it may grow while others save.
  public var total: Int64

  /// Makes a progress.
  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }

  /// Is told, on the thread that does the work, how far it is, often; returns whether to go on.
  /// Work that is stopped throws `ArchiveError.stopped` and leaves the archive whole.
  public typealias Watch = (ArchiveProgress) -> Bool
}

/// Adds up the steps of a work and tells a watcher.
final class ProgressMeter {
  private let watch: ArchiveProgress.Watch?
  private var progress: ArchiveProgress

  /// Begins with a total of bytes.
  init(total: Int64, _ watch: ArchiveProgress.Watch?) {
    progress = ArchiveProgress(done: 0, total: total)
    self.watch = watch
  }

  /// Goes on by some bytes.
  /// - Throws: `ArchiveError.stopped` when the watcher wants no more.
  func advance(by bytes: Int64) throws(ArchiveError) {
    progress.done += bytes
    progress.total = max(progress.total, progress.done)
    guard watch?(progress) ?? true else { throw .stopped }
  }
}
