import Foundation

extension Substitution {
  /// Returns the file that is served for a URL; nil if the URL does not match or the directory has
  /// no such file.
  func file(for url: WebURL) -> ServedFile? {
    switch source {
    case .url(let text):
      guard WebURL(text).map(CacheKey.make) == CacheKey.make(url) else { return nil }
      return file(for: url, below: [], isDirectory: true)
    case .prefix(let text):
      guard let remainder = URLPrefix(text)?.remainder(of: url) else { return nil }
      let path = remainder.utf8.prefix { $0 != UInt8(ascii: "?") }
      let parts = path.split(separator: 0x2F).map {
        String(decoding: PercentEncoding.decoded($0), as: UTF8.self)
      }
      return file(for: url, below: parts, isDirectory: path.isEmpty || path.last == 0x2F)
    }
  }

  private func file(
    for url: WebURL, below parts: [String], isDirectory: Bool
  ) -> ServedFile? {
    // A single file is served for all URLs. If its extension is unknown, the URL determines the
    // media type.
    let fileName = file.lastPathComponent
    let requestedName = url.path.split(separator: "/").last.map(String.init) ?? ""
    let name = FileMediaType.byName(fileName) == nil ? requestedName : fileName
    if let single = ServedFile(file.path, named: name) { return single }
    let index = ServedFile(parts + ["index.html"], below: file.path)
    return isDirectory ? index : ServedFile(parts, below: file.path) ?? index
  }
}
