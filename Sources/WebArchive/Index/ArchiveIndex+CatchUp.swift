import Foundation
import Synchronization
import WARC

/// Updating the index from the segments.
extension ArchiveIndex {
  /// Adds everything to the index that was added to the segments. If files of other devices take
  /// longer than the given number of seconds, the rest is left to the background.
  /// - Throws: `ArchiveError.unreadable`.
  func catchUp(within seconds: Double = .infinity) throws(ArchiveError) {
    guard arrivalScan.wait(atMost: seconds) else { return }
    if let index = current, index.file != nil, !keepsFile {
      // A file that is opened read-only cannot be updated; a copy in memory can.
      if !isUpToDate(index) {
        open()
        arrivalScan.wait(atMost: seconds)
      }
      return
    }
    _ = try withFlushedIndex { index throws(IndexError) in try self.catchUp(index) }
  }

  /// Reads the parts of segments that are not in the index, and removes segments from it that no
  /// longer exist.
  /// - Parameters:
  ///   - index: the index to update.
  ///   - meter: receives the progress.
  ///   - pace: the amounts that are read at once.
  ///   - leavesNewFiles: whether to skip files of other devices, which the caller reads later.
  /// - Returns: the amount of data that was skipped.
  /// - Throws: `IndexError`; `.stopped` if the progress closure stopped the work. What was read
  ///   until then stays in the index.
  @discardableResult
  func catchUp(
    _ index: CaptureIndex, meter: ProgressMeter? = nil, pace: ScanPace = ScanPace(),
    leavesNewFiles: Bool = false
  ) throws(IndexError) -> BackgroundScan.Amount {
    if !store.isReadOnly { restoreLost() }
    // The states in the index are read before the directory, so that a segment that is in the index
    // but not in the directory is really gone. In the opposite order, it could be one that another
    // process has just begun.
    var states = try index.segments()
    guard let unread = try unreadSegments(states, index, leavesNewFiles) else {
      return BackgroundScan.Amount()
    }
    var unreadNames = unread.names
    let isWanted = { (state: SegmentState) in
      state.size < 0 && (!leavesNewFiles || self.store.isOwn(state.name))
    }
    guard !unreadNames.isEmpty || states.values.contains(where: isWanted) else {
      return unread.skipped
    }
    // Removing a segment may require that others are read again.
    for _ in 0..<3 {
      for name in unreadNames {
        try read(name, known: states[name], into: index, meter: meter, pace: pace)
      }
      states = try index.segments()
      unreadNames = states.values.filter(isWanted).map(\.name).sorted()
      if unreadNames.isEmpty { break }
    }
    try adoptOrphans(index)
    return unread.skipped
  }

  /// Returns the segments that have parts which are not in the index, and the amount of data in
  /// files that are skipped; nil if the directory cannot be read. Segments that no longer exist are
  /// removed from the index.
  private func unreadSegments(
    _ states: [String: SegmentState], _ index: CaptureIndex, _ leavesNewFiles: Bool
  ) throws(IndexError) -> (names: [String], skipped: BackgroundScan.Amount)? {
    do {
      let files = try store.segments.list()
      let names = Set(files.map(\.name))
      for name in states.keys where !names.contains(name) {
        // A directory listing may miss a file that is renamed onto another one at the same time.
        if try store.files.status(of: store.path(of: name)) == nil {
          if let settled = try index.settledSegment(name) {
            try recordLoss(of: settled, size: 0, index)
          }
          try index.forget(segment: name)
        }
      }
      // If two records have the same id, the first one counts, so own segments are read first.
      let changed = files.filter { !(states[$0.name]?.matches($0.1) ?? false) }
      let imported = changed.filter { !store.isOwn($0.name) }.sorted {
        $0.1.modificationTime > $1.1.modificationTime
      }
      let ownNames = changed.map(\.name).filter(store.isOwn)
      var skipped = BackgroundScan.Amount()
      guard leavesNewFiles else { return (ownNames + imported.map(\.name), skipped) }
      skipped.fileCount = imported.count
      for (name, status) in imported {
        let indexedEnd = states[name]?.indexedEnd ?? 0
        // A file that became shorter is read from its beginning.
        skipped.bytes += status.size < indexedEnd ? status.size : status.size - indexedEnd
      }
      return (ownNames, skipped)
    } catch let error as IndexError {
      throw error
    } catch {
      notices.add(.unreadable(error))
      return nil
    }
  }

