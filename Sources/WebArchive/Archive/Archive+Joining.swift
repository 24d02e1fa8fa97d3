import Foundation
import WARC

/// Segments that were joined: the joined one says so, and those that it includes go. Should that have
/// been interrupted, it is finished before anything else is maintained.
extension Archive {
  /// Removes segments that others include. The index is then built again, for it may know records by
  /// their places in either.
  func finishJoining() throws(ArchiveError) {
    var included: [String] = []
    for (name, _) in try segments.list() where isOwn(name) {
      guard let description = try firstRecord(of: name) else { continue }
      for value in description.fields.values(of: SegmentRewriter.includes) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] != name, isOwn(parts[0]),
          let first = try firstRecord(of: parts[0])?.id, first == parts[1]
        else { continue }
        included.append(parts[0])
      }
    }
    guard !included.isEmpty else { return }
    for name in included { try files.removeFile("\(folder)/\(name)") }
    try files.syncFolder(folder)
    try replaceIndex()
  }

  func firstRecord(of name: String) throws(ArchiveError) -> WARCRecord? {
    guard let file = try files.openForReading("\(folder)/\(name)") else { return nil }
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    do throws(WARCError) {
      guard case .record(let record, _)? = try reader.next() else { return nil }
      return record
    } catch {
      throw .unreadable("\(name): \(ErrorWords.text(error))")
    }
  }
}
