package import Foundation
import WARC

/// The saved responses: WARC segments, which are the truth, and an index that is rebuilt from them
/// whenever it is missing or wrong.
///
/// Every method blocks and may be called from any thread. Several archives, in one process or in
/// many, may use the same folder at the same time.
///
/// Versions of a key are ordered by when they were last known to be current. A version saved while
/// the clock is behind an earlier one is put at the earlier one's time and after it, so a clock that
/// was set back never makes older content the newest.
public final class Archive: Sendable {
  let location: ArchiveLocation
  let store: SegmentStore
  let index: ArchiveIndex
  let versionStore: VersionStore
  let maintenance: Maintenance

  /// Opens an archive, and makes it when it is not there. This never fails: what cannot be used is
  /// told by `warning` and `takeNotices`, and what can be read is.
  /// - Parameters:
  ///   - location: the folder of segments and the index.
  ///   - machine: the name that begins the names of the segments written here.
  ///   - readOnly: nothing is written, not even the index.
  public convenience init(location: ArchiveLocation, machine: String, readOnly: Bool = false) {
    self.init(
      location: location, machine: machine, readOnly: readOnly,
      segmentLimit: SegmentWriter.sizeLimit)
  }

  /// Opens an archive whose segments have another size, or on other files.
  /// - Parameters:
  ///   - location: the folder of segments and the index.
  ///   - machine: the name that begins the names of the segments written here.
  ///   - mayRemove: whether the removals of another machine, by its name, count for what others have
  ///     written; called on any thread.
  ///   - readOnly: whether no segment is written.
  ///   - refusal: why not, in other words than that it was wished.
  ///   - segmentLimit: the size of a segment, in bytes, after which another one is begun.
  ///   - files: the files of the system, or those of a test.
  ///   - only: the only segment that is read, nil for every one in the folder.
  ///   - keepsIndex: whether the index is kept in its file; nil where segments are written.
  ///   - opensIndex: whether the index is opened.
  ///   - recent: the second copies of recent appends, from which a segment is restored when a synchroniser writes
  ///     an older version of it back; nil for none.
  package init(
    location: ArchiveLocation, machine: String,
    mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }, readOnly: Bool,
    refusal: ArchiveError? = nil,
    segmentLimit: Int64, files: any FileSystem = LocalFileSystem(), only: String? = nil,
    keepsIndex: Bool? = nil,
    opensIndex: Bool = true, recent: RecentAppends? = nil
  ) {
    self.location = location
    let wish = ArchiveError.unwritable("the archive was opened for reading only")
    store = SegmentStore(
      folder: location.archive.path, machine: machine, only: only, sizeLimit: segmentLimit,
      refusal: readOnly ? refusal ?? wish : nil, files: files, notices: ArchiveNotices(),
      recent: recent)
    index = ArchiveIndex(
      of: store, path: location.index.path, keepsFile: keepsIndex ?? !readOnly,
      mayRemove: mayRemove)
    versionStore = VersionStore(index)
    maintenance = Maintenance(of: versionStore)
    if opensIndex { index.open() }
  }

  deinit { close() }

  /// Why nothing can be saved, or nil when all is well.
  public var warning: ArchiveError? { store.warning }

  /// What has happened since the last call that a person may want to know.
  public func takeNotices() -> [ArchiveNotice] {
    let reading = index.arrivals.takeNotice()
    return store.notices.take() + (reading.map { [$0] } ?? [])
  }

  /// Every version of a key, newest first: all variants, also those that are not trusted, without
  /// those found to be damaged.
  /// - Throws: `ArchiveError.unreadable`.
  public func captures(of key: String) throws(ArchiveError) -> [StoredResponse] {
    index.arrivals.wait()
    return try known(of: key)
  }

  /// The same as far as the index has them by now: waits for no file that others have put there.
  package func known(of key: String) throws(ArchiveError) -> [StoredResponse] {
    try index.versions(of: key).map(\.stored)
  }

  /// When what is stored for a key was last invalidated, or nil; see `invalidate`.
  package func invalidation(of key: String) throws(ArchiveError) -> Date? {
    try index.asItIs { index throws(IndexError) in try index.invalidation(of: key) }
  }

  /// The keys that differ from a key in their query only, and have a version that says that a query
  /// need not matter; see `NoVarySearch`.
  package func relatives(of key: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.asItIs { index throws(IndexError) in
      guard try index.hasFamilies() else { return [] }
      return try index.keys(base: NoVarySearch.base(of: key), limit: limit)
    }
  }

  /// The version whose id begins with a prefix, or nil when there is none or more than one.
  /// - Throws: `ArchiveError.unreadable`.
  public func capture(id prefix: String, of key: String?) throws(ArchiveError) -> StoredResponse? {
    let prefix = prefix.lowercased()
    guard !prefix.isEmpty else { return nil }
    guard let key else {
      let found = try index.whole { index throws(IndexError) in try index.versions(prefix: prefix) }
      guard found.count == 1, let only = found.first else { return nil }
      return try capture(id: only.stored.id, of: only.stored.key)
    }
    var found = try known(of: key).filter { $0.id.hasPrefix(prefix) }
    if found.isEmpty { found = try captures(of: key).filter { $0.id.hasPrefix(prefix) } }
    return found.count == 1 ? found.first : nil
  }

  /// The newest good version of each key on a host (without port), newest first.
  /// - Throws: `ArchiveError.unreadable`.
  public func keys(host: String, limit: Int) throws(ArchiveError) -> [StoredResponse] {
    try index.settled { index throws(IndexError) in
      try index.newest(host: host.lowercased(), limit: limit).map(\.stored)
    }
  }

  /// Which of these keys have a good version.
  /// - Throws: `ArchiveError.unreadable`.
  public func contains(_ keys: [String]) throws(ArchiveError) -> Set<String> {
    try index.settled { index throws(IndexError) in try index.contains(keys) }
  }

  /// The segment that holds the content of a version, and where in it; nil when it is gone.
  public func location(of stored: StoredResponse) -> RecordLocation? {
    guard let place = try? versionStore.version(of: stored)?.place else { return nil }
    return RecordLocation(
      file: location.archive.appendingPathComponent(place.segment), offset: place.position.offset)
  }

  /// Takes into the index what the segments have and it has not.
  /// - Throws: `ArchiveError.unreadable`.
  public func catchUp() throws(ArchiveError) { try index.catchUp() }

  /// The same, and leaves the rest to later when files that others have put there take longer than some
  /// seconds.
  package func catchUp(within seconds: Double) throws(ArchiveError) {
    try index.catchUp(within: seconds)
  }

  /// Waits until everything that was saved is on the disk.
  /// - Throws: `ArchiveError.full` or `.unwritable` when something is lost.
  public func sync() throws(ArchiveError) { try store.sync() }

  /// How often what was saved could not be brought onto the disk, whoever wanted to.
  package var lostFlushes: Int { store.lostFlushes }

  /// Waits until everything is on the disk and closes the index, leaving no log of it behind.
  /// Nothing can be done with the archive afterwards.
  public func close() {
    index.arrivals.stop()
    maintenance.flushUses()
    maintenance.enforceLimits()
    index.restoreLost(isThorough: true)
    try? store.sync()
    store.recent?.close()
    index.close()
  }

  /// Looks through the whole index, the first time this is called, and builds it again when
  /// something is wrong with it. For when a page is not found and the network has none either: a
  /// damaged index may hide it.
  /// - Returns: whether it was built again.
  package func repairIndex() -> Bool { index.repair() }

  /// The content of a stored response.
  ///
  /// Content that is found to be damaged is marked: its version is not listed any more, and the one
  /// before it takes its place.
  /// - Throws: `ArchiveError.damaged`; `.notFound` when the version is gone.
  public func body(of stored: StoredResponse) throws(ArchiveError) -> ArchivedBody {
    try versionStore.body(of: stored)
  }
}
