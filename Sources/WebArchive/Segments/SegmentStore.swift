import Dispatch
import Foundation
import Synchronization
import WARC

/// The segments of an archive as files: their directory, which of them are from this device, which
/// one is being written, and flushing to the disk. The store does not interpret their content.
///
/// Every method blocks and may be called from any thread.
final class SegmentStore: Sendable {
  private struct State {
    var warning: ArchiveError?
    var unsyncedFiles: [String: OpenFile] = [:]
    /// The number of times that files could not be flushed to the disk.
    var failedFlushCount = 0
    var isSyncScheduled = false
    /// The number of bytes that were written.
    var writtenByteCount: Int64 = 0
  }

  /// The number of seconds after which written data is flushed to the disk.
  static let syncDelay = 0.9

  /// The directory, which need not exist yet.
  let directory: String
  let files: any FileSystem
  let segments: SegmentDirectory
  /// The device name that prefixes the names of the segments written here.
  let device: String
  /// The size of a segment, in bytes, at which the next one is begun.
  let maxSegmentSize: Int64
  /// The error for attempts to write to a read-only archive; nil if writing is allowed.
  let refusal: ArchiveError?
  let notices: ArchiveNotices
  let writer: Mutex<SegmentWriter>
  /// Backup copies of recent appends, from which lost bytes are restored; nil if none are kept.
  let recentAppends: RecentAppends?
  private let state = Mutex(State())
  private let syncLock = Mutex(())
  private let onWarning: @Sendable (ArchiveError) -> Void

  /// Creates the store and, unless the archive is read-only, its directory. Errors are reported by
  /// `warning`.
  /// - Parameters:
  ///   - directory: the path of the directory.
  ///   - device: the name of this device, in any characters.
  ///   - only: the only file that is read; nil for every segment in the directory.
  ///   - maxSegmentSize: the size of a segment, in bytes, at which the next one is begun.
  ///   - refusal: the error for attempts to write to a read-only archive; nil if writing is
  ///     allowed.
  ///   - files: the file system; another one in tests.
  ///   - notices: receives notices for the user.
  ///   - recentAppends: the backup copies of recent appends; nil if none are kept.
  ///   - onWarning: receives each new value of `warning`, on any thread; not called for `refusal`.
  init(
    directory: String, device: String, only: String?, maxSegmentSize: Int64, refusal: ArchiveError?,
    files: any FileSystem, notices: ArchiveNotices, recentAppends: RecentAppends? = nil,
    onWarning: @escaping @Sendable (ArchiveError) -> Void = { _ in }
  ) {
    (self.directory, self.files, self.refusal, self.notices) = (directory, files, refusal, notices)
    self.onWarning = onWarning
    self.device = SegmentName.device(device)
    self.maxSegmentSize = maxSegmentSize
    self.recentAppends = refusal == nil ? recentAppends : nil
    segments = SegmentDirectory(path: directory, files: files, onlyFileName: only)
    writer = Mutex(SegmentWriter(directory: segments, device: self.device))
    if let refusal {
      state.withLock { $0.warning = refusal }
    } else {
      setWarning(prepareDirectory())
    }
  }

  var isReadOnly: Bool { refusal != nil }

  /// The reason why nothing can be saved; nil if saving is possible.
  var warning: ArchiveError? { state.withLock(\.warning) }

  private func setWarning(_ warning: ArchiveError?) {
    let isNew = state.withLock { state in
      defer { state.warning = warning }
      return state.warning != warning
    }
    if isNew, let warning { onWarning(warning) }
  }

  /// The number of times that saved data could not be flushed to the disk, by any caller.
  var failedFlushCount: Int { state.withLock(\.failedFlushCount) }

  /// The number of bytes that were written by this store.
  var writtenBytes: Int64 { state.withLock(\.writtenByteCount) }

  /// Returns whether a segment is from this device, so that it may be rewritten.
  func isOwn(_ segment: String) -> Bool { SegmentName(segment)?.device == device }

  /// Returns the path of a file in the directory.
  func path(of name: String) -> String { "\(directory)/\(name)" }

  /// Opens a segment for reading; nil if it does not exist.
  func open(_ name: String) throws(ArchiveError) -> OpenFile? {
    try files.openForReading(path(of: name))
  }

  /// Returns the first record of a segment; nil if the segment does not exist, is empty or is
  /// damaged at its beginning.
  func firstRecord(of name: String) throws(ArchiveError) -> WARCRecord? {
    guard let file = try open(name) else { return nil }
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    do throws(WARCError) {
      guard case .record(let record, _)? = try reader.next() else { return nil }
      return record
    } catch {
      throw .unreadable("\(name): \(ErrorMessage.text(error))")
    }
  }

  /// Creates the directory, accessible only to this user. If it did not exist, the backup copies of
  /// the segments of this device are removed, so that the segments are not restored.
  /// - Returns: the reason why the directory cannot be used; nil if it can be used.
  func prepareDirectory() -> ArchiveError? {
    do throws(ArchiveError) {
      if recentAppends != nil, try files.status(of: directory) == nil {
        // If the user has removed the whole directory, nothing of it is restored.
        recentAppends?.forget(where: isOwn)
      }
      try files.makeDirectories(directory)
      guard let status = try files.status(of: directory) else {
        return .noFolder("\(directory) cannot be created")
      }
      guard status.isDirectory else {
        return .noFolder("\(directory) is not a directory")
      }
    } catch {
      return error
    }
    let result = files.retrying { files.access(directory, W_OK | X_OK) }
    guard result == 0 else { return .writing(directory, result) }
    return nil
  }

  /// Performs a save operation. An error that prevents any saving is stored in `warning`, which is
  /// cleared when an operation succeeds. After such an error, the directory is prepared again
  /// first; a read-only archive throws the error at once.
  func reporting<Value: Sendable>(
    _ save: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let warning {
      // The directory may be usable again, and there may be space on the disk.
      if isReadOnly { throw warning }
      if let still = prepareDirectory() { throw still }
    }
    do throws(ArchiveError) {
      let value = try save()
      setWarning(nil)
      return value
    } catch {
      switch error {
      case .full, .unwritable, .noFolder: setWarning(error)
      case .limitExceeded, .damaged, .unreadable, .cookies, .credentials, .notFound, .stopped: break
      }
      throw error
    }
  }

  /// Counts the bytes that were written to a file, and schedules a flush within a second.
  func recordWritten(_ bytes: Int64, to file: OpenFile, _ name: String) {
    let isScheduled = state.withLock { state in
      state.writtenByteCount += bytes
      state.unsyncedFiles[name] = file
      defer { state.isSyncScheduled = true }
      return state.isSyncScheduled
    }
    guard !isScheduled else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.syncDelay) {
      [weak self] in
      try? self?.sync()
    }
  }

  /// Waits until everything that was written is on the disk.
  /// - Throws: `ArchiveError.full` or `.unwritable` if written data could not be flushed.
  func sync() throws(ArchiveError) {
    // The lock also waits for files that another thread is flushing.
    try syncLock.withLock { _ throws(ArchiveError) in
      let files = state.withLock { state in
        let files = state.unsyncedFiles
        state.unsyncedFiles = [:]
        state.isSyncScheduled = false
        return files
      }
      var failure: ArchiveError?
      for (name, file) in files {
        do throws(ArchiveError) {
          try file.sync()
        } catch {
          failure = failure ?? error
          writer.withLock { $0.abandon(name) }
        }
      }
      guard let failure else { return }
      state.withLock { $0.failedFlushCount += 1 }
      setWarning(failure)
      notices.add(.lost(reason: failure.reason))
      throw failure
    }
  }
}
