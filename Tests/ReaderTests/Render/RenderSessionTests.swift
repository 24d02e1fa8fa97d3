@testable import Saving
import DOM
import Foundation
import OfflineCache
import TestSupport
import Testing

@testable import Rendering

/// The dialogue with a simulated browser: messages and times are the input, commands and loads the
/// output.
@Suite struct RenderSessionTests {
  /// A session and its output.
  private struct Talk {
    var session: RenderSession
    var commands: [(id: Int, method: String, parameters: JSONValue, session: String?)] = []
    var loads: [BrowserRequest] = []

    init(_ url: String = "https://a.test/page", limits: RenderSession.Limits = .init()) throws {
      session = RenderSession(try #require(WebURL(url)), limits: limits)
      try record(session.start())
    }

    mutating func record(_ actions: [RenderSession.Action]) throws {
      for action in actions {
        switch action {
        case .load(let request): loads.append(request)
        case .send(let bytes):
          #expect(bytes.last == 0 && bytes.dropLast().allSatisfy { $0 != 0 })
          let message = try #require(JSONValue(Array(bytes.dropLast())))
          commands.append(
            (
              Int(try #require(message["id"]?.number)), try #require(message["method"]?.string),
              message["params"] ?? .null, message["sessionId"]?.string
            ))
        }
      }
    }

    /// Receives a message of the browser, in JSON.
    mutating func receive(_ json: String, at seconds: Double = 0) throws {
      let message = try #require(DevToolsMessage(Array(json.utf8)), "\(json)")
      try record(session.receive(message, at: .seconds(seconds)))
    }

    /// Completes the last command of the given name with a result.
    mutating func end(_ method: String, _ result: String, at seconds: Double = 0) throws {
      let id = try #require(commands.last { $0.method == method }?.id, "\(method)")
      try receive("{\"id\": \(id), \"result\": \(result)}", at: seconds)
    }

    /// Completes the commands between the creation of the isolated world and the reading of a
    /// document without closed shadow roots.
    mutating func inspect(_ markup: String = "<p>", at seconds: Double = 0) throws {
      try end("Page.createIsolatedWorld", #"{"executionContextId": 7}"#, at: seconds)
      try end("Runtime.evaluate", #"{"result": {"objectId": "D"}}"#, at: seconds)
      let text = String(decoding: try JSONEncoder().encode(markup), as: UTF8.self)
      try end("DOM.getOuterHTML", #"{"outerHTML": \#(text)}"#, at: seconds)
    }

    /// Delivers the result of reading the document.
    mutating func read(_ value: String, at seconds: Double = 0) throws {
      try end("Runtime.callFunctionOn", #"{"result": {"value": \#(value)}}"#, at: seconds)
    }

    mutating func pauseRequest(
      _ url: String, kind: String = "Script", method: String = "GET", id: String = "r1",
      frame: String = "T", session: String = "S", fields: String = "", from: String? = nil,
      at seconds: Double = 0
    ) throws {
      let redirected = from.map { "\"redirectedRequestId\": \"\($0)\"," } ?? ""
      try receive(
        """
        {"method": "Fetch.requestPaused", "sessionId": "\(session)", "params": {"requestId": "\(id)", \(redirected)
        "frameId": "\(frame)", "resourceType": "\(kind)", "request": {"url": "\(url)",
        "method": "\(method)", "headers": {\(fields)"Accept": "*/*", "Origin": "https://a.test",
        "Cookie": "id=1", "Authorization": "Basic eA=="}}}}
        """, at: seconds)
    }

    mutating func respond(
      _ status: Int = 200, _ content: String = "x", fields: [FieldLines.Field] = [],
      version: String? = nil, isPublic: Bool? = nil, at seconds: Double = 0
    ) throws {
      var head = ResponseHead(status: status, reason: "", fields: FieldLines(fields))
      head.isFromPublicNetwork = isPublic
      let request = try #require(loads.last)
      try record(
        session.receive(
          request, .response(head, Array(content.utf8), version: version), at: .seconds(seconds)))
    }

    mutating func tick(_ seconds: Double) throws {
      try record(session.tick(at: .seconds(seconds)))
    }

    /// Advances until the page is loaded and its scripts run.
    mutating func begin() throws {
      try end("Browser.getVersion", "{\"product\": \"HeadlessChrome/156.0.8078.79\"}")
      try end("Target.createTarget", "{\"targetId\": \"T\"}")
      try end("Target.attachToTarget", "{\"sessionId\": \"S\"}")
      try end("Target.setAutoAttach", "{}")
      try pauseRequest("https://a.test/page", kind: "Document", id: "r0")
      try respond(version: "v1")
      try end("Page.navigate", "{\"frameId\": \"T\"}")
    }

    var methods: [String] { commands.map(\.method) }
    var refused: [String] {
      commands.filter { $0.method == "Fetch.failRequest" }
        .compactMap { $0.parameters["requestId"]?.string }
    }
  }

  @Test func `a page is read after it has loaded and the network has been idle for a while`() throws
  {
    var talk = try Talk()
    try talk.begin()
    try talk.pauseRequest("https://a.test/a.js", at: 1)
    try talk.receive(#"{"method": "Page.loadEventFired", "sessionId": "S", "params": {}}"#, at: 1.1)
    try talk.tick(2)
    #expect(!talk.methods.contains("Page.createIsolatedWorld"), "a response is still pending")
    try talk.respond(at: 2)
    #expect(talk.session.deadline == .seconds(2.5))
    try talk.tick(2.4)
    #expect(!talk.methods.contains("Page.createIsolatedWorld"))
    try talk.tick(2.5)
    try talk.inspect(at: 2.6)
    let reading = try #require(talk.commands.last)
    #expect(reading.method == "Runtime.callFunctionOn" && reading.session == "S")
    #expect(reading.parameters["executionContextId"]?.number == 7)
    #expect(reading.parameters["arguments"]?.array.count == 1)
    try talk.read(
      #"{"url": "https://a.test/page?x#y", "size": 9, "markup": "<p>a\tä</p>"}"#)
    #expect(
      talk.session.result
        == .success(
          .init(
            markup: "<p>a\tä</p>", url: "https://a.test/page?x#y",
            source: try #require(WebURL("https://a.test/page")), browser: "chromium/156.0.8078.79",
            version: "v1")))
  }

  @Test func `resources of a public page must be in the public network`() throws {
    var talk = try Talk()
    try talk.begin()
    #expect(talk.loads.last?.isPublicOnly == false)
    try talk.pauseRequest("http://10.0.0.1/", kind: "XHR", id: "r1")
    #expect(talk.loads.last?.isPublicOnly == true)
    let location = [FieldLines.Field("Location", "/a")]
    try talk.pauseRequest("http://10.0.0.1/a", kind: "XHR", id: "r2", from: "r1")
    try talk.respond(302, fields: location, isPublic: false)
    #expect(talk.refused == ["r2"], "a redirect to itself")
  }

  @Test func `all requests are intercepted before the page is requested`() throws {
    var talk = try Talk()
    try talk.begin()
    let navigation = try #require(talk.methods.firstIndex(of: "Page.navigate"))
    let fetch = try #require(talk.methods.firstIndex(of: "Fetch.enable"))
    #expect(fetch < navigation)
    #expect(
      talk.commands[fetch].parameters["patterns"]
        == .array([.object(["urlPattern": .string("*")])]))
    #expect(talk.commands[fetch].session == "S")
  }

  @Test func `frames and workers are intercepted before they run, and windows are closed`() throws {
    var talk = try Talk()
    try talk.begin()
    let count = talk.commands.count
    for (session, type) in [("F", "iframe"), ("W", "worker")] {
      try talk.receive(
        """
        {"method": "Target.attachedToTarget", "sessionId": "S", "params": {"sessionId": "\(session)",
        "waitingForDebugger": true, "targetInfo": {"targetId": "\(type)", "type": "\(type)"}}}
        """)
    }
    for session in ["F", "W"] {
      let told = talk.commands[count...].filter { $0.session == session }.map(\.method)
      #expect(told.first == "Fetch.enable" && told.last == "Runtime.runIfWaitingForDebugger")
    }
    try talk.pauseRequest(
      "https://b.test/f", kind: "Document", id: "f1", frame: "iframe", session: "F")
    let load = try #require(talk.loads.last)
    #expect(load.session == "F" && !load.isPage)
    try talk.receive(
      """
      {"method": "Target.attachedToTarget", "sessionId": "S", "params": {"sessionId": "P",
      "targetInfo": {"targetId": "other", "type": "page"}}}
      """)
    #expect(talk.commands.last?.method == "Target.closeTarget")
    #expect(talk.commands.last?.parameters["targetId"]?.string == "other")
  }

  @Test func `requests are sent as GET for text, without cookies and credentials`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.pauseRequest("https://user:word@b.test/data.json?q=1", kind: "Fetch")
    let request = try #require(talk.loads.last).request
    #expect(request.method == "GET" && request.url.description == "https://b.test/data.json?q=1")
    #expect(
      request.fields.lines
        == [.init("Accept", "*/*"), .init("Origin", "https://a.test")])
  }

  @Test(
    arguments: [
      ("https://a.test/a.png", "Image", "GET"), ("https://a.test/a.mp4", "Media", "GET"),
      ("https://a.test/a.woff2", "Font", "GET"), ("https://a.test/events", "EventSource", "GET"),
      ("https://a.test/ping", "Ping", "POST"), ("https://a.test/api", "XHR", "POST"),
      ("https://a.test/api", "Fetch", "DELETE"), ("https://a.test/api", "Fetch", "OPTIONS"),
      ("file:///etc/passwd", "Document", "GET"), ("ftp://a.test/x", "Document", "GET"),
      ("chrome://settings/", "Document", "GET"), ("not a url", "Script", "GET"),
    ] as [(String, String, String)])
  func `all other requests are refused`(_ url: String, _ kind: String, _ method: String) throws {
    var talk = try Talk()
    try talk.begin()
    let loads = talk.loads.count
    try talk.pauseRequest(url, kind: kind, method: method, id: "x")
    #expect(talk.loads.count == loads)
    #expect(talk.refused == ["x"])
  }

  @Test func `cross-origin requests are allowed by us and not by the site`() throws {
    var talk = try Talk()
    try talk.begin()
    let loads = talk.loads.count
    func preflight(_ method: String) -> String {
      #""Access-Control-Request-Method": "\#(method)", "Access-Control-Request-Headers": "x-key","#
    }
    for (id, method) in ["1": "GET", "2": "HEAD"] {
      try talk.pauseRequest(
        "https://b.test/api", kind: "XHR", method: "OPTIONS", id: id, fields: preflight(method))
      let response = try #require(talk.commands.last)
      #expect(response.method == "Fetch.fulfillRequest" && response.session == "S")
      #expect(response.parameters["requestId"]?.string == id)
      #expect(response.parameters["responseCode"]?.number == 204)
      let fields = response.parameters["responseHeaders"]?.array ?? []
      func field(_ name: String) -> String? {
        fields.first { $0["name"]?.string == name }?["value"]?.string
      }
      #expect(field("Access-Control-Allow-Origin") == "https://a.test")
      #expect(field("Access-Control-Allow-Headers") == "x-key")
      #expect(field("Access-Control-Allow-Methods") == "GET, HEAD")
    }
    #expect(talk.loads.count == loads, "no request to the site")
    for method in ["POST", "PUT", "DELETE"] {
      try talk.pauseRequest(
        "https://b.test/api", kind: "XHR", method: "OPTIONS", id: method, fields: preflight(method))
    }
    #expect(talk.refused == ["POST", "PUT", "DELETE"])
    // The following request is sent as usual, without fields added by the page.
    try talk.pauseRequest("https://b.test/api", kind: "XHR", id: "3", fields: #""X-Key": "1","#)
    #expect(try #require(talk.loads.last).request.fields["X-Key"] == nil)
  }

  @Test func `closed shadow roots are passed to the reading script`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.tick(10)
    try talk.inspect(#"<p><template shadowrootmode="closed">x</template></p>"#, at: 10)
    #expect(talk.commands.last?.method == "DOM.getDocument")
    try talk.end(
      "DOM.getDocument",
      #"""
      {"root": {"backendNodeId": 1, "children": [
        {"backendNodeId": 2, "shadowRoots": [
          {"backendNodeId": 3, "shadowRootType": "closed", "children": [
            {"backendNodeId": 4, "shadowRoots": [
              {"backendNodeId": 5, "shadowRootType": "closed"}]}]},
          {"backendNodeId": 6, "shadowRootType": "open"},
          {"backendNodeId": 7, "shadowRootType": "user-agent"}]},
        {"backendNodeId": 8, "contentDocument": {"backendNodeId": 9, "children": [
          {"backendNodeId": 10, "shadowRoots": [
            {"backendNodeId": 11, "shadowRootType": "closed"}]}]}}]}}
      """#, at: 10)
    let resolving = talk.commands.filter { $0.method == "DOM.resolveNode" }
    #expect(Set(resolving.compactMap { $0.parameters["backendNodeId"]?.number }) == [3, 5, 11])
    #expect(!talk.methods.contains("Runtime.callFunctionOn"))
    for (index, command) in resolving.enumerated() {
      // One of the shadow roots has disappeared by then.
      let response =
        index == 0
        ? #""error": {"message": "No node"}"# : #""result": {"object": {"objectId": "\#(index)"}}"#
      try talk.receive(#"{"id": \#(command.id), \#(response)}"#, at: 10)
    }
    let reading = try #require(talk.commands.last)
    #expect(reading.method == "Runtime.callFunctionOn")
    let arguments = reading.parameters["arguments"]?.array ?? []
    #expect(arguments.dropFirst().map { $0["objectId"]?.string } == ["1", "2"])
  }

  @Test func `a browser that does not report closed shadow roots is read without them`() throws {
    for command in ["", "DOM.getOuterHTML", "DOM.getDocument"] {
      var talk = try Talk()
      try talk.begin()
      try talk.tick(10)
      try talk.end("Page.createIsolatedWorld", #"{"executionContextId": 7}"#, at: 10)
      let found = command.isEmpty ? #""subtype": "null", "value": null"# : #""objectId": "D""#
      try talk.end("Runtime.evaluate", "{\"result\": {\(found)}}", at: 10)
      if command == "DOM.getDocument" {
        try talk.end("DOM.getOuterHTML", #"{"outerHTML": "<iframe>"}"#, at: 10)
      }
      if let id = talk.commands.last(where: { $0.method == command })?.id {
        try talk.receive(#"{"id": \#(id), "error": {"message": "unknown"}}"#, at: 10)
      }
      #expect(talk.commands.last?.method == "Runtime.callFunctionOn")
      try talk.read(#"{"url": "https://a.test/page", "size": 9, "markup": "<p>x"}"#, at: 10)
      #expect(try talk.session.result?.get().markup == "<p>x")
    }
  }

  @Test func `too many requests and too many bytes are refused`() throws {
    var limits = RenderSession.Limits()
    (limits.maxRequests, limits.maxBytes) = (3, 100)
    var talk = try Talk(limits: limits)
    try talk.begin()
    try talk.pauseRequest("https://a.test/1", id: "1")
    try talk.respond(200, String(repeating: "x", count: 98))
    #expect(talk.refused.isEmpty)
    try talk.pauseRequest("https://a.test/2", id: "2")
    try talk.respond(200, "too much")
    #expect(talk.refused == ["2"], "its content is not passed to the browser")
    try talk.pauseRequest("https://a.test/3", id: "3")
    #expect(talk.refused == ["2", "3"])
    var many = try Talk(limits: limits)
    many.session = talk.session
    try many.pauseRequest("https://a.test/4", id: "4")
    #expect(many.refused == ["4"])
    #expect(talk.session.result == nil, "the page is read with the available resources")
  }

  @Test func `a response is passed on without fields that could be stored or misread`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.pauseRequest("https://a.test/a.js")
    try talk.respond(
      301, "{}",
      fields: [
        .init("Location", "/b.js"), .init("Set-Cookie", "a=b"), .init("Content-Encoding", "br"),
        .init("content-length", "7"), .init("Strict-Transport-Security", "max-age=1"),
      ])
    let response = try #require(talk.commands.last)
    #expect(response.method == "Fetch.fulfillRequest" && response.session == "S")
    #expect(response.parameters["responseCode"]?.number == 301)
    #expect(response.parameters["body"]?.string == "e30=")
    #expect(
      response.parameters["responseHeaders"]
        == .array([.object(["name": .string("Location"), "value": .string("/b.js")])]))
  }

  @Test func `a redirect of the page is followed, and another site is rejected`() throws {
    func end(at url: String) throws -> Result<RenderSession.Document, RenderFailure>? {
      var talk = try Talk("http://a.test/")
      try talk.end("Browser.getVersion", "{\"product\": \"Chrome/1.2\"}")
      try talk.end("Target.createTarget", "{\"targetId\": \"T\"}")
      try talk.end("Target.attachToTarget", "{\"sessionId\": \"S\"}")
      try talk.end("Target.setAutoAttach", "{}")
      try talk.pauseRequest("http://a.test/", kind: "Document", id: "1")
      try talk.respond(301, "", version: "v1")
      try talk.pauseRequest("https://www.a.test/", kind: "Document", id: "1")
      try talk.respond(200, "x", version: "v2")
      try talk.end("Page.navigate", "{}")
      try talk.receive(#"{"method": "Page.loadEventFired", "sessionId": "S", "params": {}}"#)
      try talk.tick(1)
      try talk.inspect(at: 1)
      try talk.read(#"{"url": "\#(url)", "size": 9, "markup": ""}"#)
      return talk.session.result
    }
    let page = try #require(try end(at: "https://www.a.test/home")?.get())
    #expect(page.source.description == "https://www.a.test/" && page.version == "v2")
    #expect(
      try end(at: "https://evil.test/") == .failure(.leftSite(url: "https://evil.test/")))
  }

  @Test func `a page that never stops loading is read after a while`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.receive(#"{"method": "Page.loadEventFired", "sessionId": "S", "params": {}}"#, at: 1)
    for step in 0..<20 {
      try talk.pauseRequest("https://a.test/\(step)", id: "\(step)", at: Double(step) / 2)
      try talk.tick(Double(step) / 2)
    }
    #expect(!talk.methods.contains("Page.createIsolatedWorld"))
    #expect(talk.session.deadline == .seconds(10))
    try talk.tick(10)
    #expect(talk.methods.last == "Page.createIsolatedWorld")
  }

  @Test func `a page with an endless loop is aborted`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.tick(10)
    try talk.end("Page.createIsolatedWorld", #"{"executionContextId": 7}"#, at: 10)
    #expect(talk.session.deadline == .seconds(30))
    try talk.tick(29)
    #expect(talk.session.result == nil)
    try talk.tick(30)
    #expect(talk.session.result == .failure(.tooLong))
    try talk.receive(#"{"method": "Page.loadEventFired", "sessionId": "S", "params": {}}"#, at: 31)
    #expect(talk.session.result == .failure(.tooLong))
  }

  @Test func `a too large document is aborted`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.tick(10)
    try talk.inspect(at: 10)
    try talk.read(#"{"url": "https://a.test/page", "size": 200000000}"#, at: 11)
    #expect(talk.session.result == .failure(.tooLarge(limit: 20_000_000)))
    var other = try Talk()
    try other.begin()
    other.session.messageTooLong()
    #expect(other.session.result == .failure(.tooLarge(limit: 20_000_000)))
  }

  @Test func `a page that navigates while it is read is read again`() throws {
    var talk = try Talk()
    try talk.begin()
    for attempt in 1...3 {
      #expect(talk.session.result == nil, "\(attempt)")
      try talk.tick(10)
      let id = try #require(talk.commands.last { $0.method == "Page.createIsolatedWorld" }?.id)
      try talk.receive(#"{"id": \#(id), "error": {"code": -1, "message": "No frame"}}"#, at: 10)
    }
    #expect(talk.session.result == .failure(.ended))
  }

  @Test(
    arguments: [
      (
        #"{"method": "Inspector.targetCrashed", "sessionId": "S", "params": {}}"#,
        RenderFailure.ended
      ),
      (#"{"method": "Target.targetCrashed", "params": {"targetId": "T"}}"#, .ended),
      (#"{"method": "Target.targetDestroyed", "params": {"targetId": "T"}}"#, .ended),
    ] as [(String, RenderFailure)])
  func `a crash of the page is an error`(_ message: String, _ failure: RenderFailure) throws {
    var talk = try Talk()
    try talk.begin()
    try talk.receive(#"{"method": "Target.targetDestroyed", "params": {"targetId": "other"}}"#)
    #expect(talk.session.result == nil)
    try talk.receive(message)
    #expect(talk.session.result == .failure(failure))
  }

  @Test func `a browser that exits is distinguished from one that does not start`() throws {
    var talk = try Talk()
    talk.session.browserEnded()
    #expect(talk.session.result == .failure(.notStarted("")))
    talk = try Talk()
    try talk.begin()
    talk.session.browserEnded()
    #expect(talk.session.result == .failure(.ended))
  }

  @Test func `a page that cannot be loaded is reported with the message of the cache`() throws {
    var talk = try Talk()
    try talk.end("Browser.getVersion", "{}")
    try talk.end("Target.createTarget", "{\"targetId\": \"T\"}")
    try talk.end("Target.attachToTarget", "{\"sessionId\": \"S\"}")
    try talk.end("Target.setAutoAttach", "{}")
    try talk.pauseRequest("https://a.test/page", kind: "Document")
    let load = try #require(talk.loads.last)
    var other = talk
    try talk.record(talk.session.receive(load, .failure("not saved"), at: .zero))
    #expect(talk.session.result == .failure(.page("not saved")))
    try other.respond(404, "gone")
    #expect(other.session.result == .failure(.page("404 Not Found")))
  }

  @Test func `a script that waits for the user does not block`() throws {
    var talk = try Talk()
    try talk.begin()
    try talk.receive(
      #"{"method": "Page.javascriptDialogOpening", "sessionId": "S", "params": {"type": "alert"}}"#)
    #expect(talk.commands.last?.method == "Page.handleJavaScriptDialog")
    #expect(talk.commands.last?.parameters["accept"] == .bool(false))
  }

  @Test(arguments: Seeds.all)
  func `any bytes from the browser are accepted without a crash`(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let samples = [
      #"{"id": 1, "result": {"targetId": 5}}"#, #"{"id": 1e400}"#, "[]", "{", "\u{0}",
      #"{"method": "Fetch.requestPaused"}"#,
      #"{"method": "Target.attachedToTarget", "params": []}"#,
      #"{"id": 2, "error": "x"}"#, #"{"id": 3, "result": [[[[]]]]}"#,
    ]
    for _ in 0..<200 {
      var talk = try Talk()
      for _ in 0..<8 {
        var bytes = Array(samples.randomElement(using: &generator)!.utf8)
        if Bool.random(using: &generator), !bytes.isEmpty {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        guard let message = DevToolsMessage(bytes) else { continue }
        _ = talk.session.receive(message, at: .zero)
      }
      _ = talk.session.tick(at: .seconds(30))
      #expect(talk.session.result != nil)
    }
  }
}
