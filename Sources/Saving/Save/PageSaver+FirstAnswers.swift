import Reader
import Crawl
import Foundation
import Library
import OfflineCache

/// Captive portals: who sent a first-visit response is only known when the rest of the run has been loaded.
extension PageSaver {
  /// Adds to a task for a wanted page whether a good copy is saved that its response can be compared with.
  func describe(_ task: inout Task, isNamed: Bool) {
    guard let key = cache.key(of: task.url), feedRequest(for: task.url) == nil else { return }
    let page = try? library.page(key)
    task.isUnconfirmed = page?.isUnconfirmed ?? false
    task.isItem = !isNamed && !(page?.feed ?? "").isEmpty
    guard request.options.trust != .accepted else { return }
    task.isFirst = task.isUnconfirmed || cache.savedPages(among: [key]).isEmpty
    task.isRevisit = !task.isFirst
  }

  /// Records a response for captive-portal detection.
  /// - Returns: whether nothing more is to be done with it for now: the rest of the run decides, or it is refused.
  func isWithheld(_ result: Result, _ visit: LinkFrontier.Visit) -> Bool {
    if case .answered(_, .saved(let reason), _) = result.ending { portals.record(reason) }
    if result.leavesPublicNetwork, request.options.trust != .accepted {
      portals.recordSign()
      if case .answered(_, .saved, _) = result.ending { return false }
      refuse(result, visit, because: .signInPage)
      return true
    }
    if isProof(result) { portals.recordProof() }
    guard let first = result.first, !first.isRevisit || isNewVersion(result),
      let number = portals.record(first, isQueued: isQueuedNow(visit.url))
    else { return false }
    doubtful.append((result, visit, number))
    return true
  }

  /// Whether a load brought another content than the one that was saved, and it is trusted so far.
  private func isNewVersion(_ result: Result) -> Bool {
    guard case .answered(_, .network, true) = result.ending else { return false }
    return result.isGoodCopy && result.date ?? .distantPast >= began
  }

  /// Returns whether a response can only come from its site: all requests were encrypted, it confirms the saved copy,
  /// or it is a feed. Responses from a private network do not count.
  private func isProof(_ result: Result) -> Bool {
    guard case .answered(let status, let source, _) = result.ending, (200..<300).contains(status),
      source == .network || source == .validated, result.suspicion == nil,
      cache.isOnPublicNetwork(result.task.url)
    else { return false }
    if result.way.allSatisfy({ $0.hasPrefix("https:") }) { return true }
    return source == .validated && !result.task.isUnconfirmed || result.links?.feed != nil
  }

  /// Decides on the responses that have waited, now that everything else has come.
  /// - Returns: whether anything had waited.
  func settleDoubts() -> Bool {
    guard !doubtful.isEmpty else { return false }
    let verdicts = portals.verdicts()
    let waiting = doubtful
    doubtful = []
    for (result, visit, number) in waiting {
      switch verdicts[number] {
      case .page: take(result, of: visit)
      case .unconfirmed: take(result, of: visit, isConfirmed: result.task.isUnconfirmed)
      case .refused(let suspicion): refuse(result, visit, because: suspicion)
      }
    }
    return true
  }

  /// Ends a page in whose place a captive portal answered. Neither its response nor the redirects before it are
  /// trusted any more, nor an unconfirmed copy of before.
  private func refuse(_ result: Result, _ visit: LinkFrontier.Visit, because suspicion: Suspicion) {
    distrust(result, because: suspicion)
    fail(visit, because: SavedReason(suspicion))
  }

  private func distrust(_ result: Result, because suspicion: Suspicion) {
    let start = result.task.isUnconfirmed ? Date.distantPast : began
    cache.takeBack(result.way, since: start, because: suspicion)
  }

  /// Distrusts the redirects of this run that led to no page, or to one that is not trusted. Encrypted ones are the
  /// site's own, and a lasting failure is an answer.
  func distrustRedirects(_ result: Result, _ outcome: SaveOutcome) {
    let steps = Array(result.way.prefix { $0.hasPrefix("http:") })
    guard case .failed = outcome.result, outcome.lasting?.isGone != true, !request.isCheck,
      !steps.isEmpty
    else { return }
    cache.takeBack(steps, since: began, because: .foreignRedirect)
  }

  /// Ends a page that has brought nothing of its own; its saved copy stays.
  func fail(_ visit: LinkFrontier.Visit, because reason: SavedReason) {
    frontier.finished(visit, links: [], size: 0)
    report.isCaught = report.isCaught || reason == .signInPage
    let isSaved = cache.key(of: visit.url).map { !cache.savedPages(among: [$0]).isEmpty } ?? false
    let result: SaveOutcome.Result = isSaved ? .kept(reason.text) : .failed(reason.text)
    var outcome = SaveOutcome(url: visit.url, depth: visit.depth, result: result, size: 0)
    outcome.isRefused = true
    finish(visit, outcome)
  }

  /// Forgets what has waited when the run was stopped: it is asked for again.
  func dropDoubts() {
    let verdicts = portals.verdicts()
    for (result, _, number) in doubtful {
      if case .refused(let suspicion) = verdicts[number] { distrust(result, because: suspicion) }
    }
    doubtful = []
  }

  /// On how many days responses for a page were refused, with this one.
  func refusedDays(_ outcome: SaveOutcome) -> Int {
    guard outcome.isRefused, let key = cache.key(of: outcome.url), let page = try? library.page(key)
    else { return 0 }
    return page.refusals.adding(dayOf: now()).days.count
  }

  /// Whether a page waits in the queue at this moment.
  func isQueuedNow(_ url: String) -> Bool {
    guard let key = cache.key(of: url) else { return false }
    return (try? library.page(key).queued) != nil
  }

  /// Returns the changes to the library about the confirmation of a page: that it is not confirmed and stays queued,
  /// the days on which a response was rejected, or neither.
  /// - Throws: `ArchiveError.unreadable`.
  func confirmationChanges(
    _ outcome: SaveOutcome, _ key: String
  ) throws(ArchiveError) -> [LibraryChange] {
    let page = try library.page(key)
    if outcome.isUnconfirmed, outcome.isCurrent {
      // Queued again from now on: what has just come does not take it out.
      return [
        LibraryChange(key, .queued, page.queuedFrom), LibraryChange(key, .unconfirmed, "1"),
      ]
    }
    if outcome.isRefused {
      let refusals = page.refusals.adding(dayOf: now())
      return refusals == page.refusals ? [] : [LibraryChange(key, .refused, refusals.text)]
    }
    guard outcome.isCurrent else { return [] }
    return (page.isUnconfirmed ? [LibraryChange(key, .unconfirmed, nil)] : [])
      + (page.refusals.days.isEmpty ? [] : [LibraryChange(key, .refused, nil)])
  }
}
