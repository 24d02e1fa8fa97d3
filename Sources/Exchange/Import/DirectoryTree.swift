import Foundation
import OfflineCache
import Platform

/// The files of a directory.
package struct DirectoryTree: FileTree {
  package let name: String
  package let paths: [String]
  /// The directories whose files are missing because they could not be listed, with the reasons.
  package let unreadableDirectories: [UnreadableDirectory]
  private let directory: String

  /// A directory that could not be listed.
  package struct UnreadableDirectory: Sendable, Equatable {
    /// The path in the tree, with a slash at its end; empty for the top directory.
    package var path: String
    package var reason: String
  }

  /// The maximum number of files that are listed.
  private static let maxFiles = 1_000_000

  /// Lists the regular files in a directory and its subdirectories. Hidden files are skipped, and
  /// symbolic links are not followed.
  package init(_ parent: String) {
    self.directory = parent
    name = URL(fileURLWithPath: parent).standardizedFileURL.lastPathComponent
    (paths, unreadableDirectories) = Self.files(below: parent)
  }

  private static func files(
    below directory: String
  ) -> (paths: [String], unreadable: [UnreadableDirectory]) {
    var result: [String] = []
    var unreadable: [UnreadableDirectory] = []
    // The paths of the directories that are not listed yet, with a slash at their end.
    var pendingDirectories = [""]
    while let parent = pendingDirectories.popLast(), result.count < maxFiles {
      guard let stream = "\(directory)/\(parent)".withPath({ opendir($0) }) else {
        let error = errno
        // The directory may have been removed meanwhile.
        if error != ENOENT, error != ENOTDIR {
          unreadable.append(
            UnreadableDirectory(path: parent, reason: String(cString: strerror(error))))
        }
        continue
      }
      defer { closedir(stream) }
      while result.count < maxFiles, let entry = readdir(stream) {
        var status = stat()
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
            let exists = fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0
            return exists ? PathText.decode(cString: name) : ""
          }
        }
        guard !name.isEmpty, !name.hasPrefix(".") else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pendingDirectories.append("\(parent)\(name)/")
        case S_IFREG: result.append(parent + name)
        default: break
        }
      }
    }
    return (result.sorted(), unreadable.sorted { $0.path < $1.path })
  }

  package func prefix(of path: String, upTo count: Int) -> [UInt8] {
    guard let file = try? open(path) else { return [] }
    return (try? file.bytes(0, min(count, Int(file.size)))) ?? []
  }

  package func open(_ path: String) throws -> TreeFile? {
    let fullPath = "\(directory)/\(path)"
    let descriptor = fullPath.withPath { Platform.open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      let error = errno
      if error == ENOENT || error == ENOTDIR { return nil }
      throw ArchiveError.unreadable(
        "\(PathText.displayText(fullPath)): \(String(cString: strerror(error)))")
    }
    let file = LocalFileSystem().wrapForReading(descriptor, fullPath)
    let status = try file.status()
    guard status.isFile else { return nil }
    return TreeFile(
      size: status.size,
      date: Date(timeIntervalSince1970: (Double(status.modificationTime) / 1e9).rounded(.down)),
      fingerprint: "\(status.size) \(status.modificationTime)"
    ) { offset, count in
      try file.bytes(at: offset, count: count)
    }
  }
}
