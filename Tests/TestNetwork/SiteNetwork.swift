import Dispatch
import Foundation
package import OfflineCache
import Synchronization

/// A network of sites in memory.
package final class SiteNetwork: Transport {
  /// The response to a URL.
  private struct Page {
    var status = 200
    var fields: [(String, String)] = [("Content-Type", "text/html")]
    var body = ""
    /// Whether the connection is to the public network; nil if this is unknown.
    var isPublic: Bool?
  }

  private struct State {
    var pages: [String: Page] = [:]
    /// Creates the HTML of pages that were not added, given the number of the request.
    var make: (@Sendable (WebURL, Int) -> String?)?
    var webRequests: [WebRequest] = []
    var publicOnly: Set<String> = []
    var running: [String: Int] = [:]
    var maxRunning: [String: Int] = [:]
    var isDown = false
    var failures: [String: TransportFailure.Kind] = [:]
    var unanswered: Set<String> = []
    var stalled: Set<String> = []
    var paused: [String: @Sendable (TransportEvent) -> Void] = [:]
    var cancelled: Set<String> = []
  }

  private struct Exchange: TransportExchange {
    let cancelled: @Sendable () -> Void

    func acknowledge(_ count: Int) {}
    func cancel() { cancelled() }
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let cancellation = DispatchSemaphore(value: 0)

  package init() {}

  /// Adds an HTML page. The URL `POST URL` stands for responses to that method, and `REFERER URL`
  /// for responses to requests that name a page.
  package func add(
    _ url: String, _ body: String, status: Int = 200, fields: [(String, String)] = [],
    type: String? = nil
  ) {
    let type = type ?? (url.hasSuffix(".png") ? "image/png" : "text/html")
    state.withLock {
      $0.pages[url] = Page(status: status, fields: [("Content-Type", type)] + fields, body: body)
    }
  }

  /// Sets a closure that creates the pages that were not added.
  package func makePages(_ make: @escaping @Sendable (_ url: WebURL, _ request: Int) -> String?) {
    state.withLock { $0.make = make }
  }

  /// Removes a page.
  package func remove(_ url: String) { state.withLock { $0.pages[url] = nil } }

  /// Sets whether the connection to a page is to the public network.
  package func setPublic(_ isPublic: Bool, _ url: String) {
    state.withLock { $0.pages[url]?.isPublic = isPublic }
  }

  /// Sets whether all requests fail from now on.
  package func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

  /// Makes requests to a host fail with the given error, or succeed again.
  package func fail(_ host: String, _ kind: TransportFailure.Kind?) {
    state.withLock { $0.failures[host] = kind }
  }

  /// Makes requests for a URL receive no response.
  package func leaveUnanswered(_ url: String) { state.withLock { _ = $0.unanswered.insert(url) } }

  /// Makes the responses to a URL pause after the content of its page.
  package func stall(_ url: String) { state.withLock { _ = $0.stalled.insert(url) } }

  /// Sends more content of the paused response to a URL.
  package func sendMore(_ url: String, _ content: String) {
    state.withLock { $0.paused[url] }?(.data(Array(content.utf8)))
  }

  /// Ends the paused response to a URL with more content, or with an error.
  package func resume(_ url: String, _ rest: String, failure: TransportFailure? = nil) {
    let receive = state.withLock { $0.paused.removeValue(forKey: url) }
    receive?(.data(Array(rest.utf8)))
    receive?(failure.map { .failed($0) } ?? .finished)
  }

  /// Waits until a request for a URL is cancelled.
  /// - Returns: Whether it was cancelled within 30 seconds.
  package func waitForCancellation(of url: String) -> Bool {
    let limit = DispatchTime.now() + 30
    while state.withLock({ !$0.cancelled.contains(url) }) {
      if cancellation.wait(timeout: limit) == .timedOut { return false }
    }
    return true
  }

  /// Waits until the total number of requests reaches `count`.
  package func waitForRequests(_ count: Int) {
    while state.withLock({ $0.webRequests.count < count }) { arrival.wait() }
  }

  /// The requested URLs, in order.
  package var requests: [String] { webRequests.map(\.url.description) }

  /// The URLs requested only from the public network.
  package var publicOnly: Set<String> { state.withLock(\.publicOnly) }

  /// All requests, in order.
  package var webRequests: [WebRequest] { state.withLock(\.webRequests) }

  /// The maximum number of concurrent requests to a host.
  package func maxConcurrentRequests(_ host: String) -> Int {
    state.withLock { $0.maxRunning[host] ?? 0 }
  }

  package func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let host = request.url.host ?? ""
    let (page, failure) = state.withLock { state in
      state.webRequests.append(request)
      if limits.isPublicOnly { state.publicOnly.insert(request.url.description) }
      state.running[host, default: 0] += 1
      state.maxRunning[host] = max(state.maxRunning[host] ?? 0, state.running[host] ?? 0)
      let kind = request.method == "GET" ? "REFERER" : request.method
      let isPlain = request.method == "GET" && request.fields["Referer"] == nil
      let variantPage = isPlain ? nil : state.pages["\(kind) \(request.url)"]
      let page =
        variantPage ?? state.pages[request.url.description]
        ?? state.make?(request.url, state.webRequests.count).map { Page(body: $0) }
      let isForbidden = limits.isPublicOnly && page?.isPublic == false
      let failure = state.isDown ? .noNetwork : state.failures[host]
      return (page, failure.map { TransportFailure($0) } ?? (isForbidden ? .privateAddress : nil))
    }
    arrival.signal()
    let exchange = Exchange { [self] in
      state.withLock { _ = $0.cancelled.insert(request.url.description) }
      cancellation.signal()
    }
    if state.withLock({ $0.unanswered.contains(request.url.description) }) { return exchange }
    DispatchQueue.global().async { [self] in
      state.withLock { $0.running[host, default: 1] -= 1 }
      if let failure {
        receive(.failed(failure))
        return
      }
      let page = page ?? Page(status: 404, body: "<p>not found</p>")
      if let tag = page.fields.first(where: { $0.0 == "ETag" })?.1,
        request.fields["If-None-Match"] == tag
      {
        receive(.response(ResponseHead(status: 304, reason: "", fields: FieldLines([]))))
      } else {
        let fields = FieldLines(page.fields.map { FieldLines.Field($0.0, $0.1) })
        var response = ResponseHead(status: page.status, reason: "", fields: fields)
        response.isFromPublicNetwork = page.isPublic
        receive(.response(response))
        let body = Array(page.body.utf8)
        for start in stride(from: 0, to: max(1, body.count), by: 16 << 10) {
          receive(.data(Array(body[start..<min(body.count, start + 16 << 10)])))
        }
      }
      let isPaused = state.withLock { state in
        guard state.stalled.contains(request.url.description) else { return false }
        state.paused[request.url.description] = receive
        return true
      }
      if !isPaused { receive(.finished) }
    }
    return exchange
  }

  package func close() {}
}
