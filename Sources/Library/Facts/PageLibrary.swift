package import Foundation
package import OfflineCache
import Synchronization

/// The data that only the user can provide: pinned pages, tags and notes, the queue, followed
/// feeds.
///
/// The journals are the source of truth; the database is derived from them. All methods block and
/// may be called from any thread. Several processes may use the same library at once.
package final class PageLibrary: Sendable {
  /// The order of a list of pages.
  package enum Order: Sendable, Equatable {
    /// Pages are in the order in which they got the attribute.
    case oldestFirst
    /// The page that got the attribute last comes first.
    case newestFirst
  }

  /// The version of the database schema.
  package static let databaseVersion = LibraryStore.schemaVersion

  private struct State {
    var store: LibraryStore?
    /// The identity of the database file when it was opened; nil if no file is open.
    var file: OpenFile.Status?
    var isClosed = false
    /// The date of the last fact about each attribute. New facts are dated later, so that lists
    /// keep the order in which facts were recorded.
    var lastFactDates: [LibraryAttribute: Int64] = [:]
  }

  let directory: JournalDirectory
  /// Receives messages for the user, one line each.
  let report: @Sendable (String) -> Void
  private let database: URL
  let firstSeenFile: URL?
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())
  /// The cache keys of what running saves load, with the number of these saves.
  private let loadingKeys: Mutex<[String: Int]> = Mutex([:])

  /// Creates a library without opening the database or any journal.
  /// - Parameters:
  ///   - directory: The directory of the journals.
  ///   - database: The file of the database.
  ///   - device: The name of this device.
  ///   - refusal: The reason why nothing may be written, for example because the device name is
  ///     unknown; nil if writing is allowed.
  ///   - firstSeenFile: The file with the times at which facts dated in the future were first seen;
  ///     nil to store nothing.
  ///   - recent: Receives a backup copy of each append to this device's journal; nil for none.
  ///   - clock: Returns the current time.
  ///   - note: Receives messages for the user, one line each.
  package init(
    directory: URL, database: URL, device: String, refusal: ArchiveError? = nil,
    firstSeenFile: URL? = nil, recent: RecentAppends? = nil,
    clock: @escaping @Sendable () -> Date = { Date() },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.directory = JournalDirectory(
      path: directory.path, device: SegmentName.device(device), refusal: refusal,
      recentAppends: recent)
    self.database = database
    self.firstSeenFile = refusal == nil ? firstSeenFile : nil
    self.clock = clock
    self.report = note
  }

  /// The maximum number of changes written at once.
  private static let maxBatchedChanges = 10_000

  /// Records changes and flushes them to the disk, except changes that have no effect. If the
  /// directory of the journals was deleted, all previously recorded facts are discarded first.
  /// - Parameter changes: The changes, in order.
  /// - Throws: `ArchiveError` if the changes cannot be written.
  package func record(_ changes: some Collection<LibraryChange>) throws(ArchiveError) {
    guard !changes.isEmpty else { return }
    if let refusal = directory.refusal { throw refusal }
    if try LocalFileSystem().status(of: directory.path) == nil {
      // The user deleted the journals with their directory, so their facts must not be restored.
      state.withLock { state in
        state.store?.close()
        state.store = nil
      }
      try? RebuildableDatabase.remove(database.path)
      try? directory.recentAppends?.forget(directory.fileName)
      try LocalFileSystem().makeDirectories(directory.path)
    }
    var rest = changes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.maxBatchedChanges))
      rest = rest.dropFirst(Self.maxBatchedChanges)
      try using { store, last throws in try record(part, store, &last) }
    }
  }

  private func record(
    _ changes: [LibraryChange], _ store: LibraryStore,
    _ lastFactDates: inout [LibraryAttribute: Int64]
  ) throws {
    let now = milliseconds
    let removals = try store.removals()
    /// The facts of this batch, before they are written.
    var batchFacts: [LibraryChange: LibraryFact] = [:]
    var facts: [LibraryFact] = []
    for change in changes.flatMap(\.withRemovalCancelled) {
      let subject = LibraryChange(change.key, change.attribute, nil)
      let oldFact = try batchFacts[subject] ?? store.fact(change.attribute, of: change.key)
      guard oldFact?.value != change.value else { continue }
      if change.attribute == .pinned, let oldFact, let value = change.value,
        PinnedDate.isRepeated(value, after: oldFact)
      {
        continue
      }
      // The new fact must be later than all others, even if the clock was set back.
      let removalDate = removals.isEmpty ? nil : removals[LibraryJournal.digest(of: change.key)]
      let lastDate = [oldFact?.date, removalDate, lastFactDates[change.attribute]].compactMap(
        \.self
      ).max()
      let date = max(now, lastDate.map { $0 + 1 } ?? now)
      lastFactDates[change.attribute] = date
      let fact = LibraryFact(
        key: change.key, attribute: change.attribute, value: change.value, date: date,
        device: directory.device)
      batchFacts[subject] = fact
      facts.append(fact)
    }
    guard !facts.isEmpty else { return }
    try directory.append(LibraryJournal.text(facts))
    try catchUp(store)
    if try store.hasUndoneRemovals() { try purge(nil, store) }
  }

  /// The current time in milliseconds since 1970, clamped to the years that a journal can
  /// represent, so that no fact is lost because of a wrong clock.
  var milliseconds: Int64 {
    let now = (clock().timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(0, now), Self.maxMilliseconds))
  }

  /// The first moment of the year 9999 in milliseconds since 1970; later facts can still be dated
  /// within that year.
  private static let maxMilliseconds: Double = 253_370_764_800_000

  /// Returns whether a page must not be evicted. This is so if the page is pinned (on its own or
  /// with a collection), a followed feed, an item of a followed feed, about to be removed, or a
  /// frame of such a page, or if a running save will pin it. If the library cannot be read, the
  /// result is true, so that no page is evicted by mistake.
  package func isEvictionExempt(_ key: String) -> Bool {
    if loadingKeys.withLock({ $0[key] != nil }) { return true }
    do throws(ArchiveError) {
      return try withStore { store throws in
        func isEvictionExempt(_ page: String) throws -> Bool {
          try LibraryAttribute.evictionExempt.contains {
            try store.fact($0, of: page)?.value != nil
          }
            || store.isInPinnedCollection(page)
        }
        return try isEvictionExempt(key)
          || store.pages(needing: key).contains(where: isEvictionExempt)
      }
    } catch {
      return true
    }
  }

  /// Exempts a page, or a part of a page, from eviction until `endLoading` is called: a save pins
  /// pages when it records them, which is after they were saved.
  /// - Parameter key: The cache key of the page or part.
  package func beginLoading(_ key: String) { loadingKeys.withLock { $0[key, default: 0] += 1 } }

  /// Ends the exemptions of keys that `beginLoading` began.
  package func endLoading(_ keys: Set<String>) {
    loadingKeys.withLock { counts in
      for key in keys {
        guard let count = counts[key] else { continue }
        counts[key] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// Returns the keys of the pages that are items of a feed, oldest first.
  /// - Throws: `ArchiveError.unreadable`.
  package func items(of feed: String) throws(ArchiveError) -> [String] {
    try withStore { store throws in try store.items(of: feed) }
  }

  /// Returns whether this device has recorded that a page may be in a private network.
  /// - Throws: `ArchiveError.unreadable`.
  package func isLocal(_ key: String) throws(ArchiveError) -> Bool {
    try withStore { store throws in
      let fact = try store.fact(.local, of: key)
      return fact?.value != nil && fact?.device == directory.device
    }
  }

  /// Returns a page by its key. If there are no facts about the page, it has no properties except
  /// its key and URL.
  /// - Throws: `ArchiveError.unreadable`.
  package func page(_ key: String) throws(ArchiveError) -> LibraryPage {
    try withStore { store throws in try store.page(key) }
  }

  /// Returns whether a page is pinned only because it continues the text of another page that is
  /// pinned, so that lists need not contain both.
  /// - Throws: `ArchiveError.unreadable`.
  package func isContinuation(_ page: LibraryPage) throws(ArchiveError) -> Bool {
    guard !page.continuedPage.isEmpty else { return false }
    return try self.page(page.continuedPage).pinnedDate != nil
  }

  /// Returns the pages with an attribute, in the order in which the attribute was set for them.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(with attribute: LibraryAttribute) throws(ArchiveError) -> [LibraryPage] {
    try withStore { store throws in try store.pages(with: attribute) }
  }

  /// Returns pages by their keys, in the order of the keys.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(_ keys: some Sequence<String>) throws(ArchiveError) -> [LibraryPage] {
    try withStore { store throws in try store.pages(keys) }
  }

  /// Visits the pages with an attribute, in the order in which the attribute was set for them, in
  /// batches: only the keys of all pages are in memory at once.
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - visit: Called with the pages of each batch.
  /// - Throws: `ArchiveError.unreadable`, and errors that `visit` throws.
  package func forEachPage(
    with attribute: LibraryAttribute, _ visit: ([LibraryPage]) throws -> Void
  ) throws {
    let keys = try withStore { store throws in try store.orderedKeys(with: attribute) }
    for start in stride(from: 0, to: keys.count, by: Self.batchSize) {
      let piece = keys[start..<min(start + Self.batchSize, keys.count)]
      try visit(pages(piece).filter { $0.removed == nil || attribute == .removed })
    }
  }

  /// The number of pages in a batch.
  private static let batchSize = 1000

  /// Returns the keys of the pages with an attribute, unordered.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(with attribute: LibraryAttribute) throws(ArchiveError) -> [String] {
    try withStore { store throws in try store.keys(with: attribute) }
  }

  /// Returns a range of the pages with an attribute.
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - range: The range of positions in the complete list, from 0.
  ///   - order: The order of the list.
  /// - Returns: The pages in that order.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(
    with attribute: LibraryAttribute, range: Range<Int>, order: PageLibrary.Order
  ) throws(ArchiveError) -> [LibraryPage] {
    try withStore { store throws in try store.pages(with: attribute, range: range, order: order) }
  }

  /// Returns the number of pages with an attribute.
  /// - Throws: `ArchiveError.unreadable`.
  package func count(with attribute: LibraryAttribute) throws(ArchiveError) -> Int {
    try withStore { store throws in try store.count(with: attribute) }
  }

  /// Returns each tag with the number of pages that have it, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func tags() throws(ArchiveError) -> [(tag: String, pages: Int)] {
    try withStore { store throws in try store.tags() }
  }

  /// Returns all tags that are or were in use.
  /// - Throws: `ArchiveError.unreadable`.
  func tagNames() throws(ArchiveError) -> [String] {
    try withStore { store throws in try store.tagNames() }
  }

  /// Returns the pages with highlights, ordered by the last change of a highlight, without pages to
  /// be removed.
  /// - Throws: `ArchiveError.unreadable`.
  package func highlightedPages() throws(ArchiveError) -> [LibraryPage] {
    try withStore { store throws in
      try store.pages(try store.highlightedKeys()).filter {
        $0.removed == nil && !$0.highlights.isEmpty
      }
    }
  }

  /// Returns the notes of the user.
  /// - Throws: `ArchiveError.unreadable`.
  func notes() throws(ArchiveError) -> [(key: String, note: String)] {
    try withStore { store throws in try store.notes() }
  }

  /// Removes all facts about pages from this device's journal. Earlier facts of other devices no
  /// longer apply, and those devices delete them from their journals when they read of the removal.
  ///
  /// Only a digest of the URL of a removed page is stored.
  /// - Parameters:
  ///   - keys: The keys of the pages; pages without facts are skipped.
  ///   - saved: The keys of the pages with saved data. Their removal is recorded even without
  ///     facts, so that importing an older file does not restore them.
  /// - Throws: `ArchiveError`.
  package func forget(_ keys: Set<String>, saved: Set<String> = []) throws(ArchiveError) {
    try withStore { store throws in
      try catchUp(store)
      let now = milliseconds
      var dates = try store.lastDates(of: keys.sorted())
      for key in saved { dates[key] = max(now, dates[key] ?? now) }
      // Other devices may know a page only by another spelling of its key.
      let spellings = try store.otherDigests(of: dates.keys)
      let removals = dates.flatMap { key, date in
        ([LibraryJournal.digest(of: key)] + (spellings[key] ?? [])).map {
          LibraryJournal.Removal(digest: $0, date: max(now, date))
        }
      }
      guard !removals.isEmpty else { return }
      let hadUndone = try store.hasUndoneRemovals()
      try directory.append(LibraryJournal.text(removals))
      try catchUp(store)
      try purge(hadUndone ? nil : keys, store)
      try RebuildableDatabase.removeDamaged(database.path)
    }
  }

  /// Returns the devices whose journals are present, except this one.
  /// - Throws: `ArchiveError.unreadable`.
  package func otherDevices() throws(ArchiveError) -> [String] {
    var devices: [String] = []
    for file in try directory.list() where file.name != directory.fileName {
      // A journal of another device that has the same device name counts as this device's.
      let device = try directory.head(of: file.name)?.device
      if let device, device != directory.device { devices.append(device) }
    }
    return devices
  }

  /// Returns the facts of an external journal that would apply and change the library.
  /// - Throws: `ArchiveError.unreadable`.
  package func newFacts(among facts: [LibraryFact]) throws(ArchiveError) -> [LibraryFact] {
    try withStore { store throws in
      let removals = try store.removals()
      return try facts.filter { fact in
        if !removals.isEmpty, let removalDate = removals[LibraryJournal.digest(of: fact.key)],
          fact.date <= removalDate
        {
          return false
        }
        guard let knownFact = try store.fact(fact.attribute, of: fact.key) else {
          return fact.value != nil
        }
        return fact.supersedes(knownFact) && fact.value != knownFact.value
      }
    }
  }

  /// Returns the pages whose facts are all older than their removal.
  /// - Parameter removals: The times of removals in milliseconds since 1970, by the digests of the
  ///   pages.
  /// - Returns: The keys of the pages, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(removedBy removals: [String: Int64]) throws(ArchiveError) -> [String] {
    guard !removals.isEmpty else { return [] }
    return try withStore { store throws in
      let keys = try store.keys()
      let dates = try store.lastDates(of: keys)
      return keys.filter { key in
        guard let removalDate = removals[LibraryJournal.digest(of: key)] else { return false }
        return dates[key].map { $0 <= removalDate } ?? true
      }.sorted()
    }
  }

  /// Returns the times when pages were removed.
  /// - Parameter keys: The keys of the pages.
  /// - Returns: The times for those pages that were removed, even if facts were recorded since.
  /// - Throws: `ArchiveError.unreadable`.
  package func removals(of keys: some Sequence<String>) throws(ArchiveError) -> [String: Date] {
    try withStore { store throws in
      let removals = try store.removals()
      var dates: [String: Date] = [:]
      for key in keys where !removals.isEmpty {
        dates[key] = removals[LibraryJournal.digest(of: key)].map {
          Date(timeIntervalSince1970: Double($0) / 1000)
        }
      }
      return dates
    }
  }

  /// Deletes the facts about removed pages from this device's journal.
  /// - Parameters:
  ///   - keys: The removed pages, or nil for all pages that any device has removed.
  ///   - store: The store.
  /// - Throws: `ArchiveError`.
  private func purge(_ keys: Set<String>?, _ store: LibraryStore) throws {
    let removals = try store.removals()
    func isGone(_ key: String, _ date: Int64) -> Bool {
      removals[LibraryJournal.digest(of: key)].map { date <= $0 } ?? false
    }
    func mayBeRemoved(_ key: String) -> Bool {
      keys?.contains(key) ?? (removals[LibraryJournal.digest(of: key)] != nil)
    }
    // Damaged lines are restored first, because rewriting deletes them: it is unknown which page
    // they are about.
    try repairDamagedLines(store)
    let rewriting = try directory.rewrite(where: mayBeRemoved) { entry in
      switch entry {
      case .fact(let fact): !isGone(fact.key, fact.date)
      case .other(let key?): !isGone(key, .min)
      case .other(nil), .removal: true
      // It is unknown which page the line is about.
      case .damaged: false
      }
    }
    guard let rewriting else { return try store.recordRemovalsDone() }
    if try !store.recordRewriting(rewriting, of: directory.fileName) { try catchUp(store) }
  }

  /// Reads the changes of other processes and devices.
  /// - Throws: `ArchiveError.unreadable`.
  package func catchUp() throws(ArchiveError) {
    try withStore { store throws in try catchUp(store) }
  }

  /// Reads the changes of other processes and devices, and restores lost lines of this device's
  /// journal.
  func repairDamagedLines() throws(ArchiveError) {
    try withStore { store throws in
      try catchUp(store)
      try repairDamagedLines(store)
    }
  }

  /// Closes the database, and restores lost lines at the end of this device's journal. The library
  /// cannot be used afterwards.
  package func close() {
    let store = state.withLock { state in
      state.isClosed = true
      defer { state.store = nil }
      return state.store
    }
    store?.close()
    if store != nil { _ = directory.restoreLost(isThorough: true) }
    directory.recentAppends?.close()
  }

  /// Calls a function with the store, after opening it and updating it from the journals if
  /// necessary.
  func withStore<Value: Sendable>(
    _ use: (LibraryStore) throws -> Value
  ) throws(ArchiveError) -> Value {
    try using { store, _ throws in try use(store) }
  }

  /// Calls a function with the store and the dates of the last facts. If the database is damaged,
  /// it is rebuilt once and the function is called again.
  private func using<Value: Sendable>(
    _ use: (LibraryStore, inout [LibraryAttribute: Int64]) throws -> Value
  ) throws(ArchiveError) -> Value {
    try state.withLock { state throws(ArchiveError) in
      do {
        do {
          return try use(openStore(&state), &state.lastFactDates)
        } catch is DatabaseDamage {
          let damagedFile = state.file
          state.store?.close()
          state.store = nil
          return try use(openStore(&state, insteadOf: damagedFile), &state.lastFactDates)
        }
      } catch let error as ArchiveError {
        throw error
      } catch is DatabaseDamage {
        throw .unreadable("the library: its database is damaged")
      } catch {
        throw ErrorMessage.archiveError(error, of: "the library")
      }
    }
  }

  /// Opens the store and updates it from the journals. If no database file can be used, the store
  /// is in memory.
  private func openStore(
    _ state: inout State, insteadOf damaged: OpenFile.Status? = nil
  ) throws -> LibraryStore {
    if let store = state.store { return store }
    guard !state.isClosed else { throw ArchiveError.unreadable("the library is closed") }
    var opened: LibraryStore?
    // A read-only process creates no directory. The database records which journal is this device's
    // own, so it is not used without a device name.
    if directory.refusal == nil, try LocalFileSystem().status(of: directory.path) != nil {
      do {
        opened = try openStoreFile(&state, insteadOf: damaged)
      } catch let damage as DatabaseDamage {
        throw damage
      } catch {
        // No file can be used; the store is in memory.
      }
    }
    if opened == nil {
      let store = try LibraryStore(path: nil)
      try catchUp(store)
      opened = store
    }
    state.store = opened
    guard let opened else { throw DatabaseDamage() }
    return opened
  }

  private func openStoreFile(
    _ state: inout State, insteadOf damaged: OpenFile.Status?
  ) throws -> LibraryStore {
    let path = database.path
    if damaged != nil { try restoreSalvaged() }
    let (store, found) = try RebuildableDatabase.opening(path, insteadOf: damaged) { file in
      state.file = file
      return try LibraryStore(path: path)
    }
    do {
      if found == .damaged { report(LibraryNotice.rebuilt.description) }
      try catchUp(store)
      guard found != nil else { return store }
      // If the damage kept another process from finishing a removal, the removal is finished here.
      if try !store.removals().isEmpty { try purge(nil, store) }
      return store
    } catch {
      store.close()
      throw error
    }
  }

  /// Appends the facts that only the damaged database contains to this device's journal, before the
  /// database is replaced.
  /// - Throws: `ArchiveError` if the journals cannot be read or the facts cannot be written; the
  ///   database must not be replaced in that case.
  private func restoreSalvaged() throws {
    let contents = LibraryStore.salvagedContents(of: directory.device, from: database.path)
    guard try restore(contents) else {
      throw ArchiveError.unwritable(
        "lost lines of \(directory.fileName) are only in the database of the library, which is not replaced"
      )
    }
  }

  /// Rebuilds the database from the journals. Facts that only the old database contains are
  /// appended to this device's journal first.
  /// - Throws: `ArchiveError`; the old database is unchanged in that case.
  package func rebuild() throws(ArchiveError) {
    if let refusal = directory.refusal { throw refusal }
    do {
      try state.withLock { state in
        state.store?.close()
        state.store = nil
        guard try LocalFileSystem().status(of: directory.path) != nil else { return }
        // Only one process at a time may rebuild the database, because the temporary file has a
        // fixed name.
        let lock = try LocalFileSystem().openDirectory(directory.path)
        try lock?.lock()
        defer { lock?.unlock() }
        try restoreSalvaged()
        let temporaryPath = database.path + ".rebuilding"
        try RebuildableDatabase.remove(temporaryPath)
        defer { try? RebuildableDatabase.remove(temporaryPath) }
        let store = try RebuildableDatabase.opening(temporaryPath) { _ in
          try LibraryStore(path: temporaryPath)
        }.store
        try catchUp(store)
        store.close()
        try RebuildableDatabase.replace(database.path, by: temporaryPath)
      }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ErrorMessage.archiveError(error, of: "the library")
    }
  }
}
