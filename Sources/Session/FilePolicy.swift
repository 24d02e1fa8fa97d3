import Configuration
import Foundation
import Reader

/// Which files a confined reader may have opened or made for it, by their real paths.
struct FilePolicy: Sendable, Equatable {
  /// The home folder of the person; nil when there is none.
  var home: String?
  /// The folders of programs.
  var programs: [String] = []

  /// Other processes, devices and sockets.
  private static let closed = ["/proc", "/sys", "/dev", "/run", "/boot"]
  private static let media = "/run/media"

  /// Whether a file or folder may be read: nothing hidden.
  func mayRead(_ path: String) -> Bool {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return false }
    let rest = home.flatMap { Self.part(of: path, below: $0) } ?? path[...]
    let isHidden = rest.split(separator: "/").contains { $0.hasPrefix(".") }
    let isClosed = Self.closed.contains { Self.part(of: path, below: $0) != nil }
    return !isHidden && (!isClosed || Self.part(of: path, below: Self.media) != nil)
  }

  /// Whether a file may be made: nothing hidden, nothing of the system's, and no program.
  func mayMake(_ path: String) -> Bool {
    let isTemporary = Self.part(of: path, below: "/var/tmp") != nil
    let closed = Confinement.system + programs + (isTemporary ? [] : ["/var"])
    return mayRead(path) && !closed.contains { Self.part(of: path, below: $0) != nil }
  }

  /// What of a path follows a folder; nil when it is not in it.
  private static func part(of path: String, below folder: String) -> Substring? {
    guard path.hasPrefix(folder) else { return nil }
    let rest = path.dropFirst(folder.count)
    return rest.isEmpty || rest.hasPrefix("/") || folder == "/" ? rest : nil
  }
}

extension FilePolicy {
  /// The policy for the user whose environment this is.
  init(_ environment: [String: String]) {
    func real(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let home = Locations.home(environment).map(real)
    let places = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
      .map { real(String($0)) }
    self.init(home: home, programs: places.filter { $0 != home && $0 != "/" })
  }
}
