import Configuration
import Foundation
import Profiles
import Testing

/// Files of the state directory that exist, but cannot be read.
@Suite struct UnreadableStateTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  /// Puts a directory in the place of a file.
  private func replaceByDirectory(_ file: URL) throws {
    try FileManager.default.createDirectory(
      atPath: file.path + "/inner", withIntermediateDirectories: true)
  }

  @Test func `choices that cannot be read leave a notice, once`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    try replaceByDirectory(profile.locations.choices)
    #expect(profile.choices == Choices())
    #expect(profile.choices == Choices())
    let notices = profile.drainNotices()
    #expect(notices.count == 1)
    #expect(notices.first?.hasPrefix("earlier choices do not apply: ") == true)
  }
}
