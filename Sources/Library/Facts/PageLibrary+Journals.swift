package import OfflineCache

// Reads and repairs the journals, which are the source of truth. The database reflects their state
// when they were last read.

extension PageLibrary {
  /// Updates a store from the journals.
  func catchUp(_ store: LibraryStore) throws {
    if directory.restoreLost() > 0 {
      report(LibraryNotice.restoredEnd(directory.fileName).description)
    }
    // The positions are read before the directory is listed. Therefore, a journal with a position
    // is missing if it is not listed.
    let readPositions = try store.readPositions()
    let files = try directory.list()
    let names = Set(files.map(\.name))
    let changedFiles = try files.filter { file in
      try readPositions[file.name].map { try !directory.continues(file.name, $0) } ?? false
    }
    if !changedFiles.isEmpty || !readPositions.keys.allSatisfy(names.contains),
      try restore(store.contents(of: directory.device))
    {
      // A lost fact may have overridden an earlier fact of another device, so the store is rebuilt.
      try store.clear()
      return try catchUp(store)
    }
    // If lost lines cannot be restored, the known facts are kept, and reading continues.
    for file in files
    where readPositions[file.name]?.offset != file.status.size
      && !changedFiles.contains(where: { $0.name == file.name })
    {
      let damagedLength = try read(
        file.name, from: readPositions[file.name]?.offset ?? 0, into: store)
      if damagedLength > 0 {
        report(LibraryNotice.damagedLines(file.name, damagedLength).description)
      }
    }
  }

  /// Reads a journal from an offset.
  /// - Returns: The number of damaged lines.
  private func read(_ name: String, from offset: Int64, into store: LibraryStore) throws -> Int {
    let isOwn = name == directory.fileName
    lazy var firstSeenTimes = FirstSeenTimes(firstSeenFile, now: milliseconds)
    var damaged = 0
    try directory.read(name, from: offset) { bytes, head, seen in
      var contents = LibraryStore.Contents()
      _ = LibraryJournal.lines(bytes) { line in
        switch LibraryJournal.entry(line, device: head.device) {
        // Only the device itself can record which pages are in its local network.
        case .fact(let fact) where fact.attribute == .local && !isOwn: break
        case .fact(let fact):
          contents.facts.append(isOwn ? fact : firstSeenTimes.withPlausibleDate(fact))
        case .removal(let removal):
          contents.removals.append(
            isOwn ? removal : firstSeenTimes.withPlausibleDate(removal, of: head.device))
        case .damaged: damaged += 1
        case .other: break
        }
      }
      // The first-seen times are stored first; otherwise, the facts would get a later date after a
      // crash in between.
      if !isOwn { firstSeenTimes.save() }
      try store.apply(contents.facts, contents.removals, isOwn: isOwn, from: name, seen)
    }
    return damaged
  }

  /// Appends to this device's journal the known facts that no journal contains because lines were
  /// lost.
  /// - Parameter contents: The known facts and removals.
  /// - Returns: Whether the journals are now complete; if they are not, a message is reported.
  /// - Throws: `ArchiveError` if the journals cannot be read, `DatabaseDamage`, `DatabaseError`.
  @discardableResult
  func restore(_ contents: LibraryStore.Contents) throws -> Bool {
    func missing() throws -> LibraryStore.Contents {
      let journals = try LibraryStore(path: nil)
      defer { journals.close() }
      for file in try directory.list() { _ = try read(file.name, from: 0, into: journals) }
      return try journals.missingContents(of: contents)
    }
    guard contents != LibraryStore.Contents(), try missing() != LibraryStore.Contents() else {
      return true
    }
    var count = 0
    do {
      try directory.append {
        // Another process may have restored the facts in the meantime.
        let missing = try missing()
        count = missing.facts.count + missing.removals.count
        return LibraryJournal.text(missing.removals) + LibraryJournal.text(missing.facts)
      }
    } catch let error as ArchiveError {
      report(LibraryNotice.lostLines(directory.fileName, error.reason).description)
      return false
    }
    if count > 0 { report(LibraryNotice.restored(directory.fileName, count).description) }
    return true
  }

  /// Restores the known facts of damaged lines by appending them to this device's journal.
  func repairDamagedLines(_ store: LibraryStore) throws {
    guard try directory.list().contains(where: { $0.name == directory.fileName }) else { return }
    var isDamaged = false
    try directory.read(directory.fileName, from: 0) { bytes, head, _ in
      _ = LibraryJournal.lines(bytes) { line in
        if case .damaged = LibraryJournal.entry(line, device: head.device) { isDamaged = true }
      }
    }
    if isDamaged { try restore(store.contents(of: directory.device)) }
  }

  /// Checks every line of every journal. Lost lines of this device's journal are restored first, if
  /// their facts are known.
  /// - Parameter result: Receives the findings.
  /// - Throws: `ArchiveError`.
  package func verify(into result: inout Verification) throws(ArchiveError) {
    try repairDamagedLines()
    do {
      for file in try directory.list() {
        result.journals += 1
        try directory.read(file.name, from: 0) { bytes, _, seen in
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
      throw ErrorMessage.archiveError(error, of: "the library")
    }
  }
}
