import Configuration
import Library
import Foundation
import OfflineCache
import WARC

/// The name with which the files begin that this machine writes: its host's name and a random part, so
/// that two machines with one host name never write to the same file.
///
/// It is chosen at the first start and kept in the folder of state, in a file for each machine, as a
/// synchroniser may carry the whole profile to another one. An archive from before keeps the host's name
/// alone, as long as its state is there too: without that, files of the host's name may be those of another
/// machine that has the same.
struct MachineName {
  /// What tells a machine from others with the same host name, as far as it is known.
  static var systemID: String {
    let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }

  private static let filePrefix = "machine-"
  /// How many bytes of a host's name are in it: the random part has room in a name of 64 behind them.
  private static let hostLimit = 48
  /// Letters and digits that are not taken for one another.
  private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
  private static let randomLength = 8
  /// Files in the folder of state that may be made before the name is chosen.
  private static let early: Set<String> = ["sync.lock"]

  private let locations: Locations
  private let host: String
  /// What the name was before it had a random part.
  private let former: String
  private let digest: String
  private let files: any FileSystem

  /// Looks for the name.
  /// - Parameters:
  ///   - locations: where the profile is.
  ///   - system: what tells the machine from others with the same host name.
  ///   - files: the files of the system, or those of a test.
  init(
    of locations: Locations, system: String = Self.systemID,
    files: any FileSystem = LocalFileSystem()
  ) {
    self.files = files
    self.locations = locations
    host = SegmentName.machine(
      String(decoding: locations.host.utf8.prefix(Self.hostLimit), as: UTF8.self))
    former = SegmentName.machine(locations.host)
    digest = ArrivingFile.name(
      of: DigestBuilder.bytes(of: "\(locations.host)\n\(system)".utf8, .sha256))
  }

  /// The name that was given or is kept, or else a new one.
  /// - Parameters:
  ///   - isReadOnly: whether nothing may be written.
  ///   - random: makes the random part.
  /// - Returns: the name, as it can stand in that of a file.
  /// - Throws: `ArchiveError.unreadable` when there is a name that cannot be read, or when that cannot be
  ///   told: under another one this machine's own files would be foreign.
  func chosen(
    isReadOnly: Bool = false, random: () -> String = Self.randomPart
  ) throws(ArchiveError) -> String {
    if let given = locations.machine { return SegmentName.machine(given) }
    if let kept = try kept() { return kept }
    let name = try new(random)
    if isReadOnly { return name }
    do throws(ArchiveError) {
      return try keep(name)
    } catch .unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      // Where it cannot be kept the next start has to come to the same.
      return name == former ? former : derived
    }
  }

  /// A name that needs nothing to be kept.
  var derived: String { "\(host)-\(digest.prefix(Self.randomLength))" }

  /// A random part.
  static func randomPart() -> String {
    String((0..<randomLength).map { _ in alphabet[Int.random(in: alphabet.indices)] })
  }

  private var path: String { locations.state.path + "/" + Self.filePrefix + digest }

  /// So often a file is read that cannot be, and so many microseconds lie between: disks and networks fail for
  /// a moment.
  private static let attempts = 3
  private static let pause: UInt32 = 20_000

  /// The name that is kept; nil when there is none, or what is there is no name.
  private func kept() throws(ArchiveError) -> String? {
    for _ in 1..<Self.attempts {
      do throws(ArchiveError) {
        return try name(in: path)
      } catch {
        usleep(Self.pause)
      }
    }
    return try name(in: path)
  }

  private func name(in path: String) throws(ArchiveError) -> String? {
    guard let bytes = try files.openForReading(path)?.bytes(at: 0, count: 128),
      let end = bytes.firstIndex(of: 10)
    else { return nil }
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    return !text.isEmpty && SegmentName.machine(text) == text ? text : nil
  }

  /// A name that nothing here has: that of the host only where this machine has used it before.
  private func new(_ random: () -> String) throws(ArchiveError) -> String {
    let state = try names(in: locations.state.path)
    var others: [String] = []
    for file in state where file.hasPrefix(Self.filePrefix) {
      if let other = try name(in: locations.state.path + "/" + file) { others.append(other) }
    }
    let used = try used()
    let taken = used.union(others)
    // Who only saves has no state but the databases that were made of it.
    var hasState = state.contains { !$0.hasPrefix(Self.filePrefix) && !Self.early.contains($0) }
    for database in [locations.index, locations.libraryIndex] where !hasState {
      hasState = try files.status(of: database.path) != nil
    }
    if hasState, used.contains(former), !others.contains(former) { return former }
    while true {
      let name = "\(host)-\(random())"
      if !taken.contains(name) { return name }
    }
  }

  /// The machines that have written what is here, by the names of the files.
  private func used() throws(ArchiveError) -> Set<String> {
    let segments = try names(in: locations.archive.path).compactMap { SegmentName($0)?.machine }
    let journals = try names(in: locations.journals.path).compactMap(JournalFolder.machine)
    return Set(segments + journals)
  }

  private func names(in folder: String) throws(ArchiveError) -> [String] {
    try files.names(in: folder).filter { !$0.hasPrefix(".") }
  }

  /// Keeps a name, unless another process was faster.
  /// - Returns: the name that is kept now.
  private func keep(_ name: String) throws(ArchiveError) -> String {
    let file = StateFile(file: URL(fileURLWithPath: path))
    let lock = try file.locked()
    defer { lock.unlock() }
    if let kept = try kept() { return kept }
    try file.replace(with: Array((name + "\n").utf8))
    return name
  }
}
