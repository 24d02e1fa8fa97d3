import Configuration
import Foundation
import OfflineCache
import Pages
import Profiles
import WARC

extension LibraryImport {
  /// Stores the captures of an imported file again that have no record id, or that of an earlier
  /// capture in the file, because the archive shows only one capture with an id. Their new ids are
  /// derived from id, URI, date and length, so that importing the file again adds nothing.
  /// - Parameter arrival: the file in the archive.
  /// - Returns: the new file with these records; nil if there are none.
  /// - Throws: `ArchiveError`, and the errors of reading and writing the files.
  func separatingCaptures(of arrival: ArrivingFile.Outcome) throws -> ArrivingFile.Outcome? {
    let directory = profile.locations.archive.path
    guard let file = try files.openForReading("\(directory)/\(arrival.name)") else { return nil }
    var isEmpty = true
    try Self.readCaptures(withoutOwnIDIn: file) { _, _ in isEmpty = false }
    guard !isEmpty else { return nil }
    let separated = try ArrivingFile(in: directory).store(
      ending: ".warc.gz",
      writing: { sink in
        try Self.readCaptures(withoutOwnIDIn: file) { record, position in
          try Self.write(record, id: Self.derivedID(of: record), at: position, of: file, into: sink)
        }
      })
    return try restoringRemoved(separated)
  }

  /// Passes on the intact captures of a file that have no record id of their own.
  private static func readCaptures(
    withoutOwnIDIn file: OpenFile, _ receive: (WARCRecord, WARCPosition) throws -> Void
  ) throws {
    let reader = WARCReader { try file.read(at: $0, into: $1) }
    var ids = CaptureIDs()
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
