@testable import Pages
import Crawl
import Feeds
import Foundation
import OfflineCache
import Testing

@testable import Saving

/// The machine receives events and returns actions; the tests are tables of both.
@Suite struct CrawlStateMachineTests {
  private static let home = "http://a.example/"

  private static func request(
    _ pages: [String] = [home], _ change: (inout SaveRequest) -> Void = { _ in }
  ) -> SaveRequest {
    var request = SaveRequest(pages: pages)
    request.pace.minGap = .zero
    change(&request)
    return request
  }

  private static func urls(_ texts: String...) -> [WebURL] { texts.compactMap { WebURL($0) } }

  private static func check(_ request: inout SaveRequest) { request.options.mode = .cacheOnly }

  // MARK: Results

  struct Meaning: CustomTestStringConvertible, Sendable {
    var name: String
    var ending: CrawlResult.Ending
    var facts = CrawlFacts()
    var change: @Sendable (inout CrawlResult) -> Void = { _ in }
    var actions: [String]

    var testDescription: String { name }
  }

  private static func facts(_ change: (inout CrawlFacts) -> Void) -> CrawlFacts {
    var facts = CrawlFacts()
    change(&facts)
    return facts
  }

  private static let found = CrawlResult.Ending.answered(
    status: 200, source: .network, isStored: true)
  private static let lost = CrawlResult.Ending.answered(
    status: 200, source: .network, isStored: false)
  private static let missing = CrawlResult.Ending.answered(
    status: 404, source: .network, isStored: false)
  private static let saved = facts { $0.isSaved = true }

