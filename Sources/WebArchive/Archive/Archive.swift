package import Foundation
import WARC

/// An archive of responses: WARC segments, which are authoritative, and an index, which is rebuilt
/// from them whenever it is missing or damaged.
///
/// Every method blocks and may be called from any thread. Several archives, in one process or in
/// many, may use the same directory at the same time. A version is called *good* if it may be shown
/// as the page; see `StoredResponse.isGood`.
///
/// Versions of a key are ordered by the time when they were last known to be current. A version
/// that is saved while the clock is behind an earlier version is ordered directly after that one,
/// so a clock that was set back never makes older content the newest.
public final class Archive: Sendable {
  let location: ArchiveLocation
  let store: SegmentStore
  let index: ArchiveIndex
  let versionStore: VersionStore
  let maintenance: Maintenance

  /// Opens an archive, and creates it if it does not exist. This never fails: problems are reported
  /// by `warning` and `takeNotices`, and everything that is readable is available.
  /// - Parameters:
  ///   - location: the directory of segments and the index file.
  ///   - machine: the device name that prefixes the names of the segments written here.
  ///   - readOnly: whether nothing may be written, not even the index.
  public convenience init(location: ArchiveLocation, machine: String, readOnly: Bool = false) {
    self.init(
      location: location, device: machine, readOnly: readOnly,
      segmentLimit: SegmentWriter.maxSegmentSize)
  }

