import Foundation
import WARC

extension Maintenance {
  /// See `Archive.remove(_:now:isDryRun:progress:)`.
  func remove(
    _ keys: [String], now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try index.catchUp()
    if isDryRun || store.isReadOnly {
      let remains = try storedData(ofEach: keys)
      if remains.contains(where: \.isEmpty) { _ = try store.segments.list() }
      if let refusal = store.refusal, !isDryRun, remains.contains(where: { !$0.isEmpty }) {
        throw refusal
      }
      return try removals(of: remains, keys)
    }
    let waiting = ProgressMeter(total: 0, progress)
    return try withMaintenanceLock(waiting) { () throws(ArchiveError) in
      let dataPerKey = try storedData(ofEach: keys)
      var removals = try removals(of: dataPerKey, keys)
      let mergedData = StoredData(dataPerKey)
      guard !mergedData.isEmpty else { return removals }
      // The latest segment, which contains the tombstone, comes last.
      let segments = try writeTombstones(mergedData, now: now) + mergedData.segments
      let meter = ProgressMeter(total: try size(of: segments), progress)
      let recordIDs = mergedData.ids
      var bytes: Int64 = 0
      for segment in segments {
        let rule = RemovalRule(records: recordIDs, keys: Set(keys), exclusiveRecords: recordIDs)
        bytes += try rewrite([segment], without: rule, now: now, meter: meter).bytes
      }
      if removals.count == 1 { removals[0].bytes = bytes }
      for key in keys { forgetUse(of: key) }
      let texts = keys + removals.flatMap(\.redirects) + recordIDs.sorted().prefix(3)
      try index.withCompleteIndex { index throws(IndexError) in try index.erase(texts, keys: keys) }
      return removals
    }
  }

  /// See `Archive.remove(_:savedUntil:now:)`.
  func remove(
    _ key: String, savedUntil date: Date, now: Date
  ) throws(ArchiveError) -> Int {
    let all = try storedData(of: key).versions
    let old = all.filter { $0.stored.responseTime <= date }
    guard !old.isEmpty else { return 0 }
    guard old.count < all.count else { return try remove([key], now: now)[0].versions }
    let meter = ProgressMeter(total: 0, nil)
    return try withMaintenanceLock(meter) { () throws(ArchiveError) in
      var remains = try storedData(of: key)
      remains.versions.removeAll { $0.stored.responseTime > date }
      (remains.redirects, remains.hiddenRecords) = ([], [])
      let holders = remains.versions.map(\.location.segment)
      remains.segments = Set(holders).filter(store.isOwn).sorted()
      let ids = remains.ids
      for segment in try writeTombstones(remains, now: now) + remains.segments {
        let rule = RemovalRule(records: ids, exclusiveRecords: ids)
        _ = try rewrite([segment], without: rule, now: now, meter: meter)
      }
      return ids.count
    }
  }

  /// Returns every version of a key, newest first, including damaged ones.
  func allVersions(of key: String) throws(ArchiveError) -> [SavedVersion] {
    let versions = try index.withCompleteIndex { index throws(IndexError) in
      try index.allVersions(of: key)
    }
    // An empty result is only returned if the directory is readable.
    if versions.isEmpty { _ = try store.segments.list() }
    return versions.map(SavedVersion.init)
  }

  /// Everything that is stored for a key, or for several keys that are removed together.
  struct StoredData {
    /// The versions of the key, including damaged ones.
    var versions: [ArchivedVersion]
    /// The redirects that lead to the key.
    var redirects: [ArchivedVersion] = []
    /// Records that were removed or evicted before, but are still in segments of this device.
    var hiddenRecords: [CaptureIndex.HiddenRecord] = []
    /// The segments of this device with records about the key.
    var segments: [String]
    /// Whether segments of other devices contain records about the key.
    var isOnOtherDevices: Bool

    /// Whether neither versions nor records about the key are stored.
    var isEmpty: Bool { versions.isEmpty && segments.isEmpty }

    /// The ids of the records of `versions`, `redirects` and `hiddenRecords`.
    var ids: Set<String> {
      Set((versions + redirects).map(\.stored.id)).union(hiddenRecords.map(\.id))
    }
  }

  func storedData(of key: String) throws(ArchiveError) -> StoredData {
    try storedData(ofEach: [key])[0]
  }