  /// Returns whether the index is up to date with the segments.
  func isUpToDate(_ index: CaptureIndex) -> Bool {
    guard let files = try? store.segments.list(), let known = try? index.segments() else {
      return false
    }
    return files.count == known.count
      && files.allSatisfy { name, status in known[name]?.matches(status) ?? false }
  }

  /// Brings the index up to date with the locked segment, because another process may have appended
  /// to it, or been killed while doing so.
  /// - Parameters:
  ///   - segment: the segment; its end is updated.
  ///   - indexed: the state that was last passed to the index, if known.
  /// - Returns: the id of the first record of the segment; nil if the segment is empty or damaged
  ///   at its beginning.
  /// - Throws: `ArchiveError` if the segment or the index cannot be read.
  func bringUpToDate(
    _ segment: inout SegmentWriter.Locked, _ indexed: SegmentWriter.Indexed? = nil
  ) throws(ArchiveError) -> String? {
    let (file, name) = (segment.file, segment.name)
    if let indexed, indexed.state.name == name, indexed.state.indexedEnd == segment.end,
      indexed.generation == generation,
      // The inode distinguishes the segment from another file of the same name and size.
      indexed.state.inode == Int64(bitPattern: segment.inode)
    {
      return indexed.state.firstRecordID
    }
    let knownState = try withFlushedIndex { index throws(IndexError) in try index.segment(name) }
    if let knownState, knownState.indexedEnd == segment.end, knownState.size == segment.end,
      knownState.inode == Int64(bitPattern: segment.inode)
    {
      return knownState.firstRecordID
    }
    try restore(&segment)
    if segment.end == 0 {
      // The segment was removed by another program.
      if let knownState {
        try withFlushedIndex { index throws(IndexError) in
          try recordLoss(of: knownState, size: 0, index)
          try index.forget(segment: name)
        }
      }
      return nil
    }
    let firstRecordID = try SegmentScan.firstRecord(of: file)
    try withFlushedIndex { index throws(IndexError) in
      try readLocked(segment, known: knownState, first: firstRecordID, index)
    }
    segment.end = try file.status().size
    return segment.end == 0 ? nil : firstRecordID
  }

  private func readLocked(
    _ segment: SegmentWriter.Locked, known knownState: SegmentState?, first firstRecordID: String?,
    _ index: CaptureIndex
  ) throws(IndexError) {
    var continuesKnown =
      knownState != nil && knownState?.firstRecordID == firstRecordID
      && knownState?.indexedEnd ?? 0 <= segment.end
    if let knownState, continuesKnown,
      try wasReplaced(knownState, by: segment.file, isLocked: true, index)
    {
      continuesKnown = false
    }
    if let knownState, firstRecordID == nil || firstRecordID == knownState.firstRecordID {
      try recordLoss(of: knownState, size: segment.end, index)
    }
    do {
      try flush(
        segment.file, segment.name, from: continuesKnown ? knownState?.indexedEnd ?? 0 : 0,
        first: firstRecordID, replacing: continuesKnown ? nil : knownState, index)
    } catch let error as IndexError {
      throw error
    } catch {
      throw .unusable(ErrorMessage.text(error))
    }
  }

