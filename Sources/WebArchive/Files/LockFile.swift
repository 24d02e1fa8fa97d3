import Foundation
import WARC

/// A lock for file systems that have no other: a file that names who holds it. What a process that has
/// ended has left behind is no lock.
struct LockFile {
  /// Who holds a lock.
  struct Holder: Equatable, Sendable {
    /// The machine: its name, and what tells it from others of that name.
    var host: String
    /// The process.
    var process: Int32
    /// When that was started: another process may get its number.
    var start: String
    /// Another one for each lock, as a process may want the same one twice.
    var id: String

    /// This process, with an id of its own.
    static var current: Holder {
      let process = getpid()
      return Holder(
        host: thisHost, process: process, start: startTime(of: process) ?? "",
        id: UUID().uuidString)
    }

    /// This machine.
    static let thisHost: String = {
      let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
      // The id itself is nobody else's business (machine-id(5)).
      let digest = DigestBuilder.bytes(of: (id ?? "").utf8, .sha256).prefix(8)
        .map { String($0, radix: 36) }.joined()
      let words = ProcessInfo.processInfo.hostName + " " + digest
      return words.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    }()

    /// The name of the machine, for a person.
    var hostName: Substring { host.prefix { $0 != " " } }

    init(host: String, process: Int32, start: String, id: String) {
      (self.host, self.process, self.start, self.id) = (host, process, start, id)
    }

    /// Reads what a lock file holds; nil when that is damaged, or not all there yet.
    init?(_ bytes: [UInt8]) {
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard lines.count == 6, lines[0] == Self.mark, !lines[1].isEmpty,
        let process = Int32(lines[2]), process > 0, !lines[4].isEmpty, lines[5].isEmpty
      else { return nil }
      self.init(host: lines[1], process: process, start: lines[3], id: lines[4])
    }

    /// What a lock file holds.
    var bytes: [UInt8] { Array("\(Self.mark)\n\(host)\n\(process)\n\(start)\n\(id)\n".utf8) }

    private static let mark = "offread lock 1"

    /// Whether the process has ended. Of another machine nobody knows.
    var hasEnded: Bool {
      guard host == Self.thisHost else { return false }
      if kill(process, 0) != 0, errno == ESRCH { return true }
      guard let now = Self.startTime(of: process), !start.isEmpty else { return false }
      return now != start
    }

    /// When a process was started, in the system's ticks (proc(5)); nil where that cannot be told.
    private static func startTime(of process: Int32) -> String? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        // The name before may have anything in it.
        let end = text.lastIndex(of: ")")
      else { return nil }
      let words = text[text.index(after: end)...].split(separator: " ")
      return words.count > 19 ? String(words[19]) : nil
    }
  }

  /// One that cannot be read is somebody's who is just writing it, unless it is older, in seconds.
  private static let mostSecondsOfWriting = 60.0

  /// Where it is.
  let path: String
  let files: any FileSystem

  /// The lock of a file or folder.
  init(of file: String, isFolder: Bool, files: any FileSystem) {
    let name = (file as NSString).lastPathComponent
    let folder = isFolder ? file : (file as NSString).deletingLastPathComponent
    path = (folder.isEmpty ? "." : folder) + (isFolder ? "/.lock" : "/.\(name).lock")
    self.files = files
  }

  /// Whether a name is that of a lock file which a killed process may not have finished: who is just writing it
  /// does without.
  static func isDraft(_ name: String) -> Bool { name.hasPrefix(".") && name.contains(".lock.") }

  /// Takes the lock when it is free.
  /// - Parameter holder: who wants it.
  /// - Returns: nil when it was free, else who has it, as far as that is known.
  /// - Throws: `ArchiveError` when no lock can be made.
  func take(for holder: Holder) throws(ArchiveError) -> Refusal? {
    if try make(holder) { return nil }
    guard let (other, bytes) = try read() else { return try make(holder) ? nil : Refusal() }
    guard try isStale(other) else { return Refusal(holder: other) }
    try putAside(bytes)
    return try make(holder) ? nil : Refusal(holder: other)
  }

  /// That somebody else has a lock.
  struct Refusal: Equatable, Sendable {
    /// Who, as far as that is known.
    var holder: Holder?
  }

  /// Gives the lock back, unless somebody else has it by now.
  func release(_ holder: Holder) {
    if let (now, _) = try? read(), now == holder { try? files.removeFile(path) }
  }

  /// Puts the file there, whole, unless there is one.
  private func make(_ holder: Holder) throws(ArchiveError) -> Bool {
    let draft = try files.openForWriting("\(path).\(holder.id)")
    defer { try? files.removeFile(draft.path) }
    try draft.write(holder.bytes, at: 0)
    let result = files.retrying { files.link(draft.path, to: path) }
    if result == 0 { return true }
    if result == -Int(EEXIST) { return false }
    // FAT and some networks have no links.
    let descriptor = files.retrying { files.open(path, O_RDWR | O_CREAT | O_EXCL) }
    if descriptor == -Int(EEXIST) { return false }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    let file = OpenFile(path: path, descriptor: Int32(descriptor), .writing, files: files)
    try file.write(holder.bytes, at: 0)
    return true
  }

  /// What is there; nil when there is none.
  private func read() throws(ArchiveError) -> (Holder?, [UInt8])? {
    guard let file = try files.openForReading(path) else { return nil }
    let bytes = try file.bytes(at: 0, count: 4096)
    return (Holder(bytes), bytes)
  }

  private func isStale(_ holder: Holder?) throws(ArchiveError) -> Bool {
    if let holder { return holder.hasEnded }
    guard let status = try files.status(of: path) else { return true }
    return Date().timeIntervalSince1970 - Double(status.modified) / 1e9 > Self.mostSecondsOfWriting
  }

  /// Takes the lock of an ended process out of the way. Two may want to do that: what was taken is looked at,
  /// and the lock of somebody who was faster is put back.
  private func putAside(_ stale: [UInt8]) throws(ArchiveError) {
    guard let (_, now) = try read(), now == stale else { return }
    let aside = "\(path).\(UUID().uuidString)"
    let result = files.retrying { files.rename(path, to: aside) }
    guard result == 0 else { return }
    defer { try? files.removeFile(aside) }
    let taken = try files.openForReading(aside)?.bytes(at: 0, count: 4096)
    if taken != stale { _ = files.retrying { files.link(aside, to: path) } }
  }
}
