import Configuration
import Document
import OfflineCache
import Reader
import Terminal

extension Browser {
  /// Takes the key that answers a question: `y`, or anything else for no.
  mutating func handle(_ key: Key, in question: Question) -> [Effect] {
    if let effects = openHelp(by: key, unless: { _ in false }) { return effects }
    mode = .page
    if case .keepCookies(let site) = question.act { return decide(key, aboutCookiesOf: site) }
    guard key == .character("y") || key == .character("Y") else {
      notice = Notice(text: "not sent")
      return []
    }
    switch question.act {
    case .send(let form, let page): return send(form, from: page)
    case .sendAgain: return reload(isConfirmed: true)
    case .keepCookies: return []
    }
  }

  // MARK: Cookies

  /// Asks whether the cookies of a site are kept that set one in answer to a form.
  mutating func askAboutCookies(of site: String) {
    let parts = [
      "\(SafeText.line(site)) sets a cookie to sign you in", "y this time", "a always", "n never",
    ]
    mode = .question(
      Question(
        words: parts.joined(separator: glyphs.separator), act: .keepCookies(site: site), keys: ""))
  }

  /// Takes the key that answers that question. Escape decides nothing, and neither do the keys of the page.
  private mutating func decide(_ key: Key, aboutCookiesOf site: String) -> [Effect] {
    let name = SafeText.line(site)
    if key == .character("y") || key == .character("Y") {
      decide(.session, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are kept until offread ends")
    } else if key == .character("a") || key == .character("A") {
      decide(.always, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are kept \(choiceTerm)")
    } else if key == .character("n") || key == .character("N") {
      decide(.never, aboutCookiesOf: site)
      notice = Notice(text: "cookies of \(name) are not kept \(choiceTerm)")
    } else if key != Key(.escape) {
      return handle(key)
    }
    return []
  }

  /// Takes a decision about the cookies of a site; nil takes it back.
  mutating func decide(_ choice: CookieChoice?, aboutCookiesOf site: String) {
    let choice = Choices.Choice.cookies(choice, site: site)
    choices.take(choice)
    outbox.append(.choose(choice))
  }

  /// The row of the page information that shows the decision about the cookies of a page's site, and takes it back by
  /// Enter; nil where nothing is decided.
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

  /// Takes the decision about the cookies of a site back, and drops what is kept of them.
  mutating func forgetCookies(of site: String) {
    decide(nil, aboutCookiesOf: site)
    notice = Notice(text: "cookies of \(SafeText.line(site)) are forgotten; offread asks again")
    refreshList()
  }
}
