import Foundation
import Synchronization
import WARC

/// Opening the index, and keeping it up to date with the segments.
extension Archive {
  /// Opens the index, or whatever takes its place.
  func openIndex() {
    var amount = BackgroundScan.Amount()
    let index = keepsIndex ? writableIndex(&amount) : readOnlyIndex(&amount)
    state.withLock { state in
      state.index = index
      state.generation += 1
    }
    arrivals.begin(amount) { [weak self] in
      guard let self else { return nil }
      let pace = ScanPace.behind { [arrivals] in arrivals.isStopped }
      _ = try? usingIndex { index throws(IndexError) in try self.catchUp(index, pace: pace) }
      return self
    }
  }

  /// Builds an index from the segments, in its file if that is possible.
  /// - Parameters:
  ///   - damaged: the file that is to go; one that took its place meanwhile is used.
  ///   - reason: what is wrong with it.
  /// - Returns: the index, in memory when there is no file to be had, or nil when nothing can be read.
  func builtIndex(insteadOf damaged: OpenFile.Status?, reason: String) -> CaptureIndex? {
    if !keepsIndex, let damaged, damaged != (try? files.status(of: location.index.path)) {
      // Not damaged: another process wrote to it, which a file opened to stay as it is does not stand.
      var nothing = BackgroundScan.Amount()
      return readOnlyIndex(&nothing, leavesNewFiles: false)
    }
    guard keepsIndex else {
      note(.indexRebuilt(reason: reason))
      return scannedIndex()
    }
    do throws(IndexError) {
      let (index, found) = try openedFile(insteadOf: damaged)
      if found != .older { note(.indexRebuilt(reason: reason)) }
      try catchUp(index)
      return index
    } catch {
      note(.indexInMemory(reason: error.description))
      return scannedIndex()
    }
  }

  /// An index in memory with what the given one has, for when that one cannot be written.
  func indexInMemory(insteadOf index: CaptureIndex?, reason: String) -> CaptureIndex? {
    // Who ends the waiting for it ends everything.
    if !DatabasePatience.isStopped { note(.indexInMemory(reason: reason)) }
    guard let copy = try? index?.copyInMemory() else { return scannedIndex() }
    _ = try? catchUp(copy)
    return copy
  }

  /// Reads what segments have that the index has not, and forgets segments that are gone.
  /// - Parameters:
  ///   - index: takes it.
  ///   - meter: is told how far the work is.
  ///   - pace: how much is read at once.
  ///   - leavesNewFiles: whether files of others are left to later.
  /// - Returns: what was left.
  /// - Throws: `IndexError`; a watcher that wants no more ends it after whole records.
  @discardableResult
  func catchUp(
    _ index: CaptureIndex, meter: ProgressMeter? = nil, pace: ScanPace = ScanPace(),
    leavesNewFiles: Bool = false
  ) throws(IndexError) -> BackgroundScan.Amount {
    // Before the folder is looked at: of what is known by then, what the folder has not is gone. The
    // other way round it may be a segment that another process has just begun.
    var known = try index.segments()
    var unread: [String]
    var left = BackgroundScan.Amount()
    do {
      let files = try segments.list()
      let names = Set(files.map(\.name))
      for name in known.keys where !names.contains(name) {
        // A list that is read while a file takes another one's place may miss both.
        if try self.files.status(of: "\(folder)/\(name)") == nil {
          if let settled = try index.settledSegment(name) {
            try noticeLoss(of: settled, size: 0, index)
          }
          try index.forget(segment: name)
        }
      }
      // Of two records with one id the first one counts: what is our own comes first.
      let all = files.filter { !(known[$0.name]?.matches($0.1) ?? false) }
      let arrived = all.filter { !isOwn($0.name) }.sorted { $0.1.modified > $1.1.modified }
      unread = all.map(\.name).filter(isOwn) + (leavesNewFiles ? [] : arrived.map(\.name))
      if leavesNewFiles {
        left.files = arrived.count
        left.bytes = arrived.reduce(0) { $0 + $1.1.size - (known[$1.name]?.seen ?? 0) }
      }
    } catch let error as IndexError {
      throw error
    } catch {
      note(.unreadable(error))
      return left
    }
    let isWanted = { (state: SegmentState) in
      state.size < 0 && (!leavesNewFiles || self.isOwn(state.name))
    }
    guard !unread.isEmpty || known.values.contains(where: isWanted) else { return left }
    // What was forgotten may have others read again.
    for _ in 0..<3 {
      for name in unread {
        try read(name, known: known[name], into: index, meter: meter, pace: pace)
      }
      known = try index.segments()
      unread = known.values.filter(isWanted).map(\.name).sorted()
      if unread.isEmpty { break }
    }
    try adoptOrphans(index)
    return left
  }

  /// Whether the index is up to date with the segments.
  func isLevel(_ index: CaptureIndex) -> Bool {
    guard let files = try? segments.list(), let known = try? index.segments() else {
      return false
    }
    return files.count == known.count
      && files.allSatisfy { name, status in known[name]?.matches(status) ?? false }
  }

