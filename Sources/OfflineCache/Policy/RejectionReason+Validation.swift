/// Validates responses, that is, determines whether a response may be trusted to be the requested
/// page. All functions are pure. In doubtful cases, responses are trusted. If a response is
/// rejected wrongly and a copy is kept, the user can still display the new version by pressing one
/// key.
extension RejectionReason {
  /// The number of leading bytes of the content that are examined.
  static let examinedLength = 131_072

  /// Validates the head of a response.
  /// - Parameters:
  ///   - response: The response head.
  ///   - url: The requested URL.
  ///   - copy: The newest good version, which the response would replace.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func validate(
    _ response: ResponseHead, for url: WebURL, replacing copy: StoredResponse?
  ) -> RejectionReason? {
    // RFC 6585 §6: 511 is sent by an intercepting proxy, not by the origin server.
    if response.status == 511 { return .signInPage }
    if let refresh = response.refresh, leadsToPrivateNetwork(refresh.target, from: url) {
      return .signInPage
    }
    if Redirection.isRedirect(response) {
      return validate(redirect: response, from: url, replacing: copy)
    }
    guard let copy else { return nil }
    switch response.status {
    case 204, 205: return copy.length > 0 ? .nearlyEmpty : nil
    // A server may offer pages with similar names if the requested one no longer exists.
    case 300: return copy.response.status == 300 ? nil : .errorPage
    default: return nil
    }
  }

  /// Validates the content codings that offread could not remove from a response, because they may
  /// make the content unreadable. If there is no copy to serve instead, the response is trusted.
  /// - Parameters:
  ///   - response: The response head, from which supported codings were removed.
  ///   - request: The request. A client that explicitly accepts a coding is assumed to support it.
  ///   - copy: The newest good version, which the response would replace.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func validate(
    contentCodingsOf response: ResponseHead, for request: WebRequest,
    replacing copy: StoredResponse?
  ) -> RejectionReason? {
    let left = codings(response)
    guard (200..<300).contains(response.status), !left.isEmpty, let copy, !copy.isRedirect,
      codings(copy.response).isEmpty
    else { return nil }
    let wanted = request.fields.values(of: "Accept-Encoding").flatMap { FieldList.memberTexts($0) }
      .map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    let isReadable = left.count <= ContentDecoding.maxCodings && left.allSatisfy(wanted.contains)
    return isReadable ? nil : .unknownCoding
  }

  private static func codings(_ response: ResponseHead) -> [String] {
    ["Content-Encoding", "Transfer-Encoding"].flatMap { response.fields.values(of: $0) }
      .flatMap { FieldList.memberTexts($0) }.map { $0.lowercased() }
      .filter { $0 != "identity" && $0 != "chunked" }
  }

  /// Validates the content of a complete response.
  /// - Parameters:
  ///   - response: The response.
  ///   - copy: The page that the response would replace; not a redirect.
  ///   - traits: Returns the scan of the beginning of `copy`, or nil if `copy` cannot be read;
  ///     called only if needed.
  /// - Returns: The reason to reject the response; nil if it is trusted.
  static func validate(
    _ response: CandidateResponse, replacing copy: StoredResponse?, traits: () -> PageTraits?
  ) -> RejectionReason? {
    guard ResponseHead.pageStatuses.contains(response.response.status) else { return nil }
    // Without content, there is nothing to choose from (RFC 9110 §15.4.1).
    if response.response.status == 300, response.length == 0 { return .nearlyEmpty }
    guard isPage(response.response) || ContentKind(bytes: response.beginning) == .page else {
      return validate(file: response, replacing: copy, traits)
    }
    let new = response.readTraits()
    if new.hasGatewayMarker
      || new.targets.contains(where: { leadsToPrivateNetwork($0, from: response.url) })
    {
      return .signInPage
    }
    // Pages with hardly any text often have the same content.
    if response.isRepeated, new.textLength >= Int(minContentLength) { return .repeatedAnswer }
    let isWhole = response.isWhole
    guard let copy, copy.length > 0 else {
      // There is no copy to compare with, but a network can intercept any public http site.
      let isInterceptableURL = response.url.scheme == "http" && !Site.isPrivate(response.url.host)
      return isInterceptableURL && isWhole && new.asksForNetworkAccess ? .signInPage : nil
    }
    if response.length == 0 { return .nearlyEmpty }
    guard isPage(copy.response) else { return validate(response, new, replacingFile: copy) }
    let mayBeOtherPage = isWhole && isInterceptable(response, replacing: copy)
    if let reason = validate(forwardingTargetsOf: new, response, replacing: copy, traits) {
      return reason
    }
    let mayBeEmpty = isWhole && new.textLength < Int(minContentLength) && !new.hasMedia
    let hasNoEnd = isWhole && !new.isComplete && response.length < copy.length
    guard
      mayBeEmpty || hasNoEnd || mayBeOtherPage || new.isConspicuous
        || isErrorTarget(response, replacing: copy) || isDirectoryTarget(response, replacing: copy)
    else { return nil }
    let old = traits()
    if let reason = validate(response, new, replacing: old, copy) { return reason }
    if let reason = validate(response, new, against: old, copy) { return reason }
    if mayBeEmpty, hadText(old, copy, against: response, new) { return .nearlyEmpty }
    if mayBeOtherPage, let old, isAnotherPage(new, than: old) { return .otherKind }
    return hasNoEnd && isTruncated(response, new, replacing: old, copy) ? .cutOff : nil
  }

  /// Validates a page by the text of the page that it would replace, if that can be read.
  private static func validate(
    _ response: CandidateResponse, _ new: PageTraits, against old: PageTraits?,
    _ copy: StoredResponse
  ) -> RejectionReason? {
    guard let old else { return nil }
    if isFailure(new, replacing: old, hasErrorURL: isErrorTarget(response, replacing: copy)) {
      return .errorPage
    }
    guard response.isWhole else { return nil }
    if isDirectoryTarget(response, replacing: copy), isOtherText(new, than: old) {
      return .frontPage
    }
    return !isFrontPage(response.url) && isTeaser(new, of: old) ? .loginWall : nil
  }

  /// Returns whether a captive portal can have sent a response. This is so if the requested URL
  /// (or, after redirects, the first URL of the chain) is unencrypted and on the public network.
  private static func isInterceptable(
    _ response: CandidateResponse, replacing copy: StoredResponse?
  ) -> Bool {
    let asked =
      response.isRedirected ? copy.flatMap { WebURL($0.key) } ?? response.url : response.url
    return asked.scheme == "http" && !Site.isPrivate(asked.host)
  }

  /// Returns the reason to reject a page without text that immediately forwards to another site;
  /// nil for other pages, and if the saved page forwarded to that site as well.
  private static func validate(
    forwardingTargetsOf new: PageTraits, _ response: CandidateResponse,
    replacing copy: StoredResponse,
    _ traits: () -> PageTraits?
  ) -> RejectionReason? {
    let targets = new.forwardingTargets(of: response.response)
    let hosts = targets.compactMap { response.url.resolve($0) }.filter(\.isWeb).map(\.host)
      .filter { !Site.isSame(response.url.host, $0) }
    guard let host = hosts.first else { return nil }
    let former =
      traits()?.forwardingTargets(of: copy.response).compactMap { response.url.resolve($0)?.host }
      ?? []
    guard !former.contains(where: { Site.isSame(host, $0) }) else { return nil }
    return response.url.scheme == "https" ? .movedAway : .foreignRedirect
  }

  /// The maximum fraction of the longer page's words that two unrelated pages in the same language
  /// have in common.
  private static let maxSharedFraction = 0.08

  /// Returns whether a page is not a version of the old page: it shares hardly any words with the
  /// old page, is much shorter, and has another title.
  private static func isAnotherPage(_ new: PageTraits, than old: PageTraits) -> Bool {
    old.textLength >= minArticleLength && new.textLength >= Int(minContentLength)
      && new.textLength <= old.textLength / 2
      && new.sharedFraction(of: old) < maxSharedFraction
      && (new.title.isEmpty || new.title != old.title)
  }

  /// Returns whether a page without its end tag is truncated. The old page must have an end tag. In
  /// addition, the framing of the response must not show whether it is complete (RFC 9112 §8), or
  /// the page must have at most half the length of the old page and hardly any new text.
  private static func isTruncated(
    _ response: CandidateResponse, _ new: PageTraits, replacing old: PageTraits?,
    _ copy: StoredResponse
  ) -> Bool {
    guard let old, old.isComplete, old.textLength >= minArticleLength else { return false }
    return response.response.isCloseDelimited
      || response.length <= copy.length / 2 && old.sharedFraction(of: new) >= 0.8
  }

  /// Returns whether a page that would replace a page with text is an error page or a notice. Such
  /// a page has the title, the heading or the URL of an error page, or is a notice according to
  /// `PageTraits.isNotice`; and it has little other text besides a menu. Words that also occur in
  /// headlines count only if there is practically no other text.
  private static func isFailure(
    _ new: PageTraits, replacing old: PageTraits, hasErrorURL: Bool
  ) -> Bool {
    guard old.textLength >= minArticleLength, !old.hasFailureTitle else { return false }
    let isMessage =
      (new.hasMessageTitle && !old.hasMessageTitle
        || new.hasMessageHeading && !old.hasMessageHeading)
      && new.title != old.title && new.unlinkedLength <= maxRemarkLength
    let isNotice =
      new.isNotice && !old.isNotice && (new.title.isEmpty || new.title != old.title)
    guard new.hasFailureTitle || hasErrorURL || isMessage || isNotice else { return false }
    let limit = new.isCheckOrDefaultPage ? maxWallLength : maxFormLength
    let isShort =
      new.textLength <= min(limit, old.textLength / 2)
      || new.unlinkedLength <= min(limit, old.unlinkedLength / 2)
    return isShort && new.sharedFraction(of: old) < 0.5
  }

  /// Returns whether a page is the beginning of the old page, followed by a notice that the rest is
  /// for subscribers. Not counting links, the page must be much shorter than the old page, and most
  /// of its words must occur at the beginning of the old page. For a short page with the same
  /// title, a quarter of the words suffices, because the notice may be longer than the rest.
  private static func isTeaser(_ new: PageTraits, of old: PageTraits) -> Bool {
    guard new.mentionsSubscription, !old.mentionsSubscription,
      old.unlinkedLength >= 2 * minArticleLength, new.unlinkedLength <= old.unlinkedLength / 2
    else { return false }
    let isNotice =
      !new.title.isEmpty && new.title == old.title && new.unlinkedLength <= maxNoticeLength
    return new.sharedFraction(inBeginningOf: old) >= (isNotice ? 0.25 : 0.6)
  }

  /// Validates a response that is not a page, in particular a very short one.
  private static func validate(
    file response: CandidateResponse, replacing copy: StoredResponse?, _ traits: () -> PageTraits?
  ) -> RejectionReason? {
    if asksForNetwork(file: response) { return .signInPage }
    guard let copy, copy.length > 0 else { return nil }
    if response.length == 0 { return .nearlyEmpty }
    guard copy.length >= minFileLength else { return nil }
    let limit = isPage(copy.response) ? min(maxMessageLength, copy.length / 4) : minContentLength
    if response.length < limit { return .nearlyEmpty }
    if isDataInsteadOfMarkup(response, replacing: copy) { return .otherKind }
    // A server may also send the data of a page instead of the page itself.
    let isData =
      isPage(copy.response) && ContentKind(response.response, response.beginning) == .json
    if isData || isInterceptable(response, replacing: copy),
      isOtherKind(response, replacing: copy, traits)
    {
      return .otherKind
    }
    let kind = mediaType(response.response).prefix { $0 != "/" }
    return isPage(copy.response) && ["image", "audio", "video", "font"].contains(kind)
      ? .otherKind : nil
  }

  /// Returns whether a JSON response that is not a JSON Feed would replace XML. Such a response is
  /// an error message or a sign-in request of an API in place of a feed.
  private static func isDataInsteadOfMarkup(
    _ response: CandidateResponse, replacing copy: StoredResponse
  ) -> Bool {
    ContentKind(response.response, response.beginning) == .json
      && ContentKind(mediaType: mediaType(copy.response)) == .xml
      && !response.beginning.contains("jsonfeed.org".utf8)
  }

  /// Returns whether a response that is not a page has a kind different from that of the saved
  /// copy, and does not contain the copy's text either.
  private static func isOtherKind(
    _ response: CandidateResponse, replacing copy: StoredResponse, _ traits: () -> PageTraits?
  ) -> Bool {
    guard let new = ContentKind(response.response, response.beginning),
      let old = ContentKind(mediaType: mediaType(copy.response)),
      !new.agrees(with: old), !old.agrees(with: new)
    else { return false }
    guard new.isTextual, old.isTextual, let old = traits() else { return true }
    return response.readTraits().sharedFraction(of: old) < 0.5
  }

  /// Returns whether a short text, JSON or XML response is about network access (RFC 8908, WISPr).
  private static func asksForNetwork(file response: CandidateResponse) -> Bool {
    if mediaType(response.response) == "application/captive+json" { return true }
    guard response.url.scheme == "http", !Site.isPrivate(response.url.host),
      ContentKind(mediaType: mediaType(response.response))?.isTextual ?? false,
      response.length <= maxMessageLength
    else { return false }
    let traits = response.readTraits()
    return traits.hasGatewayMarker || traits.mentionsNetworkAccess && traits.mentionsSignIn
  }

  /// Validates a page that would replace a file.
  private static func validate(
    _ response: CandidateResponse, _ new: PageTraits, replacingFile copy: StoredResponse
  ) -> RejectionReason? {
    let asksForInput =
      new.hasPasswordField || new.hasForm && (new.mentionsNetworkAccess || new.asksForConsent)
    if asksForInput { return signInOrPortalReason(response) }
    let type = mediaType(copy.response)
    // A redesign may turn a text into a page, or correct a generic media type.
    let mayBecomePage = ["text/plain", "text/markdown", "application/octet-stream"].contains(type)
    guard mayBecomePage, !new.hasFailureTitle else { return .otherKind }
    // A text that was turned into a page retains most of its length.
    let isLess = copy.length >= minFileLength && Int64(new.textLength) < copy.length / 8
    return isLess && response.length <= Int64(response.beginning.count) ? .nearlyEmpty : nil
  }

  /// Validates a page that asks for input and would replace a page with text.
  private static func validate(
    _ response: CandidateResponse, _ new: PageTraits, replacing old: PageTraits?,
    _ copy: StoredResponse
  ) -> RejectionReason? {
    if let old, grantsAccessElsewhere(response, new, replacing: old) {
      return signInOrPortalReason(response)
    }
    // If the old page cannot be read, only the lengths are compared.
    let change = TextChange(
      oldLength: old?.textLength ?? Int(clamping: copy.length / 2),
      newLength: old == nil ? Int(clamping: response.length / 2) : new.textLength,
      sharedFraction: old.map { new.sharedFraction(of: $0) } ?? 0)
    guard change.oldLength >= minArticleLength, change.sharedFraction < 0.5 else { return nil }
    if new.asksToSignIn && isSignInPage(response, new, replacing: old, change)
      || new.mentionsNetworkAccess && isAccessPage(response, new, replacing: old, change)
    {
      return signInOrPortalReason(response)
    }
    guard new.asksForConsent else { return nil }
    let limit = new.hasConsentLabel ? 2 * maxWallLength : maxWallLength
    let isWall =
      old?.asksForConsent ?? false
      ? change.isMuchShorter && change.newLength <= maxFormLength
      : change.isShort && change.newLength <= limit
    return isWall ? .consentPage : nil
  }

  /// The change of the text of a page: the lengths in bytes, and the fraction that is shared.
  private struct TextChange {
    let oldLength: Int
    let newLength: Int
    let sharedFraction: Double
    var isShort: Bool { newLength <= oldLength / 2 }
    var isMuchShorter: Bool { newLength <= oldLength / 4 && sharedFraction < 0.25 }
  }

  private static func isSignInPage(
    _ response: CandidateResponse, _ new: PageTraits, replacing old: PageTraits?,
    _ change: TextChange
  ) -> Bool {
    let isFormURL = response.isRedirected && isFormPath(response.url.path)
    // Many pages mention signing in; a password field is stronger evidence.
    guard new.hasPasswordField && !(old?.hasPasswordField ?? false) || isFormURL else {
      let limit = old?.asksToSignIn ?? false ? maxFormLength : maxWallLength
      return change.isMuchShorter && change.newLength <= limit
    }
    // The terms of a captive portal may be long. A page of the site itself differs completely
    // only after a redesign.
    let isUnrelated = old != nil && response.url.scheme == "http" && change.sharedFraction < 0.1
    return isFormURL || isUnrelated || change.isShort && change.newLength <= 2 * maxWallLength
  }

  /// Returns whether a page that mentions network access comes from a captive portal.
  private static func isAccessPage(
    _ response: CandidateResponse, _ new: PageTraits, replacing old: PageTraits?,
    _ change: TextChange
  ) -> Bool {
    let oldMentionsAccess = old?.mentionsNetworkAccess ?? false
    let isHTTP = response.url.scheme == "http"
    if !oldMentionsAccess || change.newLength <= maxFormLength, change.isMuchShorter,
      new.hasForm || isHTTP
    {
      return true
    }
    return new.hasForm && old != nil && !oldMentionsAccess
      && (new.title.isEmpty || new.title != old?.title)
      && change.sharedFraction < maxSharedFraction && isHTTP
  }

  /// Returns whether a page has a form that grants access to a network and sends its input to
  /// another site, one to which no form of the saved page sent input. The page may contain long
  /// terms of use. In addition, the saved page must be an article that is not about networks, with
  /// another title and other headings.
  private static func grantsAccessElsewhere(
    _ response: CandidateResponse, _ new: PageTraits, replacing old: PageTraits
  ) -> Bool {
    guard response.url.scheme == "http", !new.accessTargets.isEmpty,
      old.textLength >= minArticleLength, !old.mentionsNetworkAccess, new.hasOtherName(than: old)
    else { return false }
    let knownHosts = [response.url.host] + old.formTargets.map { response.url.resolve($0)?.host }
    return new.accessTargets.compactMap(response.url.resolve).contains { target in
      target.isWeb && !knownHosts.contains { Site.isSame($0, target.host) }
    }
  }

  /// Returns `signInPage` for an http response to the requested URL, which a captive portal can
  /// have sent. Returns `loginWall` for an https response, which a network cannot intercept, and
  /// for the target of redirects.
  private static func signInOrPortalReason(_ response: CandidateResponse) -> RejectionReason {
    response.url.scheme == "https" || response.isRedirected ? .loginWall : .signInPage
  }

  private static func validate(
    redirect response: ResponseHead, from base: WebURL, replacing copy: StoredResponse?
  ) -> RejectionReason? {
    guard let location = response.fields.values(of: "Location").first,
      let target = base.resolve(location), target.isWeb
    else { return nil }
    if leadsToPrivateNetwork(location, from: base) { return .signInPage }
    guard let copy else { return nil }
    if base.host == target.host, isFrontPage(target), !isFrontPage(base), !copy.isRedirect {
      return .frontPage
    }
    if Site.isSame(base.host, target.host), isErrorPageURL(target), !isErrorPageURL(base),
      !copy.isRedirect
    {
      return .errorPage
    }
    guard !Site.isSame(base.host, target.host) else { return nil }
    if copy.isRedirect {
      // If the saved version also redirected to another site, the target of this redirect is
      // validated when it arrives.
      let formerTarget = Redirection.target(of: copy.response, storedAs: copy.key)
      guard Site.isSame(base.host, formerTarget?.host),
        !Site.isSame(formerTarget?.host, target.host)
      else {
        return nil
      }
    }
    return base.scheme == "https" ? .movedAway : .foreignRedirect
  }

  /// Returns whether a URL is the front page of a site, to which many sites redirect removed pages.
  /// The path may also consist of a common file name of front pages, or of two letters that denote
  /// a language.
  private static func isFrontPage(_ url: WebURL) -> Bool {
    let names = url.path.lowercased().split(separator: "/")
    guard url.query == nil, names.count <= 1, let name = names.first else { return names.isEmpty }
    let stem = name.prefix { $0 != "." }
    return name.count == 2 || frontPageNames.contains(stem)
  }

  private static let frontPageNames: Set<Substring> = [
    "index", "default", "home", "main", "start", "welcome",
  ]

  /// Returns whether a URL is certainly the URL of an error page, such as `/a/page-not-found`.
  private static func isErrorPageURL(_ url: WebURL) -> Bool {
    if url.query?.lowercased().hasPrefix("aspxerrorpath=") ?? false { return true }
    return errorPath(url).last.map(errorNames.contains) ?? false
  }

  /// Returns whether a URL may be the URL of an error page, such as `/404.html` and
  /// `/de/error/500`. Its path consists only of names that may also be the titles of other pages.
  private static func mayBeErrorPageURL(_ url: WebURL) -> Bool {
    let names = errorPath(url)
    return (1...maxErrorNames).contains(names.count) && names.allSatisfy(shortErrorNames.contains)
  }

  /// Returns the names in the path of a URL in lowercase, without file name extensions, a leading
  /// language and the file name of a front page.
  private static func errorPath(_ url: WebURL) -> [Substring] {
    var names = url.path.lowercased().split(separator: "/").map { $0.prefix { $0 != "." } }
    if let last = names.last, frontPageNames.contains(last) { names.removeLast() }
    if names.count > 1, names[0].count == 2 { names.removeFirst() }
    return names
  }

  /// Returns whether a response is the target of redirects, and its URL may be the URL of an error
  /// page. Whether the response is an error page depends on its content.
  private static func isErrorTarget(
    _ response: CandidateResponse, replacing copy: StoredResponse
  ) -> Bool {
    response.isRedirected && mayBeErrorPageURL(response.url)
      && !(WebURL(copy.key).map(mayBeErrorPageURL) ?? false)
  }

  /// Returns whether a response is the target of redirects to a directory above the URL whose page
  /// it would replace, such as the list of the articles of a blog. Many sites redirect removed
  /// pages to such a directory, but also variants of a page (`/tides/amp`, `/tides/2`).
  private static func isDirectoryTarget(
    _ response: CandidateResponse, replacing copy: StoredResponse
  ) -> Bool {
    guard response.isRedirected, response.url.query == nil, let page = WebURL(copy.key),
      Site.isSame(page.host, response.url.host)
    else { return false }
    let names = page.path.lowercased().split(separator: "/")
    let target = response.url.path.lowercased().split(separator: "/")
    guard let file = names.last, target.count < names.count, names.starts(with: target) else {
      return false
    }
    return !frontPageNames.contains(file.prefix { $0 != "." })
  }

  /// Returns whether a page that would replace an article has another title and less than half of
  /// its words in common with the article.
  private static func isOtherText(_ new: PageTraits, than old: PageTraits) -> Bool {
    old.textLength >= minArticleLength && new.title != old.title
      && new.sharedFraction(of: old) < 0.5
  }

  private static let errorNames: Set<Substring> = [
    "notfound", "not-found", "not_found", "pagenotfound", "page-not-found", "page_not_found",
    "404-not-found", "404notfound", "error404", "error-404", "error_404", "404error", "404-error",
    "errorpage", "error-page", "error_page", "fehlerseite",
  ]
  /// The names of error pages that may also be the titles of other pages.
  private static let shortErrorNames: Set<Substring> = [
    "403", "404", "410", "500", "503", "error", "errors", "err", "fehler", "erreur", "oops",
  ]
  /// The maximum number of `shortErrorNames` in the path of an error page.
  private static let maxErrorNames = 2

  /// Returns whether a reference on a public site leads to a URL in a private network.
  private static func leadsToPrivateNetwork(_ reference: String, from base: WebURL) -> Bool {
    guard !Site.isPrivate(base.host), let target = base.resolve(reference) else { return false }
    return target.isWeb && Site.isPrivate(target.host)
  }

  /// The minimum length, in bytes, of content that is not considered nearly empty.
  private static let minContentLength: Int64 = 40
  /// The minimum length, in bytes, of a file that is not expected to be replaced with a very short
  /// one.
  private static let minFileLength: Int64 = 512
  /// The maximum length, in bytes, of a message that is not a page ("rate limited").
  private static let maxMessageLength: Int64 = 512
  /// The minimum text length, in bytes, of an article.
  private static let minArticleLength = 400

  /// The maximum text length, in bytes, of a form with its explanations. A longer page is an
  /// article on a site that shows a form on every page.
  private static let maxWallLength = 2500
  /// The maximum text length, in bytes, of a page that is little more than a form. Such a page may
  /// be rejected because of its topics even if the old page had the same topics.
  static let maxFormLength = 600

  /// The maximum text length, in bytes and outside links, of a page that is only a message. Even
  /// the shortest news articles have more text.
  private static let maxRemarkLength = 120

  /// The maximum text length, in bytes, of a page that is little more than a notice to subscribe.
  private static let maxNoticeLength = 400

  private static func hadText(
    _ old: PageTraits?, _ copy: StoredResponse, against response: CandidateResponse,
    _ new: PageTraits
  ) -> Bool {
    guard let old else { return copy.length >= 1024 && response.length <= copy.length / 4 }
    return old.textLength >= (new.textLength == 0 ? 1 : minArticleLength)
  }

  /// Returns whether a response is declared as an HTML page.
  static func isPage(_ response: ResponseHead) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(mediaType(response))
  }

  /// Returns the lowercase media type without parameters; `text/html` if the response declares no
  /// type or an unknown one (MIME Sniffing standard §7).
  static func mediaType(_ response: ResponseHead) -> String {
    let value = response.fields.values(of: "Content-Type").first?.lowercased() ?? "text/html"
    let type = String(value.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
    return ["unknown/unknown", "application/unknown", "*/*"].contains(type) ? "text/html" : type
  }

  /// Returns whether the path of a URL indicates a sign-in or consent form.
  static func isFormPath(_ path: String) -> Bool {
    let segments = path.lowercased().split { $0 == "/" || $0 == "." || $0 == "_" || $0 == "-" }
    return segments.contains { formNames.contains($0) }
  }

  private static let formNames: Set<Substring> = [
    "login", "logon", "signin", "auth", "oauth", "oauth2", "sso", "saml", "cas", "session",
    "sessions", "consent", "captcha", "challenge", "anmelden", "connexion", "portal",
  ]
}
