import Configuration
import Foundation
import Library
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

  @Test func `a reading history that cannot be read leaves a notice`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    #expect(profile.readingLog.recent(limit: 5).isEmpty)
    #expect(profile.drainNotices().isEmpty)
    try replaceByDirectory(profile.locations.readingLog)
    #expect(profile.readingLog.recent(limit: 5).isEmpty)
    #expect(profile.readingLog.last(of: "https://a.test/") == nil)
    let notices = profile.drainNotices()
    #expect(notices.count == 1)
    #expect(notices.first?.hasPrefix("the reading history cannot be read: ") == true)
  }
}
