import Synchronization

/// The thread-safe part of a running request.
final class CurlExchange: TransportExchange {
  let request: WebRequest
  let limits: TransportLimits
  let window = FlowWindow()
  private let loop: CurlLoop
  private let hasConnected = Atomic(false)

  var isConnected: Bool { hasConnected.load(ordering: .relaxed) }

  init(_ request: WebRequest, limits: TransportLimits, loop: CurlLoop) {
    self.request = request
    self.limits = limits
    self.loop = loop
  }

  func acknowledge(_ count: Int) {
    if window.remove(count) { loop.post(.resume(self)) }
  }

  func cancel() {
    loop.post(.cancel(self))
  }

  /// Continues to send the content after its stream has supplied more; may be called on any thread.
  func resumeSending() {
    loop.post(.resumeSending(self))
  }

  /// Records that the connection is established.
  func didConnect() {
    hasConnected.store(true, ordering: .relaxed)
  }
}
