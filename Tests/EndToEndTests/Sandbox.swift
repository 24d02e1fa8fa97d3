import Foundation
import TestSupport
import Testing

/// A temporary profile, deleted at the end of the test.
final class Sandbox {
  /// The data directory, which is not created before something is saved.
  let data: String
  /// A directory for files of the test.
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread e2e \(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    data = directory.appendingPathComponent("data").path
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Runs the built program with this profile.
  func offread(
    _ arguments: String..., input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    try offread(arguments, input: input, environment: environment)
  }

  /// Runs the built program with this profile.
  func offread(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    var variables = ["OFFREAD_DATA_DIR": data]
    variables.merge(environment) { $1 }
    return try Program.run(Program.offread, arguments, input: input, environment: variables)
  }

  /// Starts the built program in a terminal with this profile.
  func reader(
    _ arguments: String..., columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], inShell: Bool = false
  ) throws -> TmuxScreen {
    try reader(
      arguments, columns: columns, rows: rows, environment: environment, inShell: inShell)
  }

  /// Starts the built program in a terminal with this profile.
  func reader(
    _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], inShell: Bool = false
  ) throws -> TmuxScreen {
    var variables = ["OFFREAD_DATA_DIR": data]
    variables.merge(environment) { $1 }
    return try TmuxScreen(
      [Program.offread] + arguments, columns: columns, rows: rows, environment: variables,
      inShell: inShell)
  }

  /// Writes the settings file of the profile.
  func settings(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: data + "/config.toml"))
  }

  /// Writes a file of the test.
  func file(_ name: String, _ text: String) throws -> String {
    let url = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  /// Returns the URLs of the segments of the archive.
  func segments() throws -> [URL] {
    let archive = URL(fileURLWithPath: data).appendingPathComponent("archive")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: archive.path)) ?? []
    return names.filter { $0.hasSuffix(".warc.gz") }.sorted().map {
      archive.appendingPathComponent($0)
    }
  }
}
