/// An event of a navigation: any number of `redirected`, one `response`, any number of `data`, then
/// `finished`; or `failed` at any point. If a saved copy was served while the server was still
/// being contacted, `refreshed` or `checked` follows `finished`.
public enum NavigationEvent: Sendable, Equatable {
  /// A redirect was followed; the last value is its response.
  case redirected(from: WebURL, to: WebURL, LoadedResponse)
  /// The head of the final response was received; `url` is its URL with the fragment.
  case response(LoadedResponse, url: WebURL)
  /// A piece of the content.
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
