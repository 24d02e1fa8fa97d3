package import Containers
package import Foundation
import OfflineCache
import WARC

/// Files in folders, on the disk or packed.
package protocol FileTree: Sendable {
  /// What the folder is called that everything is in, or empty.
  var name: String { get }
  /// The paths of its files, sorted, without hidden ones.
  var paths: [String] { get }

  /// The first bytes of a file, as far as they can be read.
  func beginning(of path: String, upTo count: Int) -> [UInt8]

  /// Opens a file; nil when it is not there.
  func open(_ path: String) throws -> TreeFile?
}

/// A file of a tree.
package struct TreeFile {
  /// Its length, in bytes.
  package let size: Int64
  /// When it was changed.
  package let date: Date
  /// What tells its content from others.
  package let mark: String
  /// Gives up to `count` bytes from an offset on.
  package let bytes: (_ offset: Int64, _ count: Int) throws -> [UInt8]
}

/// The files of a folder.
package struct FolderTree: FileTree {
  package let name: String
  package let paths: [String]
  private let folder: String

  /// As many files are looked at.
  private static let mostFiles = 1_000_000

  /// Looks through a folder: every plain file, no link is followed.
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

/// The files of an archive, below the folder that all of them are in.
package struct ArchiveTree: FileTree {
  package let name: String
  package let paths: [String]
  private let archive: ZIPArchive
  private let root: String
  private let date: Date

  /// Looks through an archive.
  /// - Parameters:
  ///   - archive: the archive.
  ///   - name: what it is called, which says something where its first page is not in a folder.
  ///   - date: when it was changed: none of its files is newer.
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

  /// The folders that all paths begin with, up to one that is a host or a scheme.
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
