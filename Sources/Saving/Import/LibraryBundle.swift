import Configuration
package import Profiles
import Exchange
package import Foundation
import OfflineCache
import WARC

/// A bundle: the whole library in one tar archive. It contains the segments of the archive and the
/// journals, in the layout of their directories, but no settings, cookies or keys. Cookies and
/// credentials in older records are removed.
package struct LibraryBundle {
  /// The contents that were written.
  package struct Contents: Sendable, Equatable {
    /// The number of segments.
    package var segmentCount = 0
    /// The number of journals.
    package var journalCount = 0
    /// The total size of the segments and journals in bytes.
    package var size: Int64 = 0
    /// The number of responses that were omitted because they were obtained with cookies or a
    /// password.
    package var privateCount = 0
  }

  /// A file to write, and its name in the bundle.
  private struct Member {
    var path: String
    var name: String
  }

  /// The name of the first member, by which a bundle is recognized.
  static let manifestName = "offread-bundle.json"
  /// The directory of the segments in a bundle.
  static let archiveDirectory = "archive/"
  /// The directory of the journals in a bundle.
  static let journalDirectory = "library/"
  private static let pieceLength = 1 << 20

  let profile: Profile
  private let files = LocalFileSystem()

  /// Creates the bundle of a profile without writing it.
  /// - Parameter profile: the profile with the library.
  package init(of profile: Profile) {
    self.profile = profile
  }

  /// Writes all segments and journals. Data that is saved during this call may be missing.
  /// - Parameters:
  ///   - now: the current time.
  ///   - progress: called with the number of bytes written; returns false to stop.
  ///   - sink: receives the bytes.
  /// - Returns: the contents that were written.
  /// - Throws: `ArchiveError`, which is `.stopped` if `progress` returned false; the errors that
  ///   `sink` throws.
  package func write(
    now: Date, progress: (Int64) -> Bool = { _ in true }, into sink: ([UInt8]) throws -> Void
  ) throws -> Contents {
    var contents = Contents()
    let date = Int64(now.timeIntervalSince1970)
    try writeManifest(date, sink)
    let segments = try members(
      of: profile.locations.archive.path, below: Self.archiveDirectory, [".warc.gz", ".warc"])
    let journals = try members(
      of: profile.locations.journals.path, below: Self.journalDirectory, [".journal"])
    for (number, member) in (segments + journals).enumerated() {
      guard progress(contents.size) else { throw ArchiveError.stopped }
      let isSegment = number < segments.count
      guard let size = try copy(member, isSegment: isSegment, sink) else { continue }
      contents.size += size
      if isSegment { contents.segmentCount += 1 } else { contents.journalCount += 1 }
    }
    try sink(TarHeader.endOfArchive)
    return contents
  }

  private func members(
    of directory: String, below position: String, _ endings: [String]
  ) throws -> [Member] {
    var names: [String] = []
    let result = files.retrying {
      names = []
      return files.list(directory) { name in
        if !name.hasPrefix("."), endings.contains(where: name.hasSuffix) { names.append(name) }
      }
    }
    guard result == 0 || result == -Int(ENOENT) else {
      throw ArchiveError.unreadable("\(directory): \(String(cString: strerror(Int32(-result))))")
    }
    return names.sorted().map {
      Member(path: "\(directory)/\($0)", name: Self.name(of: $0, below: position, endings))
    }
  }

  /// Returns the name of a file in a bundle: its own name, or one derived from its digest if its
  /// own is too long or not portable.
  private static func name(of file: String, below position: String, _ endings: [String]) -> String {
    let own = position + file
    let isPlain = LibraryImport.name(own, in: position, endings) != nil
    guard !isPlain || own.utf8.count > TarHeader.maxNameLength else { return own }
    let digest = ArrivingFile.name(of: DigestBuilder.bytes(of: file.utf8, .sha256))
    return "\(position)bundled-\(digest)\(endings.first(where: file.hasSuffix) ?? "")"
  }

  /// Copies a file up to the length that it has when it is opened. Cookies and credentials in a
  /// segment are omitted.
  /// - Returns: the number of bytes; nil if the path is no longer that of a regular file.
  private func copy(
    _ member: Member, isSegment: Bool, _ sink: ([UInt8]) throws -> Void
  ) throws -> Int64? {
    guard let file = try files.openForReading(member.path) else { return nil }
    let status = try file.status()
    guard status.isFile else { return nil }
    if isSegment, let bareSegment = try BareSegment(file, size: status.size) {
      let header = TarHeader(
        name: member.name, size: bareSegment.size,
        modificationTime: status.modificationTime / 1_000_000_000)
      try sink(header.bytes)
      try bareSegment.copy(into: sink)
      try sink([UInt8](repeating: 0, count: header.padding))
      return bareSegment.size
    }
    let header = TarHeader(
      name: member.name, size: status.size,
      modificationTime: status.modificationTime / 1_000_000_000)
    try sink(header.bytes)
    var offset: Int64 = 0
    while offset < status.size {
      let count = Int(min(Int64(Self.pieceLength), status.size - offset))
      var bytes = try file.bytes(at: offset, count: count)
      // Another process has truncated the file. The rest is filled with zeros, because the length
      // has already been written.
      if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
      try sink(bytes)
      offset += Int64(count)
    }
    try sink([UInt8](repeating: 0, count: header.padding))
    return status.size
  }

  /// Writes the member by which a bundle is recognized.
  func writeManifest(_ date: Int64, _ sink: ([UInt8]) throws -> Void) throws {
    let marker = Array("{\"bundle\":1,\"date\":\(date),\"program\":\"offread\"}\n".utf8)
    try write(
      marker,
      as: TarHeader(name: Self.manifestName, size: Int64(marker.count), modificationTime: date),
      sink)
  }

  func write(
    _ bytes: [UInt8], as header: TarHeader, _ sink: ([UInt8]) throws -> Void
  ) throws {
    try sink(header.bytes + bytes + [UInt8](repeating: 0, count: header.padding))
  }
}
