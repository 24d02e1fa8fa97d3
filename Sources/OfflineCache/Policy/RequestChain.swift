/// The redirect chain or form to which the request of a load belongs.
struct RequestChain: Sendable {
  /// The cookies that the preceding redirects set.
  let cookies: ChainCookies
  /// Whether the request submits a form, or follows a redirect in response to a form.
  let submitsForm: Bool
  /// The value of the `Cookie` header that contains `cookies` for this request; nil if none of them
  /// is sent.
  var cookieHeader: String?

  /// Creates the chain of a redirect step.
  init(_ step: RedirectStep) {
    cookies = step.cookies
    submitsForm = step.isAfterForm || !Storability.isSafe(step.request.method)
  }

  /// Whether the response is private and must not be saved, because the chain began with a form and
  /// has set cookies.
  var isPrivate: Bool { cookieHeader != nil && submitsForm }
}
