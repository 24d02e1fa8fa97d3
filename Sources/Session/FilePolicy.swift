import Configuration
import Foundation
import Pages
import Sandbox

/// Determines which files the launcher may open or create for a sandboxed process, based on their
/// real paths.
struct FilePolicy: Sendable, Equatable {
  /// The home directory of the user; nil if there is none.
  var homeDirectory: String?
  /// The directories that contain programs.
  var programDirectories: [String] = []

  /// The directories of processes, devices and sockets, in which no file may be read.
  private static let forbiddenDirectories = ["/proc", "/sys", "/dev", "/run", "/boot"]
  private static let mediaDirectory = "/run/media"

  /// Returns whether a file or directory may be read. No component of its path may be hidden; for a
  /// path in the home directory, only the components below that directory count. Directories of
  /// processes, devices and sockets are excluded, except for removable media.
  func mayRead(_ path: String) -> Bool {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return false }
    let rest = homeDirectory.flatMap { Self.relativePath(of: path, below: $0) } ?? path[...]
    let isHidden = rest.split(separator: "/").contains { $0.hasPrefix(".") }
    let isClosed = Self.forbiddenDirectories.contains {
      Self.relativePath(of: path, below: $0) != nil
    }
    return !isHidden
      && (!isClosed || Self.relativePath(of: path, below: Self.mediaDirectory) != nil)
  }

  /// Returns whether a file may be created: its path must satisfy `mayRead`, and must not be in a
  /// directory of the system or of programs, or in `/var`, except for `/var/tmp`.
  func mayCreate(_ path: String) -> Bool {
    let isTemporary = Self.relativePath(of: path, below: "/var/tmp") != nil
    let forbiddenDirectories =
      Confinement.system + programDirectories + (isTemporary ? [] : ["/var"])
    return mayRead(path)
      && !forbiddenDirectories.contains { Self.relativePath(of: path, below: $0) != nil }
  }

  /// Returns the relative path of a file below a directory; nil if the file is not in the
  /// directory.
  private static func relativePath(of path: String, below directory: String) -> Substring? {
    guard path.hasPrefix(directory) else { return nil }
    let rest = path.dropFirst(directory.count)
    return rest.isEmpty || rest.hasPrefix("/") || directory == "/" ? rest : nil
  }
}

extension FilePolicy {
  /// Creates the policy for a user from environment variables (`HOME`, `PATH`).
  init(_ environment: [String: String]) {
    func realPath(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let home = Locations.home(environment).map(realPath)
    let positions = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
      .map { realPath(String($0)) }
    self.init(homeDirectory: home, programDirectories: positions.filter { $0 != home && $0 != "/" })
  }
}
