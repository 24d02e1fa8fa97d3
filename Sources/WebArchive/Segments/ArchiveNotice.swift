/// An event in the archive that the user may want to know of.
public enum ArchiveNotice: Sendable, Equatable, CustomStringConvertible {
  /// The index could not be used and was rebuilt from the segments.
  case indexRebuilt(reason: String)
  /// The index cannot be written; it is held in memory.
  case indexInMemory(reason: String)
  /// Recently saved data could not be flushed to the disk.
  case lost(reason: String)
  /// A part of a segment cannot be read.
  case damaged(file: String, offset: Int64, length: Int64, reason: String)
  /// An incomplete record at the end of a segment, left by a killed process, was truncated.
  case tornTail(file: String, offset: Int64, length: Int64)
  /// A segment of this device is shorter than it was; its size is 0 if it is gone.
  case shortened(file: String, known: Int64, size: Int64)
  /// The end of a segment of this device had been lost and was restored.
  case restored(file: String, length: Int64)
  /// A segment of this device was replaced by another version of it.
  case replaced(file: String)
  /// The storage limits cannot be enforced.
  case unlimited(reason: String)
  /// Files that other devices or programs wrote are being read; the associated value is their
  /// number. Their pages are found when all of them have been read.
  case reading(files: Int)
  /// A file or directory cannot be read. The text contains its name and the reason.
  case unreadable(String)

  /// Returns whether this notice adds nothing to an error that was already reported to the user.
  package func follows(from error: ArchiveError) -> Bool {
    switch (self, error) {
    case (.damaged(let file, let offset, _, _), .damaged(let other, let location)):
      file == other && offset == location
    case (.unreadable(let message), .unreadable(let reported)): message == reported
    case (.indexInMemory, .unreadable), (.indexInMemory, .unwritable), (.indexInMemory, .full),
      (.indexInMemory, .noFolder), (.unreadable, .unwritable), (.unreadable, .noFolder),
      (.lost, .full), (.unlimited, .full):
      true
    case (.lost(let reason), .unwritable(let reported)): reason == reported
    default: false
    }
  }

  /// A message for the user, in one line.
  public var description: String {
    switch self {
    case .indexRebuilt(let reason): "the index of saved pages was rebuilt: \(reason)"
    case .indexInMemory(let reason): "the index of saved pages is kept in memory: \(reason)"
    case .lost(let reason): "the pages saved last may not be on the disk: \(reason)"
    case .damaged(let file, let offset, 0, let reason):
      "\(file): damaged at byte \(offset): \(reason)"
    case .damaged(let file, let offset, let length, let reason):
      "\(file): \(length) bytes at \(offset) are damaged: \(reason)"
    case .tornTail(let file, let offset, let length):
      "\(file): the incomplete record at \(offset) (\(length) bytes) was removed"
    case .shortened(let file, let known, 0):
      "\(file) is missing; it contained \(known) bytes of saved pages"
    case .shortened(let file, let known, let size):
      "\(file) is truncated: \(known - size) of \(known) bytes of saved pages are missing"
    case .restored(let file, let length):
      "\(length) lost bytes of saved pages in \(file) were restored from a second copy"
    case .replaced(let file):
      "\(file) was replaced by another copy and has been read again"
    case .reading(let count): "reading \(count) new \(count == 1 ? "file" : "files")"
    case .unlimited(let reason): "the storage limits cannot be enforced: \(reason)"
    case .unreadable(let reason): ArchiveError.unreadable(reason).description
    }
  }

  /// Returns the notice for a read error.
  /// - Parameters:
  ///   - error: the error.
  ///   - name: the file name, for errors that do not contain it.
  /// - Returns: the notice.
  static func unreadable(_ error: any Error, of name: String = "") -> ArchiveNotice {
    switch error as? ArchiveError {
    case .unreadable(let reason)?: .unreadable(reason)
    case let error?: .unreadable(error.description)
    case nil: .unreadable("\(name): \(ErrorMessage.text(error))")
    }
  }
}
