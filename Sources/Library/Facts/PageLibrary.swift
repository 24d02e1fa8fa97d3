package import Foundation
package import OfflineCache
import Synchronization

/// What only the person knows: which pages are kept, their tags and notes, what waits in the queue,
/// which feeds are followed.
///
/// The journals are the truth; the database is built from them. Every method blocks and may be
/// called from any thread; several processes may use the same library at once.
package final class PageLibrary: Sendable {
  /// In which order pages are listed.
  package enum Order: Sendable, Equatable {
    /// As they got the attribute.
    case oldestFirst
    /// The last one that got it is the first.
    case newestFirst
  }

  /// The version of the tables in its database.
  package static let databaseVersion = LibraryStore.schemaVersion

  private struct State {
    var store: LibraryStore?
    /// The file that it is in, as it was when it was opened.
    var file: OpenFile.Status?
    var isClosed = false
    /// The date of the last fact about each attribute: lists keep the order in which things were
    /// said.
    var last: [LibraryAttribute: Int64] = [:]
  }

  let folder: JournalFolder
  /// Told what a person should hear of, one line each.
  let note: @Sendable (String) -> Void
  private let database: URL
  let sightings: URL?
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())

  /// Names a library; nothing is opened yet.
  /// - Parameters:
  ///   - folder: where the journals are.
  ///   - database: the file that is built from them.
  ///   - machine: the name of this machine.
  ///   - refusal: why nothing may be written, as that name is not known; nil when it may.
  ///   - sightings: the file that tells when facts from the future were first seen; nil for none.
  ///   - recent: receives a second copy of each append to this device's journal; nil for none.
  ///   - clock: the time of day.
  ///   - note: told what a person should hear of, one line each.
  package init(
    folder: URL, database: URL, machine: String, refusal: ArchiveError? = nil,
    sightings: URL? = nil, recent: RecentAppends? = nil,
    clock: @escaping @Sendable () -> Date = { Date() },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.folder = JournalFolder(
      path: folder.path, machine: SegmentName.machine(machine), refusal: refusal, recent: recent)
    self.database = database
    self.sightings = refusal == nil ? sightings : nil
    self.clock = clock
    self.note = note
  }

  /// So many changes go to the disk at a time.
  private static let batch = 10_000

  /// Says things of pages, but for what is so already. They are on the disk when this returns.
  /// - Parameter changes: what is said, in order.
  /// - Throws: `ArchiveError` when they cannot be written.
  package func record(_ changes: some Collection<LibraryChange>) throws(ArchiveError) {
    guard !changes.isEmpty else { return }
    if let refusal = folder.refusal { throw refusal }
    if try LocalFileSystem().status(of: folder.path) == nil {
      // What was known is of journals that somebody has removed with their folder, and is not to
      // come back.
      state.withLock { state in
        state.store?.close()
        state.store = nil
      }
      try? RebuildableDatabase.remove(database.path)
      try? folder.recent?.forget(folder.ownName)
      try LocalFileSystem().makeFolders(folder.path)
    }
    var rest = changes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(Self.batch)
      try using { store, last throws in try record(part, store, &last) }
    }
  }

  private func record(
    _ changes: [LibraryChange], _ store: LibraryStore, _ last: inout [LibraryAttribute: Int64]
  ) throws {
    let now = milliseconds
    let removals = try store.removals()
    /// What this batch says, before it is written.
    var said: [LibraryChange: LibraryFact] = [:]
    var facts: [LibraryFact] = []
    for change in changes.flatMap(\.withReturn) {
      let subject = LibraryChange(change.key, change.attribute, nil)
      let before = try said[subject] ?? store.fact(change.attribute, of: change.key)
      guard before?.value != change.value else { continue }
      // What is said now counts, also when the clock was set back since.
      let removed = removals.isEmpty ? nil : removals[LibraryJournal.digest(of: change.key)]
      let earliest = [before?.date, removed, last[change.attribute]].compactMap(\.self).max()
      let date = max(now, earliest.map { $0 + 1 } ?? now)
      last[change.attribute] = date
      let fact = LibraryFact(
        key: change.key, attribute: change.attribute, value: change.value, date: date,
        machine: folder.machine)
      said[subject] = fact
      facts.append(fact)
    }
    guard !facts.isEmpty else { return }
    try folder.append(LibraryJournal.text(facts))
    try catchUp(store)
    if try store.hasUndoneRemovals() { try purge(nil, store) }
  }

  /// The time of day in milliseconds since 1970. With a clock outside the years that a journal can
  /// hold it is the nearest date that can be read again, so that nothing that is recorded is lost.
  var milliseconds: Int64 {
    let now = (clock().timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(0, now), Self.latest))
  }

  /// The first instant of 9999, which leaves room for later facts of the same year.
  private static let latest: Double = 253_370_764_800_000

  /// Returns whether a page is pinned, belongs to a feed, or is a frame of such a page. If the
  /// library cannot be read the result is true, so that nothing is evicted by mistake.
  package func isKept(_ key: String) -> Bool {
    do throws(ArchiveError) {
      return try using { store throws in
        func isKept(_ page: String) throws -> Bool {
          try LibraryAttribute.keeping.contains { try store.fact($0, of: page)?.value != nil }
        }
        return try isKept(key) || store.pages(needing: key).contains(where: isKept)
      }
    } catch {
      return true
    }
  }

  /// The pages that came as items of a feed and still are, those that came first in front.
  /// - Throws: `ArchiveError.unreadable`.
  package func items(of feed: String) throws(ArchiveError) -> [String] {
    try using { store throws in try store.items(of: feed) }
  }

  /// Whether this machine has said that a page may be of a network of one's own.
  /// - Throws: `ArchiveError.unreadable`.
  package func isLocal(_ key: String) throws(ArchiveError) -> Bool {
    try using { store throws in
      let fact = try store.fact(.local, of: key)
      return fact?.value != nil && fact?.machine == folder.machine
    }
  }

  /// What is said of a page.
  /// - Throws: `ArchiveError.unreadable`.
  package func page(_ key: String) throws(ArchiveError) -> LibraryPage {
    try using { store throws in try store.page(key) }
  }

  /// The pages with an attribute, in the order in which they got it.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(with attribute: LibraryAttribute) throws(ArchiveError) -> [LibraryPage] {
    try using { store throws in try store.pages(with: attribute) }
  }

  /// What is said of each of some pages, in their order.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(_ keys: some Sequence<String>) throws(ArchiveError) -> [LibraryPage] {
    try using { store throws in try store.pages(keys) }
  }

  /// Goes through the pages with an attribute, in the order in which they got it, some at a time:
  /// of many pages only the keys are in memory.
  /// - Parameters:
  ///   - attribute: what they have.
  ///   - visit: called with the pages of each piece.
  /// - Throws: `ArchiveError.unreadable`, and what `visit` throws.
  package func forEachPage(
    with attribute: LibraryAttribute, _ visit: ([LibraryPage]) throws -> Void
  ) throws {
    let keys = try using { store throws in try store.orderedKeys(with: attribute) }
    for start in stride(from: 0, to: keys.count, by: Self.pieceOfList) {
      let piece = keys[start..<min(start + Self.pieceOfList, keys.count)]
      try visit(pages(piece).filter { $0.removed == nil || attribute == .removed })
    }
  }

  /// So many pages are looked up at a time.
  private static let pieceOfList = 1000

  /// The keys of the pages with an attribute, in no order.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(with attribute: LibraryAttribute) throws(ArchiveError) -> [String] {
    try using { store throws in try store.keys(with: attribute) }
  }

  /// Some of the pages with an attribute.
  /// - Parameters:
  ///   - attribute: what they have.
  ///   - range: which places of the list of all of them are wanted, from 0.
  ///   - order: the order of the list.
  /// - Returns: the pages in their order.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(
    with attribute: LibraryAttribute, range: Range<Int>, order: PageLibrary.Order
  ) throws(ArchiveError) -> [LibraryPage] {
    try using { store throws in try store.pages(with: attribute, range: range, order: order) }
  }

  /// How many pages have an attribute.
  /// - Throws: `ArchiveError.unreadable`.
  package func count(with attribute: LibraryAttribute) throws(ArchiveError) -> Int {
    try using { store throws in try store.count(with: attribute) }
  }

  /// Every tag with the number of pages that have it, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func tags() throws(ArchiveError) -> [(tag: String, pages: Int)] {
    try using { store throws in try store.tags() }
  }

  /// The tags that some page has, or had.
  /// - Throws: `ArchiveError.unreadable`.
  func tagNames() throws(ArchiveError) -> [String] {
    try using { store throws in try store.tagNames() }
  }

  /// The pages with passages that are kept (`LibraryPage.highlights`), those last that got one
  /// last, without what waits to be removed.
  /// - Throws: `ArchiveError.unreadable`.
  package func highlightedPages() throws(ArchiveError) -> [LibraryPage] {
    try using { store throws in
      try store.pages(try store.highlightedKeys()).filter {
        $0.removed == nil && !$0.highlights.isEmpty
      }
    }
  }

  /// A person's own words on pages.
  /// - Throws: `ArchiveError.unreadable`.
  func notes() throws(ArchiveError) -> [(key: String, note: String)] {
    try using { store throws in try store.notes() }
  }

  /// Forgets everything that was said of pages: it goes out of this machine's journal at once; that
  /// of other machines does not count any more, and goes out of their journals when they read of
  /// it.
  ///
  /// What stands for a removed page from then on is a digest of its address.
  /// - Parameters:
  ///   - keys: the pages; those of which nothing is said are passed over.
  ///   - saved: those of which something was saved: of them it is noted in any case, so that no
  ///     older file brings them back.
  /// - Throws: `ArchiveError`.
  package func forget(_ keys: Set<String>, saved: Set<String> = []) throws(ArchiveError) {
    try using { store throws in
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
      try folder.append(LibraryJournal.text(removals))
      try catchUp(store)
      try purge(hadUndone ? nil : keys, store)
      try RebuildableDatabase.removeDamaged(database.path)
    }
  }

  /// The machines whose journals are here, but for this one.
  /// - Throws: `ArchiveError.unreadable`.
  package func otherMachines() throws(ArchiveError) -> [String] {
    var machines: [String] = []
    for file in try folder.list() where file.name != folder.ownName {
      // Another machine may have the same name: what is of that name counts as this one's.
      let machine = try folder.head(of: file.name)?.machine
      if let machine, machine != folder.machine { machines.append(machine) }
    }
    return machines
  }

  /// Which of some facts of a journal that is not here would count, and say something else than
  /// what is said.
  /// - Throws: `ArchiveError.unreadable`.
  package func news(among facts: [LibraryFact]) throws(ArchiveError) -> [LibraryFact] {
    try using { store throws in
      let removals = try store.removals()
      return try facts.filter { fact in
        if !removals.isEmpty, let removed = removals[LibraryJournal.digest(of: fact.key)],
          fact.date <= removed
        {
          return false
        }
        guard let known = try store.fact(fact.attribute, of: fact.key) else {
          return fact.value != nil
        }
        return fact.supersedes(known) && fact.value != known.value
      }
    }
  }

  /// The pages of which all that is said here is from before their removal.
  /// - Parameter removals: when they were removed, in milliseconds since 1970, by what stands for
  ///   them.
  /// - Returns: their keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(removedBy removals: [String: Int64]) throws(ArchiveError) -> [String] {
    guard !removals.isEmpty else { return [] }
    return try using { store throws in
      let keys = try store.keys()
      let dates = try store.lastDates(of: keys)
      return keys.filter { key in
        guard let removed = removals[LibraryJournal.digest(of: key)] else { return false }
        return dates[key].map { $0 <= removed } ?? true
      }.sorted()
    }
  }

  /// When each of some pages was removed.
  /// - Parameter keys: the pages.
  /// - Returns: the time for those that were, also when something was said of them since.
  /// - Throws: `ArchiveError.unreadable`.
  package func removals(of keys: some Sequence<String>) throws(ArchiveError) -> [String: Date] {
    try using { store throws in
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

  /// Takes what was said of removed pages out of this machine's journal.
  /// - Parameters:
  ///   - keys: those that were removed, or nil for all that any machine has removed.
  ///   - store: the store.
  /// - Throws: `ArchiveError`.
  private func purge(_ keys: Set<String>?, _ store: LibraryStore) throws {
    let removals = try store.removals()
    func isGone(_ key: String, _ date: Int64) -> Bool {
      removals[LibraryJournal.digest(of: key)].map { date <= $0 } ?? false
    }
    func isInQuestion(_ key: String) -> Bool {
      keys?.contains(key) ?? (removals[LibraryJournal.digest(of: key)] != nil)
    }
    // Lines of which nobody can tell what they are about are left out.
    try mend(store)
    let rewriting = try folder.rewrite(where: isInQuestion) { entry in
      switch entry {
      case .fact(let fact): !isGone(fact.key, fact.date)
      case .other(let key?): !isGone(key, .min)
      case .other(nil), .removal: true
      // What it was about cannot be told.
      case .damaged: false
      }
    }
    guard let rewriting else { return try store.noteRemovalsDone() }
    if try !store.follow(rewriting, of: folder.ownName) { try catchUp(store) }
  }

  /// Reads what other processes and machines have written.
  /// - Throws: `ArchiveError.unreadable`.
  package func catchUp() throws(ArchiveError) {
    try using { store throws in try catchUp(store) }
  }

  /// Reads what others have written, and writes again what this machine's own journal has lost.
  func mend() throws(ArchiveError) {
    try using { store throws in
      try catchUp(store)
      try mend(store)
    }
  }

  /// Closes the database. Nothing can be done with the library afterwards.
  package func close() {
    let store = state.withLock { state in
      state.isClosed = true
      defer { state.store = nil }
      return state.store
    }
    store?.close()
    if store != nil { _ = folder.restoreLost(isThorough: true) }
    folder.recent?.close()
  }

  /// Uses the store; opens it first, up to date with the journals.
  func using<Value: Sendable>(
    _ use: (LibraryStore) throws -> Value
  ) throws(ArchiveError) -> Value {
    try using { store, _ throws in try use(store) }
  }

  /// A database that is found to be damaged is built again, once, and then it is done again.
  private func using<Value: Sendable>(
    _ use: (LibraryStore, inout [LibraryAttribute: Int64]) throws -> Value
  ) throws(ArchiveError) -> Value {
    try state.withLock { state throws(ArchiveError) in
      do {
        do {
          return try use(opened(&state), &state.last)
        } catch is DatabaseDamage {
          let damaged = state.file
          state.store?.close()
          state.store = nil
          return try use(opened(&state, insteadOf: damaged), &state.last)
        }
      } catch let error as ArchiveError {
        throw error
      } catch is DatabaseDamage {
        throw .unreadable("the library: its database is damaged")
      } catch {
        throw ErrorWords.archiveError(error, of: "the library")
      }
    }
  }

  /// The store in its file, up to date with the journals; in memory when there can be no file.
  private func opened(
    _ state: inout State, insteadOf damaged: OpenFile.Status? = nil
  ) throws -> LibraryStore {
    if let store = state.store { return store }
    guard !state.isClosed else { throw ArchiveError.unreadable("the library is closed") }
    var opened: LibraryStore?
    // Who only looks makes no folder where none is. In the file it stands which journal is this
    // machine's own.
    if folder.refusal == nil, try LocalFileSystem().status(of: folder.path) != nil {
      do {
        opened = try openedFile(&state, insteadOf: damaged)
      } catch let damage as DatabaseDamage {
        throw damage
      } catch {
        // There can be no file.
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

  private func openedFile(
    _ state: inout State, insteadOf damaged: OpenFile.Status?
  ) throws -> LibraryStore {
    let path = database.path
    if damaged != nil { try restoreSalvaged() }
    let (store, found) = try RebuildableDatabase.opening(path, insteadOf: damaged) { file in
      state.file = file
      return try LibraryStore(path: path)
    }
    do {
      if found == .damaged { note(LibraryNotice.rebuilt.description) }
      try catchUp(store)
      guard found != nil else { return store }
      // Whoever was about to do that may have met the damage before.
      if try !store.removals().isEmpty { try purge(nil, store) }
      return store
    } catch {
      store.close()
      throw error
    }
  }

  /// Writes to this machine's journal what only the database knows, before that is put aside.
  /// - Throws: `ArchiveError`, also when it cannot be written: the database has to stay then.
  private func restoreSalvaged() throws {
    let words = LibraryStore.salvagedWords(of: folder.machine, from: database.path)
    guard try restore(words) else {
      throw ArchiveError.unwritable(
        "\(folder.ownName) has lost lines that only the database of the library knows, which stays")
    }
  }

  /// Builds the database again without using the old one, which is put aside; what only that one
  /// knows is written to this machine's journal before.
  /// - Throws: `ArchiveError`; then the old one is where it was.
  package func rebuild() throws(ArchiveError) {
    if let refusal = folder.refusal { throw refusal }
    do {
      try state.withLock { state in
        state.store?.close()
        state.store = nil
        guard try LocalFileSystem().status(of: folder.path) != nil else { return }
        // One process at a time: the draft has one name for all.
        let lock = try LocalFileSystem().openFolder(folder.path)
        try lock?.lock()
        defer { lock?.unlock() }
        try restoreSalvaged()
        let draft = database.path + ".rebuilding"
        try RebuildableDatabase.remove(draft)
        defer { try? RebuildableDatabase.remove(draft) }
        let store = try RebuildableDatabase.opening(draft) { _ in
          try LibraryStore(path: draft)
        }.store
        try catchUp(store)
        store.close()
        try RebuildableDatabase.replace(database.path, by: draft)
      }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ErrorWords.archiveError(error, of: "the library")
    }
  }
}
