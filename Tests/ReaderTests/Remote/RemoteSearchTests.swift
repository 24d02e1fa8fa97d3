@testable import Profiles
@testable import Configuration
@testable import Saving
import Dispatch
import Document
import Exchange
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Reader

/// Pages loaded from web archives after they disappeared.
@Suite struct RemoteSearchTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let page = "http://gone.test/page"
  private static let timeMap = "https://archive.test/web/timemap/link/"

  init() throws {
    files = try TestProfile()
  }

  private var settings: Settings {
    var settings = Settings()
    settings.remotes = [RemoteArchive(timeMap: Self.timeMap)]
    return settings
  }

  /// Adds captures of a page to the archive, with timestamps in its format.
  private func addCaptures(
    _ stamps: [String], of page: String = page, at host: String = "https://archive.test",
    body: (String) -> String = { "<title>Old</title><p>Text of \($0)" }, status: Int = 200,
    fields: [(String, String)] = []
  ) {
    var links = ["<\(page)>; rel=\"original\""]
    for stamp in stamps {
      let date = Self.date(stamp)
      links.append(
        "<\(host)/web/\(stamp)/\(page)>; rel=\"memento\"; datetime=\"\(HTTPDate.format(date))\"")
      network.add(
        "\(host)/web/\(stamp)id_/\(page)", body(stamp), status: status,
        fields: [("Memento-Datetime", HTTPDate.format(date))] + fields)
      network.add("\(host)/web/\(stamp)/\(page)", "<frameset>the frame of an archive</frameset>")
    }
    network.add("\(Self.timeMap)\(page)", links.joined(separator: ",\n"))
  }

  /// Returns the date of a 14-digit timestamp, or the distant past for an invalid one.
  private static func date(_ stamp: String) -> Date {
    let digits = Array(stamp)
    let text = "\(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))T00:00:00Z"
    return (try? Date(text, strategy: .iso8601)) ?? .distantPast
  }

  private struct Result {
    var page: Page
    var error: ReaderError?
    var asked: [String] = []
    var first: Page?
  }

  private func load(_ request: LoadRequest, _ settings: Settings) throws -> Result {
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let completion = DispatchSemaphore(value: 0)
    let result = Mutex<Result?>(nil)
    let queriedHosts = Mutex<[String]>([])
    let firstPage = Mutex<Page?>(nil)
    let load = PageLoader(profile: profile).load(request) { event in
      switch event {
      case .loaded(let page):
        result.withLock { $0 = Result(page: page) }
        completion.signal()
      case .failed(let error, let page):
        result.withLock { $0 = Result(page: page, error: error) }
        completion.signal()
      case .asking(let host): queriedHosts.withLock { $0.append(host) }
      case .began(let page): firstPage.withLock { $0 = page }
      case .progressed, .offered, .newer, .checked: break
      }
    }
    completion.wait()
    withExtendedLifetime(load) {}
    var loadResult = try #require(result.withLock { $0 })
    loadResult.asked = queriedHosts.withLock { $0 }
    loadResult.first = firstPage.withLock { $0 }
    return loadResult
  }

  private func load(_ url: String = page) throws -> Result { try load(LoadRequest(url), settings) }

  private func text(_ page: Page) -> String {
    String(decoding: page.document.plainText, as: UTF8.self)
  }

  @Test(arguments: [
    FailureKind.hostNotFound, .connectionRefused, .timedOut,
  ])
  func `a page of a vanished site is loaded from the archive, with its date`(
    _ kind: FailureKind
  ) throws {
    addCaptures(["20190102000000", "20241103000000"])
    network.fail("gone.test", kind)
    let result = try load()
    #expect(result.error == nil && result.asked == ["archive.test"])
    #expect(text(result.page).contains("Text of 20241103"))
    #expect(result.page.provenance.source == .saved(.failure(kind)))
    #expect(result.page.provenance.contentDate == Self.date("20241103000000"))
    #expect(result.page.provenance.importDescription == "from the archive of archive.test")
    #expect([result.page.requestedURL.text, result.page.url.text] == [Self.page, Self.page])
    // The search left nothing but the capture.
    let profile = files.open(network)
    #expect(try profile.cache.archive.allKeys(after: "", limit: 10) == [Self.page])
    profile.close()
  }

  @Test func `an archive receives a request for its list and for one capture`() throws {
    addCaptures(["20190102000000", "20241103000000"])
    network.add(Self.page, "<p>gone</p>", status: 404)
    _ = try load()
    #expect(
      network.requests == [
        Self.page, Self.timeMap + Self.page,
        "https://archive.test/web/20241103000000id_/\(Self.page)",
      ])
  }

  @Test(arguments: [404, 410, 500, 503])
  func `the archive is queried after a server error, too`(_ status: Int) throws {
    addCaptures(["20241103000000"])
    network.add(Self.page, "<p>gone</p>", status: status)
    let result = try load()
    #expect(text(result.page).contains("Text of 20241103"))
    #expect(result.page.provenance.source == .saved(SavedReason(status: status)))
    // The response of the server is shown during the query.
    #expect(try text(#require(result.first)).contains("gone"))
  }

  @Test func `a rule that stores nothing of a page, or sets a mode, prevents queries`() throws {
    addCaptures(["20241103000000"])
    network.add(Self.page, "<p>gone</p>", status: 404)
    var settings = settings
    var rule = Rule()
    rule.hosts = ["gone.test"]
    rule.stores = false
    settings.rules = [rule]
    let unsaved = try load(LoadRequest(Self.page), settings)
    #expect(unsaved.asked.isEmpty && text(unsaved.page).contains("gone"))
    #expect(unsaved.page.notices.contains { $0.contains("a rule forbids") })
    // The media type is known only after the response.
    rule.mediaTypes = ["text/*"]
    settings.rules = [rule]
    let typed = try load(LoadRequest(Self.page), settings)
    #expect(typed.asked == ["archive.test"] && text(typed.page).contains("gone"))
    let profile = files.open(network)
    #expect(try profile.cache.archive.allKeys(after: "", limit: 10) == [])
    profile.close()
    rule.mediaTypes = []
    rule.stores = nil
    rule.mode = .networkOnly
    settings.rules = [rule]
    #expect(try load(LoadRequest(Self.page), settings).asked.isEmpty)
  }

  @Test func `with settings that allow saved pages only, versions are not queried`() throws {
    addCaptures(["20241103000000"])
    var settings = settings
    settings.load.mode = .cacheOnly
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let search = RemoteSearch(profile: profile, options: settings.load)
    let page = try #require(WebURL(Self.page))
    #expect(throws: RemoteFailure.isOffline) {
      try search.timeMap(of: page, in: RemoteArchive(timeMap: Self.timeMap))
    }
    #expect(network.requests.isEmpty)
  }

  @Test(arguments: [
    ("", "Link", "<http://gone.test/page>; rel=\"original\""),
    ("<p>The bank", "Link", "<https://bank.test/>; rel=\"original\""),
  ])
  func `an empty response or a capture of another page is not used`(
    _ body: String, _ name: String, _ value: String
  ) throws {
    addCaptures(["20241103000000"], body: { _ in body }, fields: [(name, value)])
    network.fail("gone.test", .hostNotFound)
    #expect(try load().error != nil)
    let profile = files.open(network)
    #expect(try profile.cache.archive.allKeys(after: "", limit: 10) == [])
    profile.close()
  }

  @Test
  func `redirects of a TimeMap are limited to the public network, except to the archive itself`()
    throws
  {
    let other = "http://192.168.1.9/timemap"
    network.add(Self.timeMap + Self.page, "", status: 302, fields: [("Location", other)])
    network.add(other, "")
    network.fail("gone.test", .hostNotFound)
    #expect(try load().error != nil)
    #expect(network.requests.contains(other) && network.publicOnly.contains(other))
    #expect(!network.publicOnly.contains(Self.timeMap + Self.page))
  }

  @Test func `redirects of an archive follow the rules of all redirects`() throws {
    // A public host redirects back into the network of a private archive.
    let (archive, other) = ("http://192.168.1.2/timemap/", "http://other.example/map")
    let inside = "http://192.168.1.2/secret"
    network.add(archive + Self.page, "", status: 302, fields: [("Location", other)])
    network.add(other, "", status: 302, fields: [("Location", inside)])
    network.add(inside, "", status: 302, fields: [("Location", inside)])
    network.fail("gone.test", .hostNotFound)
    var settings = settings
    settings.remotes = [RemoteArchive(timeMap: archive)]
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let search = RemoteSearch(profile: profile, options: settings.load)
    let page = try #require(WebURL(Self.page))
    #expect(throws: RemoteFailure.noCaptures) {
      try search.timeMap(of: page, in: RemoteArchive(timeMap: archive))
    }
    #expect(network.publicOnly == [other, inside])
    // A loop is followed once.
    #expect(network.requests.count { $0 == inside } == 1)
  }

  @Test func `an archive that does not respond does not delay the search beyond its limit`() throws
  {
    let profile = files.open(SilentTransport())
    defer { profile.close() }
    let search = RemoteSearch(profile: profile, options: LoadOptions(), time: 0.2)
    let page = try #require(WebURL(Self.page))
    #expect(throws: RemoteFailure.timedOut) {
      try search.find(page, near: Date(), in: RemoteArchive(timeMap: Self.timeMap))
    }
  }

  @Test(arguments: [401, 403, 429])
  func `a response that denies access does not lead to a query`(_ status: Int) throws {
    addCaptures(["20241103000000"])
    network.add(Self.page, "<p>no</p>", status: status)
    let result = try load()
    #expect(result.asked.isEmpty && network.requests == [Self.page])
  }

  @Test func `a page that is saved here is never queried`() throws {
    network.add(Self.page, "<title>Own</title><p>Own text")
    _ = try load()
    addCaptures(["20241103000000"])
    network.add(Self.page, "<p>gone</p>", status: 404)
    #expect(try text(load().page).contains("Own text"))
    network.fail("gone.test", .hostNotFound)
    #expect(try text(load().page).contains("Own text"))
    #expect(!network.requests.contains { $0.contains("archive.test") })
  }

  @Test func `without a network, offline or without an archive there are no queries`() throws {
    addCaptures(["20241103000000"])
    network.setDown(true)
    #expect(try load().asked.isEmpty)
    network.setDown(false)
    network.fail("gone.test", .hostNotFound)
    var offline = LoadRequest(Self.page)
    offline.options.mode = .cacheOnly
    #expect(try load(offline, settings).error == .notSaved(url: Self.page))
    var strict = LoadRequest(Self.page)
    strict.options.allowsFallback = false
    #expect(try load(strict, settings).asked.isEmpty)
    #expect(try load(LoadRequest(Self.page), Settings()).asked.isEmpty)
    #expect(!network.requests.contains { $0.contains("archive.test") })
  }

  @Test(arguments: ["http://192.168.1.2/wiki", "http://intranet/wiki", "http://localhost/wiki"])
  func `URLs of private networks are not sent to a public archive`(_ url: String)
    throws
  {
    addCaptures(["20241103000000"], of: url)
    network.add(url, "<p>gone</p>", status: 404)
    let result = try load(url)
    #expect(result.page.notices.contains { $0.contains("private network") })
    #expect(network.requests == [url])
  }

  @Test func `credentials are not sent to an archive`() throws {
    addCaptures(["20241103000000"], of: "http://gone.test/page")
    network.fail("gone.test", .hostNotFound)
    let result = try load("http://me:secret@gone.test/page")
    #expect(text(result.page).contains("Text of 20241103"))
    for request in network.webRequests where request.url.host == "archive.test" {
      #expect(!request.url.description.contains("secret"))
      #expect(request.fields["Authorization"] == nil && request.fields["Cookie"] == nil)
    }
  }

  @Test func `captures of error pages are skipped`() throws {
    addCaptures(["20230101000000"], status: 200)
    addCaptures(["20260101000000", "20260601000000"], status: 404)
    let links = ["20230101000000", "20260101000000", "20260601000000"].map {
      "<https://archive.test/web/\($0)/\(Self.page)>; rel=\"memento\"; "
        + "datetime=\"\(HTTPDate.format(Self.date($0)))\""
    }
    network.add(Self.timeMap + Self.page, links.joined(separator: ","))
    network.fail("gone.test", .hostNotFound)
    #expect(try text(load().page).contains("Text of 20230101"))
  }

  @Test func `captures of sign-in forms are skipped, unless the page itself is one`() throws {
    let form =
      "<title>Log in</title><form action=/session><input name=u><input type=password name=p>"
      + "<button>Log in</button></form><p>Log in to read this page."
    let page = { (stamp: String) in
      stamp.hasPrefix("2023") ? "<title>Old</title><p>Text of \(stamp)" : form
    }
    addCaptures(["20230101000000", "20260101000000"], body: page)
    network.fail("gone.test", .hostNotFound)
    #expect(try text(load().page).contains("Text of 20230101"))
    // The URL names a sign-in form, so the form is what the user wants.
    let login = "http://gone.test/login"
    addCaptures(["20260101000000"], of: login, body: { _ in form })
    #expect(try text(load(login).page).contains("Log in to read this page."))
    // If all captures are forms, there is no capture of the page.
    addCaptures(["20260101000000", "20260102000000"], body: { _ in form })
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let search = RemoteSearch(profile: profile, options: settings.load)
    let wanted = try #require(WebURL(Self.page))
    #expect(throws: RemoteFailure.noCapture) {
      try search.find(wanted, near: Date(), in: RemoteArchive(timeMap: Self.timeMap))
    }
  }

  @Test func `a response without the headers of a capture is rejected`() throws {
    addCaptures(["20241103000000"])
    network.add(
      "https://archive.test/web/20241103000000id_/\(Self.page)", "<p>Hotel Wi-Fi: sign in")
    network.fail("gone.test", .hostNotFound)
    let result = try load()
    #expect(result.error == .unreachable(url: Self.page, TransportFailure(.hostNotFound)))
    #expect(
      result.page.notices == [
        "the archive of archive.test returned no readable capture of this page"
      ])
    let profile = files.open(network)
    #expect(try profile.cache.archive.allKeys(after: "", limit: 10) == [])
    profile.close()
  }

  @Test(
    arguments: [
      ("", 200, "has no capture"), ("<html>Sign in", 200, "has no capture"),
      ("", 404, "has no capture"),
      ("", 503, "returned 503"),
    ] as [(String, Int, String)])
  func `a failed query names the archive and the reason`(
    _ body: String, _ status: Int, _ message: String
  ) throws {
    network.add(Self.timeMap + Self.page, body, status: status)
    network.fail("gone.test", .hostNotFound)
    let result = try load()
    #expect(result.error == .unreachable(url: Self.page, TransportFailure(.hostNotFound)))
    #expect(result.page.notices.count == 1 && result.page.notices[0].contains(message))
  }

  @Test func `the second archive is queried if the first one fails`() throws {
    addCaptures(["20241103000000"])
    network.fail("gone.test", .hostNotFound)
    network.fail("dead.test", .timedOut)
    var settings = settings
    settings.remotes.insert(RemoteArchive(timeMap: "https://dead.test/"), at: 0)
    let result = try load(LoadRequest(Self.page), settings)
    #expect(result.asked == ["dead.test", "archive.test"])
    #expect(text(result.page).contains("Text of 20241103"))
  }

  @Test(arguments: [
    "https://archive.test/web/20241103000000id_/https://www.gone.test/new",
    "https://www.gone.test/new",
  ])
  func `captured redirects are followed in the archive, and can be replayed offline`(
    _ location: String
  ) throws {
    let target = "https://www.gone.test/new"
    let date = HTTPDate.format(Self.date("20241103000000"))
    addCaptures(
      ["20241103000000"], body: { _ in "" }, status: 301,
      fields: [("Location", location)])
    network.add(
      "https://archive.test/web/20241103000000id_/\(target)", "<title>New</title><p>Moved text",
      fields: [("Memento-Datetime", date)])
    network.fail("gone.test", .hostNotFound)
    let result = try load()
    #expect(text(result.page).contains("Moved text"))
    #expect(result.page.url.text == target && result.page.requestedURL.text == Self.page)
    #expect(!network.requests.contains { $0.hasPrefix("https://www.gone.test") })
    var offline = LoadRequest(Self.page)
    offline.options.mode = .cacheOnly
    let again = try load(offline, settings)
    #expect(text(again.page).contains("Moved text") && again.page.url.text == target)
    #expect(again.page.provenance.source == .saved(.offlineMode))
    #expect(again.page.provenance.importDescription == "from the archive of archive.test")
  }

  @Test func `redirects of the archive itself are followed`() throws {
    addCaptures(["20241103000000"])
    let other = "https://archive.test/web/20230102000000id_/\(Self.page)"
    network.add(
      "https://archive.test/web/20241103000000id_/\(Self.page)", "", status: 302,
      fields: [("Location", other)])
    network.add(
      other, "<p>Nearest text",
      fields: [("Memento-Datetime", HTTPDate.format(Self.date("20230102000000")))])
    network.fail("gone.test", .hostNotFound)
    let result = try load()
    #expect(text(result.page).contains("Nearest text"))
    #expect(result.page.provenance.contentDate == Self.date("20230102000000"))
  }

  @Test func `a loop of captured redirects ends`() throws {
    addCaptures(["20241103000000"], status: 302, fields: [("Location", "/page2")])
    network.add(
      "https://archive.test/web/20241103000000id_/http://gone.test/page2", "", status: 302,
      fields: [
        ("Location", "/page"), ("Memento-Datetime", HTTPDate.format(Self.date("20241103000000"))),
      ])
    network.fail("gone.test", .hostNotFound)
    #expect(try load().error != nil)
    #expect(network.requests.count < 20)
  }

  @Test func `a capture under another URL is available under both`() throws {
    addCaptures(
      ["20241103000000"],
      fields: [("Link", "<https://gone.test/page>; rel=\"original\"")])
    network.fail("gone.test", .hostNotFound)
    #expect(try text(load().page).contains("Text of 20241103"))
    for url in [Self.page, "https://gone.test/page"] {
      var offline = LoadRequest(url)
      offline.options.mode = .cacheOnly
      #expect(try text(load(offline, settings).page).contains("Text of 20241103"))
    }
  }

  @Test func `a capture is shown on request, and never instead of a saved copy`() throws {
    network.add(Self.page, "<title>Own</title><p>Own text")
    _ = try load()
    addCaptures(["20190102000000", "20261101000000"])
    var request = LoadRequest(Self.page)
    request.mementoDate = Self.date("20261102000000")
    let result = try load(request, settings)
    #expect(text(result.page).contains("Text of 20261101"))
    #expect(result.page.provenance.contentDate == Self.date("20261101000000"))
    request.mementoDate = Self.date("20190601000000")
    #expect(try text(load(request, settings).page).contains("Text of 20190102"))
    var offline = LoadRequest(Self.page)
    offline.options.mode = .cacheOnly
    #expect(try text(load(offline, settings).page).contains("Own text"))
  }

  @Test func `a missing capture is reported if it was requested`() throws {
    network.add(Self.page, "<p>there")
    var request = LoadRequest(Self.page)
    request.mementoDate = Self.date("20190601000000")
    let result = try load(request, settings)
    #expect(
      result.error
        == .notInArchives(
          url: Self.page, ["the archive of archive.test has no capture of this page"]))
    #expect(text(result.page).contains(":remote 2020-01-01"))
  }

  @Test func `an archive can redirect only to itself or to the public network`() throws {
    let inside = "http://192.168.1.2/web/20241103000000/\(Self.page)"
    network.add(
      Self.timeMap + Self.page,
      "<\(inside)>; rel=\"memento\"; datetime=\"Sun, 03 Nov 2024 00:00:00 GMT\"")
    network.add(
      inside.replacing("000000/", with: "000000id_/"), "<p>inside",
      fields: [("Memento-Datetime", "Sun, 03 Nov 2024 00:00:00 GMT")])
    network.fail("gone.test", .hostNotFound)
    _ = try load()
    // The transport refuses non-public addresses. Here the restriction is only recorded.
    let inner = network.requests.filter { $0.contains("192.168") }
    #expect(!inner.isEmpty && inner.allSatisfy(network.publicOnly.contains))
  }

  @Test func `a cancelled search ends`() throws {
    addCaptures(["20241103000000"])
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    let search = RemoteSearch(
      profile: profile, options: LoadOptions(), onRequest: { $0.cancel() }, isCancelled: { true })
    let page = try #require(WebURL(Self.page))
    #expect(throws: RemoteFailure.self) {
      try search.find(page, near: Date(), in: RemoteArchive(timeMap: Self.timeMap))
    }
    #expect(try profile.cache.archive.allKeys(after: "", limit: 10) == [])
  }
}

/// A network in which no request gets a response.
private struct SilentTransport: Transport {
  private struct Exchange: TransportExchange {
    func acknowledge(_ count: Int) {}
    func cancel() {}
  }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    Exchange()
  }

  func close() {}
}
