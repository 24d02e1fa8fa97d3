/// A transport that sends requests to a loader of the application instead of the network.
final class LoaderTransport: Transport {
  let isCached: Bool
  private let loader: any SchemeLoader

  init(_ loader: any SchemeLoader, isCached: Bool) {
    self.loader = loader
    self.isCached = isCached
  }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let exchange = LoaderExchange(limits: limits, receive: receive)
    exchange.start(loader, request)
    return exchange
  }

  /// Does nothing, because running loads are ended by cancelling them.
  func close() {}
}
