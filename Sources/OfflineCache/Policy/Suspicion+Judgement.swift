/// An answer as it is judged.
struct JudgedAnswer: Sendable {
  /// Status and fields.
  var response: ResponseHead
  /// The URL that was asked.
  var url: WebURL
  /// The first bytes of the content, at most `Suspicion.examinedLength`.
  var beginning: [UInt8] = []
  /// The length of all of it.
  var length: Int64 = 0
  /// Whether it stands at the end of redirects from the URL whose page it would replace.
  var isRedirected = false
  /// Whether unrelated pages had the same content lately; see `AnswerMemory`.
  var isRepeated = false
  /// What was read of `beginning`, if the caller has it already.
  var marks: PageMarks?

  /// Returns what is read of `beginning`.
  func readMarks() -> PageMarks { marks ?? PageMarks(beginning) }
}

/// What is judged here: whether an answer may be trusted to be the page. Pure functions; what they
/// cannot tell is trusted, and a copy that is kept wrongly is still one key from the new version.
extension Suspicion {
  /// How much of a content is looked at, in bytes.
  static let examinedLength = 131_072

  /// Judges the head of an answer.
  /// - Parameters:
  ///   - response: the answer's head.
  ///   - url: what was asked.
  ///   - copy: the newest good version, which it would replace.
  /// - Returns: why it is not trusted, or nil.
  static func judge(
    _ response: ResponseHead, for url: WebURL, replacing copy: StoredResponse?
  ) -> Suspicion? {
    // RFC 6585 §6: 511 comes from the network, never from the site.
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

  /// Judges the codings that are left on an answer: nobody can read its content. Without a copy it is
  /// shown as it came.
  /// - Parameters:
  ///   - response: the answer's head, known codings taken off.
  ///   - request: what was asked; whoever asks for a coding can read it.
  ///   - copy: the newest good version, which it would replace.
  /// - Returns: why it is not trusted, or nil.
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

  /// Judges the content of a complete answer.
  /// - Parameters:
  ///   - answer: the answer.
  ///   - copy: the page that it would replace; not a redirect.
  ///   - marks: reads the beginning of that page, when it is needed; nil when it cannot be read.
  /// - Returns: why it is not trusted, or nil.
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
    // Of what says nothing there are many alike.
    if answer.isRepeated, new.textLength >= Int(leastText) { return .repeatedAnswer }
    let isWhole = answer.length <= Int64(answer.beginning.count)
    guard let copy, copy.length > 0 else {
      // Nothing to compare with, but a network can answer for any http site out there.
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

  /// Whether a captive portal can have sent a response: what was asked for, or the page whose redirects led to it, is
  /// unencrypted and in the public network.
  private static func isInterceptable(
    _ answer: JudgedAnswer, replacing copy: StoredResponse?
  ) -> Bool {
    let asked = answer.isRedirected ? copy.flatMap { WebURL($0.key) } ?? answer.url : answer.url
    return asked.scheme == "http" && !Site.isPrivate(asked.host)
  }

  /// Judges a page without text that goes on to another site at once: it is a redirect.
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

  /// Maximum share of the longer page's words that two unrelated pages in one language have in common.
  private static let unlikeShare = 0.08

  /// Whether a page has hardly any of another's words and is much shorter: another page, under another title.
  private static func isAnotherPage(_ new: PageMarks, than old: PageMarks) -> Bool {
    old.textLength >= longText && new.textLength >= Int(leastText)
      && new.textLength <= old.textLength / 2
      && new.share(of: old) < unlikeShare && (new.title.isEmpty || new.title != old.title)
  }

  /// Whether a page without its end tag is the beginning of one: the page before had an end, and either nobody
  /// can tell that all of it came (RFC 9112 §8), or at most half of it is here and hardly anything else.
  private static func isCutOff(
    _ answer: JudgedAnswer, _ new: PageMarks, replacing old: PageMarks?, _ copy: StoredResponse
  ) -> Bool {
    guard let old, old.isEnded, old.textLength >= longText else { return false }
    return answer.response.endsWithConnection
      || answer.length <= copy.length / 2 && old.share(of: new) >= 0.8
  }

  /// Whether a page that is titled like an error says hardly more than that, where there was one with text.
  private static func isFailure(_ new: PageMarks, replacing old: PageMarks?) -> Bool {
    guard let old, old.textLength >= longText, !old.isTitledFailure else { return false }
    return new.textLength <= min(longestForm, old.textLength / 2) && new.share(of: old) < 0.5
  }

  /// Judges an answer that is no page: a few bytes where a page or a file was.
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

  /// Whether a response that is no page is of another kind than the saved copy, and does not have its text either.
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

  /// Whether a short text, JSON or XML speaks of a network that wants something first (RFC 8908, WISPr).
  private static func asksForNetwork(file answer: JudgedAnswer) -> Bool {
    if mediaType(answer.response) == "application/captive+json" { return true }
    guard answer.url.scheme == "http", !Site.isPrivate(answer.url.host),
      ContentKind(mediaType: mediaType(answer.response))?.isTextual ?? false,
      answer.length <= longestRemark
    else { return false }
    let marks = answer.readMarks()
    return marks.hasGatewayMark || marks.namesNetwork && marks.namesSignIn
  }

  /// Judges a page that came where there was a file.
  private static func judge(
    _ answer: JudgedAnswer, _ new: PageMarks, replacingFile copy: StoredResponse
  ) -> Suspicion? {
    let asks = new.hasPasswordField || new.hasForm && (new.namesNetwork || new.asksForConsent)
    if asks { return wall(answer) }
    let type = mediaType(copy.response)
    // Text becomes a page when a site is made anew, and a type that says nothing is put right.
    let mayBecomePage = ["text/plain", "text/markdown", "application/octet-stream"].contains(type)
    guard mayBecomePage, !new.isTitledFailure else { return .otherKind }
    // A text that became a page has not lost most of what it said.
    let isLess = copy.length >= shortestFile && Int64(new.textLength) < copy.length / 8
    return isLess && answer.length <= Int64(answer.beginning.count) ? .nearlyEmpty : nil
  }

  /// Judges a page that asks for something where there was one with text.
  private static func judge(
    _ answer: JudgedAnswer, _ new: PageMarks, replacing old: PageMarks?, _ copy: StoredResponse
  ) -> Suspicion? {
    // Nothing to compare with but the length.
    let oldText = old?.textLength ?? Int(clamping: copy.length / 2)
    let newText = old == nil ? Int(clamping: answer.length / 2) : new.textLength
    let share = old.map { new.share(of: $0) } ?? 0
    guard oldText >= longText, share < 0.5 else { return nil }
    let isShort = newText <= oldText / 2
    let isMuchShorter = newText <= oldText / 4 && share < 0.25
    if new.asksToSignIn {
      let hadForm = old?.hasPasswordField ?? false
      let isNamed = answer.isRedirected && namesForm(answer.url.path)
      // The words alone are on many pages; a field for a password is not.
      let isForm = new.hasPasswordField && !hadForm || isNamed
      let limit = old?.asksToSignIn ?? false ? longestForm : longestWall
      // A network's terms may be long; a site's own page is another one all over only when it is new.
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

  /// A network can answer for any http site, and for no https one.
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
      // It led elsewhere before, too: what is there is judged when it comes.
      let former = Redirection.target(of: copy.response, storedAs: copy.key)
      guard Site.isSame(base.host, former?.host), !Site.isSame(former?.host, target.host) else {
        return nil
      }
    }
    return base.scheme == "https" ? .movedAway : .foreignRedirect
  }

  /// Whether an address is that of a site's front page: what many sites have in place of pages that are no more. The
  /// names that it has itself stand for it, too.
  private static func isFront(_ url: WebURL) -> Bool {
    let names = url.path.lowercased().split(separator: "/")
    guard url.query == nil, names.count <= 1, let name = names.first else { return names.isEmpty }
    let stem = name.prefix { $0 != "." }
    return name.count == 2 || frontNames.contains(stem)
  }

  private static let frontNames: Set<Substring> = [
    "index", "default", "home", "main", "start", "welcome",
  ]

  /// Whether a public site sends the reader to an address within the network.
  private static func leadsInside(_ reference: String, from base: WebURL) -> Bool {
    guard !Site.isPrivate(base.host), let target = base.resolve(reference) else { return false }
    return target.isWeb && Site.isPrivate(target.host)
  }

  /// Text of fewer bytes is none.
  private static let leastText: Int64 = 40
  /// A file of fewer bytes may well be replaced by one of hardly any.
  private static let shortestFile: Int64 = 512
  /// What is no page and has fewer bytes is a remark ("rate limited").
  private static let longestRemark: Int64 = 512
  /// Text of as many bytes is an article, or nearly one.
  private static let longText = 400

  /// A form with what must be said beside it is of no more bytes; what asks in more is an article in the
  /// frame of a site that asks on every page.
  private static let longestWall = 2500
  /// A form and hardly more: what it says counts even where the page before said it, too.
  static let longestForm = 600

  private static func hadText(
    _ old: PageMarks?, _ copy: StoredResponse, against answer: JudgedAnswer, _ new: PageMarks
  ) -> Bool {
    guard let old else { return copy.length >= 1024 && answer.length <= copy.length / 4 }
    return old.textLength >= (new.textLength == 0 ? 1 : longText)
  }

  /// Whether an answer says that it is a page.
  static func isPage(_ response: ResponseHead) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(mediaType(response))
  }

  /// The media type without its parameters, in lower case; of an answer without one, that of a page.
  static func mediaType(_ response: ResponseHead) -> String {
    let value = response.fields.values(of: "Content-Type").first?.lowercased() ?? "text/html"
    return String(value.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
  }

  /// Whether the path of a URL says that there is a form to be passed first.
  static func namesForm(_ path: String) -> Bool {
    let segments = path.lowercased().split { $0 == "/" || $0 == "." || $0 == "_" || $0 == "-" }
    return segments.contains { formNames.contains($0) }
  }

  private static let formNames: Set<Substring> = [
    "login", "logon", "signin", "auth", "oauth", "oauth2", "sso", "saml", "cas", "session",
    "sessions", "consent", "captcha", "challenge", "anmelden", "connexion", "portal",
  ]
}
