import Dispatch
import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import OfflineCacheURLSession
@testable import WebArchive

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The events of a load through a session, which can be waited for.
final class SessionRecord: Sendable {
  struct Result: Sendable {
    var redirectTargets: [String] = []
    var response: LoadedResponse?
    var url: String?
    var body: [UInt8] = []
    var error: LoadError?
    var followUp: NavigationEvent?

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let state = Mutex(Result())
  private let endSignal = DispatchSemaphore(value: 0)
  private let followUpSignal = DispatchSemaphore(value: 0)

  func receive(_ event: NavigationEvent) {
    state.withLock { result in
      switch event {
      case .redirected(_, let to, _): result.redirectTargets.append(to.description)
      case .response(let response, let url):
        (result.response, result.url) = (response, url.description)
      case .data(let bytes): result.body += bytes
      case .finished: break
      case .failed(let error): result.error = error
      case .refreshed, .checked: result.followUp = event
      }
    }
    switch event {
    case .finished, .failed: endSignal.signal()
    case .refreshed, .checked: followUpSignal.signal()
    default: break
    }
  }

  var current: Result { state.withLock { $0 } }

  func waitForEnd() -> Result {
    endSignal.wait()
    return current
  }

  func waitForFollowUp() -> Result {
    followUpSignal.wait()
    return current
  }
}

@Suite("Loads through URLSession")
struct SessionLoadTests {
  private func load(
    _ fixture: CacheFixture, _ request: WebRequest, maxRedirects: Int = 20,
    _ options: LoadOptions = LoadOptions()
  ) -> SessionRecord.Result {
    let record = SessionRecord()
    fixture.cache.startInSession(
      request, options: options, maxRedirects: maxRedirects, event: record.receive)
    return record.waitForEnd()
  }

  @Test func `the caller receives the exact header and all content`() throws {
    let server = try ScriptedServer(.ipv6)
    let large = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    server.on(
      "/a", .response([("Set-Cookie", "a=1"), ("set-cookie", "b=2"), ("X-rAw", "é")], body: large))
    let fixture = CacheFixture()
    let result = load(fixture, WebRequest(url: server.url + "/a#part"))
    #expect(result.body == large)
    #expect(result.url == server.url + "/a#part")
    #expect(result.response?.response.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(result.response?.response.fields.lines.contains(.init("X-rAw", "é")) == true)
  }

