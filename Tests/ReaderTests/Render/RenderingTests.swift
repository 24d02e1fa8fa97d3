@testable import Configuration
import Crawl
import Foundation
import OfflineCache
@testable import Saving
import TestNetwork
import TestSupport
import Testing

@testable import Profiles
@testable import Rendering

/// A real browser, sandboxed as usual, with a network in memory, where all tests are run
/// (`scripts/test --all` installs it).
@Suite(.serialized) struct RenderingTests {
  private let home: TestProfile
  private let network = SiteNetwork()
  private static let page = "https://a.test/"
  private let address: WebURL

  init() throws {
    home = try TestProfile()
    address = try #require(WebURL(Self.page))
  }

  /// Generous limits, so that the speed of the host does not affect the tests.
  private static func limits(_ change: (inout RenderSession.Limits) -> Void = { _ in })
    -> RenderSession.Limits
  {
    var limits = RenderSession.Limits()
    (limits.maxWait, limits.maxDuration) = (.seconds(300), .seconds(600))
    change(&limits)
    return limits
  }

  private func render(
    _ profile: Profile, limits: RenderSession.Limits = limits(), options: LoadOptions = .init(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(RenderFailure) -> String {
    let renderer = Renderer(
      profile: profile, options: options, limits: limits, isCancelled: isCancelled)
    let rendered = try renderer.render(address)
    #expect(rendered.stored != nil)
    return String(decoding: rendered.page.content, as: UTF8.self)
  }

  @Test(.enabled(if: Effort.isWhole))
  func `scripts run, and their requests are made by us`() throws {
    network.add(
      Self.page,
      """
      <title>t</title><div id=app></div><noscript>Please enable JavaScript.</noscript>
      <img src=/a.png><x-y></x-y><script src=/app.js></script>
      """)
    network.add(
      "https://a.test/app.js",
      """
      customElements.define("x-y", class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({mode: "open"}).innerHTML = "<b>in the shadow</b>"; }});
      fetch("/text.json").then(r => r.json()).then(t => {
        document.getElementById("app").innerHTML = "<p>" + t.words + "<img src=/b.png>"; });
      const say = words => document.body.append(words + " ");
      fetch("/post", {method: "POST", body: "x"}).catch(() => say("no post"));
      try { new WebSocket("wss://a.test/socket").onerror = () => say("no socket"); }
      catch { say("no socket"); }
      fetch("http://127.0.0.1/secret").catch(() => say("no private address"));
      document.cookie = "a=b";
      """)
    network.add("https://a.test/text.json", #"{"words": "Made by scripts"}"#)
    network.add("http://127.0.0.1/secret", "secret")
    let profile = home.open(network)
    defer { profile.close() }
    let text = try render(profile)
    for content in ["Made by scripts", "<b>in the shadow</b>", "no post", "no socket"] {
      #expect(text.contains(content), "\(content) in \(text)")
    }
    #expect(text.contains("no private address"))
    #expect(!text.contains("<script") && !text.contains("enable JavaScript"))
    let requests = Set(network.requests)
    #expect(requests.contains("https://a.test/text.json"))
    #expect(!requests.contains { $0.hasSuffix(".png") || $0.contains("post") })
    #expect(network.publicOnly.contains("https://a.test/app.js"))
    #expect(network.webRequests.allSatisfy { $0.method == "GET" && $0.fields["Cookie"] == nil })
    let key = RenderedPage.key(of: Self.page)
    #expect(try profile.cache.archive.indexedVersions(of: key).count == 1)
    // The saved resources give the same result without a network.
    network.setDown(true)
    var options = LoadOptions()
    options.mode = .cacheOnly
    #expect(try render(profile, options: options).contains("Made by scripts"))
  }

  @Test(.enabled(if: Effort.isWhole))
  func `content of frames and shadow trees appears at its position`() throws {
    network.add(
      Self.page,
      """
      <title>t</title><style>.main{color:red}</style><h1>First</h1>
      <div id=host>light <b slot=x>named</b></div>
      <div><template shadowrootmode=closed>declared <slot></slot></template>child</div>
      <iframe src=/inner/frame.html></iframe>
      <iframe src=https://b.test/></iframe><iframe src=/hidden.html style="display: none"></iframe>
      <p>Last<script>
      host.attachShadow({mode: "closed"}).innerHTML =
        "<style>i{display:none}</style><p>before <slot name=x></slot> between <slot></slot>" +
        "<u><slot name=none>instead</slot></u><i>unseen</i><x-in></x-in></p>";
      customElements.define("x-in", class extends HTMLElement {
        connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<em>nested</em>"; }});
      </script>
      """)
    network.add(
      "https://a.test/inner/frame.html",
      """
      <title>not this</title><style>b{display:none}</style><p>framed <a href=next.html>on</a>
      <b>hidden</b><div id=q></div><iframe srcdoc="<p>second<iframe srcdoc='<p>third<iframe
      srcdoc=fourth></iframe>'></iframe>"></iframe>
      <script>q.attachShadow({mode: "closed"}).innerHTML = "closed in a frame"</script>
      """)
    network.add("https://a.test/hidden.html", "<p>never shown")
    network.add("https://b.test/", "<p>of another site")
    let profile = home.open(network)
    defer { profile.close() }
    let text = try render(profile)
    let order = [
      "First", "before", "named", "between", "light", "instead", "nested", "declared", "child",
      "framed", "https://a.test/inner/next.html", "closed in a frame", "second", "third", "Last",
    ]
    var remainingText = text[...]
    for content in order {
      let position = remainingText.range(of: content)
      #expect(position != nil, "\(content) in \(text)")
      if let position { remainingText = remainingText[position.upperBound...] }
    }
    for content in ["fourth", "never shown", "of another site", "not this", "i{", "b{"] {
      #expect(!text.contains(content), "\(content) in \(text)")
    }
    #expect(text.contains("<i hidden=\"\">unseen") && text.contains("<b hidden=\"\">hidden"))
    #expect(text.contains(".main{color:red}"))
  }

  @Test(.enabled(if: Effort.isWhole))
  func `long frames are truncated, and a form that shadows DOM properties hides no text`() throws {
    network.add(
      Self.page,
      """
      <p>before<iframe src=/long.html></iframe><p>after<form><p>in a form
      <input name=childNodes><input name=attributes><input name=localName><input name=nodeType>
      </form><img name=body>
      """)
    network.add(
      "https://a.test/long.html",
      "<p>begins" + String(repeating: "<p>lorem ipsum dolor sit amet</p>", count: 100_000))
    let profile = home.open(network)
    defer { profile.close() }
    let text = try render(profile)
    for content in ["before", "begins", "after", "in a form"] { #expect(text.contains(content)) }
    #expect((1_000_000...3_000_000).contains(text.utf8.count))
  }

  @Test(.enabled(if: Effort.isWhole))
  func `an allowed cross-origin request receives its response`() throws {
    network.add(
      Self.page,
      """
      <p id=p>asks<script>
      fetch("https://b.test/open.json", {headers: {"X-Key": "1"}})
        .then(r => r.text()).then(t => p.append(" got " + t));
      fetch("https://b.test/shut.json", {headers: {"X-Key": "1"}})
        .catch(() => p.append(" refused "));
      fetch("https://b.test/open.json", {method: "PUT", body: "x"})
        .catch(() => p.append(" no put "));
      </script>
      """)
    network.add("https://b.test/open.json", "words", fields: [("Access-Control-Allow-Origin", "*")])
    network.add("https://b.test/shut.json", "secret")
    let profile = home.open(network)
    defer { profile.close() }
    let text = try render(profile)
    for content in ["got words", "refused", "no put"] {
      #expect(text.contains(content), "\(content) in \(text)")
    }
    #expect(network.webRequests.allSatisfy { $0.method == "GET" && $0.fields["X-Key"] == nil })
    #expect(!network.requests.contains { $0.hasSuffix("/robots.txt") })
  }

  @Test(.enabled(if: Effort.isWhole))
  func `identical results of rendering are not stored twice`() throws {
    network.add(Self.page, "<p>same<script>document.body.append('made')</script>")
    let profile = home.open(network)
    defer { profile.close() }
    _ = try render(profile)
    _ = try render(profile)
    let key = RenderedPage.key(of: Self.page)
    #expect(try profile.cache.archive.indexedVersions(of: key).count == 1)
    let renderer = Renderer(profile: profile, options: .init(), limits: Self.limits())
    #expect(renderer.renderAgain(Self.page)?.isSaved == true)
    #expect(renderer.renderAgain("https://a.test/other") == nil)
    var confined = renderer
    confined.isConfined = true
    let outcome = try #require(confined.renderAgain(Self.page))
    #expect(!outcome.isSaved && outcome.isAvailable && outcome.previousDate != nil)
    #expect(Renderer.mayRenderAgain(in: profile))
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a page with an endless loop is aborted and leaves nothing behind`() throws {
    network.add(Self.page, "<p>before<script>while (true) {}</script>")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.tooLong) {
      try render(
        profile, limits: Self.limits { $0.maxDuration = .seconds(30) })
    }
    #expect(try profile.cache.archive.indexedVersions(of: RenderedPage.key(of: Self.page)).isEmpty)
    #expect(
      try profile.cache.archive.indexedVersions(of: Self.page).count == 1, "the page itself is kept"
    )
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a document of 200 MB is rejected`() throws {
    network.add(
      Self.page,
      "<p id=p hidden><script>p.append('x'.repeat(100e6)); p.append('y'.repeat(100e6))</script>")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.tooLarge(limit: 20_000_000)) { try render(profile) }
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a page that exhausts memory and a killed browser are aborted`() throws {
    network.add(
      Self.page,
      "<p><script>const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))</script>"
    )
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.ended) { try render(profile) }
  }

  @Test(.enabled(if: Effort.isWhole))
  func `cancelling ends the browser`() throws {
    network.add(Self.page, "<p><script>while (true) {}</script>")
    let profile = home.open(network)
    defer { profile.close() }
    let network = network
    #expect(throws: RenderFailure.cancelled) {
      try render(profile, isCancelled: { !network.requests.isEmpty })
    }
  }

  @Test(.enabled(if: Effort.isWhole))
  func `navigation to another site is rejected`() throws {
    network.add(Self.page, "<script>location = 'https://b.test/'</script>")
    network.add("https://b.test/", "<p>elsewhere")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.leftSite(url: "https://b.test/")) { try render(profile) }
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a page with endless requests is read, and not all of them are sent`() throws {
    network.add(
      Self.page,
      "<p>here<script>let n = 0; setInterval(() => fetch('/' + n++), 10)</script>")
    let profile = home.open(network)
    defer { profile.close() }
    var pace = PaceLimits()
    pace.minGap = .zero
    let limits = Self.limits { ($0.maxWait, $0.maxRequests) = (.seconds(3), 20) }
    let rendered = try Renderer(
      profile: profile, options: .init(), pace: pace, limits: limits
    ).render(address)
    #expect(String(decoding: rendered.page.content, as: UTF8.self).contains("here"))
    #expect(network.requests.count <= 20)
  }

  @Test func `rendered text is kept with its date if there is no browser any more`() throws {
    var settings = Settings()
    settings.render.command = "no-such-browser-anywhere"
    let profile = home.open(network, settings: settings)
    defer { profile.close() }
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try profile.cache.archive.append(
      RenderedPage(
        key: Self.page, url: Self.page, browser: "chromium/1.2", source: nil, date: date,
        content: Array("<p>made".utf8)))
    let renderer = Renderer(profile: profile, options: .init())
    #expect(renderer.hasRendered(Self.page) && !renderer.hasRendered("https://a.test/x"))
    let outcome = try #require(renderer.renderAgain(Self.page))
    #expect(outcome.previousDate == date && outcome.isAvailable && !outcome.isSaved)
    var report = SaveReport()
    let page = SaveOutcome(url: Self.page, depth: 0, result: .saved, size: 0)
    report.record(outcome, of: page)
    #expect(report.isComplete)
    report.record(renderer.renderSavedPage(Self.page), of: page)
    #expect(!report.isComplete, "reported for an explicit request")
    #expect(!Renderer.mayRenderAgain(in: profile))
  }

  @Test func `a missing browser is reported with the package to install`() throws {
    var settings = Settings()
    settings.render.command = "no-such-browser-anywhere"
    network.add(Self.page, "<p>text")
    let profile = home.open(network, settings: settings)
    defer { profile.close() }
    let failure = RenderFailure.missing(command: "no-such-browser-anywhere")
    #expect(throws: failure) { try render(profile) }
    #expect(failure.description.contains("package chromium"))
    #expect(network.requests.isEmpty)
  }
}
