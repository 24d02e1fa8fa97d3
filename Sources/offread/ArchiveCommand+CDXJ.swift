import ArgumentParser
import Document
import Exchange
import Foundation
import OfflineCache
import Pages
import Platform
import Session
import WARC

/// `offread archive cdxj`: writes a CDXJ index of the archive for other programs.
extension ArchiveCommand {
  /// Number of captures that are read at a time.
  private static let batchSize = 10_000
  /// Maximum number of bytes of an index file that are searched for its header lines.
  private static let maxHeaderSearchLength = 64 << 20

  /// Writes the index to the output: as CDXJ lines, or in ZipNum blocks with `--zipnum`.
  func writeIndex(_ archive: Archive) throws {
    do {
      if zipnum, let output { try writeBlocks(archive, output) } else { try writeLines(archive) }
    } catch let error as StandardOutput.WriteError {
      StandardOutput.printError("\(ContentOutput.displayName(of: output)): \(error.message)")
      throw ExitCode(1)
    }
  }

  private func writeLines(_ archive: Archive) throws {
    var file = try ContentOutput(path: output)
    var buffered: [UInt8] = []
    try writeSortedLines(archive) { line in
      buffered += line
      guard buffered.count >= 1 << 18 else { return }
      try file.write(buffered)
      buffered.removeAll(keepingCapacity: true)
    }
    try file.write(buffered)
    try file.finish()
  }

  /// The files that the command writes.
  var outputs: [OutputGrant] {
    guard let output else { return [] }
    let files = zipnum ? Self.blockEndings.map { Self.baseName(of: output) + $0 } : [output]
    return files.map { OutputGrant($0, replacesExisting: force) }
  }

  /// File name extensions of a ZipNum index: the blocks, the index of the blocks, and their
  /// locations.
  private static let blockEndings = [".cdx.gz", ".idx", ".loc"]

  private static func baseName(of output: String) -> String {
    [".idx", ".cdx.gz", ".cdxj.gz"].first(where: output.hasSuffix)
      .map { String(output.dropLast($0.utf8.count)) } ?? output
  }

  /// Writes the blocks, the index of the blocks and the location file, each complete before the
  /// next is started.
  private func writeBlocks(_ archive: Archive, _ output: String) throws {
    let basePath = Self.baseName(of: output)
    let name = (basePath as NSString).lastPathComponent
    guard !name.isEmpty, !name.utf8.contains(where: { $0 < 0x20 }) else {
      StandardOutput.printError("\(LocalFile.displayName(output)) cannot be the name of an index")
      throw ExitCode(1)
    }
    let files = Self.blockEndings.map { basePath + $0 }
    let (blocksPath, indexPath, locationsPath) = (files[0], files[1], files[2])
    for path in [blocksPath, indexPath, locationsPath] where !force {
      guard !LocalFile.exists(path) else {
        StandardOutput.printError(
          "\(LocalFile.displayName(path)): already exists; --force replaces it")
        throw ExitCode(1)
      }
    }
    let spool = Self.makeSpool()
    var writer = ZipNumWriter(.tabs(part: "part-00000"))
    try writeFile(blocksPath) { file in
      try writeSortedLines(archive) { line in
        try writer.add(line, blocks: { try file.write($0) }, index: { spool.write($0) })
      }
      try writer.finish(blocks: { try file.write($0) }, index: { spool.write($0) })
      if let failure = spool.failure { throw failure }
    }
    try writeFile(indexPath) { file in
      var offset: Int64 = 0
      while let chunk = try spool.chunk(at: offset) {
        try file.write(chunk)
        offset += Int64(chunk.count)
      }
    }
    try writeFile(locationsPath) {
      try $0.write(PathText.bytes(of: "part-00000\t\(name).cdx.gz\n"))
    }
  }

  /// Creates a file and completes it after `write` has written its content.
  private func writeFile(
    _ path: String, _ write: (inout ContentOutput) throws -> Void
  ) throws {
    var file = try ContentOutput(path: path)
    try write(&file)
    try file.finish()
  }

