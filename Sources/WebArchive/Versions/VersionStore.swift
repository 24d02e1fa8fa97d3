import Foundation
import Synchronization
import WARC

/// Writes the records of versions to the segments, and reads their content.
///
/// Every method blocks and may be called from any thread.
final class VersionStore: Sendable {
  let store: SegmentStore
  let index: ArchiveIndex
  private let encoders = EncoderPool()

  /// Creates the store for the segments of an index.
  /// - Parameter index: the index, to which new records are added.
  init(_ index: ArchiveIndex) {
    (self.store, self.index) = (index.store, index)
  }

  /// Returns a spool for the content of a response that is being received.
  func makeSpool() -> Spool {
    Spool(directory: store.isReadOnly ? nil : store.directory, files: store.files)
  }

  /// Returns the current location of the content of a version; nil if the version was removed.
  func location(of stored: StoredResponse) throws(ArchiveError) -> RecordReference? {
    try index.withFlushedIndex { index throws(IndexError) in try index.location(id: stored.id) }
  }

  /// Returns the number of bytes that a record would take in a segment, by encoding it.
  func packedSize(
    of record: WARCRecord, _ block: RecordBlock
  ) throws(ArchiveError) -> Int64 {
    let packed = try PackedRecord(record, block, encoders)
    var size: Int64 = 0
    do {
      _ = try packed.write { size += Int64($0.count) }
    } catch {
      throw (error as? ArchiveError) ?? .unwritable(ErrorMessage.text(error))
    }
    return size
  }

  /// Writes a record, together with an optional trailing record, and adds it to the index.
  /// - Returns: the event for the record; nil if it has no meaning for the index, or if the status
  ///   of the segment cannot be read.
  @discardableResult
  func write(
    _ record: WARCRecord, _ block: RecordBlock, _ payload: ArchiveEvent.Payload,
    with companion: (record: WARCRecord, block: RecordBlock)? = nil, now: Date,
    isDeferred: Bool = false
  ) throws(ArchiveError) -> ArchiveEvent? {
    // As much as possible is done before the segment is locked.
    let packedRecord = try PackedRecord(record, block, encoders)
    let trailingRecord = try companion.map { companion throws(ArchiveError) in
      try PackedRecord(companion.record, companion.block, encoders)
    }
    return try store.writer.withLock { writer throws(ArchiveError) -> ArchiveEvent? in
      var segment = try writer.lock(now: now, maxSegmentSize: store.maxSegmentSize)
      defer { segment.file.unlock() }
      var firstRecordID = try index.bringUpToDate(&segment, writer.indexed)
      writer.indexed = nil
      let start = segment.end
      var recordEnds: [Int64] = []
      if segment.end == 0 {
        firstRecordID = try begin(&segment, now: now)
        recordEnds.append(segment.end)
      }
      let position = WARCPosition(offset: segment.end)
      let (writtenRecord, end) = try append(packedRecord, trailingRecord, to: &segment)
      store.recordWritten(segment.end - start, to: segment.file, segment.name)
      // The record is parsed from its bytes, so that the index gets the same row as from a scan.
      guard let parsedRecord = WARCRecord(parsing: writtenRecord.bytes),
        let status = try? segment.file.status()
      else { return nil }
      let event = ArchiveEvent(
        parsedRecord, response: packedRecord.response(of: parsedRecord, payload), payload: payload,
        segment: segment.name, position: position, size: end - position.offset)
      let state = SegmentState(
        name: segment.name, indexedEnd: segment.end, status: status, firstRecordID: firstRecordID)
      writer.indexed = SegmentWriter.Indexed(state: state, generation: index.generation)
      recordEnds += trailingRecord == nil ? [end] : [end, segment.end]
      let row = IndexBacklog.Row(event: event, state: state, start: start, ends: recordEnds)
      index.add(row, isDeferred: isDeferred)
      return event
    }
  }

  /// Writes the description of a new segment, and returns the id of its record.
  private func begin(
    _ segment: inout SegmentWriter.Locked, now: Date
  ) throws(ArchiveError) -> String? {
    // The name of the segment must be on the disk before its content.
    try store.files.syncDirectory(store.directory)
    let (description, content) = SegmentWriter.description(of: segment.name, now: now)
    try SegmentWriter.append(to: &segment, copying: store.recentAppends) { sink in
      try WARCWriter().write(description, block: content, into: sink)
    }
    return description.id
  }

  /// Appends a record and its trailing record, or neither if one cannot be written. Returns the
  /// first as it was written, and its end.
  private func append(
    _ packedRecord: PackedRecord, _ trailingRecord: PackedRecord?,
    to segment: inout SegmentWriter.Locked
  ) throws(ArchiveError) -> (record: WARCRecord, end: Int64) {
    var writtenRecord = packedRecord.record
    var end = segment.end
    try SegmentWriter.append(to: &segment, copying: store.recentAppends) { sink in
      writtenRecord = try packedRecord.write {
        end += Int64($0.count)
        try sink($0)
      }
      _ = try trailingRecord?.write(into: sink)
    }
    return (writtenRecord, end)
  }

  /// Returns the content of a stored response.
  ///
  /// Damaged content is marked: its version is no longer listed, and the previous one takes its
  /// place.
  /// - Throws: `ArchiveError.damaged`; `.notFound` if the version was removed.
  func body(of stored: StoredResponse) throws(ArchiveError) -> ArchivedBody {
    var failed: RecordReference?
    var attempts = 0
    var hasCaughtUp = false
    while true {
      guard let location = try location(of: stored) else {
        // Another process may have removed the segment from the index, and be reading it again.
        guard !hasCaughtUp else { throw .notFound }
        hasCaughtUp = true
        try index.catchUp()
        continue
      }
      do throws(ArchiveError) {
        return try openBody(of: stored, at: location)
      } catch .notFound {
        // The segment may have been rewritten or replaced, even repeatedly, since the index was
        // read.
        attempts = location == failed ? attempts + 1 : 1
        failed = location
        guard attempts < 3 else {
          setDamaged(stored, at: location)
          throw .damaged(file: location.segment, offset: location.position.offset)
        }
        try? index.catchUp()
      }
    }
  }

  private func openBody(
    of stored: StoredResponse, at location: RecordReference
  ) throws(ArchiveError) -> ArchivedBody {
    guard let file = try store.open(location.segment) else { throw .notFound }
    return try ArchivedBody(of: stored, at: location, in: file) { [weak self] in
      self?.setDamaged(stored, at: location)
    }
  }

  private func setDamaged(_ stored: StoredResponse, at location: RecordReference) {
    store.notices.add(
      .damaged(
        file: location.segment, offset: location.position.offset, length: 0,
        reason: "the content of \(stored.key) does not match its digest"))
    try? index.withFlushedIndex { index throws(IndexError) in try index.setDamaged(location) }
  }
}
