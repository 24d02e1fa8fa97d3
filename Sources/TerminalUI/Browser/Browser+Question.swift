import Pages
import Commands
import Configuration
import Document
import OfflineCache
import Terminal

extension Browser {
  /// Shows a question, which replaces any other open input, such as a prompt.
  mutating func showQuestion(_ question: Question) { layers.showInput(.question(question)) }

  /// Performs the action to which the user agreed.
  mutating func performQuestionAction(_ action: Question.Action) -> [Effect] {
    switch action {
    case .submitForm(let form, let page): return submit(form, from: page)
    case .removeCollection(let id): return remove(collection: id)
    case .resendRequest: return reload(isConfirmed: true)
    case .submitFormWithCookies(_, _, let cookies, let site):
      // The decision about the site, which is applied next, stores or discards the cookies.
      additionalEffects.append(.addCookies(cookies, site: site))
      return []
    case .chooseCookies: return []
    }
  }

  // MARK: Cookies

  /// Stores the user's decision about the cookies of a site, and reports it.
  mutating func acceptCookieChoice(_ choice: CookieChoice, aboutCookiesOf site: String) {
    applyCookieChoice(choice, aboutCookiesOf: site)
    let text =
      switch choice {
      case .session: "kept until offread ends"
      case .always: "kept \(choiceDurationText)"
      case .never: "not kept \(choiceDurationText)"
      }
    notify("cookies of \(SafeText.line(site)) are \(text); \(revocationKey) shows and undoes this")
  }

  /// The key that opens the page information, which shows the decision and can revoke it.
  private var revocationKey: String { keyName(of: .information) }

  /// Applies a decision about the cookies of a site; nil revokes it.
  mutating func applyCookieChoice(_ choice: CookieChoice?, aboutCookiesOf site: String) {
    let choice = Choices.Choice.cookies(choice, site: site)
    choices.apply(choice)
    additionalEffects.append(.storeChoice(choice))
  }

  /// Returns the row of the page information with the decision about the cookies of the page's
  /// site, which Enter revokes; nil if there is no decision.
  func cookieEntry(of page: Page) -> (text: String, site: String)? {
    guard let site = page.url.parsedURL?.site, let choice = choices.cookieChoices[site] else {
      return nil
    }
    let text =
      switch choice {
      case .session: "kept until offread ends"
      case .always: "kept always"
      case .never: "never kept"
      }
    return ("\(text) for \(SafeText.line(site)); Enter undoes this", site)
  }

  /// Revokes the decision about the cookies of a site, and deletes its cookies.
  mutating func forgetCookies(of site: String) {
    applyCookieChoice(nil, aboutCookiesOf: site)
    notify("cookies of \(SafeText.line(site)) are deleted; offread will ask about them again")
    refreshList()
  }
}
