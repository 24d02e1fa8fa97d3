import Platform
import CLandlock
import Foundation

/// The files that a process may access after it permanently gives up access to all others
/// (Landlock), and the system calls that it gives up. It applies to the calling thread, and to the
/// threads and processes that it starts afterwards. This is the only file that imports Landlock.
///
/// Unless `mayRun` is set, the process cannot start programs; the launcher starts decoders.
package struct Confinement: Sendable, Equatable {
  /// The files and directories that may be read.
  package var readablePaths: Set<String> = []
  /// The directories that may be listed, without reading their files.
  package var listablePaths: Set<String> = []
  /// The directories in which files may also be written, created and removed.
  package var writablePaths: Set<String> = []
  /// The directories below which empty directories may be removed.
  package var clearableDirectories: Set<String> = []
  /// The devices and pipes that may be written to.
  package var outputPaths: Set<String> = []
  /// The devices that may be used. Terminals (`/dev/pts`) are not included: the terminal of the
  /// process is open already, and the others belong to other programs.
  package var devices: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
  ]
  /// Whether programs below the paths in `readablePaths` may be run.
  var mayRun = false
  /// The system calls that the process gives up.
  package var deniedCalls = CallFilter()

  /// Creates a confinement that allows nothing but the standard devices.
  package init() {}

  /// The result of applying a confinement.
  package enum Outcome: Sendable, Equatable {
    /// The confinement is in force, with this version of Landlock.
    case confined(version: Int)
    /// The kernel does not support Landlock, or it is disabled; system calls may be restricted
    /// nevertheless.
    case missing
    /// Applying the confinement failed for this reason.
    case refused(String)
  }

  /// The version of Landlock in the kernel; nil if it is not supported.
  package static var version: Int? {
    let version = Int(offread_landlock_version())
    return version > 0 ? version : nil
  }

  /// Applies the confinement to the calling thread and to the threads and processes that it starts.
  /// Paths that do not exist are ignored.
  package func apply() -> Outcome {
    let outcome = giveUpFiles()
    if CallFilter.isPossible, !deniedCalls.install() {
      return .refused("seccomp: \(String(cString: strerror(errno)))")
    }
    return outcome
  }

  /// Whether file access or system calls can be restricted on this system.
  package static var isPossible: Bool { version != nil || CallFilter.isPossible }

  private func giveUpFiles() -> Outcome {
    guard let version = Self.version else { return .missing }
    let all = Right.rightsSupported(in: version)
    let ruleset = offread_landlock_create(all.rawValue, Self.scopes(in: version))
    guard ruleset >= 0 else { return .refused(String(cString: strerror(errno))) }
    defer { close(ruleset) }
    let rules =
      readablePaths.map { ($0, mayRun ? Right.reading.union(.execute) : .reading) }
      + listablePaths.map { ($0, .readDirectory) }
      + writablePaths.map { ($0, Right.all) }
      + outputPaths.map { ($0, Right.writing) }
      + clearableDirectories.map { ($0, .removeDirectory) }
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

  /// Returns the restrictions on access to other processes (LANDLOCK_SCOPE_*), since version 6:
  /// abstract sockets and signals.
  static func scopes(in version: Int) -> UInt64 { version < 6 ? 0 : 1 << 0 | 1 << 1 }

  private func allow(_ path: String, _ rights: Right, _ ruleset: Int32) -> Bool {
    let descriptor = path.withPath { offread_landlock_open($0) }
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return true }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    let fitting = isDirectory ? rights : rights.intersection(.ofFiles)
    // Access to pipes and sockets without a path is never restricted.
    return offread_landlock_allow(ruleset, descriptor, fitting.rawValue) == 0 || errno == EBADFD
  }

  /// Access rights to files (LANDLOCK_ACCESS_FS_*).
  struct Right: OptionSet {
    let rawValue: UInt64

    static let execute = Right(rawValue: 1 << 0)
    static let writeFile = Right(rawValue: 1 << 1)
    static let readFile = Right(rawValue: 1 << 2)
    static let readDirectory = Right(rawValue: 1 << 3)
    static let removeDirectory = Right(rawValue: 1 << 4)
    static let removeFile = Right(rawValue: 1 << 5)
    static let makeDirectory = Right(rawValue: 1 << 7)
    static let makeFile = Right(rawValue: 1 << 8)
    static let makeLink = Right(rawValue: 1 << 12)
    /// The right to move or link files between directories, since version 2. Version 1 always
    /// refuses it.
    static let move = Right(rawValue: 1 << 13)
    /// The right to truncate files, since version 3.
    static let truncate = Right(rawValue: 1 << 14)
    /// The right to control devices (`ioctl`), since version 5.
    static let controlDevice = Right(rawValue: 1 << 15)

    static let reading: Right = [.readFile, .readDirectory]
    static let writing: Right = [.writeFile, .truncate]
    static let all: Right = [
      .readFile, .readDirectory, .writeFile, .removeDirectory, .removeFile, .makeDirectory,
      .makeFile,
      .makeLink, .move, .truncate,
    ]
    /// The rights that apply to files other than directories.
    static let ofFiles: Right = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

    /// Returns all rights of a version. The process gives up those that no rule grants.
    static func rightsSupported(in version: Int) -> Right {
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
