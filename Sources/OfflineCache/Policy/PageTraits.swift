/// Characteristics of the beginning of a page that distinguish an article from a sign-in form that
/// replaces it. They are determined in one pass over the bytes; markup is parsed as leniently as in
/// browsers.
struct PageTraits: Sendable, Equatable {
  /// The number of bytes of visible text, without white space.
  private(set) var textLength = 0
  /// The part of `textLength` that is outside links. Linked text may be the menu of the site.
  private(set) var unlinkedLength = 0
  /// Whether the page has a password field.
  private(set) var hasPasswordField = false
  /// Whether the page has a form or a button.
  private(set) var hasForm = false
  /// Whether the page has visible content other than text.
  private(set) var hasMedia = false
  /// Whether the page mentions signing in.
  private(set) var mentionsSignIn = false
  /// Whether the page mentions network access that requires a sign-in.
  private(set) var mentionsNetworkAccess = false
  /// Whether the page consists of little more than a form that grants network access.
  private(set) var asksForNetworkAccess = false
  /// Whether the page mentions consent or cookies.
  private(set) var mentionsConsent = false
  /// Whether the title, a button or a field mentions consent or cookies.
  private(set) var hasConsentLabel = false
  /// Whether the text contains the label of a link or button that agrees to something and leads to
  /// the page.
  private(set) var hasAgreementLabel = false
  /// Whether the page states that only subscribers can read a text in full.
  private(set) var mentionsSubscription = false
  /// Whether the title indicates an error page or a robot check.
  private(set) var hasFailureTitle = false
  /// Whether the title is the message of a server. False if the title may be a headline.
  private(set) var hasMessageTitle = false
  /// Whether a heading, or the whole text of a short page that has no title and no heading,
  /// indicates an error page or a robot check; false if the heading or text may be a headline.
  private(set) var hasMessageHeading = false
  /// Whether the title has the words of a robot check or of a server's default page.
  private(set) var isCheckOrDefaultPage = false
  /// Whether the page is little more than a notice. Its subject is that the domain is for sale or
  /// has expired, that the user has no data volume left in a network, or that the visitor cannot
  /// see the page.
  private(set) var isNotice = false
  /// The first meta refresh.
  private(set) var refresh: RefreshDirective?
  /// Whether the page has the WISPr marker of a network gateway.
  private(set) var hasGatewayMarker = false
  /// The URLs to which the page forwards or sends input (by a refresh, frames, forms or scripts),
  /// as written.
  private(set) var targets: [String] = []

  /// The URLs to which a page with hardly any text forwards immediately (by a refresh, frames, a
  /// script, or a form that a script submits), as written. Such a page counts as a redirect.
  private(set) var forwardingTargets: [String] = []
  /// The targets of the forms, as written.
  private(set) var formTargets: [String] = []
  /// The targets of the forms that grant access to a network, as written. The buttons of such a
  /// form agree or connect, the title or a heading of the page is about the network, and the page
  /// mentions terms of use. In contrast to `asksForNetworkAccess`, the page may contain the terms
  /// themselves.
  private(set) var accessTargets: [String] = []
  /// The title in lowercase.
  private(set) var title: [UInt8] = []
  /// The text of the `h1` headings in lowercase.
  private(set) var heading: [UInt8] = []
  /// The title and the visible text in lowercase.
  private(set) var text: [UInt8] = []

  /// Whether the page is complete: its last bytes contain the end tag of the page or of its body.
  private(set) var isComplete = false

