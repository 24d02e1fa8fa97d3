public import Foundation

/// Why the archive cannot do what was asked.
public enum ArchiveError: Error, Sendable, Equatable {
  /// Nothing can be saved; the text says where and why.
  case unwritable(String)
  /// Nothing can be saved, since there is no folder for it; the text says which and why.
  case noFolder(String)
  /// There is no space left for what should be saved.
  case full
  /// A response does not fit into the archive's limit beside what may not be evicted; the text says how
  /// much space it would need.
  case overLimit(String)
  /// A record's content is not what was saved.
  case damaged(file: String, offset: Int64)
  /// Something that is there cannot be read; the text says what and why.
  case unreadable(String)
  /// Cookies cannot be read or kept; the text says where and why.
  case cookies(String)
  /// A file of passwords or certificates cannot be used; the text says which and why.
  case credentials(String)
  /// There is no such version, or it is gone.
  case notFound
  /// The work was stopped, as its watcher wanted; the archive is whole.
  case stopped
}

extension ArchiveError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .unwritable(let reason), .noFolder(let reason): "pages cannot be saved: \(reason)"
    case .full: "pages cannot be saved: the disk is full"
    case .overLimit(let reason): "a page was not saved: \(reason)"
    case .damaged(let file, let offset): "a saved page is damaged (\(file) at byte \(offset))"
    case .unreadable(let reason): "saved pages cannot be read: \(reason)"
    case .cookies(let reason): "cookies cannot be used: \(reason)"
    case .credentials(let reason): reason
    case .notFound: "there is no such saved page"
    case .stopped: "stopped"
    }
  }
}

extension ArchiveError: LocalizedError {
  /// The same line, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ArchiveError {
  /// Why, without what cannot be done for it.
  package var reason: String {
    switch self {
    case .unwritable(let reason), .noFolder(let reason), .unreadable(let reason),
      .overLimit(let reason), .cookies(let reason), .credentials(let reason):
      reason
    case .full: "the disk is full"
    case .damaged, .notFound, .stopped: description
    }
  }

  /// The error for a change of a file that failed.
  /// - Parameters:
  ///   - path: the file.
  ///   - result: what the system call returned, a negated `errno`.
  /// - Returns: the error.
  static func writing(_ path: String, _ result: Int) -> ArchiveError {
    if result == -Int(ENOSPC) || result == -Int(EDQUOT) { return .full }
    return .unwritable("\(shown(path)): \(reason(result))")
  }

  /// The error for a file that cannot be read; see `writing`.
  static func reading(_ path: String, _ result: Int) -> ArchiveError {
    .unreadable("\(shown(path)): \(reason(result))")
  }

  /// The path that a message names: for a file that only offread itself knows, such as a lock or a part of a
  /// database, the directory that it is in.
  static func shown(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix(".") || name.contains(".sqlite") else { return path }
    let directory = path.dropLast(name.utf8.count + 1)
    return directory.isEmpty ? "/" : String(directory)
  }

  private static func reason(_ result: Int) -> String { String(cString: strerror(Int32(-result))) }
}
