import Foundation
import Synchronization
import TestSupport
import Testing

/// Forms that sign in with a cookie, while cookies are not kept by default.
@Suite struct SignInCookieTests {
  private static let secret = "kelp-4711"
  private static let html = [("Content-Type", "text/html")]

  private static func site() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.on(
      "/login",
      .response(
        html, text: "<h1>Log in</h1><form action=/in method=post><button>Go</button></form>"))
    server.onOthers { request in
      let isKnown = request["Cookie"]?.contains(secret) ?? false
      switch request.target {
      case "/in":
        return .response(
          status: 303, [("Location", "/account"), ("Set-Cookie", "id=\(secret); Path=/")], text: "")
      case "/account":
        return .response(html, text: isKnown ? "<h1>Hello Ada</h1>" : "<h1>Nobody</h1>")
      default: return nil
      }
    }
    return server
  }

  /// Checks that a text is in no file of a profile, compressed or not.
  private func expectNowhere(_ text: String, in sandbox: Sandbox) throws {
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.directory.path))
    var segments = 0
    for case let name as String in names {
      let path = sandbox.directory.appendingPathComponent(name).path
      let data = FileManager.default.contents(atPath: path)
      #expect(data?.range(of: Data(text.utf8)) == nil, "\(name)")
      guard name.hasSuffix(".gz") else { continue }
      segments += 1
      let records = try Program.run("gzip", ["-dc", path])
      #expect(!records.text.contains(text), "\(name)")
    }
    #expect(segments > 0)
  }

  @Test func `the user is asked whether to keep the cookie of a form, and can revoke the choice`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try Self.site()
    let log = sandbox.directory.appendingPathComponent("log").path
    let screen = try sandbox.reader("--log", log, server.url + "/login")
    let question = "127.0.0.1 sets a cookie to sign you in · y this time · a always · n never"
    try screen.wait(for: "Log in")
    try screen.press("Tab", "Enter")
    try screen.wait(for: question)
    try screen.wait(for: "Hello Ada")
    try screen.press("Escape")
    try screen.wait("the question is gone") { rows in
      !rows.contains { $0.contains("sets a cookie") }
    }
    try screen.press("B")
    try screen.wait(for: "Log in")
    try screen.press("Tab", "Enter")
    try screen.wait(for: question)
    try screen.press("y")
    try screen.wait(for: "cookies of 127.0.0.1 are kept until offread ends")
    try screen.press("=")
    try screen.wait(for: "kept until offread ends for 127.0.0.1; Enter undoes this")
    try screen.press("q")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    try expectNowhere(Self.secret, in: sandbox)
  }

  @Test func `the cookie of the page with the form is sent with the form if the user agrees`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    // The server accepts the form only with the cookie that a redirect to its page sets.
    server.onOthers { request in
      let hasToken = request["Cookie"]?.contains("token=\(Self.secret)") ?? false
      switch request.target {
      case "/start":
        return .response(
          status: 302, [("Location", "/login"), ("Set-Cookie", "token=\(Self.secret); Path=/")],
          text: "")
      case "/login":
        return .response(
          Self.html,
          text: "<h1>Log in</h1><form action=/in method=post><button>Go</button></form>")
      case "/in" where hasToken: return .response(Self.html, text: "<h1>Hello Ada</h1>")
      case "/in": return .response(Self.html, text: "<h1>No token</h1>")
      default: return nil
      }
    }
    let screen = try sandbox.reader(server.url + "/start")
    let question = "127.0.0.1 sets a cookie to sign you in · y this time · a always · n never"
    try screen.wait(for: "Log in")
    try screen.press("Tab", "Enter")
    try screen.wait(for: question)
    try screen.press("Escape")
    try screen.wait(for: "not sent")
    try screen.press("Enter")
    try screen.wait(for: question)
    try screen.press("y")
    try screen.wait(for: "Hello Ada")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(server.requests.filter { $0.target == "/in" }.count == 1)
    try expectNowhere(Self.secret, in: sandbox)
  }

  @Test func `a cookie wall is passed by every command, and leaves no cookie behind`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { request in
      request["Cookie"]?.contains(Self.secret) ?? false
        ? .response(Self.html, text: "<h1>Inside</h1><p>behind the wall")
        : .response(
          status: 302, [("Location", request.target), ("Set-Cookie", "pass=\(Self.secret)")],
          text: "")
    }
    for command in ["dump", "fetch"] {
      let run = try sandbox.offread(
        command, "--log", sandbox.directory.appendingPathComponent("log").path,
        server.url + "/\(command)")
      #expect(run.status == 0 && run.text.contains("behind the wall"), "\(run.errorText)")
    }
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/save").status == 0)
    server.stop()
    #expect(try sandbox.offread("dump", "--offline", server.url + "/save").status == 0)
    try expectNowhere(Self.secret, in: sandbox)
  }

  @Test func `a cookie wall that redirects by itself is passed, and no cookie is stored`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    // The wall redirects to its own page, which sets the cookie and goes back.
    server.onOthers { request in
      if request["Cookie"]?.contains(Self.secret) ?? false {
        return .response(Self.html, text: "<h1>Inside</h1><p>behind the wall")
      }
      let path = request.target.split(separator: "?").first.map(String.init) ?? ""
      guard path == "/wall" else {
        // Without a URL, the page itself is loaded again.
        let refreshes = [
          "/self": "0; url=/self", "/bare": "0", "/empty": "1; url=", "/blank": "0 ",
        ]
        let head = Self.html + [("Set-Cookie", "pass=\(Self.secret); Path=/")]
        if let refresh = refreshes[path] {
          return .response(
            head, text: "<meta http-equiv=refresh content='\(refresh)'><p>One moment")
        }
        return path == "/field"
          ? .response(head + [("Refresh", "0")], text: "<p>One moment")
          : .redirect(to: "/wall?to=\(path)")
      }
      let target = request.target.split(separator: "=").last.map(String.init) ?? ""
      return .response(
        Self.html + [("Set-Cookie", "pass=\(Self.secret); Path=/")],
        text: "<meta http-equiv=refresh content='1; url=\(target)'><p>One moment")
    }
    for path in ["/page", "/self", "/bare", "/empty", "/blank", "/field"] {
      let run = try sandbox.offread("dump", server.url + path)
      #expect(run.status == 0 && run.text.contains("behind the wall"), "\(path): \(run.text)")
      let save = try sandbox.offread("save", "--delay", "0", server.url + path)
      #expect(save.status == 0, "\(path): \(save.text)")
      let saved = try sandbox.offread("dump", "--offline", server.url + path)
      #expect(saved.text.contains("behind the wall"), "\(path): \(saved.text)")
    }
    // Loading ends even if the cookie wall never lets the client pass.
    server.on(
      "/never",
      .response(
        Self.html + [("Set-Cookie", "other=1")],
        text: "<meta http-equiv=refresh content='0; url=/never'><p>No way in"))
    let never = try sandbox.offread("dump", server.url + "/never")
    #expect(never.text.contains("No way in"))
    let count = server.requests.count { $0.target == "/never" }
    #expect((1...5).contains(count), "\(count)")
    server.stop()
    let offline = try sandbox.offread("dump", "--offline", server.url + "/page")
    #expect(offline.text.contains("behind the wall"))
    try expectNowhere(Self.secret, in: sandbox)
  }

  @Test(arguments: ["/self", "/bare", "/field", "/wall", "/checking"])
  func `a saved page behind a cookie wall is updated`(path: String) throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let edition = Mutex("first edition")
    let passes = Mutex(true)
    let text = String(
      repeating: "Tides follow the moon, and harbours follow the tides. ", count: 20)
    // Every load without the cookie gets a short page that sets it and refreshes.
    server.onOthers { request in
      if passes.withLock(\.self), request["Cookie"]?.contains(Self.secret) ?? false {
        return .response(
          Self.html, text: "<h1>Inside</h1><p>\(edition.withLock(\.self)) <p>\(text)")
      }
      let head = Self.html + [("Set-Cookie", "pass=\(Self.secret); Path=/")]
      let refresh = { (value: String) in "<meta http-equiv=refresh content='\(value)'><p>One moment"
      }
      return switch request.target {
      case "/field": .response(head + [("Refresh", "0")], text: "<p>One moment")
      case "/bare": .response(head, text: refresh("0"))
      case "/checking": .response(head, text: "<title>Just a moment</title>" + refresh("1"))
      case "/wall": .redirect(to: "/gate")
      case "/gate": .response(head, text: refresh("0; url=/wall"))
      default: .response(head, text: refresh("0; URL='\(request.target)'"))
      }
    }
    #expect(try sandbox.offread("save", "--delay", "0", server.url + path).status == 0)
    edition.withLock { $0 = "second edition" }
    let run = try sandbox.offread("dump", server.url + path)
    #expect(run.status == 0 && run.text.contains("second edition"), "\(run.text)")
    edition.withLock { $0 = "third edition" }
    let sync = try sandbox.offread("sync", server.url + path)
    #expect(sync.status == 0, "\(sync.text)\(sync.errorText)")
    let saved = try sandbox.offread("dump", "--offline", server.url + path)
    #expect(saved.text.contains("third edition"), "\(saved.text)")
    // If the wall does not let the client pass, the copy remains the page.
    passes.withLock { $0 = false }
    let refused = try sandbox.offread("dump", server.url + path)
    #expect(refused.text.contains("third edition"), "\(refused.text)")
    server.stop()
    let offline = try sandbox.offread("dump", "--offline", server.url + path)
    #expect(offline.text.contains("third edition"), "\(offline.text)")
    try expectNowhere(Self.secret, in: sandbox)
  }

  @Test func `a redirect loop suggests the option for cookies`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/a", .redirect(to: "/a"))
    let run = try sandbox.offread("dump", server.url + "/a")
    #expect(run.errorText.contains("cookies = true") && run.errorText.contains("--cookies"))
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/a")
    #expect(saved.text.contains("--cookies"), "\(saved.text)")
  }
}
