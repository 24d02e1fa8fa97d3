import Commands
import Configuration
import ArgumentParser
import Foundation
import DOM
import Document
import Pages
import Profiles
import TerminalUI
import Terminal

/// `offread config`: prints the settings or the path of their file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the settings or the path of their file.")

  @Flag(help: "Print the path of the settings file.")
  var path = false

  @Flag(help: "Print every setting with its current value (the default).")
  var print = false

  @Flag(help: "Print the key bindings in the syntax of the settings file.")
  var keys = false

  @Flag(help: "Print the names of the themes.")
  var themes = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep the whole profile in one directory.", valueName: "dir"),
    transform: NonemptyArgument.parse)
  var dataDirectory: String?

  func validate() throws {
    if [path, print, keys, themes].count(where: \.self) > 1 {
      throw ValidationError("--path, --print, --keys and --themes cannot be used together")
    }
  }

  mutating func run() throws {
    let locations = Locations(
      dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
    var isWithoutMistake = true
    var text = try output(of: locations, &isWithoutMistake)
    // Programs get the path unchanged.
    if !path || StandardOutput.isTerminal {
      text = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { CharacterRole.sanitizedForTerminal(String($0)) }.joined(separator: "\n")
    }
    try StandardOutput.write(Array(text.utf8))
    if !isWithoutMistake { throw ExitCode(2) }
  }

  private func output(of locations: Locations, _ hasNoErrors: inout Bool) throws -> String {
    if path { return locations.config.path + "\n" }
    let reading = SettingsFile.read(locations.config, orLastGood: locations.lastSettings)
    SettingsFile.saveAsLastGood(reading, of: locations.config, at: locations.lastSettings)
    (reading.mistakes + reading.missingFiles).forEach(StandardOutput.printError)
    let settings = reading.settings
    let profile = Profile(locations: locations, shared: SharedFiles.find(), settings: settings)
    hasNoErrors = reading.mistakes.isEmpty
    if themes {
      let (themes, mistakes) = profile.themes
      mistakes.forEach(StandardOutput.printError)
      return themes.map { $0.name + "\n" }.joined()
    }
    let keymap = Keymap(settings.keys) { mistake in
      StandardOutput.printError(mistake)
      hasNoErrors = false
    }
    if keys { return keymap.settingsText }
    if let missing = profile.missingTheme(in: profile.themes) {
      StandardOutput.printError(missing)
      hasNoErrors = false
    }
    // The command prints the settings in force, which differ from the settings in the file.
    return
      (reading.settingsInForceNotice.map { "# \(Self.firstLine(for: reading.origin)): \($0)\n\n" }
      ?? "")
      + settings.text
  }

  /// Returns the reason why the settings in force differ from the settings in the file, for the
  /// first line of the output; empty if they do not differ.
  private static func firstLine(for origin: SettingsFile.Origin) -> String {
    switch origin {
    case .file: ""
    case .lastGood: "earlier settings, because the settings file cannot be read"
    case .defaults: "offline because the settings cannot be read"
    }
  }
}
