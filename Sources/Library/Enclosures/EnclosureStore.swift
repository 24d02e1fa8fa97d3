package import Foundation
package import OfflineCache

/// The enclosures of feeds in one directory. Each has a record (`NAME.json`) and either a complete
/// file (such as `NAME.mp3`) or a partial one (`NAME.part`).
///
/// Enclosures are stored outside the archive for three reasons: a player needs a seekable file, a
/// transfer is resumed where it ended, and the size of the files must not count towards the limit
/// of the archive, which would evict pages.
package struct EnclosureStore: Sendable {
  /// The path of the directory.
  package let directory: String
  private let files: any FileSystem

  /// The extension of records.
  private static let recordExtension = ".json"

  /// Creates a store; nothing is read or created.
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - files: The file system.
  package init(directory: String, files: any FileSystem = LocalFileSystem()) {
    self.directory =
      directory.count > 1 && directory.hasSuffix("/")
      ? String(directory.dropLast()) : directory
    self.files = files
  }

  /// The records of a store.
  package struct Contents: Sendable, Equatable {
    /// The records, newest first.
    package var records: [EnclosureRecord] = []
    /// The names of the records that cannot be read, without extension. Their files are not
    /// changed.
    fileprivate var damagedNames: [Substring] = []
    /// The number of records that cannot be read.
    package var damagedCount: Int { damagedNames.count }

    package init() {}

    /// Returns the number of records of a page or feed that cannot be read, by its cache key.
    package func damagedCount(of key: String) -> Int { damagedCount(of: [key]) }

    /// Returns the number of records of pages and feeds that cannot be read, by their cache keys.
    package func damagedCount(of keys: Set<String>) -> Int {
      guard !damagedNames.isEmpty else { return 0 }
      let digests = Set(keys.map { FeedItemRecord.digest(of: $0) })
      return damagedNames.count { name in
        name.split(separator: "-").prefix(2).contains { digests.contains(String($0)) }
      }
    }
  }

  // MARK: Records

  /// Reads records.
  /// - Parameters:
  ///   - feed: The cache key of the feed of the records, or nil for any.
  ///   - item: The cache key of the page of the records, or nil for any.
  ///   - url: The URL of the records, or nil for any.
  /// - Returns: The records; empty if the directory does not exist.
  /// - Throws: `ArchiveError` if the directory cannot be read.
  package func contents(
    feed: String? = nil, item: String? = nil, url: String? = nil
  ) throws(ArchiveError) -> Contents {
    var contents = Contents()
    let names = try files.names(in: directory).filter { $0.hasSuffix(Self.recordExtension) }
    guard !names.isEmpty else { return contents }
    let wanted = [feed, item, url].map { $0.map { FeedItemRecord.digest(of: $0) } }
    for name in names {
      let digests = name.dropLast(Self.recordExtension.count).split(separator: "-")
      guard digests.count == wanted.count,
        zip(digests, wanted).allSatisfy({ digest, wanted in
          wanted.map { digest == $0 } ?? true
        })
      else { continue }
      // Another process may have removed the record.
      guard let record = record(named: name) else {
        if try files.status(of: path(name)) != nil {
          contents.damagedNames.append(name.dropLast(Self.recordExtension.count))
        }
        continue
      }
      contents.records.append(record)
    }
    contents.records.sort { ($1.date, $0.name) < ($0.date, $1.name) }
    return contents
  }

  /// Reads a record; returns nil if the file cannot be read, or if its name does not match the
  /// record in it.
  private func record(named name: String) -> EnclosureRecord? {
    guard let file = try? files.openForReading(path(name)), let size = try? file.status().size,
      size <= Self.maxRecordSize, let bytes = try? file.bytes(at: 0, count: Int(size)),
      let record = try? JSONDecoder().decode(EnclosureRecord.self, from: Data(bytes))
    else { return nil }
    return record.name + Self.recordExtension == name ? record : nil
  }

  /// Returns whether there is a record of this name.
  /// - Throws: `ArchiveError`.
  package func contains(_ record: EnclosureRecord) throws(ArchiveError) -> Bool {
    try files.status(of: path(record.name + Self.recordExtension)) != nil
  }

  /// The maximum size of a record in bytes.
  private static let maxRecordSize: Int64 = 1 << 16

  /// Writes a record atomically: after a failure at any time, the file contains the old or the new
  /// record.
  /// - Throws: `ArchiveError`.
  package func save(_ record: EnclosureRecord) throws(ArchiveError) {
    guard let data = Self.encoded(record) else {
      throw .unwritable("the record of an enclosure is too long")
    }
    try files.makeDirectories(directory)
    let path = path(record.name + Self.recordExtension)
    let file = try files.openForWriting(path + ".new")
    try file.truncate(to: 0)
    try file.write([UInt8](data), at: 0)
    try file.sync()
    try files.renameFile(file.path, to: path)
  }

  /// Encodes a record; nil if it is too long.
  private static func encoded(_ record: EnclosureRecord) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(record)).flatMap { $0.count <= maxRecordSize ? $0 : nil }
  }

  /// Adds records that do not exist yet, or whose complete file was deleted. Records that are too
  /// long are skipped. If a record that the feed no longer lists is about the same file at another
  /// URL, that record is updated instead of adding a new one; see `supersededRecords`.
  /// - Returns: The number of records that were added.
  /// - Throws: `ArchiveError`.
  package func add(_ records: [EnclosureRecord]) throws(ArchiveError) -> Int {
    guard !records.isEmpty else { return 0 }
    var knownNames = Set(try files.names(in: directory))
    let superseded = supersededRecords(by: records, among: knownNames)
    var count = 0
    for record in records {
      let name = record.name + Self.recordExtension
      let isNew = knownNames.insert(name).inserted
      let stored = isNew ? nil : self.record(named: name)
      let isDeleted = stored.map { $0.state == .complete && !isReady($0) } ?? false
      guard isNew || isDeleted, Self.encoded(record) != nil else { continue }
      if isNew, let old = superseded[record.name] {
        // A player may have stored a position for the path of a complete file.
        if old.state != .complete || !isReady(old) { try replace(old, with: record) }
        continue
      }
      try save(record)
      count += 1
    }
    return count
  }

  /// Returns, by the names of new records, the stored records about the same files. They belong to
  /// the same item and have the same file name, as if the file was moved to another host, or their
  /// URLs differ only in the query, as on hosts that sign their URLs.
  ///
  /// Several items may link to one page, and their URLs may differ in nothing but the query, so the
  /// title must be the same as well. This also applies if the identifier is the same, because some
  /// feeds give each new item the identifier of the item before it. If the identifier of an item is
  /// not known, the date must be the same, too. The date of an item without a link does not matter,
  /// because its key contains its identifier: if the feed gives no date, each sync uses its own
  /// time as the date.
  private func supersededRecords(
    by records: [EnclosureRecord], among names: Set<String>
  ) -> [String: EnclosureRecord] {
    let new = records.filter { !names.contains($0.name + Self.recordExtension) }
    guard !new.isEmpty else { return [:] }
    let listed = Set(records.map { $0.name + Self.recordExtension })
    let prefixes = Set(new.map(\.itemName))
    let gone = names.filter { name in
      name.hasSuffix(Self.recordExtension) && !listed.contains(name)
        && prefixes.contains(name.split(separator: "-").prefix(2).joined(separator: "-"))
    }.compactMap { record(named: $0) }
    let goneFiles = Dictionary(grouping: gone, by: \.file)
    let newFiles = Dictionary(grouping: new, by: \.file)
    let goneItems = Dictionary(grouping: gone, by: \.itemFile)
    let newItems = Dictionary(grouping: new, by: \.itemFile)
    var superseded: [String: EnclosureRecord] = [:]
    var usedNames: Set<String> = []
    for record in new {
      var candidates: [EnclosureRecord] = []
      if record.identifier != nil, newItems[record.itemFile]?.count == 1 {
        candidates = goneItems[record.itemFile] ?? []
      }
      if candidates.isEmpty, record.hasQuery, !record.title.isEmpty,
        newFiles[record.file]?.count == 1
      {
        candidates = goneFiles[record.file] ?? []
      }
      guard candidates.count == 1, usedNames.insert(candidates[0].name).inserted else { continue }
      superseded[record.name] = candidates[0]
    }
    return superseded
  }

  /// Replaces a record whose file is incomplete. The transfer of the partial file is resumed if the
  /// server still has the same content.
  private func replace(
    _ old: EnclosureRecord, with new: EnclosureRecord
  ) throws(ArchiveError) {
    var record = new
    if old.state != .complete, try files.status(of: path(old.name + ".part")) != nil {
      (record.size, record.flushed) = (old.size, old.flushed)
      (record.source, record.validator) = (old.source, old.validator)
      try save(record)
      try files.renameFile(path(old.name + ".part"), to: path(record.name + ".part"))
    } else {
      try save(record)
    }
    try remove([old])
  }

  /// Moves the enclosures of a feed to the feed's new key. If this is interrupted, files that were
  /// not moved are fetched again. A file that the new feed already has is not replaced by a partial
  /// one.
  /// - Throws: `ArchiveError`.
  package func move(feed: String, to new: String) throws(ArchiveError) {
    for record in try contents(feed: feed).records {
      var movedRecord = record
      movedRecord.feed = new
      if let otherRecord = self.record(named: movedRecord.name + Self.recordExtension),
        otherRecord.state == .complete || record.state != .complete
      {
        try remove([record])
        continue
      }
      try save(movedRecord)
      // The new feed may already have a partial file of the enclosure.
      try removePart(of: movedRecord)
      for (old, name) in [
        (record.fileName, movedRecord.fileName),
        (record.name + ".part", movedRecord.name + ".part"),
      ] where try files.status(of: path(old)) != nil {
        try files.renameFile(path(old), to: path(name))
      }
      try remove([record])
    }
  }

  /// Removes enclosures with their files.
  /// - Throws: `ArchiveError`. An enclosure whose removal fails keeps its record, so that the
  ///   removal can be repeated.
  package func remove(_ records: [EnclosureRecord]) throws(ArchiveError) {
    for record in records {
      for name in [record.fileName, record.name + ".part", record.name + ".json.new"] {
        try files.removeFile(path(name))
      }
      try files.removeFile(path(record.name + Self.recordExtension))
    }
    if !records.isEmpty { try files.syncDirectory(directory) }
  }

  /// Removes the enclosures of pages and feeds.
  /// - Parameter keys: The cache keys of the pages and feeds.
  /// - Returns: The enclosures that were removed.
  /// - Throws: `ArchiveError`.
  @discardableResult
  package func remove(ofPages keys: Set<String>) throws(ArchiveError) -> [EnclosureRecord] {
    let records = try contents().records.filter { keys.contains($0.item) || keys.contains($0.feed) }
    try remove(records)
    return records
  }

  // MARK: Files

  private func path(_ name: String) -> String { directory + "/" + name }

  /// The path of the complete file of an enclosure; the file need not exist.
  package func path(of record: EnclosureRecord) -> String { path(record.fileName) }

  /// Returns the number of bytes stored of an enclosure: the size of the complete file, otherwise
  /// of the partial one; 0 if there is no file.
  /// - Throws: `ArchiveError`.
  package func storedSize(of record: EnclosureRecord) throws(ArchiveError) -> Int64 {
    let name = record.state == .complete ? record.fileName : record.name + ".part"
    return try files.status(of: path(name))?.size ?? 0
  }

  /// Returns whether the complete file is on the disk with the right size.
  package func isReady(_ record: EnclosureRecord) -> Bool {
    guard record.state == .complete, let status = try? files.status(of: path(of: record)) else {
      return false
    }
    return status.isFile && status.size == record.size
  }

  /// Opens the partial file of an enclosure, and creates it if it does not exist.
  /// - Throws: `ArchiveError`.
  package func openPart(of record: EnclosureRecord) throws(ArchiveError) -> OpenFile {
    try files.makeDirectories(directory)
    return try files.openForWriting(path(record.name + ".part"))
  }

  /// Removes the partial file of an enclosure.
  /// - Throws: `ArchiveError`.
  package func removePart(of record: EnclosureRecord) throws(ArchiveError) {
    try files.removeFile(path(record.name + ".part"))
  }

  /// Renames the flushed partial file to the name of the complete one. After a failure at any time,
  /// the file has either name.
  /// - Throws: `ArchiveError`.
  package func completePart(of record: EnclosureRecord) throws(ArchiveError) {
    try files.renameFile(path(record.name + ".part"), to: path(of: record))
    try files.syncDirectory(directory)
  }

  /// Returns the size in bytes of the file at the path of a complete file; nil if there is none.
  /// - Throws: `ArchiveError`.
  package func completeSize(of record: EnclosureRecord) throws(ArchiveError) -> Int64? {
    try files.status(of: path(of: record))?.size
  }

  /// Returns the time at which the complete file was received; nil if there is no file.
  package func dateOfFile(of record: EnclosureRecord) -> Date? {
    (try? files.status(of: path(of: record))).map { status in
      Date(timeIntervalSince1970: Double(status.modificationTime) / 1_000_000_000)
    }
  }

  /// The number of bytes that this user may still write to the file system; nil if it is unknown.
  package var freeSpace: Int64? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0, status.f_blocks > 0 else { return nil }
    let (size, hasOverflow) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return hasOverflow ? .max : Int64(clamping: size)
  }

  /// Acquires the lock for transferring enclosures, which is held until the result is released.
  /// - Returns: The locked file; nil if another process is transferring enclosures.
  /// - Throws: `ArchiveError`.
  package func lock() throws(ArchiveError) -> OpenFile? {
    try files.makeDirectories(directory)
    let file = try files.openForWriting(path("transfer.lock"))
    return try file.tryLock() ? file : nil
  }
}

extension EnclosureRecord {
  /// The prefix that the names of the enclosures of one item have in common.
  fileprivate var itemName: String {
    [feed, item].map { FeedItemRecord.digest(of: $0) }.joined(separator: "-")
  }

  fileprivate var hasQuery: Bool { url.contains("?") }

  /// The properties that two records of the same file have in common.
  fileprivate struct File: Hashable {
    var feed, item, title: String
    var date: Int64
    var kind: Kind?
    var urlWithoutQuery: Substring
  }

  /// The properties that two records of one file of an item have in common, wherever it is.
  fileprivate struct ItemFile: Hashable {
    var feed, item, title: String
    var identifier: String?
    var kind: Kind?
    var fileName: Substring
  }

  /// The file of the item that the record describes.
  fileprivate var itemFile: ItemFile {
    let path = url.prefix { $0 != "?" }
    return ItemFile(
      feed: feed, item: item, title: title, identifier: identifier, kind: kind,
      fileName: path.split(separator: "/").last ?? path)
  }

  /// The file that the record describes.
  fileprivate var file: File {
    File(
      feed: feed, item: item, title: title,
      date: FeedItemAddress(item) == nil ? date : 0, kind: kind,
      urlWithoutQuery: url.prefix { $0 != "?" })
  }
}
