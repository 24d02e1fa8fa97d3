/// An event of a load: one `response`, any number of `data`, then `finished`; or `failed` at any
/// point. If a saved copy was served while the server was still being contacted, `refreshed` or
/// `checked` follows `finished`.
public enum CacheEvent: Sendable, Equatable {
  /// The response head was received.
  case response(LoadedResponse)
  /// A piece of the content, at most 64 KB.
  case data([UInt8])
  /// The content is complete; the value is the saved version that holds it, if there is one.
  case finished(StoredResponse?)
  /// No complete response is available.
  case failed(LoadError)
  /// The server sent a newer version, which is now saved.
  case refreshed(StoredResponse)
  /// The server was contacted; the served copy remains the newest good version.
  case checked(StoredResponse.Check)
}
