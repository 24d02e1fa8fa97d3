import Configuration
import Foundation
import OfflineCache

extension Confinement {
  /// What a command needs: the system's programs, libraries and settings, the program's own files, what the
  /// settings name, and the folders of the profile, which are made when something is to be written.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - environment: the process's environment.
  ///   - writes: what may be written.
  package init(
    of profile: Profile, _ environment: [String: String] = ProcessInfo.processInfo.environment,
    writes: Writing
  ) {
    let places = profile.locations
    let folders = [
      places.archive, places.journals, places.state, places.index.deletingLastPathComponent(),
    ].map(\.path)
    let program = SharedFiles.executable?.deletingLastPathComponent().path
    let home = Locations.home(environment).map(Self.real)
    let others = Self.named(by: environment) + [program].compactMap(\.self)
    read = Set(
      Self.system + folders + (others + Self.linked).filter { !Self.opensHome($0, home) })
    read.insert(places.config.deletingLastPathComponent().path)
    read.formUnion(
      [profile.shared?.seed, profile.shared?.themes].compactMap { $0?.path }
        + Self.named(by: profile.settings))
    // Whatever is started is started by the launcher.
    calls = .programs
    // A segment is looked for by its name.
    listed = Set(
      profile.settings.seeds.compactMap { seed in
        if case .warc(let url) = seed { url.deletingLastPathComponent().path } else { nil }
      })
    guard writes != .nothing, !profile.isPrivate else { return }
    for folder in folders where writes == .library || folder != places.journals.path {
      try? LocalFileSystem().makeFolders(folder)
    }
    written = Set(folders)
    // Cookies lie beside the archive.
    if profile.settings.identity.keepsCookies {
      written.insert(places.cookieJar.deletingLastPathComponent().path)
    }
  }

  /// What a command writes to the folders of a profile.
  package enum Writing: Sendable {
    case nothing
    /// What it loads.
    case archive
    /// Also what a person says of pages.
    case library
  }

  /// Has SQLite and other programs put what they sort into a folder that may be written.
  package func moveTemporaryFiles(to folder: String) {
    guard written.contains(folder) else { return }
    for name in ["SQLITE_TMPDIR", "TMPDIR"] { setenv(name, folder, 1) }
  }

  /// Lets a file or folder be read that a person has named; what lies in a file (`book.epub/2`) is read
  /// with it.
  package mutating func read(named path: String) {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    while path != "/", access(path, F_OK) != 0 {
      path = (path as NSString).deletingLastPathComponent
      var status = stat()
      // Nothing is there; its folder was not named.
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    }
    read.insert(path)
  }

  /// Lets a device or a pipe that the user has named be written to; regular files are made by the launcher.
  package mutating func write(named path: String) {
    var status = stat()
    guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      return
    }
    output.insert(path)
  }

  /// Programs, libraries, settings, certificates, time zones, and what names are looked up by.
  package static let system = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu",
    "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/var/lib/ca-certificates",
    "/var/cache/fontconfig", "/home/linuxbrew/.linuxbrew", "/run/systemd/resolve",
    "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/run/current-system", "/run/host",
  ]

  /// The folders of what names in the system's folders lead to elsewhere, as the resolver's settings do that other
  /// programs write anew.
  private static var linked: [String] {
    ["resolv.conf", "hosts", "nsswitch.conf", "localtime", "ssl/certs"].map { "/etc/" + $0 }
      .map(real).filter { !$0.hasPrefix("/etc/") }
      .map { ($0 as NSString).deletingLastPathComponent }
  }

  /// Folders of libraries that belong to folders of programs.
  static func libraries(beside folders: [String]) -> [String] {
    folders.filter { $0.hasSuffix("/bin") }.flatMap { folder in
      ["lib", "lib64", "libexec"].map { folder.dropLast("bin".count) + $0 }
    }
  }

  /// What variables name that libraries read late.
  private static func named(by environment: [String: String]) -> [String] {
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

  /// Where a path leads to; itself when nothing is there.
  static func real(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else {
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a folder, by whatever name, is the home folder or holds it: a rule for it would open all that is hidden
  /// there. The home folder itself is no place for programs.
  /// - Parameters:
  ///   - path: the folder.
  ///   - home: where the home folder really is.
  /// - Returns: whether it does.
  static func opensHome(_ path: String, _ home: String?) -> Bool {
    let path = real(path)
    return path == "/" || home == path || home?.hasPrefix(path + "/") ?? false
  }

  private static func named(by settings: Settings) -> [String] {
    let identity = settings.identity
    let seeds = settings.seeds.map { seed in
      switch seed {
      case .folder(let url), .warc(let url): url
      }
    }
    let files =
      [
        identity.cookieFile, identity.netrcFile, identity.certificate, identity.key,
        identity.authorities,
      ].compactMap(\.self) + seeds + settings.substitutions.map(\.file) + settings.zimFiles
    return files.map(\.path)
  }
}
