extension HTTPCache {
  /// Returns whether a capture from a web archive is a sign-in page instead of the requested page.
  /// - Parameters:
  ///   - content: The content, decoded.
  ///   - response: Its head.
  ///   - url: The URL that was captured.
  ///   - page: The page that is looked for; one whose own URL names such a form may be one.
  /// - Returns: Whether the capture must not be used as the page.
  package func isSignInForm(
    _ content: [UInt8], _ response: ResponseHead, of url: WebURL, for page: WebURL
  ) -> Bool {
    guard Suspicion.isPage(response), !Suspicion.namesForm(page.path) else { return false }
    let beginning = Array(content.prefix(Suspicion.examinedLength))
    let marks = PageMarks(beginning)
    // A field for a password is a clearer sign than the words, which many pages have beside a search form.
    let maxText = marks.hasPasswordField ? Suspicion.longestForm : Suspicion.longestForm / 4
    if marks.asksToSignIn, content.count == beginning.count, marks.textLength <= maxText {
      return true
    }
    var answer = JudgedAnswer(
      response: response, url: url, beginning: beginning, length: Int64(content.count))
    answer.isRedirected = url != page
    let doubt = self.doubt(answer, replacing: self.page(of: key(of: page)))
    return doubt == .signInPage || doubt == .loginWall
  }
}
