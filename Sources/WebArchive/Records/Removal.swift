/// The result of removing the versions of a cache key.
public struct Removal: Sendable, Equatable {
  /// The cache key whose versions were removed.
  public var key: String
  /// The number of versions that were removed, including those that an eviction or an interrupted
  /// removal had hidden before.
  public var versions = 0
  /// The number of removed versions that are in segments of other devices or in imported files.
  /// Such files are not changed; the versions are hidden, even after the index is rebuilt. They
  /// disappear from the disk when the device that wrote them maintains its archive, or when the
  /// file is deleted.
  public var importedVersions = 0
  /// The names of the files with `importedVersions`, sorted.
  public var importedFiles: [String] = []
  /// The number of bytes by which the segments became shorter. In a dry run, or if several keys
  /// were removed at once, it is the size of the removed records.
  public var bytes: Int64 = 0
  /// The keys of redirects that led to the removed versions, and were removed with them.
  public var redirects: [String] = []
  /// The keys of saved pages to which the removed versions redirected. They were not removed.
  public var remaining: [String] = []

  /// The URL of `key`; nil if a rule gave the responses a key that is not a URL.
  public var url: WebURL? { WebURL(key) }
  /// The URLs of `redirects`.
  public var redirectURLs: [WebURL] { redirects.compactMap { WebURL($0) } }
  /// The URLs of `remaining`.
  public var remainingURLs: [WebURL] { remaining.compactMap { WebURL($0) } }

  /// Creates an empty removal.
  /// - Parameter key: the cache key.
  public init(key: String) {
    self.key = key
  }
}
