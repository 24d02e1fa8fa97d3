import Rendering
import Platform
import Configuration
import ArgumentParser
import OfflineCache
import Pages
import Profiles
import Sandbox
import Session

/// The values of the options of all commands that load pages.
///
/// They are separate from `LoadArguments`, because creating the property wrappers of ArgumentParser
/// takes longer than loading the page of a short dump.
struct LoadChoices {
  var dataDirectory: String?
  var mode: LoadMode?
  var offline = false
  var refusesFallback = false
  var respectsNoStore = false
  var copy = CopySelection.latest
  /// Times in seconds; nil to use the times in the settings.
  var fallbackDelay: Double?, connectTimeout: Double?, timeout: Double?
  var log: String?
  var identity = IdentityChoices()
  var sandbox = SandboxChoices()

  /// Checks the values and their combination.
  func validate() throws {
    try Self.checkRange("patience", fallbackDelay, from: 0, to: 86_400)
    let limits = LoadOptions.timeLimitRange
    try Self.checkRange(
      "connect-timeout", connectTimeout, from: limits.lowerBound, to: limits.upperBound)
    try Self.checkRange("timeout", timeout, from: limits.lowerBound, to: limits.upperBound)
    if offline, let mode, mode != .cacheOnly {
      throw ValidationError("--offline and --mode \(mode.rawValue) cannot be used together")
    }
  }

  /// Rejects limits for the network if it is not used.
  func rejectTimeLimitsOffline() throws {
    guard offline || mode == .cacheOnly else { return }
    for (name, value) in [
      ("patience", fallbackDelay), ("connect-timeout", connectTimeout), ("timeout", timeout),
    ] where value != nil {
      let other = offline ? "offline" : "mode cache-only"
      throw ValidationError("--\(name) and --\(other) cannot be used together")
    }
  }

  private static func checkRange(
    _ name: String, _ value: Double?, from least: Double, to most: Double
  ) throws {
    guard let value, !(value >= least && value <= most) else { return }
    let first = least == 0 ? "0" : "\(least)"
    throw ValidationError("--\(name) takes seconds from \(first) to 86400")
  }

  /// Returns the options of the settings file, overridden by those of the command line.
  func options(over settings: Settings) -> LoadOptions {
    var options = settings.load
    if let mode = offline || settings.isSavedOnly ? .cacheOnly : mode { options.mode = mode }
    options.allowsFallback = !refusesFallback
    if respectsNoStore { options.respectsNoStore = true }
    options.copy = copy
    if let fallbackDelay { options.fallbackDelay = fallbackDelay }
    if let connectTimeout { options.connectTimeout = connectTimeout }
    if let timeout { options.limitTotal(to: timeout) }
    return options
  }

  /// Checks that the file of `--log` can be written, because a silently missing log would mislead.
  /// Creates the file and its directory.
  /// - Throws: exit code 1, after the error was reported.
  func checkLog() throws {
    guard let log else { return }
    OutputFiles.makeDirectories(above: log, mode: 0o700)
    let descriptor = log.withPath { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else {
      StandardOutput.printError("\(LocalFile.displayName(log)): \(SystemMessage.last)")
      throw ExitCode(1)
    }
    close(descriptor)
  }

  /// Creates the profile that the options select. Reads the settings and the files of the identity,
  /// and opens the log, but no database.
  /// - Parameters:
  ///   - target: the URL that the user gave.
  ///   - isReading: whether the command is useful with saved pages alone.
  ///   - isPrivate: whether to write nothing to the disk.
  /// - Returns: the profile.
  /// - Throws: exit code 2 if an error in the settings permits saved pages only and the command
  ///   needs the network, 1 if a file of the identity cannot be used, after that was reported.
  func profile(
    for target: String?, isReading: Bool = false, isPrivate: Bool = false
  ) throws -> Profile {
    try DescriptorLimit.ensureMinimum()
    Decoder.confine(!sandbox.isOff)
    let locations = Locations(
      dataDirectory: dataDirectory, environment: SystemProcesses.environment)
    let (settings, warnings) = try Settings.read(
      of: locations, isReading: isReading, isPrivate: isPrivate)
    return Profile(
      locations: locations, shared: SharedFiles.find(), settings: settings, warnings: warnings,
      logFile: log,
      identity: settings.isSavedOnly
        ? Identity()
        : try identity.identity(
          over: settings.identity, target: target, cookieJar: locations.cookieJar),
      isPrivate: isPrivate)
  }
}

extension LoadChoices: PlainChoices {
  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    switch LoadOption(rawValue: name) {
    case nil: identity.read(name, &value) || sandbox.read(name, &value)
    case .dataDirectory: value.read(&dataDirectory)
    case .mode: value.read(&mode)
    case .offline: value.set(&offline)
    case .noFallback: value.set(&refusesFallback)
    case .respectNoStore: value.set(&respectsNoStore)
    case .copy: value.read(&copy)
    case .patience: value.read(&fallbackDelay)
    case .connectTimeout: value.read(&connectTimeout)
    case .timeout: value.read(&timeout)
    case .log: value.read(&log)
    }
  }
}

extension LoadChoices {
  /// Gives up access to files that the command does not need; see `SandboxChoices.confine`.
  @discardableResult
  func confine(
    _ profile: Profile, writes: Confinement.Writing = .archive, outputs: [OutputGrant] = [],
    browsers: Bool = false, hooks: Bool = false,
    _ allow: (inout Confinement) -> Void = { _ in }
  ) -> Confinement.Outcome? {
    sandbox.confine(
      profile, writes: writes, outputs: outputs, browsers: browsers, hooks: hooks
    ) { confinement in
      allowNamedFiles(&confinement)
      allow(&confinement)
    }
  }

  /// Confines the reader to what it needs; its launcher performs operations that need more rights.
  func confineReader(_ profile: Profile, _ target: String?, _ launcher: Launcher) {
    let kept = Confinement(ofReader: profile, target: target, directory: launcher.directory)
    sandbox.confine(profile, to: kept, allowNamedFiles)
  }

  /// Keeps the files that options name accessible.
  private func allowNamedFiles(_ confinement: inout Confinement) {
    // libcurl reads these files at the first request.
    for file in [identity.cert, identity.key, identity.cacert].compactMap(\.self) {
      confinement.allowReading(named: file)
    }
  }
}
