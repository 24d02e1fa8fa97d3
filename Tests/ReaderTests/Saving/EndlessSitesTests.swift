@testable import Profiles
import Crawl
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Sites with unlimited URLs, and legitimate sites that resemble them.
@Suite struct EndlessSitesTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private func request(_ url: String, depth: Int) -> SaveRequest {
    var request = SaveRequest(pages: [url])
    request.pace.minGap = .zero
    request.bounds.depth = depth
    return request
  }

  private static let texts = [
    "Ferries", "Tides", "Harbours", "Lighthouses", "Islands",
  ]

  /// Adds five pages that link to each other with URLs that differ in every response.
  private func addSessions(_ link: @escaping @Sendable (_ page: Int, _ request: Int) -> String) {
    network.makePages { url, request in
      guard let number = (1...5).first(where: { url.path.contains("p\($0)") }) else { return nil }
      return "<title>\(Self.texts[number - 1])</title><p>All about \(Self.texts[number - 1]).</p>"
        + (1...5).map { "<a href='\(link($0, request))'>\(Self.texts[$0 - 1])</a> " }.joined()
    }
  }

  @Test(arguments: [
    "/p#?sid=@", "/p#;jsessionid=@", "/p#?PHPSESSID=@", "/(S(@))/p#", "/p#?x=1&unknown=@",
    "/s@/p#",
  ])
  func `a crawl with a session id in every link ends soon, with every page`(_ link: String) throws {
    addSessions { page, request in
      link.replacing("#", with: "\(page)").replacing("@", with: "0a1b2c3d4e\(request)")
    }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/p1", depth: 12), in: profile).collected()
    #expect(Set(report.pages.map(\.title)) == Set(Self.texts))
    // 1, 5 and 25 pages, and robots.txt. After that, duplicates are recognized.
    #expect(network.requests.count <= 60, "\(network.requests.count)")
    #expect(report.isComplete)
    profile.close()
  }

  @Test func `omitted duplicates are counted, and a check does not report them as missing`() throws
  {
    addSessions { page, request in "/p\(page)?sid=0a1b2c3d4e\(request)" }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/p1", depth: 6), in: profile).collected()
    #expect(report.refusals[.duplicate] ?? 0 > 0)
    var check = request("http://a.example/p1", depth: 6)
    check.options.mode = .cacheOnly
    #expect(PageSaver(check, in: profile).collected().failed == 0)
    profile.close()
  }

  @Test func `a large site with session ids costs a few requests per page`() throws {
    network.makePages { url, request in
      guard url.path.hasPrefix("/p") else { return nil }
      return "<title>Page \(url.path)</title><p>Text of \(url.path).</p>"
        + (1...40).map { "<a href='/p\($0)?sid=0a1b2c3d4e\(request)'>\($0)</a> " }.joined()
    }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/p1", depth: 5), in: profile).collected()
    #expect(Set(report.pages.map(\.title)).count == 40)
    #expect(network.requests.count <= 400, "\(network.requests.count)")
    profile.close()
  }

  @Test func `pages with different identifiers and texts are all saved`() throws {
    let tokens = (0..<60).map { "0a1b2c3d4e\($0)" }
    network.makePages { url, _ in
      if url.path == "/" {
        return "<title>List</title>"
          + tokens.map {
            "<a href='/read?sid=\($0)'>a</a> <a href='/item/\($0)'>b</a>"
              + " <a href='/next?page=\($0.dropFirst(10))'>c</a> "
          }.joined()
      }
      // The texts differ only in a number.
      return "<title>Text</title><p>Number \(url.path) \(url.query ?? "")."
    }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/", depth: 3), in: profile).collected()
    #expect(report.pages.count == 181 && report.refusals[.duplicate] == nil)
    profile.close()
  }

  @Test func `a calendar with identical days ends`() throws {
    network.makePages { url, _ in
      let day = Int((url.query ?? "day=0").dropFirst(4)) ?? 0
      return "<title>Calendar</title><p>No events on this day."
        + "<a href='/cal?day=\(day + 1)'>next</a> <a href='/cal?day=\(day - 1)'>previous</a>"
    }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/cal?day=0", depth: 90), in: profile)
      .collected()
    #expect(report.pages.count <= 12 && report.isComplete)
    profile.close()
  }
}
