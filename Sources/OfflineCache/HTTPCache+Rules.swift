import Foundation

extension HTTPCache {
  /// Returns the mode in which a URL is loaded: `cacheOnly` if the cache is offline; otherwise the
  /// mode chosen in the options, the mode of the first rule that specifies one, or the default
  /// mode.
  package func mode(for url: WebURL, _ options: LoadOptions) -> LoadMode {
    if configuration.isOffline { return .cacheOnly }
    guard !options.isModeChosen else { return options.mode }
    return rules.mode(for: Rule.Subject(url: url)) ?? options.mode
  }

  /// Returns whether the rules forbid saving a response with the given properties.
  /// - Parameters:
  ///   - url: The requested URL.
  ///   - mediaType: The media type of the response, if known.
  ///   - size: The length of the response in bytes, if known.
  /// - Returns: Whether a rule forbids saving the response; false if this depends on unknown
  ///   properties.
  package func forbidsStoring(
    _ url: WebURL, mediaType: String? = nil, size: Int64? = nil
  ) -> Bool {
    rules.storageDecision(for: Rule.Subject(url: url, mediaType: mediaType, size: size)) == .never
  }

  /// Returns whether a URL given as text is on the public network; true if it is not a valid URL.
  package func isOnPublicNetwork(_ url: String) -> Bool {
    WebURL(url).map(isOnPublicNetwork) ?? true
  }

  /// Returns the cache key of a URL given as text; nil if it is not an absolute URL.
  package func key(of url: String) -> String? {
    WebURL(url).map(key(of:))
  }

  /// Returns the key under which the response to a plain GET request is stored: the normalized URL,
  /// unless a rule or a rewrite changes it.
  /// - Parameter url: The URL.
  /// - Returns: The key, as in `StoredResponse.key`.
  public func key(of url: WebURL) -> String {
    let requestedURL = url.withoutFragment.withoutCredentials
    let request = WebRequest(url: requestedURL)
    return key(
      of: RewrittenRequest(request, for: requestedURL, by: configuration.rewrites),
      for: requestedURL)
  }

  /// Returns the key under which the response to a rewritten request for a URL is stored.
  func key(of rewritten: RewrittenRequest, for requestedURL: WebURL) -> String {
    let subject = Rule.Subject(url: requestedURL, method: rewritten.request.method)
    let key = rules.key(of: rewritten.storageURL, for: subject, fields: rewritten.request.fields)
    guard rules.responseKeyField(for: subject) != nil else { return key }
    return attempt { archive throws(ArchiveError) in try archive.assignedKey(of: key) ?? key }
      ?? key
  }

  /// Returns the key under which a response is stored: the key of the request, unless a response
  /// field names another entry. In that case, later requests for the URL are also directed to the
  /// named entry.
  /// - Parameters:
  ///   - response: The response head.
  ///   - key: The key of the request.
  ///   - rewritten: The rewritten request.
  ///   - requestedURL: The requested URL.
  ///   - date: The time of the response.
  /// - Returns: The key.
  func key(
    namedBy response: ResponseHead, else key: String, _ rewritten: RewrittenRequest,
    for requestedURL: WebURL, at date: Date
  ) -> String {
    let subject = Rule.Subject(url: requestedURL, method: rewritten.request.method)
    let url = rewritten.storageURL
    guard let named = rules.key(namedBy: response, of: url, for: subject) else { return key }
    let address = rules.key(of: url, for: subject, fields: rewritten.request.fields)
    _ = attempt { archive throws(ArchiveError) in
      try archive.recordKey(address, to: named, at: date)
    }
    return named
  }
}

extension RuleBook {
  /// Returns the key under which the response to a plain GET request is stored, unless the response
  /// itself specifies another key.
  /// - Parameters:
  ///   - url: The URL, without fragment and credentials.
  ///   - rewrites: The rewrites of the application.
  /// - Returns: The key.
  func key(of url: WebURL, rewrittenBy rewrites: [Rewrite]) -> String {
    let rewritten = RewrittenRequest(WebRequest(url: url), for: url, by: rewrites)
    let subject = Rule.Subject(url: url, method: rewritten.request.method)
    return key(of: rewritten.storageURL, for: subject, fields: rewritten.request.fields)
  }
}
