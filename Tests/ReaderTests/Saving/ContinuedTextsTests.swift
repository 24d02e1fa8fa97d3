@testable import Library
import Profiles
import Crawl
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Texts on several pages, in a crawl.
@Suite struct ContinuedTextsTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let site = "https://a.example"

  init() throws {
    files = try TestProfile()
  }

  private func add(_ path: String, _ body: String, text: Int = 100) {
    // Pages that differ only in numbers count as the page of a portal.
    let names = ["/p1": "harbour", "/p2": "island", "/p3": "lantern", "/other": "tide"]
    let words = (0..<text).map { "\(names[path] ?? "gull")\($0)" }.joined(separator: " ")
    network.add(Self.site + path, "<title>T\(path)</title><p>\(words)\(path)</p>\(body)")
  }

  private func save(
    in profile: Profile, change: (inout SaveRequest) -> Void = { _ in }
  ) -> CollectedReport {
    var request = SaveRequest(pages: [Self.site + "/"])
    request.pace.minGap = .zero
    request.bounds.depth = 1
    request.collection = CollectionRequest(name: "C")
    change(&request)
    return PageSaver(request, in: profile).collected()
  }

  private func check(_ urls: [String], in profile: Profile) -> CollectedReport {
    var request = SaveRequest(pages: urls)
    request.options.mode = .cacheOnly
    request.requestsCollectionMembers = true
    return PageSaver(request, in: profile).collected()
  }

  private func addStory() {
    add("/", "<a href='/p1'>story</a>")
    add("/p1", "<p><a rel=next href='/p2'>Next page</a></p>")
    add("/p2", "<p><a href='/other'>Tides</a> <a rel=next href='/p3'>Next page</a></p>")
    add("/p3", "")
    add("/other", "")
  }

  @Test func `all pages of a text to which a link leads are saved, and no links of them`() throws {
    addStory()
    let profile = files.open(network)
    let report = save(in: profile)
    let paths = ["/", "/p1", "/p2", "/p3"].map { Self.site + $0 }
    #expect(report.pages.map(\.url).sorted() == paths)
    #expect(report.pages.map(\.isNextPart).count(where: \.self) == 2)
    let collection = try #require(try profile.library.collections().first)
    #expect(collection.pages == paths)
    #expect(check(collection.pages, in: profile).pages.map(\.url).sorted() == paths)
    profile.close()
  }

  @Test func `pages of a text that the user excludes are not saved`() {
    addStory()
    let profile = files.open(network)
    let report = save(in: profile) { $0.bounds.excludes = ["/p3"] }
    #expect(report.pages.count == 3 && report.refusals[.pattern] == 1)
    profile.close()
  }

  @Test func `a text ends at a part that repeats the part before`() {
    let words = (0..<100).map { "word\($0)" }.joined(separator: " ")
    network.makePages { url, _ in
      guard url.path == "/same" else { return nil }
      let number = url.query.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
      return
        "<title>T</title><p>\(words)</p><a rel=next href='/same?page=\(number + 1)'>Next page</a>"
    }
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: ["https://a.example/same"])
    request.pace.minGap = .zero
    let report = PageSaver(request, in: profile).collected()
    #expect(
      report.pages.map(\.url) == ["https://a.example/same", "https://a.example/same?page=2"])
  }

  @Test func `a part that could not be loaded is fetched later, and kept with the rest`() throws {
    addStory()
    network.add(Self.site + "/p2", "", status: 500)
    let first = files.open(network)
    var request = SaveRequest(pages: [Self.site + "/p1"])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: first).collected()
    #expect(try first.library.keys(with: .queued) == [Self.site + "/p2"])
    first.close()
    addStory()
    let profile = files.open(network)
    defer { profile.close() }
    var sync = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
    sync.pace.minGap = .zero
    _ = PageSaver(sync, in: profile).collected()
    #expect(try profile.library.keys(with: .queued).isEmpty)
    let pinned = try profile.library.pages(with: .pinned).map(\.key).sorted()
    #expect(pinned == ["/p1", "/p2", "/p3"].map { Self.site + $0 })
  }

  @Test func `a text on several pages has one row unless the user keeps its pages`() throws {
    addStory()
    let profile = files.open(network)
    defer { profile.close() }
    func save(_ path: String) {
      var request = SaveRequest(pages: [Self.site + path])
      request.pace.minGap = .zero
      _ = PageSaver(request, in: profile).collected()
    }
    func rows() throws -> [String] {
      try profile.search.catchUp { _ in true }
      return try LibraryContents(of: profile).rows.map(\.key).sorted()
    }
    save("/p1")
    for path in ["/p2", "/p3"] {
      let page = try profile.library.page(Self.site + path)
      #expect(page.pinnedDate != nil && page.continuedPage == Self.site + "/p1")
    }
    #expect(try rows() == [Self.site + "/p1"])
    save("/p3")
    save("/p1")
    #expect(try rows() == [Self.site + "/p1", Self.site + "/p3"])
    // Without the first page, the others are not hidden.
    try profile.library.record([LibraryChange(Self.site + "/p1", .pinned, nil)])
    #expect(try rows().contains(Self.site + "/p2"))
  }

  @Test func `a new part of a kept start page is kept apart from the collection`() throws {
    add("/p1", "")
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [Self.site + "/p1"])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).collected()
    _ = save(in: profile) { $0.pages = request.pages }
    addStory()
    let collection = try #require(try profile.library.collections().first)
    request.collection = CollectionRequest(refreshing: collection.id)
    request.options.isReload = true
    request.resumes = false
    request.pinsPages = false
    _ = PageSaver(request, in: profile).collected()
    let part = try profile.library.page(Self.site + "/p2")
    #expect(part.pinnedDate != nil && !part.isPinnedAsStart)
  }

  @Test(
    arguments: [
      // Little text.
      ("<a rel=next href='/list?page=2'>Next page</a>", 20),
      // The headings are links.
      (
        (1...5).map { "<h2><a href='/x\($0)'>Tide \($0)</a></h2><p>It comes in.</p>" }.joined()
          + "<a rel=next href='/list?page=2'>Next page</a>", 100
      ),
      // The text is links.
      (
        (1...90).map { "<a href='/x\($0)'>A name for tide \($0)</a> " }.joined()
          + "<a rel=next href='/list?page=2'>Next page</a>", 100
      ),
    ] as [(String, Int)])
  func `a list to which a link leads is not saved to its end, nor expected by a check`(
    body: String, text: Int
  ) {
    add("/", "<a href='/list'>all</a>")
    add("/list", body, text: text)
    add("/list?page=2", "")
    let profile = files.open(network)
    let report = save(in: profile)
    let paths = ["/", "/list"].map { Self.site + $0 }
    #expect(report.pages.map(\.url).sorted() == paths)
    #expect(check(paths, in: profile).pages.map(\.url).sorted() == paths)
    profile.close()
  }
}
