import Foundation
package import OfflineCache
import WARC

/// Imports files into a directory of the profile. Each file is written completely, under a unique
/// name, and a killed process never leaves an incomplete file under its final name.
package struct ArrivingFile {
  /// The result of an import.
  package enum Outcome: Sendable, Equatable {
    /// The file was added under this name.
    case added(as: String)
    /// The directory contained the content already, in the file with this name.
    case alreadyPresent(as: String)

    /// The name of the file with the content.
    package var name: String {
      switch self {
      case .added(let name), .alreadyPresent(let name): name
      }
    }

    /// Whether the file was added.
    package var isNew: Bool {
      if case .added = self { true } else { false }
    }
  }

  let directory: String
  private let files = LocalFileSystem()
  private static let pieceLength = 1 << 20
  private static let partialFileStart = ".import-"
  private static let partialFileEnd = ".part"

  /// Creates the directory into which files are imported, if necessary, and removes the partial
  /// files that killed imports left there.
  /// - Throws: `ArchiveError`.
  package init(in parent: String) throws(ArchiveError) {
    self.directory = parent
    try files.makeDirectories(parent)
    var names: [String] = []
    _ = files.list(parent) {
      if $0.hasPrefix(Self.partialFileStart), $0.hasSuffix(Self.partialFileEnd) { names.append($0) }
    }
    for name in names {
      // A file that is being written is locked.
      guard let file = try? files.openForWriting("\(parent)/\(name)"), try file.tryLock() else {
        continue
      }
      try files.removeFile(file.path)
      file.unlock()
    }
  }

  /// Returns whether a file with the name exists.
  /// - Throws: `ArchiveError`.
  package func contains(_ name: String) throws(ArchiveError) -> Bool {
    try files.status(of: "\(directory)/\(name)") != nil
  }

  /// Returns whether a range of another file is a prefix of a file in the directory, or equal to
  /// it.
  /// - Parameters:
  ///   - source: the other file.
  ///   - range: the range of bytes.
  ///   - name: the name of the file in the directory.
  /// - Returns: whether it is a prefix; true if there is no file with the name.
  /// - Throws: `ArchiveError`.
  package func isPrefix(
    _ source: OpenFile, _ range: Range<Int64>, of name: String
  ) throws(ArchiveError) -> Bool {
    guard let there = try files.openForReading("\(directory)/\(name)") else { return true }
    let count = range.upperBound - range.lowerBound
    guard try count <= there.status().size else { return false }
    return try isSame(source, range, there, count: count)
  }

  /// Imports a range of another file. If the range equals or is a prefix of the file with the name,
  /// nothing is written; if that file is a prefix of the range, it is replaced.
  /// - Parameters:
  ///   - source: the other file.
  ///   - range: the range of bytes.
  ///   - name: the name in the directory; nil for a name derived from the content. If the name is
  ///     used by a file with other content, the name is derived from the content as well.
  ///   - ending: the extension of a derived name, with its dot.
  /// - Returns: the result.
  /// - Throws: `ArchiveError`.
  package func store(
    _ source: OpenFile, _ range: Range<Int64>, as name: String?, ending: String
  ) throws -> Outcome {
    let count = range.upperBound - range.lowerBound
    // Existing files only grow, or are replaced as a whole.
    if let name, let existingFile = try files.openForReading("\(directory)/\(name)"),
      try count <= existingFile.status().size, try isSame(source, range, existingFile, count: count)
    {
      return .alreadyPresent(as: name)
    }
    var differs = false
    // The owner of the file, or another import, may write to it at the same time.
    if let name, let existingFile = try lockExisting(name) {
      defer { existingFile.unlock() }
      differs = true
      let size = try existingFile.status().size
      if try isSame(source, range, existingFile, count: min(size, count)) {
        guard size < count else { return .alreadyPresent(as: name) }
        let (partialFile, _) = try makePartialFile { try copy(source, range, into: $0) }
        defer { partialFile.unlock() }
        try finish(partialFile, as: name)
        return .added(as: name)
      }
    }
    guard let name, !differs else {
      return try store(ending: ending, writing: { try copy(source, range, into: $0) })
    }
    let (partialFile, _) = try makePartialFile { try copy(source, range, into: $0) }
    defer { drop(partialFile) }
    if try rename(partialFile, as: name) { return .added(as: name) }
    // Another import has added a file with the name in the meantime.
    return try store(source, range, as: name, ending: ending)
  }

  /// Imports a file under a name derived from its content, so that each content is stored once.
  /// - Parameters:
  ///   - ending: the extension of the name, with its dot.
  ///   - work: writes the file through a function that receives bytes.
  ///   - check: validates the complete file and its SHA-256 digest; the file is discarded if it
  ///     throws.
  /// - Returns: the result.
  /// - Throws: `ArchiveError`, and the errors of `work` and `check`.
  package func store(
    ending: String, writing work: (([UInt8]) throws -> Void) throws -> Void,
    check: (OpenFile, _ digest: [UInt8]) throws -> Void = { _, _ in }
  ) throws -> Outcome {
    let (partialFile, digest) = try makePartialFile(work)
    defer { drop(partialFile) }
    try check(partialFile, digest)
    let name = "import-\(Self.name(of: digest))\(ending)"
    return try rename(partialFile, as: name) ? .added(as: name) : .alreadyPresent(as: name)
  }

  /// Renames a partial file to its final name, unless a file with that name exists.
  /// - Returns: whether it was renamed.
  private func rename(_ partialFile: OpenFile, as name: String) throws(ArchiveError) -> Bool {
    // Another process may use the same name at the same time.
    let lock = try files.openDirectory(directory)
    try lock?.lock()
    defer { lock?.unlock() }
    if try contains(name) { return false }
    try finish(partialFile, as: name)
    return true
  }

  /// Creates a file in the directory.
  /// - Parameters:
  ///   - name: its name; if a file with the name exists, nothing is written.
  ///   - work: writes the file through a function that receives bytes.
  /// - Returns: the result.
  /// - Throws: `ArchiveError`, and the errors of `work`.
  package func make(
    _ name: String, _ work: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> Outcome {
    guard try files.status(of: "\(directory)/\(name)") == nil else {
      return .alreadyPresent(as: name)
    }
    let (partialFile, _) = try makePartialFile(work)
    defer { drop(partialFile) }
    return try rename(partialFile, as: name) ? .added(as: name) : .alreadyPresent(as: name)
  }

  /// Locks an existing file.
  /// - Returns: the file; nil if it does not exist.
  private func lockExisting(_ name: String) throws(ArchiveError) -> OpenFile? {
    while try contains(name) {
      let file = try files.openForWriting("\(directory)/\(name)")
      try file.lock()
      // The file may have been replaced while this process waited for the lock.
      if try file.isCurrent() { return file }
      file.unlock()
    }
    return nil
  }

  private func newPartialFile() throws(ArchiveError) -> OpenFile {
    while true {
      let partialFile = try files.openForWriting(
        "\(directory)/\(Self.partialFileStart)\(UUID().uuidString)\(Self.partialFileEnd)")
      try partialFile.lock()
      // Before the partial file was locked, another import may have removed it as abandoned.
      if try partialFile.isCurrent() { return partialFile }
    }
  }

  private func finish(_ partialFile: OpenFile, as name: String) throws(ArchiveError) {
    try partialFile.sync()
    try files.renameFile(partialFile.path, to: "\(directory)/\(name)")
    try files.syncDirectory(directory)
  }

  /// Writes a partial file, which stays locked.
  /// - Returns: the file and the SHA-256 digest of its content.
  private func makePartialFile(
    _ work: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> (OpenFile, digest: [UInt8]) {
    let partialFile = try newPartialFile()
    do {
      var digest = DigestBuilder(.sha256)
      var offset: Int64 = 0
      try work { bytes in
        digest.update(bytes)
        try partialFile.write(bytes, at: offset)
        offset += Int64(bytes.count)
      }
      return (partialFile, digest.digest().bytes)
    } catch {
      drop(partialFile)
      throw error
    }
  }

  private func drop(_ partialFile: OpenFile) {
    try? files.removeFile(partialFile.path)
    partialFile.unlock()
  }

  private func copy(
    _ source: OpenFile, _ range: Range<Int64>, into sink: ([UInt8]) throws -> Void
  ) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(Self.pieceLength), range.upperBound - offset))
      let bytes = try source.bytes(at: offset, count: count)
      guard !bytes.isEmpty else { break }
      try sink(bytes)
      offset += Int64(bytes.count)
    }
  }

  /// Returns the prefix of a digest that is used in file names, in hexadecimal.
  package static func name(of digest: [UInt8]) -> String { Hexadecimal.text(digest.prefix(10)) }

  private func isSame(
    _ source: OpenFile, _ range: Range<Int64>, _ other: OpenFile, count: Int64
  ) throws(ArchiveError) -> Bool {
    var offset: Int64 = 0
    while offset < count {
      let length = Int(min(Int64(Self.pieceLength), count - offset))
      let bytes = try source.bytes(at: range.lowerBound + offset, count: length)
      guard try bytes == other.bytes(at: offset, count: length) else { return false }
      offset += Int64(length)
    }
    return true
  }
}
