import Platform
import CLandlock
import Foundation

/// What of the file system a process keeps when it gives up the rest for good, by Landlock, and with it calls
/// of the system: it, its threads begun since, and the programs it starts. The only file that imports Landlock.
///
/// Unless `mayRun` is set, no program can be started: what decodes is started by the launcher.
package struct Confinement: Sendable, Equatable {
  /// What may be read.
  package var read: Set<String> = []
  /// The folders whose names may be read, and nothing else of them.
  package var listed: Set<String> = []
  /// What may also be written, made and removed.
  package var written: Set<String> = []
  /// The folders below which empty folders may be removed.
  package var cleared: Set<String> = []
  /// The devices and pipes that may be written to.
  package var output: Set<String> = []
  /// The devices that may be used. Terminals have no names here (`/dev/pts`): each but the own is another program's,
  /// and the own one is open.
  package var devices: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
  ]
  /// Whether programs among what may be read can be run.
  var mayRun = false
  /// What else it gives up.
  package var calls = CallFilter()

  /// Keeps nothing.
  package init() {}

  /// What came of it.
  package enum Outcome: Sendable, Equatable {
    /// It holds.
    case confined(version: Int)
    /// The kernel has no Landlock, or it is turned off.
    case missing
    /// It has, and refused, for this reason.
    case refused(String)
  }

  /// The version of Landlock that the kernel has; nil for none.
  package static var version: Int? {
    let version = Int(offread_landlock_version())
    return version > 0 ? version : nil
  }

  /// Gives up everything else, for the calling thread and what it begins from now on. What is not there is
  /// passed over.
  package func begin() -> Outcome {
    let outcome = giveUpFiles()
    if CallFilter.isPossible, !calls.begin() {
      return .refused("seccomp: \(String(cString: strerror(errno)))")
    }
    return outcome
  }

  /// Whether something can be given up here: files, or calls of the system.
  package static var isPossible: Bool { version != nil || CallFilter.isPossible }

  private func giveUpFiles() -> Outcome {
    guard let version = Self.version else { return .missing }
    let all = Right.known(in: version)
    let ruleset = offread_landlock_create(all.rawValue, Self.scopes(in: version))
    guard ruleset >= 0 else { return .refused(String(cString: strerror(errno))) }
    defer { close(ruleset) }
    let rules =
      read.map { ($0, mayRun ? Right.reading.union(.execute) : .reading) }
      + listed.map { ($0, .readFolder) }
      + written.map { ($0, Right.all) }
      + output.map { ($0, Right.writing) }
      + cleared.map { ($0, .removeFolder) }
      + devices.map { ($0, [.readFile, .writeFile, .controlDevice]) }
    for (path, rights) in rules {
      guard allow(path, rights.intersection(all), ruleset) else {
        return .refused(String(cString: strerror(errno)))
      }
    }
    guard offread_landlock_enforce(ruleset) == 0 else {
      return .refused(String(cString: strerror(errno)))
    }
    return .confined(version: version)
  }

  /// What of other processes is given up, since version 6: their abstract sockets, and signals to them
  /// (LANDLOCK_SCOPE_*).
  static func scopes(in version: Int) -> UInt64 { version < 6 ? 0 : 1 << 0 | 1 << 1 }

  private func allow(_ path: String, _ rights: Right, _ ruleset: Int32) -> Bool {
    let descriptor = offread_landlock_open(path)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return true }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let fitting = isFolder ? rights : rights.intersection(.ofFiles)
    // Pipes and sockets, which have no place in a file system, are never refused.
    return offread_landlock_allow(ruleset, descriptor, fitting.rawValue) == 0 || errno == EBADFD
  }

  /// What may be done with files (LANDLOCK_ACCESS_FS_*).
  struct Right: OptionSet {
    let rawValue: UInt64

    static let execute = Right(rawValue: 1 << 0)
    static let writeFile = Right(rawValue: 1 << 1)
    static let readFile = Right(rawValue: 1 << 2)
    static let readFolder = Right(rawValue: 1 << 3)
    static let removeFolder = Right(rawValue: 1 << 4)
    static let removeFile = Right(rawValue: 1 << 5)
    static let makeFolder = Right(rawValue: 1 << 7)
    static let makeFile = Right(rawValue: 1 << 8)
    static let makeLink = Right(rawValue: 1 << 12)
    /// Since version 2: to another folder. Before, nobody who is confined may do that.
    static let move = Right(rawValue: 1 << 13)
    /// Since version 3.
    static let truncate = Right(rawValue: 1 << 14)
    /// Since version 5.
    static let controlDevice = Right(rawValue: 1 << 15)

    static let reading: Right = [.readFile, .readFolder]
    static let writing: Right = [.writeFile, .truncate]
    static let all: Right = [
      .readFile, .readFolder, .writeFile, .removeFolder, .removeFile, .makeFolder, .makeFile,
      .makeLink, .move, .truncate,
    ]
    /// What has a meaning for what is no folder.
    static let ofFiles: Right = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

    /// All that a version knows: what is given up where no rule gives it back.
    static func known(in version: Int) -> Right {
      let bits =
        switch version {
        case ...1: 13
        case 2: 14
        case 3, 4: 15
        default: 16
        }
      return Right(rawValue: 1 << UInt64(bits) - 1)
    }
  }
}
