import Foundation

/// A directory of pages in the layout `HOST/PATH`, as written by `wget --mirror`. Built-in pages
/// are in the subdirectory `about`: `about:manual` is `about/manual.html`.
struct SeedDirectory: Sendable, Equatable {
  /// The directory with a subdirectory for each host.
  var root: URL

  /// Returns the file for a URL; nil if the directory has none. The file is never outside the
  /// directory.
  /// - Parameters:
  ///   - url: The URL.
  ///   - ignoresCase: Whether the ASCII case of names is ignored.
  /// - Returns: The file.
  func file(for url: WebURL, ignoresCase: Bool = false) -> ServedFile? {
    guard url.host != nil else { return builtInPage(url) }
    for (directory, style) in hostDirectories(of: url) {
      for components in style.paths(of: url) {
        let file = ServedFile(
          [directory] + components, below: root.path, named: fileName(components, of: url))
        if let file { return file }
        guard ignoresCase, let names = folded(components, in: directory),
          let other = ServedFile(
            [directory] + names, below: root.path, named: fileName(names, of: url))
        else { continue }
        return other
      }
    }
    return nil
  }

  /// Returns the names of existing files that equal the given components except for case; nil if
  /// one of the components has no such file.
  private func folded(_ components: [String], in directory: String) -> [String]? {
    var path = "\(root.path)/\(directory)"
    var names: [String] = []
    for component in components {
      let wanted = RuleKey.folded(component)
      // The first name in sort order is used, so that the result is deterministic.
      let found = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted()
        .first { RuleKey.folded($0) == wanted }
      guard let found else { return nil }
      names.append(found)
      path += "/" + found
    }
    return names
  }

  /// Returns the directories that may contain the files of a URL's host, with their naming styles.
  func hostDirectories(of url: WebURL) -> [(name: String, style: MirrorNames)] {
    guard let host = url.host else { return [] }
    let bracketless = host.filter { $0 != "[" && $0 != "]" }
    return MirrorNames.styles.flatMap { style in
      Set([host, bracketless]).compactMap { name in
        let directory = name + (url.port.map { "\(style.portSeparator)\($0)" } ?? "")
        let status = try? LocalFileSystem().status(of: "\(root.path)/\(directory)")
        return status?.isDirectory ?? false ? (directory, style) : nil
      }
    }
  }

  private func builtInPage(_ url: WebURL) -> ServedFile? {
    let last = String(decoding: PercentEncoding.decoded(url.path.utf8), as: UTF8.self)
    let name = last.isEmpty ? "index.html" : last
    return ServedFile(
      [url.scheme, name.contains(".") ? name : name + ".html"], below: root.path)
  }

  /// Returns the name whose extension determines the media type. For a URL with a query, this is
  /// the file name without the query, unless the file name itself ends with a known extension.
  private func fileName(_ components: [String], of url: WebURL) -> String {
    let file = components.last ?? ""
    guard url.query != nil, let end = file.lastIndex(of: ".").map({ file[$0...].dropFirst() }),
      !FileMediaType.isKnownExtension(String(end))
    else { return file }
    return String(file.prefix { $0 != "?" && $0 != "@" })
  }
}
