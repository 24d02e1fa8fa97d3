@testable import Configuration
@testable import Pages
@testable import Crawl
@testable import Profiles
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Reader
@testable import Saving

/// Images that could not be saved with their pages, and parts of pages that are removed.
@Suite struct MissingImagesTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let page = "http://a.example/p"
  private static let image = "http://a.example/i.png"
  private static let other = "http://a.example/j.png"

  init() throws {
    files = try TestProfile()
    network.add(
      Self.page, "<title>P</title><img alt=i src='/i.png'><img alt=j src='/j.png'><p>words",
      fields: [("ETag", "\"1\"")])
    network.add(Self.image, "png")
    network.add(Self.other, "png")
  }

  private func save(_ profile: Profile) -> CollectedReport {
    var request = SaveRequest(pages: [Self.page])
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  /// Syncs once.
  /// - Returns: The requests.
  private func sync(_ profile: Profile, after days: Double) throws -> [String] {
    let asked = network.requests.count
    let now = Date().addingTimeInterval(days * 86_400)
    var request = try SyncPlan(of: profile, now: now).request(LoadOptions())
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).collected().pages.map(\.result) == [.unchanged])
    return Array(network.requests.dropFirst(asked))
  }

  @Test(arguments: [[], [("Cache-Control", "max-age=864000")]] as [[(String, String)]])
  func `a sync requests the missing images of an unchanged page, and no others`(
    _ lifetime: [(String, String)]
  ) throws {
    network.add(Self.image, "busy", status: 500, fields: lifetime)
    let profile = files.open(network)
    #expect(save(profile).pages.map(\.missingImageCount) == [1])
    #expect(try profile.library.page(Self.page).lacksImages)
    #expect(try sync(profile, after: 3) == [Self.page, Self.image])
    #expect(try profile.library.page(Self.page).lacksImages)
    network.add(Self.image, "png")
    #expect(try sync(profile, after: 9) == [Self.page, Self.image])
    #expect(try !profile.library.page(Self.page).lacksImages)
    #expect(!profile.cache.savedPages(among: [Self.image]).isEmpty)
    #expect(try sync(profile, after: 20) == [Self.page])
    profile.close()
  }

  @Test func `a page is saved, and queued, if a save is interrupted before its images`() throws {
    network.leaveUnanswered(Self.image)
    let profile = files.open(network)
    var request = SaveRequest(pages: [Self.page])
    request.pace.minGap = .zero
    let report = PageSaver(request, in: profile)
      .collected(progress: { [network] _ in !network.requests.contains(Self.image) })
    #expect(report.isInterrupted && report.pages.map(\.result) == [.saved])
    let page = try profile.library.page(Self.page)
    #expect(page.pinnedDate != nil && page.lacksImages)
    #expect(try SyncPlan(of: profile, now: Date()).queuedPageURLs == [Self.page])
    profile.close()
  }

  @Test(arguments: [500, 503, nil])
  func `no image is requested if the page that lacks one cannot be loaded`(_ status: Int?) throws {
    network.add(Self.image, "busy", status: 500)
    let profile = files.open(network)
    #expect(save(profile).pages.map(\.missingImageCount) == [1])
    let asked = network.requests.count
    if let status {
      network.add(Self.page, "busy", status: status)
    } else {
      network.fail("a.example", .timedOut)
    }
    var request = try SyncPlan(of: profile, now: Date().addingTimeInterval(3 * 86_400)).request(
      LoadOptions())
    request.pace.minGap = .zero
    let pages = PageSaver(request, in: profile).collected().pages
    #expect(pages.count == 1 && pages.allSatisfy { $0.result != .unchanged && $0.isReadable })
    #expect(Set(network.requests.dropFirst(asked)) == [Self.page])
    #expect(try profile.library.page(Self.page).lacksImages)
    profile.close()
  }

  @Test func `a version that may not be saved does not release the images of the saved one`()
    throws
  {
    let page = "https://a.example/q"
    let images = ["i", "k"].map { "https://a.example/\($0).png" }
    for image in images { network.add(image, "png") }
    network.add(page, MovedPagesTests.article(end: "<img alt=i src='/i.png'>"))
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [page])
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).collected().pages.map(\.imageCount) == [1])
    network.add(
      page, MovedPagesTests.article(end: "<p>An update.<img alt=k src='/k.png'>"),
      fields: [("Cache-Control", "no-store")])
    for (respectsNoStore, expected) in [(true, images[0]), (false, images[1])] {
      request.options.respectsNoStore = respectsNoStore
      let pages = PageSaver(request, in: profile).collected().pages
      #expect(pages.map(\.isCurrent) == [!respectsNoStore])
      _ = try profile.cache.archive.evict(
        StorageLimits(age: 1), now: Date().addingTimeInterval(86_400),
        isEvictionExempt: { $0 == page })
      let savedURLs = profile.cache.savedPages(among: [page] + images)
      #expect(savedURLs.isSuperset(of: [page, expected]))
      #expect(respectsNoStore || savedURLs.count == 2)
    }
  }

  @Test func `an image that does not exist is not requested again`() throws {
    network.remove(Self.image)
    let profile = files.open(network)
    #expect(save(profile).pages.map(\.missingImageCount) == [1])
    #expect(try !profile.library.page(Self.page).lacksImages)
    #expect(try sync(profile, after: 3) == [Self.page])
    profile.close()
  }

  @Test func `a removal of a redirect names the images of its target`() throws {
    let redirect = "http://a.example/r"
    network.add(redirect, "", status: 302, fields: [("Location", "/p")])
    let profile = files.open(network)
    var request = SaveRequest(pages: [redirect])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    #expect(
      try Set(PageRemoval(from: profile).remainingParts(of: [redirect])) == [
        Self.image, Self.other,
      ])
    profile.close()
  }

  @Test func `a removal names the images, frames and next parts that stay saved`() throws {
    network.add(Self.page, "<title>P</title><iframe src=/f></iframe><img alt=i src=/i.png><p>words")
    network.add("http://a.example/f", "<title>F</title><p>words of the frame")
    let profile = files.open(network)
    _ = save(profile)
    let removal = PageRemoval(from: profile)
    #expect(
      try Set(removal.remainingParts(of: [Self.page])) == [Self.image, "http://a.example/f"])
    #expect(
      try removal.remainingParts(of: [Self.page, "http://a.example/f", Self.image]).isEmpty)
    #expect(try removal.remainingParts(of: ["http://a.example/f"]).isEmpty)
    #expect(try removal.remainingParts(of: ["http://a.example/none"]).isEmpty)
    profile.close()
  }

  @Test func `a removal names the target of a frame that redirects, with its images`() throws {
    let frame = "http://a.example/f"
    let target = "http://a.example/g"
    network.add(Self.page, "<title>P</title><iframe src=/f></iframe><p>words")
    network.add(frame, "", status: 302, fields: [("Location", target)])
    network.add(target, "<title>G</title><p>words of the frame<img alt=i src=/i.png>")
    let profile = files.open(network)
    _ = save(profile)
    let removal = PageRemoval(from: profile)
    let parts = try removal.remainingParts(of: [Self.page])
    #expect(parts.count == 3 && Set(parts) == [frame, target, Self.image], "\(parts)")
    #expect(try Set(removal.remainingParts(of: [Self.page, target])) == [Self.image])
    profile.close()
  }

  @Test func `a removal of many pages names the parts of all of them, each once`() throws {
    let pages = (0..<220).map { "http://a.example/p\($0)" }
    let sheet = "http://a.example/s.css"
    let sheetImage = "http://a.example/b.png"
    network.add(sheet, "p { background: url(b.png) }", type: "text/css")
    network.add(sheetImage, "png")
    for (index, page) in pages.enumerated() {
      let image = "http://a.example/\(index).png"
      network.add(
        page, "<link rel=stylesheet href=s.css><title>\(index)</title><img src=\(index).png>words")
      network.add(image, "png")
    }
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: pages)
    request.isComplete = true
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    let removal = PageRemoval(from: profile)
    let images = (0..<220).map { "http://a.example/\($0).png" }
    let parts = try removal.remainingParts(of: pages)
    #expect(parts.count == Set(parts).count)
    #expect(Set(parts) == Set(images + [sheet, sheetImage]))
    // The parts that the style sheet names stay, even if it is removed.
    #expect(try Set(removal.remainingParts(of: pages + [sheet])) == Set(images + [sheetImage]))
    #expect(throws: ArchiveError.stopped) {
      try removal.remainingParts(of: pages) { $0.done < 210 }
    }
  }

  @Test func `nothing is removed if the enclosures cannot be read`() throws {
    let profile = files.open(network)
    _ = save(profile)
    let directory = profile.locations.enclosures
    try? FileManager.default.removeItem(at: directory)
    // A link to itself.
    try FileManager.default.createSymbolicLink(
      atPath: directory.path, withDestinationPath: directory.path)
    #expect(throws: (any Error).self) { try PageRemoval(from: profile).remove(Self.page) }
    #expect(!profile.cache.savedPages(among: [Self.page]).isEmpty)
    try FileManager.default.removeItem(at: directory)
    #expect(try PageRemoval(from: profile).remove(Self.page).removal.versions == 1)
    #expect(profile.cache.savedPages(among: [Self.page]).isEmpty)
    profile.close()
  }
}
