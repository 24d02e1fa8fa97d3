import Document
import Dispatch
import Foundation
import ReaderMode
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// The first screens of a long local page are reported before the rest is parsed.
@Suite struct PageBeginningTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private static func page(_ count: Int) -> String {
    "<!DOCTYPE html><title>Long</title><h1>Long</h1>"
      + (0..<count).map { "<p>Paragraph \($0) of <a href='/\($0)'>many</a> words.</p>" }.joined()
  }

  /// Returns the pages that a load reports, and whether each is the beginning of one.
  private func reports(
    _ request: LoadRequest, keepsContent: Bool = true
  ) -> [(isBeginning: Bool, page: Page)] {
    let profile = files.open(network)
    defer { profile.close() }
    let loader = PageLoader(profile: profile, keepsContent: keepsContent)
    let end = DispatchSemaphore(value: 0)
    let pages = Mutex<[(isBeginning: Bool, page: Page)]>([])
    let load = loader.load(request) { event in
      switch event {
      case .began(let page): pages.withLock { $0.append((true, page)) }
      case .loaded(let page), .failed(_, explanation: let page):
        pages.withLock { $0.append((false, page)) }
        end.signal()
      case .progressed, .asking, .offered, .newer, .checked: break
      }
    }
    end.wait()
    withExtendedLifetime(load) {}
    return pages.withLock { $0 }
  }

  private func file(_ name: String, _ text: String) throws -> LoadRequest {
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    let file = files.directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return LoadRequest(file.path)
  }

  @Test func `a file that is opened by name keeps its fragment`() throws {
    let request = try file("a#b.html", "<p>One<p id=part>Two")
    let whole = try #require(reports(request).last?.page)
    #expect(whole.requestedURL.fragment == nil)
    let part = try #require(reports(LoadRequest(request.target + "#part")).last?.page)
    let partURL = whole.requestedURL.appending(fragment: "#part")
    #expect(part.requestedURL == partURL && part.url == partURL)
    let typed = try #require(reports(LoadRequest(partURL)).last?.page)
    #expect(typed.requestedURL == part.requestedURL)
  }

  @Test func `the beginning of a long file is a prefix of the complete text`() throws {
    let reports = reports(try file("long.html", Self.page(30_000)))
    try #require(reports.map(\.isBeginning) == [true, false])
    let (first, all) = (reports[0].page, reports[1].page)
    #expect(first.provenance == all.provenance && first.length == all.length)
    #expect(first.document.title == "Long")
    #expect((50_000...131_072).contains(first.document.text.count))
    #expect(all.document.text.starts(with: first.document.text.dropLast(200)))
    #expect(first.document.links == Array(all.document.links.prefix(first.document.links.count)))
    #expect(first.document.links.count > 1000)
  }

  @Test func `short files, plain text, printing and reader view have no separate beginning`() throws
  {
    #expect(reports(try file("short.html", Self.page(2000))).map(\.isBeginning) == [false])
    let text = String(repeating: "A line of text.\n", count: 100_000)
    #expect(reports(try file("long.txt", text)).map(\.isBeginning) == [false])
    var request = try file("long.html", Self.page(30_000))
    #expect(reports(request, keepsContent: false).map(\.isBeginning) == [false])
    request.view = .reader(ReaderOptions())
    #expect(reports(request).map(\.isBeginning) == [false])
  }

  @Test func `the beginning of a saved page is shown early, and of a network page not`() throws {
    network.add("http://a.example/long", Self.page(30_000))
    let request = LoadRequest("http://a.example/long")
    #expect(reports(request).map(\.isBeginning) == [false])
    var offline = request
    offline.options.mode = .cacheOnly
    let reports = reports(offline)
    try #require(reports.map(\.isBeginning) == [true, false])
    #expect(reports[0].page.provenance.source == reports[1].page.provenance.source)
    #expect(reports[0].page.provenance.contentDate == reports[1].page.provenance.contentDate)
    #expect(reports[0].page.document.title == "Long")
  }
}
