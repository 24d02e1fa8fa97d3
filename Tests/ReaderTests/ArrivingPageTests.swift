import Dispatch
import Document
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// Pages of which a part is shown before the whole response was received.
@Suite struct ArrivingPageTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let url = "http://a.test/p"
  private static let part = "<!DOCTYPE html><title>P</title><p>The beginning of the page."
  private static let rest = "<p>The end of the page.</html>"

  init() throws {
    files = try TestProfile()
    network.add(Self.url, Self.part)
  }

  /// The events of a load, with its progress apart from the others.
  private final class Events: Sendable {
    private let events = Mutex<[LoadEvent]>([])
    private let arrival = DispatchSemaphore(value: 0)
    private let progress = DispatchSemaphore(value: 0)

    func add(_ event: LoadEvent) {
      if case .progressed = event {
        progress.signal()
        return
      }
      events.withLock { $0.append(event) }
      arrival.signal()
    }

    /// Waits until progress is reported.
    func waitForProgress() { progress.wait() }

    /// Waits for the next event; nil if there is none for the given time in seconds.
    func next(within limit: Double = 30) -> LoadEvent? {
      guard arrival.wait(timeout: .now() + limit) == .success else { return nil }
      return events.withLock { $0.removeFirst() }
    }
  }

  private static func text(_ page: Page) -> String {
    String(decoding: page.document.text, as: UTF8.self)
  }

  /// Starts a load, and calls a closure with it and its events.
  private func load(
    fallbackDelay: Double, keepsContent: Bool = true, _ body: (PageLoad, Events) throws -> Void
  ) rethrows {
    let profile = files.open(network)
    defer { profile.close() }
    let loader = PageLoader(profile: profile, keepsContent: keepsContent)
    let events = Events()
    var request = LoadRequest(Self.url)
    request.options.fallbackDelay = fallbackDelay
    let load = loader.load(request) { events.add($0) }
    try body(load, events)
    load.cancel()
  }

  @Test func `the part of a page that stalls is shown, and then the whole page`() throws {
    network.stall(Self.url)
    load(fallbackDelay: 1) { _, events in
      guard case .loaded(let part)? = events.next() else {
        Issue.record("the part was not shown")
        return
      }
      #expect(part.isArriving && part.isPartial)
      #expect(Self.text(part) == "The beginning of the page.")
      network.resume(Self.url, Self.rest)
      guard case .newer(let whole)? = events.next() else {
        Issue.record("the whole page was not shown")
        return
      }
      #expect(!whole.isArriving && !whole.isPartial)
      #expect(Self.text(whole).contains("The end of the page."))
    }
  }

  @Test func `a complete response that ends within a tag has a notice`() throws {
    network.add(Self.url, Self.part + "<p>Text <a href='/x")
    load(fallbackDelay: 30) { _, events in
      guard case .loaded(let page)? = events.next() else {
        Issue.record("the page was not shown")
        return
      }
      #expect(page.notices == [PageContent.cutOffNotice])
    }
  }

  @Test func `a page that arrives slowly is shown before it is complete`() throws {
    network.stall(Self.url)
    load(fallbackDelay: 1) { _, events in
      let paragraph = "<p>" + String(repeating: "Words of a slow page. ", count: 40)
      var event: LoadEvent?
      for _ in 0..<200 where event == nil {
        network.sendMore(Self.url, paragraph)
        event = events.next(within: 0.2)
      }
      guard case .loaded(let part)? = event else {
        Issue.record("the part was not shown")
        return
      }
      #expect(part.isArriving && part.isPartial && part.document.text.count >= 1500)
      network.resume(Self.url, Self.rest)
      guard case .newer(let whole)? = events.next() else {
        Issue.record("the whole page was not shown")
        return
      }
      #expect(Self.text(whole).contains("The end of the page."))
    }
  }

  @Test func `a part is shown after a pause, or a long one while more arrives`() {
    let start = ContinuousClock.now
    var timing = ArrivalTiming(fallbackDelay: 3)
    timing.firstContentTime = start
    func decide(_ seconds: Int, last: Int, length: Int = 10, isReadable: Bool = true)
      -> ArrivalTiming.Decision
    {
      timing.lastContentTime = start + .seconds(last)
      return timing.decide(
        at: start + .seconds(seconds), length: length, isReadableInParts: isReadable)
    }
    #expect(decide(2, last: 0) == .wait(1))
    #expect(decide(3, last: 2) == .wait(2))
    #expect(decide(5, last: 5) == .wait(1))
    #expect(decide(6, last: 5) == .show(minTextLength: ArrivalTiming.minArrivingTextLength))
    #expect(decide(6, last: 5, isReadable: false) == .wait(2))
    #expect(decide(8, last: 5) == .show(minTextLength: 0))
    // The same content is not examined twice.
    #expect(decide(9, last: 5) == .wait(1))
    #expect(decide(9, last: 5, length: 11) == .show(minTextLength: 0))
    #expect(ArrivalTiming(fallbackDelay: 0.1).pause == ArrivalTiming.minPause)
  }

  @Test func `a part stays on the screen if the rest does not arrive`() throws {
    network.stall(Self.url)
    load(fallbackDelay: 1) { _, events in
      #expect(events.next() != nil)
      network.resume(Self.url, "", failure: TransportFailure(.incomplete))
      guard case .checked(let provenance)? = events.next() else {
        Issue.record("the failure was not reported")
        return
      }
      #expect(provenance.rejection == .failure(.incomplete))
    }
  }

  @Test func `a stopped load shows the part that was received`() throws {
    network.add(Self.url, Self.part + String(repeating: "<p>More text.", count: 20_000))
    network.stall(Self.url)
    load(fallbackDelay: 60) { load, events in
      events.waitForProgress()
      load.stop()
      guard case .loaded(let part)? = events.next() else {
        Issue.record("the part was not shown")
        return
      }
      #expect(part.isPartial && !part.isArriving)
      #expect(Self.text(part).hasPrefix("The beginning of the page."))
      #expect(network.waitForCancellation(of: Self.url))
    }
  }

  @Test func `a load without content shows nothing when it is stopped`() throws {
    network.leaveUnanswered(Self.url)
    load(fallbackDelay: 60) { load, events in
      network.waitForRequests(1)
      load.stop()
      #expect(events.next(within: 0.5) == nil)
    }
  }

  @Test func `a command that prints pages waits for the whole page`() throws {
    network.stall(Self.url)
    load(fallbackDelay: 1, keepsContent: false) { _, events in
      #expect(events.next(within: 2.5) == nil)
      network.resume(Self.url, Self.rest)
      guard case .loaded(let page)? = events.next() else {
        Issue.record("the page was not loaded")
        return
      }
      #expect(Self.text(page).contains("The end of the page."))
    }
  }
}
