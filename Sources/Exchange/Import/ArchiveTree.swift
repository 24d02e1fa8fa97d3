package import Containers
package import Foundation
import WARC

/// The files of a ZIP archive, relative to the directory that contains all of them.
package struct ArchiveTree: FileTree {
  package let name: String
  package let paths: [String]
  private let archive: ZIPArchive
  private let root: String
  private let date: Date

  /// Lists the files of an archive.
  /// - Parameters:
  ///   - archive: the archive.
  ///   - name: the name of the archive, used as the name of the tree if the first page is at the
  ///     top level.
  ///   - date: the modification time of the archive, which is the maximum date of its files.
  package init(_ archive: ZIPArchive, name: String, date: Date) {
    let paths = archive.entries.map(\.path).filter { !$0.hasSuffix("/") && !Self.isHidden($0) }
    let root = Self.root(of: paths)
    self.archive = archive
    self.root = root
    self.date = date
    self.paths = paths.map { String($0.dropFirst(root.count)) }.sorted()
    let hasPage = self.paths.contains("index.html") || self.paths.contains("index.htm")
    self.name = root.split(separator: "/").last.map(String.init) ?? (hasPage ? name : "")
  }

  /// Returns whether a file of an archive is hidden, or was added by macOS and only contains the
  /// attributes of another file.
  package static func isHidden(_ path: String) -> Bool {
    path.hasPrefix("__MACOSX/") || path.split(separator: "/").contains { $0.hasPrefix(".") }
  }

  /// Returns the common path prefix of all files, up to a directory that is named like a host or a
  /// scheme.
  private static func root(of paths: [String]) -> String {
    var root = ""
    while let first = paths.first?.dropFirst(root.count), let slash = first.firstIndex(of: "/") {
      let top = first[..<slash]
      guard MirrorDirectory.hostName(top) == nil, top != "http", top != "https" else { break }
      let next = root + top + "/"
      guard paths.allSatisfy({ $0.hasPrefix(next) }) else { break }
      root = next
    }
    return root
  }

  package func prefix(of path: String, upTo count: Int) -> [UInt8] {
    archive[root + path].map { archive.beginning(of: $0, upTo: count) } ?? []
  }

  package func open(_ path: String) throws -> TreeFile? {
    guard let entry = archive[root + path] else { return nil }
    let content = try archive.content(of: root + path)
    let modificationDate = entry.modificationTime.map { Date(timeIntervalSince1970: Double($0)) }
    return TreeFile(
      size: Int64(content.count), date: modificationDate.map { min($0, date) } ?? date,
      fingerprint: Hexadecimal.text(DigestBuilder.bytes(of: content, .sha256))
    ) { offset, count in
      Array(content.dropFirst(Int(offset)).prefix(count))
    }
  }
}
