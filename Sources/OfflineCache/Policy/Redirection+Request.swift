extension Redirection {
  /// Returns the request that follows a redirect, and its URL with the fragment, which is inherited
  /// from `url` if the target has none.
  /// - Parameters:
  ///   - response: The redirect.
  ///   - request: The request to which it responds.
  ///   - url: The URL of that request, with its fragment.
  /// - Returns: The next request and its URL.
  /// - Throws: `LoadError.forbiddenRedirect` if the target is not http or https, or if it is http
  ///   and would receive content that was sent over https.
  static func request(
    after response: ResponseHead, to request: WebRequest, at url: WebURL
  ) throws(LoadError) -> (request: WebRequest, url: WebURL) {
    let location = response.fields.values(of: "Location").first ?? ""
    guard var target = url.resolve(location), target.isWeb else {
      throw .forbiddenRedirect(location: location)
    }
    // RFC 9110 §10.2.2: a target without a fragment inherits it.
    if target.fragment == nil { target = target.withFragment(url.fragment) }
    var nextRequest = request
    nextRequest.url = target.withoutFragment
    // RFC 9110 §15.4.2 to §15.4.4: 301 and 302 change POST to GET, 303 changes any method but HEAD
    // to GET.
    let becomesGet =
      response.status == 303 && request.method != "HEAD"
      || [301, 302].contains(response.status) && request.method == "POST"
    if becomesGet, nextRequest.method != "GET" {
      nextRequest.method = "GET"
      nextRequest.removeBody()
      nextRequest.fields.removeAll { contentFields.contains($0.name.lowercased()) }
    }
    if nextRequest.hasBody, url.scheme == "https", target.scheme != "https" {
      throw .forbiddenRedirect(location: location)
    }
    // Credentials and conditions on the content apply only to the original origin.
    if target.origin != url.origin { PortableField.removeOthers(in: &nextRequest.fields) }
    nextRequest.fields.removeAll { $0.name.lowercased() == "host" }
    return (nextRequest, target)
  }

  private static let contentFields: Set<String> = [
    "content-type", "content-length", "content-encoding", "content-language", "content-location",
    "digest", "transfer-encoding",
  ]
}
