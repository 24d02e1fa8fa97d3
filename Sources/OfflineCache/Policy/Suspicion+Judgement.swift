/// A response to be validated.
struct JudgedAnswer: Sendable {
  /// The status and header fields.
  var response: ResponseHead
  /// The requested URL.
  var url: WebURL
  /// The first bytes of the content, at most `Suspicion.examinedLength`.
  var beginning: [UInt8] = []
  /// The length of the whole content.
  var length: Int64 = 0
  /// Whether the response is the target of redirects from the URL whose page it would replace.
  var isRedirected = false
  /// Whether unrelated pages recently had the same content; see `AnswerMemory`.
  var isRepeated = false
  /// The scan of `beginning`, if the caller has already performed it.
  var marks: PageMarks?

  /// Returns the scan of `beginning`.
  func readMarks() -> PageMarks { marks ?? PageMarks(beginning) }
}

/// Validation of responses: whether a response may be trusted to be the requested page. All
/// functions are pure. Responses are trusted in doubtful cases; if a copy is kept wrongly, the user
/// can still reach the new version with one key.
extension Suspicion {
  /// The number of leading bytes of the content that are examined.
  static let examinedLength = 131_072

  /// Validates the head of a response.
  /// - Parameters:
  ///   - response: The response head.
  ///   - url: The requested URL.
  ///   - copy: The newest good version, which the response would replace.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func judge(
    _ response: ResponseHead, for url: WebURL, replacing copy: StoredResponse?
  ) -> Suspicion? {
    // RFC 6585 §6: 511 is sent by an intercepting proxy, not by the origin server.
    if response.status == 511 { return .signInPage }
    if let refresh = response.fields.values(of: "Refresh").first.flatMap(MarkupScan.refreshTarget),
      leadsInside(refresh, from: url)
    {
      return .signInPage
    }
    if Redirection.isRedirect(response) {
      return judge(redirect: response, from: url, replacing: copy)
    }
    guard let copy, response.status == 204 || response.status == 205 else { return nil }
    return copy.length > 0 ? .nearlyEmpty : nil
  }

  /// Validates the remaining content codings of a response, with which the content is unreadable.
  /// Without a copy to serve instead, the response is trusted.
  /// - Parameters:
  ///   - response: The response head, from which supported codings were removed.
  ///   - request: The request. A client that explicitly accepts a coding is assumed to support it.
  ///   - copy: The newest good version, which the response would replace.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func judge(
    codingsOf response: ResponseHead, for request: WebRequest, replacing copy: StoredResponse?
  ) -> Suspicion? {
    let left = codings(response)
    guard (200..<300).contains(response.status), !left.isEmpty, let copy, !copy.isRedirect,
      codings(copy.response).isEmpty
    else { return nil }
    let wanted = request.fields.values(of: "Accept-Encoding").flatMap { FieldList.texts($0) }
      .map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    let isReadable = left.count <= ContentDecoding.codingLimit && left.allSatisfy(wanted.contains)
    return isReadable ? nil : .unknownCoding
  }

  private static func codings(_ response: ResponseHead) -> [String] {
    ["Content-Encoding", "Transfer-Encoding"].flatMap { response.fields.values(of: $0) }
      .flatMap { FieldList.texts($0) }.map { $0.lowercased() }
      .filter { $0 != "identity" && $0 != "chunked" }
  }

  /// Validates the content of a complete response.
  /// - Parameters:
  ///   - answer: The response.
  ///   - copy: The page that the response would replace; not a redirect.
  ///   - marks: Scans the beginning of that page, on demand; returns nil if it cannot be read.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func judge(
    _ answer: JudgedAnswer, replacing copy: StoredResponse?, marks: () -> PageMarks?
  ) -> Suspicion? {
    guard (200..<300).contains(answer.response.status) else { return nil }
    guard isPage(answer.response) || ContentKind(bytes: answer.beginning) == .page else {
      return judge(file: answer, replacing: copy, marks)
    }
    let new = answer.readMarks()
    if new.hasGatewayMark || new.targets.contains(where: { leadsInside($0, from: answer.url) }) {
      return .signInPage
    }
    // Pages with hardly any text are often alike.
    if answer.isRepeated, new.textLength >= Int(leastText) { return .repeatedAnswer }
    let isWhole = answer.length <= Int64(answer.beginning.count)
    guard let copy, copy.length > 0 else {
      // There is no copy to compare with, but a network can intercept any public http site.
      let isOpen = answer.url.scheme == "http" && !Site.isPrivate(answer.url.host)
      return isOpen && isWhole && new.asksForNetwork ? .signInPage : nil
    }
    if answer.length == 0 { return .nearlyEmpty }
    guard isPage(copy.response) else { return judge(answer, new, replacingFile: copy) }
    let isUnlike = isWhole && isInterceptable(answer, replacing: copy)
    if let reason = judge(departuresOf: new, answer, replacing: copy, marks) { return reason }
    let mayBeEmpty = isWhole && new.textLength < Int(leastText) && !new.hasMedia
    let hasNoEnd = isWhole && !new.isEnded && answer.length < copy.length
    guard
      mayBeEmpty || hasNoEnd || isUnlike || new.asksToSignIn || new.asksForConsent
        || new.namesNetwork
        || new.isTitledFailure
    else { return nil }
    let old = marks()
    if let wall = judge(answer, new, replacing: old, copy) { return wall }
    if new.isTitledFailure, isFailure(new, replacing: old) { return .errorPage }
    if mayBeEmpty, hadText(old, copy, against: answer, new) { return .nearlyEmpty }
    if isUnlike, let old, isAnotherPage(new, than: old) { return .otherKind }
    return hasNoEnd && isCutOff(answer, new, replacing: old, copy) ? .cutOff : nil
  }

  /// Returns whether a captive portal can have sent a response: the requested URL, or the page
  /// whose redirects led to it, is unencrypted and on the public network.
  private static func isInterceptable(
    _ answer: JudgedAnswer, replacing copy: StoredResponse?
  ) -> Bool {
    let asked = answer.isRedirected ? copy.flatMap { WebURL($0.key) } ?? answer.url : answer.url
    return asked.scheme == "http" && !Site.isPrivate(asked.host)
  }

  /// Rejects a page without text that immediately forwards to another site, unless the saved page
  /// forwarded there, too.
  private static func judge(
    departuresOf new: PageMarks, _ answer: JudgedAnswer, replacing copy: StoredResponse,
    _ marks: () -> PageMarks?
  ) -> Suspicion? {
    let hosts = new.departures.compactMap { answer.url.resolve($0) }.filter(\.isWeb).map(\.host)
      .filter { !Site.isSame(answer.url.host, $0) }
    guard let host = hosts.first else { return nil }
    let former = marks()?.departures.compactMap { answer.url.resolve($0)?.host } ?? []
    guard !former.contains(where: { Site.isSame(host, $0) }) else { return nil }
    return answer.url.scheme == "https" ? .movedAway : .foreignRedirect
  }

  /// The maximum fraction of the longer page's words that two unrelated pages in one language have
  /// in common.
  private static let unlikeShare = 0.08

  /// Returns whether a page is a different one: it shares hardly any words with the old page, is
  /// much shorter, and has another title.
  private static func isAnotherPage(_ new: PageMarks, than old: PageMarks) -> Bool {
    old.textLength >= longText && new.textLength >= Int(leastText)
      && new.textLength <= old.textLength / 2
      && new.share(of: old) < unlikeShare && (new.title.isEmpty || new.title != old.title)
  }

  /// Returns whether a page without its end tag is truncated. The old page had an end tag, and
  /// either completeness cannot be determined (RFC 9112 §8), or at most half of the old page is
  /// present with hardly any new text.
  private static func isCutOff(
    _ answer: JudgedAnswer, _ new: PageMarks, replacing old: PageMarks?, _ copy: StoredResponse
  ) -> Bool {
    guard let old, old.isEnded, old.textLength >= longText else { return false }
    return answer.response.endsWithConnection
      || answer.length <= copy.length / 2 && old.share(of: new) >= 0.8
  }

  /// Returns whether a page with the title of an error page has little other text and replaces a
  /// page with text.
  private static func isFailure(_ new: PageMarks, replacing old: PageMarks?) -> Bool {
    guard let old, old.textLength >= longText, !old.isTitledFailure else { return false }
    return new.textLength <= min(longestForm, old.textLength / 2) && new.share(of: old) < 0.5
  }

  /// Validates a response that is not a page, in particular a very short one.
  private static func judge(
    file answer: JudgedAnswer, replacing copy: StoredResponse?, _ marks: () -> PageMarks?
  ) -> Suspicion? {
    if asksForNetwork(file: answer) { return .signInPage }
    guard let copy, copy.length > 0 else { return nil }
    if answer.length == 0 { return .nearlyEmpty }
    guard copy.length >= shortestFile else { return nil }
    let limit = isPage(copy.response) ? min(longestRemark, copy.length / 4) : leastText
    if answer.length < limit { return .nearlyEmpty }
    if isInterceptable(answer, replacing: copy), isOtherKind(answer, replacing: copy, marks) {
      return .otherKind
    }
    let kind = mediaType(answer.response).prefix { $0 != "/" }
    return isPage(copy.response) && ["image", "audio", "video", "font"].contains(kind)
      ? .otherKind : nil
  }

  /// Returns whether a response that is not a page is of another kind than the saved copy, and does
  /// not contain its text either.
  private static func isOtherKind(
    _ answer: JudgedAnswer, replacing copy: StoredResponse, _ marks: () -> PageMarks?
  ) -> Bool {
    guard let new = ContentKind(answer.response, answer.beginning),
      let old = ContentKind(mediaType: mediaType(copy.response)),
      !new.agrees(with: old), !old.agrees(with: new)
    else { return false }
    guard new.isTextual, old.isTextual, let old = marks() else { return true }
    return answer.readMarks().share(of: old) < 0.5
  }

  /// Returns whether a short text, JSON or XML response is about network access (RFC 8908, WISPr).
  private static func asksForNetwork(file answer: JudgedAnswer) -> Bool {
    if mediaType(answer.response) == "application/captive+json" { return true }
    guard answer.url.scheme == "http", !Site.isPrivate(answer.url.host),
      ContentKind(mediaType: mediaType(answer.response))?.isTextual ?? false,
      answer.length <= longestRemark
    else { return false }
    let marks = answer.readMarks()
    return marks.hasGatewayMark || marks.namesNetwork && marks.namesSignIn
  }

  /// Validates a page that would replace a file.
  private static func judge(
    _ answer: JudgedAnswer, _ new: PageMarks, replacingFile copy: StoredResponse
  ) -> Suspicion? {
    let asks = new.hasPasswordField || new.hasForm && (new.namesNetwork || new.asksForConsent)
    if asks { return wall(answer) }
    let type = mediaType(copy.response)
    // A redesign may turn text into a page, or correct a generic media type.
    let mayBecomePage = ["text/plain", "text/markdown", "application/octet-stream"].contains(type)
    guard mayBecomePage, !new.isTitledFailure else { return .otherKind }
    // A text that was turned into a page retains most of its length.
    let isLess = copy.length >= shortestFile && Int64(new.textLength) < copy.length / 8
    return isLess && answer.length <= Int64(answer.beginning.count) ? .nearlyEmpty : nil
  }

  /// Validates a page that asks for input and would replace a page with text.
  private static func judge(
    _ answer: JudgedAnswer, _ new: PageMarks, replacing old: PageMarks?, _ copy: StoredResponse
  ) -> Suspicion? {
    // If the old page cannot be read, only the lengths are compared.
    let oldText = old?.textLength ?? Int(clamping: copy.length / 2)
    let newText = old == nil ? Int(clamping: answer.length / 2) : new.textLength
    let share = old.map { new.share(of: $0) } ?? 0
    guard oldText >= longText, share < 0.5 else { return nil }
    let isShort = newText <= oldText / 2
    let isMuchShorter = newText <= oldText / 4 && share < 0.25
    if new.asksToSignIn {
      let hadForm = old?.hasPasswordField ?? false
      let isNamed = answer.isRedirected && namesForm(answer.url.path)
      // Many pages mention signing in; a password field is a clearer sign.
      let isForm = new.hasPasswordField && !hadForm || isNamed
      let limit = old?.asksToSignIn ?? false ? longestForm : longestWall
      // The terms of a captive portal may be long. A page of the site itself is completely
      // different only after a redesign.
      let isElsewhere = isForm && old != nil && answer.url.scheme == "http" && share < 0.1
      if isElsewhere { return wall(answer) }
      if isForm
        ? isShort && newText <= 2 * longestWall || isNamed : isMuchShorter && newText <= limit
      {
        return wall(answer)
      }
    }
    if new.namesNetwork, !(old?.namesNetwork ?? false) || newText <= longestForm, isMuchShorter,
      new.hasForm || answer.url.scheme == "http"
    {
      return wall(answer)
    }
    let isOther = new.title.isEmpty || new.title != old?.title
    if new.namesNetwork, new.hasForm, old.map({ !$0.namesNetwork }) ?? false, isOther,
      share < unlikeShare, answer.url.scheme == "http"
    {
      return wall(answer)
    }
    if new.asksForConsent {
      let limit = new.labelsConsent ? 2 * longestWall : longestWall
      let isTold = old?.asksForConsent ?? false
      if isTold ? isMuchShorter && newText <= longestForm : isShort && newText <= limit {
        return .consentPage
      }
    }
    return nil
  }

  /// Returns `signInPage` if a captive portal can have sent the response; a network can intercept
  /// http sites, but not https sites. Returns `loginWall` otherwise.
  private static func wall(_ answer: JudgedAnswer) -> Suspicion {
    answer.url.scheme == "https" || answer.isRedirected ? .loginWall : .signInPage
  }

  private static func judge(
    redirect response: ResponseHead, from base: WebURL, replacing copy: StoredResponse?
  ) -> Suspicion? {
    guard let location = response.fields.values(of: "Location").first,
      let target = base.resolve(location), target.isWeb
    else { return nil }
    if leadsInside(location, from: base) { return .signInPage }
    guard let copy else { return nil }
    if base.host == target.host, isFront(target), !isFront(base), !copy.isRedirect {
      return .frontPage
    }
    guard !Site.isSame(base.host, target.host) else { return nil }
    if copy.isRedirect {
      // The saved version redirected to another site, too: its target is validated when it arrives.
      let former = Redirection.target(of: copy.response, storedAs: copy.key)
      guard Site.isSame(base.host, former?.host), !Site.isSame(former?.host, target.host) else {
        return nil
      }
    }
    return base.scheme == "https" ? .movedAway : .foreignRedirect
  }

  /// Returns whether a URL is the front page of a site, to which many sites redirect removed pages.
  /// Common file names of front pages count, too.
  private static func isFront(_ url: WebURL) -> Bool {
    let names = url.path.lowercased().split(separator: "/")
    guard url.query == nil, names.count <= 1, let name = names.first else { return names.isEmpty }
    let stem = name.prefix { $0 != "." }
    return name.count == 2 || frontNames.contains(stem)
  }

  private static let frontNames: Set<Substring> = [
    "index", "default", "home", "main", "start", "welcome",
  ]

  /// Returns whether a reference on a public site leads to a URL in a private network.
  private static func leadsInside(_ reference: String, from base: WebURL) -> Bool {
    guard !Site.isPrivate(base.host), let target = base.resolve(reference) else { return false }
    return target.isWeb && Site.isPrivate(target.host)
  }

  /// The minimum length, in bytes, of text that counts.
  private static let leastText: Int64 = 40
  /// The minimum length, in bytes, of a file whose replacement by a very short one is suspicious.
  private static let shortestFile: Int64 = 512
  /// The maximum length, in bytes, of a message that is not a page ("rate limited").
  private static let longestRemark: Int64 = 512
  /// The minimum text length, in bytes, of an article.
  private static let longText = 400

  /// The maximum text length, in bytes, of a form with its explanations. A longer page is an
  /// article on a site that shows a form on every page.
  private static let longestWall = 2500
  /// The maximum text length, in bytes, of a page that is little more than a form. Its terms count
  /// even if the old page contained them.
  static let longestForm = 600

  private static func hadText(
    _ old: PageMarks?, _ copy: StoredResponse, against answer: JudgedAnswer, _ new: PageMarks
  ) -> Bool {
    guard let old else { return copy.length >= 1024 && answer.length <= copy.length / 4 }
    return old.textLength >= (new.textLength == 0 ? 1 : longText)
  }

  /// Returns whether a response is declared as an HTML page.
  static func isPage(_ response: ResponseHead) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(mediaType(response))
  }

  /// Returns the lowercase media type without parameters; `text/html` if the response declares
  /// none.
  static func mediaType(_ response: ResponseHead) -> String {
    let value = response.fields.values(of: "Content-Type").first?.lowercased() ?? "text/html"
    return String(value.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
  }

  /// Returns whether the path of a URL indicates a sign-in or consent form.
  static func namesForm(_ path: String) -> Bool {
    let segments = path.lowercased().split { $0 == "/" || $0 == "." || $0 == "_" || $0 == "-" }
    return segments.contains { formNames.contains($0) }
  }

  private static let formNames: Set<Substring> = [
    "login", "logon", "signin", "auth", "oauth", "oauth2", "sso", "saml", "cas", "session",
    "sessions", "consent", "captcha", "challenge", "anmelden", "connexion", "portal",
  ]
}
