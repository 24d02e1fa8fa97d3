/// What the first load of a page brought, as far as it tells a site from a network that answers in its
/// place: with nothing saved there is nothing to compare it with but what other sites answer.
package struct FirstAnswer: Sendable, Equatable {
  /// The page that was asked for.
  var asked: WebURL
  /// Where an unencrypted response sent the user to, if that was another site.
  var target: WebURL?
  /// Whether it is a page without text that goes on to another site by itself: what is there has not been seen.
  var departs = false
  /// Whether another version of the page is saved: only equal responses of other sites speak against it then.
  package var isRevisit = false
  /// Whether what was asked for is in the public network, where captive portals answer.
  var isPublic = true
  /// Whether its content is of another kind than its URL, or the feed that names it, indicates.
  var isOfOtherKind = false
  /// Stands for the words of its content in their order (`TextFingerprint`); for its bytes where it has hardly any, and
  /// nil where there are none.
  var content: Int?
  /// The bytes of visible text.
  var textLength: Int
  /// Whether it asks for something: to sign in, or to agree, or to have a network.
  var asks: Bool
  /// Whether it has the mark of a gateway.
  var isMarked: Bool

  /// A redirect, or the page at the end of them.
  package struct Hop: Sendable {
    /// The URL that answered, and what.
    package var url: WebURL
    package var answer: Answer

    /// Makes a step.
    package init(url: WebURL, answer: Answer) {
      self.url = url
      self.answer = answer
    }

    var response: ResponseHead { answer.response }

    /// Whether it came from the public network: as its connection tells, else as its host is called.
    var isOnPublicNetwork: Bool {
      response.isFromPublicNetwork ?? !Site.isPrivate(url.host)
    }
  }

  /// Reads a response of any kind; nil when only the site can have sent it, or when it is an error.
  /// - Parameters:
  ///   - asked: the URL that was asked for.
  ///   - hops: the redirects that were followed, in order.
  ///   - last: the answer at their end.
  ///   - content: its content, or the beginning of it; empty where what is saved was only confirmed.
  ///   - isItem: whether a feed names it as a page of its own.
  package init?(
    _ asked: String, through hops: [Hop], last: Hop, content: [UInt8], isItem: Bool = false
  ) {
    // Where redirects lead to may be known from another page.
    guard (hops.first ?? last).answer.source == .network,
      let url = WebURL(asked), url.scheme == "http",
      (200..<300).contains(last.response.status)
    else { return nil }
    self.asked = url
    isPublic = (hops.first ?? last).isOnPublicNetwork && !Site.isPrivate(url.host)
    let beginning = Array(content.prefix(Suspicion.examinedLength))
    let kind = ContentKind(last.response, beginning)
    // Media types of what is no text hold nothing to be scanned.
    let marks = PageMarks(kind?.isTextual ?? true ? beginning : [])
    let expected = ContentKind(path: url.path) ?? (isItem ? .page : nil)
    if isPublic, !beginning.isEmpty, let kind, let expected {
      isOfOtherKind = !kind.agrees(with: expected)
    }
    let isLeftOut = content.isEmpty && last.answer.source == .validated
    // About a quarter of a page is text.
    textLength =
      isLeftOut ? Int(clamping: (last.answer.stored?.length ?? 0) / 4) : marks.textLength
    asks = marks.asksToSignIn || marks.hasForm || marks.namesNetwork
    if textLength <= Self.bareText, let next = marks.refresh.flatMap(last.url.resolve),
      Suspicion.namesForm(next.path)
    {
      asks = true
    }
    let text =
      asks || textLength >= Self.leastText
      ? TextFingerprint.value(of: marks.text, without: url) : nil
    // Unrelated sites share documents and images.
    let isExpectedFile = !(kind?.isTextual ?? true) && kind == ContentKind(path: url.path)
    self.content = text ?? (beginning.isEmpty || isExpectedFile ? nil : beginning.hashValue)
    // Who answers for a site can do that as long as nothing is encrypted.
    for hop in hops {
      guard hop.url.scheme == "http" else { break }
      let next = Redirection.target(of: hop.response, from: hop.url)
      if let next, !Site.isSame(url.host, next.host) {
        target = next
        break
      }
    }
    // A page without text that goes on to another site by itself is a redirect, too.
    if target == nil, last.url.scheme == "http" {
      target = marks.departures.compactMap(last.url.resolve).first {
        $0.isWeb && !Site.isSame(url.host, $0.host)
      }
      departs = target != nil
    }
    isMarked =
      (hops + [last]).contains {
        Suspicion.judge($0.response, for: $0.url, replacing: nil) == .signInPage
      }
      || Suspicion.judge(
        JudgedAnswer(
          response: last.response, url: last.url, beginning: beginning,
          length: Int64(content.count), marks: kind?.isTextual ?? true ? marks : nil),
        replacing: nil
      ) { nil } == .signInPage
      // A gateway that has a certificate was led to by what is not encrypted.
      || isPublic && target != nil && marks.asksForNetwork
  }

  /// Whether unencrypted redirects lead from the public network into a private one: a captive portal's gateway often
  /// has a public name with a private address. A private network may lead on within itself.
  /// - Parameters:
  ///   - steps: the redirects in order, and the response at their end if there is one.
  ///   - failure: why there is no response at their end.
  /// - Returns: whether they do.
  package static func leavesPublicNetwork(
    _ steps: [Hop], endingIn failure: TransportFailure? = nil
  ) -> Bool {
    guard let first = steps.first, first.url.scheme == "http", first.isOnPublicNetwork else {
      return false
    }
    let open = steps.prefix { $0.url.scheme == "http" }
    return open.contains { !$0.isOnPublicNetwork }
      || steps.dropFirst(open.count).first.map { !$0.isOnPublicNetwork } ?? false
      || failure == .notPublic && Redirection.isRedirect(steps[steps.count - 1].response)
  }

  /// Whether it may turn out to be a network's: it leads away from its site, or says hardly anything
  /// where other sites are asked, too.
  package func isDoubtful(besideOthers hasOthers: Bool) -> Bool {
    isMarked || !isRevisit && (isOfOtherKind || target != nil)
      || hasOthers && textLength <= Self.shortText
  }

  /// Whether some URLs are of more than one site.
  package static func areOfSeveralSites(_ urls: [String]) -> Bool {
    guard let first = urls.first.flatMap({ WebURL($0) }) else { return false }
    return urls.contains { !Site.isSame(WebURL($0)?.host, first.host) }
  }

  /// Of text of fewer bytes there are many alike.
  private static let leastText = 40
  /// A page of no more bytes of text may be a sign-in page whatever it says.
  private static let shortText = 2500
  /// A page that goes on to another has no more bytes of text: a link to it, and a word.
  private static let bareText = 400

  /// Which of the first answers of a run are a network's sign-in page.
  ///
  /// Unrelated sites that lead to one place which is no text, or have one content, tell; pages of one site
  /// may share a real sign-on, so they need another sign: a mark of a gateway, or a saved page in whose
  /// place something else came.
  /// - Parameters:
  ///   - answers: all of them.
  ///   - hasSign: whether a page that was saved before was answered by something that is not trusted.
  /// - Returns: their places in the list.
  package static func signInPages(
    among answers: [FirstAnswer], hasSign: Bool
  ) -> Set<Int> {
    let hasSign = hasSign || answers.contains(where: \.isMarked)
    var found = Set(answers.indices.filter { answers[$0].isMarked })
    for members in groups(answers, by: \.place) + groups(answers, by: \.form) {
      let sites = unrelated(
        members.map { answers[$0].asked }.filter { asked in
          members.allSatisfy { !Site.isSame(asked.host, answers[$0].target?.host) }
        })
      if sites >= 2 || hasSign { found.formUnion(members) }
    }
    for members in groups(answers, by: \.text) {
      let urls = members.map { answers[$0].asked }
      // A mirror has the same under the same path.
      let places = Set(urls.map { $0.path + "?" + ($0.query ?? "") }).count
      let (asks, length) = (answers[members[0]].asks, answers[members[0]].textLength)
      if unrelated(urls) >= (asks || places > 1 && length >= Self.leastText ? 2 : 3) {
        found.formUnion(members)
      }
    }
    if hasSign {
      found.formUnion(
        answers.indices.filter {
          answers[$0].target != nil && answers[$0].isShort && !answers[$0].isRevisit
        })
    }
    return found
  }

  private var isShort: Bool { textLength <= Self.shortText }

  /// Where it led to, when that is no text that several sites may point to. The way back to what was asked
  /// for is often in the query.
  private var place: String? {
    guard let target, !isRevisit, isShort || asks else { return nil }
    return target.origin + target.path
  }

  /// Who asked for something there.
  private var form: String? { asks && !isRevisit ? target?.origin : nil }

  /// What tells its content from that of others.
  private var text: Int? { isShort ? content : nil }

  private static func groups<Key: Hashable>(
    _ answers: [FirstAnswer], by key: (FirstAnswer) -> Key?
  ) -> [[Int]] {
    var groups: [Key: [Int]] = [:]
    for (index, answer) in answers.enumerated() {
      if answer.isPublic, let key = key(answer) { groups[key, default: []].append(index) }
    }
    return Array(groups.values)
  }

  /// How many sites some pages are of.
  private static func unrelated(_ urls: [WebURL]) -> Int {
    var sites: [WebURL] = []
    for url in urls where !sites.contains(where: { Site.isSame($0.host, url.host) }) {
      sites.append(url)
      // Two are enough, and three.
      if sites.count == 3 { break }
    }
    return sites.count
  }
}
