import Pages
import Commands
import Configuration
import Document
import OfflineCache
import Terminal

extension Browser {
  /// Shows a question, instead of another input if one is open.
  mutating func ask(_ question: Question) { layers.show(.question(question)) }

  /// Performs the action to which the user agreed.
  mutating func accept(_ act: Question.Act) -> [Effect] {
    switch act {
    case .send(let form, let page): return send(form, from: page)
    case .removeCollection(let id): return remove(collection: id)
    case .sendAgain: return reload(isConfirmed: true)
    case .sendWithCookies(_, _, let cookies, let site):
      // The decision about the site, which is applied next, stores or discards the cookies.
      outbox.append(.addCookies(cookies, site: site))
      return []
    case .keepCookies: return []
    }
  }

  // MARK: Cookies

  /// Stores the user's decision about the cookies of a site, and reports it.
  mutating func accept(_ choice: CookieChoice, aboutCookiesOf site: String) {
    decide(choice, aboutCookiesOf: site)
    let text =
      switch choice {
      case .session: "kept until offread ends"
      case .always: "kept \(choiceTerm)"
      case .never: "not kept \(choiceTerm)"
      }
    notify("cookies of \(SafeText.line(site)) are \(text); \(undoKey) shows and undoes this")
  }

  /// The key that opens the page information, which shows the decision and can revoke it.
  private var undoKey: String { key(of: .information) }

  /// Applies a decision about the cookies of a site; nil revokes it.
  mutating func decide(_ choice: CookieChoice?, aboutCookiesOf site: String) {
    let choice = Choices.Choice.cookies(choice, site: site)
    choices.apply(choice)
    outbox.append(.choose(choice))
  }

  /// Returns the row of the page information with the decision about the cookies of the page's
  /// site, which Enter revokes; nil if there is no decision.
  func cookieEntry(of page: Page) -> (words: String, site: String)? {
    guard let site = WebURL(page.url)?.site, let choice = choices.cookieChoices[site] else {
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
    decide(nil, aboutCookiesOf: site)
    notify("cookies of \(SafeText.line(site)) are deleted; offread will ask about them again")
    refreshList()
  }
}
