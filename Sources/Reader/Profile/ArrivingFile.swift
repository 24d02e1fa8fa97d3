import Foundation
package import OfflineCache
import WARC

/// Puts files from elsewhere into a folder of the library: whole, under a name that nothing else has, and
/// so that a kill leaves nothing that is taken for one.
package struct ArrivingFile {
  /// What became of a file.
  package enum Outcome: Sendable, Equatable {
    /// It is there now, under this name.
    case taken(as: String)
    /// What it has was there already.
    case known
  }

  /// The folder.
  let folder: String
  private let files = LocalFileSystem()
  private static let piece = 1 << 20
  private static let draftStart = ".import-"
  private static let draftEnd = ".part"

  /// Opens the folder, and makes it; removes what killed imports have left there.
  /// - Throws: `ArchiveError`.
  package init(in folder: String) throws(ArchiveError) {
    self.folder = folder
    try files.makeFolders(folder)
    var names: [String] = []
    _ = files.list(folder) {
      if $0.hasPrefix(Self.draftStart), $0.hasSuffix(Self.draftEnd) { names.append($0) }
    }
    for name in names {
      // One that is being written is locked.
      guard let file = try? files.openForWriting("\(folder)/\(name)"), try file.tryLock() else {
        continue
      }
      try files.removeFile(file.path)
      file.unlock()
    }
  }

  /// Whether there is a file of a name.
  /// - Throws: `ArchiveError`.
  package func has(_ name: String) throws(ArchiveError) -> Bool {
    try files.status(of: "\(folder)/\(name)") != nil
  }

  /// Whether a range of a file is the beginning of a file here, or all of it. Of one that is not here nothing
  /// speaks against it.
  /// - Parameters:
  ///   - source: where the range is.
  ///   - range: which bytes.
  ///   - name: the file here.
  /// - Returns: the answer.
  /// - Throws: `ArchiveError`.
  package func isBeginning(
    _ source: OpenFile, _ range: Range<Int64>, of name: String
  ) throws(ArchiveError) -> Bool {
    guard let there = try files.openForReading("\(folder)/\(name)") else { return true }
    let count = range.upperBound - range.lowerBound
    guard try count <= there.status().size else { return false }
    return try isSame(source, range, there, count: count)
  }

  /// Puts a range of a file into the folder.
  /// - Parameters:
  ///   - source: where it is.
  ///   - range: which bytes.
  ///   - name: its name here; nil for one that its content gives. Where there is another file of this name
  ///     that is no beginning of this one, it gets a name of its own, too.
  ///   - ending: what that name ends with, with its dot.
  /// - Returns: what became of it.
  /// - Throws: `ArchiveError`.
  package func take(
    _ source: OpenFile, _ range: Range<Int64>, as name: String?, ending: String
  ) throws -> Outcome {
    let count = range.upperBound - range.lowerBound
    // What is there is only added to, or replaced as a whole.
    if let name, let there = try files.openForReading("\(folder)/\(name)"),
      try count <= there.status().size, try isSame(source, range, there, count: count)
    {
      return .known
    }
    var isOther = false
    // Its owner, or another import, may write to it meanwhile.
    if let name, let there = try locked(name) {
      defer { there.unlock() }
      isOther = true
      let size = try there.status().size
      if try isSame(source, range, there, count: min(size, count)) {
        guard size < count else { return .known }
        let (draft, _) = try makeDraft { try copy(source, range, into: $0) }
        defer { draft.unlock() }
        try finish(draft, as: name)
        return .taken(as: name)
      }
    }
    guard let name, !isOther else {
      return try take(ending: ending, writing: { try copy(source, range, into: $0) })
    }
    let (draft, _) = try makeDraft { try copy(source, range, into: $0) }
    defer { drop(draft) }
    if try place(draft, as: name) { return .taken(as: name) }
    // Another import has brought one of this name meanwhile.
    return try take(source, range, as: name, ending: ending)
  }

  /// Puts a file into the folder under a name that its content gives, so that it is there once.
  /// - Parameters:
  ///   - ending: what the name ends with, with its dot.
  ///   - work: writes the file by a function that takes bytes.
  ///   - check: looks at the whole file and its SHA-256 before it is taken; what it throws, it is not.
  /// - Returns: what became of it.
  /// - Throws: `ArchiveError`; what `work` and `check` throw.
  package func take(
    ending: String, writing work: (([UInt8]) throws -> Void) throws -> Void,
    check: (OpenFile, _ digest: [UInt8]) throws -> Void = { _, _ in }
  ) throws -> Outcome {
    let (draft, digest) = try makeDraft(work)
    defer { drop(draft) }
    try check(draft, digest)
    let name = "import-\(Self.name(of: digest))\(ending)"
    return try place(draft, as: name) ? .taken(as: name) : .known
  }

  /// Gives a draft a name, unless a file has it.
  /// - Returns: whether none had.
  private func place(_ draft: OpenFile, as name: String) throws(ArchiveError) -> Bool {
    // Two may want it at once.
    let lock = try files.openFolder(folder)
    try lock?.lock()
    defer { lock?.unlock() }
    if try has(name) { return false }
    try finish(draft, as: name)
    return true
  }

  /// Makes a file in the folder.
  /// - Parameters:
  ///   - name: its name; nothing is made when it is there.
  ///   - work: writes it by a function that takes bytes.
  /// - Returns: what became of it.
  /// - Throws: `ArchiveError`; what `work` throws.
  package func make(
    _ name: String, _ work: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> Outcome {
    guard try files.status(of: "\(folder)/\(name)") == nil else { return .known }
    let (draft, _) = try makeDraft(work)
    defer { drop(draft) }
    return try place(draft, as: name) ? .taken(as: name) : .known
  }

  /// A file that is there, locked; nil when there is none.
  private func locked(_ name: String) throws(ArchiveError) -> OpenFile? {
    while try has(name) {
      let file = try files.openForWriting("\(folder)/\(name)")
      try file.lock()
      // It may have been replaced while we waited.
      if try file.isCurrent() { return file }
      file.unlock()
    }
    return nil
  }

  private func newDraft() throws(ArchiveError) -> OpenFile {
    while true {
      let draft = try files.openForWriting(
        "\(folder)/\(Self.draftStart)\(UUID().uuidString)\(Self.draftEnd)")
      try draft.lock()
      // Until it was locked another import could take it for one that a killed import has left.
      if try draft.isCurrent() { return draft }
    }
  }

  private func finish(_ draft: OpenFile, as name: String) throws(ArchiveError) {
    try draft.sync()
    try files.renameFile(draft.path, to: "\(folder)/\(name)")
    try files.syncFolder(folder)
  }

  /// A file under a name for now, locked, and the SHA-256 of what it has.
  private func makeDraft(
    _ work: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> (OpenFile, digest: [UInt8]) {
    let draft = try newDraft()
    do {
      var digest = DigestBuilder(.sha256)
      var offset: Int64 = 0
      try work { bytes in
        digest.update(bytes)
        try draft.write(bytes, at: offset)
        offset += Int64(bytes.count)
      }
      return (draft, digest.digest().bytes)
    } catch {
      drop(draft)
      throw error
    }
  }

  private func drop(_ draft: OpenFile) {
    try? files.removeFile(draft.path)
    draft.unlock()
  }

  private func copy(
    _ source: OpenFile, _ range: Range<Int64>, into sink: ([UInt8]) throws -> Void
  ) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(Self.piece), range.upperBound - offset))
      let bytes = try source.bytes(at: offset, count: count)
      guard !bytes.isEmpty else { break }
      try sink(bytes)
      offset += Int64(bytes.count)
    }
  }

  /// The beginning of a digest, as a name has it.
  package static func name(of digest: [UInt8]) -> String { Hexadecimal.text(digest.prefix(10)) }

  private func isSame(
    _ source: OpenFile, _ range: Range<Int64>, _ other: OpenFile, count: Int64
  ) throws(ArchiveError) -> Bool {
    var offset: Int64 = 0
    while offset < count {
      let length = Int(min(Int64(Self.piece), count - offset))
      let bytes = try source.bytes(at: range.lowerBound + offset, count: length)
      guard try bytes == other.bytes(at: offset, count: length) else { return false }
      offset += Int64(length)
    }
    return true
  }
}
