@testable import Saving
import Library
import ReaderMode
import Dispatch
import Foundation
import Document
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// Forms submitted to a server, over a network in memory.
@Suite struct OutgoingFormTests {
  private let network = SiteNetwork()
  private let files: TestProfile

  init() throws { files = try TestProfile() }

  private static func page(_ html: String, url: String = "https://a.example/dir/form?x=1") -> Page {
    Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(
        bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: url),
      provenance: Provenance(source: .network))
  }

  // MARK: Action

  private static let addresses: [(attributes: String, base: String, url: String)] = [
    ("", "", "https://a.example/dir/form?q=v"),
    ("action=''", "<base href=https://b.example/>", "https://a.example/dir/form?q=v"),
    ("action='s?old=1&q=2#part'", "", "https://a.example/dir/s?q=v#part"),
    ("action=/s", "<base href=https://b.example/x/>", "https://b.example/s?q=v"),
    ("action='?'", "", "https://a.example/dir/form?q=v"),
    ("action=//c.example", "", "https://c.example/?q=v"),
    ("action='/s?a=1' method=POST", "", "https://a.example/s?a=1"),
  ]

  @Test(arguments: addresses.indices)
  func `a form is submitted to its action URL, replacing an existing query`(row: Int) throws {
    let (attributes, base, url) = Self.addresses[row]
    let page = Self.page("\(base)<form \(attributes)><input name=q value=v></form>")
    let form = try OutgoingForm(0, by: nil, of: page, FormValues())
    #expect(form.url.text == url)
    #expect(
      form.content
        == (url.hasSuffix("a=1")
          ? .init(mediaType: "application/x-www-form-urlencoded", bytes: Array("q=v".utf8)) : nil))
  }

  private static let problems: [(html: String, problem: OutgoingForm.Problem)] = [
    ("<button>x</button>", .needsScript),
    ("<form method=dialog><input></form>", .needsScript),
    ("<form action=javascript:x()><input></form>", .scheme("javascript")),
    ("<form action=' DATA:x'><input></form>", .scheme("data")),
    ("<form action=file:///etc/passwd><input></form>", .scheme("file")),
    ("<form action=about:manual><input></form>", .scheme("about")),
    ("<form action='http://['><input></form>", .address("http://[")),
    ("<form><input type=password name=p value=x></form>", .showsPassword),
  ]

  @Test(arguments: problems.indices)
  func `a form that cannot be submitted has a reason`(row: Int) {
    let (html, problem) = Self.problems[row]
    let page = Self.page(html)
    #expect(throws: problem, "\(html)") {
      try OutgoingForm(page.document.forms.forms.isEmpty ? nil : 0, by: nil, of: page, FormValues())
    }
    #expect(!problem.message.isEmpty)
  }

  private static let doubts:
    [(
      url: String, action: String, source: Provenance.Source,
      doubt: OutgoingForm.ConfirmationReason?
    )] = [
      ("https://a.example/", "/x", .network, nil),
      ("https://a.example/", "http://a.example/x", .network, .isUnencrypted),
      ("http://a.example/", "http://a.example/x", .network, nil),
      ("file:///tmp/a.html", "https://a.example/x", .file, .isFromFile),
      ("https://a.example/", "/x", .saved(.failure(.noNetwork)), .isFromCopy),
      ("https://a.example/", "/x", .fresh, nil),
    ]

  @Test(arguments: doubts.indices)
  func `a confirmation is required if a form is from a file or copy, or is sent unencrypted`(
    row: Int
  ) throws {
    let (url, action, source, doubt) = Self.doubts[row]
    var page = Self.page("<form action='\(action)' method=post><input></form>", url: url)
    page.provenance.source = source
    #expect(try OutgoingForm(0, by: nil, of: page, FormValues()).confirmationReason == doubt)
  }

  // MARK: Network

  private func load(_ request: LoadRequest, _ profile: Profile) -> LoadEvent? {
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let end = DispatchSemaphore(value: 0)
    let last = Mutex<LoadEvent?>(nil)
    let load = loader.load(request) { event in
      if case .progressed = event { return }
      last.withLock { $0 = event }
      end.signal()
    }
    end.wait()
    withExtendedLifetime(load) {}
    loader.finishRecording()
    return last.withLock { $0 }
  }

  private static let content = FormContent(
    mediaType: "application/x-www-form-urlencoded", bytes: Array("p=s3cret".utf8))

  private func post(_ url: String, mode: LoadMode = .networkFirst) -> LoadRequest {
    var request = LoadRequest(
      url, origin: .link(from: "http://a.example/form"), content: Self.content)
    request.options.mode = mode
    return request
  }

  private func saved(_ profile: Profile) -> Set<String> {
    profile.cache.savedPages(among: [
      "http://a.example/post", "http://a.example/done", "http://a.example/again",
    ])
  }

  /// Checks that the submitted content is in none of the files of the profile.
  private func expectNoSecret() throws {
    let names = try #require(FileManager.default.enumerator(atPath: files.directory.path))
    for case let name as String in names {
      let data = FileManager.default.contents(
        atPath: files.directory.appendingPathComponent(name).path)
      #expect(data?.range(of: Data("s3cret".utf8)) == nil, "\(name)")
    }
  }

  @Test func `the response to a POST is shown and not saved`() throws {
    network.add(
      "POST http://a.example/post", "<p>Thanks",
      fields: [("Cache-Control", "max-age=600"), ("Content-Location", "/post")])
    let profile = files.open(network)
    let event = load(post("http://a.example/post"), profile)
    guard case .loaded(let page)? = event else { return #expect(Bool(false), "\(event as Any)") }
    #expect(page.sentForm == Self.content && page.requestedURL == "http://a.example/post")
    let sent = try #require(network.webRequests.first)
    #expect(sent.method == "POST" && sent.body == Self.content.bytes)
    #expect(sent.fields["Content-Type"] == Self.content.mediaType)
    #expect(sent.fields["Origin"] == "http://a.example")
    #expect(saved(profile).isEmpty)
    profile.close()
    try expectNoSecret()
  }

  @Test func `the question about cookies is repeated when the site asks for a password again`()
    throws
  {
    network.add("POST http://a.example/post", "<p>Hello", fields: [("Set-Cookie", "sid=1")])
    network.add("http://a.example/next", "", status: 302, fields: [("Location", "/in")])
    network.add("http://a.example/in", "<form method=post><input type=password name=p></form>")
    network.add("http://a.example/text", "<form><input name=q></form>")
    network.add("http://b.example/in", "<form method=post><input type=password name=p></form>")
    let profile = files.open(network)
    func site(_ request: LoadRequest) -> String? {
      guard case .loaded(let page)? = load(request, profile) else { return "not loaded" }
      return page.cookieSite
    }
    func link(_ url: DocumentAddress) -> LoadRequest { LoadRequest(url, origin: .link(from: url)) }
    #expect(site(link("http://a.example/in")) == nil)
    #expect(site(post("http://a.example/post")) == "a.example")
    #expect(site(link("http://a.example/text")) == nil)
    #expect(site(link("http://b.example/in")) == nil)
    #expect(site(link("http://a.example/next")) == "a.example")
    profile.cache.decide(.never, aboutCookiesOf: "a.example")
    #expect(site(link("http://a.example/in")) == nil)
    profile.close()
  }

  @Test func `a binary response to a POST is available while its page is open`() throws {
    network.add(
      "POST http://a.example/post.png", "\u{1}\u{0}PNG", fields: [("Cache-Control", "max-age=600")])
    let profile = files.open(network)
    let event = load(post("http://a.example/post.png"), profile)
    guard case .failed(_, let page)? = event else { return #expect(Bool(false), "\(event as Any)") }
    #expect(page.sentForm == Self.content)
    #expect(page.attachment?.content == Array("\u{1}\u{0}PNG".utf8))
    #expect(page.attachment?.version == nil)
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(text.contains("The file is not saved"), "\(text)")
    profile.close()
    try expectNoSecret()
  }

  @Test(arguments: [301, 302, 303])
  func `a redirect after a POST leads to an ordinary page`(status: Int) throws {
    network.add("POST http://a.example/post", "", status: status, fields: [("Location", "/done")])
    network.add("http://a.example/done", "<p>Done")
    let profile = files.open(network)
    let event = load(post("http://a.example/post"), profile)
    guard case .loaded(let page)? = event else { return #expect(Bool(false), "\(event as Any)") }
    #expect(page.sentForm == nil && page.requestedURL == "http://a.example/done")
    #expect(network.webRequests.map(\.method) == ["POST", "GET"])
    #expect(
      network.webRequests[1].body.isEmpty && network.webRequests[1].fields["Content-Type"] == nil)
    #expect(saved(profile) == ["http://a.example/done"])
    profile.close()
    try expectNoSecret()
  }

  @Test(arguments: [307, 308])
  func `a redirect that keeps the method submits the content again`(status: Int) throws {
    network.add("POST http://a.example/post", "", status: status, fields: [("Location", "/again")])
    network.add("POST http://a.example/again", "<p>Thanks")
    let profile = files.open(network)
    let event = load(post("http://a.example/post"), profile)
    guard case .loaded(let page)? = event else { return #expect(Bool(false), "\(event as Any)") }
    #expect(page.sentForm == Self.content && page.url == "http://a.example/again")
    #expect(network.webRequests.map(\.body) == [Self.content.bytes, Self.content.bytes])
    #expect(saved(profile).isEmpty)
    profile.close()
    try expectNoSecret()
  }

  @Test func `a POST invalidates the saved response of its URL and never shows it`() throws {
    network.add("http://a.example/post", "<p>Old", fields: [("Cache-Control", "max-age=600")])
    network.add("POST http://a.example/post", "<p>Thanks")
    let profile = files.open(network)
    _ = load(LoadRequest("http://a.example/post"), profile)
    _ = load(post("http://a.example/post"), profile)
    _ = load(LoadRequest("http://a.example/post"), profile)
    #expect(network.webRequests.map(\.method) == ["GET", "POST", "GET"])
    network.setDown(true)
    let event = load(post("http://a.example/post"), profile)
    guard case .failed(let error, _)? = event else { return #expect(Bool(false)) }
    #expect(error.formMessage == "not sent: no network; the form keeps your input")
    profile.close()
  }

  @Test(arguments: LoadMode.allCases)
  func `without a network a POST fails and is not queued`(mode: LoadMode) throws {
    network.setDown(true)
    let profile = files.open(network)
    let event = load(post("http://a.example/post", mode: mode), profile)
    guard case .failed(let error, _)? = event else { return #expect(Bool(false)) }
    #expect(error.formMessage.contains("the form keeps your input"))
    #expect(network.webRequests.count == (mode == .cacheOnly ? 0 : 1))
    #expect(try profile.library.pages(with: .queued).isEmpty)
    profile.close()
    try expectNoSecret()
  }

  @Test func `without a network a search form is queued like a link`() throws {
    network.setDown(true)
    let profile = files.open(network)
    let page = Self.page("<form action=/s><input name=q value='a b'></form>")
    let form = try OutgoingForm(0, by: nil, of: page, FormValues())
    _ = load(LoadRequest(form.url, origin: .link(from: page.url)), profile)
    #expect(
      try profile.library.pages(with: .queued).map(\.key) == ["https://a.example/s?q=a+b"])
    profile.close()
  }
}
