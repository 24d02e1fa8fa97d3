import DOM
import Document
import Foundation
import OfflineCache

/// The kind of page that a site seems to show, with status 200, instead of the requested one.
/// Reports only mention it, because an ordinary page may look alike.
package enum StandInPage: Sendable, Hashable, CaseIterable {
  /// A form for signing in.
  case signIn
  /// A message that the page does not exist, or that the server failed.
  case error
  /// A robot check, an age check, or a message that the visitor is blocked.
  case check
  /// A page without text of its own, which scripts would create.
  case shell
  /// The beginning of the page, as if its transfer had ended early.
  case beginning

  /// The kind of page as a noun phrase.
  package var description: String {
    switch self {
    case .signIn: "a sign-in page"
    case .error: "an error page of the site"
    case .check: "a page that checks or blocks visitors"
    case .shell: "a page whose text is created by scripts"
    case .beginning: "a page whose end is missing"
    }
  }

  /// Determines the kind of a page that was reached without redirects; nil if it seems to be the
  /// requested page.
  /// - Parameters:
  ///   - document: the parsed page.
  ///   - content: the HTML of the page.
  init?(_ document: Document, content: [UInt8]) {
    let length = document.plainTextLength
    guard length <= Self.maxCheckLength else { return nil }
    let names = Self.titleParts(document)
    if names.contains(where: { Self.checkNames.contains($0) }) {
      self = .check
    } else if length > Self.maxTextLength {
      return nil
    } else if Self.hasPasswordField(document), names.contains(where: Self.asksToSignIn) {
      self = .signIn
    } else if names.contains(where: { Self.errorNames.contains($0) }) {
      self = .error
    } else if length <= Self.maxShellLength, document.hasScripts, document.images.isEmpty,
      !document.isFrameset, Self.hasEmptyRoot(content)
    {
      self = .shell
    } else {
      return nil
    }
  }

  /// Determines the kind of a page that may have been reached by redirects; nil if it seems to be
  /// the requested page. A form with a password field is a sign-in page, whatever its title, if its
  /// URL contains the requested URL.
  init?(_ links: PageLinks, through chain: [WebURL]) {
    if links.isSignInForm, Self.carriesRequest(chain) {
      self = .signIn
    } else if let found = links.standIn {
      self = found
    } else {
      return nil
    }
  }

  /// Whether a page contains little more text than a form with a password field.
  static func isSignInForm(_ document: Document) -> Bool {
    hasPasswordField(document) && document.plainTextLength <= maxTextLength
  }

  private static func hasPasswordField(_ document: Document) -> Bool {
    document.forms.controls.contains { $0.kind == .password && !$0.isDisabled }
  }

  /// Whether a parameter of the last URL of a redirect chain contains the first URL or its path.
  private static func carriesRequest(_ chain: [WebURL]) -> Bool {
    guard chain.count > 1, let first = chain.first, first.path.count > 1,
      let query = chain.last?.query
    else { return false }
    let local = first.path + (first.query.map { "?" + $0 } ?? "")
    let requested: Set = [first.path, local, first.origin + first.path, first.origin + local]
    return query.split(separator: "&").contains { parameter in
      guard let equals = parameter.firstIndex(of: "=") else { return false }
      let value = parameter[equals...].dropFirst()
      return requested.contains(String(value))
        || requested.contains(String(value).removingPercentEncoding ?? "")
    }
  }

  /// Returns the components of the title, and the main headings, in lower case.
  private static func titleParts(_ document: Document) -> [String] {
    let headings = document.blocks.filter { $0.kind == .heading(level: 1) }.prefix(2).map { block in
      let runs = document.runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
      return String(
        decoding: runs.flatMap { document.text[Int($0.start)..<Int($0.end)] }, as: UTF8.self)
    }
    return ([document.title] + headings).flatMap { name in
      name.prefix(maxNameLength).lowercased().replacing(" - ", with: "|")
        .split { separators.contains($0) }.map { part in
          part.replacing("’", with: "'")
            .split { $0.isWhitespace || $0 == "." || $0 == "!" || $0 == "…" }
            .joined(separator: " ")
        }
    }
  }

  private static func asksToSignIn(_ name: String) -> Bool {
    signInNames.contains(name) || signInBeginnings.contains { name.hasPrefix($0) }
  }

  /// Whether the element that scripts usually fill is empty in the HTML.
  private static func hasEmptyRoot(_ content: [UInt8]) -> Bool {
    let text = String(decoding: content.prefix(maxScannedLength), as: UTF8.self)
    let tags = text.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    return zip(tags, tags.dropFirst()).contains { tag, next in
      guard next.first == UInt8(ascii: "/"), let end = tag.firstIndex(of: UInt8(ascii: ">")),
        tag[end...].dropFirst().allSatisfy({ $0 <= 0x20 })
      else { return false }
      let parts = String(decoding: tag[..<end], as: UTF8.self).lowercased()
        .split(whereSeparator: \.isWhitespace)
      return (parts.first == "main" || parts.first == "div")
        && parts.dropFirst().contains { part in
          rootAttributes.contains(String(part).filter { $0 != "\"" && $0 != "'" })
        }
    }
  }

  /// The maximum length in bytes of the text, outside links and controls, of a sign-in form or an
  /// error message.
  private static let maxTextLength = 300
  /// The maximum length in bytes of the text, outside links and controls, of a page that checks
  /// visitors and explains why.
  private static let maxCheckLength = 1500
  /// The maximum length in bytes of the text outside links, such as a copyright notice, in a page
  /// whose text is created by scripts.
  private static let maxShellLength = 100
  /// The maximum number of characters of a title that are examined.
  private static let maxNameLength = 200
  /// The number of bytes of a page that are searched for an element that scripts fill.
  private static let maxScannedLength = 1 << 18
  private static let separators: Set<Character> = ["|", "–", "—", "·", "•", ":", "«", "»"]
  private static let rootAttributes: Set<String> = [
    "id=app", "id=root", "id=__next", "id=__nuxt", "id=react-root", "id=app-root", "id=main-app",
  ]
  private static let signInNames: Set<String> = [
    "log in", "login", "log-in", "sign in", "sign-in", "signin", "log on", "logon", "anmelden",
    "anmeldung", "einloggen", "connexion", "se connecter", "identifiez-vous", "iniciar sesión",
    "accedi", "inloggen", "logga in", "logg inn", "log ind", "kirjaudu sisään", "zaloguj się",
    "logowanie", "přihlášení", "войти", "вход", "giriş yap", "ログイン", "登录", "登入", "로그인",
  ]
  private static let signInBeginnings = [
    "log in to ", "login to ", "sign in to ", "please log in", "please sign in",
  ]
  private static let errorNames: Set<String> = [
    "page not found", "404 not found", "404 page not found", "error 404 page not found",
    "page cannot be found", "page could not be found", "this page could not be found",
    "this page does not exist", "seite nicht gefunden", "page introuvable", "page non trouvée",
    "página no encontrada", "pagina non trovata", "página não encontrada",
    "pagina niet gevonden", "sidan hittades inte", "siden ble ikke funnet", "sivua ei löydy",
    "siden blev ikke fundet", "nie znaleziono strony", "stránka nenalezena",
    "403 forbidden", "429 too many requests", "too many requests", "500 internal server error",
    "internal server error", "502 bad gateway", "503 service unavailable",
    "503 service temporarily unavailable", "504 gateway time-out", "account suspended",
    "error establishing a database connection",
    "страница не найдена", "sayfa bulunamadı", "ページが見つかりません", "页面不存在", "找不到网页",
    "페이지를 찾을 수 없습니다",
  ]
  private static let checkNames: Set<String> = [
    "just a moment", "one moment, please", "attention required", "access denied",
    "access to this page has been denied", "pardon our interruption", "robot check",
    "making sure you're not a bot", "are you a robot?", "are you human?", "human verification",
    "bot verification", "checking your browser", "verify you are human", "verifying you are human",
    "please verify you are a human", "ddos-guard", "you have been blocked",
    "sorry, you have been blocked", "request blocked", "age verification", "are you over 18?",
  ]
}

extension Document {
  /// The number of bytes of text outside links, controls and image descriptions.
  fileprivate var plainTextLength: Int {
    runs.reduce(0) { length, run in
      run.link == nil && run.image == nil && !run.style.contains(.control)
        ? length + Int(run.end - run.start) : length
    }
  }
}