  /// Returns whether a segment was replaced by another version of it (see `isReplaced`), or was
  /// restored since it was read. A replaced segment of this device is reported by a notice; while
  /// another process is writing to it, it does not count as replaced. `isLocked` specifies whether
  /// this process already holds the lock of the segment.
  private func wasReplaced(
    _ known: SegmentState, by file: OpenFile, isLocked: Bool = false, _ index: CaptureIndex
  ) throws(IndexError) -> Bool {
    if overwrittenSegments.withLock({ $0.remove(known.name) }) != nil { return true }
    do {
      guard try isReplaced(file, known: known, index) else { return false }
      guard store.isOwn(known.name) else { return true }
      // Another process may be writing to the segment and the index.
      let lock = try isLocked ? nil : store.files.openForWriting(file.path)
      if let lock, try !lock.tryLock() { return false }
      defer { lock?.unlock() }
      guard try file.isCurrent(), try index.settledSegment(known.name) == known,
        try isReplaced(file, known: known, index)
      else { return false }
    } catch let error as IndexError {
      throw error
    } catch {
      throw .unusable(ErrorMessage.text(error))
    }
    notices.add(.replaced(file: known.name))
    return true
  }

  /// Returns the time at which a segment of another device was put into the directory, in
  /// milliseconds since 1970; nil for a segment of this device.
  private func importTime(_ name: String, _ status: OpenFile.Status) -> Int64? {
    // The clock that file systems use may be behind by up to two seconds.
    store.isOwn(name) ? nil : status.statusChangeTime / 1_000_000 + 2000
  }

  private func read(
    _ name: String, known: SegmentState?, into index: CaptureIndex, meter: ProgressMeter?,
    pace: ScanPace
  ) throws(IndexError) {
    do {
      guard let file = try store.open(name) else { return }
      guard let unread = try unreadPart(of: file, name, known: known, index) else { return }
      let tornTail = try scan(
        file, name, from: unread.start, first: unread.firstRecordID,
        replacing: unread.replacedState, into: index, meter: meter, pace: pace)
      if let tornTail { try truncateTornTail(tornTail, name, first: unread.firstRecordID, index) }
    } catch let error as IndexError {
      throw error
    } catch ArchiveError.stopped {
      throw .stopped
    } catch {
      if pace.isStopped() { throw .stopped }
      notices.add(.unreadable(error, of: name))
    }
  }

  /// Returns the offset from which a segment must be read, and the state of the file that it
  /// replaced, if any; nil if another process has added the segment to the index.
  private func unreadPart(
    of file: OpenFile, _ name: String, known: SegmentState?, _ index: CaptureIndex
  ) throws -> (start: Int64, firstRecordID: String?, replacedState: SegmentState?)? {
    let status = try file.status()
    let firstRecordID = try SegmentScan.firstRecord(of: file)
    guard let known else { return (0, firstRecordID, nil) }
    if known.firstRecordID != firstRecordID || status.size < known.indexedEnd {
      // Another process may have just rewritten the segment and updated the index.
      let settled = try index.settledSegment(name)
      if let settled, settled.firstRecordID == firstRecordID, settled != known {
        return settled.matches(status) ? nil : (settled.indexedEnd, firstRecordID, nil)
      }
      if let settled, firstRecordID == nil || firstRecordID == settled.firstRecordID {
        try recordLoss(of: settled, size: status.size, index)
      }
      return (0, firstRecordID, settled)
    }
    if try wasReplaced(known, by: file, index) { return (0, firstRecordID, known) }
    // If the segment was rewritten with the same length, perhaps repaired, the damage marks are
    // cleared.
    if known.indexedEnd == status.size { try index.unmarkDamaged(segment: name) }
    return (known.indexedEnd, firstRecordID, nil)
  }

