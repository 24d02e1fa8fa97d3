public import Foundation

/// Operations on the content of the cache as a whole. The methods block on file access.
extension HTTPCache {
  /// Returns a summary of the archive.
  /// - Returns: The numbers of segments, versions, pages and hosts, and the sizes of the segments
  ///   and the index in bytes.
  /// - Throws: `ArchiveError.unreadable`.
  public func usage() throws(ArchiveError) -> ArchiveSummary {
    try archive.summary()
  }

  /// Returns the URLs of a host's pages that have a good version.
  /// - Parameters:
  ///   - host: The host without a port.
  ///   - limit: The maximum number of URLs.
  /// - Returns: The URLs, starting with the page that has the newest version.
  /// - Throws: `ArchiveError.unreadable`.
  public func urls(host: String, limit: Int = .max) throws(ArchiveError) -> [WebURL] {
    try archive.keys(host: host, limit: limit).compactMap { WebURL($0.key) }
  }

  /// Removes everything that this cache has saved from the segments and the index. Imported data is
  /// no longer shown, but stays on the disk; `Removal.importedFiles` lists its files.
  /// - Parameter progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The removed data, per page.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func removeAll(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> [Removal] {
    try remove(progress) { (_) throws(ArchiveError) in true }
  }

  /// Removes every page that has a version with content from the given time or later. All versions
  /// of such a page are removed, older ones as well.
  /// - Parameters:
  ///   - date: The time, which is compared with `StoredResponse.contentDate`.
  ///   - progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The removed data, per page.
  /// - Throws: The errors of `removeAll`.
  @discardableResult
  public func remove(
    since date: Date, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try remove(progress) { key throws(ArchiveError) in
      try archive.allVersions(of: key).contains { $0.response.contentDate >= date }
    }
  }

  /// Removes the pages whose keys satisfy a condition.
  private func remove(
    _ progress: ArchiveProgress.Watch?, where isChosen: (String) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> [Removal] {
    var chosen: [String] = []
    var last = ""
    while case let keys = try archive.allKeys(after: last, limit: 10_000), let end = keys.last {
      for key in keys where try isChosen(key) { chosen.append(key) }
      last = end
    }
    return try archive.remove(chosen, now: clock(), progress: progress)
  }

  static func runOffThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(returning: Result(catching: work))
      }
    }
  }
}
