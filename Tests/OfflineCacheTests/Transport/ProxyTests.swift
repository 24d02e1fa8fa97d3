import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Proxies: the server of the test is one.
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

  @Test func `user name and password of the proxy's address go to the proxy, by their own field`()
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

  @Test func `a proxy that asks for a password: its page over http, a clear failure over https`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in
      .response(status: 407, [("Proxy-Authenticate", "Basic realm=\"proxy\"")], text: "who?")
    }
    let page = Self.exchange(server, "http://site.test/")
    #expect(page.response?.status == 407 && page.text == "who?")
    let failure = try #require(Self.exchange(server, "https://site.test/").failure)
    #expect(failure.kind == .other)
    #expect(failure.message.contains("the proxy asks for a user name and a password"))
    #expect(server.requests.map(\.method) == ["GET", "CONNECT"])
  }
}
