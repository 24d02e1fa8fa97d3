import Foundation
import OfflineCache

/// The files of a directory.
package struct DirectoryTree: FileTree {
  package let name: String
  package let paths: [String]
  private let directory: String

  /// The maximum number of files that are listed.
  private static let maxFiles = 1_000_000

  /// Lists the regular files in a directory and its subdirectories. Hidden files are skipped, and
  /// symbolic links are not followed.
  package init(_ parent: String) {
    self.directory = parent
    name = URL(fileURLWithPath: parent).standardizedFileURL.lastPathComponent
    paths = Self.files(below: parent)
  }

  private static func files(below directory: String) -> [String] {
    var result: [String] = []
    guard let walk = FileManager.default.enumerator(atPath: directory) else { return [] }
    while result.count < maxFiles, let name = walk.nextObject() as? String {
      let isHidden = (name as NSString).lastPathComponent.hasPrefix(".")
      var status = stat()
      guard lstat("\(directory)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if isHidden { walk.skipDescendants() }
      } else if status.st_mode & S_IFMT == S_IFREG, !isHidden {
        result.append(name)
      }
    }
    return result.sorted()
  }

  package func prefix(of path: String, upTo count: Int) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: "\(directory)/\(path)") else { return [] }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: count)).map { Array($0) } ?? []
  }

  package func open(_ path: String) throws -> TreeFile? {
    guard let file = try LocalFileSystem().openForReading("\(directory)/\(path)") else {
      return nil
    }
    let status = try file.status()
    guard status.isFile else { return nil }
    return TreeFile(
      size: status.size,
      date: Date(timeIntervalSince1970: (Double(status.modified) / 1e9).rounded(.down)),
      fingerprint: "\(status.size) \(status.modified)"
    ) { offset, count in
      try file.bytes(at: offset, count: count)
    }
  }
}
