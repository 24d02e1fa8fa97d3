import Rendering
import Configuration
public import ArgumentParser
public import OfflineCache
import Profiles

/// The options of all commands that load pages.
struct LoadArguments: ParsableArguments {
  @Option(
    name: .named(LoadOption.dataDirectory),
    help: ArgumentHelp("Keep the whole profile in one directory.", valueName: "dir"),
    transform: NonemptyArgument.parse)
  var dataDirectory: String?

  @Option(
    name: .named(LoadOption.mode),
    help:
      "Order of sources: network-first, cache-first, stale-while-revalidate, network-only or cache-only."
  )
  var mode: LoadMode?

  @Flag(name: .named(LoadOption.offline), help: "Use saved copies only, without the network.")
  var offline = false

  @Flag(
    name: .named(LoadOption.noFallback),
    help: "Use no saved copy that is not fresh, unless the server permits it.")
  var refusesFallback = false

  @Flag(
    name: .named(LoadOption.respectNoStore),
    help: "Do not save responses that are marked no-store.")
  var respectsNoStore = false

  @Option(
    name: .named(LoadOption.copy),
    help: ArgumentHelp(
      "Which saved version to use: latest, previous, or an id.", valueName: "version"),
    completion: .list(["latest", "previous"]))
  var copy: CopySelection = .latest

  @Option(
    name: .named(LoadOption.patience), parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds to wait for the network if a copy is saved.", valueName: "seconds"))
  var patience: Double?

  @Option(
    name: .named(LoadOption.connectTimeout), parsing: .unconditional,
    help: ArgumentHelp("Time limit for connecting, in seconds.", valueName: "seconds"))
  var connectTimeout: Double?

  @Option(
    name: .named(LoadOption.timeout), parsing: .unconditional,
    help: ArgumentHelp("Time limit for a whole transfer, in seconds.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: .named(LoadOption.log),
    help: ArgumentHelp("Append a log of every load to this file.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var log: String?

  @OptionGroup var identity: IdentityArguments
  @OptionGroup var sandbox: SandboxArguments

  func validate() throws { try choices.validate() }

  /// The values of the options.
  var choices: LoadChoices {
    LoadChoices(
      dataDirectory: dataDirectory, mode: mode, offline: offline,
      refusesFallback: refusesFallback, respectsNoStore: respectsNoStore, copy: copy,
      fallbackDelay: patience, connectTimeout: connectTimeout, timeout: timeout, log: log,
      identity: identity.choices, sandbox: sandbox.choices)
  }
}

extension Settings {
  /// Reads the settings of a profile, and reports errors in them.
  /// - Parameters:
  ///   - locations: the locations of the profile.
  ///   - isReading: whether the command is useful with saved pages alone.
  ///   - isPrivate: whether to write nothing, not even the copy of the last good settings.
  ///   - loadsPages: whether the command may load pages, so that missing seeds and substitutes
  ///     matter.
  /// - Returns: the settings, and the warnings that were reported.
  /// - Throws: exit code 2 if an error permits saved pages only and the command needs the network.
  static func read(
    of locations: Locations, isReading: Bool, isPrivate: Bool = false, loadsPages: Bool = true
  ) throws -> (settings: Settings, warnings: [String]) {
    let reading = SettingsFile.read(locations.config, orLastGood: locations.lastSettings)
    if !isPrivate {
      SettingsFile.saveAsLastGood(reading, of: locations.config, at: locations.lastSettings)
    }
    guard isReading || !reading.settings.isSavedOnly else {
      reading.mistakes.forEach(StandardOutput.printError)
      StandardOutput.printError("nothing was done; correct the first of these errors and try again")
      throw ExitCode(2)
    }
    let warnings = loadsPages ? reading.warnings : reading.errors
    warnings.forEach(StandardOutput.printError)
    return (reading.settings, warnings)
  }
}

extension LoadMode: ExpressibleByArgument {}

extension CopySelection: ExpressibleByArgument {
  /// Parses `latest`, `previous` or the beginning of a record id; nil if the text is empty.
  public init?(argument: String) {
    switch argument {
    case "latest": self = .latest
    case "previous": self = .previous
    case "": return nil
    default: self = .id(argument.lowercased())
    }
  }
}
