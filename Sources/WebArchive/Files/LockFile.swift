import Foundation
import WARC

/// A lock for file systems that support no other kind: a file that identifies the process that
/// holds the lock. The file of a process that has ended does not count.
struct LockFile {
  /// The process that holds a lock.
  struct Holder: Equatable, Sendable {
    /// The name of the host, a space, and a hash that distinguishes the host from others of the
    /// same name.
    var host: String
    /// The process id.
    var process: Int32
    /// The start time of the process, because process ids are reused.
    var start: String
    /// A unique id of the lock, because a process may request the same lock twice.
    var id: String

    /// Creates a holder for this process, with a unique id.
    static func makeForThisProcess() -> Holder {
      let process = getpid()
      return Holder(
        host: thisHost, process: process, start: startTime(of: process) ?? "",
        id: UUID().uuidString)
    }

    /// The name and hash of this host.
    static let thisHost: String = {
      let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
      // The machine id itself must not be disclosed (machine-id(5)).
      let digest = DigestBuilder.bytes(of: (id ?? "").utf8, .sha256).prefix(8)
        .map { String($0, radix: 36) }.joined()
      let tokens = ProcessInfo.processInfo.hostName + " " + digest
      return tokens.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    }()

    /// The host name for messages.
    var hostName: Substring { host.prefix { $0 != " " } }

    init(host: String, process: Int32, start: String, id: String) {
      (self.host, self.process, self.start, self.id) = (host, process, start, id)
    }

    /// Parses the content of a lock file; nil if it is damaged or not completely written yet.
    init?(_ bytes: [UInt8]) {
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard lines.count == 6, lines[0] == Self.signature, !lines[1].isEmpty,
        let process = Int32(lines[2]), process > 0, !lines[4].isEmpty, lines[5].isEmpty
      else { return nil }
      self.init(host: lines[1], process: process, start: lines[3], id: lines[4])
    }

    /// The content of a lock file.
    var bytes: [UInt8] { Array("\(Self.signature)\n\(host)\n\(process)\n\(start)\n\(id)\n".utf8) }

    private static let signature = "offread lock 1"

    /// Whether the process is known to have ended. False for processes on other hosts.
    var hasEnded: Bool {
      guard host == Self.thisHost else { return false }
      if kill(process, 0) != 0, errno == ESRCH { return true }
      guard let now = Self.startTime(of: process), !start.isEmpty else { return false }
      return now != start
    }

    /// Returns the start time of a process in clock ticks since boot (proc(5)); nil if it is not
    /// available.
    private static func startTime(of process: Int32) -> String? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        // The command name, in the parentheses before the other fields, may contain any characters.
        let end = text.lastIndex(of: ")")
      else { return nil }
      let tokens = text[text.index(after: end)...].split(separator: " ")
      return tokens.count > 19 ? String(tokens[19]) : nil
    }
  }

  /// The age in seconds up to which an unreadable lock file is assumed to be still being written.
  private static let maxSecondsOfWriting = 60.0

  let path: String
  let files: any FileSystem

  /// Creates the lock for a file or directory, without acquiring it.
  init(of file: String, isDirectory: Bool, files: any FileSystem) {
    let name = (file as NSString).lastPathComponent
    let directory = isDirectory ? file : (file as NSString).deletingLastPathComponent
    path = (directory.isEmpty ? "." : directory) + (isDirectory ? "/.lock" : "/.\(name).lock")
    self.files = files
  }

  /// Returns whether a file name has the form of a temporary lock file, which a killed process may
  /// have left behind. A process that is still writing such a file can continue if it is removed.
  static func isTemporaryName(_ name: String) -> Bool {
    name.hasPrefix(".") && name.contains(".lock.")
  }

  /// Acquires the lock if it is free.
  /// - Parameter holder: the process that requests it.
  /// - Returns: nil if the lock was acquired, otherwise its holder, if known.
  /// - Throws: `ArchiveError` if no lock file can be created.
  func acquire(for holder: Holder) throws(ArchiveError) -> Refusal? {
    if try make(holder) { return nil }
    guard let (other, bytes) = try read() else { return try make(holder) ? nil : Refusal() }
    guard try isStale(other) else { return Refusal(holder: other) }
    try setAside(bytes)
    return try make(holder) ? nil : Refusal(holder: other)
  }

  /// The result for a lock that another process holds.
  struct Refusal: Equatable, Sendable {
    /// The holder of the lock; nil if unknown.
    var holder: Holder?
  }

  /// Releases the lock, unless another process has acquired it in the meantime.
  func release(_ holder: Holder) {
    if let (now, _) = try? read(), now == holder { try? files.removeFile(path) }
  }

  /// Creates the lock file with its content in one step, unless it exists. Returns whether it was
  /// created.
  private func make(_ holder: Holder) throws(ArchiveError) -> Bool {
    let temporaryFile = try files.openForWriting("\(path).\(holder.id)")
    defer { try? files.removeFile(temporaryFile.path) }
    try temporaryFile.write(holder.bytes, at: 0)
    let result = files.retrying { files.link(temporaryFile.path, to: path) }
    if result == 0 { return true }
    if result == -Int(EEXIST) { return false }
    // FAT and some network file systems do not support hard links.
    let descriptor = files.retrying { files.open(path, O_RDWR | O_CREAT | O_EXCL) }
    if descriptor == -Int(EEXIST) { return false }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    let file = OpenFile(path: path, descriptor: Int32(descriptor), .writing, files: files)
    try file.write(holder.bytes, at: 0)
    return true
  }

  /// Returns the holder and the content of the lock file; nil if the file does not exist. The
  /// holder is nil if the content is damaged or incomplete.
  private func read() throws(ArchiveError) -> (Holder?, [UInt8])? {
    guard let file = try files.openForReading(path) else { return nil }
    let bytes = try file.bytes(at: 0, count: 4096)
    return (Holder(bytes), bytes)
  }

  private func isStale(_ holder: Holder?) throws(ArchiveError) -> Bool {
    if let holder { return holder.hasEnded }
    guard let status = try files.status(of: path) else { return true }
    return Date().timeIntervalSince1970 - Double(status.modificationTime) / 1e9
      > Self.maxSecondsOfWriting
  }

  /// Renames the lock file of a process that has ended, so that a new one can be created. Two
  /// processes may do this at once. Therefore, the renamed file is checked: if it is the new lock
  /// of a faster process, it gets its name back.
  private func setAside(_ stale: [UInt8]) throws(ArchiveError) {
    guard let (_, now) = try read(), now == stale else { return }
    let aside = "\(path).\(UUID().uuidString)"
    let result = files.retrying { files.rename(path, to: aside) }
    guard result == 0 else { return }
    defer { try? files.removeFile(aside) }
    let taken = try files.openForReading(aside)?.bytes(at: 0, count: 4096)
    if taken != stale { _ = files.retrying { files.link(aside, to: path) } }
  }
}
