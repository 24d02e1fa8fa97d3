extension HTTPCache {
  /// Returns whether a capture from a web archive is a sign-in page instead of the requested page.
  /// - Parameters:
  ///   - content: The decoded content.
  ///   - response: The head of the response.
  ///   - url: The URL that was captured.
  ///   - page: The URL of the requested page. If this URL itself names a sign-in form, the capture
  ///     is accepted.
  /// - Returns: Whether the capture must not be used as the page.
  package func isSignInForm(
    _ content: [UInt8], _ response: ResponseHead, of url: WebURL, for page: WebURL
  ) -> Bool {
    guard RejectionReason.isPage(response), !RejectionReason.isFormPath(page.path) else {
      return false
    }
    let beginning = Array(content.prefix(RejectionReason.examinedLength))
    let traits = PageTraits(beginning)
    // A password field is stronger evidence than the text, because many pages have such text beside
    // a search form.
    let maxText =
      traits.hasPasswordField ? RejectionReason.maxFormLength : RejectionReason.maxFormLength / 4
    if traits.asksToSignIn, content.count == beginning.count, traits.textLength <= maxText {
      return true
    }
    var reply = CandidateResponse(
      response: response, url: url, beginning: beginning, length: Int64(content.count))
    reply.isRedirected = url != page
    let doubt = self.rejection(reply, replacing: self.page(of: key(of: page)))
    return doubt == .signInPage || doubt == .loginWall
  }
}