  /// Files of others are left to later, and told by `left`, unless all there is is theirs.
  private func writableIndex(_ left: inout BackgroundScan.Amount) -> CaptureIndex? {
    var opened: CaptureIndex?
    let file = try? files.status(of: location.index.path)
    do throws(IndexError) {
      let index = try openedFile().index
      opened = index
      left = try catchUp(index, leavesNewFiles: !isReadOnly)
      return index
    } catch .corrupt {
      opened?.close()
      return builtIndex(insteadOf: opened?.file ?? file, reason: "it was damaged")
    } catch {
      if opened == nil { opened = existingIndex() }
      return indexInMemory(insteadOf: opened, reason: error.description)
    }
  }

  /// An index for reading only: the file as it is when it is up to date, else a copy in memory. Files of others
  /// are left to later, and told by `left`: what is indexed answers first.
  private func readOnlyIndex(
    _ left: inout BackgroundScan.Amount, leavesNewFiles: Bool = true
  ) -> CaptureIndex? {
    guard let index = existingIndex() else { return scannedIndex() }
    if isLevel(index) { return index }
    guard let copy = try? index.copyInMemory() else { return scannedIndex() }
    index.close()
    do throws(IndexError) {
      left = try catchUp(copy, leavesNewFiles: leavesNewFiles)
      return copy
    } catch {
      return scannedIndex()
    }
  }

  /// The index file, opened for reading. Without a log of changes nobody is writing to it, so it is
  /// opened as a file that stays as it is, which leaves no trace and works on a read-only disk; should
  /// it change all the same, the checksums of its rows tell.
  private func existingIndex() -> CaptureIndex? {
    let path = location.index.path
    guard let status = try? files.status(of: path), status.isFile else { return nil }
    let hasLog = (try? files.status(of: path + "-wal")).map { $0.size > 0 } ?? false
    if !hasLog, let index = try? existing(path, .asItIs, status) {
      return index
    }
    return try? existing(path, .watching, nil)
  }

  private func existing(
    _ path: String, _ access: RebuildableDatabase.Access, _ file: OpenFile.Status?
  ) throws(IndexError) -> CaptureIndex {
    try CaptureIndex(path: path, machine: machine, mayRemove: mayRemove, access, file: file)
  }

  private func scannedIndex() -> CaptureIndex? {
    do throws(IndexError) {
      let index = try CaptureIndex(machine: machine, mayRemove: mayRemove)
      try catchUp(index)
      return index
    } catch {
      note(.unreadable(error, of: "the index"))
      return nil
    }
  }

  /// Opens the index file; makes it when it is not there.
  ///
  /// The folder is locked meanwhile, so that two processes never make or replace it at once.
  /// - Parameter damaged: a file that is put aside before.
  /// - Returns: the index.
  /// - Throws: `IndexError.corrupt`, or `.unusable` when it cannot be made or opened.
  private func openedFile(
    insteadOf damaged: OpenFile.Status? = nil
  ) throws(IndexError) -> (index: CaptureIndex, putAside: RebuildableDatabase.PutAside?) {
    do {
      let path = location.index.path
      let uses = damaged == nil ? [:] : CaptureIndex.salvagedUses(of: path)
      let (index, found) = try RebuildableDatabase.opening(path, insteadOf: damaged, files) {
        try CaptureIndex(path: path, machine: machine, mayRemove: mayRemove, file: $0)
      }
      if found != nil { try index.note(uses: uses) }
      return (index, found)
    } catch let error as IndexError {
      throw error
    } catch {
      throw .unusable(ErrorWords.text(error))
    }
  }

  /// When a segment that this machine did not write was put here, in milliseconds since 1970; nil for
  /// one of its own.
  private func foreignSince(_ name: String, _ status: OpenFile.Status) -> Int64? {
    // File systems read a clock that is behind, by up to two seconds.
    isOwn(name) ? nil : status.changed / 1_000_000 + 2000
  }

  private func read(
    _ name: String, known: SegmentState?, into index: CaptureIndex, meter: ProgressMeter?,
    pace: ScanPace
  ) throws(IndexError) {
    do {
      guard let file = try files.openForReading("\(folder)/\(name)") else { return }
      let status = try file.status()
      let first = try SegmentScan.firstRecord(of: file)
      var start = known?.seen ?? 0
      var other: SegmentState?
      if let known, known.first != first || status.size < known.seen {
        // Another process may just have written the segment anew, and the index with it.
        let settled = try index.settledSegment(name)
        if let settled, settled.first == first, settled != known {
          start = settled.seen
          if settled.matches(status) { return }
        } else {
          (other, start) = (settled, 0)
          if let settled, first == nil || first == settled.first {
            try noticeLoss(of: settled, size: status.size, index)
          }
        }
      } else if let known, known.seen == status.size {
        // Written anew with the same length, perhaps repaired: what was damaged is looked at again.
        try index.unmarkDamaged(segment: name)
      }
      let torn = try scan(
        file, name, from: start, first: first, replacing: other, into: index, meter: meter,
        pace: pace)
      if let torn { try cutOff(torn, name, first: first, index) }
    } catch let error as IndexError {
      throw error
    } catch ArchiveError.stopped {
      throw .stopped
    } catch {
      if pace.isStopped() { throw .stopped }
      note(.unreadable(error, of: name))
    }
  }

