/// One request of a navigation: what is asked until a redirect or an answer comes.
package struct Hop: Sendable {
  /// What is asked; the URL has no fragment.
  package var request: WebRequest
  /// How.
  package var options: LoadOptions
  /// The saved page that answers when the redirects so far lead to none.
  package var fallbackPage: FallbackPage?
  /// The cookies that the preceding redirects of the chain set.
  package var cookies = ChainCookies()
  /// Whether the redirect chain began with the submission of a form.
  package var isAfterForm = false

  /// Makes a hop.
  package init(request: WebRequest, options: LoadOptions, fallbackPage: FallbackPage? = nil) {
    self.request = request
    self.options = options
    self.fallbackPage = fallbackPage
  }
}

/// A saved page that answers when what redirects lead to is no page that may replace it.
package struct FallbackPage: Sendable {
  /// The page.
  var page: StoredResponse
  /// Why it answers at once and nobody is asked, or nil.
  var because: CopyReason?
}
