@testable import Profiles
import Crawl
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Pages that declare the same canonical URL, correctly or not.
@Suite struct DuplicatePagesTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let names = ["index", "alpha", "beta", "gamma", "delta"]

  init() throws {
    files = try TestProfile()
  }

  private func url(_ name: String) -> String { "http://a.example/\(name)" }

  /// Adds a page of a template that declares the same canonical URL and title for all pages.
  private func add(_ name: String, text: String, links: [String] = []) {
    network.add(
      url(name),
      "<title>Our Site</title><link rel=canonical href=/index><p>\(text)</p>"
        + links.map { "<a href='/\($0)'>more</a> " }.joined())
  }

  private func request(_ names: [String], depth: Int = 0) -> SaveRequest {
    var request = SaveRequest(pages: names.map(url))
    request.pace.minGap = .zero
    request.bounds.depth = depth
    return request
  }

  @Test func `requested pages with the same title and canonical URL are all saved`() throws {
    for name in Self.names { add(name, text: "The words of \(name).", links: Self.names) }
    let profile = files.open(network)
    var wanted = request(Self.names)
    wanted.tags = ["t"]
    let report = PageSaver(wanted, in: profile).collected()
    #expect(report.isComplete && report.pages.count == 5)
    #expect(Set(try profile.library.keys(with: .pinned)) == Set(Self.names.map(url)))
    #expect(try profile.library.count(with: .tag("t")) == 5)
    #expect(profile.cache.savedPages(among: Self.names.map(url)).count == 5)
    profile.close()
  }

  @Test func `requested pages with the same content are all saved`() throws {
    for name in ["index", "alpha"] { add(name, text: "The same words.") }
    let profile = files.open(network)
    for names in [["alpha"], ["index"], ["alpha", "index"]] {
      #expect(PageSaver(request(names), in: profile).collected().isComplete)
    }
    #expect(Set(try profile.library.keys(with: .pinned)) == [url("index"), url("alpha")])
    profile.close()
  }

  @Test(arguments: ["no-cache", "max-age=60"])
  func `the target of a redirect is requested once in a run`(_ control: String) {
    let urls = ["https://a.example/page", "https://a.example/former"]
    network.add(urls[0], "<title>T</title><p>words", fields: [("Cache-Control", control)])
    network.add(urls[1], "", status: 301, fields: [("Location", "/page")])
    let profile = files.open(network)
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    request.pace.maxLoadsPerHost = 1
    let report = PageSaver(request, in: profile).collected()
    #expect(report.pages.map(\.result) == [.saved, .saved])
    #expect(network.requests == urls)
    // Another run asks for changes.
    _ = PageSaver(request, in: profile).collected()
    #expect(network.requests.count { $0 == urls[0] } == (control == "no-cache" ? 2 : 1))
    profile.close()
  }

  @Test func `links of pages with one canonical URL and different text are followed`() {
    add("index", text: "Start.", links: ["alpha", "gamma"])
    add("alpha", text: "The words of alpha.", links: ["index"])
    add("gamma", text: "The words of gamma.", links: ["only"])
    network.add(url("only"), "<title>Only</title><p>Only behind gamma.")
    let profile = files.open(network)
    let report = PageSaver(request(["index"], depth: 3), in: profile).collected()
    #expect(Set(report.pages.map(\.url)) == Set(["index", "alpha", "gamma", "only"].map(url)))
    profile.close()
  }

  @Test func `links of every requested page are followed, even if its content is a duplicate`() {
    add("index", text: "The same words.", links: ["one"])
    add("alpha", text: "The same words.", links: ["two"])
    for name in ["one", "two"] { network.add(url(name), "<title>T</title><p>Text of \(name).") }
    let profile = files.open(network)
    let report = PageSaver(request(["index", "alpha"], depth: 1), in: profile).collected()
    #expect(Set(report.pages.map(\.url)) == Set(["index", "alpha", "one", "two"].map(url)))
    profile.close()
  }

  @Test func `links of a found page with a known canonical URL and content are not followed`() {
    // A calendar: each day links to the next one, and all of them are the same page.
    for day in 0..<50 {
      network.add(
        url("cal?day=\(day)"),
        "<title>Calendar</title><link rel=canonical href='/cal'>"
          + "<a href='/cal?day=\(day + 1)'>next</a>")
    }
    let profile = files.open(network)
    let report = PageSaver(request(["cal?day=0"], depth: 40), in: profile).collected()
    #expect(report.pages.count == 2)
    profile.close()
  }
}