  /// Passes the lines of all captures to `sink`, sorted, after the header lines that record the
  /// state of the archive.
  private func writeSortedLines(
    _ archive: Archive, into sink: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try archive.catchUp()
    var sorter = LineSorter(makeSpool: Self.makeSpool)
    let state = CDXJState(segments: try archive.indexedSegments())
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    for line in state.lines(software: "offread \(Offread.version)", date: now) {
      try sorter.add(line)
    }
    let lastRow = try archive.lastRow()
    var (privateCount, sharedCount) = (0, 0)
    let bar = ProgressBar("indexing", isQuiet: quiet) { "\($0) captures" }
    defer { bar.finish() }
    var row: Int64 = 0
    while let batch = try archive.recordedCaptures(after: row, limit: Self.batchSize) {
      row = batch.last
      for capture in batch.captures {
        if capture.isPrivate {
          privateCount += 1
        } else if capture.size == 0 {
          sharedCount += 1
        } else {
          try sorter.add(CDXJLine.capture(capture))
        }
      }
      guard bar.advance(ArchiveProgress(done: row, total: max(lastRow, row))) else {
        throw ArchiveError.stopped
      }
    }
    try sorter.finish(into: sink)
    if !quiet { Self.reportSkipped(privateCount, sharedCount: sharedCount) }
  }

  private static func reportSkipped(_ privateCount: Int, sharedCount: Int) {
    if privateCount > 0 {
      StandardOutput.printError(
        "skipped \(CountFormatter.countText(privateCount, "response")) obtained with cookies or a password"
      )
    }
    if sharedCount > 0 {
      StandardOutput.printError(
        "skipped \(CountFormatter.countText(sharedCount, "response")) whose records share a gzip member; "
          + "warcio recompress separates them")
    }
  }

  private static func makeSpool() -> Spool { Spool(directory: NSTemporaryDirectory()) }

  /// Checks whether an index still matches the archive, and prints the result.
  /// - Returns: whether all entries of the index are still correct; records added since do not
  ///   count.
  func checkIndex(_ path: String, _ archive: Archive) throws -> Bool {
    guard let text = Self.headerLines(of: path), let state = CDXJState(parsing: text) else {
      StandardOutput.printError(
        "\(LocalFile.displayName(path)): cannot be read, or was not written by offread archive cdxj"
      )
      throw ExitCode(1)
    }
    try archive.catchUp()
    let validity = state.validity(try archive.indexedSegments())
    for name in validity.changedSegments.prefix(20) {
      StandardOutput.printError("\(SafeText.line(name)) was rewritten, truncated or removed")
    }
    guard validity.changedSegments.isEmpty else {
      try printLines([
        "\(CountFormatter.countText(validity.changedSegments.count, "segment")) changed; write the index again"
      ])
      return false
    }
    try printLines([
      validity.newBytes == 0
        ? "the index matches the archive"
        : "the index matches the archive, which has grown by \(CountFormatter.byteCountText(validity.newBytes))"
    ])
    return true
  }

  /// Returns the header lines of an index (those that begin with `!`), decompressed; nil if the
  /// file cannot be read.
  private static func headerLines(of path: String) -> [UInt8]? {
    let descriptor = LocalFile.descriptor(path)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor)
    defer { try? file.close() }
    var text: [UInt8] = []
    var checked = 0
    let inflater = Inflater(format: .gzip)
    var isPacked: Bool?
    while text.count < maxHeaderSearchLength, let chunk = try? file.read(upToCount: 1 << 16),
      !chunk.isEmpty
    {
      let packed = isPacked ?? chunk.starts(with: [0x1F, 0x8B])
      isPacked = packed
      if packed {
        guard (try? inflater.inflate([UInt8](chunk)) { text += $0 }) != nil else { return nil }
      } else {
        text += chunk
      }
      // Stop at the first line that is not a header line.
      while let end = text[checked...].firstIndex(of: 0x0A) {
        guard text[checked] == UInt8(ascii: "!") else { return Array(text[..<checked]) }
        checked = end + 1
      }
    }
    return Array(text[..<checked])
  }
}
