/// Media types of files without metadata.
package enum FileMediaType {
  /// The media type by the extension of a name, else by what the content looks like.
  /// - Parameters:
  ///   - name: the file's name, or the last part of the URL.
  ///   - beginning: the first bytes of the content, to look at when the name says nothing.
  /// - Returns: a media type without parameters.
  package static func of(name: String, beginning: [UInt8]) -> String {
    byName(name) ?? looks(beginning)
  }

  /// The media type by the extension of a name.
  /// - Parameter name: the file's name, or the last part of the URL.
  /// - Returns: a media type without parameters; nil when the extension says nothing.
  package static func byName(_ name: String) -> String? {
    name.lastIndex(of: ".").flatMap { types[name[name.index(after: $0)...].lowercased()] }
  }

  /// How the name of a file of a type ends.
  /// - Parameter mediaType: a media type without parameters.
  /// - Returns: an extension without the dot: "bin" for a type that has none.
  package static func ending(of mediaType: String) -> String { endings[mediaType] ?? "bin" }

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

  /// Types with their extensions; the first one is that of a new file.
  private static let table: [(String, [String])] = [
    ("text/html", ["html", "htm"]), ("application/xhtml+xml", ["xhtml", "xht"]),
    ("text/plain", ["txt", "text", "rst", "log"]), ("text/markdown", ["md"]),
    ("text/css", ["css"]), ("text/csv", ["csv"]), ("text/javascript", ["js", "mjs"]),
    ("application/json", ["json"]), ("application/xml", ["xml"]),
    ("application/rss+xml", ["rss"]), ("application/atom+xml", ["atom"]),
    ("image/svg+xml", ["svg"]), ("image/png", ["png"]), ("image/jpeg", ["jpg", "jpeg"]),
    ("image/gif", ["gif"]), ("image/webp", ["webp"]), ("image/avif", ["avif"]),
    ("image/bmp", ["bmp"]), ("image/x-icon", ["ico"]), ("image/tiff", ["tif", "tiff"]),
    ("audio/mpeg", ["mp3"]), ("audio/ogg", ["ogg", "opus"]), ("audio/flac", ["flac"]),
    ("audio/wav", ["wav"]), ("audio/mp4", ["m4a"]), ("video/mp4", ["mp4"]),
    ("video/webm", ["webm"]), ("font/woff", ["woff"]), ("font/woff2", ["woff2"]),
    ("font/ttf", ["ttf"]), ("font/otf", ["otf"]), ("application/pdf", ["pdf"]),
    ("application/epub+zip", ["epub"]), ("application/zip", ["zip"]),
    ("application/gzip", ["gz"]), ("application/x-xz", ["xz"]), ("application/x-bzip2", ["bz2"]),
    ("application/zstd", ["zst"]), ("application/x-tar", ["tar"]), ("application/wasm", ["wasm"]),
    ("application/octet-stream", ["bin"]),
  ]

  private static let types = Dictionary(
    uniqueKeysWithValues: table.flatMap { type, endings in endings.map { ($0, type) } })

  private static let endings = Dictionary(
    uniqueKeysWithValues: table.map { ($0, $1.first ?? "bin") })
}
