import Pages
import DOM
import OfflineCache

/// The state machine of rendering one page. It receives the messages of the browser and the current
/// time, and returns actions. It has neither a pipe nor a clock. The legal transitions are:
///
/// - `starting`: to `preparing` with the first result of the browser.
/// - `preparing`: to `loading` when navigation to the page has begun.
/// - `loading`: to `reading` when the page is complete, or after `Limits.maxWait`.
/// - `reading`: to `ended` with the document, to `loading` to read it again.
/// - `ended`: final. Every state changes to `ended` with a failure.
struct RenderSession: Sendable {
  /// An action for the caller.
  enum Action: Sendable, Equatable {
    /// Send these bytes to the browser.
    case send([UInt8])
    /// Load the request from the cache, and pass the response to `receive(_:_:at:)`.
    case load(BrowserRequest)
  }

  /// A rendered document.
  struct Document: Sendable, Equatable {
    /// The serialized document.
    var markup: String
    /// The URL of the document after scripts have run.
    var url: String
    /// The URL that the page was loaded from, after redirects.
    var source: WebURL
    /// The browser with its version: `chromium/156.0.8078.79`.
    var browser: String
    /// The saved version of the page whose scripts ran; nil if the page is not saved.
    var version: String?
    /// The number of requests that were refused because the page made too many.
    var refusedCount = 0
  }

  /// Limits of a page.
  struct Limits: Sendable, Equatable {
    /// Maximum number of requests.
    var maxRequests = 200
    /// Maximum total size of the responses, in bytes.
    var maxBytes = 50_000_000
    /// Maximum length of the serialized document, in UTF-16 code units.
    var maxDocumentLength = 20_000_000
    /// The page is complete when it has made no request for this time.
    var quietPeriod = Duration.milliseconds(500)
    /// A page that keeps making requests is read after this time.
    var maxWait = Duration.seconds(10)
    /// Rendering fails after this time.
    var maxDuration = Duration.seconds(30)
  }

  /// A state; the comment of `RenderSession` lists the transitions.
  private enum State: Sendable, Equatable {
    /// The browser has not responded yet.
    case starting
    /// The tab is created and prepared.
    case preparing
    /// The page loads and its scripts run.
    case loading
    /// The document is serialized.
    case reading
    case ended(Result<Document, RenderFailure>)
  }

  /// A command whose result is awaited.
  private enum Step: Sendable, Equatable {
    /// Returns the version of the browser.
    case version
    /// Creates the tab.
    case target
    /// Attaches to the tab.
    case attaching
    /// Enables the events of the tab, as the last command that prepares it.
    case settling
    /// Navigates to the page.
    case navigating
    /// Creates the isolated world that serializes the document.
    case world
    /// The steps that search for closed shadow roots and resolve them to script objects.
    case document, markup, nodes, root
    /// Serializes the document.
    case reading
  }

  /// What is known for serializing the document.
  private struct Reading: Sendable {
    /// The isolated world that serializes the document.
    let context: JSONValue
    /// The closed shadow roots, as objects of the isolated world.
    var shadowRoots: [JSONValue] = []
    /// The number of shadow roots that are still to be resolved.
    var pendingShadowRootCount = 0
  }

  private let url: WebURL
  /// The URL that the page was loaded from, after redirects.
  private var source: WebURL
  private let limits: Limits
  private var lastID = 0
  /// The steps of the commands that have not ended yet, by the numbers of the commands.
  private var steps: [Int: Step] = [:]
  private var state = State.starting
  private var browser = ""
  private var target = ""
  private var session: String?
  private var loadStart = Duration.zero
  private var lastActivity = Duration.zero
  private var isLoaded = false
  private var hasContent = false
  private var pendingRequests: [BrowserRequest] = []
  private var sources = RenderSources()
  private var requestCount = 0
  private var refusedCount = 0
  private var receivedByteCount = 0
  private var version: String?
  private var attempts = 0
  /// The latest attempt to read the document; nil until its isolated world was created.
  private var reading: Reading?

  /// Creates a session for a page.
  init(_ url: WebURL, limits: Limits = Limits()) {
    (self.url, source, self.limits) = (url, url, limits)
  }

  /// The result; nil while rendering is in progress.
  var result: Result<Document, RenderFailure>? {
    if case .ended(let result) = state { result } else { nil }
  }

  /// The time at which `tick` must be called next.
  var deadline: Duration {
    let end = limits.maxDuration
    guard state == .loading else { return end }
    let quiet = isQuietPossible ? lastActivity + limits.quietPeriod : end
    return min(end, quiet, loadStart + limits.maxWait)
  }

  private var isQuietPossible: Bool { isLoaded && pendingRequests.isEmpty }

