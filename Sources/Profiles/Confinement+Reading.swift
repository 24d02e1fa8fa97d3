import Pages
package import Sandbox
import Configuration
import Foundation
import Platform

extension Confinement {
  /// Creates the confinement of an interactive reader, whose launcher performs the privileged
  /// operations.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - target: the URL or path that the reader was started with.
  ///   - directory: the directory for files that other programs open.
  ///   - environment: the environment of the process.
  ///   - current: the working directory.
  package init(
    ofReader profile: Profile, target: String?, directory: PrivateDirectory?,
    _ environment: [String: String] = SystemProcesses.environment,
    current: String = FileManager.default.currentDirectoryPath
  ) {
    self.init(of: profile, environment, writes: .library)
    var file: String?
    if case .file(let path) = target.flatMap({ try? Address(typed: $0) }) { file = path }
    readOpenable(home: Locations.home(environment), current: current, target: file)
    if let directory {
      writablePaths.insert(directory.path)
      // The launcher removes the directory; this covers a launcher that ended early.
      clearableDirectories.insert((directory.path as NSString).deletingLastPathComponent)
    }
  }

  /// Allows reading the files that a user may open by name. These are the files in the home
  /// directory that are not hidden, and the working directory. The directories of the root
  /// directory are included, except those that contain devices or the home directory.
  /// - Parameters:
  ///   - home: the home directory.
  ///   - current: the working directory.
  ///   - target: the file that the reader was started with; its directory is allowed as well, since
  ///     the file links to its neighbours.
  mutating func readOpenable(
    home: String?, current: String, target: String? = nil
  ) {
    let ancestry = FileAncestry(home)
    let home = home.map(Self.realPath)
    // Returns whether a path is a symbolic link to a hidden file or directory of the user. Hidden
    // entries themselves are not in the list.
    func isHidden(_ path: String) -> Bool {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let home,
        case let path = Self.realPath(path), path.hasPrefix(home + "/")
      else { return false }
      return path.dropFirst(home.count).contains("/.")
    }
    var directories = Self.entries(of: "/", without: ["dev", "proc", "sys", "run", "boot"])
    directories += ["/run/media"] + (home.map { Self.entries(of: $0, without: []) } ?? [])
    directories.removeAll(where: isHidden)
    directories.append(current)
    if let target {
      allowReading(named: target)
      let path = URL(fileURLWithPath: target).standardizedFileURL.path
      let isDirectory = (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
      directories.append(isDirectory ? path : (path as NSString).deletingLastPathComponent)
    }
    readablePaths.formUnion(directories.filter { !ancestry.contains($0) })
  }

  /// Returns the paths of the entries of a directory that are not hidden.
  private static func entries(of directory: String, without names: Set<String>) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return found.filter { !$0.hasPrefix(".") && !names.contains($0) }
      .map { directory == "/" ? "/\($0)" : "\(directory)/\($0)" }
  }
}
