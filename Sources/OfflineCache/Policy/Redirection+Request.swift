extension Redirection {
  /// The request that follows a redirect, and its URL with the fragment: that of the target, or
  /// else that of `url`, which answered. Throws `LoadError.forbiddenRedirect` when the target is
  /// not http or https, or is http and would get the content that was meant for https.
  static func request(
    after response: ResponseHead, to request: WebRequest, at url: WebURL
  ) throws(LoadError) -> (request: WebRequest, url: WebURL) {
    let location = response.fields.values(of: "Location").first ?? ""
    guard var target = url.resolve(location), target.isWeb else {
      throw .forbiddenRedirect(location: location)
    }
    // §17.11: a target without a fragment inherits it.
    if target.fragment == nil { target = target.withFragment(url.fragment) }
    var next = request
    next.url = target.withoutFragment
    // §15.4.2 to §15.4.4: POST becomes GET by custom, 303 makes everything but HEAD a GET.
    let becomesGet =
      response.status == 303 && request.method != "HEAD"
      || [301, 302].contains(response.status) && request.method == "POST"
    if becomesGet, next.method != "GET" {
      next.method = "GET"
      next.body = []
      next.fields.removeAll { contentFields.contains($0.name.lowercased()) }
    }
    if !next.body.isEmpty, url.scheme == "https", target.scheme != "https" {
      throw .forbiddenRedirect(location: location)
    }
    // Credentials stay with the site they were meant for; so do conditions on its content.
    if target.origin != url.origin { PortableField.keep(in: &next.fields) }
    next.fields.removeAll { $0.name.lowercased() == "host" }
    return (next, target)
  }

  private static let contentFields: Set<String> = [
    "content-type", "content-length", "content-encoding", "content-language", "content-location",
    "digest", "transfer-encoding",
  ]
}