  /// Scans the beginning of a page.
  init(_ bytes: [UInt8]) {
    let tail = bytes.suffix(Self.tailLength).map { ByteCase.lower($0) }
    isComplete = ["</html", "</body"].contains { Self.contains($0, in: tail) }
    var scan = MarkupScan(bytes)
    scan.run()
    textLength = scan.text.count { $0 > 0x20 }
    unlinkedLength = textLength - scan.linkedLength
    hasPasswordField = scan.hasPasswordField
    hasForm = scan.hasForm
    hasMedia = scan.hasMedia
    (targets, refresh, title) = (scan.targets, scan.refresh, scan.title)
    (formTargets, heading) = (scan.forms.map(\.target), scan.headingText)
    text = scan.title + [0x20] + scan.text
    forwardingTargets = Self.forwardingTargets(in: scan, textLength: textLength)
    let titleTopics = PageTopics(of: scan.title.map { max($0, 0x20) })
    let topics = PageTopics(of: scan.text + scan.labelText)
    let hasNoName = scan.title.isEmpty && scan.headingText.isEmpty
    let headingTopics =
      !hasNoName
      ? PageTopics(of: scan.headingText)
      : textLength <= Self.maxMessageLength ? PageTopics(of: scan.text) : []
    hasFailureTitle = titleTopics.contains(.failure)
    hasMessageTitle = titleTopics.contains(.message)
    hasMessageHeading = !headingTopics.isDisjoint(with: [.failure, .message])
    isCheckOrDefaultPage = titleTopics.contains(.check)
    let nameTopics = titleTopics.union(headingTopics)
    isNotice = Self.isNotice(ofLength: unlinkedLength, topics, nameTopics: nameTopics)
    if topics.contains(.terms), !nameTopics.isDisjoint(with: [.network, .internet]) {
      accessTargets = scan.forms.filter { PageTopics(of: $0.buttonText).contains(.entry) }
        .map(\.target)
    }
    mentionsSignIn = topics.contains(.signIn)
    mentionsNetworkAccess = topics.contains(.network)
    mentionsConsent = topics.contains(.consent)
    hasAgreementLabel = topics.contains(.agreement)
    mentionsSubscription = topics.contains(.subscription)
    hasConsentLabel = mentionsConsent && PageTopics(of: scan.labelText).contains(.consent)
    asksForNetworkAccess = Self.asksForNetwork(scan, textLength: textLength, topics)
    hasGatewayMarker = Self.contains("<wispaccessgatewayparam", in: bytes)
  }

  private static func forwardingTargets(in scan: MarkupScan, textLength: Int) -> [String] {
    guard textLength <= maxForwardingLength else { return [] }
    var targets = scan.refresh.map { [$0.target] } ?? []
    if scan.hasSubmittingScript { targets += scan.forms.map(\.target) }
    if textLength <= maxFrameTextLength { targets += scan.frameSources + scan.scriptTargets }
    return targets
  }

  /// Returns whether a page consists of a few words, some of them about networks, and has a button
  /// that signs in, agrees or connects. Articles about networks are longer and have more links;
  /// cookie banners have buttons as well.
  private static func asksForNetwork(
    _ scan: MarkupScan, textLength: Int, _ topics: PageTopics
  ) -> Bool {
    guard scan.hasForm, textLength <= maxGateLength, scan.linkCount <= maxGateLinks,
      !topics.contains(.cookies),
      scan.hasPasswordField || !PageTopics(of: scan.buttonText).isDisjoint(with: [.signIn, .entry])
    else { return false }
    return topics.contains(.network)
      || textLength <= maxGateLength / 2 && topics.contains([.internet, .terms])
  }

  /// Returns whether a short page is a notice. Articles about domains, networks and access to pages
  /// are longer, and do not speak of "this domain", "your data volume" or "your age".
  private static func isNotice(
    ofLength unlinkedLength: Int, _ topics: PageTopics, nameTopics: PageTopics
  ) -> Bool {
    guard unlinkedLength <= maxNoticeLength else { return false }
    let isAboutDomain =
      topics.contains(.thisDomain)
      || topics.contains(.domain) && unlinkedLength <= maxRemarkLength
    let isBarrier =
      topics.contains(.barrier) || nameTopics.contains(.subscription)
      || topics.contains(.shortBarrier) && unlinkedLength <= maxRemarkLength
    let isAboutLimit =
      nameTopics.contains(.spent) || topics.contains(.spent) && unlinkedLength <= maxRemarkLength
    return isBarrier || isAboutDomain && topics.contains(.sale)
      || topics.contains(.allowance) && isAboutLimit
  }

  /// Whether a characteristic of the page distinguishes it from most new versions of an article, so
  /// that it must be compared with the saved page.
  var isConspicuous: Bool {
    asksToSignIn || asksForConsent || mentionsNetworkAccess || !accessTargets.isEmpty
      || hasFailureTitle || hasMessageTitle || hasMessageHeading || isNotice || mentionsSubscription
  }

  /// Whether the page asks the user to sign in.
  var asksToSignIn: Bool { hasPasswordField || hasForm && mentionsSignIn }

  /// Whether the page asks the user to agree to something.
  var asksForConsent: Bool { mentionsConsent && (hasForm || hasAgreementLabel) }

  /// Whether the page has so little text (at most `maxFollowedLength` bytes) that clients follow
  /// its refresh.
  var isRefreshFollowed: Bool { textLength <= Self.maxFollowedLength }

  /// Returns the targets to which a response with this content forwards, as written: the target of
  /// its `Refresh` field, and `forwardingTargets`.
  func forwardingTargets(of response: ResponseHead) -> [String] {
    let field = textLength <= Self.maxForwardingLength ? response.refresh : nil
    return (field.map { [$0.target] } ?? []) + forwardingTargets
  }

