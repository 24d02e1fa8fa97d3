import Foundation
import OfflineCache

/// The directory of journals. Each device writes only its own journal, so that copying files in
/// both directions merges libraries without conflicts.
package struct JournalDirectory: Sendable {
  /// The path of the directory.
  let path: String
  /// The device whose journal this process writes.
  let device: String
  /// The reason why no journal may be written; nil if writing is allowed.
  let refusal: ArchiveError?
  /// The backup copies of recent appends; nil to keep none.
  let recentAppends: RecentAppends?

  private static let fileExtension = ".journal"
  /// The number of bytes read at once, which is also the maximum length of a line in bytes; longer
  /// lines are ignored.
  private static let blockSize = LibraryJournal.maxLength
  private let files = LocalFileSystem()

  /// Creates a reference to a directory without accessing it.
  /// - Parameters:
  ///   - path: The path of the directory, which is created on the first write.
  ///   - device: The name of this device, valid as part of a file name.
  ///   - refusal: The reason why no journal may be written; nil if writing is allowed.
  ///   - recentAppends: Receives a backup copy of each append; nil for none.
  init(
    path: String, device: String, refusal: ArchiveError? = nil, recentAppends: RecentAppends? = nil
  ) {
    self.path = path
    self.device = device
    self.refusal = refusal
    self.recentAppends = refusal == nil ? recentAppends : nil
  }

  /// A journal in the directory.
  struct File: Sendable {
    var name: String
    var status: OpenFile.Status
  }

  /// Returns the device of a journal from its file name; nil for other files.
  package static func device(_ name: String) -> String? {
    name.hasSuffix(fileExtension) ? String(name.dropLast(fileExtension.count)) : nil
  }

  /// The file name of this device's journal.
  var fileName: String { device + Self.fileExtension }

  /// Returns all journals, sorted by name.
  func list() throws(ArchiveError) -> [File] {
    var found: [File] = []
    for name in try files.names(in: path).sorted()
    where name.hasSuffix(Self.fileExtension) && !name.hasPrefix(".") {
      guard let status = try files.status(of: "\(path)/\(name)"), status.isFile else { continue }
      found.append(File(name: name, status: status))
    }
    return found
  }

  /// Returns the header line of a journal. If that line is damaged, the device is derived from the
  /// file name. Returns nil if the journal does not exist.
  func head(of name: String) throws(ArchiveError) -> LibraryJournal.Head? {
    guard let file = try files.openForReading("\(path)/\(name)") else { return nil }
    return try head(of: file, name)
  }

  private func head(of file: OpenFile, _ name: String) throws(ArchiveError) -> LibraryJournal.Head {
    LibraryJournal.head(try file.bytes(at: 0, count: LibraryJournal.maxHeadLength))
      ?? LibraryJournal.Head(device: String(name.dropLast(Self.fileExtension.count)), id: "")
  }

  /// Returns whether a journal still begins with the bytes that were read before.
  /// - Throws: `ArchiveError`.
  func continues(_ name: String, _ seen: LibraryStore.ReadPosition) throws(ArchiveError) -> Bool {
    guard let file = try files.openForReading("\(path)/\(name)"),
      try file.status().size >= seen.offset
    else { return false }
    guard try head(of: file, name).id == seen.id else { return false }
    return try Self.tailChecksum(of: file, at: seen.offset) == seen.tail
  }

  /// The number of bytes before an offset from which `tailChecksum(of:at:)` is computed.
  private static let tailLength: Int64 = 256

  /// Returns a checksum of the bytes before an offset. It detects a file whose end was damaged by a
  /// power failure and may consist of zeros.
  private static func tailChecksum(of file: OpenFile, at offset: Int64) throws(ArchiveError)
    -> Int64
  {
    let start = max(0, offset - tailLength)
    return Int64(LineChecksum.value(of: try file.bytes(at: start, count: Int(offset - start))))
  }

  /// Reads a journal block by block, beginning at an offset.
  /// - Parameters:
  ///   - name: The file name of the journal; nothing is read if the file does not exist.
  ///   - offset: The start of a line.
  ///   - each: Receives the bytes of one or more complete lines, the header line of the journal,
  ///     and the position after these bytes.
  /// - Throws: `ArchiveError`, and errors that `each` throws.
  func read(
    _ name: String, from offset: Int64,
    _ each: ([UInt8], LibraryJournal.Head, LibraryStore.ReadPosition) throws -> Void
  ) throws {
    guard let file = try files.openForReading("\(path)/\(name)") else { return }
    let head = try head(of: file, name)
    try Self.read(file, from: offset) { bytes, end in
      try each(
        bytes, head, .init(id: head.id, offset: end, tail: try Self.tailChecksum(of: file, at: end))
      )
    }
  }

  private static func read(
    _ file: OpenFile, from offset: Int64, _ each: ([UInt8], _ end: Int64) throws -> Void
  ) throws {
    var offset = offset
    /// Whether the offset is within a line that exceeds the maximum length.
    var isPassing = false
    while true {
      var bytes = try file.bytes(at: offset, count: blockSize)
      guard let last = bytes.lastIndex(of: 10) else {
        guard bytes.count == blockSize else { return }
        isPassing = true
        offset += Int64(blockSize)
        continue
      }
      offset += Int64(last + 1)
      let start = isPassing ? (bytes.firstIndex(of: 10) ?? last) + 1 : 0
      isPassing = false
      bytes = Array(bytes[start..<last + 1])
      try each(bytes, offset)
    }
  }

  /// Appends lines to this device's journal and flushes them to the disk.
  /// - Parameter lines: Complete lines.
  /// - Throws: `ArchiveError`; nothing is appended in that case.
  func append(_ lines: [UInt8]) throws(ArchiveError) {
    let file = try openLocked()
    defer { file.unlock() }
    try append(lines, to: file)
  }

  /// Appends lines that are determined while the journal is locked.
  /// - Parameter lines: Returns complete lines; an empty result appends nothing.
  /// - Throws: `ArchiveError`, and errors that `lines` throws.
  func append(_ lines: () throws -> [UInt8]) throws {
    let file = try openLocked()
    defer { file.unlock() }
    let lines = try lines()
    if !lines.isEmpty { try append(lines, to: file) }
  }

  private func append(_ lines: [UInt8], to file: OpenFile) throws(ArchiveError) {
    _ = try? recentAppends?.repair(file, separator: 10)
    let size = try file.status().size
    var text: [UInt8] = []
    if size == 0 {
      text = LibraryJournal.text(newHead)
    } else if try file.bytes(at: size - 1, count: 1) != [10] {
      // A line truncated by a crash must not corrupt the next one.
      text = [10]
    }
    text += lines
    let copy = recentAppends?.record(text, of: fileName, at: size)
    do throws(ArchiveError) {
      try file.write(text, at: size)
      try file.sync()
    } catch {
      recentAppends?.cancel(copy)
      try? file.truncate(to: size)
      throw error
    }
  }

  /// Restores the end of this device's journal from the backup copy, if a file synchronizer
  /// replaced the journal with an older version.
  /// - Parameter isThorough: Whether to check the journal even if its size has not changed since
  ///   this process wrote to it.
  /// - Returns: The number of bytes restored.
  func restoreLost(isThorough: Bool = false) -> Int64 {
    // If the journal cannot be written now, it is repaired later.
    (try? recentAppends?.restore(filePath, separator: 10, isThorough: isThorough)) ?? 0
  }

  /// The positions in a journal before and after it was rewritten.
  struct Rewriting {
    /// The position at the end of the journal before it was rewritten.
    var oldEnd: LibraryStore.ReadPosition
    /// The position at the end of the rewritten journal.
    var newEnd: LibraryStore.ReadPosition
  }

  /// Rewrites this device's journal without some of its lines; lines that cannot be parsed remain.
  /// - Parameters:
  ///   - mayBeRemoved: Receives the key of a page, and returns whether lines about it are examined.
  ///     Lines without a readable key are always examined.
  ///   - isKept: Returns whether an examined line is kept.
  /// - Returns: The positions before and after; nil if no line was removed.
  /// - Throws: `ArchiveError`.
  func rewrite(
    where mayBeRemoved: (String) -> Bool, keeping isKept: (LibraryJournal.Entry) -> Bool
  ) throws -> Rewriting? {
    guard try files.status(of: filePath) != nil else { return nil }
    let file = try openLocked()
    defer { file.unlock() }
    // The lock ensures that there is a single writer; a temporary file left by a crash is
    // overwritten.
    let newFile = try files.openForWriting("\(path)/.\(device).new")
    try newFile.truncate(to: 0)
    let head = newHead
    var size: Int64 = 0
    func write(_ text: [UInt8]) throws {
      try newFile.write(text, at: size)
      size += Int64(text.count)
    }
    try write(LibraryJournal.text(head))
    var isFirst = true
    var isChanged = false
    var end: Int64 = 0
    try Self.read(file, from: 0) { bytes, reached in
      end = reached
      var rest: [UInt8] = []
      rest.reserveCapacity(bytes.count)
      _ = LibraryJournal.lines(bytes) { line in
        defer { isFirst = false }
        if isFirst, LibraryJournal.head(line + [10]) != nil { return }
        if LibraryJournal.key(ofLine: line).map(mayBeRemoved) ?? true,
          !isKept(LibraryJournal.entry(line, device: device))
        {
          isChanged = true
          return
        }
        rest += line
        rest.append(10)
      }
      try write(rest)
    }
    guard isChanged else {
      try files.removeFile(newFile.path)
      return nil
    }
    try newFile.sync()
    try recentAppends?.begin(replacing: fileName, with: newFile)
    try files.renameFile(newFile.path, to: filePath)
    try? files.syncDirectory(path)
    return Rewriting(
      oldEnd: .init(
        id: try id(of: file), offset: end, tail: try Self.tailChecksum(of: file, at: end)),
      newEnd: .init(id: head.id, offset: size, tail: try Self.tailChecksum(of: newFile, at: size)))
  }

  private func id(of file: OpenFile) throws(ArchiveError) -> String {
    LibraryJournal.head(try file.bytes(at: 0, count: LibraryJournal.maxHeadLength))?.id ?? ""
  }

  private var filePath: String { "\(path)/\(fileName)" }

  private var newHead: LibraryJournal.Head {
    LibraryJournal.Head(device: device, id: UUID().uuidString)
  }

  /// Opens and locks this device's journal.
  private func openLocked() throws(ArchiveError) -> OpenFile {
    if let refusal { throw refusal }
    try files.makeDirectories(path)
    while true {
      let file = try files.openForWriting(filePath)
      try file.lock()
      // The file may have been replaced while waiting for the lock.
      if try file.isCurrent() { return file }
      file.unlock()
    }
  }
}
