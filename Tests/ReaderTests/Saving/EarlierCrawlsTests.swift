import Crawl
import Foundation
import Library
import OfflineCache
import TestFiles
import TestNetwork
import Testing

@testable import Configuration
@testable import Profiles
@testable import Sandbox
@testable import Saving

/// Pages saved with `--depth` before there were collections, and pages that are hidden with a
/// collection.
@Suite struct EarlierCrawlsTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private let start = "http://a.example/"
  private let pages = ["http://a.example/", "http://a.example/1", "http://a.example/2"]

  init() throws {
    files = try TestProfile()
    network.add(start, "<title>Guide</title><a href=/1>one</a> <a href=/2>two</a>")
    network.add(pages[1], "<title>One</title><p>words")
    network.add(pages[2], "<title>Two</title><p>words")
  }

  /// Saves the start page with its links, as a collection if there is a name.
  private func save(in profile: Profile, as name: String? = nil) {
    var request = SaveRequest(pages: [start])
    request.pace.minGap = .zero
    request.bounds.depth = 1
    if let name { request.collection = CollectionRequest(name: name) }
    #expect(PageSaver(request, in: profile).run().isComplete)
  }

  @Test func `pages of an earlier save become a collection that is not pinned`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    save(in: profile)
    #expect(try profile.library.collections().isEmpty)
    let requests = network.requests.count
    #expect(try EarlierCrawls.adopt(in: profile, isStopped: { true }) == 0)
    #expect(try profile.library.collections().isEmpty)
    #expect(try EarlierCrawls.adopt(in: profile) == 1)
    let found = try #require(try profile.library.collections().first)
    #expect(found.name == "Guide" && found.pages == pages && !found.record.isPinned)
    // The collection is not created twice, and nothing is requested.
    #expect(try EarlierCrawls.adopt(in: profile) == 0 && network.requests.count == requests)
  }

  @Test func `a hidden page that another collection needs meanwhile is not deleted`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    save(in: profile, as: "Guide")
    let removal = PageRemoval(from: profile)
    let guide = try #require(try profile.library.collections().first)
    try removal.hide(try removal.plan(for: guide))
    // Another device has put a page into a collection of its own.
    let other = PageCollection.id(ofStart: "http://b.example/")
    let record = PageCollection.Record(
      name: "Other", start: ["http://b.example/"], isPinned: true, saved: profile.library.now)
    try profile.library.record(
      [LibraryChange(PageCollection.key(of: other), .collection, record.text)]
        + CollectionMembership().adding(
          pages[1], to: other, number: 0, by: "other", at: profile.library.now))
    #expect(try profile.library.page(pages[1]).removed != nil)
    let later = Date().addingTimeInterval(profile.settings.sync.undoTime + 60)
    #expect(try removal.finish(now: later) == 2)
    #expect(profile.cache.savedPages(among: pages) == [pages[1]])
    #expect(try profile.library.page(pages[1]).removed == nil)
  }
}
