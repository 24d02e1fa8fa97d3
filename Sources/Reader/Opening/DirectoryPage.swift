import Pages
import Platform
import ReaderMode
import Foundation
import Document

/// A listing of a local directory, with links to its files, directories first.
struct DirectoryPage {
  /// A directory entry.
  struct Entry: Sendable, Equatable {
    var name: String
    var isDirectory: Bool
    /// The size in bytes.
    var size: Int
    var modificationDate: Date
  }

  let path: String
  var entries: [Entry]

  /// Maximum number of entries that are listed.
  static let maxEntries = 20_000

  /// Returns whether a path leads to a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads a directory.
  /// - Throws: `ReaderError.unreadableFile` if it cannot be read.
  init(reading path: String) throws(ReaderError) {
    let descriptor = LocalFile.descriptor(path)
    guard descriptor >= 0 else { throw LocalFile.failure(path) }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      throw LocalFile.failure(path)
    }
    defer { closedir(directory) }
    var entries: [Entry] = []
    while let entry = readdir(directory), entries.count < Self.maxEntries {
      var status = stat()
      let (name, exists) = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          // A dangling symbolic link is listed, too.
          let exists =
            fstatat(dirfd(directory), name, &status, 0) == 0
            || fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0
          return (PathText.decode(cString: name), exists)
        }
      }
      guard exists, name != ".", name != ".." else { continue }
      entries.append(
        Entry(
          name: name, isDirectory: status.st_mode & S_IFMT == S_IFDIR,
          size: Int(status.st_size),
          modificationDate: Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))))
    }
    self.init(path: path, entries: entries)
  }

  init(path: String, entries: [Entry]) {
    self.path = path
    let keyed = entries.map { (entry: $0, key: NaturalOrder.key($0.name.lowercased())) }
    let sorted = keyed.sorted {
      ($0.entry.isDirectory ? 0 : 1, $0.key, $0.entry.name)
        < ($1.entry.isDirectory ? 0 : 1, $1.key, $1.entry.name)
    }
    self.entries = sorted.map { $0.entry }
  }

  /// The listing as a page, ready for layout.
  var page: Page {
    let html = Array(markup.utf8)
    let url = Self.url(path)
    return Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: html, mediaType: "text/html", charset: "utf-8", url: url),
      provenance: Provenance(source: .file), length: html.count)
  }

  /// Returns the URL of a directory with a trailing slash, so that relative names are resolved
  /// below it.
  private static func url(_ path: String) -> String {
    let url = Address.fileURL(path: path)
    return url.hasSuffix("/") ? url : url + "/"
  }

  private var markup: String {
    let title = Markup.escapedLine(PathText.displayText(path))
    var html = "<!DOCTYPE html><title>\(title)</title><main><h1>\(title)</h1>"
    let base = Self.url(path)
    if let above = base.dropLast().lastIndex(of: "/"), base.count > "file:///".count {
      html += "<p><a href=\"\(Markup.escaped(String(base[...above])))\">../</a></p>"
    }
    if entries.isEmpty { return html + "<p>The directory is empty.</p></main>" }
    html += "<table><thead><tr><th>Name<th align=right>Size<th>Changed</thead>"
    for entry in entries {
      let end = entry.isDirectory ? "/" : ""
      let name = Markup.escapedLine(PathText.displayText(entry.name)) + end
      let url = Address.fileURL(path: (path.hasSuffix("/") ? path : path + "/") + entry.name)
      html += "<tr><td><a href=\"\(Markup.escaped(url + end))\">\(name)</a>"
      html += "<td align=right>\(entry.isDirectory ? "" : CountFormatter.byteCountText(entry.size))"
      html += "<td>\(entry.modificationDate.formatted(.iso8601.year().month().day()))"
    }
    html += "</table>"
    if entries.count == Self.maxEntries {
      html += "<p>There are more entries, which are not listed.</p>"
    }
    return html + "</main>"
  }
}
