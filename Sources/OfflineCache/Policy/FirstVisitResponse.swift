/// A first-visit response, reduced to the properties that distinguish a site from a captive portal.
/// There is no saved copy to compare it with, so it is compared with the responses of other sites.
package struct FirstVisitResponse: Sendable, Equatable {
  /// The requested URL.
  var requestedURL: WebURL
  /// The URL on another site to which an unencrypted redirect, or a page without text
  /// (`forwardsElsewhere`), leads; nil if there is none.
  var target: WebURL?
  /// Whether the response is a page without text that forwards to another site. The page at
  /// `target` was not examined.
  var forwardsElsewhere = false
  /// Whether another version of the page is saved. If so, other comparisons are ignored: only
  /// content that is equal to that of other sites counts against the response.
  package var isRevisit = false
  /// Whether the requested URL is on the public network, where captive portals intercept requests.
  var isPublic = true
  /// Whether the kind of the content differs from the kind that the requested URL, or the feed that
  /// links to it, indicates.
  var hasUnexpectedKind = false
  /// A hash of the words of the content in order (`TextFingerprint`), or of its bytes if it has
  /// hardly any text. Nil if the content is empty, or if it is a file of the kind that the URL
  /// indicates, because unrelated sites may serve the same file.
  var contentHash: Int?
  /// The number of bytes of visible text, estimated if the content was omitted.
  var textLength: Int
  /// Whether the page contains a form, or text about signing in or about network access.
  var asksForInput: Bool
  /// Whether the response, or a redirect to it, is recognizable as the sign-in page of a network
  /// even without comparing it with other responses.
  var isLikelySignIn: Bool

  /// A redirect, or the response at the end of the redirects.
  package struct Step: Sendable {
    /// The requested URL of this step.
    package var url: WebURL
    /// The response from `url`.
    package var loadedResponse: LoadedResponse

    /// Creates a redirect step.
    package init(url: WebURL, response: LoadedResponse) {
      self.url = url
      self.loadedResponse = response
    }

    var response: ResponseHead { loadedResponse.response }

    /// Whether the response came from the public network, as observed from its connection or else
    /// judged by its host.
    var isOnPublicNetwork: Bool {
      response.isFromPublicNetwork ?? !Site.isPrivate(url.host)
    }
  }

  /// Analyzes a response of any kind. The result is nil if the response did not come from the
  /// network, if it is an error response, or if the requested URL is not http, because only the
  /// site itself can have sent the response then.
  /// - Parameters:
  ///   - url: The requested URL.
  ///   - steps: The redirects that were followed, in order.
  ///   - last: The response at the end of the redirects.
  ///   - content: The content of `last` or a prefix of it; empty if a stored response was only
  ///     confirmed.
  ///   - isItem: Whether a feed links to the requested URL as a page.
  package init?(
    _ url: WebURL, through steps: [Step], last: Step, content: [UInt8],
    isItem: Bool = false
  ) {
    // The target of the redirects may already be stored because another page led to it.
    guard (steps.first ?? last).loadedResponse.source == .network,
      url.scheme == "http",
      ResponseHead.pageStatuses.contains(last.response.status)
    else { return nil }
    requestedURL = url
    isPublic = (steps.first ?? last).isOnPublicNetwork && !Site.isPrivate(url.host)
    let beginning = Array(content.prefix(RejectionReason.examinedLength))
    let kind = ContentKind(last.response, beginning)
    // Content that is not textual has no markup to scan.
    let traits = PageTraits(kind?.isTextual ?? true ? beginning : [])
    let expectedKind = ContentKind(path: url.path) ?? (isItem ? .page : nil)
    if isPublic, !beginning.isEmpty, let kind, let expectedKind {
      hasUnexpectedKind = !kind.agrees(with: expectedKind)
    }
    textLength = Self.textLength(of: last, content, traits)
    asksForInput =
      traits.asksToSignIn || traits.hasForm || traits.mentionsNetworkAccess
      || textLength <= Self.maxBareTextLength && Self.refreshesToForm(last, traits)
    let isDistinctive = asksForInput || textLength >= Self.minTextLength
    let text = isDistinctive ? TextFingerprint.value(of: traits.text, without: url) : nil
    contentHash = text ?? Self.contentHash(of: beginning, kind, at: url)
    target = Self.redirectTarget(of: steps, notOn: url.host)
    // A page without text that forwards to another site counts as a redirect.
    if target == nil, last.url.scheme == "http" {
      target = Self.forwardingTarget(of: last, traits, notOn: url.host)
      forwardsElsewhere = target != nil
    }
    let response = CandidateResponse(
      response: last.response, url: last.url, beginning: beginning,
      length: Int64(content.count), traits: kind?.isTextual ?? true ? traits : nil)
    isLikelySignIn =
      Self.isSignInPage(response, after: steps + [last])
      // A gateway that uses https can be reached only through an unencrypted redirect.
      || isPublic && target != nil && traits.asksForNetworkAccess
  }

  /// Returns the length of the text in bytes. It is estimated if the content was only confirmed:
  /// typically, about a quarter of a page is text.
  private static func textLength(of last: Step, _ content: [UInt8], _ traits: PageTraits) -> Int {
    content.isEmpty && last.loadedResponse.source == .validated
      ? Int(clamping: (last.loadedResponse.stored?.length ?? 0) / 4) : traits.textLength
  }

  /// Returns a hash of the content; nil if it is empty, or if it is a file of the kind that the URL
  /// indicates, which unrelated sites may share.
  private static func contentHash(
    of beginning: [UInt8], _ kind: ContentKind?, at url: WebURL
  ) -> Int? {
    let isExpectedFile = !(kind?.isTextual ?? true) && kind == ContentKind(path: url.path)
    return beginning.isEmpty || isExpectedFile ? nil : beginning.hashValue
  }

  private static func isSignInPage(_ response: CandidateResponse, after steps: [Step]) -> Bool {
    steps.contains {
      RejectionReason.validate($0.response, for: $0.url, replacing: nil) == .signInPage
    } || RejectionReason.validate(response, replacing: nil) { nil } == .signInPage
  }

  private static func refreshesToForm(_ last: Step, _ traits: PageTraits) -> Bool {
    guard let refresh = last.response.refresh ?? traits.refresh,
      let url = last.url.resolve(refresh.target)
    else { return false }
    return RejectionReason.isFormPath(url.path)
  }

  /// Returns the URL on another site to which unencrypted redirects lead; nil if there is none. An
  /// interceptor can change redirects as long as the connection is not encrypted.
  private static func redirectTarget(of steps: [Step], notOn host: String?) -> WebURL? {
    steps.prefix { $0.url.scheme == "http" }.lazy
      .compactMap { Redirection.target(of: $0.response, from: $0.url) }
      .first { !Site.isSame(host, $0.host) }
  }

  private static func forwardingTarget(
    of last: Step, _ traits: PageTraits, notOn host: String?
  ) -> WebURL? {
    traits.forwardingTargets(of: last.response).compactMap(last.url.resolve).first {
      $0.isWeb && !Site.isSame(host, $0.host)
    }
  }

  /// Returns whether unencrypted redirects lead from the public network into a private one: the
  /// gateway of a captive portal often has a public name that resolves to a private address.
  /// Redirects within a private network do not count.
  /// - Parameters:
  ///   - steps: The redirects in order, followed by the final response if there is one.
  ///   - failure: The reason why there is no final response; nil if there is one.
  /// - Returns: Whether the redirects lead into a private network.
  package static func leavesPublicNetwork(
    _ steps: [Step], endingIn failure: TransportFailure? = nil
  ) -> Bool {
    guard let first = steps.first, first.url.scheme == "http", first.isOnPublicNetwork else {
      return false
    }
    let open = steps.prefix { $0.url.scheme == "http" }
    return open.contains { !$0.isOnPublicNetwork }
      || steps.dropFirst(open.count).first.map { !$0.isOnPublicNetwork } ?? false
      || failure == .privateAddress && Redirection.isRedirect(steps[steps.count - 1].response)
  }

  /// Returns whether the response may come from a captive portal: it is likely a sign-in page
  /// (`isLikelySignIn`), leads to another site, has an unexpected kind, or has little text although
  /// other sites are requested as well (`hasOthers`).
  package func mayBeFromPortal(alongOthers hasOthers: Bool) -> Bool {
    isLikelySignIn || !isRevisit && (hasUnexpectedKind || target != nil)
      || hasOthers && textLength <= Self.maxShortTextLength
  }

  /// Returns whether the given URLs belong to more than one site.
  package static func spanSeveralSites(_ urls: [String]) -> Bool {
    guard let first = urls.first.flatMap({ WebURL($0) }) else { return false }
    return urls.contains { !Site.isSame(WebURL($0)?.host, first.host) }
  }

  /// The minimum length in bytes of a text that distinguishes a page from others.
  private static let minTextLength = 40
  /// The maximum length in bytes of the text of a page that may be a sign-in page regardless of its
  /// content.
  private static let maxShortTextLength = 2500
  /// The maximum text length, in bytes, of a page that only forwards to another page.
  private static let maxBareTextLength = 400

  /// Returns which of the first-visit responses of a run are the sign-in page of a captive portal.
  ///
  /// Responses are rejected if unrelated sites lead to the same URL without much text, or have the
  /// same content. Pages of one site may share a genuine single sign-on page, so for such pages
  /// additional evidence is required: that of `isLikelySignIn`, or an untrusted response in place
  /// of a saved page.
  /// - Parameters:
  ///   - responses: All first-visit responses.
  ///   - hasPortalEvidence: Whether a page that was saved before received an untrusted response.
  /// - Returns: The indices of the sign-in pages.
  package static func signInPages(
    among responses: [FirstVisitResponse], hasPortalEvidence: Bool
  ) -> Set<Int> {
    let hasPortalEvidence = hasPortalEvidence || responses.contains(where: \.isLikelySignIn)
    var signInIndices = Set(responses.indices.filter { responses[$0].isLikelySignIn })
    for members in groups(responses, by: \.sharedTarget) + groups(responses, by: \.formOrigin) {
      let sites = siteCount(
        members.map { responses[$0].requestedURL }.filter { requestedURL in
          members.allSatisfy { !Site.isSame(requestedURL.host, responses[$0].target?.host) }
        })
      if sites >= 2 || hasPortalEvidence { signInIndices.formUnion(members) }
    }
    for members in groups(responses, by: \.shortContentHash) {
      let urls = members.map { responses[$0].requestedURL }
      // A mirror serves the same content under the same path.
      let pathCount = Set(urls.map { $0.path + "?" + ($0.query ?? "") }).count
      let (asksForInput, textLength) = (
        responses[members[0]].asksForInput, responses[members[0]].textLength
      )
      if siteCount(urls)
        >= (asksForInput || pathCount > 1 && textLength >= Self.minTextLength ? 2 : 3)
      {
        signInIndices.formUnion(members)
      }
    }
    if hasPortalEvidence {
      signInIndices.formUnion(
        responses.indices.filter {
          responses[$0].target != nil && responses[$0].isShort && !responses[$0].isRevisit
        })
    }
    return signInIndices
  }

  private var isShort: Bool { textLength <= Self.maxShortTextLength }

  /// The origin and path of `target`; nil for a revisit. Also nil if the page has much text and no
  /// form, because several sites may link to such a page. The query is omitted because it often
  /// contains the requested URL.
  private var sharedTarget: String? {
    guard let target, !isRevisit, isShort || asksForInput else { return nil }
    return target.origin + target.path
  }

  /// The origin of `target` if the page asks for input; nil otherwise.
  private var formOrigin: String? { asksForInput && !isRevisit ? target?.origin : nil }

  /// The content hash if the page is short; nil otherwise.
  private var shortContentHash: Int? { isShort ? contentHash : nil }

  private static func groups<Key: Hashable>(
    _ responses: [FirstVisitResponse], by key: (FirstVisitResponse) -> Key?
  ) -> [[Int]] {
    var groups: [Key: [Int]] = [:]
    for (index, response) in responses.enumerated() {
      if response.isPublic, let key = key(response) { groups[key, default: []].append(index) }
    }
    return Array(groups.values)
  }

  /// Returns the number of different sites to which some pages belong, at most 3.
  private static func siteCount(_ urls: [WebURL]) -> Int {
    var sites: [WebURL] = []
    for url in urls where !sites.contains(where: { Site.isSame($0.host, url.host) }) {
      sites.append(url)
      // No caller needs to distinguish more than three.
      if sites.count == 3 { break }
    }
    return sites.count
  }
}
