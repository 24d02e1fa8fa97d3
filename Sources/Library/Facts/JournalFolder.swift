import Foundation
import OfflineCache

/// The folder of journals: one for each machine, written by that machine alone, so that copying
/// files in both directions puts libraries together without a conflict.
package struct JournalFolder: Sendable {
  /// The folder.
  let path: String
  /// The machine whose journal is written here.
  let machine: String
  /// Why none may be written; nil when it may.
  let refusal: ArchiveError?
  /// The second copies of recent appends; nil for none.
  let recent: RecentAppends?

  private static let ending = ".journal"
  /// How much of a journal is read at a time, in bytes; a line that is longer does not count.
  private static let piece = LibraryJournal.lengthLimit
  private let files = LocalFileSystem()

  /// Names a folder.
  /// - Parameters:
  ///   - path: where it is; made when something is written.
  ///   - machine: as it can stand in a file name.
  ///   - refusal: why no journal may be written; nil when it may.
  ///   - recent: receives a second copy of each append; nil for none.
  init(
    path: String, machine: String, refusal: ArchiveError? = nil, recent: RecentAppends? = nil
  ) {
    self.path = path
    self.machine = machine
    self.refusal = refusal
    self.recent = refusal == nil ? recent : nil
  }

  /// A journal in the folder.
  struct File: Sendable {
    var name: String
    var status: OpenFile.Status
  }

  /// The machine whose journal a file is, by its name; nil when it is none.
  package static func machine(_ name: String) -> String? {
    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : nil
  }

  /// The name of this machine's journal.
  var ownName: String { machine + Self.ending }

  /// Every journal with its state, sorted by name.
  func list() throws(ArchiveError) -> [File] {
    var found: [File] = []
    for name in try files.names(in: path).sorted()
    where name.hasSuffix(Self.ending) && !name.hasPrefix(".") {
      guard let status = try files.status(of: "\(path)/\(name)"), status.isFile else { continue }
      found.append(File(name: name, status: status))
    }
    return found
  }

  /// The first line of a journal; where that is damaged, one for a machine of the file's name. Nil
  /// when the journal is gone.
  func head(of name: String) throws(ArchiveError) -> LibraryJournal.Head? {
    guard let file = try files.openForReading("\(path)/\(name)") else { return nil }
    return try head(of: file, name)
  }

  private func head(of file: OpenFile, _ name: String) throws(ArchiveError) -> LibraryJournal.Head {
    LibraryJournal.head(try file.bytes(at: 0, count: LibraryJournal.headLimit))
      ?? LibraryJournal.Head(machine: String(name.dropLast(Self.ending.count)), id: "")
  }

  /// Whether a journal is still what was read, and perhaps more.
  /// - Throws: `ArchiveError`.
  func continues(_ name: String, _ seen: LibraryStore.Seen) throws(ArchiveError) -> Bool {
    guard let file = try files.openForReading("\(path)/\(name)"),
      try file.status().size >= seen.offset
    else { return false }
    guard try head(of: file, name).id == seen.id else { return false }
    return try Self.tail(of: file, at: seen.offset) == seen.tail
  }

  /// How many bytes are looked at to tell that a journal ends as it did.
  private static let tailLength: Int64 = 256

  /// A checksum of what stands before an offset: what a power cut takes is the end, which may be of
  /// zeros then.
  private static func tail(of file: OpenFile, at offset: Int64) throws(ArchiveError) -> Int64 {
    let start = max(0, offset - tailLength)
    return Int64(LineChecksum.value(of: try file.bytes(at: start, count: Int(offset - start))))
  }

  /// Reads a journal from an offset on, in pieces.
  /// - Parameters:
  ///   - name: the journal; nothing is read when it is gone.
  ///   - offset: the beginning of a line.
  ///   - each: told of the bytes of some lines, the first line of all, and how far it is read with
  ///     them.
  /// - Throws: `ArchiveError`, and what `each` throws.
  func read(
    _ name: String, from offset: Int64,
    _ each: ([UInt8], LibraryJournal.Head, LibraryStore.Seen) throws -> Void
  ) throws {
    guard let file = try files.openForReading("\(path)/\(name)") else { return }
    let head = try head(of: file, name)
    try Self.read(file, from: offset) { bytes, end in
      try each(
        bytes, head, .init(id: head.id, offset: end, tail: try Self.tail(of: file, at: end)))
    }
  }

  private static func read(
    _ file: OpenFile, from offset: Int64, _ each: ([UInt8], _ end: Int64) throws -> Void
  ) throws {
    var offset = offset
    /// Within a line that is too long to count.
    var isPassing = false
    while true {
      var bytes = try file.bytes(at: offset, count: piece)
      guard let last = bytes.lastIndex(of: 10) else {
        guard bytes.count == piece else { return }
        isPassing = true
        offset += Int64(piece)
        continue
      }
      offset += Int64(last + 1)
      let start = isPassing ? (bytes.firstIndex(of: 10) ?? last) + 1 : 0
      isPassing = false
      bytes = Array(bytes[start..<last + 1])
      try each(bytes, offset)
    }
  }

  /// Appends lines to this machine's journal, and waits until they are on the disk.
  /// - Parameter lines: whole lines.
  /// - Throws: `ArchiveError`; then nothing was appended.
  func append(_ lines: [UInt8]) throws(ArchiveError) {
    let file = try locked()
    defer { file.unlock() }
    try append(lines, to: file)
  }

  /// The same with lines that are found while nobody else writes.
  /// - Parameter lines: gives whole lines, or none.
  /// - Throws: `ArchiveError`, and what `lines` throws.
  func append(_ lines: () throws -> [UInt8]) throws {
    let file = try locked()
    defer { file.unlock() }
    let lines = try lines()
    if !lines.isEmpty { try append(lines, to: file) }
  }

  private func append(_ lines: [UInt8], to file: OpenFile) throws(ArchiveError) {
    _ = try? recent?.repair(file, separator: 10)
    let size = try file.status().size
    var text: [UInt8] = []
    if size == 0 {
      text = LibraryJournal.text(newHead)
    } else if try file.bytes(at: size - 1, count: 1) != [10] {
      // A line that was cut by a kill must not take the next one with it.
      text = [10]
    }
    text += lines
    let copy = recent?.note(text, of: ownName, at: size)
    do throws(ArchiveError) {
      try file.write(text, at: size)
      try file.sync()
    } catch {
      recent?.cancel(copy)
      try? file.truncate(to: size)
      throw error
    }
  }

  /// Restores what this device's journal has lost because a synchroniser wrote an older version of
  /// it back, as far as there is a second copy.
  /// - Parameter isThorough: whether the journal is checked even if its size has not changed since
  ///   this process wrote to it.
  /// - Returns: the number of bytes that were restored.
  func restoreLost(isThorough: Bool = false) -> Int64 {
    // A journal that cannot be written now is repaired later.
    (try? recent?.restore(filePath, separator: 10, isThorough: isThorough)) ?? 0
  }

  /// What became of a journal that was written anew.
  struct Rewriting {
    /// The id and the length of the journal before, and of the one that has its place.
    var before: LibraryStore.Seen
    var after: LibraryStore.Seen
  }

  /// Writes this machine's journal anew without some of its lines; what is not understood stays.
  /// - Parameters:
  ///   - isInQuestion: whether lines about a page are looked at.
  ///   - isKept: whether a line that is looked at stays.
  /// - Returns: what became of it; nil when nothing had to go.
  /// - Throws: `ArchiveError`.
  func rewrite(
    where isInQuestion: (String) -> Bool, keeping isKept: (LibraryJournal.Entry) -> Bool
  ) throws -> Rewriting? {
    guard try files.status(of: filePath) != nil else { return nil }
    let file = try locked()
    defer { file.unlock() }
    // Only the holder of the lock writes; what a killed one left is overwritten.
    let draft = try files.openForWriting("\(path)/.\(machine).new")
    try draft.truncate(to: 0)
    let head = newHead
    var size: Int64 = 0
    func write(_ text: [UInt8]) throws {
      try draft.write(text, at: size)
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
        if LibraryJournal.key(ofLine: line).map(isInQuestion) ?? true,
          !isKept(LibraryJournal.entry(line, machine: machine))
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
      try files.removeFile(draft.path)
      return nil
    }
    try draft.sync()
    try recent?.begin(anew: ownName, with: draft)
    try files.renameFile(draft.path, to: filePath)
    try? files.syncFolder(path)
    return Rewriting(
      before: .init(id: try id(of: file), offset: end, tail: try Self.tail(of: file, at: end)),
      after: .init(id: head.id, offset: size, tail: try Self.tail(of: draft, at: size)))
  }

  private func id(of file: OpenFile) throws(ArchiveError) -> String {
    LibraryJournal.head(try file.bytes(at: 0, count: LibraryJournal.headLimit))?.id ?? ""
  }

  private var filePath: String { "\(path)/\(ownName)" }

  private var newHead: LibraryJournal.Head {
    LibraryJournal.Head(machine: machine, id: UUID().uuidString)
  }

  /// This machine's journal, locked.
  private func locked() throws(ArchiveError) -> OpenFile {
    if let refusal { throw refusal }
    try files.makeFolders(path)
    while true {
      let file = try files.openForWriting(filePath)
      try file.lock()
      // It may have been written anew while we waited.
      if try file.isCurrent() { return file }
      file.unlock()
    }
  }
}
