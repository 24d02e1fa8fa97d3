import Configuration
import DOM
import Pages

/// Completion of typed paths from the file system.
package enum PathCompletion {
  /// Returns the paths that begin with a typed path; paths of directories end with a slash.
  /// - Parameters:
  ///   - typed: a path, which may begin with `~/`; hidden names are included only if its last
  ///     component begins with a dot.
  ///   - limit: maximum number of results.
  ///   - home: the home directory; nil if unknown.
  ///   - givesURLs: whether names with characters that cannot be typed, such as line breaks, are
  ///     returned as URLs; otherwise they are left out.
  /// - Returns: the paths as the user would type them, directories first; none if the directory
  ///   cannot be read.
  package static func paths(
    beginningWith typed: String, limit: Int, home: String? = Locations.home(),
    givesURLs: Bool = false
  ) -> [String] {
    let nameStart = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (directory, name) = (typed[..<nameStart], typed[nameStart...])
    let isBelowHome = directory.hasPrefix("~/")
    guard !isBelowHome || home != nil else { return [] }
    let path = isBelowHome ? (home ?? "") + directory.dropFirst() : String(directory)
    guard let listing = try? DirectoryPage(reading: path.isEmpty ? "." : path) else { return [] }
    return listing.entries.lazy.filter {
      $0.name.hasPrefix(name) && (name.hasPrefix(".") || !$0.name.hasPrefix("."))
    }.prefix(limit).compactMap { entry in
      let name = entry.name + (entry.isDirectory ? "/" : "")
      guard CharacterRole.sanitizedForTerminal(name) != name else { return "\(directory)\(name)" }
      return givesURLs ? Address.fileURL(path: path + name) : nil
    }
  }
}