  static let meanings = [
    Meaning(
      name: "stored", ending: found, facts: saved, actions: ["finish http://a.example/ saved"]),
    Meaning(
      name: "confirmed", ending: .answered(status: 200, source: .validated, isStored: true),
      facts: saved, change: { $0.task.wasSaved = true },
      actions: ["finish http://a.example/ unchanged"]),
    Meaning(
      name: "not stored, by a setting", ending: lost,
      actions: [#"finish http://a.example/ failed("the settings forbid saving it")"#]),
    Meaning(
      name: "not stored, with an older copy, by the server", ending: lost, facts: saved,
      change: { $0.forbidsStoring = true },
      actions: [
        #"finish http://a.example/ kept("its server forbids storing it (no-store)")"#
      ]),
    Meaning(
      name: "not stored, because of the directory", ending: lost,
      facts: facts { $0.warning = .unwritable("read-only") },
      actions: [#"finish http://a.example/ failed("pages cannot be saved: read-only")"#]),
    Meaning(
      name: "not stored on a full disk", ending: lost, facts: facts { $0.isDiskFull = true },
      actions: ["full"]),
    Meaning(
      name: "an error on a full disk", ending: .failed(.notSaved),
      facts: facts { ($0.isDiskFull, $0.isSaved) = (true, true) },
      actions: [#"finish http://a.example/ kept("\#(LoadError.notSaved.text.line)")"#]),
    Meaning(
      name: "not found, after a redirect", ending: missing,
      change: { $0.redirectChain = urls("http://a.example/", "http://a.example/b") },
      actions: [#"finish http://a.example/ failed("\#(ReaderError.statusText(forStatus: 404))")"#]),
    Meaning(
      name: "no response after a redirect", ending: .abandoned("no"),
      change: { $0.redirectChain = urls("http://a.example/") },
      actions: ["distrust http://a.example/", #"finish http://a.example/ failed("no")"#]),
    Meaning(
      name: "no response after an encrypted redirect", ending: .abandoned("no"),
      change: { $0.redirectChain = urls("https://a.example/") },
      actions: [#"finish http://a.example/ failed("no")"#]),
    Meaning(
      name: "an unencrypted redirect into a private network", ending: found, facts: saved,
      change: {
        $0.leavesPublicNetwork = true
        $0.redirectChain = urls("http://a.example/", "http://10.0.0.1/")
      },
      actions: [
        "distrust http://a.example/ http://10.0.0.1/", "is http://a.example/ saved?",
      ]),
    Meaning(
      name: "a feed", ending: found,
      facts: facts { ($0.isSaved, $0.feed) = (true, FeedRequest("http://a.example/")) },
      actions: ["follow http://a.example/ saved"]),
    Meaning(
      name: "a skipped page", ending: found,
      facts: facts { ($0.isSaved, $0.isExcluded) = (true, true) },
      actions: ["finish http://a.example/ saved, needs checked"]),
    Meaning(
      name: "a page with a style sheet", ending: found, facts: saved,
      change: { $0.parts = urls("http://a.example/s.css").map { PagePart(kind: .sheet, url: $0) } },
      actions: ["announce 1 of http://a.example/"]),
  ]

  @Test(arguments: meanings)
  func `the result of a page leads to the expected actions`(_ meaning: Meaning) throws {
    var machine = CrawlStateMachine(Self.request())
    machine.add(Self.home, isNamed: true, isPublicOnly: false)
    #expect(machine.dispatchPages(received: 0).isEmpty)
    var result = CrawlResult(task: try #require(Self.start(&machine).first), ending: meaning.ending)
    meaning.change(&result)
    #expect(
      Self.text(machine.handle(.ended(result, at: .seconds(1)))) == ["examine http://a.example/"])
    let actions = machine.handle(.examined(result, meaning.facts, .received))
    #expect(Self.text(actions) + (machine.isDiskFull ? ["full"] : []) == meaning.actions)
  }

  @Test func `a page of a busy host is requested three times, whatever other pages return`() throws
  {
    var machine = CrawlStateMachine(Self.request { $0.pace.backoff = .zero })
    machine.add(Self.home, isNamed: true, isPublicOnly: false)
    #expect(machine.dispatchPages(received: 0).isEmpty)
    for attempt in 1...3 {
      var result = CrawlResult(
        task: try #require(Self.start(&machine, at: .seconds(attempt)).first), ending: Self.missing)
      result.pace = .busy(retryAfter: nil)
      #expect(
        Self.text(machine.handle(.ended(result, at: .seconds(attempt))))
          == (attempt < 3 ? [] : ["examine http://a.example/"]))
    }
  }

  @Test(arguments: [
    CrawlResult.Ending.failed(.transport(.init(.incomplete))),
    .answered(status: 502, source: .network, isStored: false),
    .answered(status: 200, source: .saved(.status(504)), isStored: true),
  ])
  func `a page whose connection was closed, or whose gateway failed, is requested once more`(
    _ ending: CrawlResult.Ending
  ) throws {
    var machine = CrawlStateMachine(Self.request())
    machine.add(Self.home, isNamed: true, isPublicOnly: false)
    #expect(machine.dispatchPages(received: 0).isEmpty)
    for attempt in 1...2 {
      let instant = Duration.seconds(attempt)
      let task = try #require(Self.start(&machine, at: instant).first)
      let result = CrawlResult(task: task, ending: ending)
      #expect(
        Self.text(machine.handle(.ended(result, at: instant)))
          == (attempt < 2 ? [] : ["examine http://a.example/"]))
    }
  }

  @Test func `pages are not requested once more if the gateway of their host fails repeatedly`() {
    let pages = (1...20).map { "http://a.example/\($0)" }
    var machine = CrawlStateMachine(Self.request(pages))
    for page in pages { machine.add(page, isNamed: true, isPublicOnly: false) }
    #expect(machine.dispatchPages(received: 0).isEmpty)
    var requestCount = 0
    while case let tasks = Self.start(&machine, at: .seconds(requestCount)), !tasks.isEmpty,
      requestCount < 100
    {
      for task in tasks {
        requestCount += 1
        let result = CrawlResult(
          task: task, ending: .answered(status: 502, source: .network, isStored: false))
        _ = machine.handle(.ended(result, at: .seconds(requestCount)))
      }
    }
    #expect(requestCount == 24)
  }

  // MARK: Order of actions

  /// The links of a page with a URL.
  private static func content(_ html: String, of url: String = home) -> PageLinks? {
    WebURL(url).flatMap {
      PageLinks(Array(html.utf8), type: "text/html", url: $0, limit: 1 << 20)
    }
  }

  /// Runs a save of pages in memory; other URLs are missing.
  /// - Returns: The actions, in order.
  private static func run(
    _ request: SaveRequest, _ pages: [String: String], done: [String] = [],
    saved: Set<String> = [], change: (inout CrawlResult, inout CrawlFacts) -> Void = { _, _ in }
  ) -> [String] {
    var finishedPages = SeenTexts()
    for url in done { finishedPages.insert(url) }
    var machine = CrawlStateMachine(request, finishedPages: finishedPages)
    for url in request.pages { machine.add(url, isNamed: true, isPublicOnly: false) }
    var actions: [String] = []
    var received: Int64 = 0
    func perform(_ all: [CrawlStateMachine.Action]) {
      for action in all {
        actions += text([action])
        let event: CrawlStateMachine.Event? =
          switch action {
          case .load(let task):
            .ended(result(of: task), at: .seconds(1))
          case .examine(var result, let stage): examined(&result, stage)
          case .findRobots(let origin):
            .foundRobots(saved.contains(origin + "/robots.txt"), origin: origin)
          case .findImages(let images, let page):
            .foundImages(saved.intersection(images.map(\.key)), of: images, page: page)
          case .findPart(let url, let page, let level):
            .foundPart(
              saved.contains(url.description),
              content(pages[url.description] ?? "", of: url.description), page: page, level: level)
          case .findCopy(let entry, let reason, let isRejected):
            .foundCopy(saved.contains(entry.url), entry, reason: reason, isRejected: isRejected)
          case .followFeed(_, let page): .followedFeed(page: page)
          case .distrust, .announce, .finish: nil
          }
        if let event { perform(machine.handle(event)) }
      }
    }
    func result(of task: CrawlTask) -> CrawlResult {
      guard let html = pages[task.url.description] else {
        return CrawlResult(task: task, ending: missing)
      }
      received += Int64(html.utf8.count)
      var result = CrawlResult(task: task, ending: found)
      result.size = Int64(html.utf8.count)
      if task.job.readsContent { result.links = content(html, of: task.url.description) }
      if case .robots = task.job { result.body = Array(html.utf8) }
      return result
    }
    func examined(_ result: inout CrawlResult, _ stage: CrawlStateMachine.Stage)
      -> CrawlStateMachine.Event
    {
      var facts = CrawlFacts()
      let url = result.task.url.description
      facts.isSaved = pages[url] != nil || saved.contains(url)
      change(&result, &facts)
      return .examined(result, facts, stage)
    }
    for _ in 0..<1000 {
      while case let more = machine.dispatchPages(received: received), !more.isEmpty {
        perform(more)
      }
      switch machine.next(at: .seconds(1), now: .distantPast, received: received) {
      case .perform(let more): perform(more)
      case .wait: return actions + ["stuck"]
      case .done:
        let settled = machine.resolveWithheld()
        perform(settled)
        if settled.isEmpty, machine.unfinishedCount == 0, machine.frontier.isDone { return actions }
      }
    }
    return actions + ["endless"]
  }

  @Test func `images and frames are loaded after their page, and links in frames are followed`() {
    let pages = [
      Self.home: #"<title>T</title><a href="/x">x</a><img alt=a src="/i.png"><iframe src="/f">"#,
      "http://a.example/f": #"<p>frame<a href="/y">y</a>"#, "http://a.example/i.png": "",
      "http://a.example/x": "<p>x", "http://a.example/y": "<p>y",
    ]
    let actions = Self.run(
      Self.request {
        $0.bounds.depth = 1
        $0.obeysRobots = false
      }, pages)
    #expect(
      actions.filter { !$0.hasPrefix("examine") } == [
        "load http://a.example/", "load http://a.example/i.png", "load http://a.example/f",
        "finish http://a.example/ saved, needs checked", "load http://a.example/x",
        "finish http://a.example/x saved, needs checked", "load http://a.example/y",
        "finish http://a.example/y saved, needs checked",
      ])
  }

  @Test func `the images of a page are loaded before the pages that wait`() {
    let pages = [
      Self.home: #"<a href="/x">x</a> <a href="/y">y</a>"#,
      "http://a.example/x": "<p>x<img alt=a src='/x.png'>", "http://a.example/y": "<p>y",
      "http://a.example/x.png": "",
    ]
    let request = Self.request {
      $0.bounds.depth = 1
      $0.obeysRobots = false
    }
    let actions = Self.run(request, pages).filter { !$0.hasPrefix("examine") }
    #expect(
      actions.dropFirst(2) == [
        "load http://a.example/x", "load http://a.example/x.png",
        "finish http://a.example/x saved, needs checked", "load http://a.example/y",
        "finish http://a.example/y saved, needs checked",
      ])
  }

  @Test func `a frame of several pages is loaded once`() {
    let frame = "http://a.example/f"
    let pages = [
      Self.home: #"<a href="/x">x</a> <a href="/y">y</a>"#, frame: "<p>frame",
      "http://a.example/x": "<p>x<iframe src='/f'>", "http://a.example/y": "<p>y<iframe src='/f'>",
    ]
    let request = Self.request {
      $0.bounds.depth = 1
      $0.obeysRobots = false
    }
    let actions = Self.run(request, pages, saved: [frame]).filter { !$0.hasPrefix("examine") }
    #expect(
      actions.dropFirst(3) == [
        "load \(frame)", "finish http://a.example/x saved, needs checked",
        "load http://a.example/y", "is \(frame) saved?",
        "finish http://a.example/y saved, needs checked",
      ])
  }

  @Test func `a link to the target of a redirect that was loaded is not loaded again`() {
    let pages = [
      Self.home: #"<a href="/x">x</a> <a href="/x/">x</a> <a href="/y">y</a>"#,
      "http://a.example/x": "<p>x", "http://a.example/x/": "<p>x", "http://a.example/y": "<p>y",
    ]
    for isCheck in [false, true] {
      let request = Self.request {
        $0.bounds.depth = 1
        $0.obeysRobots = false
        if isCheck { Self.check(&$0) }
      }
      let actions = Self.run(request, pages) { result, _ in
        guard result.task.url.description == "http://a.example/x" else { return }
        result.redirectChain = Self.urls("http://a.example/x", "http://a.example/x/")
      }
      let loads = actions.filter { $0.hasPrefix("load ") || $0.hasPrefix("read ") }
        .map { String($0.dropFirst(5)) }
      #expect(loads == [Self.home, "http://a.example/x", "http://a.example/y"])
    }
  }

  @Test(arguments: [false, true])
  func `the target of a redirect from another site is loaded if a crawl stays on the hosts`(
    _ staysOnHost: Bool
  ) {
    let other = "http://b.example/"
    let pages = [
      Self.home: #"<a href="/go">b</a>"#, other: #"<a href="/x">x</a>"#,
      "http://a.example/go": "<p>x", "http://b.example/x": "<p>x",
    ]
    let request = Self.request([Self.home, other]) {
      $0.bounds.depth = 1
      $0.bounds.staysOnHost = staysOnHost
      $0.obeysRobots = false
    }
    let actions = Self.run(request, pages) { result, _ in
      guard result.task.url.description == "http://a.example/go" else { return }
      result.redirectChain = Self.urls("http://a.example/go", "http://b.example/x")
    }
    let hasLoaded = actions.contains { $0.hasPrefix("load http://b.example/x") }
    #expect(hasLoaded == staysOnHost)
  }

  @Test func `a check looks up everything that a save loads, one part after another`() {
    let pages = [
      Self.home: #"<p>words<img alt=a src="/i.png"><iframe src="/f"></iframe><iframe src="/g">"#,
      "http://a.example/f": #"<p>frame<img alt=a src="/j.png">"#, "http://a.example/g": "<p>frame",
    ]
    let actions = Self.run(
      Self.request { Self.check(&$0) }, pages,
      saved: [Self.home, "http://a.example/i.png", "http://a.example/f"])
    #expect(
      actions.filter { !$0.hasPrefix("examine") } == [
        "read http://a.example/", "are http://a.example/i.png saved?",
        "is http://a.example/f saved?", "are http://a.example/j.png saved?",
        "is http://a.example/g saved?", "finish http://a.example/ saved, needs checked",
      ])
  }

  @Test(arguments: [
    (
      "User-agent: *\nDisallow: /x",
      ["load http://a.example/robots.txt", "finish http://a.example/x refused"]
    ),
    (
      "User-agent: *\nDisallow: /z",
      ["load http://a.example/robots.txt", "load http://a.example/x"]
    ),
  ])
  func `a link waits for robots.txt, a page named by the user does not`(
    _ rules: String, _ expected: [String]
  ) {
    let pages = [
      Self.home: #"<p>words<a href="/x">x</a>"#, "http://a.example/x": "<p>x",
      "http://a.example/robots.txt": rules,
    ]
    let actions = Self.run(Self.request { $0.bounds.depth = 1 }, pages)
      .filter { !$0.hasPrefix("examine") }
    #expect(Array(actions.dropFirst(2).prefix(2)) == expected)
  }

  @Test func `a link fails if robots.txt cannot be read, and its saved copy is kept`() {
    let pages = [Self.home: #"<p>words<a href="/x">x</a>"#]
    let actions = Self.run(
      Self.request { $0.bounds.depth = 1 }, pages, saved: ["http://a.example/x"]
    ) { result, _ in
      if case .robots = result.task.job { result.ending = .abandoned("no answer") }
    }
    let reason = "the robots.txt of its site could not be read: no answer"
    #expect(
      actions.suffix(2) == [
        "is http://a.example/x saved?",
        #"finish http://a.example/x kept("\#(reason)")"#,
      ])
  }

  @Test(arguments: [
    LoadError.tooManyRedirects(limit: 20), .forbiddenRedirect(location: "mailto:a@a.example"),
  ])
  func `a robots.txt whose redirects lead nowhere allows everything`(_ error: LoadError) {
    let pages = [Self.home: #"<p>words<a href="/x">x</a>"#, "http://a.example/x": "<p>x"]
    let actions = Self.run(Self.request { $0.bounds.depth = 1 }, pages) { result, _ in
      if case .robots = result.task.job { result.ending = .failed(error) }
    }
    #expect(actions.contains("load http://a.example/x"))
  }

  @Test func `a check ignores a robots.txt that is not saved`() {
    let pages = [Self.home: #"<p>words<a href="/x">x</a>"#, "http://a.example/x": "<p>x"]
    let request = Self.request {
      Self.check(&$0)
      $0.bounds.depth = 1
    }
    let actions = Self.run(request, pages).filter { !$0.hasPrefix("examine") }
    #expect(
      actions.dropFirst(2) == [
        "are rules of http://a.example saved?", "read http://a.example/x",
        "finish http://a.example/x saved, needs checked",
      ])
  }

  @Test func `a finished page is read from its copy, and loaded if the copy is gone`() {
    let pages = [Self.home: "<p>words"]
    let there = Self.run(Self.request(), pages, done: [Self.home])
    #expect(there.first == "read http://a.example/" && there.last?.hasPrefix("finish") == true)
    let gone = Self.run(Self.request(), [:], done: [Self.home])
    #expect(gone.first == "read http://a.example/")
    var machine = CrawlStateMachine(Self.request(), finishedPages: Self.texts([Self.home]))
    machine.add(Self.home, isNamed: true, isPublicOnly: false)
    #expect(machine.dispatchPages(received: 0).isEmpty)
    let task = Self.start(&machine).first
    #expect(task?.host == nil)
    let result = task.map { CrawlResult(task: $0, ending: .failed(.notSaved)) }
    #expect(result.map { machine.handle(.ended($0, at: .zero)).count } == 0)
    #expect(Self.start(&machine).first?.host == "a.example")
  }

  @Test func `pending loads are cut off and counted when the size limit is reached`() {
    let pages = [
      Self.home: #"<p>words<img alt=a src="/1.png"><img alt=a src="/2.png">"#,
      "http://a.example/1.png": "1", "http://a.example/2.png": "2", "http://b.example/": "<p>other",
    ]
    let actions = Self.run(
      Self.request([Self.home, "http://b.example/"]) {
        $0.bounds.maxBytes = 10
        $0.pace.hosts = 1
      }, pages)
    #expect(
      actions.filter { !$0.hasPrefix("examine") } == [
        "load http://a.example/", "finish http://a.example/ saved, needs checked",
      ])
  }

  @Test func `possible captive portal responses wait until the rest of the run is done`() {
    let pages = [Self.home: "<p>words", "http://b.example/": "<p>words"]
    let request = Self.request([Self.home, "http://b.example/"])
    let actions = Self.run(request, pages) { result, facts in
      let reply = LoadedResponse(
        response: ResponseHead(status: 200, reason: "", fields: FieldLines([])), source: .network)
      let last = FirstVisitResponse.Step(url: result.task.url, response: reply)
      result.firstVisit = FirstVisitResponse(
        result.task.url, through: [], last: last, content: Array("<form>sign in</form>".utf8))
      result.redirectChain = [result.task.url]
      facts.isQueued = true
    }
    // Two sites with the same form: neither is the page.
    #expect(
      actions == [
        "load http://a.example/", "examine http://a.example/", "load http://b.example/",
        "examine http://b.example/", "examine http://a.example/", "distrust http://a.example/",
        "is http://a.example/ saved?",
        #"finish http://a.example/ failed("\#(SavedReason(.signInPage).text)")"#,
        "examine http://b.example/", "distrust http://b.example/", "is http://b.example/ saved?",
        #"finish http://b.example/ failed("\#(SavedReason(.signInPage).text)")"#,
      ])
  }

  @Test func `after four loads that reach no server, the network counts as unreachable`() {
    let urls = (1...5).map { "http://\($0).example/" }
    var machine = CrawlStateMachine(Self.request(urls) { $0.givesUpUnreached = true })
    for url in urls { machine.add(url, isNamed: true, isPublicOnly: false) }
    #expect(machine.dispatchPages(received: 0).isEmpty)
    for (number, task) in Self.start(&machine).enumerated() {
      #expect(machine.isHopeless == (number >= 4))
      let result = CrawlResult(task: task, ending: .abandoned("no network"))
      _ = machine.handle(.ended(result, at: .zero))
      _ = machine.handle(.examined(result, CrawlFacts(), .received))
    }
    #expect(machine.isHopeless)
  }

  // MARK: Text

  private static func texts(_ urls: [String]) -> SeenTexts {
    var texts = SeenTexts()
    for url in urls { texts.insert(url) }
    return texts
  }

  /// Starts all loads that may start.
  private static func start(
    _ machine: inout CrawlStateMachine, at instant: Duration = .zero
  ) -> [CrawlTask] {
    var tasks: [CrawlTask] = []
    while case .perform(let actions) = machine.next(at: instant, now: .distantPast, received: 0) {
      for case .load(let task) in actions { tasks.append(task) }
    }
    return tasks
  }

  private static func text(_ actions: [CrawlStateMachine.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .load(let task): "\(task.host == nil ? "read" : "load") \(task.url)"
      case .examine(let result, _): "examine \(result.task.url)"
      case .findRobots(let origin): "are rules of \(origin) saved?"
      case .findImages(let images, _):
        "are \(images.map(\.url.description).joined(separator: " ")) saved?"
      case .findPart(let url, _, _): "is \(url) saved?"
      case .findCopy(let entry, _, _): "is \(entry.url) saved?"
      case .distrust(let urls, _, _): "distrust \(urls.map(\.description).joined(separator: " "))"
      case .announce(let parts, let url): "announce \(parts.count) of \(url)"
      case .followFeed(let response, _):
        "follow \(response.outcome.url) \(response.outcome.result)"
      case .finish(let page):
        "finish \(page.entry.url) \(page.outcome.result)"
          + (page.pageNeeds == nil ? "" : ", needs checked")
      }
    }
  }
}
