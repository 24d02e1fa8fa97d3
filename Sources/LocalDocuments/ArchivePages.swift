import Pages
import Containers
import Document
import Formats
import OfflineCache

/// The pages of a ZIP archive: its start page, and listings of its directories.
struct ArchivePages {
  let file: DocumentFile
  let archive: ZIPArchive

  private static let maxRows = 20_000

  /// Returns the item at a path in the archive.
  /// - Parameter inner: the path of a file, or of a directory, which may end with a slash; empty
  ///   for the start page, or for the listing of the root directory if the archive has no start
  ///   page.
  /// - Returns: the file, or a listing of the directory.
  /// - Throws: `ContainerError`.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    if inner.isEmpty, let page = firstPage {
      var item = try content(page)
      item.url = file.url(of: page)
      return item
    }
    if archive[inner].map({ !$0.isDirectory }) ?? false { return try content(inner) }
    let directory = inner.isEmpty || inner.hasSuffix("/") ? inner : inner + "/"
    let exists = archive.entries.contains { $0.path.hasPrefix(directory) }
    guard exists || directory.isEmpty else { throw .missing(path: inner) }
    return DocumentFile.Item(
      bytes: Array(list(of: directory).utf8), type: MediaType("text/html; charset=utf-8"),
      notices: archive.isRecovered ? [DocumentFile.recoveryNotice] : [])
  }

  private func content(_ path: String) throws(ContainerError) -> DocumentFile.Item {
    DocumentFile.Item(bytes: try archive.content(of: path), type: MediaType(forFileName: path))
  }

  /// The path of the start page; nil for an archive without one.
  ///
  /// The start page is in the deepest directory that contains all files. It is the `index.html` in
  /// that directory, or else the only HTML file there, provided that all other files may be its
  /// resources. If the archive has only one file and it is text, such as a FictionBook
  /// (`.fb2.zip`), that file is the start page.
  private var firstPage: String? {
    let files = archive.entries.filter { !$0.isDirectory && !$0.isMacMetadata }.map(\.path)
    guard var directory = files.first?.split(separator: "/").dropLast() else { return nil }
    for path in files {
      let shared = zip(directory, path.split(separator: "/").dropLast()).prefix { $0 == $1 }
      directory = directory.prefix(shared.count)
    }
    let pages = files.filter { path in
      path.split(separator: "/").count == directory.count + 1
        && [".html", ".htm", ".xhtml"].contains { path.lowercased().hasSuffix($0) }
    }
    let index = pages.first {
      ["index.html", "index.htm"].contains($0.split(separator: "/").last ?? "")
    }
    if let index { return index }
    if pages.count == 1, !files.contains(where: Self.isDocument) { return pages[0] }
    let isAlone = files.count == 1 && !archive.isRecovered
    return isAlone && MediaType(forFileName: files[0]).isText ? files[0] : nil
  }

  /// Returns whether a file is a document that a page is not likely to contain as a resource.
  private static func isDocument(_ path: String) -> Bool {
    let ending = path.lowercased().split(separator: ".").last ?? ""
    return documentExtensions.contains(String(ending))
  }

  private static let documentExtensions: Set = [
    "md", "markdown", "txt", "rst", "adoc", "org", "gmi", "tex", "pdf", "epub", "fb2", "eml",
    "mbox", "mht", "mhtml", "doc", "docx", "odt", "rtf", "csv", "ipynb", "zip",
  ]

  private func list(of directory: String) -> String {
    let name = file.name
    let title = Markup.escapedLine(directory.isEmpty ? name : "\(name)/\(directory)")
    var html = "<!DOCTYPE html><title>\(title)</title><main><h1>\(title)</h1>"
    html += "<p><a href=\"\(Markup.escaped(above(directory).text))\">../</a></p>"
    html += "<table><thead><tr><th>Name<th align=right>Size</thead>"
    for (name, entry) in rows(of: directory) {
      let url = Markup.escaped(file.url(of: directory + name).text)
      html += "<tr><td><a href=\"\(url)\">\(Markup.escapedLine(name))</a><td align=right>"
      html += entry.map { CountFormatter.byteCountText(Int(clamping: $0.size)) } ?? ""
    }
    html += "</table>"
    if directory.isEmpty, !archive.rejectedNames.isEmpty {
      html += "<p>Skipped because their names lead out of the archive or are duplicates: "
      html += archive.rejectedNames.prefix(100).map { "<code>\(Markup.escapedLine($0))</code>" }
        .joined(
          separator: ", ")
      html += "</p>"
    }
    return html + "</main>"
  }

  private func above(_ directory: String) -> DocumentAddress {
    let parts = directory.split(separator: "/").dropLast()
    if directory.isEmpty { return file.location.directory ?? file.url }
    return parts.isEmpty ? file.url : file.url(of: parts.joined(separator: "/") + "/")
  }

  /// Returns the names directly in a directory, directories first, at most `maxRows`. The entry of
  /// a directory is nil.
  private func rows(of directory: String) -> [(name: String, entry: ZIPArchive.Entry?)] {
    var rows: [String: ZIPArchive.Entry?] = [:]
    for entry in archive.entries where entry.path.hasPrefix(directory) && entry.path != directory {
      let rest = entry.path.dropFirst(directory.count)
      if let slash = rest.firstIndex(of: "/") {
        rows[String(rest[...slash])] = .some(nil)
      } else {
        rows[String(rest)] = entry
      }
      if rows.count >= Self.maxRows { break }
    }
    let keyed = rows.map { (name: $0.key, entry: $0.value, key: NaturalOrder.key($0.key)) }
    let sorted = keyed.sorted {
      ($0.entry == nil ? 0 : 1, $0.key, $0.name) < ($1.entry == nil ? 0 : 1, $1.key, $1.name)
    }
    return sorted.map { ($0.name, $0.entry) }
  }
}
