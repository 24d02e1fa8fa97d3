/// One request of a redirect chain.
package struct RedirectStep: Sendable {
  /// The request; its URL has no fragment.
  package var request: WebRequest
  /// The options of the load.
  package var options: LoadOptions
  /// The saved page that is served if the redirects lead to no usable page.
  package var fallbackPage: FallbackPage?
  /// The cookies that the preceding redirects of the chain set.
  package var cookies = ChainCookies()
  /// Whether the redirect chain began with the submission of a form.
  package var isAfterForm = false

  /// Creates a redirect step.
  package init(request: WebRequest, options: LoadOptions, fallbackPage: FallbackPage? = nil) {
    self.request = request
    self.options = options
    self.fallbackPage = fallbackPage
  }
}
