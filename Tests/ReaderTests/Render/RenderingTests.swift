@testable import Configuration
import Crawl
import Foundation
import OfflineCache
import TestSupport
import Testing

@testable import Reader

/// A real browser, enclosed as ever, over a network in memory: where everything is tried (`scripts/test --all`
/// installs it).
@Suite(.serialized) struct RenderingTests {
  private let home: TestProfile
  private let network = SiteNetwork()
  private static let page = "https://a.test/"
  private let address: WebURL

  init() throws {
    home = try TestProfile()
    address = try #require(WebURL(Self.page))
  }

  /// Those of a person who has time: how quick the machine is decides no test.
  private static func limits(_ change: (inout RenderSession.Limits) -> Void = { _ in })
    -> RenderSession.Limits
  {
    var limits = RenderSession.Limits()
    (limits.patience, limits.whole) = (.seconds(300), .seconds(600))
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

  @Test func `scripts run, and what they ask for is asked by us`() throws {
    guard Effort.isWhole else { return }
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
    for words in ["Made by scripts", "<b>in the shadow</b>", "no post", "no socket"] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
    #expect(text.contains("no private address"))
    #expect(!text.contains("<script") && !text.contains("enable JavaScript"))
    let asked = Set(network.requests)
    #expect(asked.contains("https://a.test/text.json"))
    #expect(!asked.contains { $0.hasSuffix(".png") || $0.contains("post") })
    #expect(network.publicOnly.contains("https://a.test/app.js"))
    #expect(network.messages.allSatisfy { $0.method == "GET" && $0.fields["Cookie"] == nil })
    let key = RenderedPage.key(of: Self.page)
    #expect(try profile.cache.archive.known(of: key).count == 1)
    // From what was saved of it, the same comes without a network.
    network.setDown(true)
    var options = LoadOptions()
    options.mode = .cacheOnly
    #expect(try render(profile, options: options).contains("Made by scripts"))
  }

  @Test func `a page that loops has an end, and leaves nothing behind`() throws {
    guard Effort.isWhole else { return }
    network.add(Self.page, "<p>before<script>while (true) {}</script>")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.tooLong) {
      try render(
        profile, limits: Self.limits { $0.whole = .seconds(30) })
    }
    #expect(try profile.cache.archive.known(of: RenderedPage.key(of: Self.page)).isEmpty)
    #expect(try profile.cache.archive.known(of: Self.page).count == 1, "the page itself stays")
  }

  @Test func `a document of 200 MB is not taken`() throws {
    guard Effort.isWhole else { return }
    network.add(
      Self.page,
      "<p id=p hidden><script>p.append('x'.repeat(100e6)); p.append('y'.repeat(100e6))</script>")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.tooLarge(limit: 20_000_000)) { try render(profile) }
  }

  @Test func `a browser whose page takes all memory, and one that is ended, have an end`() throws {
    guard Effort.isWhole else { return }
    network.add(
      Self.page,
      "<p><script>const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))</script>"
    )
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.ended) { try render(profile) }
  }

  @Test func `who does not wait any more ends the browser`() throws {
    guard Effort.isWhole else { return }
    network.add(Self.page, "<p><script>while (true) {}</script>")
    let profile = home.open(network)
    defer { profile.close() }
    let network = network
    #expect(throws: RenderFailure.cancelled) {
      try render(profile, isCancelled: { !network.requests.isEmpty })
    }
  }

  @Test func `a page of another site is not taken for it`() throws {
    guard Effort.isWhole else { return }
    network.add(Self.page, "<script>location = 'https://b.test/'</script>")
    network.add("https://b.test/", "<p>elsewhere")
    let profile = home.open(network)
    defer { profile.close() }
    #expect(throws: RenderFailure.left(url: "https://b.test/")) { try render(profile) }
  }

  @Test func `a page that asks for ever more is read, and not all is asked`() throws {
    guard Effort.isWhole else { return }
    network.add(
      Self.page,
      "<p>here<script>let n = 0; setInterval(() => fetch('/' + n++), 10)</script>")
    let profile = home.open(network)
    defer { profile.close() }
    var pace = PaceLimits()
    pace.gap = .zero
    let limits = Self.limits { ($0.patience, $0.requests) = (.seconds(3), 20) }
    let rendered = try Renderer(
      profile: profile, options: .init(), pace: pace, limits: limits
    ).render(address)
    #expect(String(decoding: rendered.page.content, as: UTF8.self).contains("here"))
    #expect(network.requests.count <= 20)
  }

  @Test func `a browser that is not there is told with the package that has one`() throws {
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
