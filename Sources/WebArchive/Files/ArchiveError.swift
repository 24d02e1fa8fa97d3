public import Foundation

/// An error of the archive.
public enum ArchiveError: Error, Sendable, Equatable {
  /// Nothing can be saved. The text contains the path and the reason.
  case unwritable(String)
  /// Nothing can be saved because the directory does not exist and cannot be created. The text
  /// contains the path and the reason. The case keeps its name from version 1.0.0, because patterns
  /// cannot match an alias of a case.
  case noFolder(String)
  /// There is no space left on the disk.
  case full
  /// A response does not fit into the limit of the archive together with the pages that must not be
  /// evicted. The text contains the space it would need.
  case limitExceeded(String)
  /// The content of a record differs from the saved content.
  case damaged(file: String, offset: Int64)
  /// A file or database cannot be read. The text contains its name and the reason.
  case unreadable(String)
  /// Cookies cannot be read or stored. The text contains the path and the reason.
  case cookies(String)
  /// A file of passwords, certificates or HSTS policies cannot be used. The text contains the path
  /// and the reason.
  case credentials(String)
  /// The version does not exist, or was removed.
  case notFound
  /// The work was stopped by its progress closure. The archive is in a consistent state.
  case stopped
}

extension ArchiveError: CustomStringConvertible {
  /// A message for the user, in one line.
  public var description: String {
    switch self {
    case .unwritable(let reason), .noFolder(let reason): "pages cannot be saved: \(reason)"
    case .full: "pages cannot be saved: the disk is full"
    case .limitExceeded(let reason): "a page was not saved: \(reason)"
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
  /// The same line as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ArchiveError {
  /// The reason alone, without the consequence that `description` begins with.
  package var reason: String {
    switch self {
    case .unwritable(let reason), .noFolder(let reason), .unreadable(let reason),
      .limitExceeded(let reason), .cookies(let reason), .credentials(let reason):
      reason
    case .full: "the disk is full"
    case .damaged, .notFound, .stopped: description
    }
  }

  /// Returns the error for a file that could not be changed.
  /// - Parameters:
  ///   - path: the file.
  ///   - result: the result of the system call, a negated `errno`.
  /// - Returns: the error.
  static func writing(_ path: String, _ result: Int) -> ArchiveError {
    if result == -Int(ENOSPC) || result == -Int(EDQUOT) { return .full }
    return .unwritable("\(displayedPath(path)): \(reason(result))")
  }

  /// Returns the error for a file that could not be read; see `writing`.
  static func reading(_ path: String, _ result: Int) -> ArchiveError {
    .unreadable("\(displayedPath(path)): \(reason(result))")
  }

  /// Returns the path that a message contains. For files that users do not know, such as locks or
  /// parts of a database, it is the directory.
  static func displayedPath(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix(".") || name.contains(".sqlite") else { return path }
    let directory = path.dropLast(name.utf8.count + 1)
    return directory.isEmpty ? "/" : String(directory)
  }

  private static func reason(_ result: Int) -> String { String(cString: strerror(Int32(-result))) }
}
