import Configuration
import Dispatch
import Document
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// Changes of the library that are made while pages are read, and fail.
@Suite struct UnwritableLibraryTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  /// Replaces the directory of the journals by a file.
  private func replaceJournals(of profile: Profile) throws {
    let path = profile.locations.journals.path
    let manager = FileManager.default
    if manager.fileExists(atPath: path) {
      try manager.moveItem(atPath: path, toPath: path + ".old")
    }
    try manager.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: path))
  }

  /// Loads a page, and returns it or the page that explains the error.
  private func load(_ request: LoadRequest, _ loader: PageLoader) -> Page? {
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<Page?>(nil)
    let load = loader.load(request) { event in
      switch event {
      case .loaded(let page):
        result.withLock { $0 = page }
        end.signal()
      case .failed(_, explanation: let page):
        result.withLock { $0 = page }
        end.signal()
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    end.wait()
    withExtendedLifetime(load) {}
    return result.withLock { $0 }
  }

  @Test func `a page that cannot be queued has a notice with the reason`() throws {
    network.setDown(true)
    let profile = files.open(network)
    defer { profile.close() }
    try replaceJournals(of: profile)
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let page = try #require(
      load(LoadRequest("/b", origin: .link(from: "http://a.example/")), loader))
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(!text.contains("It is queued"))
    #expect(page.notices.contains { $0.hasPrefix("the page is not queued: ") })
  }

  @Test func `a page that cannot be recorded as read leaves a notice`() throws {
    network.setDown(true)
    let profile = files.open(network)
    defer { profile.close() }
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    var request = LoadRequest("/b", origin: .link(from: "http://a.example/"))
    #expect(load(request, loader) != nil)
    network.setDown(false)
    network.add("http://a.example/b", "<title>B</title><p>Text")
    try replaceJournals(of: profile)
    request.options.isUserEntered = true
    #expect(load(request, loader)?.document.title == "B")
    loader.finishRecording()
    let notices = profile.drainNotices()
    #expect(notices.contains { $0.hasPrefix("the page is not marked as read: ") })
  }
}
