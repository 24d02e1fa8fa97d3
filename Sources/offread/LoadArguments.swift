import Configuration
public import ArgumentParser
import Foundation
public import OfflineCache
import Reader
import Session

/// The options of every command that loads.
struct LoadArguments: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep everything of this profile in one folder.", valueName: "dir"))
  var dataDirectory: String?

  @Option(help: "network-first, cache-first, stale-while-revalidate, network-only or cache-only.")
  var mode: LoadMode?

  @Flag(help: "Use saved copies only; no network at all.")
  var offline = false

  @Flag(name: .customLong("no-fallback"), help: "No saved copy after a failure (RFC 9111 only).")
  var refusesFallback = false

  @Flag(name: .customLong("respect-no-store"), help: "Do not save what says no-store.")
  var respectsNoStore = false

  @Option(
    help: "Which saved version: latest, previous, or the id of one.",
    completion: .list(["latest", "previous"]))
  var copy: CopySelection = .latest

  @Option(parsing: .unconditional, help: "Seconds that the network gets while a copy is held.")
  var patience: Double?

  @Option(
    name: .customLong("connect-timeout"), parsing: .unconditional, help: "Seconds to connect.")
  var connectTimeout: Double?

  @Option(parsing: .unconditional, help: "Seconds for a whole transfer.")
  var timeout: Double?

  @Option(help: ArgumentHelp("Append a log of every load to this file.", valueName: "file"))
  var log: String?

  @OptionGroup var identity: IdentityArguments
  @OptionGroup var sandbox: SandboxArguments

  func validate() throws {
    for (name, value, bounds) in [
      ("patience", patience, 0...86_400),
      ("connect-timeout", connectTimeout, LoadOptions.timeLimits),
      ("timeout", timeout, LoadOptions.timeLimits),
    ] {
      guard let value, !bounds.contains(value) else { continue }
      let least = bounds.lowerBound == 0 ? "0" : "\(bounds.lowerBound)"
      throw ValidationError("--\(name) takes seconds from \(least) to 86400")
    }
    if offline, let mode, mode != .cacheOnly {
      throw ValidationError("--offline and --mode \(mode.rawValue) exclude each other")
    }
  }

  /// The options of the settings file with those of the command line above them.
  func options(over settings: Settings) -> LoadOptions {
    var options = settings.load
    if let mode = offline || settings.isSavedOnly ? .cacheOnly : mode { options.mode = mode }
    options.allowsFallback = !refusesFallback
    if respectsNoStore { options.respectsNoStore = true }
    options.copy = copy
    if let patience { options.patience = patience }
    if let connectTimeout { options.connectTimeout = connectTimeout }
    if let timeout { options.limitTotal(to: timeout) }
    return options
  }

  /// Fails when `--log` names a file that cannot be written: a log that says nothing would lie.
  func checkLog() throws {
    guard let log else { return }
    let folder = URL(fileURLWithPath: log).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      StandardOutput.complain("\(log): \(String(cString: strerror(errno)))")
      throw ExitCode(1)
    }
    close(descriptor)
  }

  /// The profile that the options choose; reads the settings and the identity's files, and opens
  /// nothing else.
  /// - Parameters:
  ///   - target: the address that was given.
  ///   - isReading: whether saved pages alone are of use.
  ///   - isPrivate: whether nothing is written.
  /// - Returns: the profile.
  /// - Throws: exit code 2 when the settings leave saved pages only and those are of no use, 1 when a
  ///   file of the identity cannot be used; it has been told.
  func profile(
    for target: String?, isReading: Bool = false, isPrivate: Bool = false
  ) throws -> Profile {
    try DescriptorLimit.ensure()
    Decoder.confine(!sandbox.isOff)
    let locations = Locations(
      dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
    let (settings, warnings) = try Settings.read(
      of: locations, isReading: isReading, isPrivate: isPrivate)
    return Profile(
      locations: locations, shared: SharedFiles.find(), settings: settings, warnings: warnings,
      logFile: log,
      identity: settings.isSavedOnly
        ? Identity()
        : try identity.identity(
          over: settings.identity, target: target, jar: locations.cookieJar),
      isPrivate: isPrivate)
  }
}

extension LoadArguments {
  /// Gives up the files that a command does not need; see `SandboxArguments.confine`.
  @discardableResult
  func confine(
    _ profile: Profile, writes: Confinement.Writing = .archive, outputs: [OutputGrant] = [],
    browsers: Bool = false, _ allow: (inout Confinement) -> Void = { _ in }
  ) -> Confinement.Outcome? {
    sandbox.confine(profile, writes: writes, outputs: outputs, browsers: browsers) { confinement in
      keepNamed(&confinement)
      allow(&confinement)
    }
  }

  /// Gives up what a reader does not need whose launcher does the rest.
  func confineReader(_ profile: Profile, _ target: String?, _ launcher: Launcher) {
    let kept = Confinement(ofReader: profile, target: target, folder: launcher.folder)
    sandbox.confine(profile, to: kept, keepNamed)
  }

  /// Keeps the files that options name.
  private func keepNamed(_ confinement: inout Confinement) {
    // libcurl reads these with the first request.
    for file in [identity.cert, identity.key, identity.cacert].compactMap(\.self) {
      confinement.read(named: file)
    }
  }
}

extension Settings {
  /// Reads the settings of a profile, and tells what of them is wrong or cannot be had.
  /// - Parameters:
  ///   - locations: where they are.
  ///   - isReading: whether saved pages alone are of use.
  ///   - isPrivate: whether to write nothing, not even the copy of the last good settings.
  /// - Returns: the settings, and what was told.
  /// - Throws: exit code 2 when a mistake leaves saved pages only and those are of no use.
  static func read(
    of locations: Locations, isReading: Bool, isPrivate: Bool = false
  ) throws -> (settings: Settings, warnings: [String]) {
    let reading = SettingsFile.read(locations.config, orLastGood: locations.lastSettings)
    if !isPrivate {
      SettingsFile.keepIfGood(reading, of: locations.config, at: locations.lastSettings)
    }
    guard isReading || !reading.settings.isSavedOnly else {
      reading.mistakes.forEach(StandardOutput.complain)
      StandardOutput.complain("nothing was done; correct the first of these lines, then it is")
      throw ExitCode(2)
    }
    reading.warnings.forEach(StandardOutput.complain)
    return (reading.settings, reading.warnings)
  }
}

extension LoadMode: ExpressibleByArgument {}

extension CopySelection: ExpressibleByArgument {
  /// Reads `latest`, `previous` or the beginning of a record's id.
  public init?(argument: String) {
    switch argument {
    case "latest": self = .latest
    case "previous": self = .previous
    case "": return nil
    default: self = .id(argument.lowercased())
    }
  }
}
