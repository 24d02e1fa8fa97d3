package import Foundation
package import OfflineCache
import Synchronization

/// What only the person knows: which pages are kept, their tags and notes, what waits in the queue,
/// which feeds are followed.
///
/// The journals are the truth; the database is built from them. Every method blocks and may be called
/// from any thread; several processes may use the same library at once.
package final class PageLibrary: Sendable {
  private struct State {
    var store: LibraryStore?
    var isClosed = false
    /// The date of the last fact about each attribute: lists keep the order in which things were said.
    var last: [LibraryAttribute: Int64] = [:]
  }

  private let folder: JournalFolder
  private let database: URL
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())

  /// Names a library; nothing is opened yet.
  /// - Parameters:
  ///   - folder: where the journals are.
  ///   - database: the file that is built from them.
  ///   - machine: the name of this machine.
  ///   - clock: the time of day.
  package init(
    folder: URL, database: URL, machine: String,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.folder = JournalFolder(path: folder.path, machine: SegmentName.machine(machine))
    self.database = database
    self.clock = clock
  }

  /// Says things of pages, but for what is so already. They are on the disk when this returns.
  /// - Throws: `ArchiveError` when they cannot be written.
  package func record(_ changes: [LibraryChange]) throws(ArchiveError) {
    guard !changes.isEmpty else { return }
    try LocalFileSystem().makeFolders(folder.path)
    try using { store, last throws in
      let now = Int64((clock().timeIntervalSince1970 * 1000).rounded())
      let facts = try changes.compactMap { change -> LibraryFact? in
        let before = try store.fact(change.attribute, of: change.key)
        guard before?.value != change.value else { return nil }
        // What is said now counts, also when the clock was set back since.
        let earliest = max(before?.date ?? .min, last[change.attribute] ?? .min)
        let date = max(now, earliest == .min ? now : earliest + 1)
        last[change.attribute] = date
        return LibraryFact(
          key: change.key, attribute: change.attribute, value: change.value, date: date,
          machine: folder.machine)
      }
      guard !facts.isEmpty else { return }
      try folder.append(facts)
      try catchUp(store)
    }
  }

  /// Whether a page is kept. When that cannot be told it is: nothing is to be evicted by mistake.
  package func isKept(_ key: String) -> Bool {
    do throws(ArchiveError) {
      return try using { store throws in try store.fact(.kept, of: key)?.value } != nil
    } catch {
      return true
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

  /// Takes everything that was said of pages out of this machine's journal.
  /// - Parameter keys: the pages.
  /// - Throws: `ArchiveError`.
  package func forget(_ keys: Set<String>) throws(ArchiveError) {
    try using { store throws in
      if try folder.rewrite(keeping: { !keys.contains($0.key) }) { try catchUp(store) }
    }
  }

  /// Reads what other processes and machines have written.
  /// - Throws: `ArchiveError.unreadable`.
  package func catchUp() throws(ArchiveError) {
    try using { store throws in try catchUp(store) }
  }

  /// Closes the database. Nothing can be done with the library afterwards.
  package func close() {
    let store = state.withLock { state in
      state.isClosed = true
      defer { state.store = nil }
      return state.store
    }
    store?.close()
  }

  /// Uses the store; opens it first, level with the journals.
  private func using<Value: Sendable>(
    _ use: (LibraryStore) throws -> Value
  ) throws(ArchiveError) -> Value {
    try using { store, _ throws in try use(store) }
  }

  private func using<Value: Sendable>(
    _ use: (LibraryStore, inout [LibraryAttribute: Int64]) throws -> Value
  ) throws(ArchiveError) -> Value {
    try state.withLock { state throws(ArchiveError) in
      do {
        if let store = state.store { return try use(store, &state.last) }
        guard !state.isClosed else { throw ArchiveError.unreadable("the library is closed") }
        let store = try opened()
        state.store = store
        return try use(store, &state.last)
      } catch let error as ArchiveError {
        throw error
      } catch {
        throw .unreadable("the library: \(error)")
      }
    }
  }

  /// The store in its file; built again when that is damaged, and in memory when there can be none.
  private func opened() throws -> LibraryStore {
    // Who only looks makes no folder where none is.
    let isWanted = try LocalFileSystem().status(of: folder.path) != nil
    return try RebuildableDatabase.opened(database, isWanted: isWanted) { path in
      let store = try LibraryStore(path: path)
      try catchUp(store)
      return store
    }
  }

  private func catchUp(_ store: LibraryStore) throws {
    // Before the folder is looked at: what is known by then and not there is gone.
    let seen = try store.seen()
    let files = try folder.list()
    let names = Set(files.map(\.name))
    var heads: [String: LibraryJournal.Head] = [:]
    for file in files where seen[file.name]?.offset != file.status.size {
      heads[file.name] = try folder.head(of: file.name)
    }
    let isRewritten = files.contains { file in
      guard let known = seen[file.name], let head = heads[file.name] else { return false }
      return known.id != head.id || known.offset > file.status.size
    }
    if isRewritten || !seen.keys.allSatisfy(names.contains) {
      // What is gone may have hidden an earlier word of another machine.
      try store.clear()
      return try catchUp(store)
    }
    for file in files {
      guard let head = heads[file.name] else { continue }
      let start = seen[file.name]?.offset ?? 0
      guard let bytes = try folder.bytes(of: file.name, from: start) else { continue }
      let (facts, length) = LibraryJournal.facts(bytes[...], machine: head.machine)
      try store.take(facts, from: file.name, .init(id: head.id, offset: start + Int64(length)))
    }
  }
}
