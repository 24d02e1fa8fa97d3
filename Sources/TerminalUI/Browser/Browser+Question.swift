import Commands
import Configuration
import Document
import OfflineCache
import Reader
import Terminal

extension Browser {
  /// Handles the key that answers a question: `y`, or any other key for no.
  mutating func handle(_ key: Key, in question: Question) -> [Effect] {
    if let effects = openHelp(by: key, unless: { _ in false }) { return effects }
    if case .keepCookies = question.act, !question.isShown {
      // The key was typed before the question was drawn, so it applies to the page.
      mode = .page
      defer { if mode == .page { mode = .question(question) } }
      return handle(key)
    }
    mode = .page
    if case .keepCookies(let site) = question.act {
      return decide(key, aboutCookiesOf: site, isConfirmed: question.isRepeated)
    }
    if case .sendWithCookies(let form, let page, let cookies, let site) = question.act {
      return send(form, from: page, cookies, of: site, by: key)
    }
    guard key == .character("y") || key == .character("Y") else {
      notice = Notice(text: "not sent")
      return []
    }
    switch question.act {
    case .send(let form, let page): return send(form, from: page)
    case .sendAgain: return reload(isConfirmed: true)
    case .keepCookies, .sendWithCookies: return []
    }
  }

  // MARK: Cookies

  /// Asks whether to keep the cookies of a site.
  /// - Parameters:
  ///   - site: The registrable domain.
  ///   - act: What the question is about; nil if the site set a cookie in response to a form.
  mutating func askAboutCookies(of site: String, for act: Question.Act? = nil) {
    let parts = [
      "\(SafeText.line(site)) sets a cookie to sign you in", "y this time", "a always", "n never",
    ]
    mode = .question(
      Question(
        words: parts.joined(separator: glyphs.separator), act: act ?? .keepCookies(site: site),
        keys: ""))
  }

  /// Handles the key that answers the question about the cookies that a page with a form set: `y`,
  /// `a` and `n` submit the form, and any other key does not.
  private mutating func send(
    _ form: OutgoingForm, from page: String, _ cookies: ChainCookies, of site: String, by key: Key
  ) -> [Effect] {
    guard ["y", "Y", "a", "A", "n", "N"].contains(where: { key == .character($0) }) else {
      notice = Notice(text: "not sent")
      return []
    }
    // A choice of never discards them.
    outbox.append(.addCookies(cookies, site: site))
    _ = decide(key, aboutCookiesOf: site, isConfirmed: true)
    return send(form, from: page)
  }

  /// Handles the key that answers the question about cookies. Escape leaves it undecided, and so
  /// does any other key, which then acts on the page.
  private mutating func decide(
    _ key: Key, aboutCookiesOf site: String, isConfirmed: Bool
  ) -> [Effect] {
    let name = SafeText.line(site)
    if key == .character("y") || key == .character("Y") {
      decide(.session, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are kept until offread ends; \(undoKey) undoes it")
    } else if key == .character("a") || key == .character("A") {
      decide(.always, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are kept \(choiceTerm); \(undoKey) undoes it")
    } else if key == .character("n") || key == .character("N") {
      guard isConfirmed || finding.words.isEmpty else { return askAgain(aboutCookiesOf: site) }
      decide(.never, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are not kept \(choiceTerm); \(undoKey) undoes it")
    } else if key != Key(.escape) {
      return handle(key)
    }
    return []
  }

  /// Asks for confirmation of "never", because `n` may have been typed to find the next match.
  private mutating func askAgain(aboutCookiesOf site: String) -> [Effect] {
    let parts = ["never keep cookies of \(SafeText.line(site))?", "n never", "Esc decides later"]
    mode = .question(
      Question(
        words: parts.joined(separator: glyphs.separator), act: .keepCookies(site: site), keys: "",
        isShown: true, isRepeated: true))
    return []
  }

  /// The key that opens the page information, which shows the decision and can revoke it.
  private var undoKey: String { key(of: .information) }

  /// Applies a decision about the cookies of a site; nil revokes it.
  mutating func decide(_ choice: CookieChoice?, aboutCookiesOf site: String) {
    let choice = Choices.Choice.cookies(choice, site: site)
    choices.take(choice)
    outbox.append(.choose(choice))
  }

  /// Returns the row of the page information with the decision about the cookies of the page's
  /// site, which Enter revokes; nil if there is no decision.
  func cookieEntry(of page: Page) -> (words: String, site: String)? {
    guard let site = WebURL(page.url)?.site, let choice = choices.cookieChoices[site] else {
      return nil
    }
    let words =
      switch choice {
      case .session: "kept until offread ends"
      case .always: "kept always"
      case .never: "never kept"
      }
    return ("\(words) for \(SafeText.line(site)); Enter takes this back", site)
  }

  /// Revokes the decision about the cookies of a site, and deletes its cookies.
  mutating func forgetCookies(of site: String) {
    decide(nil, aboutCookiesOf: site)
    notice = Notice(text: "cookies of \(SafeText.line(site)) are forgotten; offread asks again")
    refreshList()
  }
}
