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
