import DOM
import Document
import Formats
import OfflineCache

/// The names of downloaded files.
package enum DownloadName {
  /// Returns the default file name for a URL: never hidden, and without a directory.
  package static func defaultName(
    suggested: String = "", url: String, mediaType: String
  ) -> String {
    let candidates = [
      SafeText.line(suggested), FileName(reference: url).map { SafeText.line($0.text) },
    ]
    let name = candidates.compactMap { $0.map(sanitizedName) }.first { !$0.isEmpty } ?? ""
    let fileExtension = FileMediaType.fileExtension(of: mediaType.isEmpty ? "text/html" : mediaType)
    if name.isEmpty { return (fileExtension == "html" ? "page." : "file.") + fileExtension }
    let isUntyped = ["", "text/plain", MediaType.unknownEssence].contains(mediaType)
    let isTyped = isUntyped || hasExtension(name, typeExtension: fileExtension)
    return name + (isTyped ? "" : ".\(fileExtension)")
  }

  /// Returns whether the end of a name may state the type of the file. The end of `2401.01234` and
  /// the extension of a program of the server (`get.php`) do not, unless the media type is unknown.
  private static func hasExtension(_ name: String, typeExtension: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let ending = name[name.index(after: dot)...].lowercased()
    let isOfServer = serverExtensions.contains(ending) || ending.allSatisfy(\.isNumber)
    return typeExtension == "bin" || !isOfServer
  }

  private static let serverExtensions: Set = [
    "ashx", "asp", "aspx", "cfm", "cgi", "do", "jsp", "php", "pl",
  ]

  /// Returns a name without white space, dots, hyphens and tildes at its ends, with slashes
  /// replaced by `_`, and truncated to `maxLength` bytes.
  private static func sanitizedName(_ text: String) -> String {
    let isBare: (Character) -> Bool = { $0.isWhitespace || ".-~".contains($0) }
    var name = text.drop(while: isBare)
    while name.last.map(isBare) == true { name.removeLast() }
    // A long name is cut before its extension.
    var suffix = name[extensionStart(of: name)...]
    if suffix.utf8.count > maxSuffixLength { suffix = "" }
    var stem = name.dropLast(suffix.count).prefix(maxLength)
    while stem.utf8.count + suffix.utf8.count > maxLength
      || suffix.isEmpty && stem.last.map(isBare) == true
    { stem.removeLast() }
    return String((String(stem) + suffix).map { $0 == "/" ? "_" : $0 })
  }

  /// Maximum length in bytes: file names have at most 255, and a suffix is appended while the file
  /// is written.
  private static let maxLength = 180
  /// Maximum length in bytes of an extension, with its dot.
  private static let maxSuffixLength = 16

  /// Returns the index of the dot before the extension, which is `.tar.gz` as a whole; the end of
  /// the name if it has none.
  private static func extensionStart(of name: Substring) -> String.Index {
    let end = name.lastIndex(of: ".") ?? name.endIndex
    return name[..<end].hasSuffix(".tar") ? name.index(end, offsetBy: -4) : end
  }

  /// Returns a path with the next number: `a-2.tar.gz` after `a.tar.gz`, then `a-3.tar.gz`.
  static func numberedPath(after path: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[start...]
    var end = extensionStart(of: name)
    if end == name.startIndex { end = name.endIndex }
    var stem = name[..<end]
    var number = 2
    if let dash = stem.lastIndex(of: "-"), dash > stem.startIndex,
      let last = Int(stem[stem.index(after: dash)...]), (2..<1000).contains(last)
    {
      number = last + 1
      stem = stem[..<dash]
    }
    return "\(path[..<start])\(stem)-\(number)\(name[end...])"
  }
}
