import Configuration
import Foundation
import Library
import TestNetwork
import Testing

@testable import Profiles

/// Files of a profile that exist, but cannot be read or written.
@Suite struct UnreadableStateTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  /// Replaces a file by a directory.
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
    #expect(
      notices.first?.hasPrefix("the remembered views, theme and cookie decisions do not apply: ")
        == true)
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

  /// Every write to the device `/dev/full` fails; a directory cannot be opened for writing.
  @Test(arguments: ["/dev/full", "/"])
  func `a line that cannot be written to a log is reported once`(_ path: String) {
    let log = RequestLog.LogFile(path)
    log.append("one\n")
    log.append("two\n")
    #expect(log.takeFailure() != nil)
    #expect(log.takeFailure() == nil)
  }

  @Test func `a log that cannot be written leaves a notice`() {
    let profile = Profile(
      locations: Locations(dataDirectory: files.directory.path, environment: [:]), shared: nil,
      logFile: "/", transport: network)
    defer { profile.close() }
    #expect(profile.drainNotices() == ["the log is incomplete: Is a directory"])
    #expect(profile.drainNotices().isEmpty)
  }
}
