/// The location of the content of a stored response that is not in the cache's own archive.
package enum SeedLocation: Sendable, Equatable {
  /// A file with this path.
  case file(path: String)
  /// The WARC seed with this index.
  case archive(Int)
}
