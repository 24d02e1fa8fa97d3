import Configuration
import Pages

/// Completion of typed paths from the file system.
package enum PathCompletion {
  /// Returns the paths that begin with a typed path; those of directories end with a slash.
  /// - Parameters:
  ///   - typed: a path, which may begin with `~/`; hidden names are included only if its last
  ///     component begins with a dot.
  ///   - limit: maximum number of results.
  ///   - home: the home directory; nil if unknown.
  /// - Returns: the paths as the user would type them, directories first; none if the directory
  ///   cannot be read.
  package static func paths(
    beginningWith typed: String, limit: Int, home: String? = Locations.home()
  ) -> [String] {
    let nameStart = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (directory, name) = (typed[..<nameStart], typed[nameStart...])
    let isBelowHome = directory.hasPrefix("~/")
    guard !isBelowHome || home != nil else { return [] }
    let path = isBelowHome ? (home ?? "") + directory.dropFirst() : String(directory)
    guard let listing = try? DirectoryPage(reading: path.isEmpty ? "." : path) else { return [] }
    return listing.entries.lazy.filter {
      $0.name.hasPrefix(name) && (name.hasPrefix(".") || !$0.name.hasPrefix("."))
    }.prefix(limit).map { directory + $0.name + ($0.isDirectory ? "/" : "") }
  }
}
