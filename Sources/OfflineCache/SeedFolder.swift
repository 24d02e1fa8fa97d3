import Foundation

/// A read-only folder of pages in the layout `HOST/PATH`, as `wget --mirror` writes it; built-in
/// pages are in the folder `about`: `about:manual` is `about/manual.html`.
struct SeedFolder: Sendable, Equatable {
  /// The folder.
  var root: URL

  /// Makes a seed of a folder, which need not exist.
  init(_ root: URL) {
    self.root = root
  }

  /// The file for a URL, or nil when the seed has none. No URL leads out of the folder.
  func file(for url: WebURL) -> SeedFile? {
    guard var components = components(of: url) else { return nil }
    let isBuiltIn = url.host == nil
    if isBuiltIn || components.last == "" {
      let last = components.removeLast()
      let name = last.isEmpty ? "index.html" : last
      components.append(isBuiltIn && !name.contains(".") ? name + ".html" : name)
    }
    guard components.allSatisfy(Self.isSafe) else { return nil }
    return open(components) ?? (isBuiltIn ? nil : open(components + ["index.html"]))
  }

  private func components(of url: WebURL) -> [String]? {
    guard let host = url.host else { return [url.scheme, url.path.removingPercentEncoding ?? ""] }
    guard url.isWeb else { return nil }
    let name = host + (url.port.map { ":\($0)" } ?? "")
    let path = url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return [name] + path.dropFirst().map { String($0)?.removingPercentEncoding ?? "" }
  }

  private static func isSafe(_ component: String) -> Bool {
    !component.isEmpty && component != "." && component != ".."
      && !component.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  private func open(_ components: [String]) -> SeedFile? {
    let path = components.reduce(root.path) { $0 + "/" + $1 }
    guard let real = Self.realPath(path), let top = Self.realPath(root.path),
      real.hasPrefix(top + "/"),
      let attributes = try? FileManager.default.attributesOfItem(atPath: real),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return SeedFile(
      path: real, mediaType: Self.mediaType(of: components.last ?? ""),
      length: (attributes[.size] as? NSNumber)?.int64Value ?? 0,
      modified: attributes[.modificationDate] as? Date)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The media type by the extension of a file name.
  static func mediaType(of name: String) -> String {
    let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return end.flatMap { mediaTypes[$0] } ?? "application/octet-stream"
  }

  private static let mediaTypes = [
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
    "txt": "text/plain", "md": "text/markdown", "css": "text/css", "js": "text/javascript",
    "json": "application/json", "xml": "application/xml", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "ico": "image/x-icon", "pdf": "application/pdf",
  ]
}

/// A file of a seed folder.
struct SeedFile: Sendable, Equatable {
  /// Its real path.
  var path: String
  /// The media type by its extension.
  var mediaType: String
  /// Its length in bytes.
  var length: Int64
  /// When it was last changed.
  var modified: Date?

  /// The head of the answer that the file makes.
  var response: HTTPResponse {
    var fields = HTTPFields([
      .init("Content-Type", mediaType), .init("Content-Length", String(length)),
    ])
    if let modified { fields.append("Last-Modified", HTTPDate.format(modified)) }
    return HTTPResponse(status: 200, reason: "OK", fields: fields)
  }
}
