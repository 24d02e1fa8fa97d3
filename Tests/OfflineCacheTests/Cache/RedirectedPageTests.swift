import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// A redirect target is compared with the page that was previously at the URL.
@Suite("A page that is later replaced by redirects")
struct RedirectedPageTests {
  static let page = "http://site.example.org/page"
  static let html = [("Content-Type", "text/html")]

  /// A network with responses by URL, which can be changed.
  final class Network: Sendable {
    let answers: Mutex<[String: ScriptedTransport.Reply]>
    let requestedURLs = Mutex<[String]>([])

    init(_ responses: [String: ScriptedTransport.Reply]) {
      self.answers = Mutex(responses)
    }

    subscript(url: String) -> ScriptedTransport.Reply? {
      get { answers.withLock { $0[url] } }
      set { answers.withLock { $0[url] = newValue } }
    }

    var transport: ScriptedTransport {
      ScriptedTransport { request in
        self.requestedURLs.withLock { $0.append(request.url.description) }
        return self[request.url.description]
          ?? .response(404, RedirectedPageTests.html, "no such page")
      }
    }
  }

  static func redirect(_ target: String) -> ScriptedTransport.Reply {
    .response(302, [("Location", target)], "moved")
  }

  func load(
    _ fixture: CacheFixture, _ url: String = RedirectedPageTests.page,
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> SessionRecord {
    var options = LoadOptions()
    options.fallbackDelay = 30
    configure(&options)
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: url), options: options, event: record.receive)
    return record
  }

  struct RejectedTarget: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let target: String
    let reply: ScriptedTransport.Reply
    let reason: CopyReason
    /// The saved versions of the target, by status and whether they are good.
    let targetVersions: [String]
  }

  static let walls: [RejectedTarget] = [
    RejectedTarget(
      testDescription: "a sign-in page", target: "http://site.example.org/login?next=/page",
      reply: .response(200, html, Page.signIn), reason: .suspect(.loginWall),
      targetVersions: ["200 good"]),
    RejectedTarget(
      testDescription: "a consent page", target: "http://consent.example.org/form",
      reply: .response(200, html, Page.consent), reason: .suspect(.consentPage),
      targetVersions: ["200 good"]),
    RejectedTarget(
      testDescription: "an empty page", target: "http://site.example.org/empty",
      reply: .response(200, html, ""), reason: .suspect(.nearlyEmpty),
      targetVersions: ["200 good"]),
    RejectedTarget(
      testDescription: "an error page, by its URL", target: "http://site.example.org/404",
      reply: .response(200, html, Page.frame("Lights", "<p>Try the search of the site.</p>")),
      reason: .suspect(.errorPage), targetVersions: ["200 good"]),
    RejectedTarget(
      testDescription: "a gateway", target: "http://www.site.example.org/",
      reply: .response(200, html, "<WISPAccessGatewayParam>"), reason: .suspect(.signInPage),
      targetVersions: ["200"]),
    RejectedTarget(
      testDescription: "an error", target: "http://site.example.org/gone",
      reply: .response(410, html, "gone"), reason: .status(410), targetVersions: ["410"]),
    RejectedTarget(
      testDescription: "a dead host", target: "http://old.example.org/",
      reply: .failure(.hostNotFound), reason: .failure(TransportFailure(.hostNotFound)),
      targetVersions: []),
  ]

  @Test(arguments: walls)
  func `the page stays current, and the rejected response is saved and reported`(
    _ row: RejectedTarget
  ) throws {
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let fixture = CacheFixture(network.transport)
    let first = load(fixture).waitForEnd()
    network[Self.page] = Self.redirect(row.target)
    network[row.target] = row.reply
    for _ in 0..<2 {
      fixture.advance(3600)
      let secondLoad = load(fixture).waitForEnd()
      #expect(secondLoad.text == Page.article)
      #expect(secondLoad.url == Self.page)
      #expect(secondLoad.redirectTargets == [row.target])
      #expect(secondLoad.response?.source == .saved(row.reason))
      #expect(
        secondLoad.response?.stored?.id == first.response?.stored?.id
          ?? secondLoad.response?.stored?.id)
      #expect(
        secondLoad.response?.stored?.contentDate == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(secondLoad.response?.stored?.lastCheck?.date == fixture.now)
      fixture.cache.finishBackgroundWork(timeout: 10)
    }
    let targetCaptures = try fixture.cache.archive.captures(of: row.target)
    #expect(
      targetCaptures.map { "\($0.response.status)" + ($0.isGood ? " good" : "") }
        == row.targetVersions)
    // This is another process, without a network.
    let otherFixture = CacheFixture(
      ScriptedTransport { _ in .failure(.noNetwork) }, in: fixture.directory,
      time: CacheFixture.Time())
    let offline = load(otherFixture).waitForEnd()
    #expect(offline.text == Page.article)
    #expect(
      offline.response?.response.fields["Memento-Datetime"] == "Tue, 14 Nov 2023 22:13:20 GMT")
  }

  @Test func `a saved and fresh sign-in page does not replace a page`() {
    let login = "http://site.example.org/login"
    let network = Network([
      Self.page: .response(200, Self.html, Page.article),
      login: .response(200, Self.html + [("Cache-Control", "max-age=9999")], Page.signIn),
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    #expect(load(fixture, login).waitForEnd().text == Page.signIn)
    network[Self.page] = Self.redirect(login)
    let secondLoad = load(fixture).waitForEnd()
    #expect(secondLoad.text == Page.article)
    #expect(secondLoad.response?.source == .saved(.suspect(.loginWall)))
    #expect(load(fixture, login).waitForEnd().text == Page.signIn)
    #expect(network.requestedURLs.withLock { $0.count { $0 == login } } == 1)
  }

  @Test(arguments: [
    "http://site.example.org/new/page", "https://site.example.org/page",
    "http://www.site.example.org/page", "http://site.example.org/500",
  ])
  func `a moved page is shown, and is available offline`(_ target: String) {
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let fixture = CacheFixture(network.transport)
    _ = load(fixture).waitForEnd()
    let text = Page.frame("Moved", "<form><input type=password></form>" + Page.article)
    network[Self.page] = .response(301, [("Location", target)], "")
    network[target] = .response(200, Self.html, text)
    let secondLoad = load(fixture).waitForEnd()
    #expect(secondLoad.text == text)
    #expect(secondLoad.response?.source == .network)
    network[Self.page] = .failure(.noNetwork)
    network[target] = .failure(.noNetwork)
    fixture.advance(9999)
    let offline = load(fixture).waitForEnd()
    #expect(offline.text == text)
    #expect(offline.url == target)
  }

  @Test func `a redirect that later leads to a sign-in page does not replace the page`() {
    let target = "https://site.example.org/page"
    let network = Network([
      Self.page: .response(301, [("Location", target)], ""),
      target: .response(200, Self.html, Page.article),
      "http://site.example.org/login": .response(200, Self.html, Page.signIn),
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    fixture.advance(60)
    network[Self.page] = Self.redirect("/login")
    let secondLoad = load(fixture) { $0.isReload = true }.waitForEnd()
    #expect(secondLoad.text == Page.article)
    #expect(secondLoad.url == target)
    #expect(secondLoad.response?.source == .saved(.suspect(.loginWall)))
    // A redirect to a captive portal does not replace the page either.
    fixture.advance(60)
    network[Self.page] = Self.redirect("http://portal.example.com/")
    let portal = load(fixture) { $0.isReload = true }.waitForEnd()
    #expect(portal.text == Page.article)
  }

  @Test func `lists have the page saved before a redirect to a sign-in page`() throws {
    let network = Network([
      Self.page: .response(200, Self.html, Page.article),
      "http://site.example.org/login": .response(200, Self.html, Page.signIn),
    ])
    let fixture = CacheFixture(network.transport)
    _ = load(fixture).waitForEnd()
    fixture.advance(60)
    network[Self.page] = Self.redirect("/login")
    #expect(load(fixture) { $0.isReload = true }.waitForEnd().text == Page.article)
    fixture.cache.finishBackgroundWork(timeout: 10)
    let key = try #require(fixture.cache.key(of: Self.page))
    #expect(try fixture.cache.archive.newest(of: [key])[key]?.isRedirect == true)
    #expect(try fixture.cache.newest(of: [key])[key]?.isRedirect == false)
    #expect(try fixture.cache.newestContents(of: [key])[key]?.isRedirect == false)
    // A redirect to a page stands for it.
    network[Self.page] = Self.redirect("/moved")
    network["http://site.example.org/moved"] = .response(200, Self.html, Page.article)
    fixture.advance(60)
    _ = load(fixture) { $0.isReload = true }.waitForEnd()
    fixture.cache.finishBackgroundWork(timeout: 10)
    #expect(try fixture.cache.newest(of: [key])[key]?.isRedirect == true)
    #expect(try fixture.cache.newestContents(of: [key])[key]?.isRedirect == true)
  }

  @Test func `a single fallback delay covers all redirects, so a slow target falls back in time`()
    throws
  {
    let target = "http://site.example.org/new"
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let transport = network.transport
    let fixture = CacheFixture(transport)
    _ = load(fixture).waitForEnd()
    network[Self.page] = Self.redirect(target)
    network[target] = .hold
    let record = load(fixture) { $0.fallbackDelay = 0.01 }
    let result = record.waitForEnd()
    #expect(result.text == Page.article)
    #expect(result.url == Self.page)
    #expect(result.response?.source == .saved(.waiting))
    let text = Page.frame("New", Page.article)
    transport.release(TransportEvent.response(200, Self.html, text))
    guard case .refreshed(let stored)? = record.waitForFollowUp().followUp else {
      Issue.record("no newer version: \(String(describing: record.current.followUp))")
      return
    }
    #expect(stored.key == target)
    #expect(load(fixture) { $0.mode = .cacheOnly }.waitForEnd().text == text)
  }

  enum LateRedirect: String, CaseIterable, Sendable {
    case page, signIn, error, circle
  }

  @Test(arguments: LateRedirect.allCases)
  func `a redirect received after the copy is followed in the background`(_ late: LateRedirect)
    throws
  {
    let target = "http://site.example.org/new"
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let transport = network.transport
    let fixture = CacheFixture(transport)
    _ = load(fixture).waitForEnd()
    fixture.advance(60)
    network[Self.page] = .hold
    let text = Page.frame("New", Page.article)
    switch late {
    case .page: network[target] = .response(200, Self.html, text)
    case .signIn: network[target] = .response(200, Self.html, Page.signIn)
    case .error: network[target] = .response(503, Self.html, "later")
    case .circle: network[target] = Self.redirect(target)
    }
    let record = load(fixture) { $0.fallbackDelay = 0 }
    #expect(record.waitForEnd().response?.source == .saved(.waiting))
    transport.release(TransportEvent.response(302, [("Location", target)]))
    let followUp = record.waitForFollowUp().followUp
    switch (late, followUp) {
    case (.page, .refreshed(let stored)): #expect(stored.key == target)
    case (.signIn, .checked(let check)): #expect(check.result == .suspect(.loginWall))
    case (.error, .checked(let check)): #expect(check.result == .status(503))
    case (.circle, .checked(let check)):
      guard case .failed(let failure) = check.result else { fallthrough }
      #expect(failure.kind == .badRedirect)
    default: Issue.record("\(String(describing: followUp))")
    }
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    let offline = load(fixture) { $0.mode = .cacheOnly }.waitForEnd()
    #expect(offline.text == (late == .page ? text : Page.article))
    #expect(offline.response?.stored?.lastCheck?.date != nil || late == .page)
  }

  @Test func `each redirect of a loop is requested once, also in the background`() throws {
    let targets = ["a", "b"].map { "http://site.example.org/\($0)" }
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let fixture = CacheFixture(network.transport)
    _ = load(fixture).waitForEnd()
    fixture.advance(1e6)
    network[Self.page] = Self.redirect(targets[0])
    network[targets[0]] = Self.redirect(targets[1])
    network[targets[1]] = Self.redirect(targets[0])
    network.requestedURLs.withLock { $0 = [] }
    let record = load(fixture) { $0.mode = .staleWhileRevalidate }
    #expect(record.waitForEnd().text == Page.article)
    guard case .checked(let check)? = record.waitForFollowUp().followUp,
      case .failed(let failure) = check.result
    else {
      Issue.record("the redirects were followed")
      return
    }
    #expect(failure.kind == .badRedirect)
    #expect(network.requestedURLs.withLock(\.self) == [Self.page] + targets)
  }

  @Test(arguments: [LoadMode.networkFirst, .staleWhileRevalidate, .cacheOnly])
  func `a fresh redirect that its site reversed is requested again`(_ mode: LoadMode) {
    let target = "http://site.example.org/new"
    let moved = [("Location", target), ("Cache-Control", "max-age=31536000")]
    let network = Network([
      Self.page: .response(301, moved, ""), target: .response(200, Self.html, Page.article),
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    let text = Page.frame("New", Page.article)
    network[Self.page] = .response(200, Self.html, text)
    network[target] = Self.redirect(Self.page)
    fixture.advance(3600)
    network.requestedURLs.withLock { $0 = [] }
    // In the mode `networkFirst`, the redirect is fresh, but the page is not.
    let result = load(fixture) { $0.mode = mode }.waitForEnd()
    #expect(result.text == (mode == .networkFirst ? text : Page.article))
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    let requestedURLs = network.requestedURLs.withLock(\.self)
    switch mode {
    case .networkFirst: #expect(requestedURLs == [target, Self.page])
    case .cacheOnly: #expect(requestedURLs.isEmpty)
    default: #expect(requestedURLs.contains(target))
    }
  }

  @Test func `a redirect without a lifetime replaces an older fresh page`() {
    let target = "http://site.example.org/new"
    let lifetime = [("Cache-Control", "max-age=31536000")]
    let network = Network([Self.page: .response(200, Self.html + lifetime, Page.article)])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    let text = Page.frame("New", Page.article)
    network[Self.page] = Self.redirect(target)
    network[target] = .response(200, Self.html + lifetime, text)
    fixture.advance(3600)
    #expect(load(fixture).waitForEnd().response?.source == .fresh)
    #expect(load(fixture) { $0.isReload = true }.waitForEnd().text == text)
    fixture.advance(3600)
    #expect(load(fixture).waitForEnd().text == text)
    #expect(load(fixture) { $0.mode = .cacheOnly }.waitForEnd().text == text)
  }

  @Test func `a loop of redirects that servers confirm is requested once more`() {
    let target = "http://site.example.org/new"
    let moved = [("Location", target), ("Cache-Control", "max-age=31536000")]
    let network = Network([
      Self.page: .response(301, moved, ""), target: .response(200, Self.html, Page.article),
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    network[target] = Self.redirect(Self.page)
    fixture.advance(3600)
    network.requestedURLs.withLock { $0 = [] }
    let result = load(fixture).waitForEnd()
    #expect(result.text == Page.article)
    guard case .saved(.failure(let failure)) = result.response?.source else {
      Issue.record("\(String(describing: result.response?.source))")
      return
    }
    #expect(failure.kind == .redirectLoop)
    #expect(network.requestedURLs.withLock(\.self) == [target, Self.page, target])
  }

  @Test func `a redirect to an unsaved page does not count as a saved page`() async throws {
    let keys = ["page", "moved", "dead", "none"].map { "http://site.example.org/\($0)" }
    let network = Network([
      keys[0]: .response(200, Self.html, Page.article), keys[1]: Self.redirect(keys[0]),
      keys[2]: Self.redirect(keys[3]),
    ])
    let fixture = CacheFixture(network.transport)
    for key in keys { fixture.load(key) }
    #expect(fixture.cache.savedPages(among: keys) == Set(keys.prefix(2)))
    let urls = keys.compactMap { WebURL($0 + "#part") }
    #expect(urls.count == keys.count)
    #expect(fixture.cache.savedPages(among: urls) == Set(urls.prefix(2)))
    #expect(await fixture.cache.nonblocking.savedPages(among: urls) == Set(urls.prefix(2)))
    let removal = try fixture.cache.remove(urls[0])
    #expect(removal.url == WebURL(keys[0]))
    #expect(removal.remainingURLs.map(\.description) == removal.remaining)
  }

  @Test func `a failed redirect is saved as a version and never treated as the page`() throws {
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().text == Page.article)
    for (target, reason) in [
      (Self.page, CopyReason.failure(TransportFailure(.redirectLoop))), ("ftp://x/y", .status(302)),
    ] {
      network[Self.page] = Self.redirect(target)
      fixture.advance(3600)
      let result = load(fixture).waitForEnd()
      #expect(result.text == Page.article)
      if case .saved(.failure(let failure)) = result.response?.source {
        #expect(failure.kind == .redirectLoop && reason != .status(302))
      } else {
        #expect(result.response?.source == .saved(reason))
      }
      fixture.cache.finishBackgroundWork(timeout: 10)
    }
    let versions = try fixture.cache.versions(of: Self.page)
    #expect(versions.map(\.isDeadEnd) == [true, true, false])
    #expect(versions.map(\.isGood) == [false, false, true])
    let url = try #require(WebURL(Self.page))
    #expect(try fixture.cache.location(of: url)?.offset == versions.last?.offset)
  }

  @Test func `a failed redirect has replaced nothing`() throws {
    let network = Network([Self.page: .response(200, Self.html, Page.article)])
    let fixture = CacheFixture(network.transport)
    fixture.load(Self.page)
    network[Self.page] = Self.redirect("/none")
    for _ in 0..<2 {
      fixture.advance(3600)
      fixture.load(Self.page)
    }
    let versions = try fixture.cache.versions(of: Self.page)
    #expect(versions.map(\.isDeadEnd).last == false)
    let check = try #require(versions.last?.response.lastCheck)
    #expect(check.date == versions.first?.response.contentDate)
    #expect(check.result == .failed(.badRedirect))
  }

  @Test func `searching a maze of redirects takes bounded time`() {
    let network = Network([:])
    let fixture = CacheFixture(network.transport)
    for turn in 0..<3 {
      for index in 0..<12 {
        let url = "http://site.example.org/\(index)"
        network[url] = .response(
          302, [("Location", "/\((index * 5 + turn * 7 + 1) % 12)"), ("X-Turn", "\(turn)")],
          "\(turn)")
        fixture.load(url)
        fixture.advance(1)
      }
    }
    #expect(fixture.cache.page(of: "http://site.example.org/0") == nil)
  }

  @Test func `an identical page for unrelated sites is rejected`() {
    let notice = Page.frame("Hello", "<p>Please visit one of our shops.</p>")
    let urls = ["https://a.example.com/x", "https://b.example.net/y", "https://c.example.info/z"]
    let network = Network([:])
    let fixture = CacheFixture(network.transport)
    for url in urls {
      network[url] = .response(200, Self.html, Page.article + "<p>\(url)</p>")
      fixture.load(url)
      network[url] = .response(200, Self.html, notice)
    }
    fixture.advance(60)
    #expect(fixture.load(urls[0]).text == notice)
    for url in urls.dropFirst() {
      let result = fixture.load(url)
      #expect(result.text == Page.article + "<p>\(url)</p>")
      #expect(result.response?.source == .saved(.suspect(.repeatedAnswer)))
    }
  }
}

@Suite("Identical responses to several processes")
struct RepeatedResponseTests {
  static let notice = Page.frame("Hello", "<p>Please visit one of our shops.</p>")

  /// Owns the directory.
  private let owner = CacheFixture(ScriptedTransport { _ in .hold })

  /// Creates a cache on the shared directory, as used by a process at the given time.
  private func process(
    after seconds: TimeInterval, _ response: @escaping @Sendable (String) -> String
  ) -> CacheFixture {
    let time = CacheFixture.Time()
    time.advance(seconds)
    return CacheFixture(
      ScriptedTransport { .response(200, RedirectedPageTests.html, response($0.url.description)) },
      in: owner.directory, time: time)
  }

  @Test
  func `an identical page for unrelated sites is rejected, whichever process received it first`() {
    let article = { @Sendable (url: String) in Page.article + "<p>\(url)</p>" }
    let urls = ["https://a.example.com/x", "https://b.example.net/y"]
    let first = process(after: 0, article)
    for url in urls { first.load(url) }
    let second = process(after: 600) { _ in Self.notice }
    #expect(second.load(urls[0]).text == Self.notice)
    second.cache.close()
    let third = process(after: 1200) { _ in Self.notice }
    let result = third.load(urls[1])
    #expect(result.text == article(urls[1]))
    #expect(result.response?.source == .saved(.suspect(.repeatedAnswer)))
    // A new site without a copy: two other sites had the same response.
    #expect(third.load("https://c.example.info/z").stored?.rejectionReason == .repeatedAnswer)
  }

  @Test func `earlier copies, the same site and old responses are not evidence`() {
    let first = process(after: 0) { url in
      url.contains("mirror") ? Self.notice : Page.article + url
    }
    let urls = [
      "https://mirror.example.com/x", "https://b.example.net/y", "https://c.example.org/z",
    ]
    for url in urls { first.load(url) }
    let second = process(after: 7200) { _ in Self.notice }
    for url in urls.prefix(2) { #expect(second.load(url).text == Self.notice) }
    second.cache.close()
    // The responses are more than an hour apart.
    let third = process(after: 12_000) { _ in Self.notice }
    #expect(third.load(urls[2]).text == Self.notice)
    third.cache.close()
    let fourth = process(after: 12_100) { _ in Self.notice + " " }
    #expect(fourth.load("https://www.c.example.org/other").stored?.rejectionReason == nil)
  }
}

@Suite("Identical responses")
struct ResponseHistoryTests {
  static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private static func page(
    _ url: String, _ digest: String = "same", saved: String? = nil, at seconds: TimeInterval = 0
  ) -> ReceivedPage {
    ReceivedPage(
      url: Sample.url(url), digest: digest, savedDigest: saved, date: start + seconds)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let before: [ReceivedPage]
    let page: ReceivedPage
    let isRepeated: Bool
  }

  static let rows: [Row] = [
    Row(
      testDescription: "two pages that differed are the same now",
      before: [page("http://a.test/x", saved: "1")], page: page("http://b.test/y", saved: "2"),
      isRepeated: true),
    Row(
      testDescription: "also under one path", before: [page("http://a.test/", saved: "1")],
      page: page("http://b.test/", saved: "2"), isRepeated: true),
    Row(
      testDescription: "mirrors that were the same before",
      before: [page("http://a.test/x", saved: "1")], page: page("http://b.test/y", saved: "1"),
      isRepeated: false),
    Row(
      testDescription: "a mirror that is visited first", before: [page("http://a.test/x")],
      page: page("http://b.test/x", saved: "2"), isRepeated: false),
    Row(
      testDescription: "another path of another site", before: [page("http://a.test/x")],
      page: page("http://b.test/y", saved: "2"), isRepeated: true),
    Row(
      testDescription: "one is not enough without a copy", before: [page("http://a.test/x")],
      page: page("http://b.test/y"), isRepeated: false),
    Row(
      testDescription: "two are", before: [page("http://a.test/x"), page("http://c.test/z")],
      page: page("http://b.test/y"), isRepeated: true),
    Row(
      testDescription: "one site", before: [page("http://a.test/x", saved: "1")],
      page: page("http://www.a.test/y", saved: "2"), isRepeated: false),
    Row(
      testDescription: "where it was there before",
      before: [page("http://a.test/x", saved: "same")],
      page: page("http://b.test/y", saved: "2"), isRepeated: false),
    Row(
      testDescription: "another content", before: [page("http://a.test/x", "other", saved: "1")],
      page: page("http://b.test/y", saved: "2"), isRepeated: false),
    Row(
      testDescription: "an hour ago", before: [page("http://a.test/x", saved: "1", at: -3600)],
      page: page("http://b.test/y", saved: "2"), isRepeated: false),
    Row(
      testDescription: "the same URL again", before: [page("http://b.test/y", saved: "1")],
      page: page("http://b.test/y", saved: "2"), isRepeated: false),
  ]

  @Test(arguments: rows)
  func `a gateway is distinguished from mirrors`(_ row: Row) {
    var memory = ResponseHistory()
    for page in row.before { memory.record(page) }
    #expect(memory.isRepeated(row.page) == row.isRepeated)
  }

  @Test func `memory for responses is bounded`() {
    var memory = ResponseHistory()
    for index in 0..<500 {
      memory.record(Self.page("http://s\(index).test/\(index)", saved: "\(index)", at: 1))
    }
    #expect(memory.count == ResponseHistory.maxPages)
  }
}
