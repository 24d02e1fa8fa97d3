import Foundation
import OfflineCache

/// The files of a directory.
package struct FolderTree: FileTree {
  package let name: String
  package let paths: [String]
  private let folder: String

  /// The maximum number of files that are listed.
  private static let mostFiles = 1_000_000

  /// Lists the regular files in a directory and its subdirectories. Hidden files are skipped, and
  /// symbolic links are not followed.
  package init(_ folder: String) {
    self.folder = folder
    name = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    paths = Self.files(below: folder)
  }

  private static func files(below folder: String) -> [String] {
    var result: [String] = []
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
    while result.count < mostFiles, let name = walk.nextObject() as? String {
      let isHidden = (name as NSString).lastPathComponent.hasPrefix(".")
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if isHidden { walk.skipDescendants() }
      } else if status.st_mode & S_IFMT == S_IFREG, !isHidden {
        result.append(name)
      }
    }
    return result.sorted()
  }

  package func beginning(of path: String, upTo count: Int) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: "\(folder)/\(path)") else { return [] }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: count)).map { Array($0) } ?? []
  }

  package func open(_ path: String) throws -> TreeFile? {
    guard let file = try LocalFileSystem().openForReading("\(folder)/\(path)") else { return nil }
    let status = try file.status()
    guard status.isFile else { return nil }
    return TreeFile(
      size: status.size,
      date: Date(timeIntervalSince1970: (Double(status.modified) / 1e9).rounded(.down)),
      mark: "\(status.size) \(status.modified)"
    ) { offset, count in
      try file.bytes(at: offset, count: count)
    }
  }
}
