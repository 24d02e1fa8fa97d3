import Configuration
import Foundation
import Platform

extension Confinement {
  /// What a reader needs whose launcher does the rest.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - target: what the reader was started with.
  ///   - folder: where files are for other programs.
  ///   - environment: the process's environment.
  ///   - current: the current folder.
  package init(
    ofReader profile: Profile, target: String?, folder: PrivateFolder?,
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    current: String = FileManager.default.currentDirectoryPath
  ) {
    self.init(of: profile, environment, writes: .library)
    var file: String?
    if case .file(let path) = target.flatMap({ try? Address(typed: $0) }) { file = path }
    readOpenable(home: Locations.home(environment), current: current, target: file)
    if let folder {
      written.insert(folder.path)
      // It goes also when the launcher, which removes it, did not live so long.
      cleared.insert((folder.path as NSString).deletingLastPathComponent)
    }
  }

  /// Lets be read what a person may open by name in a reader: what is not hidden in the home folder, the folders
  /// of the system's root that are no devices and hold no home folder, and the current folder.
  /// - Parameters:
  ///   - home: the home folder.
  ///   - current: the current folder.
  ///   - target: the file that the reader was started with: what it links to lies beside it.
  mutating func readOpenable(
    home: String?, current: String, target: String? = nil
  ) {
    let home = home.map(Self.real)
    // Names of other places lead there: what counts is what they lead to.
    func isHidden(_ path: String) -> Bool {
      guard let home, case let path = Self.real(path), path.hasPrefix(home + "/") else {
        return false
      }
      return path.dropFirst(home.count).contains("/.")
    }
    var folders = Self.entries(of: "/", without: ["dev", "proc", "sys", "run", "boot"])
    folders += ["/run/media"] + (home.map { Self.entries(of: $0, without: []) } ?? [])
    folders.removeAll(where: isHidden)
    folders.append(current)
    if let target {
      read(named: target)
      let path = URL(fileURLWithPath: target).standardizedFileURL.path
      let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
      folders.append(isFolder ? path : (path as NSString).deletingLastPathComponent)
    }
    read.formUnion(folders.filter { !Self.opensHome($0, home) })
  }

  /// The paths of what is in a folder and not hidden.
  private static func entries(of folder: String, without names: Set<String>) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return found.filter { !$0.hasPrefix(".") && !names.contains($0) }
      .map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
  }
}
