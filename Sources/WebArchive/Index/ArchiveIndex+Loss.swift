import Synchronization
import WARC

extension ArchiveIndex {
  /// Records that a segment of this device has become shorter than its state in the index.
  /// - Parameters:
  ///   - known: the state in the index, including pending changes of other processes.
  ///   - size: the current size; 0 if the file is gone.
  ///   - index: the index that stores the loss.
  /// - Throws: `IndexError`.
  func recordLoss(
    of known: SegmentState, size: Int64, _ index: CaptureIndex
  ) throws(IndexError) {
    guard store.isOwn(known.name), known.indexedEnd > size else { return }
    notices.add(.shortened(file: known.name, known: known.indexedEnd, size: size))
    try index.record(SegmentLoss(name: known.name, indexedSize: known.indexedEnd, size: size))
  }

  // MARK: Older copies of segments

  /// Restores from backup copies the data that segments of this device have lost because a
  /// synchroniser overwrote them with older versions.
  /// - Parameter isThorough: whether to check segments even if their size has not changed since
  ///   this process wrote to them.
  func restoreLost(isThorough: Bool = false) {
    guard let recent = store.recentAppends else { return }
    for name in recent.names().sorted() where store.isOwn(name) {
      do throws(ArchiveError) {
        let path = store.path(of: name)
        recordRestored(name, try recent.restore(path, isThorough: isThorough))
      } catch .full {
        // The segment is restored later, when there is space on the disk.
      } catch {
        notices.add(.unreadable(error, of: name))
      }
    }
  }

  /// Restores the data that a locked segment has lost; see `restoreLost(isThorough:)`. Backup
  /// copies that cannot be used are reported, and do not prevent an append.
  /// - Parameter segment: the segment; its end is updated.
  /// - Throws: `ArchiveError` if the size of the segment cannot be read.
  func restore(_ segment: inout SegmentWriter.Locked) throws(ArchiveError) {
    guard let recent = store.recentAppends else { return }
    do throws(ArchiveError) {
      // If the user has removed a segment, its content is not restored to the new one.
      if segment.isNew { return try recent.forget(segment.name) }
      recordRestored(segment.name, try recent.repair(segment.file))
    } catch {
      notices.add(.unreadable(error, of: segment.name))
    }
    segment.end = try segment.file.status().size
  }

  private func recordRestored(_ name: String, _ count: Int64) {
    guard count > 0 else { return }
    overwrittenSegments.withLock { _ = $0.insert(name) }
    notices.add(.restored(file: name, length: count))
  }

  /// Returns whether a segment that has grown is a different file than before, so that the
  /// positions of its records in the index are no longer valid. Damage alone does not count.
  /// - Parameters:
  ///   - file: the current file, whose first record is the known one.
  ///   - known: the state of the segment in the index.
  ///   - index: the index that contains the records of the segment.
  /// - Returns: whether the segment was replaced.
  /// - Throws: `IndexError`, and `ArchiveError` if the file cannot be read.
  func isReplaced(
    _ file: OpenFile, known: SegmentState, _ index: CaptureIndex
  ) throws -> Bool {
    let status = try file.status()
    // Appends do not change the inode of a segment.
    guard known.indexedEnd > 0, status.size > known.indexedEnd,
      known.inode != Int64(bitPattern: status.inode)
    else { return false }
    // An append to a segment of this device begins with a gzip member.
    let continuesWithMember = try file.bytes(at: known.indexedEnd, count: 2).elementsEqual([
      0x1F, 0x8B,
    ])
    if store.isOwn(known.name), !continuesWithMember { return true }
    // At the offset where two versions begin to differ, both have a record, unless that of the file
    // is damaged.
    var damagedPosition: WARCPosition?
    for location in try index.lastRecords(of: known.name, before: known.indexedEnd) {
      let reader = WARCReader(at: location.position, verifiesDigests: false) {
        try file.read(at: $0, into: $1)
      }
      guard case .record(let record, location.position)? = try reader.next() else {
        damagedPosition = location.position
        continue
      }
      guard record.id == location.record, let damagedPosition else {
        return record.id != location.record
      }
      while case .record(_, let position)? = try reader.next() {
        if position.offset >= damagedPosition.offset { return position != damagedPosition }
      }
      return false
    }
    return damagedPosition != nil && !continuesWithMember
  }
}
