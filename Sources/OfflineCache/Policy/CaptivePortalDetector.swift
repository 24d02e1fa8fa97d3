/// A detector that distinguishes responses of sites from responses of a captive portal, for pages
/// that a run (of `offread sync`, for example) loads for the first time.
///
/// There is no saved copy to compare them with, so the responses of the run are compared with each
/// other. This type performs no I/O. The run records its responses here, and asks for the verdicts
/// when no load is running:
///
/// ```
/// recorded ── cannot come from a portal ──> page
///    └──> undecided ── verdicts ──> page
///                         ├── like the sign-in page of a portal, or of another kind ──> refused
///                         └── nothing confirms it ──> unconfirmed
/// ```
package struct CaptivePortalDetector: Sendable, Equatable {
  /// The handling of a page.
  package enum Verdict: Sendable, Equatable {
    /// The response is the page.
    case page
    /// The response is not the page. The response and the redirects to it are not trusted, and the
    /// page remains queued.
    case refused(RejectionReason)
    /// It is undecided whether the response is the page. The copy is kept, and a later sync
    /// requests a queued page again.
    case unconfirmed
  }

  /// Whether pages of more than one site are requested.
  private let requestsSeveralSites: Bool
  private var firstVisits: [FirstVisitResponse] = []
  /// Whether a response gave evidence of a captive portal: it was received in place of a saved
  /// page, or redirected to a private network.
  private var hasPortalEvidence = false
  /// Whether a response was received that only its own site can have sent.
  private var hasGenuineResponse = false

  /// Creates a detector for a run.
  /// - Parameter requestsSeveralSites: Whether pages of more than one site are requested.
  package init(requestsSeveralSites: Bool) {
    self.requestsSeveralSites = requestsSeveralSites
  }

  /// Records that a captive portal was detected.
  package mutating func recordPortal() { hasPortalEvidence = true }

  /// Records a response that only its own site can have sent: it was encrypted, it confirmed a
  /// saved copy, or it is a feed.
  package mutating func recordGenuineResponse() { hasGenuineResponse = true }

  /// Records that a saved copy was served for a reason.
  package mutating func record(_ reason: CopyReason) {
    if case .suspect(let rejectionReason) = reason,
      [.signInPage, .foreignRedirect, .repeatedAnswer].contains(rejectionReason)
    {
      hasPortalEvidence = true
    }
  }

  /// Records a first-visit response, or the new version of a saved page.
  /// - Parameters:
  ///   - response: The response.
  ///   - isQueued: Whether the page is queued; other pages need no confirmation.
  /// - Returns: The index of its verdict in `verdicts` if it depends on the rest of the run; nil if
  ///   the response is the page.
  package mutating func record(_ response: FirstVisitResponse, isQueued: Bool = true) -> Int? {
    firstVisits.append(response)
    let number = firstVisits.count - 1
    guard
      response.mayBeFromPortal(alongOthers: requestsSeveralSites)
        || isQueued && !isConfirmed(number)
    else {
      return nil
    }
    return number
  }

  /// Returns the verdicts about the recorded responses, in the order in which they were recorded.
  package func verdicts() -> [Verdict] {
    let portals = FirstVisitResponse.signInPages(
      among: firstVisits, hasPortalEvidence: hasPortalEvidence)
    return firstVisits.indices.map { number in
      if portals.contains(number) { return .refused(.signInPage) }
      if firstVisits[number].isRevisit { return .page }
      if firstVisits[number].hasUnexpectedKind { return .refused(.otherKind) }
      return isConfirmed(number) ? .page : .unconfirmed
    }
  }

  /// Returns whether a response is confirmed. It must not redirect to a form or an unknown page. In
  /// addition, the network must be known to work, or another first-visit response must have
  /// different content, because a captive portal sends the same content for every page. New
  /// versions of saved pages, and responses from a private network, are always confirmed.
  private func isConfirmed(_ number: Int) -> Bool {
    let response = firstVisits[number]
    if response.isRevisit { return true }
    if response.forwardsElsewhere { return false }
    guard response.isPublic else { return true }
    if response.target != nil, response.asksForInput { return false }
    guard !hasGenuineResponse, let content = response.contentHash else { return hasGenuineResponse }
    return firstVisits.contains { other in
      other.isPublic && other.requestedURL != response.requestedURL && !other.forwardsElsewhere
        && other.contentHash.map { $0 != content } ?? false
    }
  }
}
