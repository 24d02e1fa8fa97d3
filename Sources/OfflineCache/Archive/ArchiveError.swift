/// Why the archive cannot do what was asked.
public enum ArchiveError: Error, Sendable, Equatable {
  /// Nothing can be saved; the text says where and why.
  case unwritable(String)
  /// There is no space left for what should be saved.
  case full
  /// A record's content is not what was saved.
  case damaged(file: String, offset: Int64)
  /// Something that is there cannot be read; the text says what and why.
  case unreadable(String)
  /// There is no such version, or it is gone.
  case notFound
}

extension ArchiveError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .unwritable(let reason): "pages cannot be saved: \(reason)"
    case .full: "pages cannot be saved: the disk is full"
    case .damaged(let file, let offset): "a saved page is damaged (\(file) at byte \(offset))"
    case .unreadable(let reason): "saved pages cannot be read: \(reason)"
    case .notFound: "there is no such saved page"
    }
  }
}
