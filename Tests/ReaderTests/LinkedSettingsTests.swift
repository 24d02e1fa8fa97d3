import Foundation
import Testing

@testable import Configuration

/// Settings files that exist, but cannot be examined.
@Suite struct LinkedSettingsTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("settings-\(UUID().uuidString)")

  /// Creates a link `name` to a path, and expects that the settings file at `path` counts as
  /// unreadable and that the copy of the last good settings stays.
  private func expectUnreadable(_ path: String, link name: String, to target: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createSymbolicLink(
      atPath: directory.appendingPathComponent(name).path, withDestinationPath: target)
    let file = directory.appendingPathComponent(path)
    let copy = directory.appendingPathComponent("last.toml")
    try Data("[display]\nwidth = 66\n".utf8).write(to: copy)
    let reading = SettingsFile.read(file)
    let link = directory.appendingPathComponent(name).path
    #expect(reading.settings.isSavedOnly)
    #expect(
      reading.mistakes == ["\(file.path): cannot be read: \(link) is a broken symbolic link"])
    let lastGood = SettingsFile.read(file, orLastGood: copy)
    guard case .lastGood = lastGood.origin else {
      Issue.record("the settings are not those of the copy")
      return
    }
    SettingsFile.saveAsLastGood(lastGood, of: file, at: copy)
    #expect(FileManager.default.fileExists(atPath: copy.path))
  }

  @Test(arguments: ["missing.toml", "config.toml"])
  func `a settings file that is a broken link is unreadable, not missing`(_ target: String) throws {
    try expectUnreadable("config.toml", link: "config.toml", to: target)
  }

  @Test(arguments: ["missing", "offread"])
  func `a settings file in a directory that is a broken link is unreadable`(
    _ target: String
  ) throws {
    try expectUnreadable("offread/config.toml", link: "offread", to: target)
  }

  @Test func `without a settings file the copy of the last good one is removed`() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let copy = directory.appendingPathComponent("last.toml")
    for path in ["config.toml", "missing/config.toml", "last.toml/config.toml"] {
      try Data("[display]\nwidth = 66\n".utf8).write(to: copy)
      let file = directory.appendingPathComponent(path)
      let reading = SettingsFile.read(file, orLastGood: copy)
      #expect(reading == SettingsFile.Reading())
      SettingsFile.saveAsLastGood(reading, of: file, at: copy)
      #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
  }
}
