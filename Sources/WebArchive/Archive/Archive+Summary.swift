import Foundation

extension Archive {
  /// The schema version of the index.
  package static let indexVersion = CaptureIndex.schemaVersion

  /// Counts the records, versions and bytes of the archive. Blocks; takes about a second for a
  /// million versions.
  /// - Returns: the numbers.
  /// - Throws: `ArchiveError.unreadable`.
  public func summary() throws(ArchiveError) -> ArchiveSummary {
    try catchUp()
    var summary = try index.withCompleteIndex { index throws(IndexError) in try index.summary() }
    let files = try store.segments.list()
    summary.segments = files.count
    summary.ownSegments = files.count { store.isOwn($0.name) }
    summary.bytes = files.reduce(0) { $0 + $1.1.size }
    summary.indexBytes = index.size
    return summary
  }
}
