import Configuration
import Exchange
import Foundation
import OfflineCache
import Pages
import Profiles
import WARC

/// Imports WARC files that are compressed with Zstandard (`.warc.zst`). Each record is a frame, and
/// a skippable frame at the start may contain the dictionary for all frames (IIPC, "Zstandard
/// Compression for WARC Files 1.0").
extension LibraryImport {
  /// The maximum size of a dictionary in bytes.
  private static let maxDictionary = 16 << 20
  /// The maximum ratio of decompressed to compressed size.
  private static let maxRatio: Int64 = 1000

  /// Copies the records into the archive, recompressed with gzip, which every version of offread
  /// reads.
  /// - Parameters:
  ///   - source: the file.
  ///   - path: the path of the file.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile`, or `ArchiveError`.
  func copyZstd(_ source: OpenFile, of path: String) throws -> Outcome {
    var outcome = Outcome(format: .warc)
    let last = try profile.cache.archive.lastRow()
    var isTruncated = false
    let arrivingFile = try ArrivingFile(in: profile.locations.archive.path)
    let storeOutcome = try arrivingFile.store(
      ending: ".warc.gz", writing: { isTruncated = try repack(source, of: path, into: $0) }
    ) { file, _ in
      let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
      guard case .record? = try reader.next() else {
        throw ReaderError.unreadableFile(path: path, "is compressed, but is not a WARC file")
      }
      outcome.add(try RecordFindings(file))
    }
    outcome.isTruncated = outcome.isTruncated || isTruncated
    let arrival = try restoringRemoved(storeOutcome)
    outcome.wasImportedBefore = !arrival.isNew
    outcome.unresolvedCount = try catchUp(after: [arrival], from: last, outcome)
    outcome.hasNothingNew = try !hasReadableVersions(after: last)
    return outcome
  }

  /// Writes the Zstandard frames of each record as a gzip member. The next record begins with a
  /// frame of its own; several records in one frame become one member.
  /// - Returns: whether the file ends within a frame, or is damaged.
  private func repack(
    _ source: OpenFile, of path: String, into sink: ([UInt8]) throws -> Void
  ) throws -> Bool {
    let size = try source.status().size
    let (frames, deflater) = (ZstdFrames(), Deflater())
    var (offset, unpackedLength, isOpen, isAtFrameStart) = (Int64(0), Int64(0), false, false)
    do {
      if let dictionary = try dictionary(of: source) { try frames.use(dictionary: dictionary) }
      while offset < size {
        let bytes = try source.bytes(
          at: offset, count: Int(min(Int64(Self.copyBlockSize), size - offset)))
        guard !bytes.isEmpty else { break }
        offset += Int64(bytes.count)
        try frames.decode(bytes) { chunk, endsFrame in
          unpackedLength += Int64(chunk.count)
          guard unpackedLength <= max(size, 1 << 20) * Self.maxRatio else {
            throw ReaderError.unreadableFile(
              path: path, "expands to more than \(Self.maxRatio) times its compressed size")
          }
          if !chunk.isEmpty {
            if isAtFrameStart, isOpen, chunk.starts(with: "WARC/".utf8) {
              try deflater.finish(into: sink)
            }
            try deflater.deflate(chunk, into: sink)
            (isOpen, isAtFrameStart) = (true, false)
          }
          if endsFrame { isAtFrameStart = true }
        }
      }
    } catch is DecodingFailure {
      if isOpen { try deflater.finish(into: sink) }
      return true
    }
    if isOpen { try deflater.finish(into: sink) }
    return frames.isWithinFrame
  }

  /// Returns the dictionary at the start of a file, decompressed if necessary; nil if there is
  /// none.
  private func dictionary(of source: OpenFile) throws -> [UInt8]? {
    let head = try source.bytes(at: 0, count: 8)
    guard head.count == 8, head.starts(with: [0x5D, 0x2A, 0x4D, 0x18]) else { return nil }
    let count = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= Self.maxDictionary else {
      throw DecodingFailure("too large a dictionary (zstd)")
    }
    let content = try source.bytes(at: 8, count: count)
    guard content.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return content }
    var dictionary: [UInt8] = []
    try ZstdFrames().decode(content) { chunk, _ in
      dictionary += chunk
      guard dictionary.count <= Self.maxDictionary else {
        throw DecodingFailure("too large a dictionary (zstd)")
      }
    }
    return dictionary
  }
}