  // MARK: Input

  /// Starts the session.
  mutating func start() -> [Action] {
    [
      send(.gettingVersion, for: .version), send(.refusingDownloads),
      send(.creatingTab, for: .target),
    ]
  }

  /// Processes a message of the browser.
  /// - Parameters:
  ///   - message: the message.
  ///   - now: the time since the start.
  /// - Returns: the next actions.
  mutating func receive(_ message: DevToolsMessage, at now: Duration) -> [Action] {
    guard result == nil else { return [] }
    switch message {
    case .result(let id, let value):
      return steps.removeValue(forKey: id).map { process(value, of: $0, at: now) } ?? []
    case .refusal(let id, let text):
      guard let step = steps.removeValue(forKey: id) else { return [] }
      return refuse(step, text, at: now)
    case .event(let name, let value, let session):
      return process(event: name, value, session, at: now)
    }
  }

  /// Processes the response of the cache to a request of a `load` action.
  mutating func receive(_ request: BrowserRequest, _ response: BrowserResponse, at now: Duration)
    -> [Action]
  {
    guard result == nil, let index = pendingRequests.firstIndex(of: request) else { return [] }
    pendingRequests.remove(at: index)
    lastActivity = now
    var response = response
    switch response {
    case .response(let head, let content, let version):
      receivedByteCount += content.count
      if receivedByteCount > limits.maxBytes { response = .failure("too much") }
      if request.isPage, !hasContent {
        (self.version, source) = (version, request.url)
        hasContent = (200..<300).contains(head.status)
        if head.status >= 400 {
          return end(.page(ReaderError.statusText(forStatus: head.status)))
        }
      }
      if let failure = sources.record(head, for: request) { response = .failure(failure) }
    case .failure: break
    }
    if case .failure(let message) = response, request.isPage, !hasContent {
      return end(.page(message))
    }
    return [send(response.command(for: request))]
  }

  /// Processes the current time.
  mutating func tick(at now: Duration) -> [Action] {
    guard result == nil else { return [] }
    if now >= limits.maxDuration { return end(.tooLong) }
    guard state == .loading, hasContent else { return [] }
    let isQuiet = isQuietPossible && now >= lastActivity + limits.quietPeriod
    guard isQuiet || now >= loadStart + limits.maxWait else { return [] }
    state = .reading
    return [send(.creatingWorld(in: target, session), for: .world)]
  }

  /// Processes the end of the browser.
  mutating func browserEnded() {
    if result == nil { _ = end(state == .starting ? .notStarted("") : .ended) }
  }

  /// Processes a message that exceeds the maximum length.
  mutating func messageTooLong() { _ = end(.tooLarge(limit: limits.maxDocumentLength)) }

  // MARK: Results of commands

  private mutating func process(_ value: JSONValue, of step: Step, at now: Duration) -> [Action] {
    switch step {
    case .version:
      // "Chrome/156.0.8078.79" or "HeadlessChrome/…".
      let version = (value["product"]?.string ?? "").drop { $0 != "/" }.dropFirst()
      browser = "chromium/" + version.filter { $0.isASCII && ($0.isNumber || $0 == ".") }
      if state == .starting { state = .preparing }
    case .target:
      target = value["targetId"]?.string ?? ""
      state = .preparing
      return [send(.attaching(to: target), for: .attaching)]
    case .attaching:
      session = value["sessionId"]?.string
      return [send(.settingViewport(in: session))] + prepareTarget(session, for: .settling)
    case .settling:
      // If navigation starts earlier, the page sometimes loads before its events are enabled.
      (loadStart, lastActivity) = (now, now)
      return [send(.navigating(to: url, in: session), for: .navigating)]
    case .navigating:
      if let text = value["errorText"]?.string, !text.isEmpty { return end(.page(text)) }
      state = .loading
    case .world:
      guard let context = value["executionContextId"] else { return retry(at: now) }
      reading = Reading(context: context)
      return [send(.gettingDocument(from: context, session), for: .document)]
    case .document:
      if value["result"]?["subtype"]?.string == "null" { return [serialize()] }
      guard let objectID = value["result"]?["objectId"] else { return retry(at: now) }
      return [send(.gettingMarkup(ofObject: objectID, session), for: .markup)]
    case .markup:
      guard Serialization.mayHaveClosedRoots(value["outerHTML"]?.string ?? "") else {
        return [serialize()]
      }
      return [send(.gettingNodes(in: session), for: .nodes)]
    case .nodes:
      let closedRoots = Serialization.closedRoots(of: value["root"] ?? .null)
      reading?.pendingShadowRootCount = closedRoots.count
      guard let context = reading?.context, !closedRoots.isEmpty else { return [serialize()] }
      return closedRoots.map { send(.resolving($0, in: context, session), for: .root) }
    case .root: return receive(root: value["object"]?["objectId"])
    case .reading: return read(value["result"]?["value"], at: now)
    }
    return []
  }

