import Foundation

extension HTTPCache {
  /// The mode in which a URL is loaded: the one that was chosen, else that of the first rule that names one.
  package func mode(for url: WebURL, _ options: LoadOptions) -> LoadMode {
    if configuration.isOffline { return .cacheOnly }
    guard !options.isModeChosen else { return options.mode }
    return rules.mode(for: Rule.Subject(url: url)) ?? options.mode
  }

  /// Whether rules keep an answer from being saved.
  /// - Parameters:
  ///   - url: what was asked.
  ///   - mediaType: the type of the answer, where it is known.
  ///   - size: its length in bytes, where it is known.
  /// - Returns: whether a rule says so, as far as what is known tells.
  package func forbidsStoring(
    _ url: WebURL, mediaType: String? = nil, size: Int64? = nil
  ) -> Bool {
    rules.storing(Rule.Subject(url: url, mediaType: mediaType, size: size)) == .never
  }

  /// Whether the URL that a text is leads into the public network; a text that is none does.
  package func isOnPublicNetwork(_ url: String) -> Bool {
    WebURL(url).map(isOnPublicNetwork) ?? true
  }

  /// The same for a text; nil when it is no absolute URL.
  package func key(of url: String) -> String? {
    WebURL(url).map(key(of:))
  }

  /// The key under which the answer to a plain GET of a URL is stored: its normal form, unless a rule or a
  /// rewrite says something else.
  /// - Parameter url: the URL.
  /// - Returns: the key, as `StoredResponse.key` has it.
  public func key(of url: WebURL) -> String {
    let asked = url.withoutFragment.withoutCredentials
    let request = WebRequest(url: asked)
    return key(of: RewrittenRequest(request, for: asked, by: configuration.rewrites), for: asked)
  }

  /// The key under which the answer to a request for a URL is stored.
  func key(of rewritten: RewrittenRequest, for asked: WebURL) -> String {
    let subject = Rule.Subject(url: asked, method: rewritten.request.method)
    let key = rules.key(of: rewritten.stored, for: subject, fields: rewritten.request.fields)
    guard rules.answerKeyField(for: subject) != nil else { return key }
    return attempt { archive throws(ArchiveError) in try archive.entry(of: key) ?? key } ?? key
  }

  /// The key under which an answer is stored: that of the request, unless the answer names its entry.
  /// - Parameters:
  ///   - response: the head of the answer.
  ///   - key: that of the request.
  ///   - rewritten: the request.
  ///   - asked: the URL that was asked.
  ///   - date: when it was answered.
  /// - Returns: the key.
  func key(
    namedBy response: ResponseHead, else key: String, _ rewritten: RewrittenRequest,
    for asked: WebURL, at date: Date
  ) -> String {
    let subject = Rule.Subject(url: asked, method: rewritten.request.method)
    let url = rewritten.stored
    guard let named = rules.key(namedBy: response, of: url, for: subject) else { return key }
    let address = rules.key(of: url, for: subject, fields: rewritten.request.fields)
    _ = attempt { archive throws(ArchiveError) in try archive.lead(address, to: named, at: date) }
    return named
  }
}
