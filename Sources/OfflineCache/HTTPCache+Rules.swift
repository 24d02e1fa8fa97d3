extension HTTPCache {
  /// The key under which the answer to a plain GET of a URL is stored; nil when the text is no
  /// absolute URL. It differs from `CacheKey.make` only where a rule or a rewrite says so.
  public func key(of url: String) -> String? {
    WebURL(url).map(key(of:))
  }

  /// The key under which the answer to a plain GET of a URL is stored.
  func key(of url: WebURL) -> String {
    let asked = url.withoutFragment.withoutCredentials
    let request = WebRequest(url: asked.description)
    return key(of: RewrittenRequest(request, for: asked, by: configuration.rewrites), for: asked)
  }

  /// The key under which the answer to a request for a URL is stored.
  func key(of rewritten: RewrittenRequest, for asked: WebURL) -> String {
    let subject = Rule.Subject(url: asked, method: rewritten.request.method)
    return rules.key(of: rewritten.stored, for: subject, fields: rewritten.request.fields)
  }
}
