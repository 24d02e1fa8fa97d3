/// A tree of files, on disk or in an archive.
package protocol FileTree: Sendable {
  /// The name of the top directory, or empty.
  var name: String { get }
  /// The paths of the files, sorted, without hidden ones.
  var paths: [String] { get }

  /// Returns the first bytes of a file; fewer or none if it cannot be read.
  func prefix(of path: String, upTo count: Int) -> [UInt8]

  /// Opens a file; returns nil if it does not exist.
  func open(_ path: String) throws -> TreeFile?
}
