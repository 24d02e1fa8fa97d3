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
  /// The name of this host.
  package var host: String
  /// The name that was given to this machine, with which the files begin that it writes; nil for one that is
  /// made of the host's.
  package var machine: String?

  /// The journals of what only the person knows, one for each machine.
  package var journals: URL {
    archive.deletingLastPathComponent().appendingPathComponent("library", isDirectory: true)
  }

  /// What was read, and how far.
  package var readingLog: URL { state.appendingPathComponent("reading.jsonl") }

  /// What was chosen with keys for good.
  package var choices: URL { state.appendingPathComponent("choices.json") }

  /// The copy of the last settings file that was read without a mistake.
  package var lastSettings: URL { state.appendingPathComponent("settings.toml") }

  /// What programs have open.
  package var tabs: URL { state.appendingPathComponent("tabs", isDirectory: true) }

  /// The pages on which runs of the program have died.
  package var crashes: URL { state.appendingPathComponent("crashes", isDirectory: true) }

  /// When what other machines dated in the future was first seen.
  package var sightings: URL { state.appendingPathComponent("sightings") }

  /// The directory of the second copies of recent appends; see `RecentAppends`.
  package var recentAppends: URL { state.appendingPathComponent("recent", isDirectory: true) }

  /// What interrupted saves had done.
  package var saves: URL { state.appendingPathComponent("saves", isDirectory: true) }

  /// The rebuildable database of them, beside the index.
  package var libraryIndex: URL {
    index.deletingLastPathComponent().appendingPathComponent("library.sqlite")
  }

  /// The rebuildable index of the words of pages, beside the index.
  package var searchIndex: URL {
    index.deletingLastPathComponent().appendingPathComponent("search.sqlite")
  }

  /// The file of cookies for the sites whose cookies the user chose to keep, while cookies are not kept in general.
  package var siteCookies: URL {
    choices.deletingLastPathComponent().appendingPathComponent("site-cookies.txt")
  }

  /// The cookies that answers set, when they are kept: a secret beside the archive.
  package var cookieJar: URL {
    archive.deletingLastPathComponent().appendingPathComponent("cookies.txt")
  }

  /// The hosts that want to be asked by https only.
  package var strictHosts: URL { state.appendingPathComponent("hsts.txt") }

  /// Finds the places of a profile.
  /// - Parameters:
  ///   - dataDirectory: `--data-dir`, in which everything lives together; nil or empty for the defaults.
  ///   - environment: the process's environment. Empty or relative XDG values are ignored.
  ///   - account: the home folder of the user's account, for an environment without `HOME`.
  package init(
    dataDirectory: String?, environment: [String: String],
    account: @autoclosure () -> String? = Self.homeOfAccount
  ) {
    let chosen = [dataDirectory, environment["OFFREAD_DATA_DIR"]].compactMap(\.self)
      .first { !$0.isEmpty }
    machine = environment["OFFREAD_MACHINE"].flatMap { $0.isEmpty ? nil : $0 }
    host = ProcessInfo.processInfo.hostName
    if let chosen {
      let folder = URL(fileURLWithPath: chosen, isDirectory: true).standardizedFileURL
      archive = folder.appendingPathComponent("archive", isDirectory: true)
      index = folder.appendingPathComponent("index.sqlite")
      state = folder.appendingPathComponent("state", isDirectory: true)
      config = folder.appendingPathComponent("config.toml")
      return
    }
    // Never a folder in which everybody may write: what lies there is not the user's own.
    let home = Self.home(environment, account: account()) ?? ""
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

  /// The home folder that the system has for the user's account, or nil.
  package static var homeOfAccount: String? {
    getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
  }

  /// The user's home folder; Foundation's is that of the account, whatever `HOME` says.
  /// - Parameters:
  ///   - environment: the process's environment.
  ///   - account: the home folder of the user's account.
  /// - Returns: an absolute path, or nil.
  package static func home(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    account: @autoclosure () -> String? = Self.homeOfAccount
  ) -> String? {
    [environment["HOME"], account()].compactMap(\.self).first { $0.hasPrefix("/") }
  }
}
