package import Pages
import Foundation
import Platform
import OfflineCache

/// A temporary directory, private to the user, for files that other programs show. It is removed at
/// the end of the session; if offread was killed, the next session removes it.
package final class PrivateDirectory: Sendable {
  /// The path of the directory.
  package let path: String
  /// A descriptor that holds a lock on the directory. Forked processes share the lock, so a process
  /// that acquires it knows that the owner and all its children have ended.
  private let descriptor: Int32

  private static let prefix = "offread-files-"

  /// Creates the directory in `XDG_RUNTIME_DIR`, `TMPDIR` or `/tmp`, whichever works first.
  /// - Throws: `ReaderError.unreadableFile` when none can be created.
  package init(_ environment: [String: String]) throws(ReaderError) {
    let locations = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"]
    for location in locations.compactMap({ $0 }) where location.hasPrefix("/") {
      Self.removeAbandoned(in: location)
      // Another process may consider the directory abandoned and remove it before it is locked.
      for _ in 0..<100 {
        var template = Array("\(location)/\(Self.prefix)XXXXXX".utf8CString)
        // `mkdtemp` creates the directory with mode 0700.
        guard mkdtemp(&template) != nil else { break }
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        let made = String(decoding: bytes, as: UTF8.self)
        guard let lock = Self.locked(made) else { continue }
        (path, descriptor) = (made, lock)
        return
      }
    }
    throw .unreadableFile(path: "/tmp", String(cString: strerror(errno)))
  }

  deinit { close(descriptor) }

  /// Locks a directory that belongs to this user.
  /// - Returns: a descriptor that holds the lock; nil when another process holds it, or the
  ///   directory is gone.
  private static func locked(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (opened, named) = (stat(), stat())
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0,
      opened.st_uid == getuid(), lstat(path, &named) == 0, named.st_ino == opened.st_ino
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Removes the directories of processes that were killed.
  private static func removeAbandoned(in location: String) {
    var names: [String] = []
    _ = LocalFileSystem().list(location) { if $0.hasPrefix(prefix) { names.append($0) } }
    for name in names {
      guard let descriptor = locked("\(location)/\(name)") else { continue }
      try? FileManager.default.removeItem(atPath: "\(location)/\(name)")
      close(descriptor)
    }
  }

  /// Writes a file to the directory.
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - name: the preferred name; a number is added if the name is taken.
  /// - Returns: the path of the file.
  /// - Throws: `ReaderError.unreadableFile` if it cannot be written.
  package func write(_ content: [UInt8], name: String) throws(ReaderError) -> String {
    for number in 1..<10_000 {
      let file = path + "/" + (number == 1 ? name : "\(number)-\(name)")
      let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        if errno == EEXIST { continue }
        break
      }
      guard let stream = fdopen(descriptor, "w") else {
        close(descriptor)
        break
      }
      let isWritten = fwrite(content, 1, content.count, stream) == content.count
      // Closing the file writes the buffered bytes.
      if fclose(stream) == 0, isWritten { return file }
      let error = errno
      unlink(file)
      throw .unreadableFile(path: file, String(cString: strerror(error)))
    }
    throw .unreadableFile(path: path, String(cString: strerror(errno)))
  }

  /// Creates a symbolic link to a file of the user, under a plain name.
  /// - Parameters:
  ///   - target: the path of the file.
  ///   - name: the preferred name of the link; a number is added if the name is taken.
  /// - Returns: the path of the link.
  /// - Throws: `ReaderError.unreadableFile` if the link cannot be created.
  package func link(to target: String, name: String) throws(ReaderError) -> String {
    let absolute = realpath(target, nil)
    defer { free(absolute) }
    guard let absolute else {
      throw .unreadableFile(path: target, String(cString: strerror(errno)))
    }
    for number in 1..<10_000 {
      let file = path + "/" + (number == 1 ? name : "\(number)-\(name)")
      if symlink(absolute, file) == 0 { return file }
      if errno != EEXIST { break }
    }
    throw .unreadableFile(path: path, String(cString: strerror(errno)))
  }

  /// Removes the directory and its files.
  package func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
