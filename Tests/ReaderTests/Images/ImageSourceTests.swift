import Configuration
import Document
import Foundation
import Library
import OfflineCache
import ReaderMode
import TestNetwork
import TestSupport
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// The sources of a page's images, and the restrictions on them.
@Suite struct ImageSourceTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return Address.fileURL(path: url.path)
  }

  /// Returns the content of an image of a page, or the reason why it cannot be loaded.
  private func load(_ url: String, of page: String, from profile: Profile) async -> String {
    await withCheckedContinuation { continuation in
      let source = ImageSource(url: url, page: DocumentAddress(page), options: LoadOptions())
      source.load(from: profile) { outcome in
        switch outcome {
        case .success(let bytes):
          continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
        case .failure(let failure): continuation.resume(returning: "(\(failure))")
        }
      }
    }
  }

  private func load(_ url: String, of page: String) async -> String {
    let profile = files.open(network)
    defer { profile.close() }
    return await load(url, of: page, from: profile)
  }

  // MARK: Container files

  @Test func `images of a book are read from the book`() async throws {
    var book = TestBook()
    book.files.append(("OEBPS/a b.png", "spaced"))
    let file = try write("b.epub", book.bytes)
    _ = try write("p.png", Array("beside it".utf8))
    let page = file + "/OEBPS/text/one.xhtml"
    #expect(await load(file + "/OEBPS/p.png#x", of: page) == "PNG\0no picture")
    #expect(await load(file + "/OEBPS/a%20b.png", of: page) == "spaced")
    #expect(
      await load(file + "/OEBPS/none.png", of: page) == "(the file does not contain the image)")
    let directory = file.prefix(through: file.lastIndex(of: "/")!)
    #expect(await load(directory + "p.png", of: page) == "(file: URLs are not loaded)")
    // A separate page has the images in its directory.
    #expect(await load(directory + "p.png", of: directory + "p.html") == "beside it")
    #expect(network.requests.isEmpty)
  }

  @Test func `images of an archive are read from the archive`() async throws {
    var zip = ZIPBytes()
    zip.add("site/index.html", "<img src=p.png>")
    zip.add("site/p.png", "packed")
    let file = try write("s.zip", zip.bytes)
    #expect(await load(file + "/site/p.png", of: file + "/site/index.html") == "packed")
  }

  @Test func `images of a page saved by a browser are found by their references in it`()
    async throws
  {
    let message = """
      Content-Type: multipart/related; type="text/html"; boundary="b"

      --b
      Content-Type: text/html
      Content-Location: https://a.test/dir/page.html

      <img src="p.png"><img src="cid:p@x">
      --b
      Content-Type: image/png
      Content-Location: https://a.test/dir/p.png

      by its address
      --b
      Content-Type: image/webp
      Content-Location: https://a.test:443/dir/x/../s.webp#part

      in another spelling
      --b
      Content-Type: image/png
      Content-ID: <p@x>

      by its name
      --b--
      """
    let file = try write("m.mhtml", Array(message.utf8))
    network.add("https://a.test/dir/q.png", "from the network")
    #expect(await load("https://a.test/dir/p.png", of: file).hasPrefix("by its address"))
    #expect(await load("cid:p@x", of: file).hasPrefix("by its name"))
    #expect(await load("https://a.test/dir/s.webp", of: file).hasPrefix("in another spelling"))
    #expect(network.requests.isEmpty)
    #expect(await load("https://a.test/dir/q.png", of: file) == "from the network")
    _ = await load("http://192.168.0.1/q.png", of: file)
    #expect(network.publicOnly == ["https://a.test/dir/q.png", "http://192.168.0.1/q.png"])
  }

  @Test func `the first available candidate is used`() async throws {
    let message = """
      Content-Type: multipart/related; type="text/html"; boundary="b"

      --b
      Content-Type: text/html
      Content-Location: https://a.test/

      <picture><source srcset=p.webp><img src=p.jpg></picture>
      --b
      Content-Type: image/webp
      Content-Location: https://a.test/p.webp

      the format that the browser chose
      --b--
      """
    let file = try write("m.mhtml", Array(message.utf8))
    let html = "<p>x<p><picture><source srcset=p.webp><img src=p.jpg alt=A></picture>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", charset: nil, url: "https://a.test/")
    #expect(document.images.count == 1)
    let profile = files.open(network)
    defer { profile.close() }
    func outcome(_ document: Document, _ page: String) async -> String {
      let source = ImageSource(
        0, of: document, width: 300, page: DocumentAddress(page), options: LoadOptions())
      return await withCheckedContinuation { continuation in
        source?.load(from: profile) { result in
          let text = result.map { String(decoding: $0, as: UTF8.self) }
          continuation.resume(
            returning: (try? text.get()) ?? "(\(text.failure?.description ?? ""))")
        }
      }
    }
    #expect(await outcome(document, file).hasPrefix("the format that the browser chose"))
    // The reported reason is that of the best candidate.
    network.add("https://a.test/p.webp", "", status: 410)
    #expect(await outcome(document, "https://a.test/") == "(the server returned 404)")
    let data =
      "<p>x<p><img src='data:image/png;base64,AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd' alt=A>"
    let embedded = Document(
      bytes: Array(data.utf8), mediaType: "text/html", charset: nil, url: "https://a.test/")
    #expect(Array(await outcome(embedded, "https://a.test/").utf8) == Array(0..<30))
  }

  // MARK: Web

  @Test(arguments: [
    "http://127.0.0.1/p.png", "http://[::1]/p.png", "http://localhost/p.png",
    "http://192.168.0.1/p.png", "http://10.1.2.3/p.png", "http://169.254.169.254/p.png",
    "http://printer.local/p.png",
  ])
  func `images of a public page are requested only from the public network`(_ url: String) async {
    network.add(url, "p")
    // Only the connection knows the URL of a host, so the restriction is passed to it.
    _ = await load(url, of: "https://site.test/")
    #expect(network.publicOnly == [url])
    // A page in a private network may have its images there.
    #expect(await load(url + "?2", of: "http://192.168.0.2/") == "(the server returned 404)")
    #expect(network.requests == [url, url + "?2"] && network.publicOnly == [url])
  }

  @Test(
    arguments: [
      ("https://site.test/feed", true), ("http://192.168.0.2/feed", false), ("", true),
    ] as [(String, Bool)])
  func `images of an item without a page are subject to the restrictions of its feed`(
    _ feed: String, _ isPublicOnly: Bool
  ) async throws {
    let url = "http://192.168.0.1/p.png"
    network.add(url, "p")
    let item = FeedItemAddress(ofItem: "1", in: feed).key
    let profile = files.open(network)
    defer { profile.close() }
    if !feed.isEmpty { try profile.library.record([LibraryChange(item, .item, feed)]) }
    _ = await load(url, of: item, from: profile)
    #expect(network.publicOnly == (isPublicOnly ? [url] : []))
  }

  @Test func `redirects of images are subject to the same restrictions`() async {
    network.add(
      "https://site.test/r.png", "", status: 302,
      fields: [("Location", "http://192.168.0.1/p.png")])
    network.add("http://192.168.0.1/p.png", "p")
    _ = await load("https://site.test/r.png", of: "https://site.test/")
    #expect(network.publicOnly == Set(network.requests))
  }

  @Test func `an image request has no credentials of other sites, and no cookies`() async throws {
    network.add(
      "https://site.test/p.png", "p",
      fields: [("Set-Cookie", "a=b"), ("Cache-Control", "no-store")])
    network.add("https://other.test/p.png", "p", fields: [("Set-Cookie", "a=b")])
    let profile = files.open(network)
    defer { profile.close() }
    let site = try #require(WebURL("https://site.test/"))
    profile.cache.signIn(Credentials(user: "user", password: "word"), at: site, isPreemptive: true)
    for url in ["https://other.test/p.png", "https://site.test/p.png", "https://site.test/p.png"] {
      #expect(await load(url, of: "https://site.test/", from: profile) == "p")
    }
    let webRequests = network.webRequests
    #expect(webRequests.map { $0.fields["Authorization"] != nil } == [false, true, true])
    #expect(webRequests.allSatisfy { $0.fields["Cookie"] == nil && $0.fields["Referer"] == nil })
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