  /// Reads a segment from an offset on into the index.
  /// - Parameters:
  ///   - file: the segment.
  ///   - name: its name.
  ///   - start: where to begin; the index knows what is before.
  ///   - first: the id of its first record.
  ///   - other: what is known of another file of that name, in whose place this one is put.
  ///   - index: takes what is read.
  ///   - meter: is told how far the work is.
  ///   - pace: how much is read at once.
  /// - Returns: an unfinished record at the end of the file.
  /// - Throws: `IndexError`, and `ArchiveError` when the file cannot be read.
  func scan(
    _ file: OpenFile, _ name: String, from start: Int64, first: String?,
    replacing other: SegmentState? = nil, into index: CaptureIndex, meter: ProgressMeter? = nil,
    pace: ScanPace = ScanPace()
  ) throws -> WARCDamage? {
    var other = other
    // Taken before reading: what is added meanwhile makes the state differ, so it is read next time.
    let status = try file.status()
    var scan = SegmentScan(
      file, segment: name, from: start, upTo: status.size,
      foreignSince: foreignSince(name, status), pace: pace)
    while true {
      let before = scan.end
      let events = try scan.next()
      let isLast = events.isEmpty
      var state = SegmentState(name: name, seen: scan.end, status: status, first: first)
      // Until the end is reached the segment has to look unfinished.
      if !isLast { state.size = -1 }
      let isTaken = try index.apply(
        events, state, after: before, ends: scan.ends, replacing: other)
      guard isTaken else {
        return try scanAgain(file, name, first: first, into: index, meter: meter, pace: pace)
      }
      other = nil
      absence.removeAll()
      try meter?.advance(by: scan.end - before)
      if isLast { break }
    }
    for damage in scan.damages where !damage.isCut {
      note(
        .damaged(
          file: name, offset: damage.range.lowerBound, length: Int64(damage.range.count),
          reason: damage.reason))
    }
    return scan.damages.last.flatMap { $0.isCut ? $0 : nil }
  }

  /// Reads a segment of which somebody has changed meanwhile how far it is known.
  private func scanAgain(
    _ file: OpenFile, _ name: String, first: String?, into index: CaptureIndex,
    meter: ProgressMeter?, pace: ScanPace
  ) throws -> WARCDamage? {
    // A newer file is the business of who reads that.
    guard try file.isCurrent() else { return nil }
    let known = try index.settledSegment(name)
    let isOther = known?.first.map { $0 != first } ?? false
    return try scan(
      file, name, from: isOther ? 0 : known?.seen ?? 0, first: first,
      replacing: isOther ? known : nil, into: index, meter: meter, pace: pace)
  }

  /// Cuts off an unfinished record at the end of a segment of ours, unless another process is just
  /// writing it. Segments of other machines are never changed.
  private func cutOff(
    _ torn: WARCDamage, _ name: String, first: String?, _ index: CaptureIndex
  ) throws {
    guard !isReadOnly, SegmentName(name)?.machine == machine else { return }
    let file = try files.openForWriting("\(folder)/\(name)")
    guard try file.tryLock() else { return }
    defer { file.unlock() }
    guard try file.isCurrent() else { return }
    try settle(file, name, from: torn.range.lowerBound, first: first, index)
  }

  /// Brings the index up to date with a segment that we hold the lock of, and cuts off its torn tail.
  func settle(
    _ file: OpenFile, _ name: String, from start: Int64, first: String?,
    replacing other: SegmentState? = nil, _ index: CaptureIndex
  ) throws {
    let cut = try scan(
      file, name, from: start, first: first, replacing: other, into: index)
    guard let torn = cut else { return }
    try file.truncate(to: torn.range.lowerBound)
    note(
      .tornTail(
        file: name, offset: torn.range.lowerBound, length: Int64(torn.range.count)))
    let state = SegmentState(
      name: name, seen: torn.range.lowerBound, status: try file.status(),
      first: torn.range.lowerBound == 0 ? nil : first)
    try index.apply([], state, after: torn.range.lowerBound)
  }

  private func adoptOrphans(_ index: CaptureIndex) throws(IndexError) {
    let orphans = try index.orphans()
    guard !orphans.isEmpty else { return }
    var events: [ArchiveEvent] = []
    do throws(ArchiveError) {
      for (segment, position) in orphans {
        guard let file = try files.openForReading("\(folder)/\(segment)"),
          let event = try SegmentScan.event(
            of: file, segment: segment, at: position,
            foreignSince: foreignSince(segment, try file.status()))
        else { continue }
        events.append(event)
      }
    } catch {
      // They are looked for another time.
      return note(.unreadable(error))
    }
    try index.adopt(events)
  }
}
