import Crawl
import Document
import Foundation
import OfflineCache
import Profiles
import ReaderMode
import Saving
import Synchronization
import TestNetwork
import Testing

@testable import Library

/// Pages that the archive cannot read while they are indexed.
@Suite struct UnreadablePagesTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  /// The errors with which a page cannot be read, and whether they are reported.
  private static let errors: [(any Error, Bool)] = [
    (ArchiveError.unreadable("a: input/output error"), true), (ArchiveError.notFound, false),
    (ArchiveError.damaged(file: "a", offset: 0), false), (CancellationError(), false),
  ]

  @Test func `pages whose content the archive cannot read are counted`() throws {
    network.add("http://a.example/1", "<p>one")
    network.add("http://a.example/2", "<p>two")
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: ["http://a.example/1", "http://a.example/2"])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    for (number, (error, isReported)) in Self.errors.enumerated() {
      let messages = Mutex<[String]>([])
      let index = SearchIndex(
        path: files.directory.appendingPathComponent("own\(number).sqlite"), cache: profile.cache,
        library: profile.library, readPages: { _, _, _, _, _ in throw error },
        note: { message in messages.withLock { $0.append(message) } })
      try index.catchUp()
      index.close()
      let expected = "search does not find 2 pages that cannot be read: a: input/output error"
      #expect(messages.withLock { $0 } == (isReported ? [expected] : []))
    }
  }

  @Test func `a page that cannot be read for the excerpt of a hit is not counted`() throws {
    network.add("http://a.example/1", "<p>harbour")
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: ["http://a.example/1"])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    let messages = Mutex<[String]>([])
    let isReadable = Mutex(true)
    let index = SearchIndex(
      path: files.directory.appendingPathComponent("own.sqlite"), cache: profile.cache,
      library: profile.library,
      readPages: { stored, _, view, _, receive in
        guard isReadable.withLock({ $0 }) else { throw ArchiveError.unreadable("a") }
        let page = Array("<title>T</title><p>harbour".utf8)
        receive(stored.key, Document(bytes: page, mediaType: "text/html", url: "", view: view))
      }, note: { message in messages.withLock { $0.append(message) } })
    defer { index.close() }
    try index.catchUp()
    isReadable.withLock { $0 = false }
    #expect(try index.search(SearchQuery("harbour", timeZone: .gmt), limit: 9).count == 1)
    try index.catchUp()
    #expect(messages.withLock { $0 }.isEmpty)
  }
}
