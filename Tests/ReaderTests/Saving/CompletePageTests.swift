@testable import Saving
import Crawl
@testable import Library
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Profiles

/// Pages saved with all resources that they need in a browser.
@Suite struct CompletePageTests {
  private let page = "http://a.example/"

  private func network() -> SiteNetwork {
    let network = SiteNetwork()
    let etag = [("ETag", "\"1\"")]
    network.add(
      page, "<title>T</title><link rel=stylesheet href=/a.css><script src=/s.js></script><p>words",
      fields: etag)
    network.add(page + "a.css", "@import 'b.css'; p{background:url(p.png)}", fields: etag)
    network.add(page + "b.css", "@import 'a.css'; @font-face{src:url(f.woff2)}", fields: etag)
    for name in ["s.js", "p.png", "f.woff2"] { network.add(page + name, name, fields: etag) }
    return network
  }

  private func save(
    _ profile: Profile, _ request: SaveRequest, _ notices: (PartsNotice) -> Void = { _ in }
  )
    -> CollectedReport
  {
    var request = request
    request.pace.minGap = .zero
    return withoutActuallyEscaping(notices) { notices in
      let saver = PageSaver(request, in: profile)
      saver.announce = notices
      defer { saver.announce = { _ in } }
      return saver.collected()
    }
  }

  @Test func `style sheets with their resources, scripts and fonts are saved with requests`()
    throws
  {
    let (files, network) = (try TestProfile(), network())
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [page])
    request.isComplete = true
    var notices: [PartsNotice] = []
    let report = save(profile, request) { notices.append($0) }
    #expect(notices == [PartsNotice(url: page, count: 2)])
    #expect(report.parts == 5 && report.missingParts == 0 && report.partsSize > 0)
    #expect(report.pages.count == 1 && report.pages[0].size > report.partsSize)
    let names = ["", "a.css", "b.css", "s.js", "p.png", "f.woff2"].map { page + $0 }
    #expect(Set(network.requests) == Set(names))
    #expect(network.requests.count == names.count)
    for name in names {
      let stored = try #require(try profile.cache.archive.captures(of: name).first)
      #expect(profile.cache.archive.request(of: stored) != nil, "\(name)")
    }
    #expect(try profile.library.page(page).isComplete)
  }

  @Test func `ordinary saves fetch no such resources, and record no request`() throws {
    let (files, network) = (try TestProfile(), network())
    let profile = files.open(network)
    defer { profile.close() }
    let report = save(profile, SaveRequest(pages: [page]))
    #expect(report.parts == 0 && network.requests == [page])
    let stored = try #require(try profile.cache.archive.captures(of: page).first)
    #expect(profile.cache.archive.request(of: stored) == nil)
  }

  @Test func `a later sync keeps the page complete until this is switched off`() throws {
    let (files, network) = (try TestProfile(), network())
    let profile = files.open(network)
    defer { profile.close() }
    try profile.library.record([
      LibraryChange(page, .pinned, "1"), LibraryChange(page, .queued, ""),
      LibraryChange(page, .complete, "1"),
    ])
    let report = save(profile, try SyncPlan(queueOf: profile, now: Date()).request(LoadOptions()))
    #expect(report.parts == 5)
    network.add(page, "<title>T</title><link rel=stylesheet href=/new.css><p>other words")
    network.add(page + "new.css", "p{background:url(new.png)}")
    network.add(page + "new.png", "new")
    #expect(save(profile, SaveRequest(pages: [page])).parts == 2)
    var request = SaveRequest(pages: [page])
    request.isComplete = false
    #expect(save(profile, request).parts == 0)
    #expect(try !profile.library.page(page).isComplete)
  }

  @Test
  func `missing resources are counted, and style sheets that import each other end`()
    throws
  {
    let (files, network) = (try TestProfile(), SiteNetwork())
    let parts = "<link rel=stylesheet href=/0.css><script src=/none.js></script>"
    network.add(page, parts + "<p>Some words to read here")
    for number in 0..<40 { network.add(page + "\(number).css", "@import '\(number + 1).css';") }
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [page])
    request.isComplete = true
    let report = save(profile, request)
    #expect(report.parts == PagePart.maxSheets && report.missingParts == 1)
    #expect(report.isComplete)
  }

  @Test func `resources of a URL from another program stay in the public network`() throws {
    let (files, network) = (try TestProfile(), network())
    let profile = files.open(network)
    defer { profile.close() }
    try profile.library.record([
      LibraryChange(page, .queued, ""), LibraryChange(page, .fromProgram, "1"),
      LibraryChange("http://b.example/", .queued, ""),
    ])
    _ = save(profile, try SyncPlan(queueOf: profile, now: Date()).request(LoadOptions()))
    #expect(network.publicOnly == [page])
    let known = try profile.library.page(page)
    #expect(known.pinnedDate == nil && known.isUnconfirmed && known.fromProgram != nil)
    #expect(
      try LibraryContents(of: profile).rows.first { $0.key == page }?.fromProgram != nil)
  }
}
