import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("The choice between http and https for a URL typed without a scheme")
struct SchemeChoiceTests {
  @Test(
    arguments: [
      ("name.example", "https://name.example/"),
      ("name.example:8443/x", "https://name.example:8443/x"),
      ("name.example:80/x", "http://name.example/x"), ("93.184.216.34", "https://93.184.216.34/"),
      ("192.168.1.1", "http://192.168.1.1/"), ("10.0.0.7:8080", "http://10.0.0.7:8080/"),
      ("172.20.1.1/a", "http://172.20.1.1/a"), ("fritz.box.lan", "http://fritz.box.lan/"),
      ("printer.local/", "http://printer.local/"), ("router", "http://router/"),
      ("box.home.arpa", "http://box.home.arpa/"), ("[fd00::1]/", "http://[fd00::1]/"),
      ("169.254.3.4", "http://169.254.3.4/"), ("localhost:81/x", "http://localhost:81/x"),
    ] as [(String, String)])
  func `public hosts are tried with https first, private ones with http`(
    _ typed: String, _ url: String
  ) {
    #expect(WebURL.forHost(typed)?.description == url)
  }

  @Test(
    arguments: [
      (TransportFailure(.connectionRefused), true), (TransportFailure(.connectTimedOut), true),
      (TransportFailure(.noSecureConnection), false), (TransportFailure(.notTrusted), false),
      (TransportFailure(.certificateRequired), false), (TransportFailure(.noNetwork), false),
      (TransportFailure(.hostNotFound), false), (TransportFailure(.timedOut), false),
      (TransportFailure(.incomplete), false), (TransportFailure(.malformed), false),
    ] as [(TransportFailure, Bool)])
  func `http is tried only if the server does not support TLS`(
    _ failure: TransportFailure, _ isTried: Bool
  ) {
    let choice = SchemeChoice(
      WebRequest(url: "https://a.example/x"), at: WebURL("https://a.example/x")!, isStrict: false)
    #expect(choice?.allowsOther(after: failure) == isTried)
    var reset = failure
    reset.isWithoutTLS = true
    #expect(choice?.allowsOther(after: reset) == true)
  }

  @Test func `content and passwords of the user are never sent over http instead`() {
    let url = WebURL("https://a.example/x")!
    func choice(_ change: (inout WebRequest) -> Void) -> SchemeChoice? {
      var request = WebRequest(url: url)
      change(&request)
      return SchemeChoice(request, at: request.url, isStrict: false)
    }
    #expect(choice { _ in } != nil)
    #expect(choice { $0.method = "POST" } == nil)
    #expect(choice { $0.body = [65] } == nil)
    #expect(choice { $0.fields["Authorization"] = "Basic eA==" } == nil)
    #expect(choice { $0.fields["Cookie"] = "a=b" } == nil)
    #expect(choice { $0.url = WebURL("https://u:p@a.example/")! } == nil)
    #expect(SchemeChoice(WebRequest(url: url), at: url, isStrict: true) == nil)
  }

  // MARK: Loads

  private static let html = [("Content-Type", "text/html")]
  private static let text = String(repeating: "<p>Harbour words of the site.</p>", count: 20)

