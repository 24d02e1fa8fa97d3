import Synchronization
import WARC

extension ArchiveIndex {
  /// Notices that a segment of ours is shorter than what is known of it.
  /// - Parameters:
  ///   - known: what is known, with every change of it that another process is making.
  ///   - size: how long it is now, 0 when it is gone.
  ///   - index: remembers it.
  /// - Throws: `IndexError`.
  func noticeLoss(
    of known: SegmentState, size: Int64, _ index: CaptureIndex
  ) throws(IndexError) {
    guard store.isOwn(known.name), known.seen > size else { return }
    notices.note(.shortened(file: known.name, known: known.seen, size: size))
    try index.note(SegmentLoss(name: known.name, known: known.seen, size: size))
  }

  // MARK: Older copies of segments

  /// Appends again what segments of ours have lost, as far as there is a second copy of it: a synchroniser has
  /// written an older copy of them back.
  /// - Parameter isThorough: whether also those are looked at that are as long as this process left them.
  func restoreLost(isThorough: Bool = false) {
    guard let recent = store.recent else { return }
    for name in recent.names().sorted() where store.isOwn(name) {
      do throws(ArchiveError) {
        let path = store.path(of: name)
        noteRestored(name, try recent.restore(path, isThorough: isThorough))
      } catch .full {
        // It is restored when there is room.
      } catch {
        notices.note(.unreadable(error, of: name))
      }
    }
  }

  /// The same for a locked segment.
  /// - Parameter segment: where its next record goes; brought up to date.
  /// - Throws: `ArchiveError` when the segment cannot be read or written.
  func restore(_ segment: inout SegmentWriter.Locked) throws(ArchiveError) {
    guard let recent = store.recent else { return }
    // Who has removed a segment wants nothing of it in the one that follows.
    if segment.isNew { return try recent.forget(segment.name) }
    let count = try recent.repair(segment.file)
    guard count > 0 else { return }
    segment.end = try segment.file.status().size
    noteRestored(segment.name, count)
  }

  private func noteRestored(_ name: String, _ count: Int64) {
    guard count > 0 else { return }
    overwritten.withLock { _ = $0.insert(name) }
    notices.note(.restored(file: name, length: count))
  }

  /// Whether another copy of a segment that has grown was put in its place, so that what is known of its records is
  /// not true any more. What is only damaged is not replaced.
  /// - Parameters:
  ///   - file: the file there is now, which begins with the record that is known to be the first.
  ///   - known: what is known of the segment.
  ///   - index: knows its records.
  /// - Returns: whether it was replaced.
  /// - Throws: `IndexError`, and `ArchiveError` when the file cannot be read.
  func isReplaced(
    _ file: OpenFile, known: SegmentState, _ index: CaptureIndex
  ) throws -> Bool {
    let status = try file.status()
    // A segment that is only appended to keeps its inode.
    guard known.seen > 0, status.size > known.seen,
      known.inode != Int64(bitPattern: status.inode)
    else { return false }
    // What is appended to a segment of ours begins with a gzip member.
    let isAppended = try file.bytes(at: known.seen, count: 2).elementsEqual([0x1F, 0x8B])
    if store.isOwn(known.name), !isAppended { return true }
    guard let last = try index.lastRecord(of: known.name), last.position.offset < known.seen else {
      return false
    }
    let reader = WARCReader(at: last.position, verifiesDigests: false) {
      try file.read(at: $0, into: $1)
    }
    guard case .record(let record, let position)? = try reader.next(), position == last.position
    else { return !isAppended }
    return record.id != last.record
  }
}
