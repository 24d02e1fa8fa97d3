import Foundation
import Platform

extension Confinement {
  /// Paths of programs, libraries, settings, certificates, time zones and name resolution.
  package static let system = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu",
    "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/var/lib/ca-certificates",
    "/var/cache/fontconfig", "/home/linuxbrew/.linuxbrew", "/run/systemd/resolve",
    "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/run/current-system", "/run/host",
  ]

  /// Returns the library directories that belong to program directories.
  package static func libraries(beside directories: [String]) -> [String] {
    directories.filter { $0.hasSuffix("/bin") }.flatMap { directory in
      let parent = String(decoding: directory.utf8.dropLast("bin".utf8.count), as: UTF8.self)
      return ["lib", "lib64", "libexec"].map { parent + $0 }
    }
  }

  /// Returns the path with symbolic links resolved; the normalized path if it does not exist.
  package static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else {
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
