/// Determines media types of files without metadata.
package enum FileMediaType {
  /// Returns the media type for the extension of a name or, if unknown, the type detected from the
  /// content.
  /// - Parameters:
  ///   - name: The file name, or the last path component of a URL.
  ///   - beginning: The first bytes of the content, examined if the extension is unknown.
  /// - Returns: A media type without parameters.
  package static func of(name: String, beginning: [UInt8]) -> String {
    byName(name) ?? SniffedMediaType.detect(beginning)
  }

  /// Returns the media type for the extension of a name.
  /// - Parameter name: The file name, or the last path component of a URL.
  /// - Returns: A media type without parameters; nil if the extension is unknown.
  package static func byName(_ name: String) -> String? {
    name.lastIndex(of: ".").flatMap {
      typesByExtension[name[name.index(after: $0)...].lowercased()]
    }
  }

  /// Returns the file name extension for a media type.
  /// - Parameter mediaType: A media type without parameters.
  /// - Returns: An extension without the dot; "bin" for an unknown type.
  package static func fileExtension(of mediaType: String) -> String {
    extensionsByType[mediaType] ?? "bin"
  }

  /// Returns the usual name of a media type that has several, such as `audio/x-m4a`.
  /// - Parameter mediaType: A media type without parameters.
  /// - Returns: The name that has a file name extension; the given type if there is none.
  package static func usualName(of mediaType: String) -> String {
    usualNames[mediaType] ?? mediaType
  }

  /// Returns whether an extension has a known media type.
  static func isKnownExtension(_ ending: String) -> Bool {
    typesByExtension[ending.lowercased()] != nil
  }

  /// The media types with their extensions; the first extension is used for new files.
  private static let typesWithExtensions: [(String, [String])] = [
    ("text/html", ["html", "htm"]), ("application/xhtml+xml", ["xhtml", "xht"]),
    ("text/plain", ["txt", "text", "rst", "log"]), ("text/markdown", ["md"]),
    ("text/gemini", ["gmi"]),
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

  /// The usual names of media types by their other names.
  private static let usualNames = [
    "audio/mp3": "audio/mpeg", "audio/x-mp3": "audio/mpeg", "audio/mpg": "audio/mpeg",
    "audio/mpeg3": "audio/mpeg", "audio/x-mpeg": "audio/mpeg", "audio/x-mpeg-3": "audio/mpeg",
    "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "audio/m4b": "audio/mp4",
    "audio/x-m4b": "audio/mp4", "audio/opus": "audio/ogg", "application/ogg": "audio/ogg",
    "audio/x-flac": "audio/flac", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav", "video/m4v": "video/mp4", "video/x-m4v": "video/mp4",
  ]

  private static let typesByExtension = Dictionary(
    uniqueKeysWithValues: typesWithExtensions.flatMap { type, fileExtensions in
      fileExtensions.map { ($0, type) }
    })

  private static let extensionsByType = Dictionary(
    uniqueKeysWithValues: typesWithExtensions.map { ($0, $1.first ?? "bin") })
}
