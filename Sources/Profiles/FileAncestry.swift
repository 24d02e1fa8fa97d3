import Sandbox
import Foundation

/// The home directory and the directories that contain it. A sandbox rule that allows reading
/// one of them would give access to all hidden files of the user.
///
/// Directories are compared by device and inode, which takes one `stat` call for each path,
/// whatever symbolic links are in it.
struct FileAncestry {
  private struct File: Equatable {
    var device: UInt64
    var inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  private var files: [File]
  /// The path of the home directory if it does not exist; nil otherwise.
  private var missingHome: String?

  /// Finds the root directory, a home directory, and the directories between them.
  init(_ home: String?) {
    files = [File("/")].compactMap(\.self)
    guard let home else { return }
    guard File(home) != nil else {
      missingHome = Confinement.realPath(home)
      return
    }
    var path = Confinement.realPath(home)
    while path != "/", let file = File(path) {
      files.append(file)
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  /// Returns whether a path, whatever symbolic links it contains, leads to the home directory or to
  /// a directory that contains it.
  func contains(_ path: String) -> Bool {
    if let file = File(path) { return files.contains(file) }
    guard let missingHome, case let path = Confinement.realPath(path) else { return false }
    return path == missingHome || missingHome.hasPrefix(path + "/")
  }
}
