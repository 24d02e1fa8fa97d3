/// A loader for requests with a custom scheme of the application, such as `app:`.
///
/// A loader is registered with `CacheConfiguration.register`. Its responses are handled like
/// responses of a server: a URLSession in which the cache is installed delivers them, and they are
/// archived if the loader was registered with `isCached`.
public protocol SchemeLoader: Sendable {
  /// Loads the response to one request: passes the head to `reply`, then the content, and returns
  /// when the content is complete. If the method throws an error, the response is incomplete, and a
  /// saved response is served if there is one.
  ///
  /// This method runs in a task of its own. The task is cancelled if the response is no longer
  /// needed, or if a time limit of the load has expired.
  /// - Throws: The reason why the response is incomplete: a `TransportFailure` is reported
  ///   unchanged, an `UnrepeatableBodyError` of `WebRequest.bodyStream` with the kind
  ///   `unrepeatableUpload`, any other error with the kind `other`.
  func load(_ request: WebRequest, into reply: SchemeReply) async throws
}
