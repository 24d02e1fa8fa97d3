import Profiles
import Configuration
package import Foundation
import Exchange
package import Library
import OfflineCache

extension LibraryBundle {
  /// The size in bytes from which a further segment begins, because a segment is in memory until it
  /// is written.
  private static let segmentSize = 16 << 20

  /// Writes only some collections: the responses for their pages, with redirects, frames and
  /// subresources (images, style sheets, scripts, fonts), and a journal with all facts that the
  /// library records about the pages.
  /// - Parameters:
  ///   - collections: the collections.
  ///   - now: the present time.
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
    let date = Int64(now.timeIntervalSince1970)
    let name = "collection-\(collections.first?.id ?? "")-\(date)"
    func add(_ bytes: [UInt8], _ path: String) throws {
      guard progress(contents.size) else { throw ArchiveError.stopped }
      let header = TarHeader(name: path, size: Int64(bytes.count), modified: date)
      try write(bytes, as: header, sink)
      contents.size += Int64(bytes.count)
    }
    try writeManifest(date, sink)
    var keys = collections.map(\.key)
    for collection in collections {
      keys += collection.pages + (try profile.library.redirects(to: collection.id))
    }
    var records = WARCExport(isCompressed: true, copiesRecords: true)
    var segment: [UInt8] = []
    func finishSegment() throws {
      guard !segment.isEmpty else { return }
      contents.segments += 1
      try add(segment, "\(Self.archiveDirectory)\(name)-\(contents.segments).warc.gz")
      segment = []
    }
    for key in keys {
      for stored in try responses(for: key) {
        try records.add(stored, of: profile.cache.archive) { segment += $0 }
        if segment.count >= Self.segmentSize { try finishSegment() }
      }
    }
    try finishSegment()
    contents.privateCount = records.privateCount
    contents.journals = 1
    let journal = try profile.library.journal(of: keys, named: name)
    try add(journal, "\(Self.journalDirectory)\(name).journal")
    try sink(TarHeader.endOfArchive)
    return contents
  }

  /// Returns the newest good version of a page, with its frames and saved subresources; only the
  /// version itself if it is a redirect. Empty if no good version is saved.
  private func responses(for key: String) throws -> [StoredResponse] {
    let archive = profile.cache.archive
    guard let main = try archive.captures(of: key).first(where: \.isGood) else { return [] }
    guard !main.isRedirect else { return [main] }
    let page = try profile.library.page(key)
    let frames = try page.frames.compactMap { frame in
      try archive.captures(of: frame).first(where: \.isGood)
    }
    return [main] + frames + (try SavedParts.parts(of: main, in: profile.cache))
  }
}