  /// Returns the fraction of another page's distinct words that this page contains, from 0 to 1.
  func sharedFraction(of other: PageTraits) -> Double {
    let theirs = other.vocabulary
    guard !theirs.isEmpty else { return 0 }
    return Double(vocabulary.intersection(theirs).count) / Double(theirs.count)
  }

  /// Returns whether the titles and headings of both pages contain words, but have none in common.
  func hasOtherName(than other: PageTraits) -> Bool {
    let names = [self, other].map { Set(Self.words(of: ($0.title + [0x20] + $0.heading)[...])) }
    return names.allSatisfy { !$0.isEmpty } && names[0].isDisjoint(with: names[1])
  }

  /// Returns whether this page is certainly a version of another one: it has the same text, or the
  /// other one is an article and the pages share most of their words. A page that asks for a
  /// password or for network access is never a version of another.
  func isVersion(of other: PageTraits) -> Bool {
    guard !hasPasswordField, !hasGatewayMarker, !asksForNetworkAccess else { return false }
    if text == other.text { return textLength >= Self.minDistinctiveLength }
    return other.textLength >= Self.minArticleLength && sharedFraction(of: other) >= 0.6
      && other.sharedFraction(of: self) >= 0.5
  }

  /// The minimum length, in bytes, of text that distinguishes a page from others.
  private static let minDistinctiveLength = 100
  /// The minimum text length, in bytes, of an article.
  private static let minArticleLength = 400

  /// Returns the fraction of this page's distinct words that the beginning of another page
  /// contains, from 0 to 1. That beginning has one and a half times as many words as this page.
  func sharedFraction(inBeginningOf other: PageTraits) -> Double {
    let (own, theirs) = (words, other.words)
    let vocabulary = Set(own)
    guard !vocabulary.isEmpty else { return 0 }
    let common = vocabulary.intersection(theirs.prefix(own.count + own.count / 2))
    return Double(common.count) / Double(vocabulary.count)
  }

  /// The maximum text length, in bytes, of a page whose `Refresh` or `meta refresh` clients follow
  /// in any case.
  private static let maxFollowedLength = 170
  /// The maximum text length, in bytes, of a page that only forwards to another page.
  private static let maxForwardingLength = 400
  /// The maximum text length, in bytes, of a page that forwards by frames or a script. This limit
  /// is lower, because longer pages use frames and scripts for other purposes.
  private static let maxFrameTextLength = 100

  /// The maximum text length, in bytes, of a page that is only a message.
  private static let maxMessageLength = 300

  /// The maximum text length, in bytes and outside links, of a notice.
  private static let maxNoticeLength = 400
  /// The maximum text length, in bytes and outside links, of a page that is only a remark. Even the
  /// shortest news articles have more text.
  private static let maxRemarkLength = 120

  /// The number of trailing bytes that are searched for the end tag, after which comments and
  /// scripts may follow.
  private static let tailLength = 1024

  /// The maximum text length of a captive portal page, in bytes.
  private static let maxGateLength = 1200
  /// The maximum number of links of a captive portal page.
  private static let maxGateLinks = 4
  /// The hashes of the distinct words of the visible text.
  var vocabulary: Set<UInt64> { Set(words) }

  /// The hashes of the words of the visible text in their order.
  private var words: [UInt64] { Self.words(of: text.dropFirst(title.count + 1)) }

  /// Returns the hashes of the words of a lowercase text in their order: words of at least four
  /// bytes, and pairs of ideographs.
  private static func words(of text: ArraySlice<UInt8>) -> [UInt64] {
    var words: [UInt64] = []
    var hash = Hash.start
    var count = 0
    var ideographHash = Hash.start
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      // These are characters from U+3000 on. Scripts without spaces between words are split into
      // pairs of characters.
      if byte >= 0xE3, index + 2 < text.endIndex {
        let characterBytes = [text[index], text[index + 1], text[index + 2]]
        let characterHash = characterBytes.reduce(Hash.start, Hash.add)
        words.append(ideographHash &* 31 &+ characterHash)
        ideographHash = characterHash
        index += 3
        continue
      }
      if byte >= 0x80 || Hash.isAlphanumeric(byte) {
        hash = Hash.add(hash, byte)
        count += 1
      } else {
        if count >= 4 { words.append(hash) }
        (hash, count) = (Hash.start, 0)
      }
      index += 1
    }
    if count >= 4 { words.append(hash) }
    return words
  }

  /// The FNV-1a hash function.
  private enum Hash {
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    static func add(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
  }

  /// Returns whether bytes contain a lowercase phrase, ignoring ASCII case.
  private static func contains(_ phrase: String, in text: [UInt8]) -> Bool {
    ByteCase.firstIndex(of: Array(phrase.utf8), in: text, from: 0) != nil
  }
}
