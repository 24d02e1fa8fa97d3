import Configuration
import Foundation
import Profiles
import TestNetwork
import Testing

@testable import Doctor

/// The findings of `doctor` about directories that exist, but cannot be read.
@Suite struct DirectoryFindingsTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  private func finding(_ name: String, of profile: Profile) throws -> Finding {
    let findings = DirectoryFindings(of: profile, homeDirectory: nil).allFindings
    return try #require(findings.first { $0.name == name })
  }

  @Test func `a directory that cannot be examined does not count as missing`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    #expect(try finding("archive", of: profile).value.hasPrefix("does not exist yet"))
    let path = profile.locations.archive.path
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // A link to itself.
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    let found = try finding("archive", of: profile)
    #expect(found.value.contains("not readable") && found.advice != nil)
  }

  @Test func `segments and journals that cannot be listed are not counted as none`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    for url in [profile.locations.archive, profile.locations.journals] {
      try FileManager.default.createDirectory(
        atPath: (url.path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: url.path))
    }
    for name in ["segments", "journals"] {
      let found = try finding(name, of: profile)
      #expect(found.value.contains("not readable") && found.advice != nil)
    }
  }
}
