import DOM
import OfflineCache

/// The talk with a browser about one page, from its start to the document: told what it says and what time it
/// is, this says what is to be done. It has neither a pipe nor a clock.
struct RenderSession: Sendable {
  /// What is to be done.
  enum Action: Sendable, Equatable {
    /// These bytes go to the browser.
    case send([UInt8])
    /// The cache is asked, and `answer` told of it.
    case load(BrowserRequest)
  }

  /// What the browser has made.
  struct Document: Sendable, Equatable {
    /// The document, serialised.
    var markup: String
    /// Its address, and the one that has given the page, after redirects.
    var url: String
    var source: WebURL
    /// The browser, with its version: `chromium/156.0.8078.79`.
    var browser: String
    /// The version of the archive that its scripts came from; nil when that is not saved.
    var version: String?
    /// How many requests were refused, as the page asked for too much.
    var refused = 0
  }

  /// How much a page may use.
  struct Limits: Sendable, Equatable {
    /// The requests that are answered, and the bytes of all answers.
    var requests = 200
    var bytes = 50_000_000
    /// The characters of the document.
    var document = 20_000_000
    /// A page is done when for so long nothing was asked for.
    var quiet = Duration.milliseconds(500)
    /// A page that goes on asking is taken as it is after this time.
    var patience = Duration.seconds(10)
    /// After this time there is no page.
    var whole = Duration.seconds(30)
  }

  private enum Step: Sendable, Equatable {
    case version, target, attaching, settling, navigating, waiting, world, reading
    /// It is looked for shadow roots that are closed to scripts, and they are made objects of them.
    case document, markup, nodes, root
  }

  private let url: WebURL
  /// What has given the page, after redirects.
  private var source: WebURL
  private let limits: Limits
  private var lastID = 0
  /// The step that each command that is waited for belongs to.
  private var steps: [Int: Step] = [:]
  private var step = Step.version
  private var browser = ""
  private var target = ""
  private var session: String?
  private var began = Duration.zero
  private var lastActivity = Duration.zero
  private var isLoaded = false
  private var hasContent = false
  private var pending: [BrowserRequest] = []
  private var sources = RenderSources()
  private var requests = 0
  private var refused = 0
  private var bytes = 0
  private var version: String?
  private var attempts = 0
  /// The world in which it is read, the objects that closed shadow roots are there, and how many are to come.
  private var context: JSONValue?
  private var roots: [JSONValue] = []
  private var comingRoots = 0
  /// What came of it; nil as long as it goes on.
  private(set) var result: Result<Document, RenderFailure>?

  /// Prepares for a page.
  init(_ url: WebURL, limits: Limits = Limits()) {
    (self.url, source, self.limits) = (url, url, limits)
  }

  /// When it wants to be told the time.
  var deadline: Duration {
    let end = limits.whole
    guard step == .waiting else { return end }
    let quiet = isQuietPossible ? lastActivity + limits.quiet : end
    return min(end, quiet, began + limits.patience)
  }

  private var isQuietPossible: Bool { isLoaded && pending.isEmpty }

  // MARK: What comes

  /// Begins.
  mutating func start() -> [Action] {
    [
      send(DevToolsCommand("Browser.getVersion"), for: .version),
      send(DevToolsCommand("Browser.setDownloadBehavior", ["behavior": .string("deny")])),
      send(
        DevToolsCommand("Target.createTarget", ["url": .string("about:blank")]), for: .target),
    ]
  }

  /// Takes a message.
  /// - Parameters:
  ///   - message: what the browser says.
  ///   - now: the time since the start.
  /// - Returns: what is to be done.
  mutating func receive(_ message: DevToolsMessage, at now: Duration) -> [Action] {
    guard result == nil else { return [] }
    switch message {
    case .result(let id, let value):
      return steps.removeValue(forKey: id).map { take(value, of: $0, at: now) } ?? []
    case .refusal(let id, let words):
      guard let step = steps.removeValue(forKey: id) else { return [] }
      return refuse(step, words, at: now)
    case .event(let name, let value, let session):
      return take(event: name, value, session, at: now)
    }
  }

  /// Takes what the cache answers to a request that was handed out.
  mutating func answer(_ request: BrowserRequest, _ answer: BrowserAnswer, at now: Duration)
    -> [Action]
  {
    guard result == nil, let index = pending.firstIndex(of: request) else { return [] }
    pending.remove(at: index)
    lastActivity = now
    var answer = answer
    switch answer {
    case .response(let head, let content, let version):
      bytes += content.count
      if bytes > limits.bytes { answer = .failure("too much") }
      if request.isPage, !hasContent {
        (self.version, source) = (version, request.url)
        hasContent = (200..<300).contains(head.status)
        if head.status >= 400 {
          return end(.page(ReaderError.words(forStatus: head.status)))
        }
      }
      if let failure = sources.note(head, for: request) { answer = .failure(failure) }
    case .failure: break
    }
    if case .failure(let words) = answer, request.isPage, !hasContent { return end(.page(words)) }
    return [send(answer.command(for: request))]
  }

