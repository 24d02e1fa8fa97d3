/// Something about the archive that a person may want to know.
public enum ArchiveNotice: Sendable, Equatable, CustomStringConvertible {
  /// The index could not be used and was built again from the segments.
  case indexRebuilt(reason: String)
  /// The index cannot be written; it is kept in memory.
  case indexInMemory(reason: String)
  /// What was saved last could not be brought onto the disk.
  case lost(reason: String)
  /// A part of a segment cannot be read.
  case damaged(file: String, offset: Int64, length: Int64, reason: String)
  /// The rest of a record that was being written when a process was killed was cut off.
  case tornTail(file: String, offset: Int64, length: Int64)
  /// A segment of this machine is shorter than it was; it is gone when its size is 0.
  case shortened(file: String, known: Int64, size: Int64)
  /// The end of a segment of this device had been lost and was restored.
  case restored(file: String, length: Int64)
  /// A segment of this device was replaced by another version of it.
  case replaced(file: String)
  /// The limits of what is kept cannot be kept.
  case unlimited(reason: String)
  /// So many files that others have put there are being read; their pages are found when that is done.
  case reading(files: Int)
  /// Something cannot be read at all; the text says what and why.
  case unreadable(String)

  /// Whether this is nothing new to who has heard of an error.
  package func follows(from error: ArchiveError) -> Bool {
    switch (self, error) {
    case (.damaged(let file, let offset, _, _), .damaged(let other, let place)):
      file == other && offset == place
    case (.unreadable(let what), .unreadable(let told)): what == told
    case (.indexInMemory, .unreadable), (.indexInMemory, .unwritable), (.indexInMemory, .full),
      (.indexInMemory, .noFolder), (.unreadable, .unwritable), (.unreadable, .noFolder),
      (.lost, .full), (.unlimited, .full):
      true
    case (.lost(let reason), .unwritable(let told)): reason == told
    default: false
    }
  }

  /// One line for a person.
  public var description: String {
    switch self {
    case .indexRebuilt(let reason): "the index of saved pages was built again: \(reason)"
    case .indexInMemory(let reason): "the index of saved pages is kept in memory: \(reason)"
    case .lost(let reason): "what was saved last may not be on the disk: \(reason)"
    case .damaged(let file, let offset, 0, let reason):
      "\(file): damaged at byte \(offset): \(reason)"
    case .damaged(let file, let offset, let length, let reason):
      "\(file): \(length) bytes at \(offset) are damaged: \(reason)"
    case .tornTail(let file, let offset, let length):
      "\(file): the unfinished record at \(offset) (\(length) bytes) was cut off"
    case .shortened(let file, let known, 0): "\(file) is gone: it had \(known) bytes of saved pages"
    case .shortened(let file, let known, let size):
      "\(file) has lost its end: \(known - size) of \(known) bytes of saved pages"
    case .restored(let file, let length):
      "\(file) had lost \(length) bytes of saved pages, which were written again from a second copy"
    case .replaced(let file):
      "\(file) was replaced by another copy of it, and was read again"
    case .reading(let count): "reading \(count) new \(count == 1 ? "file" : "files")"
    case .unlimited(let reason): "the limits of what is saved cannot be kept: \(reason)"
    case .unreadable(let reason): ArchiveError.unreadable(reason).description
    }
  }

  /// What cannot be read, as a notice.
  /// - Parameters:
  ///   - error: why.
  ///   - name: the file, for errors that do not name it.
  /// - Returns: the notice.
  static func unreadable(_ error: any Error, of name: String = "") -> ArchiveNotice {
    switch error as? ArchiveError {
    case .unreadable(let reason)?: .unreadable(reason)
    case let error?: .unreadable(error.description)
    case nil: .unreadable("\(name): \(ErrorWords.text(error))")
    }
  }
}
