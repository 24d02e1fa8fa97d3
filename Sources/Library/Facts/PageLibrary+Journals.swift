package import OfflineCache

// The journals, as the library reads them, and keeps them whole: they are the truth, and the
// database is what they were when they were last read.

extension PageLibrary {
  /// Brings a store up to date with the journals.
  func catchUp(_ store: LibraryStore) throws {
    if folder.restoreLost() > 0 { note(LibraryNotice.restoredEnd(folder.ownName).description) }
    // Before the folder is looked at: what is known by then and not there is gone.
    let seen = try store.seen()
    let files = try folder.list()
    let names = Set(files.map(\.name))
    let others = try files.filter { file in
      try seen[file.name].map { try !folder.continues(file.name, $0) } ?? false
    }
    if !others.isEmpty || !seen.keys.allSatisfy(names.contains),
      try restore(store.words(of: folder.machine))
    {
      // What is gone may have hidden an earlier word of another machine.
      try store.clear()
      return try catchUp(store)
    }
    // When what is lost cannot be written again, what is known stays, and the rest goes on.
    for file in files
    where seen[file.name]?.offset != file.status.size
      && !others.contains(where: { $0.name == file.name })
    {
      let damaged = try read(file.name, from: seen[file.name]?.offset ?? 0, into: store)
      if damaged > 0 { note(LibraryNotice.damagedLines(file.name, damaged).description) }
    }
  }

  /// Reads a journal from an offset on.
  /// - Returns: how many lines are not what was written there.
  private func read(_ name: String, from offset: Int64, into store: LibraryStore) throws -> Int {
    let isOwn = name == folder.ownName
    lazy var sighted = FirstSeenTimes(sightings, now: milliseconds)
    var damaged = 0
    try folder.read(name, from: offset) { bytes, head, seen in
      var words = LibraryStore.Words()
      _ = LibraryJournal.lines(bytes) { line in
        switch LibraryJournal.entry(line, machine: head.machine) {
        // Of what network something is only this machine itself can say.
        case .fact(let fact) where fact.attribute == .local && !isOwn: break
        case .fact(let fact): words.facts.append(isOwn ? fact : sighted.settled(fact))
        case .removal(let removal):
          words.removals.append(isOwn ? removal : sighted.settled(removal, of: head.machine))
        case .damaged: damaged += 1
        case .other: break
        }
      }
      // Before they count: else a kill between the two gives them a later date the next time.
      if !isOwn { sighted.keep() }
      try store.take(words.facts, words.removals, isOwn: isOwn, from: name, seen)
    }
    return damaged
  }

  /// Writes to this machine's journal what is known of it and no journal says: it has lost lines.
  /// - Parameter words: what is known.
  /// - Returns: whether the journals say all of it now; that they do not is noted.
  /// - Throws: `ArchiveError` when they cannot be read, `DatabaseDamage`, `DatabaseError`.
  @discardableResult
  func restore(_ words: LibraryStore.Words) throws -> Bool {
    func missing() throws -> LibraryStore.Words {
      let journals = try LibraryStore(path: nil)
      defer { journals.close() }
      for file in try folder.list() { _ = try read(file.name, from: 0, into: journals) }
      return try journals.missing(of: words)
    }
    guard words != LibraryStore.Words(), try missing() != LibraryStore.Words() else { return true }
    var count = 0
    do {
      try folder.append {
        // Another process may have done it in the meantime.
        let missing = try missing()
        count = missing.facts.count + missing.removals.count
        return LibraryJournal.text(missing.removals) + LibraryJournal.text(missing.facts)
      }
    } catch let error as ArchiveError {
      note(LibraryNotice.lostLines(folder.ownName, "\(error)").description)
      return false
    }
    if count > 0 { note(LibraryNotice.restored(folder.ownName, count).description) }
    return true
  }

  /// Writes to this machine's journal again what its damaged lines said, as far as it is known.
  func mend(_ store: LibraryStore) throws {
    guard try folder.list().contains(where: { $0.name == folder.ownName }) else { return }
    var isDamaged = false
    try folder.read(folder.ownName, from: 0) { bytes, head, _ in
      _ = LibraryJournal.lines(bytes) { line in
        if case .damaged = LibraryJournal.entry(line, machine: head.machine) { isDamaged = true }
      }
    }
    if isDamaged { try restore(store.words(of: folder.machine)) }
  }

  /// Reads every line of every journal. Those of this machine that have lost lines are repaired
  /// before, as far as it is known what they said.
  /// - Parameter result: what was found is added to it.
  /// - Throws: `ArchiveError`.
  package func verify(into result: inout Verification) throws(ArchiveError) {
    try mend()
    do {
      for file in try folder.list() {
        result.journals += 1
        try folder.read(file.name, from: 0) { bytes, _, seen in
          let start = seen.offset - Int64(bytes.count)
          result.bytes += Int64(bytes.count)
          _ = LibraryJournal.lines(bytes) { line in
            result.lines += 1
            let offset = start + Int64(line.startIndex)
            guard let reason = LibraryJournal.fault(of: line, isFirst: offset == 0) else { return }
            result.damages.append(
              Verification.Damage(
                file: file.name, offset: offset, length: Int64(line.count), url: nil,
                reason: reason))
          }
        }
      }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ErrorWords.archiveError(error, of: "the library")
    }
  }
}

/// What a person should hear of the library.
enum LibraryNotice: CustomStringConvertible {
  /// The database was damaged and was built again.
  case rebuilt
  /// So many lines of a journal are not what was written there.
  case damagedLines(String, Int)
  /// So many lines that a journal had lost were written again.
  case restored(String, Int)
  /// The end of a journal had been lost and was restored from the second copy.
  case restoredEnd(String)
  /// A journal has lost lines, which cannot be written again.
  case lostLines(String, String)

  var description: String {
    switch self {
    case .rebuilt:
      "the database of the library was built again: it was damaged"
    case .damagedLines(let name, let count):
      "\(name): \(count == 1 ? "a line is" : "\(count) lines are") damaged and passed over"
    case .restored(let name, let count):
      "\(name) had lost \(count == 1 ? "a line, which was" : "\(count) lines, which were")"
        + " written again from the database"
    case .restoredEnd(let name):
      "\(name) had lost its last lines, which were written again from a second copy"
    case .lostLines(let name, let reason):
      "\(name) has lost lines, which cannot be written again: \(reason)"
    }
  }
}