  /// Takes the time.
  mutating func tick(at now: Duration) -> [Action] {
    guard result == nil else { return [] }
    if now >= limits.whole { return end(.tooLong) }
    guard step == .waiting, hasContent else { return [] }
    let isQuiet = isQuietPossible && now >= lastActivity + limits.quiet
    guard isQuiet || now >= began + limits.patience else { return [] }
    step = .world
    return [
      send(
        DevToolsCommand(
          "Page.createIsolatedWorld",
          ["frameId": .string(target), "worldName": .string("offread")], to: session), for: .world)
    ]
  }

  /// Takes that the browser has ended.
  mutating func browserEnded() {
    if result == nil { result = .failure(step == .version ? .notStarted("") : .ended) }
  }

  /// Takes that a message was too long to be read.
  mutating func messageTooLong() { _ = end(.tooLarge(limit: limits.document)) }

  // MARK: Commands that have ended

  private mutating func take(_ value: JSONValue, of step: Step, at now: Duration) -> [Action] {
    switch step {
    case .version:
      // "Chrome/156.0.8078.79", or "HeadlessChrome/…".
      let number = (value["product"]?.string ?? "").drop { $0 != "/" }.dropFirst()
      browser = "chromium/" + number.filter { $0.isASCII && ($0.isNumber || $0 == ".") }
      if self.step == .version { self.step = .target }
    case .target:
      target = value["targetId"]?.string ?? ""
      self.step = .attaching
      return [
        send(
          DevToolsCommand(
            "Target.attachToTarget", ["targetId": .string(target), "flatten": .bool(true)]),
          for: .attaching)
      ]
    case .attaching:
      session = value["sessionId"]?.string
      self.step = .settling
      return [
        send(
          DevToolsCommand(
            "Emulation.setDeviceMetricsOverride",
            [
              // Long, so that what is loaded when it comes into sight is in sight.
              "width": .number(1280), "height": .number(4096), "deviceScaleFactor": .number(1),
              "mobile": .bool(false),
            ], to: session))
      ] + settle(session, for: .settling)
    case .settling:
      // A page that is asked for before is loaded, now and then, before its events are told.
      self.step = .navigating
      (began, lastActivity) = (now, now)
      return [
        send(
          DevToolsCommand("Page.navigate", ["url": .string(url.description)], to: session),
          for: .navigating)
      ]
    case .navigating:
      if let words = value["errorText"]?.string, !words.isEmpty { return end(.page(words)) }
      self.step = .waiting
    case .waiting: break
    case .world:
      guard let context = value["executionContextId"] else { return again(at: now) }
      self.step = .reading
      (self.context, roots, comingRoots) = (context, [], 0)
      return [
        send(
          DevToolsCommand(
            "Runtime.evaluate",
            ["expression": .string(Serialisation.document), "contextId": context],
            to: session), for: .document)
      ]
    case .document:
      if value["result"]?["subtype"]?.string == "null" { return [serialise()] }
      guard let object = value["result"]?["objectId"] else { return again(at: now) }
      return [
        send(
          DevToolsCommand(
            "DOM.getOuterHTML", ["objectId": object, "includeShadowDOM": .bool(true)], to: session),
          for: .markup)
      ]
    case .markup:
      guard Serialisation.mayHaveClosedRoots(value["outerHTML"]?.string ?? "") else {
        return [serialise()]
      }
      return [
        send(
          DevToolsCommand(
            "DOM.getDocument", ["depth": .number(-1), "pierce": .bool(true)], to: session),
          for: .nodes)
      ]
    case .nodes:
      let found = Serialisation.closedRoots(of: value["root"] ?? .null)
      comingRoots = found.count
      guard let context, !found.isEmpty else { return [serialise()] }
      return found.map {
        send(
          DevToolsCommand(
            "DOM.resolveNode", ["backendNodeId": $0, "executionContextId": context], to: session),
          for: .root)
      }
    case .root: return took(root: value["object"]?["objectId"])
    case .reading: return read(value["result"]?["value"], at: now)
    }
    return []
  }

