@testable import Profiles
import Crawl
import OfflineCache
import Reader
import TestNetwork
import Testing

@testable import Saving

/// Images that servers refuse to requests without a page, or replace by a page.
@Suite struct RefusedImagesTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let page = "http://a.example/p"
  private static let image = "http://b.example/i"

  init() throws {
    files = try TestProfile()
    network.add(Self.page, "<title>P</title><p>A text.<img src='\(Self.image)' alt=x>")
  }

  private func run(checks: Bool = false) -> SaveOutcome? {
    var request = SaveRequest(pages: [Self.page])
    request.pace.minGap = .zero
    if checks { request.options.mode = .cacheOnly }
    let profile = files.open(network)
    defer { profile.close() }
    return PageSaver(request, in: profile).collected().pages.first
  }

  private var referers: [String?] {
    network.webRequests.filter { $0.url.description == Self.image }.map { $0.fields["Referer"] }
  }

  @Test func `a refused image is requested once more with the origin of its page`() {
    network.add(Self.image, "no", status: 403)
    #expect(run()?.missingImageCount == 1)
    #expect(referers == [nil, "http://a.example/"])
  }

  @Test(arguments: [403, 200], ["no-store", "max-age=3600"])
  func `the image that is sent to a request with the origin of its page is saved`(
    status: Int, lifetime: String
  ) {
    let text = String(repeating: "No images for you. ", count: 200)
    network.add(
      Self.image, "<!doctype html><title>Hotlinking forbidden</title><p>\(text)", status: status,
      fields: [("Cache-Control", lifetime)])
    network.add("REFERER \(Self.image)", "\u{89}PNG and so on", type: "image/png")
    let saved = run()
    #expect(saved?.missingImageCount == 0 && saved?.imageCount == 1)
    #expect(referers == [nil, "http://a.example/"])
    #expect(run(checks: true)?.imageCount == 1)
  }

  @Test(arguments: [404, 500, 200])
  func `other images are requested without naming the page`(status: Int) {
    network.add(Self.image, "x", status: status)
    #expect(run()?.missingImageCount == (status == 200 ? 0 : 1))
    #expect(!referers.contains { $0 != nil })
  }

  @Test(arguments: [0, 200_000])
  func `a page in place of an image is missing, in a check as well`(length: Int) {
    let text = String(repeating: "x", count: length)
    network.add(
      Self.image, " <!DOCTYPE html><title>Hotlinking forbidden</title>\(text)", type: "text/html")
    let saved = run()
    #expect(saved?.missingImageCount == 1 && saved?.imageCount == 0)
    #expect(saved?.missingImageNames.first?.reason == "the server sent a page instead")
    #expect(run(checks: true)?.missingImageCount == 1)
  }

  @Test func `an image that is declared as HTML is not missing`() {
    network.add(Self.image, "\u{89}PNG and so on", type: "text/html; charset=utf-8")
    #expect(run()?.imageCount == 1)
    #expect(run(checks: true)?.imageCount == 1)
  }

  @Test(
    arguments: [
      ("<!doctype html>", "text/html", true), ("\n<HTML><p>", "text/html;charset=x", true),
      ("<!doctype html>", "image/png", false), ("<!doctype html>", nil, false),
      ("GIF89a", "text/html", false), ("<svg xmlns=''>", "text/html", false),
      ("", "text/html", false), (" \n", "text/html", false),
      (String(repeating: "\r\n", count: 600) + "<html>", "text/html", true),
      ("\u{FEFF}\n<!doctype html>", "text/html", true),
    ] as [(String, String?, Bool)])
  func `a page is recognized by its type and its beginning`(
    content: String, type: String?, isPage: Bool
  ) {
    #expect(SavedImages.isPage(Array(content.utf8), type: type) == isPage)
  }
}
