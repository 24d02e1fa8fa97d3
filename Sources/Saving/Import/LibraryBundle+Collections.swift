import Profiles
import Configuration
package import Foundation
import Exchange
package import Library
import OfflineCache

extension LibraryBundle {
  /// The size in bytes at which another segment begins. It is limited because a segment is in
  /// memory until it is written.
  private static let segmentSize = 16 << 20

  /// The prefix of the names of the journals of bundles that contain only collections.
  static let collectionsPrefix = "collection-"

  /// Writes a bundle of only some collections: the responses for their pages, with redirects,
  /// frames and subresources (images, style sheets, scripts, fonts), and a journal with all facts
  /// that the library records about the pages.
  /// - Parameters:
  ///   - collections: the collections.
  ///   - now: the current time.
  ///   - progress: called with the number of bytes written; returns false to stop.
  ///   - sink: receives the bytes.
  /// - Returns: the contents that were written.
  /// - Throws: `ArchiveError`, which is `.stopped` if `progress` returned false; the errors that
  ///   `sink` throws.
  package func write(
    _ collections: [PageCollection], now: Date, progress: (Int64) -> Bool = { _ in true },
    into sink: ([UInt8]) throws -> Void
  ) throws -> Contents {
    var contents = Contents()
    let timestamp = Int64(now.timeIntervalSince1970)
    let name = "\(Self.collectionsPrefix)\(collections.first?.id ?? "")-\(timestamp)"
    func add(_ bytes: [UInt8], _ path: String) throws {
      guard progress(contents.size) else { throw ArchiveError.stopped }
      let header = TarHeader(name: path, size: Int64(bytes.count), modificationTime: timestamp)
      try write(bytes, as: header, sink)
      contents.size += Int64(bytes.count)
    }
    try writeManifest(timestamp, sink)
    let pages = collections.flatMap(\.pages)
    let redirects = try collections.flatMap { try profile.library.redirects(to: $0.id) }
    var records = WARCExport(isCompressed: true, copiesRecords: true)
    var segment: [UInt8] = []
    func finishSegment() throws {
      guard !segment.isEmpty else { return }
      contents.segmentCount += 1
      try add(segment, "\(Self.archiveDirectory)\(name)-\(contents.segmentCount).warc.gz")
      segment = []
    }
    func addRecords(of responses: [StoredResponse]) throws {
      for stored in responses {
        try records.add(stored, of: profile.cache.archive) { segment += $0 }
        if segment.count >= Self.segmentSize { try finishSegment() }
      }
    }
    for key in pages {
      let found = try SavedParts.responses(for: key, isComplete: true, in: profile.cache)
      try addRecords(of: found.chain + found.parts)
    }
    for key in redirects {
      try addRecords(of: SavedParts.chain(of: key, in: profile.cache))
    }
    try finishSegment()
    contents.privateCount = records.privateCount
    contents.journalCount = 1
    let keys = collections.map(\.key) + pages + redirects
    let journal = try profile.library.journal(of: keys, named: name)
    try add(journal, "\(Self.journalDirectory)\(name).journal")
    try sink(TarHeader.endOfArchive)
    return contents
  }
}