  private mutating func refuse(_ step: Step, _ text: String, at now: Duration) -> [Action] {
    switch step {
    case .version, .target, .attaching, .settling: end(.notStarted(text))
    case .navigating: end(.page(text))
    // The page navigated to another document while it was read.
    case .world, .document, .reading: retry(at: now)
    // The document is serialized without its closed shadow roots.
    case .markup, .nodes: [serialize()]
    case .root: receive(root: nil)
    }
  }

  private mutating func receive(root: JSONValue?) -> [Action] {
    if let root { reading?.shadowRoots.append(.object(["objectId": root])) }
    reading?.pendingShadowRootCount -= 1
    return reading?.pendingShadowRootCount == 0 ? [serialize()] : []
  }

  private mutating func serialize() -> Action {
    send(
      .serializing(
        in: reading?.context ?? .null, reading?.shadowRoots ?? [],
        maxLength: limits.maxDocumentLength, session), for: .reading)
  }

  private mutating func read(_ value: JSONValue?, at now: Duration) -> [Action] {
    guard let value, let size = value["size"]?.number, let address = value["url"]?.string else {
      return retry(at: now)
    }
    guard size <= Double(limits.maxDocumentLength), let markup = value["markup"]?.string else {
      return end(.tooLarge(limit: limits.maxDocumentLength))
    }
    guard let shown = WebURL(address), shown.origin == source.origin else {
      return end(.leftSite(url: address))
    }
    state = .ended(
      .success(
        Document(
          markup: markup, url: shown.withoutCredentials.description, source: source,
          browser: browser, version: version, refusedCount: refusedCount)))
    return []
  }

  private static let maxAttempts = 3

  private mutating func retry(at now: Duration) -> [Action] {
    attempts += 1
    guard attempts < Self.maxAttempts else { return end(.ended) }
    (state, lastActivity) = (.loading, now)
    return []
  }

  // MARK: Events

  private mutating func process(
    event name: String, _ value: JSONValue, _ session: String?, at now: Duration
  ) -> [Action] {
    switch name {
    case "Fetch.requestPaused":
      lastActivity = now
      return [decide(value, session)]
    case "Target.attachedToTarget": return attach(value)
    case "Page.loadEventFired" where session == self.session:
      isLoaded = true
      lastActivity = now
    case "Page.javascriptDialogOpening":
      return [send(.dismissingDialog(in: session))]
    case "Inspector.targetCrashed" where session == self.session: return end(.ended)
    case "Target.targetCrashed", "Target.targetDestroyed":
      if value["targetId"]?.string == target { return end(.ended) }
    default: break
    }
    return []
  }

  /// Decides whether a request of the page is loaded from the cache or refused.
  private mutating func decide(_ event: JSONValue, _ session: String?) -> Action {
    let id = event["requestId"]?.string ?? ""
    guard requestCount < limits.maxRequests, receivedByteCount <= limits.maxBytes else {
      refusedCount += 1
      return send(.refusing(id, in: session))
    }
    guard var request = BrowserRequest(event, session: session, page: target)
    else { return send(.refusing(id, in: session)) }
    requestCount += 1
    request.isPublicOnly = sources.isPublicOnly(request)
    if let permission = request.permission { return send(permission) }
    pendingRequests.append(request)
    return .load(request)
  }

  /// Attaches to a frame or a worker before it runs, so that its requests are intercepted as well.
  /// Closes new windows.
  private mutating func attach(_ event: JSONValue) -> [Action] {
    let info = event["targetInfo"]
    guard let session = event["sessionId"]?.string, let id = info?["targetId"]?.string,
      id != target
    else { return [] }
    guard info?["type"]?.string != "page" else {
      return [send(.closing(id))]
    }
    return prepareTarget(session) + [send(.runningIfWaiting(in: session))]
  }

  private mutating func prepareTarget(_ session: String?, for step: Step? = nil) -> [Action] {
    [
      send(.interceptingRequests(in: session)), send(.enablingPageEvents(in: session)),
      send(.attachingAutomatically(in: session), for: step),
    ]
  }

  // MARK: Output

  private mutating func send(_ command: DevToolsCommand, for step: Step? = nil) -> Action {
    lastID += 1
    if let step { steps[lastID] = step }
    return .send(command.bytes(id: lastID))
  }

  private mutating func end(_ failure: RenderFailure) -> [Action] {
    state = .ended(.failure(failure))
    return []
  }
}
