import Document
import Foundation
import OfflineCache
import Pages
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

@Suite struct LoadingTests {
  private static let now = Date(timeIntervalSince1970: 1_795_262_400)

  private static func loading(_ mode: LoadMode = .networkFirst) -> Loading {
    var options = LoadOptions()
    options.mode = mode
    options.isReload = true
    return Loading(options)
  }

  @Test func `pending input of a load ends with it`() {
    var loading = Self.loading()
    let first = loading.begin(LoadRequest("https://a.test/"), for: .newEntry, at: Self.now)
    loading.buffer(.key(.character("j")))
    loading.deferEvent(.asking(host: "b.test"))
    let second = loading.begin(LoadRequest("https://b.test/"), for: .replace, at: Self.now)
    #expect(first != second && loading.load?.bufferedInput == [])
    let deferred = loading.removeDeferredEvents()
    #expect(deferred == nil)
    loading.buffer(.key(.character("k")))
    let load = loading.endLoad()
    #expect(
      load?.id == second && load?.bufferedInput == [.key(.character("k"))] && loading.load == nil)
  }

  @Test func `the results of a load are deferred in order`() throws {
    var loading = Self.loading()
    let id = loading.begin(LoadRequest("https://a.test/"), for: .newEntry, at: Self.now)
    loading.deferEvent(.asking(host: "b.test"))
    loading.deferEvent(.checked(Provenance(source: .network)))
    let removed = loading.removeDeferredEvents()
    let deferred = try #require(removed)
    #expect(deferred.id == id && deferred.events.count == 2)
    guard case .asking? = deferred.events.first, case .checked? = deferred.events.last else {
      Issue.record("\(deferred.events)")
      return
    }
    let again = loading.removeDeferredEvents()
    #expect(again == nil && loading.load?.id == id)
  }

  @Test func `a requested reply is expected only for its load and reading position`() {
    var loading = Self.loading()
    var position = ReadingPosition()
    loading.recordRequest(for: LoadID(3), from: position)
    #expect(loading.isRequested(LoadID(3), at: position))
    #expect(
      !loading.isRequested(LoadID(2), at: position) && !loading.isRequested(LoadID(3), at: nil))
    position.topLine = 1
    #expect(!loading.isRequested(LoadID(3), at: position))
    loading.recordRequest(for: nil, from: position)
    #expect(!loading.isRequested(LoadID(3), at: position))
  }

  @Test(
    arguments: [
      (LoadMode.networkFirst, [LoadMode.cacheOnly, .networkFirst]),
      (.cacheFirst, [.cacheOnly, .cacheFirst]), (.cacheOnly, [.networkFirst, .cacheOnly]),
    ] as [(LoadMode, [LoadMode])])
  func `leaving offline mode restores the mode of the command line`(
    start: LoadMode, modes: [LoadMode]
  ) {
    var loading = Self.loading(start)
    #expect(!loading.options.isReload)
    let seen = modes.map { _ in
      loading.toggleOffline()
      return loading.options.mode
    }
    #expect(seen == modes)
  }

  @Test func `a load that runs when offline mode begins is repeated from the archive`() throws {
    var loading = Self.loading()
    let first = loading.begin(LoadRequest("https://a.test/"), for: .newEntry, at: Self.now)
    loading.record(.progressed(received: 500, expected: 900))
    loading.record(.asking(host: "archive.test"))
    let early = loading.repeatLoadOffline()
    #expect(early == nil)
    loading.toggleOffline()
    let result = loading.repeatLoadOffline()
    let repeated = try #require(result)
    #expect(repeated.replaced == first && repeated.id != first)
    #expect(repeated.request.options.mode == .cacheOnly && loading.load?.id == repeated.id)
    #expect(loading.load?.receivedByteCount == 0 && loading.load?.expectedByteCount == nil)
    #expect(loading.load?.queriedArchiveHost == nil)
    let again = loading.repeatLoadOffline()
    #expect(again == nil)
    _ = loading.begin(LoadRequest("/tmp/a.html"), for: .newEntry, at: Self.now)
    let file = loading.repeatLoadOffline()
    #expect(file == nil)
  }

  @Test(
    arguments: [
      (Load.Purpose.openInProgram, true), (.historyMove(-1), true), (.replace, false),
    ] as [(Load.Purpose, Bool)])
  func `offline mode repeats a load unless it reloads the page on the screen`(
    _ purpose: Load.Purpose, _ isRepeated: Bool
  ) {
    var loading = Self.loading()
    _ = loading.begin(LoadRequest("https://a.test/"), for: purpose, at: Self.now)
    loading.toggleOffline()
    let repeated = loading.repeatLoadOffline()
    #expect((repeated != nil) == isRepeated && loading.load?.purpose == purpose)
  }

  @Test func `a page that was dropped from memory is not labelled with the mode`() {
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array("<p>a".utf8)),
      provenance: Provenance(source: .saved(.preferred)))
    for (mode, purpose, reason) in [
      (LoadMode.networkFirst, Load.Purpose.historyMove(-1), SavedReason.reopened),
      (.networkFirst, .newEntry, .preferred), (.cacheFirst, .historyMove(-1), .preferred),
    ] {
      let loading = Self.loading(mode)
      let load = Load(
        id: LoadID(1), request: LoadRequest("https://a.test/"), startDate: Self.now,
        purpose: purpose)
      #expect(loading.labeled(page, openedBy: load).provenance.source == .saved(reason))
    }
  }

  @Test func `progress is reported only at intervals`() {
    var loading = Self.loading()
    _ = loading.begin(LoadRequest("https://a.test/"), for: .newEntry, at: Self.now)
    loading.record(.progressed(received: 500, expected: nil))
    loading.announceProgress(at: Self.now + 3, every: 4)
    #expect(loading.load?.announcedByteCount == 0)
    loading.announceProgress(at: Self.now + 4, every: 4)
    loading.record(.progressed(received: 900, expected: nil))
    loading.announceProgress(at: Self.now + 7, every: 4)
    #expect(loading.load?.announcedByteCount == 500 && loading.load?.receivedByteCount == 900)
  }
}
