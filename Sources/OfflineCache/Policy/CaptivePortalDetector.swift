/// Tells the responses of sites from those of a captive portal, for the pages that one run loads for the first time.
///
/// Nothing saved can be compared with them, so all of the run is: what else came tells. A value without IO: the run
/// records what came and asks for the verdicts once nothing else is being loaded.
package struct CaptivePortalDetector: Sendable, Equatable {
  /// What to do with a page.
  package enum Verdict: Sendable, Equatable {
    /// It is the page.
    case page
    /// It is not: neither its response nor the redirects to it are trusted, and it stays in the queue.
    case refused(Suspicion)
    /// Nothing tells. The copy is kept, and a queued page is asked for once more by a later sync.
    case unconfirmed
  }

  /// Whether pages of more than one site are asked for.
  private let asksSeveralSites: Bool
  private var firstVisits: [FirstAnswer] = []
  /// Whether a captive portal answered in the place of a saved page or led into a private network.
  private var hasSign = false
  /// Whether something came that only its site can have sent.
  private var hasProof = false

  /// Creates a detector for a run.
  /// - Parameter asksSeveralSites: whether pages of more than one site are asked for.
  package init(asksSeveralSites: Bool) {
    self.asksSeveralSites = asksSeveralSites
  }

  /// Records that a captive portal was met.
  package mutating func recordSign() { hasSign = true }

  /// Records a response that only its site can have sent: it was encrypted, or confirmed or resembles a saved copy.
  package mutating func recordProof() { hasProof = true }

  /// Records that a saved copy was shown for a reason.
  package mutating func record(_ reason: CopyReason) {
    if case .suspect(let suspicion) = reason,
      [.signInPage, .foreignRedirect, .repeatedAnswer].contains(suspicion)
    {
      hasSign = true
    }
  }

  /// Records a first-visit response, or the new version of a saved page.
  /// - Parameters:
  ///   - response: the response.
  ///   - isQueued: whether the page waits in the queue; only then does it matter that nothing tells.
  /// - Returns: its number, by which `verdicts` has it, when it has to wait for the rest of the run; nil when it is
  ///   the page.
  package mutating func record(_ response: FirstAnswer, isQueued: Bool = true) -> Int? {
    firstVisits.append(response)
    let number = firstVisits.count - 1
    guard response.isDoubtful(besideOthers: asksSeveralSites) || isQueued && !isConfirmed(number)
    else {
      return nil
    }
    return number
  }

  /// What came of each first-visit response, by its number.
  package func verdicts() -> [Verdict] {
    let portals = FirstAnswer.signInPages(among: firstVisits, hasSign: hasSign)
    return firstVisits.indices.map { number in
      if portals.contains(number) { return .refused(.signInPage) }
      if firstVisits[number].isRevisit { return .page }
      if firstVisits[number].isOfOtherKind { return .refused(.otherKind) }
      return isConfirmed(number) ? .page : .unconfirmed
    }
  }

  /// Whether something speaks for a page: it is no redirect to something that asks or has not been seen, and either
  /// there is proof of the network, or another first-visit response has other content. A captive portal gives
  /// the same to all. No portal stands before a private network.
  private func isConfirmed(_ number: Int) -> Bool {
    let response = firstVisits[number]
    if response.isRevisit { return true }
    if response.departs { return false }
    guard response.isPublic else { return true }
    if response.target != nil, response.asks { return false }
    guard !hasProof, let content = response.content else { return hasProof }
    return firstVisits.contains { other in
      other.isPublic && other.asked != response.asked && !other.departs
        && other.content.map { $0 != content } ?? false
    }
  }
}
