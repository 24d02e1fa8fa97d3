/// The exchange of a load with the server, from sending the request to the end of the response.
struct FetchExchange {
  /// The load's subscription to the exchange, which other loads may share.
  let subscription: SharedExchange.Subscriber
  /// The request as it was forwarded.
  let forwarded: ForwardedRequest
  /// The response that is being received; nil before its head.
  var incoming: IncomingResponse?

  /// The exchange to which the load subscribes.
  var shared: SharedExchange { subscription.exchange }

  /// Leaves the exchange and stops loading the target of a redirect.
  func stop() {
    subscription.cancel()
    incoming?.redirectTarget?.abort()
  }
}