  /// Opens an archive with options for other segment sizes, other file systems and seeds.
  /// - Parameters:
  ///   - location: the directory of segments and the index file.
  ///   - device: the device name that prefixes the names of the segments written here.
  ///   - mayRemove: receives a device name, and returns whether removals by that device also apply
  ///     to records that other devices wrote; called on any thread.
  ///   - readOnly: whether no segment is written.
  ///   - refusal: the error for attempts to write to a read-only archive; nil for a general one.
  ///   - segmentLimit: the size of a segment, in bytes, at which the next one is begun.
  ///   - files: the file system; another one in tests.
  ///   - only: the only segment that is read; nil for every segment in the directory.
  ///   - keepsIndex: whether the index is stored in its file; nil to do so unless `readOnly` is
  ///     set.
  ///   - opensIndex: whether the index is opened.
  ///   - recent: backup copies of recent appends, from which a segment is restored if a
  ///     synchroniser overwrites it with an older version; nil if none are kept.
  ///   - keyOf: returns the cache key of a URL to which a response redirects.
  ///   - onWarning: receives each error that prevents saving, when it occurs, on any thread; not
  ///     called for a read-only archive.
  package init(
    location: ArchiveLocation, device: String,
    mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }, readOnly: Bool,
    refusal: ArchiveError? = nil,
    segmentLimit: Int64, files: any FileSystem = LocalFileSystem(), only: String? = nil,
    keepsIndex: Bool? = nil,
    opensIndex: Bool = true, recent: RecentAppends? = nil,
    keyOf: @escaping @Sendable (WebURL) -> String = { CacheKey.make($0) },
    onWarning: @escaping @Sendable (ArchiveError) -> Void = { _ in }
  ) {
    self.location = location
    let wish = ArchiveError.unwritable("the archive was opened for reading only")
    store = SegmentStore(
      directory: location.archive.path, device: device, only: only, maxSegmentSize: segmentLimit,
      refusal: readOnly ? refusal ?? wish : nil, files: files, notices: ArchiveNotices(),
      recentAppends: recent, onWarning: onWarning)
    index = ArchiveIndex(
      of: store, path: location.index.path, keepsFile: keepsIndex ?? !readOnly,
      mayRemove: mayRemove)
    versionStore = VersionStore(index)
    maintenance = Maintenance(of: versionStore, keyOf: keyOf)
    if opensIndex { index.open() }
  }

  deinit { close() }

  /// The reason why nothing can be saved; nil if saving is possible.
  public var warning: ArchiveError? { store.warning }

  /// Returns the notices for the user since the last call.
  public func takeNotices() -> [ArchiveNotice] {
    let reading = index.arrivalScan.drainNotice()
    return store.notices.drain() + (reading.map { [$0] } ?? [])
  }

  /// Discards the notices of damage in a segment, for callers that report it themselves.
  package func discardNotices(ofDamageIn segment: String) {
    store.notices.discard { notice in
      if case .damaged(segment, _, _, _) = notice { true } else { false }
    }
  }

  /// Returns every version of a key, newest first: all variants, including untrusted responses, but
  /// not those found to be damaged.
  /// - Parameter key: the cache key.
  /// - Returns: the versions.
  /// - Throws: `ArchiveError.unreadable`.
  public func captures(of key: String) throws(ArchiveError) -> [StoredResponse] {
    index.arrivalScan.wait()
    return try indexedVersions(of: key)
  }

  /// Returns the same versions as `captures(of:)`, but from the current index: it does not wait for
  /// files of other devices that are still being read.
  package func indexedVersions(of key: String) throws(ArchiveError) -> [StoredResponse] {
    try index.versions(of: key).map(\.stored)
  }

  /// Returns the time at which the stored responses of a key were last invalidated; nil if they
  /// never were. See `invalidate`.
  package func invalidation(of key: String) throws(ArchiveError) -> Date? {
    try index.withCurrentIndex { index throws(IndexError) in try index.invalidation(of: key) }
  }

  /// Returns the keys that differ from a key only in their query, and have a version with
  /// `No-Vary-Search`; see `NoVarySearch`.
  package func keysSharingBase(of key: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.withCurrentIndex { index throws(IndexError) in
      guard try index.hasNoVarySearch() else { return [] }
      return try index.keys(base: NoVarySearch.base(of: key), limit: limit)
    }
  }

  /// Returns the keys of good versions that consist of a key and further parameters of its query,
  /// or of its path (`;name=value`) if it has no query.
  package func keys(extending key: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.withCurrentIndex { index throws(IndexError) in
      try index.keys(extending: key, limit: limit)
    }
  }

  /// Returns the version whose id begins with a prefix; nil if the prefix is empty, or if no
  /// version or more than one matches.
  /// - Parameters:
  ///   - prefix: the first characters of the id, in upper or lower case.
  ///   - key: the cache key of the version; nil to search in all keys.
  /// - Returns: the version.
  /// - Throws: `ArchiveError.unreadable`.
  public func capture(id prefix: String, of key: String?) throws(ArchiveError)
    -> StoredResponse?
  {
    let prefix = prefix.lowercased()
    guard !prefix.isEmpty else { return nil }
    guard let key else {
      let found = try index.withCompleteIndex { index throws(IndexError) in
        try index.versions(prefix: prefix)
      }
      guard found.count == 1, let only = found.first else { return nil }
      return try capture(id: only.stored.id, of: only.stored.key)
    }
    var found = try indexedVersions(of: key).filter { $0.id.hasPrefix(prefix) }
    if found.isEmpty { found = try captures(of: key).filter { $0.id.hasPrefix(prefix) } }
    return found.count == 1 ? found.first : nil
  }

  /// Returns the newest good version of each key on a host, newest first.
  /// - Parameters:
  ///   - host: the host, without port.
  ///   - limit: maximum number of versions.
  /// - Returns: the versions.
  /// - Throws: `ArchiveError.unreadable`.
  public func keys(host: String, limit: Int) throws(ArchiveError) -> [StoredResponse] {
    try index.withFlushedIndex { index throws(IndexError) in
      try index.newest(host: host.lowercased(), limit: limit).map(\.stored)
    }
  }

  /// Returns the keys among the given ones that have a good version.
  /// - Parameter keys: the cache keys.
  /// - Returns: those with a good version.
  /// - Throws: `ArchiveError.unreadable`.
  public func contains(_ keys: [String]) throws(ArchiveError) -> Set<String> {
    try index.withFlushedIndex { index throws(IndexError) in try index.contains(keys) }
  }

  /// Returns the segment that holds the content of a version, and the offset of the record in the
  /// segment; nil if the version was removed or cannot be looked up.
  public func location(of stored: StoredResponse) -> RecordLocation? {
    guard let position = try? versionStore.location(of: stored) else { return nil }
    return RecordLocation(
      file: location.archive.appendingPathComponent(position.segment),
      offset: position.position.offset)
  }

  /// Updates the index with everything that was added to the segments.
  /// - Throws: `ArchiveError.unreadable`.
  public func catchUp() throws(ArchiveError) { try index.catchUp() }

  /// Updates the index. If reading files of other devices takes longer than the given number of
  /// seconds, the rest is read in the background.
  package func catchUp(within seconds: Double) throws(ArchiveError) {
    try index.catchUp(within: seconds)
  }

  /// Waits until everything that was saved is on the disk.
  /// - Throws: `ArchiveError.full` or `.unwritable` if saved data could not be flushed.
  public func sync() throws(ArchiveError) { try store.sync() }

  /// The number of times that saved data could not be flushed to the disk, by `sync` or in the
  /// background.
  package var failedFlushCount: Int { store.failedFlushCount }

  /// Enforces the storage limits, flushes everything to the disk and closes the index, so that no
  /// write-ahead log is left. The archive cannot be used afterwards.
  public func close() {
    index.arrivalScan.stop()
    maintenance.flushUses()
    maintenance.enforceLimits()
    index.restoreLost(isThorough: true)
    try? store.sync()
    store.recentAppends?.close()
    index.close()
  }

  /// Checks the integrity of the whole index, the first time this is called, and rebuilds it if it
  /// is damaged. Call this when a page is neither found nor available from the network: a damaged
  /// index may hide it.
  /// - Returns: whether the index was rebuilt.
  package func repairIndex() -> Bool { index.repair() }

  /// Returns the content of a stored response.
  ///
  /// Damaged content is marked: its version is no longer listed, and the previous one takes its
  /// place.
  /// - Parameter stored: the response.
  /// - Returns: the content, which is read in pieces.
  /// - Throws: `ArchiveError.damaged`; `.notFound` if the version is gone.
  public func body(of stored: StoredResponse) throws(ArchiveError) -> ArchivedBody {
    try versionStore.body(of: stored)
  }
}
