import Dispatch
import Foundation
import Synchronization
import WARC

/// The segments of an archive as files: where they are, which are this machine's, the one that is written,
/// and bringing them onto the disk. What is in them is not its business.
///
/// Every method blocks and may be called from any thread.
final class SegmentStore: Sendable {
  private struct State {
    var warning: ArchiveError?
    var unsynced: [String: OpenFile] = [:]
    /// How often files could not be brought onto the disk.
    var lostFlushes = 0
    var isSyncScheduled = false
    /// How many bytes were written.
    var written: Int64 = 0
  }

  /// What was written is on the disk after this many seconds.
  static let syncDelay = 0.9

  /// The folder, which need not be there yet.
  let folder: String
  let files: any FileSystem
  let segments: SegmentFolder
  /// The name that begins the names of the segments written here.
  let machine: String
  /// The size of a segment, in bytes, after which another one is begun.
  let sizeLimit: Int64
  /// Why nothing may be written; nil when it may.
  let refusal: ArchiveError?
  let notices: ArchiveNotices
  let writer: Mutex<SegmentWriter>
  /// The second copies of recent appends; nil for none.
  let recent: RecentAppends?
  private let state = Mutex(State())
  private let syncing = Mutex(())

  /// Makes the folder, unless nothing may be written; how that went is told by `warning`.
  /// - Parameters:
  ///   - folder: its path.
  ///   - machine: the name of this machine, in any characters.
  ///   - only: the only file that is read, nil for every segment in the folder.
  ///   - sizeLimit: the size of a segment, in bytes, after which another one is begun.
  ///   - refusal: why nothing may be written; nil when it may.
  ///   - files: the files of the system, or those of a test.
  ///   - notices: is told what a person may want to know.
  ///   - recent: the second copies of recent appends; nil for none.
  init(
    folder: String, machine: String, only: String?, sizeLimit: Int64, refusal: ArchiveError?,
    files: any FileSystem, notices: ArchiveNotices, recent: RecentAppends? = nil
  ) {
    (self.folder, self.files, self.refusal, self.notices) = (folder, files, refusal, notices)
    self.machine = SegmentName.machine(machine)
    self.sizeLimit = sizeLimit
    self.recent = refusal == nil ? recent : nil
    segments = SegmentFolder(path: folder, files: files, only: only)
    writer = Mutex(SegmentWriter(folder: segments, machine: self.machine))
    let warning = refusal ?? prepareFolder()
    state.withLock { $0.warning = warning }
  }

  var isReadOnly: Bool { refusal != nil }

  /// Why nothing can be saved, or nil when all is well.
  var warning: ArchiveError? { state.withLock(\.warning) }

  /// How often what was saved could not be brought onto the disk, whoever wanted to.
  var lostFlushes: Int { state.withLock(\.lostFlushes) }

  /// How many bytes were written here since this was made.
  var written: Int64 { state.withLock(\.written) }

  /// Whether a segment is this machine's, so that it may be written anew.
  func isOwn(_ segment: String) -> Bool { SegmentName(segment)?.machine == machine }

  /// The path of a file in the folder.
  func path(of name: String) -> String { "\(folder)/\(name)" }

  /// Opens a segment for reading; nil when it is gone.
  func open(_ name: String) throws(ArchiveError) -> OpenFile? {
    try files.openForReading(path(of: name))
  }

  /// The first record of a segment; nil when it is gone or has none.
  func firstRecord(of name: String) throws(ArchiveError) -> WARCRecord? {
    guard let file = try open(name) else { return nil }
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    do throws(WARCError) {
      guard case .record(let record, _)? = try reader.next() else { return nil }
      return record
    } catch {
      throw .unreadable("\(name): \(ErrorWords.text(error))")
    }
  }

  /// Makes the folder, only for this user.
  /// - Returns: why it cannot be used; nil when it can.
  func prepareFolder() -> ArchiveError? {
    do throws(ArchiveError) {
      if recent != nil, try files.status(of: folder) == nil {
        // If the user has removed the whole directory, nothing of it is restored.
        recent?.forget(where: isOwn)
      }
      try files.makeFolders(folder)
      guard let status = try files.status(of: folder) else {
        return .noFolder("\(folder) cannot be made")
      }
      guard status.isFolder else {
        return .noFolder("\(folder) is not a folder")
      }
    } catch {
      return error
    }
    let result = files.retrying { files.access(folder, W_OK | X_OK) }
    guard result == 0 else { return .writing(folder, result) }
    return nil
  }

  /// Sees whether saving is possible, and remembers how it went in `warning`.
  func reporting<Value: Sendable>(
    _ save: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let warning {
      // The folder may be usable by now, and the disk have space again.
      if isReadOnly { throw warning }
      if let still = prepareFolder() { throw still }
    }
    do throws(ArchiveError) {
      let value = try save()
      state.withLock { $0.warning = nil }
      return value
    } catch {
      switch error {
      case .full, .unwritable, .noFolder: state.withLock { $0.warning = error }
      case .overLimit, .damaged, .unreadable, .cookies, .credentials, .notFound, .stopped: break
      }
      throw error
    }
  }

  /// Counts what was written to a file, and sees to it that it is on the disk within a second.
  func noteWritten(_ bytes: Int64, to file: OpenFile, _ name: String) {
    let isScheduled = state.withLock { state in
      state.written += bytes
      state.unsynced[name] = file
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
  /// - Throws: `ArchiveError.full` or `.unwritable` when something is lost.
  func sync() throws(ArchiveError) {
    // What another thread is bringing there is waited for, too.
    try syncing.withLock { _ throws(ArchiveError) in
      let files = state.withLock { state in
        let files = state.unsynced
        state.unsynced = [:]
        state.isSyncScheduled = false
        return files
      }
      var failure: ArchiveError?
      for (name, file) in files {
        do throws(ArchiveError) {
          try file.sync()
        } catch {
          failure = failure ?? error
          writer.withLock { $0.leave(name) }
        }
      }
      guard let failure else { return }
      state.withLock { state in
        state.warning = failure
        state.lostFlushes += 1
      }
      notices.note(.lost(reason: failure.reason))
      throw failure
    }
  }
}
