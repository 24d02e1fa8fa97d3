import Platform

/// The operations on partial files, which are performed by this process or by its launcher.
struct PartialFileOperations: Sendable {
  /// Creates the partial file for a final path; returns a descriptor, or a negated `errno` value.
  var create: @Sendable (_ partialPath: String, _ path: String) -> Int32
  /// Renames a partial file to its final path; returns 0 or an `errno` value.
  var rename: @Sendable (_ partialPath: String, _ path: String) -> Int32
  /// Deletes a partial file.
  var remove: @Sendable (_ partialPath: String) -> Void
  /// A message for `EPERM` that is more specific than the system's; nil to use the system's
  /// message.
  var permissionError: String?

  /// Creates a hard link to a file; returns 0 or an `errno` value.
  typealias Link = @Sendable (String, String) -> Int32

  /// The system call `link`.
  static let link: Link = { path, newPath in
    path.withPath { path in newPath.withPath { Platform.link(path, $0) } } == 0 ? 0 : errno
  }

  /// Creates operations that this process performs itself.
  init(link: @escaping Link = Self.link) {
    self.init(
      create: { path, _ in Self.createFile(path) },
      rename: { Self.moveToFinalPath($0, $1, link) },
      remove: { Self.deleteFile($0) })
  }

  init(
    create: @escaping @Sendable (String, String) -> Int32,
    rename: @escaping @Sendable (String, String) -> Int32,
    remove: @escaping @Sendable (String) -> Void, permissionError: String? = nil
  ) {
    (self.create, self.rename, self.remove, self.permissionError) = (
      create, rename, remove, permissionError
    )
  }

  /// Creates a file that must not exist.
  /// - Returns: a descriptor, or a negated `errno` value.
  static func createFile(_ partialPath: String) -> Int32 {
    let descriptor = partialPath.withPath {
      Platform.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    return descriptor >= 0 ? descriptor : -errno
  }

  /// Deletes a file.
  static func deleteFile(_ path: String) { _ = path.withPath { unlink($0) } }

  /// Renames a file to a path, and replaces the file that has this path.
  /// - Returns: 0 or an `errno` value.
  static func replaceFile(_ path: String, with newFile: String) -> Int32 {
    newFile.withPath { newFile in path.withPath { Platform.rename(newFile, $0) } } == 0 ? 0 : errno
  }

  /// Renames a partial file to its final path, without replacing an existing file.
  /// - Returns: 0 or an `errno` value.
  static func moveToFinalPath(_ partialPath: String, _ path: String, _ link: Link) -> Int32 {
    // Unlike rename, link replaces nothing.
    let error = link(partialPath, path)
    if error == 0 { deleteFile(partialPath) }
    if error == 0 || error == EEXIST { return error }
    // FAT and many network file systems have no hard links. There, an empty file reserves the path,
    // and rename replaces that file.
    let position = createFile(path)
    guard position >= 0 else { return -position }
    close(position)
    let failure = replaceFile(path, with: partialPath)
    if failure != 0 { deleteFile(path) }
    return failure
  }
}
