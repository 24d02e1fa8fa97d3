import Reader
import Crawl
import OfflineCache

/// What is not started, and why something is not there.
extension PageSaver {
  /// Ends what was to be started, as what has come reaches the limit of size.
  func withhold() {
    for job in pace.removeAll() {
      switch job {
      case .image(let url, let number):
        drafts[number]?.outcome.countMissing(image: url, "a limit was reached")
        end(number)
      case .part(_, let number):
        drafts[number]?.outcome.missingParts += 1
        end(number)
      case .needed(_, let number, _):
        drafts[number]?.outcome.missingNeededParts += 1
        endNeededPart(of: number)
      case .page(let number): withhold(number)
      case .robots(let origin): (waiting.removeValue(forKey: origin) ?? []).forEach(withhold)
      }
    }
  }

  private func withhold(_ number: Int) {
    guard let visit = frontier.visit(number) else { return }
    frontier.finished(visit, links: [])
    open -= 1
    withheld += 1
  }

  /// Whether a site's robots.txt is saved: a check asks for no other.
  func hasRobots(_ url: WebURL) -> Bool {
    let address = WebURL(url.origin).flatMap(RobotsRules.address(for:)) ?? ""
    return waiting[url.origin] != nil
      || cache.key(of: address).map { !cache.savedPages(among: [$0]).isEmpty } ?? false
  }

  /// Why an answer that came as a whole is not in the archive as the page.
  func reasonNotStored(_ result: Result) -> String {
    if let warning = cache.warning { return warning.description }
    if let suspicion = result.suspicion { return SavedReason(suspicion).text }
    return result.forbidsStoring
      ? "its server does not want it to be stored (no-store)" : "the settings say not to save it"
  }

  func outcome(of result: Result, at url: String) -> SaveOutcome.Result {
    let isSaved =
      result.isGoodCopy || !cache.savedPages(among: [cache.key(of: url) ?? url]).isEmpty
    switch result.ending {
    case .failed(let error):
      let reason = error.text.line
      return isSaved ? .kept(reason) : .failed(reason)
    case .abandoned(let reason): return isSaved ? .kept(reason) : .failed(reason)
    case .answered(let status, let source, let isStored):
      let words = ReaderError.words(forStatus: status)
      switch source {
      case .network where (200..<300).contains(status) && isSaved:
        return isStored ? .saved : .kept(reasonNotStored(result))
      case .network:
        let reason = (200..<300).contains(status) ? reasonNotStored(result) : words
        return isSaved ? .kept(reason) : .failed(reason)
      case .saved(.offlineMode): return isSaved ? .unchanged : .failed("not saved")
      case .saved(let reason):
        return isSaved ? .kept(SavedReason(reason).text) : .failed(SavedReason(reason).text)
      case .validated, .fresh: return isSaved ? .unchanged : .failed(words)
      case .seed, .substituted: return .unchanged
      }
    }
  }
}