  @Test func `redirects are followed step by step, and replayed offline`() throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(301, to: "/b"))
    server.on("/b", .redirect(307, to: server.url + "/c#x"))
    server.on("/c", .response(text: "the page"))
    let fixture = CacheFixture()
    for isOnline in [true, false] {
      if !isOnline { server.stop() }
      let result = load(fixture, WebRequest(url: server.url + "/a#y"))
      #expect(result.text == "the page")
      #expect(result.redirectTargets == [server.url + "/b#y", server.url + "/c#x"])
      #expect(result.url == server.url + "/c#x")
    }
  }

  @Test func `with a redirect limit of zero the redirect itself is returned, with its content`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/", .redirect(to: "/b"))
    let result = load(CacheFixture(), WebRequest(url: server.url), maxRedirects: 0)
    #expect(result.response?.response.status == 302)
    #expect(result.text == "moved")
  }

  @Test func `redirect loops, long chains and other schemes are errors`() throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(to: "/b"))
    server.on("/b", .redirect(to: "/a"))
    server.on("/file", .redirect(to: "file:///etc/hosts"))
    server.onOthers { request in
      request.target.hasPrefix("/n") ? .redirect(to: request.target + "n") : nil
    }
    let fixture = CacheFixture()
    #expect(
      load(fixture, WebRequest(url: server.url + "/a")).error
        == .redirectLoop(url: try #require(WebURL(server.url + "/a"))))
    #expect(
      load(fixture, WebRequest(url: server.url + "/n"), maxRedirects: 5).error
        == .tooManyRedirects(limit: 5))
    #expect(
      load(fixture, WebRequest(url: server.url + "/file")).error
        == .forbiddenRedirect(location: "file:///etc/hosts"))
    #expect(server.requests.filter { $0.target.hasPrefix("/n") }.count == 6)
  }

  @Test func `a URL may be requested again with a new cookie, whether cookies are kept or not`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { request in
      switch request.target {
      case "/set":
        .response(status: 302, [("Location", "/gate"), ("Set-Cookie", "g=1; Path=/")], text: "set")
      case "/gate" where request.fields.contains { $0.value.contains("g=1") }:
        .response(text: "the page")
      case "/gate": .redirect(to: "/set")
      default: nil
      }
    }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let gate = WebRequest(url: server.url + "/gate")
    let keeping = CacheFixture {
      $0.identity.cookies = .jar(path: directory.appendingPathComponent("jar").path)
    }
    #expect(load(keeping, gate).text == "the page")
    #expect(load(CacheFixture(), gate).text == "the page")
  }

  @Test(arguments: ["/page", "/gone", "/cut", "http://[::1/", "/far"])
  func `a redirect that does not lead to a page does not replace one`(_ target: String) throws {
    let server = try ScriptedServer()
    server.on("/page", .response(text: "the page"), .redirect(to: target))
    server.on("/gone", .response(status: 404, text: "not here"))
    server.on("/cut", .truncated(body: Array("half".utf8), promised: 99))
    server.on("/far", .redirect(to: "/far/1"))
    server.on("/far/1", .redirect(to: "/gone"))
    let fixture = CacheFixture()
    let page = WebRequest(url: server.url + "/page")
    let first = load(fixture, page)
    #expect(first.text == "the page")
    fixture.advance(60)
    let second = load(fixture, page)
    #expect(second.text == "the page")
    #expect(second.url == page.url.description)
    #expect(second.response?.stored?.contentDate == fixture.now.addingTimeInterval(-60))
    let result: StoredResponse.Check.Result? = second.response?.stored?.lastCheck?.result
    switch (second.response?.source, result) {
    case (.saved(.status(404)), .status(404)) where target == "/gone" || target == "/far": break
    case (.saved(.status(302)), .status(302)) where target == "http://[::1/": break
    case (.saved(.failure(let failure)), .failed):
      #expect(failure.kind == (target == "/cut" ? .incomplete : .redirectLoop))
    case (let source, let result):
      Issue.record("\(String(describing: source)), \(String(describing: result))")
    }
    server.stop()
    let offline = load(fixture, page)
    #expect(offline.text == "the page")
    #expect(offline.error == nil)
  }

  @Test func `a redirect that leads to a page replaces the previous page`() throws {
    let server = try ScriptedServer()
    server.on("/a", .response(text: "old"), .redirect(to: "/b"))
    server.on("/b", .redirect(to: "/c"))
    server.on("/c", .response(text: "new"))
    let fixture = CacheFixture()
    let texts = (0..<2).map { _ in load(fixture, WebRequest(url: server.url + "/a")).text }
    #expect(texts == ["old", "new"])
    server.stop()
    #expect(load(fixture, WebRequest(url: server.url + "/a")).text == "new")
  }

  @Test func `a 307 keeps method and content, and credentials are not sent to other sites`()
    throws
  {
    let server = try ScriptedServer()
    let otherServer = try ScriptedServer()
    server.on("/a", .redirect(307, to: "/b"))
    server.on("/b", .redirect(308, to: otherServer.url + "/c"))
    otherServer.on("/c", .response(text: "done"))
    let request = WebRequest(
      method: "POST", url: server.url + "/a",
      fields: FieldLines([
        .init("Authorization", "secret"), .init("X-Api-Key", "1"), .init("Content-Type", "a/b"),
      ]),
      body: Array("k=v".utf8))
    #expect(load(CacheFixture(), request).text == "done")
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.map { $0["Authorization"] } == ["secret", "secret"])
    let last = try #require(otherServer.requests.first)
    #expect(last.method == "POST")
    #expect(last.body == Array("k=v".utf8))
    #expect(last["Authorization"] == nil)
    #expect(server.requests.map { $0["X-Api-Key"] } == ["1", "1"])
    #expect(last["X-Api-Key"] == nil && last["Content-Type"] == "a/b")
  }

  @Test(arguments: [true, false])
  func `the caller receives exact errors`(_ isTruncated: Bool) throws {
    let server = try ScriptedServer()
    server.on("/", .truncated(body: [65], promised: 9))
    if !isTruncated { server.stop() }
    let result = load(CacheFixture(), WebRequest(url: server.url))
    #expect(result.error?.failureKind == (isTruncated ? .incomplete : .connectionRefused))
    #expect(throws: LoadError.transport(TransportFailure(.badURL, "not a URL: no url"))) {
      try WebRequest(written: "no url")
    }
  }

  @Test(arguments: [401, 407, 418, 599])
  func `401, 407 and unknown statuses are passed on unchanged`(_ status: Int) throws {
    let server = try ScriptedServer()
    server.on(
      "/", .response(status: status, [("WWW-Authenticate", "Basic realm=x")], text: "who?"))
    let result = load(CacheFixture(), WebRequest(url: server.url))
    #expect(result.response?.response.status == status)
    #expect(result.text == "who?")
  }

  @Test func `the copy is served in time, and the newer version is reported afterwards`() throws {
    let server = try ScriptedServer()
    let gate = Gate()
    server.on("/", .response(text: "old"), ServerScript.response(text: "new").after(gate))
    let fixture = CacheFixture()
    _ = load(fixture, WebRequest(url: server.url))
    var options = LoadOptions()
    options.fallbackDelay = 0.01
    let record = SessionRecord()
    fixture.cache.startInSession(
      WebRequest(url: server.url), options: options, event: record.receive)
    #expect(record.waitForEnd().text == "old")
    #expect(record.current.response?.source == .saved(.waiting))
    gate.open()
    guard case .refreshed(let stored)? = record.waitForFollowUp().followUp else {
      Issue.record("no newer version")
      return
    }
    #expect(stored.isGood)
  }

  @Test func `cancelling while the server stalls gives a single failure`() throws {
    let server = try ScriptedServer()
    let gate = Gate()
    let head = ServerScript.head(status: 200, [("Content-Length", "9")])
    server.on("/", ServerScript([.send(head + [65]), .wait(gate)]))
    let fixture = CacheFixture()
    let record = SessionRecord()
    let beginningGate = Gate()
    let load = fixture.cache.startInSession(WebRequest(url: server.url)) { event in
      record.receive(event)
      if case .data = event { beginningGate.open() }
    }
    beginningGate.wait()
    load.cancel()
    load.cancel()
    #expect(record.waitForEnd().error?.failureKind == .cancelled)
    #expect(fixture.cache.finishBackgroundWork(timeout: 30))
    gate.open()
  }

  @Test
  func `loads started when another ends or is cancelled get their own response`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { .response(text: $0.target) }
    let fixture = CacheFixture()
    let first = SessionRecord()
    let second = SessionRecord()
    let url = server.url
    fixture.cache.startInSession(WebRequest(url: url + "/1")) { [cache = fixture.cache] event in
      if case .finished = event {
        cache.startInSession(WebRequest(url: url + "/2"), event: second.receive)
      }
      first.receive(event)
    }
    #expect(first.waitForEnd().text == "/1")
    #expect(second.waitForEnd().text == "/2")
    for number in 3..<60 {
      let record = SessionRecord()
      let load = fixture.cache.startInSession(
        WebRequest(url: url + "/\(number)"), event: record.receive)
      if number.isMultiple(of: 3) { load.cancel() }
      let result = record.waitForEnd()
      #expect(result.error != nil || result.text == "/\(number)")
    }
  }

  @Test func `a slow consumer receives all content`() throws {
    let server = try ScriptedServer()
    let total = 32 << 20
    let large = [UInt8](repeating: 65, count: total)
    let start = ServerScript.head(status: 200, [("Content-Length", "\(total)")])
    server.on("/", ServerScript([.send(start), .send(large)]))
    let fixture = CacheFixture()
    let record = SessionRecord()
    let beginningGate = Gate()
    let responseGate = Gate()
    fixture.cache.startInSession(WebRequest(url: server.url)) { event in
      if case .data = event {
        beginningGate.open()
        responseGate.wait()
      }
      record.receive(event)
    }
    beginningGate.wait()
    responseGate.open()
    #expect(record.waitForEnd().body.count == total)
  }

  private func fetch(_ url: String, with configuration: URLSessionConfiguration) throws -> String {
    let delegate = TaskCollector()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    session.dataTask(with: try #require(URL(string: url))).resume()
    return delegate.waitForEnd()
  }

  @Test func `every session loads through its own cache, and several can coexist`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "one"), .response(text: "two"))
    let fixtures = [CacheFixture(), CacheFixture()]
    for (fixture, expected) in zip(fixtures, ["one", "two"]) {
      let configuration = URLSessionConfiguration.ephemeral
      fixture.cache.install(in: configuration)
      #expect(try fetch(server.url, with: configuration) == expected)
    }
    server.stop()
    for (fixture, expected) in zip(fixtures, ["one", "two"]) {
      let configuration = URLSessionConfiguration.ephemeral
      var options = LoadOptions()
      options.mode = .cacheOnly
      fixture.cache.install(in: configuration)
      fixture.cache.install(in: configuration, options: options)
      #expect(configuration.protocolClasses?.filter { $0 is CachingURLProtocol.Type }.count == 1)
      #expect(try fetch(server.url, with: configuration) == expected)
    }
  }

  @Test func `each cache with other options has a protocol class of its own`() throws {
    let fixtures = [CacheFixture(), CacheFixture()]
    var installed: [CachingURLProtocol.Type] = []
    for _ in 0..<2 {
      for fixture in fixtures {
        for seconds in 1...20 {
          let configuration = URLSessionConfiguration.ephemeral
          var options = LoadOptions()
          options.totalTimeout = Double(seconds)
          fixture.cache.install(in: configuration, options: options)
          let type = configuration.protocolClasses?.first as? CachingURLProtocol.Type
          try installed.append(#require(type))
        }
      }
    }
    #expect(Set(installed.map { ObjectIdentifier($0) }).count == 40)
    #expect(installed.prefix(40).elementsEqual(installed.suffix(40)) { $0 == $1 })
    #expect(!installed.contains { $0 == CachingURLProtocol.self })
  }

  @Test func `a session of a closed cache loads nothing, not even through the next cache`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "one") }
    let first = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    first.cache.install(in: configuration)
    #expect(try fetch(server.url + "/a", with: configuration) == "one")
    first.cache.close()
    let second = CacheFixture()
    let otherConfiguration = URLSessionConfiguration.ephemeral
    second.cache.install(in: otherConfiguration)
    #expect(try fetch(server.url + "/b", with: otherConfiguration) == "one")
    #expect(try fetch(server.url + "/c", with: configuration).isEmpty)
    #expect(server.requests.map(\.target) == ["/a", "/b"])
    first.cache.install(in: configuration)
    #expect(try fetch(server.url + "/d", with: configuration).isEmpty)
  }

  @Test func `uninstalling restores the configuration`() throws {
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    let before = configuration.protocolClasses?.count
    fixture.cache.install(in: configuration)
    fixture.cache.uninstall(from: configuration)
    #expect(configuration.protocolClasses?.count == before)
    #expect(configuration.protocolClasses?.contains { $0 is CachingURLProtocol.Type } == false)
  }

  @Test func `an installed cache is released with its files and threads`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = URLSessionConfiguration.ephemeral
    for number in 1...100 {
      weak var gone: HTTPCache?
      do {
        let location = ArchiveLocation(folder: directory.appendingPathComponent("\(number)"))
        let cache = HTTPCache(CacheConfiguration(location: location))
        cache.install(in: configuration)
        gone = cache
        #expect(gone != nil)
      }
      #expect(gone == nil)
    }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
        .hasPrefix(directory.path) ?? false
    }
    #expect(open.isEmpty)
  }

  @Test func `a cache that has loaded is released with its transport`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "page") }
    weak var network: CurlTransport?
    weak var gone: HTTPCache?
    do {
      let transport = CurlTransport()
      let fixture = CacheFixture(transport)
      (network, gone) = (transport, fixture.cache)
      let configuration = URLSessionConfiguration.ephemeral
      fixture.cache.install(in: configuration)
      #expect(try fetch(server.url + "/", with: configuration) == "page")
    }
    #expect(gone == nil)
    #expect(network == nil)
  }

  @Test func `a protocol class without a cache fails the load`() throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [CachingURLProtocol.self]
    #expect(try fetch("http://127.0.0.1:9/", with: configuration).isEmpty)
  }
}
