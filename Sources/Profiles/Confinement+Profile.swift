import Pages
package import Sandbox
import Configuration
import Foundation
import OfflineCache
import Platform

extension Confinement {
  /// Creates the confinement of a command. It may access the programs, libraries and settings of
  /// the system, the files of offread, the files that the settings name, and the directories of the
  /// profile. Creates these directories if they may be written.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - environment: the environment of the process.
  ///   - writes: which directories may be written.
  package init(
    of profile: Profile, _ environment: [String: String] = SystemProcesses.environment,
    writes: Writing
  ) {
    self.init()
    let locations = profile.locations
    let hasEnclosures =
      profile.settings.fetchesEnclosures || LocalFile.exists(locations.enclosures.path)
    let directories =
      ([
        locations.archive, locations.journals, locations.state,
        locations.index.deletingLastPathComponent(),
      ] + (hasEnclosures ? [locations.enclosures] : [])).map(\.path)
    let programDirectory = SharedFiles.executable?.deletingLastPathComponent().path
    let home = FileAncestry(Locations.home(environment))
    let environmentPaths = Self.paths(namedBy: environment) + [programDirectory].compactMap(\.self)
    readablePaths = Set(
      Self.system + directories
        + (environmentPaths + Self.linkedDirectories).filter { !home.contains($0) })
    readablePaths.insert(locations.config.deletingLastPathComponent().path)
    readablePaths.formUnion(
      [profile.shared?.seed, profile.shared?.themes].compactMap { $0?.path }
        + Self.paths(namedBy: profile.settings))
    // The launcher starts all programs.
    deniedCalls = .programs
    // A WARC file of the seeds is found by listing its directory.
    listablePaths = Set(
      profile.settings.seeds.compactMap { seed in
        if case .warc(let url) = seed { url.deletingLastPathComponent().path } else { nil }
      })
    guard writes != .nothing, !profile.isPrivate else { return }
    for directory in directories where writes == .library || directory != locations.journals.path {
      try? LocalFileSystem().makeDirectories(directory)
    }
    writablePaths = Set(directories)
    // The cookie jar is stored beside the archive.
    if profile.settings.identity.keepsCookies {
      writablePaths.insert(locations.cookieJar.deletingLastPathComponent().path)
    }
  }

  /// The directories of a profile that a command writes to.
  package enum Writing: Sendable {
    case nothing
    /// The directories of the profile. The directory of the library is not created if it does not
    /// exist.
    case archive
    /// The directories of the profile, all of which are created if they do not exist.
    case library
  }

  /// Directs the temporary files of SQLite and other programs to a directory, if it may be written.
  package func moveTemporaryFiles(to directory: String) {
    guard writablePaths.contains(directory) else { return }
    for name in ["SQLITE_TMPDIR", "TMPDIR"] { setenv(name, directory, 1) }
  }

  /// Allows reading a file or directory that the user named. For a path into a file
  /// (`book.epub/2`), it allows reading the file.
  package mutating func allowReading(named path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path != "/", !LocalFile.exists(path) {
      path = (path as NSString).deletingLastPathComponent
      var status = stat()
      // The path does not exist, and the user did not name its directory.
      if path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    }
    readablePaths.insert(path)
  }

  /// Allows writing to a device or a pipe that the user named. Regular files are created by the
  /// launcher.
  package mutating func allowWriting(named path: String) {
    var status = stat()
    guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      return
    }
    outputPaths.insert(path)
  }

  /// The directories of symbolic link targets outside of `/etc`, such as the resolver configuration
  /// that other programs rewrite.
  private static var linkedDirectories: [String] {
    ["resolv.conf", "hosts", "nsswitch.conf", "localtime", "ssl/certs"].map { "/etc/" + $0 }
      .map(realPath).filter { !$0.hasPrefix("/etc/") }
      .map { ($0 as NSString).deletingLastPathComponent }
  }

  /// Returns the paths in environment variables that libraries read after the process is confined.
  private static func paths(namedBy environment: [String: String]) -> [String] {
    let lists = ["PATH", "LD_LIBRARY_PATH", "TERMINFO_DIRS", "GCONV_PATH", "LOCPATH"]
    let single = [
      "TERMINFO", "TZDIR", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF",
      "OPENSSL_MODULES",
    ]
    let programs = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let paths =
      Self.libraries(beside: programs)
      + lists.flatMap { (environment[$0] ?? "").split(separator: ":").map(String.init) }
      + single.compactMap { environment[$0] }
    return paths.filter { $0.hasPrefix("/") }
      + (Locations.home(environment).map { ["\($0)/.terminfo"] } ?? [])
  }

  private static func paths(namedBy settings: Settings) -> [String] {
    let identity = settings.identity
    let seeds = settings.seeds.map { seed in
      switch seed {
      case .folder(let url), .warc(let url): url
      }
    }
    let files =
      [
        identity.cookieFile, identity.netrcFile, identity.certificateFile, identity.keyFile,
        identity.authorities,
      ].compactMap(\.self) + seeds + settings.substitutions.map(\.file) + settings.zimFiles
    return files.map(\.path)
  }
}
