import Crawl
import Feeds
import Foundation
import OfflineCache
import Reader

/// The result of a load.
struct CrawlResult: Sendable {
  var task: CrawlTask
  var ending: Ending
  /// How the load ended, for the pace of its host.
  var pace = SitePace<CrawlJob>.Ending.ended
  /// What the page has, or nil.
  var links: PageLinks?
  /// Whether it has not changed and is too long to be read again.
  var isPassedOver = false
  /// What it needs in a browser: of a page that is saved complete, and of a style sheet.
  var parts: [PagePart] = []
  /// What distinguishes it from the response of a captive portal, for a wanted page.
  var first: FirstAnswer?
  /// Whether unencrypted redirects led from the public network into a private one, as captive portals do.
  var leavesPublicNetwork = false
  /// The URLs of the redirect chain, followed by the URL of the response if there is one.
  var way: [String] = []
  /// The target of the leading permanent redirects (301, 308), or nil.
  var permanentTarget: String?
  /// The content of a robots.txt.
  var body: [UInt8] = []
  var size: Int64 = 0
  /// When the content is from.
  var date: Date?
  /// Before when its server does not want to be asked again.
  var askAgain: Date?
  /// Why the response is not trusted as the page.
  var suspicion: Suspicion?
  /// Whether the response has `no-store`.
  var forbidsStoring = false
  /// The URL that was loaded instead of the requested one, with the other of http and https; nil if none was.
  var otherURL: String?
  /// Whether it is a good version in the archive, or a seed, under the URL that was requested.
  var isGoodCopy = false

  init(task: CrawlTask, ending: Ending) { (self.task, self.ending) = (task, ending) }

  /// Whether a response came that is not trusted as the page.
  var isRefused: Bool {
    if case .answered(_, .saved(.suspect), _) = ending { return true }
    return suspicion != nil && !isGoodCopy
  }

  /// Whether it is an image that its server does not provide.
  var isMissingImage: Bool {
    guard case .image = task.job, case .answered(let status, _, _) = ending else { return false }
    return status == 404 || status == 410
  }

  /// Whether there is no response.
  var isGone: Bool {
    if case .answered = ending { false } else { true }
  }

  /// Whether it is complete, successful and stored.
  var isStored: Bool {
    guard case .answered(let status, _, true) = ending else { return false }
    return (200..<300).contains(status)
  }

  enum Ending: Sendable {
    case answered(status: Int, source: Answer.Source, isStored: Bool)
    case failed(LoadError)
    /// It was not requested, for this reason.
    case abandoned(String)

    /// The text of the outcome for messages.
    var words: String {
      switch self {
      case .answered(let status, _, let isStored):
        (200..<300).contains(status) && !isStored ? "not stored" : "the server answered \(status)"
      case .failed(let error): error.text.line
      case .abandoned(let reason): reason
      }
    }

    /// Why there is no response, or nil.
    var failure: TransportFailure? {
      switch self {
      case .failed(.transport(let failure)), .answered(_, .saved(.failure(let failure)), _):
        failure
      case .failed, .answered, .abandoned: nil
      }
    }
  }
}

/// What archive and library know when a result is examined.
struct CrawlFacts: Sendable {
  /// Whether a good copy or a seed is saved under the URL of the page.
  var isSaved = false
  /// Whether the page is queued.
  var isQueued = false
  /// The request for which the page is fetched as a feed, or nil.
  var feed: FeedRequest?
  /// Whether the URL of the page, and the one that its redirects lead to, are of the public network.
  var isPublic = true
  var isTargetPublic = true
  /// Whether the page is skipped because offread crashed on it repeatedly.
  var isLeftOut = false
  /// Whether the disk is full, and why responses are not stored otherwise, or nil.
  var isDiskFull = false
  var warning: ArchiveError?
}

extension CrawlResult {
  /// What came of the page.
  func outcome(_ facts: CrawlFacts) -> SaveOutcome.Result {
    let isSaved = facts.isSaved
    func missing(_ reason: String) -> SaveOutcome.Result {
      isSaved ? .kept(reason) : .failed(reason)
    }
    switch ending {
    case .failed, .abandoned: return missing(ending.words)
    case .answered(let status, let source, let isStored):
      let words = ReaderError.words(forStatus: status)
      switch source {
      case .network where (200..<300).contains(status):
        return isSaved && isStored ? .saved : missing(reasonNotStored(facts.warning))
      case .network: return missing(words)
      case .saved(.offlineMode): return isSaved ? .unchanged : .failed("not saved")
      case .saved(let reason): return missing(SavedReason(reason).text)
      case .validated, .fresh: return isSaved ? .unchanged : .failed(words)
      case .seed, .substituted: return .unchanged
      }
    }
  }

  /// Why a complete response is not in the archive as the page.
  private func reasonNotStored(_ warning: ArchiveError?) -> String {
    if let warning { return warning.description }
    if let suspicion { return SavedReason(suspicion).text }
    return forbidsStoring
      ? "its server does not want it to be stored (no-store)" : "the settings say not to save it"
  }
}