  /// Returns the stored data of each key.
  private func storedData(ofEach keys: [String]) throws(ArchiveError) -> [StoredData] {
    let redirects = try index.withCompleteIndex { index throws(IndexError) in
      try index.redirects(to: keys, keyOf: keyOf)
    }
    var result: [StoredData] = []
    for (key, redirects) in zip(keys, redirects) {
      // Rendered pages are removed with the page.
      var versions: [ArchivedVersion] = []
      var hiddenRecords: [CaptureIndex.HiddenRecord] = []
      for name in [key, RenderedPage.key(of: key)] {
        versions += try index.withCompleteIndex { index throws(IndexError) in
          try index.allVersions(of: name)
        }
        hiddenRecords += try index.withCompleteIndex { index throws(IndexError) in
          try index.hiddenRecords(of: name)
        }
        .filter { store.isOwn($0.segment) }
      }
      // Shared content is stored in a record of another key.
      let ownContentVersions = (versions + redirects).filter { $0.location.record == $0.stored.id }
      var segments = Set(ownContentVersions.map(\.location.segment) + hiddenRecords.map(\.segment))
      for key in Set(redirects.map(\.stored.key)).union([key]) {
        segments.formUnion(
          try index.withCompleteIndex { index throws(IndexError) in
            try index.segmentsMentioning(of: key)
          })
      }
      result.append(
        StoredData(
          versions: versions, redirects: redirects, hiddenRecords: hiddenRecords,
          segments: segments.filter(store.isOwn).sorted(),
          isOnOtherDevices: !segments.allSatisfy(store.isOwn)))
    }
    return result
  }

  /// Hides versions permanently. Content that other versions share with them is saved again, and
  /// tombstones prevent the hidden versions from being inserted again.
  /// - Returns: the segments of this device, except those in `remains`, with records of the keys
  ///   whose content was saved again.
  @discardableResult
  func writeTombstones(_ remains: StoredData, now: Date) throws(ArchiveError) -> [String] {
    let freed = try saveSharedContent(from: remains.ids, now: now)
    var (own, foreign) = ([String](), [String]())
    for version in remains.versions + remains.redirects {
      let isShared = version.location.record != version.stored.id
      let isForeign = isShared ? remains.isOnOtherDevices : !store.isOwn(version.location.segment)
      if isForeign { foreign.append(version.stored.id) } else { own.append(version.stored.id) }
    }
    try write(Tombstone(own, isPermanent: false), now: now)
    try write(Tombstone(foreign + freed.map(\.stored.id), isPermanent: true), now: now)
    try store.sync()
    var segments: Set<String> = []
    for key in Set(freed.map(\.stored.key)) {
      segments.formUnion(
        try index.withCompleteIndex { index throws(IndexError) in
          try index.segmentsMentioning(of: key)
        })
    }
    return segments.subtracting(remains.segments).filter(store.isOwn).sorted()
  }

  /// Writes a tombstone, in several records if it is long.
  func write(_ tombstone: Tombstone, now: Date) throws(ArchiveError) {
    var rest = tombstone.records[...]
    while !rest.isEmpty {
      let part = Tombstone(
        Array(rest.prefix(Tombstone.maxRecords)), isPermanent: tombstone.isPermanent)
      rest = rest.dropFirst(Tombstone.maxRecords)
      let (record, block) = part.record(now: now)
      try versionStore.write(
        record, RecordBlock(head: block), ArchiveEvent.Payload(digest: "", length: 0), now: now)
    }
  }

  /// Saves content again that other keys share with records that are about to be dropped. The
  /// newest version with this content is saved as a full response, and the versions of the
  /// remaining keys as revisits of that response.
  /// - Returns: the versions that were replaced.
  func saveSharedContent(from ids: Set<String>, now: Date) throws(ArchiveError) -> [ArchivedVersion]
  {
    let dependent = try index.withCompleteIndex { index throws(IndexError) in
      try index.dependents(on: ids)
    }
    var full: [String: StoredResponse] = [:]
    var keys: [String: Set<String>] = [:]
    var replaced: [ArchivedVersion] = []
    for version in dependent.sorted(by: { $0.isNewer(than: $1) })
    where !ids.contains(version.stored.id) {
      let content = version.location.record
      // A revisit with the same key would be read as a validation of the same version.
      let isFirst = keys[content, default: []].insert(version.stored.key).inserted
      let saved = try save(version, sharing: isFirst ? full[content] : nil, now: now)
      guard let saved else { continue }
      if full[content] == nil { full[content] = saved }
      replaced.append(version)
    }
    return replaced
  }

