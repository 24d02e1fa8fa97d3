import Reader
import Crawl
import OfflineCache

/// Telling what sites answered from what the network in between did: of pages that were not saved before
/// only the whole run tells.
extension PageSaver {
  /// Records a response for captive-portal detection.
  /// - Returns: whether nothing more is to be done with it for now: the other pages of the run decide, or it is refused.
  func isDoubtful(_ result: Result, _ visit: LinkFrontier.Visit) -> Bool {
    if case .answered(_, .saved(.suspect(let suspicion)), _) = result.ending,
      [.signInPage, .foreignRedirect, .repeatedAnswer].contains(suspicion)
    {
      hasSignOfPortal = true
    }
    if result.leavesPublicNetwork {
      hasSignOfPortal = true
      if case .answered(_, .saved, _) = result.ending { return false }
      refuse(result, visit)
      return true
    }
    guard let first = result.first else { return false }
    firsts.append(first)
    guard first.isDoubtful(besideOthers: asksSeveralSites) else { return false }
    doubtful.append((result, visit, firsts.count - 1))
    return true
  }

  /// Decides of what has waited, now that everything else has come. Nothing of a sign-in page becomes a
  /// page: it is taken back, and what was asked for still waits.
  /// - Returns: whether anything had waited.
  func settleDoubts() -> Bool {
    guard !doubtful.isEmpty else { return false }
    let signIns = FirstAnswer.signInPages(among: firsts, hasSign: hasSignOfPortal)
    let waiting = doubtful
    doubtful = []
    for (result, visit, place) in waiting {
      if signIns.contains(place) {
        refuse(result, visit)
      } else {
        take(result, of: visit)
      }
    }
    return true
  }

  /// Ends a page in whose place a captive portal answered. Neither its response nor the redirects before it are
  /// trusted any more.
  private func refuse(_ result: Result, _ visit: LinkFrontier.Visit) {
    cache.takeBack(result.way, since: began)
    fail(visit, because: .signInPage)
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

  /// Ends a page that has brought nothing of its own.
  func fail(_ visit: LinkFrontier.Visit, because reason: SavedReason) {
    frontier.finished(visit, links: [], size: 0)
    report.isCaught = report.isCaught || reason == .signInPage
    let result = SaveOutcome.Result.failed(reason.text)
    finish(visit, SaveOutcome(url: visit.url, depth: visit.depth, result: result, size: 0))
  }

  /// Forgets what has waited when the run was stopped: it is asked for again.
  func dropDoubts() {
    let signIns = FirstAnswer.signInPages(among: firsts, hasSign: hasSignOfPortal)
    for (result, _, place) in doubtful where signIns.contains(place) {
      cache.takeBack(result.way, since: began)
    }
    doubtful = []
  }
}
