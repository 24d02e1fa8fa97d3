package import Containers
package import Foundation
import OfflineCache
import WARC

/// A tree of files, on disk or in an archive.
package protocol FileTree: Sendable {
  /// The name of the top directory, or empty.
  var name: String { get }
  /// The paths of the files, sorted, without hidden ones.
  var paths: [String] { get }

  /// Returns the first bytes of a file; fewer or none if it cannot be read.
  func beginning(of path: String, upTo count: Int) -> [UInt8]

  /// Opens a file; returns nil if it does not exist.
  func open(_ path: String) throws -> TreeFile?
}

/// A file of a tree.
package struct TreeFile {
  /// The size in bytes.
  package let size: Int64
  /// The modification date.
  package let date: Date
  /// A string that changes if the content changes.
  package let mark: String
  /// Returns at most `count` bytes from an offset.
  package let bytes: (_ offset: Int64, _ count: Int) throws -> [UInt8]
}

/// The files of a directory.
package struct FolderTree: FileTree {
  package let name: String
  package let paths: [String]
  private let folder: String

  /// The maximum number of files.
  private static let mostFiles = 1_000_000

  /// Lists the regular files of a directory, without following links.
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

/// The files of an archive, below their common directory.
package struct ArchiveTree: FileTree {
  package let name: String
  package let paths: [String]
  private let archive: ZIPArchive
  private let root: String
  private let date: Date

  /// Lists the files of an archive.
  /// - Parameters:
  ///   - archive: The archive.
  ///   - name: Its name, used if its first page is not in a directory.
  ///   - date: The modification date of the archive, which limits those of its files.
  package init(_ archive: ZIPArchive, name: String, date: Date) {
    let paths = archive.entries.map(\.path).filter { path in
      !path.hasSuffix("/") && !path.hasPrefix("__MACOSX/")
        && path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") }
    }
    let root = Self.root(of: paths)
    self.archive = archive
    self.root = root
    self.date = date
    self.paths = paths.map { String($0.dropFirst(root.count)) }.sorted()
    let hasPage = self.paths.contains("index.html") || self.paths.contains("index.htm")
    self.name = root.split(separator: "/").last.map(String.init) ?? (hasPage ? name : "")
  }

  /// Returns the common directories of all paths, up to one that is named for a host or scheme.
  private static func root(of paths: [String]) -> String {
    var root = ""
    while let first = paths.first?.dropFirst(root.count), let slash = first.firstIndex(of: "/") {
      let top = first[..<slash]
      guard PageFolder.site(top) == nil, top != "http", top != "https" else { break }
      let next = root + top + "/"
      guard paths.allSatisfy({ $0.hasPrefix(next) }) else { break }
      root = next
    }
    return root
  }

  package func beginning(of path: String, upTo count: Int) -> [UInt8] {
    archive[root + path].map { archive.beginning(of: $0, upTo: count) } ?? []
  }

  package func open(_ path: String) throws -> TreeFile? {
    guard let entry = archive[root + path] else { return nil }
    let content = try archive.content(of: root + path)
    let said = entry.modified.map { Date(timeIntervalSince1970: Double($0)) }
    return TreeFile(
      size: Int64(content.count), date: said.map { min($0, date) } ?? date,
      mark: Hexadecimal.text(DigestBuilder.bytes(of: content, .sha256))
    ) { offset, count in
      Array(content.dropFirst(Int(offset)).prefix(count))
    }
  }
}
