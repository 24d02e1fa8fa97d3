import Dispatch
package import Foundation
import Synchronization
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
  struct State {
    var index: CaptureIndex?
    /// Counts the indexes that were opened, so that two threads do not rebuild one after another.
    var generation = 0
    var warning: ArchiveError?
    var notices: [ArchiveNotice] = []
    var unsynced: [String: OpenFile] = [:]
    /// How often files could not be brought onto the disk.
    var lostFlushes = 0
    var isSyncScheduled = false
    /// When keys, by their numbers, were used since that was last written.
    var uses: [Int64: Int64] = [:]
    /// The limits to keep, how many bytes were saved since the disk was looked at, how many this machine's
    /// segments take since then (nil: not looked yet), and when ages were looked at, in milliseconds.
    var enforcement: Enforcement?
    var saved: Int64 = 0
    var size: Int64?
    var ageCheck = Int64.min / 2
    /// Whether the index was looked through.
    var isExamined = false
  }

  /// What was saved is on the disk after this many seconds.
  static let syncDelay = 0.9

  let location: ArchiveLocation
  let folder: String
  let files: any FileSystem
  let segments: SegmentFolder
  let machine: String
  let mayRemove: @Sendable (String) -> Bool
  var isReadOnly: Bool { refusal != nil }
  /// Why nothing may be written; nil when it may.
  let refusal: ArchiveError?
  /// Whether the index is kept in its file, also where the segments are only read.
  let keepsIndex: Bool
  let segmentLimit: Int64
  let state = Mutex(State())
  let writer: Mutex<SegmentWriter>
  let backlog = IndexBacklog()
  let encoders = EncoderPool()
  let absence = NegativeLookups()
  let arrivals = BackgroundScan()
  private let maintenance = Mutex(())
  private let syncing = Mutex(())
  /// Held by who sees to the limits.
  let enforcing = Mutex(())

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
  package init(
    location: ArchiveLocation, machine: String,
    mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }, readOnly: Bool,
    refusal: ArchiveError? = nil,
    segmentLimit: Int64, files: any FileSystem = LocalFileSystem(), only: String? = nil,
    keepsIndex: Bool? = nil,
    opensIndex: Bool = true
  ) {
    self.files = files
    self.keepsIndex = keepsIndex ?? !readOnly
    self.location = location
    self.machine = SegmentName.machine(machine)
    self.mayRemove = mayRemove
    self.segmentLimit = segmentLimit
    folder = location.archive.path
    segments = SegmentFolder(path: folder, files: files, only: only)
    let wish = ArchiveError.unwritable("the archive was opened for reading only")
    self.refusal = readOnly ? refusal ?? wish : nil
    writer = Mutex(SegmentWriter(folder: segments, machine: self.machine))
    let warning = self.refusal ?? prepareFolder()
    state.withLock { $0.warning = warning }
    if opensIndex { openIndex() }
  }

  deinit { close() }

  /// Why nothing can be saved, or nil when all is well.
  public var warning: ArchiveError? { state.withLock(\.warning) }

  /// What has happened since the last call that a person may want to know.
  public func takeNotices() -> [ArchiveNotice] {
    let reading = arrivals.takeNotice()
    return state.withLock { state in
      let notices = state.notices
      state.notices = []
      return notices + (reading.map { [$0] } ?? [])
    }
  }

  /// Every version of a key, newest first: all variants, also those that are not trusted, without
  /// those found to be damaged.
  /// - Throws: `ArchiveError.unreadable`.
  public func captures(of key: String) throws(ArchiveError) -> [StoredResponse] {
    arrivals.wait()
    return try known(of: key)
  }

  /// The same as far as the index has them by now: waits for no file that others have put there.
  package func known(of key: String) throws(ArchiveError) -> [StoredResponse] {
    try versions(of: key).map(\.stored)
  }

  /// When what is stored for a key was last invalidated, or nil; see `invalidate`.
  package func invalidation(of key: String) throws(ArchiveError) -> Date? {
    try usingIndex { index throws(IndexError) in try index.invalidation(of: key) }
  }

  /// The keys that differ from a key in their query only, and have a version that says that a query
  /// need not matter; see `NoVarySearch`.
  package func relatives(of key: String, limit: Int) throws(ArchiveError) -> [String] {
    guard !absence.isWithoutFamilies else { return [] }
    let moment = absence.moment
    return try usingIndex { index throws(IndexError) in
      guard try index.hasFamilies() else {
        absence.noteNoFamilies(at: moment)
        return []
      }
      return try index.keys(base: NoVarySearch.base(of: key), limit: limit)
    }
  }

  /// The version whose id begins with a prefix, or nil when there is none or more than one.
  /// - Throws: `ArchiveError.unreadable`.
  public func capture(id prefix: String, of key: String?) throws(ArchiveError) -> StoredResponse? {
    let prefix = prefix.lowercased()
    guard !prefix.isEmpty else { return nil }
    guard let key else {
      let found = try indexed { index throws(IndexError) in try index.versions(prefix: prefix) }
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
    try settled { index throws(IndexError) in
      try index.newest(host: host.lowercased(), limit: limit).map(\.stored)
    }
  }

  /// Which of these keys have a good version.
  /// - Throws: `ArchiveError.unreadable`.
  public func contains(_ keys: [String]) throws(ArchiveError) -> Set<String> {
    try settled { index throws(IndexError) in try index.contains(keys) }
  }

  /// The segment that holds the content of a version, and where in it; nil when it is gone.
  public func location(of stored: StoredResponse) -> RecordLocation? {
    guard
      let place = try? settled({ index throws(IndexError) in try index.version(id: stored.id) })?
        .place
    else { return nil }
    return RecordLocation(
      file: location.archive.appendingPathComponent(place.segment), offset: place.position.offset)
  }

  /// Takes into the index what the segments have and it has not.
  /// - Throws: `ArchiveError.unreadable`.
  public func catchUp() throws(ArchiveError) { try catchUp(within: .infinity) }

  /// The same, and leaves the rest to later when files that others have put there take longer than some
  /// seconds.
  package func catchUp(within seconds: Double) throws(ArchiveError) {
    guard arrivals.wait(atMost: seconds) else { return }
    absence.removeAll()
    if let index = state.withLock(\.index), index.file != nil, !keepsIndex {
      // A file that is only read cannot take them; a copy in memory can.
      if !isLevel(index) {
        openIndex()
        arrivals.wait(atMost: seconds)
      }
      return
    }
    _ = try settled { index throws(IndexError) in try self.catchUp(index) }
  }

  /// Waits until everything that was saved is on the disk.
  /// - Throws: `ArchiveError.full` or `.unwritable` when something is lost.
  public func sync() throws(ArchiveError) {
    // What another thread is bringing there is waited for, too.
    try syncing.withLock { _ throws(ArchiveError) in
      let files = state.withLock { state in
        let files = state.unsynced
        state.unsynced = [:]
        state.isSyncScheduled = false
        return files
      }
      var failure: ArchiveError?
      for (name, file) in files {
        do throws(ArchiveError) {
          try file.sync()
        } catch {
          failure = failure ?? error
          writer.withLock { $0.leave(name) }
        }
      }
      guard let failure else { return }
      state.withLock { state in
        state.warning = failure
        state.lostFlushes += 1
      }
      note(.lost(reason: failure.reason))
      throw failure
    }
  }

  /// How often what was saved could not be brought onto the disk, whoever wanted to.
  package var lostFlushes: Int { state.withLock(\.lostFlushes) }

  /// Waits until everything is on the disk and closes the index, leaving no log of it behind.
  /// Nothing can be done with the archive afterwards.
  public func close() {
    arrivals.stop()
    flushUses()
    enforceLimits()
    try? sync()
    settle()
    let index = state.withLock { state in
      let index = state.index
      state.index = nil
      return index
    }
    index?.close()
  }

  /// Uses the index, once it has everything that is there.
  func indexed<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    arrivals.wait()
    return try settled(use)
  }

  /// Uses the index, once it has every record that was written here.
  func settled<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    settle()
    return try usingIndex(use)
  }

  /// Uses the index as it is; builds it again, once, when it is found to be corrupt.
  func usingIndex<Value: Sendable>(
    _ use: (CaptureIndex) throws(IndexError) -> Value
  ) throws(ArchiveError) -> Value {
    let (opened, generation) = state.withLock { ($0.index, $0.generation) }
    guard let opened else { throw .unreadable("the archive is closed") }
    do {
      return try use(opened)
    } catch {
      if error == .stopped { throw .stopped }
      guard let other = try index(after: generation, error) else {
        throw ErrorWords.archiveError(error, of: "the index")
      }
      do { return try use(other) } catch { throw ErrorWords.archiveError(error, of: "the index") }
    }
  }

  /// Remembers something for `takeNotices`; the same thing only once.
  func note(_ notice: ArchiveNotice) {
    state.withLock { state in
      guard !state.notices.contains(notice), state.notices.count < 1000 else { return }
      state.notices.append(notice)
    }
  }

  /// Sees to it that a file is on the disk within a second.
  func scheduleSync(_ file: OpenFile, _ name: String) {
    let isScheduled = state.withLock { state in
      state.unsynced[name] = file
      defer { state.isSyncScheduled = true }
      return state.isSyncScheduled
    }
    guard !isScheduled else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.syncDelay) {
      [weak self] in
      try? self?.sync()
    }
  }

  /// Makes the folder, only for this user.
  func prepareFolder() -> ArchiveError? {
    do throws(ArchiveError) {
      try files.makeFolders(folder)
      guard let status = try files.status(of: folder) else {
        return .noFolder("\(folder) cannot be made")
      }
      guard status.isFolder else {
        return .noFolder("\(folder) is not a folder")
      }
    } catch {
      return error
    }
    let result = files.retrying { files.access(folder, W_OK | X_OK) }
    guard result == 0 else { return .writing(folder, result) }
    return nil
  }

  /// Looks through the whole index, the first time this is called, and builds it again when
  /// something is wrong with it. For when a page is not found and the network has none either: a
  /// damaged index may hide it.
  /// - Returns: whether it was built again.
  package func repairIndex() -> Bool {
    let (isFirst, index, generation) = state.withLock { state in
      defer { state.isExamined = true }
      return (!state.isExamined, state.index, state.generation)
    }
    guard isFirst, let index, !index.isSound else { return false }
    return (try? self.index(after: generation, .corrupt)) != nil
  }

  /// The index to use after an error: a new one when that one was corrupt, or the one that another
  /// thread has put in its place; nil when there is no other.
  private func index(
    after generation: Int, _ error: IndexError
  ) throws(ArchiveError) -> CaptureIndex? {
    try maintenance.withLock { _ throws(ArchiveError) in
      let (opened, now) = state.withLock { ($0.index, $0.generation) }
      guard let opened else { throw .unreadable("the archive is closed") }
      guard now == generation else { return opened }
      guard error == .corrupt else { return nil }
      opened.close()
      let built = builtIndex(insteadOf: opened.file, reason: "it was damaged")
      state.withLock { state in
        state.index = built
        state.generation += 1
      }
      guard let built else { throw .unreadable("the index cannot be built") }
      return built
    }
  }
}
