@testable import Profiles
@testable import Pages
import Crawl
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Pages that sites show instead of the requested ones, with the status 200.
@Suite struct StandInPageTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let url = "http://127.0.0.1/art"
  private static let form =
    "<form method=post><input name=user><input type=password name=pw><button>Go</button></form>"

  init() throws {
    files = try TestProfile()
  }

  private func save(_ url: String = Self.url, checks: Bool = false) throws -> SaveOutcome {
    var request = SaveRequest(pages: [url])
    request.pace.minGap = .zero
    if checks { request.options.mode = .cacheOnly }
    let profile = files.open(network)
    defer { profile.close() }
    let report = PageSaver(request, in: profile).collected()
    #expect(report.isComplete && report.readableCount == 1)
    return try #require(report.pages.first)
  }

  private static func page(_ title: String, _ body: String) -> String {
    "<!doctype html><title>\(title)</title><h1>\(title)</h1>\(body)"
  }

  private static let shell =
    "<script src=/a.js></script><header><a href=/>Home</a> <a href=/about>About us here</a> "
    + "<a href=/contact>Contact the editors</a></header><main id=app></main>"
    + "<footer>© 2026 Site. All rights reserved.</footer>"

  @Test(
    arguments: [
      (page("Log in", form), .signIn), (page("Sign in to Site", form), .signIn),
      (page("Anmelden – Hafenblatt", form), .signIn),
      (page("Page not found", "<p>Sorry, that page does not exist.</p>"), .error),
      (page("404 | Page Not Found", "<p>Sorry.</p>"), .error),
      (page("503 Service Unavailable", "<hr>server"), .error),
      (page("Just a moment...", "<p>Checking your browser before the page opens.</p>"), .check),
      (
        page(
          "Making sure you’re not a bot!",
          String(repeating: "<p>Programs overload this server.", count: 20)), .check
      ),
      (page("Access Denied", "You don't have permission to see this page."), .check),
      (page("Just a moment of rest", "<p>A poem of four lines about the sea.</p>"), nil),
      (
        page("Robot Check", String(repeating: "<p>How sites tell robots from people.", count: 60)),
        nil
      ),
      (page("Long", "<p>The boats leave at nine.<p>They return <a href=\"/time"), .beginning),
      (page("Long", "<p>The boats leave at nine.<p>They return</"), .beginning),
      (page("Long", "<p>The boats leave at nine, and 2 < 3"), nil),
      (page("Page introuvable - Le Port", "<p>Désolé, elle a disparu.</p>"), .error),
      ("<!doctype html><title>Site</title>\(shell)", .shell),
      // A header with a form on an ordinary short page.
      (page("Chess club", "\(form)<p>We meet on Tuesdays at seven in the harbour.</p>"), nil),
      (page("How to log in", "\(form)<p>Ask at the desk for the name of the network.</p>"), nil),
      (page("The history of the 404 error", "<p>It began at a laboratory.</p>"), nil),
      (page("404", "<p>The line runs from the harbour to the lighthouse.</p>"), nil),
      (page("Lost and not found", "<p>A poem of four lines about the sea.</p>"), nil),
      (page("Log in", String(repeating: "<p>How people sign in at the harbour. ", count: 40)), nil),
      (page("Log in", form + String(repeating: "<p>How people sign in there. ", count: 40)), nil),
      (page("Page not found", String(repeating: "<p>Why pages are lost. ", count: 40)), nil),
      // Scripts fill an element below the text, or there is no script.
      (
        page("Note", "<script src=/a.js></script><p>\(prose)</p><div id=root></div>"), nil
      ),
      (page("Links", "<a href=/a>A</a> <a href=/b>B</a><div id=app></div>"), nil),
      (page("Links", "<script src=/a.js></script><div id=app><a href=/a>A</a></div>\(prose)"), nil),
    ] as [(String, StandInPage?)])
  func `sign-in and error pages are reported as such, and ordinary pages are not`(
    _ html: String, _ expected: StandInPage?
  ) throws {
    network.add(Self.url, html)
    #expect(try save().standIn == expected)
    // A check reports it as well; the page is unchanged when it is saved again.
    #expect(try save(checks: true).standIn == expected)
    #expect(try save().standIn == nil)
  }

  private static let prose =
    "The ferry leaves the harbour at seven in the morning and returns when the tide allows it, "
    + "which is usually before noon, except on the days of the market."

  @Test(
    arguments: [
      ("/enter?next=/art", form, .signIn), ("/enter?to=%2Fart", form, .signIn),
      ("/enter?u=http%3A%2F%2F127.0.0.1%2Fart&x=1", form, .signIn),
      // Another page, no form, or a long text.
      ("/enter?next=/other", form, nil), ("/enter", form, nil),
      ("/enter?next=/art", "<p>\(prose)</p>", nil),
      ("/enter?next=/art", form + String(repeating: "<p>\(prose)</p>", count: 4), nil),
    ] as [(String, String, StandInPage?)])
  func `a form at a URL that carries the requested one is a sign-in page`(
    _ target: String, _ body: String, _ expected: StandInPage?
  ) throws {
    network.add(Self.url, "", status: 302, fields: [("Location", target)])
    network.add("http://127.0.0.1\(target)", Self.page("Welcome", body))
    #expect(try save().standIn == expected)
  }

  @Test func `the report counts these pages`() {
    var (one, two) = (SaveReport(), SaveReport())
    var outcome = SaveOutcome(url: Self.url, depth: 1, result: .saved)
    outcome.standIn = .error
    one.count(outcome)
    two.count(outcome)
    one.add(two)
    #expect(one.standIns == [.error: 2] && one.readableCount == 2 && one.linkedCount == 2)
    outcome.unreadiness = .withoutText
    one.count(outcome)
    #expect(one.standIns == [.error: 2])
  }
}
