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
