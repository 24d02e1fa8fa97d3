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
  ) -> Collected.Result {
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
    let answer = Self.exchange(server, "http://site.test/x", credentials: "me:p%40ss@")
    #expect(answer.text == "by proxy")
    let asked = try #require(server.requests.first)
    #expect(asked.target == "http://site.test/x" && asked["Authorization"] == nil)
    #expect(
      asked["Proxy-Authorization"] == "Basic " + Data("me:p@ss".utf8).base64EncodedString())
  }

  @Test func `a proxy that requires authentication is reported, for http and https`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in
      .response(status: 407, [("Proxy-Authenticate", "Basic realm=\"proxy\"")], text: "who?")
    }
    for url in ["http://site.test/", "https://site.test/"] {
      let answer = Self.exchange(server, url, credentials: "me:secret@")
      let failure = try #require(answer.failure)
      #expect(failure.kind == .proxyAuthenticationRequired && answer.response == nil)
      #expect(failure.subject == "127.0.0.1:\(server.port)")
      #expect(
        failure.message == "the proxy 127.0.0.1:\(server.port) asks for a user name and a password,"
          + " which belong in its address")
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
