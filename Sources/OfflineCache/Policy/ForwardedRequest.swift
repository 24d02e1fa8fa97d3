/// A request in the form in which a load forwards it to the server or to a loader. This type
/// performs no I/O.
struct ForwardedRequest: Sendable {
  /// The request as sent.
  var request: WebRequest
  /// The stored responses whose validators are sent.
  let candidates: [StoredResponse]
  /// The reason for forwarding the request, for `Cache-Status`.
  let reason: CacheStatus.Reason

  /// Creates the request to forward, without credentials that the cache adds.
  /// - Parameters:
  ///   - request: The request of the load.
  ///   - url: The URL to which the request is sent.
  ///   - base: The stored response that is validated, or nil.
  ///   - variants: The stored responses for the URL.
  ///   - reason: The reason for forwarding the request.
  ///   - choosesCoding: Whether the cache chose the `Accept-Encoding` of the request.
  ///   - isReload: Whether the user reloads the page.
  init(
    _ request: WebRequest, to url: WebURL, validating base: StoredResponse?,
    among variants: Variants<StoredResponse>, reason: CacheStatus.Reason, choosesCoding: Bool,
    isReload: Bool
  ) {
    if let base, Validation.canValidate(base, by: request) {
      candidates = Validation.candidates(variants, base: base)
      self.request = Validation.conditional(request, validating: candidates)
    } else {
      candidates = []
      self.request = request
    }
    self.reason = reason
    self.request.url = url
    // If content is encoded, a range of it could not be decoded.
    if choosesCoding, request.fields["Range"] != nil {
      self.request.fields["Accept-Encoding"] = "identity"
    }
    if isReload, self.request.fields["Cache-Control"] == nil {
      self.request.fields["Cache-Control"] = "max-age=0"
    }
  }
}
