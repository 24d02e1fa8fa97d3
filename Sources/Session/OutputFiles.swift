import Foundation
import Platform
import Pages

/// The output files of a command. A file gets its name when it is complete; only then may it
/// replace an existing file. Until then it has no name, or a temporary one if the file system does
/// not support nameless files.
///
/// The launcher uses this class on behalf of a command, which may be sandboxed. Incomplete files
/// are deleted when the command ends in any way, including SIGKILL.
package final class OutputFiles {
  private struct PendingFile {
    /// The descriptor of the file.
    var descriptor: Int32
    /// The temporary name; nil for a nameless file.
    var temporary: String?
    var replacesExisting: Bool
  }

  private let grants: [OutputGrant]
  private let usesNamelessFiles: Bool
  private var pendingFiles: [String: PendingFile] = [:]
  private var temporaryNameCount = 0

  /// Creates the object without creating any file.
  /// - Parameters:
  ///   - grants: the files that may be written.
  ///   - usesNamelessFiles: whether to try files without names (`O_TMPFILE`) first.
  package init(_ grants: [OutputGrant], usesNamelessFiles: Bool = true) {
    (self.grants, self.usesNamelessFiles) = (grants, usesNamelessFiles)
  }

  deinit { discardAll() }

  /// Creates a file.
  /// - Parameter path: the path of the complete file.
  /// - Returns: a descriptor for writing, which this object owns, or a negated `errno` value.
  package func create(_ path: String) -> Int32 {
    guard let grant = grants.first(where: { $0.covers(path) }), pendingFiles[path] == nil else {
      return -EPERM
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { return -EISDIR }
    var status = stat()
    if path.withPath({ lstat($0, &status) }) == 0 {
      if !grant.replacesExisting { return -EEXIST }
    } else if errno != ENOENT {
      return -errno
    }
    let directory = Self.directory(of: path)
    if usesNamelessFiles, let file = Self.openNameless(in: directory) {
      pendingFiles[path] = PendingFile(
        descriptor: file, temporary: nil, replacesExisting: grant.replacesExisting)
      return file
    }
    let temporary = temporaryName(in: directory)
    let file = temporary.withPath {
      Platform.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard file >= 0 else { return -errno }
    pendingFiles[path] = PendingFile(
      descriptor: file, temporary: temporary, replacesExisting: grant.replacesExisting)
    return file
  }

  /// Moves a complete file to its path.
  /// - Returns: 0 or an `errno` value.
  package func complete(_ path: String) -> Int32 {
    guard let file = pendingFiles.removeValue(forKey: path) else { return EPERM }
    defer { close(file.descriptor) }
    guard let temporary = file.temporary else { return Self.linkToPath(file, path, temporaryName) }
    let error =
      file.replacesExisting
      ? PartialFileOperations.replaceFile(path, with: temporary)
      : PartialFileOperations.moveToFinalPath(temporary, path, PartialFileOperations.link)
    if error != 0 { PartialFileOperations.deleteFile(temporary) }
    return error
  }

  /// Links a nameless file to its path. To replace an existing file, the nameless file is linked to
  /// a temporary name and then renamed, because a link cannot replace a file.
  private static func linkToPath(
    _ file: PendingFile, _ path: String, _ temporaryName: (String) -> String
  ) -> Int32 {
    func link(as name: String) -> Int32 {
      let source = "/proc/self/fd/\(file.descriptor)"
      return name.withPath { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) } == 0
        ? 0 : errno
    }
    let error = link(as: path)
    guard error == EEXIST, file.replacesExisting else { return error }
    let temporary = temporaryName(directory(of: path))
    let second = link(as: temporary)
    guard second == 0 else { return second }
    let third = PartialFileOperations.replaceFile(path, with: temporary)
    if third != 0 { PartialFileOperations.deleteFile(temporary) }
    return third
  }

  /// Discards an incomplete file.
  package func discard(_ path: String) {
    guard let file = pendingFiles.removeValue(forKey: path) else { return }
    close(file.descriptor)
    if let temporary = file.temporary { PartialFileOperations.deleteFile(temporary) }
  }

  /// Discards all incomplete files.
  package func discardAll() {
    for path in Array(pendingFiles.keys) { discard(path) }
  }

  /// Creates the directory for the output files.
  /// - Returns: 0 or an `errno` value.
  package func makeDirectory(_ path: String) -> Int32 {
    guard grants.contains(where: { $0.suffix != nil && $0.path == path }) else { return EPERM }
    return Self.makeDirectories(path)
  }

  /// Creates the missing directories above a file.
  /// - Returns: 0, or the `errno` value of the failed call.
  @discardableResult
  package static func makeDirectories(above path: String, mode: mode_t) -> Int32 {
    makeDirectories(directory(of: path), mode: mode)
  }

  /// Creates a directory and its missing parents.
  /// - Returns: 0, or the `errno` value of the failed call.
  private static func makeDirectories(_ path: String, mode: mode_t = 0o777) -> Int32 {
    if path.withPath({ mkdir($0, mode) }) == 0 { return 0 }
    var failure = errno
    if failure == ENOENT, case let parent = directory(of: path), ![".", "/", path].contains(parent)
    {
      let parents = makeDirectories(parent, mode: mode)
      if parents != 0 { return parents }
      if path.withPath({ mkdir($0, mode) }) == 0 { return 0 }
      failure = errno
    }
    var status = stat()
    guard failure == EEXIST, path.withPath({ stat($0, &status) }) == 0 else { return failure }
    return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func temporaryName(in directory: String) -> String {
    temporaryNameCount += 1
    return "\(directory)/.offread-\(getpid())-\(temporaryNameCount).part"
  }

  /// Opens a file that has no name until it is linked (O_TMPFILE); returns nil where that is not
  /// possible.
  private static func openNameless(in directory: String) -> Int32? {
    #if os(Linux)
      // Swift does not import the macro `O_TMPFILE`. The macro includes O_DIRECTORY, so that
      // kernels that do not support it refuse the call.
      let file = directory.withPath {
        Platform.open($0, 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
      }
      guard file >= 0 else { return nil }
      // Without /proc, the file could not be linked later.
      if access("/proc/self/fd/\(file)", F_OK) == 0 { return file }
      close(file)
    #endif
    return nil
  }
}
