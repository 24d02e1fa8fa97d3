import Foundation
import Platform
import Reader

/// Where a command may write files that the user has named.
package struct OutputGrant: Sendable, Equatable {
  /// The file or the directory, as the user wrote it.
  package var path: String
  /// The end of the names that files in the directory have; nil for a single file.
  package var ending: String?
  /// Whether files that exist are replaced.
  package var replaces: Bool

  /// Creates a grant for one file, or for the files of a directory whose names end with `ending`.
  package init(_ path: String, ending: String? = nil, replaces: Bool) {
    (self.path, self.ending, self.replaces) = (path, ending, replaces)
  }

  /// Whether the grant covers a file.
  func covers(_ file: String) -> Bool {
    guard let ending else { return file == path }
    guard file.hasPrefix(path + "/") else { return false }
    let name = file.dropFirst(path.utf8.count + 1)
    return !name.contains("/") && !name.hasPrefix(".") && name.hasSuffix(ending)
      && !name.utf8.contains(0)
  }
}

/// The files that a command writes for the user. A file gets its name when it is complete, and replaces the one that
/// had it; until then it has no name, or a temporary one where the file system knows no files without names.
///
/// The launcher uses it for a command, which may be confined: what is incomplete goes when the command ends in any
/// way, also by SIGKILL.
package final class OutputFiles {
  private struct Pending {
    /// The descriptor of the file.
    var file: Int32
    /// The temporary name; nil for a file without one.
    var temporary: String?
    var replaces: Bool
  }

  private let grants: [OutputGrant]
  private let usesNamelessFiles: Bool
  private var pending: [String: Pending] = [:]
  private var count = 0

  /// - Parameters:
  ///   - grants: what may be written.
  ///   - usesNamelessFiles: whether files without names are tried first.
  package init(_ grants: [OutputGrant], usesNamelessFiles: Bool = true) {
    (self.grants, self.usesNamelessFiles) = (grants, usesNamelessFiles)
  }

  deinit { discardAll() }

  /// Begins a file.
  /// - Parameter path: its path.
  /// - Returns: a descriptor to write to, which belongs to this object, or an error of the system, negative.
  package func open(_ path: String) -> Int32 {
    guard let grant = grants.first(where: { $0.covers(path) }), pending[path] == nil else {
      return -EPERM
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { return -EISDIR }
    var status = stat()
    if lstat(path, &status) == 0 {
      if !grant.replaces { return -EEXIST }
    } else if errno != ENOENT {
      return -errno
    }
    let folder = Self.folder(of: path)
    if usesNamelessFiles, let file = Self.openNameless(in: folder) {
      pending[path] = Pending(file: file, temporary: nil, replaces: grant.replaces)
      return file
    }
    let temporary = temporaryName(in: folder)
    let file = Platform.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { return -errno }
    pending[path] = Pending(file: file, temporary: temporary, replaces: grant.replaces)
    return file
  }

  /// Gives a file, all of which is written, its name.
  /// - Returns: 0 or an error of the system.
  package func complete(_ path: String) -> Int32 {
    guard let file = pending.removeValue(forKey: path) else { return EPERM }
    defer { close(file.file) }
    guard let temporary = file.temporary else { return Self.name(file, path, temporaryName) }
    let error =
      file.replaces
      ? (rename(temporary, path) == 0 ? 0 : errno)
      : DraftPlaces.takeName(temporary, path, DraftPlaces.link)
    if error != 0 { unlink(temporary) }
    return error
  }

  /// Gives a file without a name one. Only where something has it already, it needs another one first, as a link
  /// replaces nothing.
  private static func name(
    _ file: Pending, _ path: String, _ temporaryName: (String) -> String
  ) -> Int32 {
    func link(as name: String) -> Int32 {
      linkat(AT_FDCWD, "/proc/self/fd/\(file.file)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
        ? 0 : errno
    }
    let error = link(as: path)
    guard error == EEXIST, file.replaces else { return error }
    let temporary = temporaryName(folder(of: path))
    let second = link(as: temporary)
    guard second == 0 else { return second }
    guard rename(temporary, path) == 0 else {
      let error = errno
      unlink(temporary)
      return error
    }
    return 0
  }

  /// Drops a file that is not complete.
  package func discard(_ path: String) {
    guard let file = pending.removeValue(forKey: path) else { return }
    close(file.file)
    if let temporary = file.temporary { unlink(temporary) }
  }

  /// Drops all files that are not complete.
  package func discardAll() {
    for path in Array(pending.keys) { discard(path) }
  }

  /// Creates the directory for several files.
  /// - Returns: 0 or an error of the system.
  package func makeFolder(_ path: String) -> Int32 {
    guard grants.contains(where: { $0.ending != nil && $0.path == path }) else { return EPERM }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return 0
    } catch {
      return errno != 0 ? errno : EIO
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func temporaryName(in folder: String) -> String {
    count += 1
    return "\(folder)/.offread-\(getpid())-\(count).part"
  }

  /// Opens a file that has no name until it is linked (O_TMPFILE); nil where that is not possible.
  private static func openNameless(in folder: String) -> Int32? {
    #if os(Linux)
      // The macro is not imported. O_DIRECTORY is part of it, so that older kernels refuse it.
      let file = Platform.open(folder, 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
      guard file >= 0 else { return nil }
      // Without /proc, nothing can be linked later.
      if access("/proc/self/fd/\(file)", F_OK) == 0 { return file }
      close(file)
    #endif
    return nil
  }
}
