import Foundation

/// What the archive does with the names of files.
extension FileSystem {
  /// Opens a file for reading.
  /// - Returns: nil when there is no such file.
  package func openForReading(_ path: String) throws(ArchiveError) -> OpenFile? {
    let descriptor = retrying { open(path, O_RDONLY) }
    if Self.isAbsent(descriptor) { return nil }
    guard descriptor >= 0 else { throw .reading(path, descriptor) }
    return OpenFile(path: path, descriptor: Int32(descriptor), .reading, files: self)
  }

  /// Takes a descriptor that somebody else has opened to be read.
  package func takeForReading(_ descriptor: Int32, _ path: String) -> OpenFile {
    OpenFile(path: path, descriptor: descriptor, .reading, files: self)
  }

  /// Opens a folder, to lock it.
  /// - Returns: nil when there is no such folder.
  package func openFolder(_ path: String) throws(ArchiveError) -> OpenFile? {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY) }
    if Self.isAbsent(descriptor) { return nil }
    guard descriptor >= 0 else { throw .reading(path, descriptor) }
    return OpenFile(path: path, descriptor: Int32(descriptor), .folder, files: self)
  }

  /// Opens a file for reading and writing, only for this user; makes it when it is not there.
  package func openForWriting(_ path: String) throws(ArchiveError) -> OpenFile {
    let descriptor = retrying { open(path, O_RDWR | O_CREAT) }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    let file = OpenFile(path: path, descriptor: Int32(descriptor), .writing, files: self)
    // A strict umask takes bits away; the mode of a file that others share is left alone.
    if let status = try? file.status(), status.mode & 0o600 != 0o600 {
      _ = setMode(of: path, to: 0o600)
    }
    return file
  }

  /// Opens a file without a name in a folder; it is gone when it is closed, also by a kill.
  package func openSpool(in folder: String) throws(ArchiveError) -> OpenFile {
    let descriptor = retrying { openUnnamed(in: folder) }
    guard descriptor >= 0 else { throw .writing(folder, descriptor) }
    return OpenFile(path: folder, descriptor: Int32(descriptor), .writing, files: self)
  }

  /// The state of the file that a path names now, or nil when there is none.
  package func status(of path: String) throws(ArchiveError) -> OpenFile.Status? {
    var status = stat()
    let result = retrying { self.status(of: path, &status) }
    if Self.isAbsent(result) { return nil }
    guard result == 0 else { throw .reading(path, result) }
    return OpenFile.Status(status)
  }

  /// Makes a folder with those above it, only for this user, unless it is there.
  package func makeFolders(_ path: String) throws(ArchiveError) {
    guard try status(of: path) == nil else { return }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty, parent != path { try makeFolders(parent) }
    let result = retrying { makeFolder(path) }
    if result == -Int(EEXIST) { return }
    if result == -Int(ENOTDIR) {
      throw .noFolder("\(parent) is not a folder")
    }
    guard result == 0 else { throw .writing(path, result) }
    // A strict umask takes bits away.
    if let made = try status(of: path), made.mode & 0o700 != 0o700 {
      _ = setMode(of: path, to: 0o700)
    }
    // Its name is to last, but a folder above that may not be read is no reason to stop.
    try? syncFolder(parent.isEmpty ? "." : parent)
  }

  /// Waits until the names in a folder are on the disk.
  package func syncFolder(_ path: String) throws(ArchiveError) {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY) }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    defer { close(Int32(descriptor)) }
    let result = retrying { sync(Int32(descriptor), isFolder: true) }
    // EINVAL: a file system without the notion.
    guard result == 0 || result == -Int(EINVAL) else { throw .writing(path, result) }
  }

  /// Every name in a folder, in no order; none when there is no such folder.
  package func names(in folder: String) throws(ArchiveError) -> [String] {
    var names: [String] = []
    let result = retrying {
      names = []
      return list(folder) { names.append($0) }
    }
    guard result == 0 || Self.isAbsent(result) else { throw .reading(folder, result) }
    return names
  }

  /// Removes a file's name; none is as good.
  package func removeFile(_ path: String) throws(ArchiveError) {
    let result = retrying { remove(path) }
    if result == 0 || Self.isAbsent(result) { return }
    // A read-only file system refuses to remove even what is not there.
    if result == -Int(EROFS), try status(of: path) == nil { return }
    throw .writing(path, result)
  }

  /// Gives a file another name, in place of a file that has it.
  package func renameFile(_ path: String, to other: String) throws(ArchiveError) {
    let result = retrying { rename(path, to: other) }
    guard result == 0 else { throw .writing(other, result) }
  }

  /// Repeats a call that a signal interrupted.
  package func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -Int(EINTR) { return result }
    }
  }

  private static func isAbsent(_ result: Int) -> Bool {
    result == -Int(ENOENT) || result == -Int(ENOTDIR)
  }
}
