package import Foundation

/// The files and directories of a profile (XDG Base Directory Specification).
package struct Locations: Sendable, Equatable {
  /// The directory of the WARC segments of visited and saved pages.
  package var archive: URL
  /// The database file of the archive's index, which can be rebuilt.
  package var index: URL
  /// The directory of reading positions, history and logs.
  package var state: URL
  /// The settings file.
  package var config: URL
  /// The name of this host.
  package var host: String
  /// The configured name of this device (`OFFREAD_DEVICE`), with which the names of its files
  /// begin; nil to derive it from the host name.
  package var device: String?

  /// The directory of the journals of user data (tags, notes and the like), one per device.
  package var journals: URL {
    archive.sibling("library", isDirectory: true)
  }

  /// The directory of the enclosures of feeds that were fetched, such as audio files.
  package var enclosures: URL {
    archive.sibling("enclosures", isDirectory: true)
  }

  /// The log of pages read and of reading positions.
  package var readingLog: URL { state.child("reading.jsonl") }

  /// The persistent choices that the user made with keys.
  package var choices: URL { state.child("choices.json") }

  /// The copy of the last settings file that was read without errors.
  package var lastSettings: URL { state.child("settings.toml") }

  /// The directory for the open tabs of running and crashed offread processes.
  package var tabs: URL { state.child("tabs", isDirectory: true) }

  /// The directory of the records of pages on which offread has crashed.
  package var crashes: URL { state.child("crashes", isDirectory: true) }

  /// The times at which records of other devices with dates in the future were first seen.
  package var firstSeenFile: URL { state.child("sightings") }

  /// The directory of the second copies of recent appends; see `RecentAppends`.
  package var recentAppends: URL { state.child("recent", isDirectory: true) }

  /// The directory of the progress of interrupted saves.
  package var saves: URL { state.child("saves", isDirectory: true) }

  /// The rebuildable database of the journals, beside the archive's index.
  package var libraryIndex: URL {
    index.sibling("library.sqlite")
  }

  /// The rebuildable full-text search index, beside the archive's index.
  package var searchIndex: URL {
    index.sibling("search.sqlite")
  }

  /// The cookies of sites for which the user chose to store them, while cookies are not stored in
  /// general.
  package var siteCookies: URL {
    choices.sibling("site-cookies.txt")
  }

  /// The cookies set by responses, if they are stored. The file is secret; it is beside the
  /// archive.
  package var cookieJar: URL {
    archive.sibling("cookies.txt")
  }

  /// The HSTS store (RFC 6797).
  package var hstsStore: URL { state.child("hsts.txt") }

  /// Determines the locations of a profile.
  /// - Parameters:
  ///   - dataDirectory: The value of `--data-dir`, a directory for all files. If it is nil or
  ///     empty, `OFFREAD_DATA_DIR` applies, or else the defaults.
  ///   - environment: The environment of the process. Empty or relative XDG values are ignored.
  ///   - account: The home directory of the user's account, used if `HOME` is not set.
  package init(
    dataDirectory: String?, environment: [String: String],
    account: @autoclosure () -> String? = Self.homeOfAccount
  ) {
    let chosenPath = [dataDirectory, environment["OFFREAD_DATA_DIR"]].compactMap(\.self)
      .first { !$0.isEmpty }
    // The second name is that of 1.0.0.
    device = ["OFFREAD_DEVICE", "OFFREAD_MACHINE"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    host = ProcessInfo.processInfo.hostName
    if let chosenPath {
      let directory = URL(fileURLWithPath: chosenPath, isDirectory: true).standardizedFileURL
      archive = directory.child("archive", isDirectory: true)
      index = directory.child("index.sqlite")
      state = directory.child("state", isDirectory: true)
      config = directory.child("config.toml")
      return
    }
    // Never a world-writable directory, whose files need not be the user's own.
    let home = Self.home(environment, account: account()) ?? ""
    func directory(_ variable: String, _ fallback: String) -> URL {
      let value = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: value ?? home + "/" + fallback, isDirectory: true)
        .child("offread", isDirectory: true)
    }
    archive = directory("XDG_DATA_HOME", ".local/share")
      .child("archive", isDirectory: true)
    index = directory("XDG_CACHE_HOME", ".cache").child("index.sqlite")
    state = directory("XDG_STATE_HOME", ".local/state")
    config = directory("XDG_CONFIG_HOME", ".config").child("config.toml")
  }

  /// The home directory of the user's account according to the system; nil if it is unknown.
  package static var homeOfAccount: String? {
    getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
  }

  /// Returns the user's home directory. Foundation returns the account's home directory even if
  /// `HOME` is set.
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - account: The home directory of the user's account.
  /// - Returns: An absolute path; nil if neither `HOME` nor the account has one.
  package static func home(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    account: @autoclosure () -> String? = Self.homeOfAccount
  ) -> String? {
    [environment["HOME"], account()].compactMap(\.self).first { $0.hasPrefix("/") }
  }
}

extension URL {
  /// Returns the file with a name in this directory. `appendingPathComponent` takes long at its
  /// first call.
  fileprivate func child(_ name: String, isDirectory: Bool = false) -> URL {
    let path = path
    return URL(
      fileURLWithPath: path.hasSuffix("/") ? path + name : path + "/" + name,
      isDirectory: isDirectory)
  }

  /// Returns the file with a name beside this one.
  fileprivate func sibling(_ name: String, isDirectory: Bool = false) -> URL {
    let path = path
    let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    return URL(fileURLWithPath: directory + name, isDirectory: isDirectory)
  }
}
