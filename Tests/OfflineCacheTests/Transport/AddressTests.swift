import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Public network addresses") struct AddressTests {
  static let rows: [(String, Bool)] = [
    ("93.184.216.34", true), ("8.8.8.8", true), ("172.15.0.1", true), ("172.32.0.1", true),
    ("192.169.0.1", true), ("100.63.0.1", true), ("127.0.0.1", false), ("127.255.0.9", false),
    ("0.0.0.0", false), ("0.1.2.3", false), ("10.1.2.3", false), ("100.64.0.1", false),
    ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false),
    ("192.168.1.1", false), ("198.18.0.1", false), ("224.0.0.1", false),
    ("255.255.255.255", false), ("2606:2800:220:1::1", true), ("::", false), ("::1", false),
    ("fc00::1", false), ("fdff::1", false), ("fe80::1", false), ("febf::1%eth0", false),
    ("ff02::1", false), ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false),
    ("::ffff:8.8.8.8", true), ("::127.0.0.1", false), ("64:ff9b::7f00:1", false),
    ("64:ff9b::808:808", true), ("2002:7f00:1::", false), ("2002:808:808::", true),
    // The special-purpose registries of IANA.
    ("192.0.0.9", false), ("192.0.2.1", false), ("192.0.3.1", true), ("198.51.100.9", false),
    ("203.0.113.9", false), ("192.88.99.1", false), ("198.20.0.1", true), ("240.0.0.1", false),
    ("64:ff9b:1::808:808", false), ("64:ff9b:1:ffff::1", false), ("64:ff9b:2::1", false),
    ("64:ff9b::a00:1", false), ("100::1", false), ("100:0:0:1::1", false),
    ("2001::1", false), ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", false),
    ("2001:0:808:808::f5ff:fffe", false), ("2001:2::1", false), ("2001:10::1", false),
    ("2001:20::1", false), ("2001:1ff::1", false), ("2001:200::1", true),
    ("2001:db8::1", false), ("2001:db9::1", true), ("3fff::1", false), ("3fff:fff::1", false),
    ("3fff:1000::1", true), ("5f00::1", false), ("4000::1", false), ("2002:a00:1::1", false),
    ("2002:c633:6409::1", false), ("::ffff:0:127.0.0.1", false), ("::ffff:0:8.8.8.8", true),
    ("::ffff:192.0.2.1", false), ("::8.8.8.8", true), ("fec0::1", false),
  ]

  @Test(arguments: rows)
  func `public addresses are distinguished from local, private and link-local ones`(
    _ text: String, isPublic: Bool
  ) throws {
    let bytes = try #require(AddressTable.bytes(of: text))
    #expect(AddressTable.standard.isPublic(bytes) == isPublic)
    #expect(AddressTable.standard.mayBePublic(text.contains(":") ? "[\(text)]" : text) == isPublic)
  }

  @Test func `a host name decides only if its meaning is local`() {
    for (name, mayBe) in [
      ("example.org", true), ("localhost", false), ("router.local", false), ("a.localhost", false),
      ("intranet", false), ("2130706433", false), ("0x7f.1", false), ("127.1", false),
      ("0177.0.0.1", false), ("example.org.", true), ("localhost.", false), ("127.0.0.1.", false),
      ("", false),
    ] {
      #expect(AddressTable.standard.mayBePublic(name) == mayBe, "\(name)")
    }
    #expect(AddressTable.bytes(of: "example.org") == nil)
    #expect(!AddressTable.standard.isPublic([]))
  }

  /// Returns a transport for which 127.0.0.1 is public and no other local address is, and whose
  /// name lookups return the elements of a list, one each time.
  private static func transport(_ lookups: [[String]]) -> CurlTransport {
    let remainingLookups = Mutex(lookups)
    return CurlTransport(
      addresses: CurlAddresses(table: AddressTable(nonPublicBlocks: ["127.0.0.2/32", "::1/128"])) {
        _ in
        remainingLookups.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
      })
  }

  private static var publicOnly: TransportLimits {
    var limits = TransportLimits()
    limits.isPublicOnly = true
    return limits
  }

  @Test func `addresses are checked at connection time, for every name lookup`() throws {
    let server = try ScriptedServer()
    server.on("/a", .response([("Connection", "close")], text: "here"))
    let url = "http://site.example:\(server.port)/a"
    let transport = Self.transport([["127.0.0.1"], ["127.0.0.2"], ["::1"], ["127.0.0.2"]])
    defer { transport.close() }
    let first = transport.exchange(WebRequest(url: url), limits: Self.publicOnly)
    #expect(first.text == "here" && first.response?.isFromPublicNetwork == true)
    for _ in 0..<2 {
      let again = transport.exchange(WebRequest(url: url), limits: Self.publicOnly)
      #expect(again.failure == .privateAddress)
    }
    #expect(server.requests.count == 1)
    // A link that the user follows is allowed.
    let followed = transport.exchange(WebRequest(url: url))
    #expect(followed.failure?.kind == .connectionRefused)
  }

  @Test func `addresses of reused connections are checked, too`() throws {
    let server = try ScriptedServer()
    server.on("/a", .response(text: "here"))
    let transport = CurlTransport(
      addresses: CurlAddresses(resolver: { _ in ["127.0.0.1"] }))
    defer { transport.close() }
    let url = "http://site.example:\(server.port)/a"
    let followed = transport.exchange(WebRequest(url: url))
    #expect(followed.text == "here" && followed.response?.isFromPublicNetwork == false)
    let exchange = transport.exchange(WebRequest(url: url), limits: Self.publicOnly)
    #expect(exchange.failure == .privateAddress)
    #expect(server.requests.count == 1)
  }

  @Test func `behind a proxy of the user the host name decides`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "by proxy") }
    let transport = CurlTransport()
    defer { transport.close() }
    for (url, isAsked) in [
      ("http://site.example/", true), ("http://127.0.0.1/", false), ("http://localhost/", false),
      ("http://[::ffff:10.0.0.1]/", false),
    ] {
      var request = WebRequest(url: url)
      request.proxy = "http://127.0.0.1:\(server.port)"
      let response = transport.exchange(request, limits: Self.publicOnly)
      #expect(response.text == (isAsked ? "by proxy" : ""), "\(url)")
      #expect(response.failure == (isAsked ? nil : .privateAddress))
    }
  }

  @Test func `proxies are read from the environment as by libcurl`() throws {
    let environment = [
      "http_proxy": "http://p:1", "HTTPS_PROXY": "http://p:2", "no_proxy": "a.test, .b.test",
    ]
    for (url, proxy) in [
      ("http://c.test/", "http://p:1"), ("https://c.test/", "http://p:2"), ("http://a.test/", nil),
      ("https://x.b.test/", nil), ("http://xb.test/", "http://p:1"),
    ] as [(String, String?)] {
      #expect(EnvironmentProxy.proxy(for: try #require(WebURL(url)), in: environment) == proxy)
    }
    let all = ["all_proxy": "http://p:3", "HTTP_PROXY": "http://p:4", "no_proxy": "*"]
    #expect(EnvironmentProxy.proxy(for: try #require(WebURL("http://c.test/")), in: all) == nil)
  }

  /// Returns the URLs requested when `page` redirects to `target`, and whether each request was
  /// limited to the public network.
  private func requests(
    from page: String, isPublic: Bool, to target: String, isUnattended: Bool, inBackground: Bool
  ) throws -> [String: Bool] {
    let network = ScriptedTransport { request in
      guard request.url == page else { return .response(200, [], "inner") }
      var head = ResponseHead(status: 302, fields: FieldLines([.init("Location", target)]))
      head.isFromPublicNetwork = isPublic
      return .events([.response(head), .finished])
    }
    let saved = ScriptedTransport { _ in .response(200, [("Content-Type", "text/html")], "<p>old") }
    let time = CacheFixture.Time()
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    if inBackground {
      let earlierFixture = CacheFixture(saved, in: directory, time: time)
      #expect(earlierFixture.load(page).text == "<p>old")
      earlierFixture.cache.close()
      time.advance(1e6)
    }
    let fixture = CacheFixture(network, in: directory, time: time)
    var options = LoadOptions()
    options.isUnattended = isUnattended
    if inBackground { options.mode = .staleWhileRevalidate }
    let endGate = Gate()
    let load = fixture.cache.start(WebRequest(url: page), options: options) { event in
      switch event {
      case .finished, .failed: endGate.open()
      default: break
      }
    }
    endGate.wait()
    withExtendedLifetime(load) {}
    #expect(fixture.cache.finishBackgroundWork(timeout: 60))
    let pairs = zip(network.sent.map(\.url.description), network.limits.map(\.isPublicOnly))
    return Dictionary(pairs) { $1 }
  }

  @Test(arguments: [true, false], [true, false])
  func `without the user, a public host may redirect only to public addresses`(
    isUnattended: Bool, inBackground: Bool
  ) throws {
    let page = "http://public.example/page"
    // In the background, a redirect to another site is not followed at all.
    let targets = ["http://inner.public.example/x"] + (inBackground ? [] : ["http://10.0.0.1/x"])
    for target in targets {
      // The connection to the redirecting host decides, not the redirect target.
      for isPublic in [true, false] {
        let publicOnlyByURL = try requests(
          from: page, isPublic: isPublic, to: target, isUnattended: isUnattended,
          inBackground: inBackground)
        #expect(publicOnlyByURL == [page: false, target: isUnattended && isPublic])
      }
    }
  }
}