  /// Saves a version again, with its own content or sharing the content of another one.
  /// - Returns: the new version, or nil if its content cannot be read.
  private func save(
    _ version: ArchivedVersion, sharing original: StoredResponse?, now: Date
  ) throws(ArchiveError) -> StoredResponse? {
    var response = version.stored
    guard let spool = try content(of: response) else { return nil }
    let capture = Capture(
      key: response.key, url: response.key, response: response.response,
      requestTime: response.requestTime, responseTime: response.contentDate,
      varying: response.varying,
      rejectionReason: response.rejectionReason)
    let head = RecordedHead.bytes(response.response)
    let payload = ArchiveEvent.Payload(digest: spool.digest, length: spool.length)
    let record: WARCRecord
    if let original {
      record = ArchiveRecords.identicalRevisit(capture, as: original, order: version.order)
      try versionStore.write(record, RecordBlock(head: head), payload, now: now)
    } else {
      record = ArchiveRecords.response(capture, digest: spool.digest, order: version.order)
      try versionStore.write(record, RecordBlock(head: head, body: spool), payload, now: now)
    }
    response.id = record.id.map(ArchiveEvent.withoutURNPrefix) ?? response.id
    if response.responseTime != response.contentDate {
      let revisit = ArchiveRecords.notModified(
        response, requestTime: response.requestTime, responseTime: response.responseTime,
        order: version.order)
      let block = RecordBlock(
        head: RecordedHead.bytes(response.response, status: "304 Not Modified"))
      try versionStore.write(revisit, block, ArchiveEvent.Payload(digest: "", length: 0), now: now)
    }
    if let check = response.lastCheck {
      let (record, block) = ArchiveRecords.check(check, of: response)
      try versionStore.write(
        record, RecordBlock(head: block), ArchiveEvent.Payload(digest: "", length: 0), now: now)
    }
    return response
  }

  /// Returns the content of a version; nil if it is damaged.
  private func content(of version: StoredResponse) throws(ArchiveError) -> Spool? {
    let spool = versionStore.makeSpool()
    do throws(ArchiveError) {
      let body = try versionStore.body(of: version)
      while let chunk = try body.next() { spool.write(chunk) }
    } catch {
      if case .damaged = error { return nil }
      throw error
    }
    if let failure = spool.failure { throw failure }
    return spool
  }

  private func removals(
    of remains: [StoredData], _ keys: [String]
  ) throws(ArchiveError) -> [Removal] {
    var removals: [Removal] = []
    for (remains, key) in zip(remains, keys) { removals.append(try removal(of: remains, key)) }
    return removals
  }

  private func removal(of remains: StoredData, _ key: String) throws(ArchiveError) -> Removal {
    var removal = Removal(key: key)
    removal.versions = remains.versions.count + remains.hiddenRecords.count
    removal.redirects = Set(remains.redirects.map(\.stored.key)).sorted()
    let foreign = remains.versions.filter { !store.isOwn($0.location.segment) }
    removal.importedVersions = foreign.count
    removal.importedFiles = Set(foreign.map(\.location.segment)).sorted()
    removal.bytes = (remains.versions + remains.redirects).reduce(0) {
      $0
        + ($1.location.record == $1.stored.id && store.isOwn($1.location.segment)
          ? $1.location.size : 0)
    }
    removal.bytes += remains.hiddenRecords.reduce(0) { $0 + $1.size }
    let targets = Set(
      remains.versions.compactMap {
        Redirection.target(of: $0.stored.response, storedAs: $0.stored.key).map(CacheKey.make)
      })
    removal.remaining = try index.withFlushedIndex { index throws(IndexError) in
      try index.contains(targets.subtracting([key]).sorted())
    }.sorted()
    return removal
  }

  func size(of segments: [String]) throws(ArchiveError) -> Int64 {
    let known = try index.withCompleteIndex { index throws(IndexError) in try index.segments() }
    return segments.reduce(0) { $0 + (known[$1]?.indexedEnd ?? 0) }
  }
}

extension Maintenance.StoredData {
  /// Combines the stored data of several keys. A redirect may lead to more than one of them, or be
  /// one of them.
  init(_ all: [Maintenance.StoredData]) {
    versions = all.flatMap(\.versions)
    var known = Set(versions.map(\.stored.id))
    redirects = all.flatMap(\.redirects).filter { known.insert($0.stored.id).inserted }
    hiddenRecords = all.flatMap(\.hiddenRecords)
    segments = Set(all.flatMap(\.segments)).sorted()
    isOnOtherDevices = all.contains(where: \.isOnOtherDevices)
  }
}
