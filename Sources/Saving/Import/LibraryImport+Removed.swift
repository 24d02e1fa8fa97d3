import Configuration
import Foundation
import OfflineCache
import Pages
import Profiles
import WARC
import WebArchive

extension LibraryImport {
  /// Restores the pages of an imported file that were removed. Because a removal hides records by
  /// their ids, even after the index is rebuilt, these records are stored again with new ids.
  /// Pages of which another version is saved are not restored. Captures without an id of their own
  /// are restored under their derived ids.
  /// - Parameter arrival: the file in the archive.
  /// - Returns: the new file with these records; `arrival` if there are none, or if it is new too.
  /// - Throws: `ArchiveError`, and the errors of reading and writing the files.
  func restoringRemoved(_ arrival: ArrivingFile.Outcome) throws -> ArrivingFile.Outcome {
    let archive = profile.cache.archive
    try archive.catchUp()
    let directory = profile.locations.archive.path
    guard let isRemoved = try archive.removedRecords(in: arrival.name),
      let file = try files.openForReading("\(directory)/\(arrival.name)")
    else { return arrival }
    guard try Self.containsRecord(file, where: isRemoved) else { return arrival }
    _ = try separatingCaptures(of: [arrival])
    let restored = try ArrivingFile(in: directory).store(
      ending: ".warc.gz",
      writing: { sink in
        let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
        var ids = CaptureIDs()
        while let entry = try reader.next() {
          guard case .record(let record, let position) = entry, !ids.lacksOwnID(record),
            isRemoved(record)
          else { continue }
          try Self.write(record, at: position, of: file, into: sink)
        }
      })
    try archive.catchUp()
    return arrival.isNew ? arrival : restored
  }

  private static func containsRecord(
    _ file: OpenFile, where isRemoved: (WARCRecord) -> Bool
  ) throws -> Bool {
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    while let entry = try reader.next() {
      if case .record(let record, _) = entry, isRemoved(record) { return true }
    }
    return false
  }

  /// Writes a record with another id; nil for a random one. A revisit loses the id of the record
  /// with the content, which may have another id too, if it has the URL and date of that record, or
  /// if an id is given, because then ids in the file do not identify records.
  static func write(
    _ record: WARCRecord, id: UUID? = nil, at position: WARCPosition, of file: OpenFile,
    into sink: ([UInt8]) throws -> Void
  ) throws {
    guard let kind = record.kind, let date = record.date, let length = record.contentLength else {
      return
    }
    var copy = record
    copy.fields["WARC-Record-ID"] = WARCRecord(kind, id: id, date: date).fields["WARC-Record-ID"]
    let names = ["WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"]
    if kind == .revisit, id != nil || names.allSatisfy({ copy.fields[$0] != nil }) {
      copy.fields["WARC-Refers-To"] = nil
    }
    var reader: WARCReader?
    try WARCWriter().write(
      copy, blockLength: length,
      block: { offset in
        if offset == 0 {
          reader = WARCReader(at: position, verifiesDigests: false) {
            try file.read(at: $0, into: $1)
          }
          _ = try reader?.next()
        }
        return try reader?.nextChunk()
      },
      into: sink)
  }
}
