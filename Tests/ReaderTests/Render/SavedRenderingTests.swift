@testable import Profiles
import Foundation
import OfflineCache
import TestNetwork
import TestSupport
import Testing
import WebArchive

@testable import Rendering

/// The rendered text of a page in lists.
@Suite struct SavedRenderingTests {
  @Test func `lists have the title and the date of the latest rendering`() throws {
    let home = try TestProfile()
    let profile = home.open(SiteNetwork())
    defer { profile.close() }
    let key = try #require(profile.cache.key(of: "https://a.test/"))
    #expect(try SavedRendering.latest(of: [key], in: profile).isEmpty)
    for (day, title) in [(1, "Loading"), (2, "The Tale &amp; more")] {
      try profile.cache.archive.append(
        RenderedPage(
          key: key, url: "https://a.test/", browser: "chromium/156.0.1", source: nil,
          date: Date(timeIntervalSince1970: Double(day) * 86_400),
          content: Array("<!DOCTYPE html><title>\(title)</title><p>Text".utf8)))
    }
    let found = try SavedRendering.latest(of: [key, "https://b.test/"], in: profile)
    let rendering = try #require(found[key])
    #expect(found.count == 1 && rendering.title == "The Tale & more")
    #expect(rendering.date == Date(timeIntervalSince1970: 2 * 86_400))
    #expect(rendering.browser == "chromium 156")
  }
}
