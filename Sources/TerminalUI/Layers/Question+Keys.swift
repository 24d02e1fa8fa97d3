import Commands
import Configuration
import Document
import OfflineCache
import Terminal

extension Question {
  /// Asks whether to keep the cookies of a site.
  /// - Parameters:
  ///   - site: The registrable domain.
  ///   - separator: The text between the parts of the question.
  ///   - action: The action that the question is about; nil if the site set a cookie in response to
  ///     a form.
  init(cookiesOf site: String, separator: String, for action: Action? = nil) {
    let parts = [
      "\(SafeText.line(site)) sets a cookie to sign you in", "y this time", "a always", "n never",
    ]
    self.init(
      text: parts.joined(separator: separator), action: action ?? .chooseCookies(site: site),
      keysHint: ""
    )
  }

  /// Handles the key that answers the question: `y`, `a` or `n` if it is about cookies; otherwise
  /// `y`, or any other key for no.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    switch action {
    case .chooseCookies(let site):
      // A key that was typed before the question was drawn applies to the page.
      guard wasDrawn else { return [.handleBelow(key, self)] }
      return handleCookieKey(key, site, context)
    case .submitFormWithCookies(let form, let page, _, let site):
      guard let choice = cookieChoice(of: key) else { return [.close, .notify("not sent")] }
      return [
        .close, .performQuestionAction(action), .storeCookieChoice(choice, site: site),
        .performQuestionAction(.submitForm(form, from: page)),
      ]
    case .submitForm, .resendRequest:
      return [.close, key.isLetter("y") ? .performQuestionAction(action) : .notify("not sent")]
    case .removeCollection:
      return [.close, key.isLetter("y") ? .performQuestionAction(action) : .notify("not removed")]
    }
  }

  /// Handles the key that answers the question about cookies. Escape closes the question without a
  /// decision, and so does any other key, which then acts on the page.
  private mutating func handleCookieKey(
    _ key: Key, _ site: String, _ context: LayerContext
  ) -> [LayerRequest] {
    if key.isLetter("y") { return [.close, .storeCookieChoice(.session, site: site)] }
    if key.isLetter("a") { return [.close, .storeCookieChoice(.always, site: site)] }
    if key.isLetter("n") {
      let isConfirmed = isConfirmation || context.pageSearch.query.isEmpty
      if isConfirmed { return [.close, .storeCookieChoice(.never, site: site)] }
      askForNeverConfirmation(site, separator: context.glyphs.separator)
      return []
    }
    return key == Key(.escape) ? [.close] : [.close, .handleKey(key)]
  }

  /// Returns the decision about cookies for which a key stands, or nil.
  private func cookieChoice(of key: Key) -> CookieChoice? {
    key.isLetter("y") ? .session : key.isLetter("a") ? .always : key.isLetter("n") ? .never : nil
  }

  /// Asks for confirmation of "never", because `n` may have been typed to find the next match.
  private mutating func askForNeverConfirmation(_ site: String, separator: String) {
    let parts = [
      "never keep cookies of \(SafeText.line(site))?", "n never", "Esc asks again later",
    ]
    self = Question(
      text: parts.joined(separator: separator), action: action, keysHint: "", wasDrawn: true,
      isConfirmation: true)
  }
}

extension Key {
  /// Returns whether the key is the given letter, in lower or upper case.
  fileprivate func isLetter(_ letter: Character) -> Bool {
    guard case .character(let scalar) = code, modifiers.isEmpty else { return false }
    return String(scalar).lowercased() == String(letter)
  }
}
