/// A collector of the events of a load: the redirects, the final response with its content, and the
/// end.
package struct ResponseCollector: Sendable {
  /// The redirects that were followed, with their responses.
  package private(set) var redirects: [FirstVisitResponse.Step] = []
  /// The target of the last redirect; nil if there was none.
  package private(set) var redirectTarget: WebURL?
  /// The head of the final response. After the end, `Cache-Status` contains `stored` if the
  /// response was saved.
  package private(set) var response: LoadedResponse?
  /// The URL of the final response, with its fragment.
  package private(set) var url: WebURL?
  /// The content so far, without the first piece that exceeds the maximum length and any later
  /// pieces.
  package private(set) var content: [UInt8] = []
  /// The number of content bytes received.
  package private(set) var length: Int64 = 0
  /// The end of the load: the saved version that holds the content, if any, or the error; nil
  /// before the end.
  package private(set) var result: Result<StoredResponse?, LoadError>?
  private let maxLength: Int64

  /// Creates a collector without events.
  /// - Parameter maxLength: The maximum length of the content in bytes; with 0, none is collected.
  package init(maxLength: Int64 = .max) {
    self.maxLength = maxLength
  }

  /// Whether the content exceeds the maximum length, so that it is incomplete.
  package var isTooLong: Bool { length > maxLength }

  /// The saved version that holds the content; nil if there is none, or while it is not yet known.
  package var stored: StoredResponse? {
    guard case .success(let stored) = result else { return response?.stored }
    return stored ?? response?.stored
  }

  /// Details if a scheme other than the assumed one was used; nil otherwise.
  package var otherScheme: OtherScheme? {
    response == nil ? redirects.last?.loadedResponse.otherScheme : response?.otherScheme
  }

  /// Adds an event. Results of a background revalidation are ignored.
  package mutating func receive(_ event: NavigationEvent) {
    switch event {
    case .redirected(let from, let to, let response):
      redirects.append(.init(url: from, response: response))
      redirectTarget = to
    case .response(let response, let url):
      (self.response, self.url) = (response, url)
      (content, length) = ([], 0)
    case .data(let bytes):
      length += Int64(bytes.count)
      if !isTooLong { content += bytes }
    case .finished(let stored):
      if stored != nil, result == nil { response?.recordSaved() }
      result = .success(stored)
    case .failed(let error): result = .failure(error)
    case .refreshed, .checked: break
    }
  }

  /// Treats the final response as a redirect, because the page leads to another URL, which is
  /// loaded next.
  package mutating func continueRedirects(
    from url: WebURL, to target: WebURL, _ response: LoadedResponse
  ) {
    redirects.append(.init(url: url, response: response))
    redirectTarget = target
    (self.response, self.url, content, length, result) = (nil, nil, [], 0, nil)
  }

  /// Releases the content.
  package mutating func dropContent() { content = [] }
}
