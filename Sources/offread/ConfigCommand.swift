import ArgumentParser
import Foundation
import Reader

/// `offread config`: where the settings file is, and what it says.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Write the settings, or where their file is.")

  @Flag(help: "Write the path of the settings file.")
  var path = false

  @Flag(help: "Write every setting with its present value (the default).")
  var print = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep everything of this profile in one folder.", valueName: "dir"))
  var dataDirectory: String?

  func validate() throws {
    if path, print { throw ValidationError("--path and --print exclude each other") }
  }

  mutating func run() throws {
    let locations = Locations(
      dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
    let text = path ? locations.config.path + "\n" : try Settings.read(of: locations).settings.text
    try StandardOutput.write(Array(text.utf8))
  }
}
