import Crawl
import Foundation
import OfflineCache
import Pages

/// Detects captive portals. Whether the site itself sent a first-visit response is known only after
/// the rest of the run has been loaded.
extension CrawlStateMachine {
  /// Records a response for captive-portal detection.
  /// - Returns: the actions if the response is not evaluated further for now, because it is
  ///   rejected or the verdict depends on the rest of the run; otherwise nil.
  mutating func withhold(
    _ result: CrawlResult, _ entry: Entry, _ facts: CrawlFacts
  ) -> [Action]? {
    if case .answered(_, .saved(let reason), _) = result.ending { portals.record(reason) }
    if result.leavesPublicNetwork, request.options.trust != .accepted {
      portals.recordPortal()
      if case .answered(_, .saved, _) = result.ending { return nil }
      return reject(result, entry, reason: .signInPage)
    }
    if isGenuine(result, facts) { portals.recordGenuineResponse() }
    guard let first = result.firstVisit, !first.isRevisit || isNewVersion(result),
      let number = portals.record(first, isQueued: facts.isQueued)
    else { return nil }
    withheldResults.append((result, number))
    return []
  }

  /// Whether a load returned content that differs from the saved content and is not distrusted so
  /// far.
  private func isNewVersion(_ result: CrawlResult) -> Bool {
    guard case .answered(_, .network, true) = result.ending else { return false }
    return result.hasGoodCopy && result.date ?? .distantPast >= began
  }

  /// Returns whether a response certainly comes from its site: all requests were encrypted, the
  /// response confirms the saved copy, or it is a feed. Responses from a private network do not
  /// count.
  private func isGenuine(_ result: CrawlResult, _ facts: CrawlFacts) -> Bool {
    guard case .answered(let status, let source, _) = result.ending,
      ResponseHead.pageStatuses.contains(status), source == .network || source == .validated,
      result.rejectionReason == nil, facts.isPublic
    else { return false }
    if result.redirectChain.allSatisfy({ $0.scheme == "https" }) { return true }
    return source == .validated && !result.task.isUnconfirmed || result.links?.feed != nil
  }

  /// Returns the actions for the withheld responses once no load is waiting or running.
  mutating func resolveWithheld() -> [Action] {
    guard !withheldResults.isEmpty else { return [] }
    let verdicts = portals.verdicts()
    defer { withheldResults = [] }
    return withheldResults.map { .examine($0.result, .resolved(verdicts[$0.number])) }
  }

  /// Marks as untrusted those withheld responses that the verdict rejects. Called when the run is
  /// stopped; another run requests their pages again.
  mutating func dropWithheld() -> [Action] {
    let verdicts = portals.verdicts()
    defer { withheldResults = [] }
    return withheldResults.compactMap { result, number in
      guard case .refused(let rejectionReason) = verdicts[number] else { return nil }
      return distrust(result, reason: rejectionReason)
    }
  }

  /// Finishes a page to which a captive portal responded. The response and the redirects before it
  /// are marked as untrusted, as well as an unconfirmed earlier copy; any other saved copy remains.
  mutating func reject(
    _ result: CrawlResult, _ entry: Entry, reason rejectionReason: RejectionReason
  ) -> [Action] {
    let reason = SavedReason(rejectionReason)
    frontier.recordFinished(entry, links: [])
    hasDetectedPortal = hasDetectedPortal || reason == .signInPage
    return [
      distrust(result, reason: rejectionReason),
      .findCopy(entry, reason: reason.text, isRejected: true),
    ]
  }

  private func distrust(_ result: CrawlResult, reason rejectionReason: RejectionReason) -> Action {
    .distrust(
      result.redirectChain, since: result.task.isUnconfirmed ? Date.distantPast : began,
      rejectionReason)
  }

  /// Returns the action that marks the unencrypted redirects of a load as untrusted if they led to
  /// no page; empty if there are none. Encrypted redirects, and redirects to a page that is gone,
  /// are not marked.
  func distrustRedirects(_ result: CrawlResult, _ outcome: SaveOutcome) -> [Action] {
    let steps = Array(result.redirectChain.prefix { $0.scheme == "http" })
    guard case .failed = outcome.result, outcome.lastingFailure?.isGone != true,
      !request.isOfflineCheck,
      !steps.isEmpty
    else { return [] }
    return [.distrust(steps, since: began, .foreignRedirect)]
  }
}
