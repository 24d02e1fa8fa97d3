import Configuration
import Library
import Foundation
import OfflineCache
import WARC

/// The prefix of the files that this device writes: its host name and a random part, so that two
/// devices with the same host name never write to the same file.
///
/// It is chosen at the first start and stored in the state directory, in a file for each device,
/// since the whole profile may be synchronized to another device. A profile of an older version
/// keeps the host name without a random part, as long as its state exists; without state, the files
/// with that name may belong to another device.
struct DeviceName {
  /// The identifier of this installation, which differs for devices with the same host name; empty
  /// if it is unknown.
  static var systemID: String {
    let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    return text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
  }

  private static let filePrefix = "machine-"
  /// Maximum length of the host name in bytes, so that the random part fits into a name of 64
  /// bytes.
  private static let maxHostLength = 48
  /// Letters and digits that cannot be confused with each other.
  private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
  private static let randomLength = 8
  /// Files in the state directory that may be created before the name is chosen.
  private static let earlyFiles: Set<String> = ["sync.lock"]

  private let locations: Locations
  private let host: String
  /// The name that older versions used, without a random part.
  private let legacyName: String
  private let digest: String
  private let files: any FileSystem

  /// Creates a name that is not chosen yet.
  /// - Parameters:
  ///   - locations: the locations of the profile.
  ///   - system: the identifier of this installation.
  ///   - files: the file system; tests pass their own.
  init(
    of locations: Locations, system: String = Self.systemID,
    files: any FileSystem = LocalFileSystem()
  ) {
    self.files = files
    self.locations = locations
    host = SegmentName.device(
      String(decoding: locations.host.utf8.prefix(Self.maxHostLength), as: UTF8.self))
    legacyName = SegmentName.device(locations.host)
    digest = ArrivingFile.name(
      of: DigestBuilder.bytes(of: "\(locations.host)\n\(system)".utf8, .sha256))
  }

  /// Returns the configured or stored name. If there is none, it chooses a new one and stores it,
  /// unless nothing may be written. If it cannot be stored, a name derived from the host and the
  /// installation is returned.
  /// - Parameters:
  ///   - isReadOnly: whether nothing may be written.
  ///   - random: returns a random part.
  /// - Returns: the name, valid as a part of a file name.
  /// - Throws: `ArchiveError.unreadable` if a stored name cannot be read, or may exist but cannot
  ///   be checked. With another name, this device would treat its own files as imported ones.
  func choose(
    isReadOnly: Bool = false, random: () -> String = Self.randomPart
  ) throws(ArchiveError) -> String {
    if let given = locations.device { return SegmentName.device(given) }
    if let storedName = try storedName() { return storedName }
    let name = try createName(random)
    if isReadOnly { return name }
    do throws(ArchiveError) {
      return try store(name)
    } catch .unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      // If the name cannot be stored, the next start must choose the same one.
      return name == legacyName ? legacyName : derivedName
    }
  }

  /// A name that is derived from the host and the installation, and need not be stored.
  var derivedName: String { "\(host)-\(digest.prefix(Self.randomLength))" }

  /// Returns the random part of a new device name.
  static func randomPart() -> String {
    String((0..<randomLength).map { _ in alphabet[Int.random(in: alphabet.indices)] })
  }

  private var path: String { locations.state.path + "/" + Self.filePrefix + digest }

  /// Number of attempts to read the file, since disks and network file systems may fail
  /// temporarily.
  private static let maxAttempts = 3
  /// The pause between two attempts, in microseconds.
  private static let pause: UInt32 = 20_000

  /// Returns the stored name; nil if it is missing or invalid.
  private func storedName() throws(ArchiveError) -> String? {
    for _ in 1..<Self.maxAttempts {
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
    return !text.isEmpty && SegmentName.device(text) == text ? text : nil
  }

  /// Returns a name that no file of this profile has. The host name alone is returned only if this
  /// device has used it before.
  private func createName(_ random: () -> String) throws(ArchiveError) -> String {
    let state = try names(in: locations.state.path)
    var others: [String] = []
    for file in state where file.hasPrefix(Self.filePrefix) {
      if let other = try name(in: locations.state.path + "/" + file) { others.append(other) }
    }
    let usedNames = try usedNames()
    let taken = usedNames.union(others)
    // A profile that was used only to save pages has no state other than its databases.
    var hasState = state.contains {
      !$0.hasPrefix(Self.filePrefix) && !Self.earlyFiles.contains($0)
    }
    for database in [locations.index, locations.libraryIndex] where !hasState {
      hasState = try files.status(of: database.path) != nil
    }
    if hasState, usedNames.contains(legacyName), !others.contains(legacyName) { return legacyName }
    while true {
      let name = "\(host)-\(random())"
      if !taken.contains(name) { return name }
    }
  }

  /// Returns the names of the devices that have written the segments and journals of this profile.
  private func usedNames() throws(ArchiveError) -> Set<String> {
    let segments = try names(in: locations.archive.path).compactMap { SegmentName($0)?.device }
    let journals = try names(in: locations.journals.path).compactMap(JournalDirectory.device)
    return Set(segments + journals)
  }

  private func names(in directory: String) throws(ArchiveError) -> [String] {
    try files.names(in: directory).filter { !$0.hasPrefix(".") }
  }

  /// Stores a name, unless another process has stored one.
  /// - Returns: the name that is stored now.
  private func store(_ name: String) throws(ArchiveError) -> String {
    let file = StateFile(file: URL(fileURLWithPath: path))
    let lock = try file.openLocked()
    defer { lock.unlock() }
    if let storedName = try storedName() { return storedName }
    try file.replace(with: Array((name + "\n").utf8))
    return name
  }
}