  private func load(
    _ fixture: CacheFixture, _ url: String = "https://a.example/x#part",
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> SessionRecord {
    var options = LoadOptions()
    options.isSchemeAssumed = true
    options.fallbackDelay = 30
    configure(&options)
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: url), options: options, event: record.receive)
    return record
  }

  /// Returns a network where https fails as given and http responds.
  private func network(_ failure: TransportFailure) -> ScriptedTransport {
    ScriptedTransport { request in
      request.url.scheme == "https"
        ? .events([.failed(failure)]) : .response(200, Self.html, Self.text)
    }
  }

  @Test(arguments: [true, false])
  func `a refused connection leads to http, unless the scheme was typed`(_ isAssumed: Bool) {
    let fixture = CacheFixture(network(TransportFailure(.connectionRefused)))
    let result = load(fixture) { $0.isSchemeAssumed = isAssumed }.waitForEnd()
    #expect((result.response?.response.status == 200) == isAssumed)
    #expect(result.url == (isAssumed ? "http://a.example/x#part" : nil))
    let otherScheme = result.response?.otherScheme
    #expect(otherScheme?.url.description == (isAssumed ? "http://a.example/x#part" : nil))
    #expect(otherScheme?.failure?.kind == (isAssumed ? .connectionRefused : nil))
  }

  @Test func `http is not tried after a certificate error`() {
    let transport = network(TransportFailure(.notTrusted))
    let fixture = CacheFixture(transport)
    let result = load(fixture).waitForEnd()
    #expect(result.error == .transport(TransportFailure(.notTrusted)))
    #expect(transport.sent.map(\.url.scheme) == ["https"])
  }

  @Test func `http is not tried for a host with an HSTS policy`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let transport = ScriptedTransport { request in
      request.url.path == "/first"
        ? .response(200, [("Strict-Transport-Security", "max-age=9999")])
        : .failure(.connectionRefused)
    }
    let fixture = CacheFixture(transport, in: directory)
    fixture.load("https://a.example/first")
    let result = load(fixture).waitForEnd()
    #expect(result.error == .transport(TransportFailure(.connectionRefused)))
    #expect(!transport.sent.contains { $0.url.scheme == "http" })
  }

  @Test func `if both schemes fail, the error of the first is reported`() {
    let transport = ScriptedTransport { request in
      .failure(request.url.scheme == "https" ? .connectionRefused : .hostUnreachable)
    }
    let fixture = CacheFixture(transport)
    let result = load(fixture).waitForEnd()
    #expect(result.error == .transport(TransportFailure(.connectionRefused)))
    #expect(transport.sent.count == 2)
  }

  @Test func `a private host that fails with http is tried with https`() {
    let transport = ScriptedTransport { request in
      request.url.scheme == "http"
        ? .failure(.connectionRefused) : .response(200, Self.html, Self.text)
    }
    let fixture = CacheFixture(transport)
    let result = load(fixture, "http://router.lan/").waitForEnd()
    #expect(result.url == "https://router.lan/")
  }

  @Test func `a page saved under either scheme is available offline`() {
    let isOnline = Switch()
    let transport = ScriptedTransport { _ in
      isOnline.isOn ? .response(200, Self.html, Self.text) : .failure(.noNetwork)
    }
    for saved in ["http", "https"] {
      for mode in LoadMode.allCases where mode != .networkOnly {
        isOnline.isOn = true
        let fixture = CacheFixture(transport)
        fixture.load("\(saved)://a.example/x")
        isOnline.isOn = false
        let result = load(fixture) { $0.mode = mode }.waitForEnd()
        #expect(result.url?.hasPrefix(saved + ":") == true, "\(saved) \(mode)")
        #expect(result.response?.response.status == 200)
        #expect((result.response?.otherScheme != nil) == (saved == "http"), "\(saved) \(mode)")
      }
    }
  }

  @Test func `a page saved with http is requested with http after https is refused`() {
    let transport = network(TransportFailure(.connectionRefused))
    let fixture = CacheFixture(transport)
    fixture.load("http://a.example/x")
    let result = load(fixture).waitForEnd()
    #expect(result.response?.source == .network)
    #expect(result.url?.hasPrefix("http:") == true)
    #expect(transport.sent.map(\.url.scheme) == ["http", "https", "http"])
  }

  @Test func `a site with pages saved over https is not requested with http`() {
    let isOnline = Switch()
    isOnline.isOn = true
    let transport = ScriptedTransport { request in
      isOnline.isOn || request.url.scheme == "http"
        ? .response(200, Self.html, Self.text) : .failure(.connectionRefused)
    }
    let fixture = CacheFixture(transport)
    fixture.load("https://a.example/x")
    isOnline.isOn = false
    let result = load(fixture).waitForEnd()
    #expect(result.response?.source == .saved(.failure(TransportFailure(.connectionRefused))))
    #expect(!transport.sent.contains { $0.url.scheme == "http" })
  }

  // MARK: Timeouts

  @Test func `http is used if https times out and http responds`() {
    let transport = ScriptedTransport { request in
      request.url.scheme == "https" ? .hold : .response(200, Self.html, Self.text)
    }
    let fixture = CacheFixture(transport)
    defer { fixture.cache.close() }
    let record = load(fixture) { $0.fallbackDelay = 0.02 }
    let result = record.waitForEnd()
    #expect(result.url?.hasPrefix("http:") == true)
    #expect(result.response?.otherScheme?.failure?.kind == .connectTimedOut)
  }

  @Test func `a slow but connected https server is waited for`() {
    let transport = ScriptedTransport { _ in .hold }
    let fixture = CacheFixture(transport)
    defer { fixture.cache.close() }
    let record = load(fixture) { $0.fallbackDelay = 0.02 }
    let secure = transport.next()
    let plain = transport.next()
    secure.connect()
    TransportEvent.response(200, Self.html, "plain").forEach(plain.receive)
    TransportEvent.response(200, Self.html, "secure").forEach(secure.receive)
    let result = record.waitForEnd()
    #expect(result.url?.hasPrefix("https:") == true)
    #expect(result.text == "secure")
    #expect(result.response?.otherScheme == nil)
  }

  @Test func `if neither responds in time, the error of https is reported`() {
    let transport = ScriptedTransport { _ in .hold }
    let fixture = CacheFixture(transport)
    defer { fixture.cache.close() }
    let record = load(fixture) { $0.fallbackDelay = 0.02 }
    let secure = transport.next()
    transport.next().receive(.failed(TransportFailure(.connectTimedOut)))
    secure.receive(.failed(TransportFailure(.hostUnreachable)))
    #expect(record.waitForEnd().error == .transport(TransportFailure(.hostUnreachable)))
    #expect(transport.sent.count == 2)
  }
}

/// A switch that a scripted network reads.
private final class Switch: Sendable {
  private let isOnState = Mutex(false)

  var isOn: Bool {
    get { isOnState.withLock(\.self) }
    set { isOnState.withLock { $0 = newValue } }
  }
}
