import Foundation

/// A folder of pages in the layout `HOST/PATH`, as `wget --mirror` writes it; built-in pages are in
/// the folder `about`: `about:manual` is `about/manual.html`.
struct SeedFolder: Sendable, Equatable {
  /// The folder.
  var root: URL

  /// The file for a URL, or nil when the seed has none. No URL leads out of the folder.
  /// - Parameters:
  ///   - url: the URL.
  ///   - foldsCase: whether names are the same that differ in upper and lower case only (ASCII).
  /// - Returns: the file.
  func file(for url: WebURL, foldsCase: Bool = false) -> ServedFile? {
    guard url.host != nil else { return builtIn(url) }
    for (folder, style) in hostFolders(of: url) {
      for components in style.places(of: url) {
        let file = ServedFile(
          [folder] + components, below: root.path, named: fileName(components, of: url))
        if let file { return file }
        guard foldsCase, let names = folded(components, in: folder),
          let other = ServedFile(
            [folder] + names, below: root.path, named: fileName(names, of: url))
        else { continue }
        return other
      }
    }
    return nil
  }

  /// The names that files have which differ from others in upper and lower case only; nil when there are none.
  private func folded(_ components: [String], in folder: String) -> [String]? {
    var path = "\(root.path)/\(folder)"
    var names: [String] = []
    for component in components {
      let wanted = RuleKey.folded(component)
      // The first by name, so that it is always the same one.
      let found = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted()
        .first { RuleKey.folded($0) == wanted }
      guard let found else { return nil }
      names.append(found)
      path += "/" + found
    }
    return names
  }

  /// The folders that may hold what the host of a URL has, and how names are made in them.
  func hostFolders(of url: WebURL) -> [(name: String, style: MirrorNames)] {
    guard let host = url.host else { return [] }
    let bracketless = host.filter { $0 != "[" && $0 != "]" }
    return MirrorNames.styles.flatMap { style in
      Set([host, bracketless]).compactMap { name in
        let folder = name + (url.port.map { "\(style.portMark)\($0)" } ?? "")
        let status = try? LocalFileSystem().status(of: "\(root.path)/\(folder)")
        return status?.isFolder ?? false ? (folder, style) : nil
      }
    }
  }

  private func builtIn(_ url: WebURL) -> ServedFile? {
    let last = String(decoding: PercentEncoding.decoded(url.path.utf8), as: UTF8.self)
    let name = last.isEmpty ? "index.html" : last
    return ServedFile(
      [url.scheme, name.contains(".") ? name : name + ".html"], below: root.path)
  }

  /// The name that has the extension: that of the file, unless the query is what follows its dot.
  private func fileName(_ components: [String], of url: WebURL) -> String {
    let file = components.last ?? ""
    guard url.query != nil, let end = file.lastIndex(of: ".").map({ file[$0...].dropFirst() }),
      !FileMediaType.knows(String(end))
    else { return file }
    return String(file.prefix { $0 != "?" && $0 != "@" })
  }
}

/// How a mirroring program makes file names of the parts of a URL.
///
/// Facts about wget's `--restrict-file-names`: by default a name has the decoded octets, with
/// slashes and control characters as `%XX`; for Windows also ``\ | : ? " * < >``, with `@` for `?`
/// and `+` before the port. Others keep the encoding of the URL.
struct MirrorNames: Sendable {
  /// Stands between the host and the port.
  let portMark: String
  /// Stands between the path and the query.
  let queryMark: String
  /// The octets that are written as `%XX`; nil keeps the URL's own encoding.
  let escapes: (@Sendable (UInt8) -> Bool)?

  /// The styles, the usual ones first.
  static let styles = [
    MirrorNames(portMark: ":", queryMark: "?") { isControl($0) || $0 == 0x2F },
    MirrorNames(portMark: ":", queryMark: "?") { isControl($0) || isHigh($0) || $0 == 0x2F },
    MirrorNames(portMark: "+", queryMark: "@") { isControl($0) || isReserved($0) },
    MirrorNames(portMark: "+", queryMark: "@") {
      isControl($0) || isHigh($0) || isReserved($0)
    },
    MirrorNames(portMark: ":", queryMark: "?", escapes: nil),
  ]

  /// The places of a URL's content below the folder of its host, the likeliest first: the plain
  /// name, the name with `.html` (`--adjust-extension`), the index of a folder of that name.
  func places(of url: WebURL) -> [[String]] {
    let path = url.path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    let last = path.last.map { fileName(of: Array($0)) } ?? ""
    // Doubled slashes are one folder.
    let parts = path.dropLast().filter { !$0.isEmpty }.map { fileName(of: Array($0)) }
    let base = last.isEmpty ? "index.html" : last
    guard let query = url.query else {
      let plain = [parts + [base]]
      return last.isEmpty
        ? plain : plain + [parts + [base + ".html"], parts + [base, "index.html"]]
    }
    let name = base + queryMark + fileName(of: Array(query.utf8))
    return [parts + [name], parts + [name + ".html"]]
  }

  private func fileName(of part: [UInt8]) -> String {
    guard let escapes else { return String(decoding: part, as: UTF8.self) }
    let decoded = PercentEncoding.decoded(part)
    return String(decoding: PercentEncoding.encoded(decoded, where: escapes), as: UTF8.self)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
  private static func isHigh(_ byte: UInt8) -> Bool { (0x80...0x9F).contains(byte) }
  private static func isReserved(_ byte: UInt8) -> Bool { "/\\|:?\"*<>".utf8.contains(byte) }
}
