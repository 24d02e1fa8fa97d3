import Foundation
import OfflineCache

/// The lines of a journal: facts as JSON, one a line, after a first line that names the journal.
///
/// A line that is cut, damaged or of a later version is passed over; those around it count.
enum LibraryJournal {
  /// The first line.
  struct Head: Codable, Equatable {
    /// The version of the form.
    var journal = 1
    /// The machine whose facts follow.
    var machine: String
    /// Another one for each file, also when it is written anew under the same name.
    var id: String
  }

  private struct Line: Codable {
    var date: Int64
    var url: String
    var set: String
    var to: String?
  }

  /// The dates that can be: years with four digits, in milliseconds.
  private static let dates: Range<Int64> = 0..<253_402_300_800_000
  /// The longest line that counts, in bytes.
  private static let lengthLimit = 1 << 20
  /// The longest first line, in bytes.
  static let headLimit = 4096
  private static let newline: UInt8 = 10

  /// The text of a first line.
  static func text(_ head: Head) -> [UInt8] { text(ofValue: head) }

  /// The lines of facts; the machine is that of the journal.
  static func text(_ facts: [LibraryFact]) -> [UInt8] {
    facts.flatMap { fact in
      text(
        ofValue: Line(
          date: fact.date, url: fact.key, set: fact.attribute.text, to: fact.value))
    }
  }

  /// Reads the first line; nil when it is none of a journal.
  static func head(_ bytes: some Collection<UInt8>) -> Head? {
    guard let end = bytes.prefix(headLimit).firstIndex(of: newline),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])), head.journal == 1
    else { return nil }
    return head
  }

  /// Reads lines.
  /// - Parameters:
  ///   - bytes: from the beginning of a line on.
  ///   - machine: whose they are.
  /// - Returns: the facts, in their order, and how many bytes the whole lines take: one that does not
  ///   end yet is still being written.
  static func facts(
    _ bytes: ArraySlice<UInt8>, machine: String
  ) -> (facts: [LibraryFact], length: Int) {
    let decoder = JSONDecoder()
    var facts: [LibraryFact] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: newline) {
      defer { start = end + 1 }
      guard end - start <= lengthLimit,
        let line = try? decoder.decode(Line.self, from: Data(bytes[start..<end])),
        let attribute = LibraryAttribute(text: line.set), WebURL(line.url) != nil,
        dates.contains(line.date)
      else { continue }
      facts.append(
        LibraryFact(
          key: line.url, attribute: attribute, value: line.to, date: line.date, machine: machine))
    }
    return (facts, start - bytes.startIndex)
  }

  private static func text(ofValue value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return [] }
    return [UInt8](data) + [newline]
  }
}

/// The folder of journals: one for each machine, written by that machine alone, so that copying files
/// in both directions puts libraries together without a conflict.
struct JournalFolder: Sendable {
  /// The folder.
  let path: String
  /// The machine whose journal is written here.
  let machine: String

  private static let ending = ".journal"
  private let files = LocalFileSystem()

  /// Names a folder.
  /// - Parameters:
  ///   - path: where it is; made when something is written.
  ///   - machine: as it can stand in a file name.
  init(path: String, machine: String) {
    self.path = path
    self.machine = machine
  }

  /// A journal in the folder.
  struct File: Sendable {
    var name: String
    var status: OpenFile.Status
  }

  /// Every journal with its state, sorted by name.
  func list() throws(ArchiveError) -> [File] {
    var names: [String] = []
    let result = files.retrying {
      names = []
      return files.list(path) {
        if $0.hasSuffix(Self.ending), !$0.hasPrefix(".") { names.append($0) }
      }
    }
    if result == -Int(ENOENT) { return [] }
    guard result == 0 else {
      throw .unreadable("\(path): \(String(cString: strerror(Int32(-result))))")
    }
    var found: [File] = []
    for name in names.sorted() {
      guard let status = try files.status(of: "\(path)/\(name)"), status.isFile else { continue }
      found.append(File(name: name, status: status))
    }
    return found
  }

  /// The first line of a journal; where that is damaged, one for a machine of the file's name. Nil when
  /// the journal is gone.
  func head(of name: String) throws(ArchiveError) -> LibraryJournal.Head? {
    guard let file = try files.openForReading("\(path)/\(name)") else { return nil }
    return LibraryJournal.head(try file.bytes(at: 0, count: LibraryJournal.headLimit))
      ?? LibraryJournal.Head(machine: String(name.dropLast(Self.ending.count)), id: "")
  }

  /// The bytes of a journal from an offset on; nil when it is gone.
  func bytes(of name: String, from offset: Int64) throws(ArchiveError) -> [UInt8]? {
    guard let file = try files.openForReading("\(path)/\(name)") else { return nil }
    let size = try file.status().size
    return try file.bytes(at: offset, count: Int(max(0, size - offset)))
  }

  /// Appends facts to this machine's journal, and waits until they are on the disk.
  /// - Parameter facts: what is said.
  /// - Throws: `ArchiveError`; then nothing was appended.
  func append(_ facts: [LibraryFact]) throws(ArchiveError) {
    let file = try locked()
    defer { file.unlock() }
    let size = try file.status().size
    var text: [UInt8] = []
    if size == 0 {
      text = LibraryJournal.text(newHead)
    } else if try file.bytes(at: size - 1, count: 1) != [10] {
      // A line that was cut by a kill must not take the next one with it.
      text = [10]
    }
    text += LibraryJournal.text(facts)
    do throws(ArchiveError) {
      try file.write(text, at: size)
      try file.sync()
    } catch {
      try? file.truncate(to: size)
      throw error
    }
  }

  /// Writes this machine's journal anew with some of its lines.
  /// - Parameter isKept: whether a fact stays.
  /// - Returns: whether anything went.
  /// - Throws: `ArchiveError`.
  func rewrite(keeping isKept: (LibraryFact) -> Bool) throws(ArchiveError) -> Bool {
    guard try files.status(of: filePath) != nil else { return false }
    let file = try locked()
    defer { file.unlock() }
    let all = try file.bytes(at: 0, count: Int(try file.status().size))
    let facts = LibraryJournal.facts(all[...], machine: machine).facts
    let rest = facts.filter(isKept)
    guard rest.count < facts.count else { return false }
    // Only the holder of the lock writes; what a killed one left is overwritten.
    let draft = try files.openForWriting("\(path)/.\(machine).new")
    try draft.truncate(to: 0)
    try draft.write(LibraryJournal.text(newHead) + LibraryJournal.text(rest), at: 0)
    try draft.sync()
    try files.renameFile(draft.path, to: filePath)
    try? files.syncFolder(path)
    return true
  }

  private var filePath: String { "\(path)/\(machine)\(Self.ending)" }

  private var newHead: LibraryJournal.Head {
    LibraryJournal.Head(machine: machine, id: UUID().uuidString)
  }

  /// This machine's journal, locked.
  private func locked() throws(ArchiveError) -> OpenFile {
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
