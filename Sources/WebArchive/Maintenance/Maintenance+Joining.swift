import Foundation
import WARC

/// Completing the joining of segments. The joined segment lists the segments whose records it
/// includes; these segments are then removed. If the removal was interrupted, it is completed
/// before any other maintenance.
extension Maintenance {
  /// Removes segments that are included in others. The index is then rebuilt, because it may
  /// contain positions in the removed segments.
  func finishJoining() throws(ArchiveError) {
    var included: [String] = []
    for (name, _) in try store.segments.list() where store.isOwn(name) {
      guard let description = try store.firstRecord(of: name) else { continue }
      for value in description.fields.values(of: SegmentRewriter.includesFieldName) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] != name, store.isOwn(parts[0]),
          let first = try store.firstRecord(of: parts[0])?.id, first == parts[1]
        else { continue }
        included.append(parts[0])
      }
    }
    guard !included.isEmpty else { return }
    for name in included {
      try store.recentAppends?.forget(name)
      try store.files.removeFile(store.path(of: name))
    }
    try store.files.syncDirectory(store.directory)
    try rebuildIndex()
  }
}
