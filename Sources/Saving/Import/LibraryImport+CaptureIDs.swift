import Configuration
import Foundation
import OfflineCache
import Pages
import Profiles
import WARC

extension LibraryImport {
  /// Stores the captures of imported files again that have no record id, or that of another capture
  /// which the index reads first, because the archive shows only one capture with an id. Their new
  /// ids are derived from id, URI, date and length, so that importing the files again adds nothing.
  /// - Parameter arrivals: the files in the archive.
  /// - Returns: the new files with these records.
  /// - Throws: `ArchiveError`, and the errors of reading and writing the files.
  func separatingCaptures(
    of arrivals: [ArrivingFile.Outcome]
  ) throws -> [ArrivingFile.Outcome] {
    let directory = profile.locations.archive.path
    var ids = CaptureIDs()
    return try inIndexOrder(arrivals).compactMap { arrival in
      guard let file = try files.openForReading("\(directory)/\(arrival.name)") else { return nil }
      var isEmpty = true
      try Self.readCaptures(withoutOwnIDIn: file, after: &ids) { _, _ in isEmpty = false }
      guard !isEmpty else { return nil }
      let separated = try ArrivingFile(in: directory).store(
        ending: ".warc.gz",
        writing: { sink in
          try Self.readCaptures(withoutOwnIDIn: file, after: &ids) { record, position in
            let id = Self.derivedID(of: record)
            try Self.write(record, id: id, at: position, of: file, into: sink)
          }
        })
      return try restoringRemoved(separated)
    }
  }

  /// Returns files of the archive in the order in which the index reads new files: the newest
  /// first.
  private func inIndexOrder(
    _ arrivals: [ArrivingFile.Outcome]
  ) throws(ArchiveError) -> [ArrivingFile.Outcome] {
    var datedFiles: [(arrival: ArrivingFile.Outcome, date: Int64)] = []
    for arrival in arrivals {
      let path = "\(profile.locations.archive.path)/\(arrival.name)"
      datedFiles.append((arrival, try files.status(of: path)?.modificationTime ?? 0))
    }
    return datedFiles.sorted { ($1.date, $0.arrival.name) < ($0.date, $1.arrival.name) }
      .map(\.arrival)
  }

  /// Passes on the intact captures of a file that have no record id of their own, and adds
  /// the ids of the others. Reading the file again passes on the same captures.
  private static func readCaptures(
    withoutOwnIDIn file: OpenFile, after ids: inout CaptureIDs,
    _ receive: (WARCRecord, WARCPosition) throws -> Void
  ) throws {
    let reader = WARCReader { try file.read(at: $0, into: $1) }
    var pending: (record: WARCRecord, position: WARCPosition)?
    while let entry = try reader.next() {
      // The damage of a record is returned after it.
      if case .damage(let damage) = entry,
        damage.range.isEmpty || damage.range.lowerBound == pending?.position.offset
      {
        pending = nil
      }
      if let (record, position) = pending, ids.lacksOwnID(record) { try receive(record, position) }
      pending = nil
      if case .record(let record, let position) = entry, RecordFindings.reason(record) == nil {
        pending = (record, position)
      }
    }
    if let (record, position) = pending, ids.lacksOwnID(record) { try receive(record, position) }
  }

  private static func derivedID(of record: WARCRecord) -> UUID {
    let text = ([record.id] + CaptureIDs.identity(of: record)).map { $0 ?? "" }
    var bytes = DigestBuilder.bytes(of: Array(text.joined(separator: "\n").utf8), .sha256)
    // Version 8 is for UUIDs derived in other ways than those of RFC 9562.
    (bytes[6], bytes[8]) = (bytes[6] & 0xF | 0x80, bytes[8] & 0x3F | 0x80)
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
