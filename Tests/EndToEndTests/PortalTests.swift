import Foundation
import TestSupport
import Testing

/// A network that responds in place of every site, such as a hotel network before signing in.
@Suite struct PortalTests {
  @Test func `a sync behind a redirecting captive portal saves nothing`() throws {
    let proxy = try ScriptedServer()
    proxy.onOthers { request in
      request.target.hasPrefix("http://portal.test/")
        ? .response(
          [("Content-Type", "text/html")], text: "<h1>Wi-Fi</h1><form><input type=password>")
        : .redirect(to: "http://portal.test/in")
    }
    let sandbox = try Sandbox()
    let environment = ["http_proxy": proxy.url]
    let urls = (1...6).map { "http://site\($0).test/page" }
    let list = try sandbox.file("list.txt", urls.joined(separator: "\n"))
    #expect(try sandbox.offread("import", list).status == 0)
    for _ in 0..<2 {
      let sync = try sandbox.offread(["sync"], environment: environment)
      #expect(sync.status == 4)
      #expect(sync.text.contains("sign-in page of this network"))
      #expect(sync.text.contains("0 of 6 pages ready"))
      let queue = try sandbox.offread("list", "--queue")
      #expect(urls.allSatisfy { queue.text.contains($0) })
      #expect(try sandbox.offread(["check"] + urls).status == 1)
    }
    // After signing in, the pages can be fetched.
    proxy.onOthers { request in
      .response(
        [("Content-Type", "text/html")], text: "<h1>\(request.target)</h1><p>Its own words.</p>")
    }
    let sync = try sandbox.offread(["sync"], environment: environment)
    #expect(sync.status == 0 && sync.text.contains("6 queued pages arrived"))
    #expect(try sandbox.offread(["check"] + urls).status == 0)
  }

  @Test func `a response rejected as a portal's can be accepted as the page`() throws {
    let proxy = try ScriptedServer()
    proxy.onOthers { _ in
      .response(
        [("Content-Type", "text/html")],
        text: "<h1>Wi-Fi of the village</h1><form><p>Sign in here</p><input type=password>")
    }
    let sandbox = try Sandbox()
    let environment = ["http_proxy": proxy.url]
    let url = "http://wifi.village.test/page"
    let refused = try sandbox.offread(["save", url], environment: environment)
    #expect(refused.status == 4 && refused.text.contains("sign-in page of this network"))
    #expect(try sandbox.offread("list", "--queue").text.contains(url))
    let accepted = try sandbox.offread(["sync", "--accept", url], environment: environment)
    #expect(accepted.status == 0, "\(accepted.text)")
    #expect(try sandbox.offread("check", url).status == 0)
    #expect(try !sandbox.offread("list", "--queue").text.contains(url))
    #expect(try sandbox.offread(["save", "--accept", url], environment: environment).status == 0)
    #expect(try sandbox.offread(["sync", "--accept"], environment: environment).status == 2)
  }
}
