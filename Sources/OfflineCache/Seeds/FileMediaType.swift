/// Media types of files without metadata.
package enum FileMediaType {
  /// The media type by the extension of a name, else by what the content looks like.
  /// - Parameters:
  ///   - name: the file's name, or the last part of the URL.
  ///   - beginning: the first bytes of the content, to look at when the name says nothing.
  /// - Returns: a media type without parameters.
  package static func of(name: String, beginning: [UInt8]) -> String {
    let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return end.flatMap { types[$0] } ?? looks(beginning)
  }

  /// Whether an extension has a media type.
  static func knows(_ ending: String) -> Bool { types[ending.lowercased()] != nil }

  private static func looks(_ bytes: [UInt8]) -> String {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let start = text.drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    let lower = start.prefix(32).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    if ["<!doctype html", "<html", "<head", "<body", "<!--"].contains(where: {
      lower.starts(with: Array($0.utf8))
    }) {
      return "text/html"
    }
    // What a text has none of.
    let isBinary = bytes.contains { $0 < 0x09 || (0x0E...0x1A).contains($0) || $0 == 0x7F }
    return isBinary ? "application/octet-stream" : "text/plain"
  }

  private static let types = [
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
    "xht": "application/xhtml+xml", "txt": "text/plain", "text": "text/plain",
    "rst": "text/plain", "log": "text/plain", "md": "text/markdown", "css": "text/css",
    "csv": "text/csv", "js": "text/javascript", "mjs": "text/javascript",
    "json": "application/json", "xml": "application/xml", "rss": "application/rss+xml",
    "atom": "application/atom+xml", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "bmp": "image/bmp", "ico": "image/x-icon", "tif": "image/tiff",
    "tiff": "image/tiff", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "wav": "audio/wav", "m4a": "audio/mp4", "mp4": "video/mp4",
    "webm": "video/webm", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf",
    "otf": "font/otf", "pdf": "application/pdf", "epub": "application/epub+zip",
    "zip": "application/zip", "gz": "application/gzip", "xz": "application/x-xz",
    "bz2": "application/x-bzip2", "zst": "application/zstd", "tar": "application/x-tar",
    "wasm": "application/wasm", "bin": "application/octet-stream",
  ]
}
