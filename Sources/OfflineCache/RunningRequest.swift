/// A running request of a redirect chain.
package struct RunningRequest: Sendable {
  /// Stops the request.
  package let cancel: @Sendable () -> Void
  /// Acknowledges that the client consumed a number of bytes of content.
  package let acknowledge: @Sendable (Int) -> Void
  /// Reports whether a connection to the server is established, by calling its argument once, on
  /// any queue.
  package let checkConnection: @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

  /// Creates the interface of a running request from its functions.
  package init(
    cancel: @escaping @Sendable () -> Void, acknowledge: @escaping @Sendable (Int) -> Void,
    checkConnection: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
  ) {
    (self.cancel, self.acknowledge) = (cancel, acknowledge)
    self.checkConnection = checkConnection
  }
}
