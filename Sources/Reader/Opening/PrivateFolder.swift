import Platform
import OfflineCache

/// A folder for files that other programs show, which nobody else can read. It goes with the session.
package final class PrivateFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Makes a folder, in that of the session (`XDG_RUNTIME_DIR`) or the one for temporary files.
  /// - Throws: `ReaderError.unreadableFile` when none can be made.
  package init(_ environment: [String: String]) throws(ReaderError) {
    let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"]
    for place in places.compactMap({ $0 }) where place.hasPrefix("/") {
      var template = Array("\(place)/offread-XXXXXX".utf8CString)
      // The folder gets the mode 0700.
      guard mkdtemp(&template) != nil else { continue }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return
    }
    throw .unreadableFile(path: "/tmp", String(cString: strerror(errno)))
  }

  /// Writes a file.
  /// - Parameters:
  ///   - content: what is in it.
  ///   - name: its name; another one when a file has it already.
  /// - Returns: the path of the file.
  /// - Throws: `ReaderError.unreadableFile` when it cannot be written.
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
      // What is still held back is written when it is closed.
      if fclose(stream) == 0, isWritten { return file }
      let error = errno
      unlink(file)
      throw .unreadableFile(path: file, String(cString: strerror(error)))
    }
    throw .unreadableFile(path: path, String(cString: strerror(errno)))
  }

  /// Gives a file of the person a plain name here.
  /// - Parameters:
  ///   - target: the path of the file.
  ///   - name: its name here; another one when a file has it already.
  /// - Returns: the path of the link.
  /// - Throws: `ReaderError.unreadableFile` when there can be none.
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

  /// Removes the folder and what was written to it.
  package func remove() {
    _ = LocalFileSystem().list(path) { name in
      if name != ".", name != ".." { unlink(path + "/" + name) }
    }
    rmdir(path)
  }
}
