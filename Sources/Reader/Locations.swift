package import Foundation

/// Where one profile keeps its things (XDG Base Directory Specification).
package struct Locations: Sendable, Equatable {
  /// WARC segments: what was read and saved.
  package var archive: URL
  /// The rebuildable index of them.
  package var index: URL
  /// Positions, history and logs.
  package var state: URL
  /// The settings file.
  package var config: URL

  /// The cookies that answers set, when they are kept: a secret beside the archive.
  package var cookieJar: URL {
    archive.deletingLastPathComponent().appendingPathComponent("cookies.txt")
  }

  /// Finds the places of a profile.
  /// - Parameters:
  ///   - dataDirectory: `--data-dir`, in which everything lives together; nil for the defaults.
  ///   - environment: the process's environment. Empty or relative XDG values are ignored.
  package init(dataDirectory: String?, environment: [String: String]) {
    let chosen = dataDirectory ?? environment["OFFREAD_DATA_DIR"].flatMap { $0.isEmpty ? nil : $0 }
    if let chosen {
      let folder = URL(fileURLWithPath: chosen, isDirectory: true).standardizedFileURL
      archive = folder.appendingPathComponent("archive", isDirectory: true)
      index = folder.appendingPathComponent("index.sqlite")
      state = folder.appendingPathComponent("state", isDirectory: true)
      config = folder.appendingPathComponent("config.toml")
      return
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    func folder(_ variable: String, _ fallback: String) -> URL {
      let value = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: value ?? home + "/" + fallback, isDirectory: true)
        .appendingPathComponent("offread", isDirectory: true)
    }
    archive = folder("XDG_DATA_HOME", ".local/share")
      .appendingPathComponent("archive", isDirectory: true)
    index = folder("XDG_CACHE_HOME", ".cache").appendingPathComponent("index.sqlite")
    state = folder("XDG_STATE_HOME", ".local/state")
    config = folder("XDG_CONFIG_HOME", ".config").appendingPathComponent("config.toml")
  }
}