  /// Reads a segment into the index, beginning at an offset.
  /// - Parameters:
  ///   - file: the segment.
  ///   - name: the file name of the segment.
  ///   - start: the offset; everything before it is in the index.
  ///   - first: the id of the first record.
  ///   - replacedState: the state of a former file of that name, which this one replaces.
  ///   - index: the index to update.
  ///   - meter: receives the progress.
  ///   - pace: the amounts that are read at once.
  /// - Returns: an incomplete record at the end of the file, if any.
  /// - Throws: `IndexError`, and `ArchiveError` if the file cannot be read.
  func scan(
    _ file: OpenFile, _ name: String, from start: Int64, first: String?,
    replacing replacedState: SegmentState? = nil, into index: CaptureIndex,
    meter: ProgressMeter? = nil,
    pace: ScanPace = ScanPace()
  ) throws -> WARCDamage? {
    var replacedState = replacedState
    // The status is read before the records: if the file grows meanwhile, the status differs and
    // the rest is read next time.
    let status = try file.status()
    var scan = SegmentScan(
      file, segment: name, from: start, upTo: status.size,
      importedSince: importTime(name, status), pace: pace)
    while true {
      let start = scan.end
      let events = try scan.next()
      let isLast = events.isEmpty
      var state = SegmentState(
        name: name, indexedEnd: scan.end, status: status, firstRecordID: first)
      // Until the end is reached, the segment must be recognisable as incomplete.
      if !isLast { state.size = -1 }
      let isApplied = try index.apply(
        events, state, after: start, ends: scan.ends, replacing: replacedState)
      guard isApplied else {
        return try scanAgain(file, name, first: first, into: index, meter: meter, pace: pace)
      }
      replacedState = nil
      try meter?.advance(by: scan.end - start)
      if isLast { break }
    }
    for damage in scan.damages where !damage.isTruncated {
      notices.add(
        .damaged(
          file: name, offset: damage.range.lowerBound, length: Int64(damage.range.count),
          reason: damage.reason))
    }
    return scan.damages.last.flatMap { $0.isTruncated ? $0 : nil }
  }

  /// Reads a segment whose state in the index was changed by another thread or process meanwhile.
  private func scanAgain(
    _ file: OpenFile, _ name: String, first: String?, into index: CaptureIndex,
    meter: ProgressMeter?, pace: ScanPace
  ) throws -> WARCDamage? {
    // A newer file is read by the next load that finds it.
    guard try file.isCurrent() else { return nil }
    let known = try index.settledSegment(name)
    let isOther = known?.firstRecordID.map { $0 != first } ?? false
    return try scan(
      file, name, from: isOther ? 0 : known?.indexedEnd ?? 0, first: first,
      replacing: isOther ? known : nil, into: index, meter: meter, pace: pace)
  }

  /// Truncates an incomplete record at the end of a segment of this device, unless another process
  /// is just writing it. Segments of other devices are never changed.
  private func truncateTornTail(
    _ torn: WARCDamage, _ name: String, first: String?, _ index: CaptureIndex
  ) throws {
    guard !store.isReadOnly, store.isOwn(name) else { return }
    let file = try store.files.openForWriting(store.path(of: name))
    guard try file.tryLock() else { return }
    defer { file.unlock() }
    guard try file.isCurrent() else { return }
    try flush(file, name, from: torn.range.lowerBound, first: first, index)
  }

  /// Brings the index up to date with a locked segment, and truncates an incomplete record at its
  /// end.
  func flush(
    _ file: OpenFile, _ name: String, from start: Int64, first: String?,
    replacing other: SegmentState? = nil, _ index: CaptureIndex
  ) throws {
    let cut = try scan(
      file, name, from: start, first: first, replacing: other, into: index)
    guard let torn = cut else { return }
    try file.truncate(to: torn.range.lowerBound)
    notices.add(
      .tornTail(
        file: name, offset: torn.range.lowerBound, length: Int64(torn.range.count)))
    let state = SegmentState(
      name: name, indexedEnd: torn.range.lowerBound, status: try file.status(),
      firstRecordID: torn.range.lowerBound == 0 ? nil : first)
    try index.apply([], state, after: torn.range.lowerBound)
  }

  private func adoptOrphans(_ index: CaptureIndex) throws(IndexError) {
    let orphans = try index.orphans()
    guard !orphans.isEmpty else { return }
    var events: [ArchiveEvent] = []
    do throws(ArchiveError) {
      for (segment, position) in orphans {
        guard let file = try store.open(segment),
          let event = try SegmentScan.event(
            of: file, segment: segment, at: position,
            importedSince: importTime(segment, try file.status()))
        else { continue }
        events.append(event)
      }
    } catch {
      // The next update reads these records again.
      return notices.add(.unreadable(error))
    }
    try index.adopt(events)
  }
}
