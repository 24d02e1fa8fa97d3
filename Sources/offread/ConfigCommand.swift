import Configuration
import ArgumentParser
import Foundation
import DOM
import Reader
import TerminalUI
import Terminal

/// `offread config`: where the settings file is, and what it says.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Write the settings, or where their file is.")

  @Flag(help: "Write the path of the settings file.")
  var path = false

  @Flag(help: "Write every setting with its present value (the default).")
  var print = false

  @Flag(help: "Write what the keys do, as the settings file has it.")
  var keys = false

  @Flag(help: "Write the names of the themes.")
  var themes = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep everything of this profile in one folder.", valueName: "dir"))
  var dataDirectory: String?

  func validate() throws {
    if [path, print, keys, themes].count(where: \.self) > 1 {
      throw ValidationError("--path, --print, --keys and --themes exclude each other")
    }
  }

  mutating func run() throws {
    let locations = Locations(
      dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
    var text = try text(of: locations)
    // Programs are told the path as it is.
    if !path || StandardOutput.isTerminal {
      text = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { CharacterRole.visible(String($0)) }.joined(separator: "\n")
    }
    try StandardOutput.write(Array(text.utf8))
  }

  private func text(of locations: Locations) throws -> String {
    if path { return locations.config.path + "\n" }
    let reading = SettingsFile.read(locations.config)
    (reading.mistakes + reading.missingFiles).forEach(StandardOutput.complain)
    let settings = reading.settings
    if themes {
      let (themes, mistakes) = Profile(
        locations: locations, shared: SharedFiles.find(), settings: settings
      ).themes
      mistakes.forEach(StandardOutput.complain)
      return themes.map { $0.name + "\n" }.joined()
    }
    let keymap = Keymap(settings.keys, report: StandardOutput.complain)
    if keys { return keymap.text }
    // What is printed would not be what the file says.
    guard reading.mistakes.isEmpty else { throw ExitCode(2) }
    return settings.text
  }
}
