import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Proxies. The test server acts as one.
@Suite("Proxies") struct ProxyTests {
  private static func exchange(
    _ server: ScriptedServer, _ url: String, credentials: String = ""
  ) -> TransportRecord.Result {
    let transport = CurlTransport()
    defer { transport.close() }
    var request = WebRequest(url: url)
    request.proxy = "http://\(credentials)127.0.0.1:\(server.port)"
    return transport.exchange(request)
  }

  @Test func `user name and password in the proxy URL are sent as Proxy-Authorization`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "by proxy") }
    let response = Self.exchange(server, "http://site.test/x", credentials: "me:p%40ss@")
    #expect(response.text == "by proxy")
    let request = try #require(server.requests.first)
    #expect(request.target == "http://site.test/x" && request["Authorization"] == nil)
    #expect(
      request["Proxy-Authorization"] == "Basic " + Data("me:p@ss".utf8).base64EncodedString())
  }

  @Test func `a proxy that requires authentication is reported, for http and https`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in
      .response(status: 407, [("Proxy-Authenticate", "Basic realm=\"proxy\"")], text: "who?")
    }
    for url in ["http://site.test/", "https://site.test/"] {
      let response = Self.exchange(server, url, credentials: "me:secret@")
      let failure = try #require(response.failure)
      #expect(failure.kind == .proxyAuthenticationRequired && response.response == nil)
      #expect(failure.subject == "127.0.0.1:\(server.port)")
      #expect(
        failure.message == "the proxy 127.0.0.1:\(server.port) asks for a user name and a password,"
          + " which belong in its URL")
    }
    #expect(server.requests.map(\.method) == ["GET", "CONNECT"])
  }

  @Test(arguments: [(403, "refused (403)"), (502, "cannot reach the server (502)")])
  func `a proxy that refuses to connect is reported with its name`(status: Int, message: String)
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(status: status, text: "no") }
    let failure = try #require(Self.exchange(server, "https://site.test/").failure)
    #expect(failure.kind == (status == 403 ? .proxyRefused : .proxyUnconnected))
    #expect(failure.message == "the proxy 127.0.0.1:\(server.port) \(message)")
    // A response of the server through the proxy is a normal response.
    #expect(Self.exchange(server, "http://site.test/").response?.status == status)
  }

  @Test func `a proxy that is not running, or closes the connection, is named`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .raw([]) }
    for url in ["http://site.test/", "https://site.test/"] {
      let closed = try #require(Self.exchange(server, url).failure)
      #expect(closed.kind == .proxyFailed && closed.subject == "127.0.0.1:\(server.port)")
    }
    server.stop()
    for url in ["http://site.test/", "https://site.test/"] {
      let failure = try #require(Self.exchange(server, url).failure)
      #expect(failure.kind == .proxyUnreachable && !failure.mayServePlainHTTP)
      #expect(failure.subject == "127.0.0.1:\(server.port)")
      #expect(
        failure.message
          == "the proxy 127.0.0.1:\(server.port) cannot be reached (connection refused)")
    }
  }

  @Test(
    arguments: [
      ("a.test", "http://a.test/", true), ("a.test", "http://x.a.test./", true),
      (".a.test", "http://a.test/", true), ("*.a.test", "http://x.a.test/", true),
      ("a.test.", "http://a.test/", true), ("a.test", "http://ba.test/", false),
      ("A.TEST:8080", "http://a.test:8080/", true), ("a.test:8080", "http://a.test/", false),
      ("a.test:443", "https://x.a.test/", true), ("b.test,*", "http://a.test/", true),
      ("127.0.0.0/8", "http://127.9.1.1/", true), ("127.0.0.0/8", "http://128.0.0.1/", false),
      ("10.1.0.0/15", "http://10.0.255.1/", true), ("10.0.0.1", "http://10.0.0.1:81/", true),
      ("10.0.0.1:81", "http://10.0.0.1/", false), ("10.0.0.0/33", "http://10.0.0.1/", false),
      ("0.0.0.0/0", "http://10.0.0.1/", true), ("0.0.0.0/0", "http://a.test/", false),
      ("::1", "http://[::1]/", true), ("[::1]", "http://[::1]/", true),
      ("[::1]:80", "http://[::1]/", true), ("[::1]:81", "http://[::1]/", false),
      ("fe80::/10", "http://[fe9f::1]/", true), ("fe80::/10", "http://[fec0::1]/", false),
      ("0.0.1", "http://10.0.0.1/", false), (".", "http://a.test/", false),
      ("x\ta.test", "http://a.test/", true),
    ] as [(String, String, Bool)])
  func `exceptions from the proxy are names, addresses, blocks and ports`(
    _ exceptions: String, _ url: String, _ isExempt: Bool
  ) throws {
    let environment = ["all_proxy": "http://p:1", "no_proxy": exceptions]
    let proxy = EnvironmentProxy.proxy(for: try #require(WebURL(url)), in: environment)
    #expect((proxy == nil) == isExempt)
  }

  @Test func `an invalid proxy URL is reported`() throws {
    let transport = CurlTransport()
    defer { transport.close() }
    var request = WebRequest(url: "http://site.test/")
    for proxy in ["rubbish://", "http://127.0.0.1:99999"] {
      request.proxy = proxy
      let failure = try #require(transport.exchange(request).failure)
      #expect(failure.message.hasPrefix("the address of the proxy"), "\(failure)")
      #expect(failure.message.hasSuffix("cannot be used"), "\(failure)")
    }
  }
}