  private mutating func refuse(_ step: Step, _ words: String, at now: Duration) -> [Action] {
    switch step {
    case .version, .target, .attaching, .settling: end(.notStarted(words))
    case .navigating: end(.page(words))
    // The page went on to another while it was read.
    case .waiting, .world, .document, .reading: again(at: now)
    // It is read without what is closed.
    case .markup, .nodes: [serialise()]
    case .root: took(root: nil)
    }
  }

  private mutating func took(root: JSONValue?) -> [Action] {
    if let root { roots.append(.object(["objectId": root])) }
    comingRoots -= 1
    return comingRoots == 0 ? [serialise()] : []
  }

  private mutating func serialise() -> Action {
    send(
      DevToolsCommand(
        "Runtime.callFunctionOn",
        [
          "functionDeclaration": .string(Serialisation.function),
          "executionContextId": context ?? .null, "returnByValue": .bool(true),
          "arguments": .array([.object(["value": .number(Double(limits.document))])] + roots),
        ], to: session), for: .reading)
  }

  private mutating func read(_ value: JSONValue?, at now: Duration) -> [Action] {
    guard let value, let size = value["size"]?.number, let address = value["url"]?.string else {
      return again(at: now)
    }
    guard size <= Double(limits.document), let markup = value["markup"]?.string else {
      return end(.tooLarge(limit: limits.document))
    }
    guard let shown = WebURL(address), shown.origin == source.origin else {
      return end(.left(url: address))
    }
    result = .success(
      Document(
        markup: markup, url: shown.withoutCredentials.description, source: source,
        browser: browser, version: version, refused: refused))
    return []
  }

  private static let mostAttempts = 3

  private mutating func again(at now: Duration) -> [Action] {
    attempts += 1
    guard attempts < Self.mostAttempts else { return end(.ended) }
    (step, lastActivity) = (.waiting, now)
    return []
  }

  // MARK: Events

  private mutating func take(
    event name: String, _ value: JSONValue, _ session: String?, at now: Duration
  ) -> [Action] {
    switch name {
    case "Fetch.requestPaused":
      lastActivity = now
      return [judge(value, session)]
    case "Target.attachedToTarget": return attach(value)
    case "Page.loadEventFired" where session == self.session:
      isLoaded = true
      lastActivity = now
    case "Page.javascriptDialogOpening":
      return [
        send(
          DevToolsCommand("Page.handleJavaScriptDialog", ["accept": .bool(false)], to: session))
      ]
    case "Inspector.targetCrashed" where session == self.session: return end(.ended)
    case "Target.targetCrashed", "Target.targetDestroyed":
      if value["targetId"]?.string == target { return end(.ended) }
    default: break
    }
    return []
  }

  /// A request of the page: the cache is asked, or it is refused.
  private mutating func judge(_ event: JSONValue, _ session: String?) -> Action {
    let id = event["requestId"]?.string ?? ""
    guard requests < limits.requests, bytes <= limits.bytes else {
      refused += 1
      return send(.refusing(id, in: session))
    }
    guard var request = BrowserRequest(event, session: session, page: target)
    else { return send(.refusing(id, in: session)) }
    requests += 1
    request.isPublicOnly = sources.isPublicOnly(request)
    if let permission = request.permission { return send(permission) }
    pending.append(request)
    return .load(request)
  }

  /// A frame or a worker: what it asks for comes here, too, before it runs.
  private mutating func attach(_ event: JSONValue) -> [Action] {
    let info = event["targetInfo"]
    guard let session = event["sessionId"]?.string, let id = info?["targetId"]?.string,
      id != target
    else { return [] }
    guard info?["type"]?.string != "page" else {
      return [send(DevToolsCommand("Target.closeTarget", ["targetId": .string(id)]))]
    }
    return settle(session) + [
      send(DevToolsCommand("Runtime.runIfWaitingForDebugger", to: session))
    ]
  }

  private mutating func settle(_ session: String?, for step: Step? = nil) -> [Action] {
    [
      send(
        DevToolsCommand(
          "Fetch.enable", ["patterns": .array([.object(["urlPattern": .string("*")])])],
          to: session)),
      send(DevToolsCommand("Page.enable", to: session)),
      send(
        DevToolsCommand(
          "Target.setAutoAttach",
          [
            "autoAttach": .bool(true), "waitForDebuggerOnStart": .bool(true),
            "flatten": .bool(true),
          ], to: session), for: step),
    ]
  }

  // MARK: What goes out

  private mutating func send(_ command: DevToolsCommand, for step: Step? = nil) -> Action {
    lastID += 1
    if let step { steps[lastID] = step }
    return .send(command.bytes(id: lastID))
  }

  private mutating func end(_ failure: RenderFailure) -> [Action] {
    result = .failure(failure)
    return []
  }
}
