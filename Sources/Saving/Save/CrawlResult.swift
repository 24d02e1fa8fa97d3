import Reader
import Crawl
import Document
import Feeds
import Foundation
import OfflineCache
import Pages

/// The result of a load.
struct CrawlResult: Sendable {
  var task: CrawlTask
  var ending: Ending
  /// The result of the load as it affects the rate limit of the host.
  var pace = SitePace<CrawlJob>.Ending.ended
  /// The links, images and requirements of the page; nil if the page was not parsed.
  var links: PageLinks?
  /// Whether the page was not parsed because it is unchanged. `links` may be set nevertheless,
  /// because short pages are always parsed.
  var isSkippedUnchanged = false
  /// The subresources that a browser needs, if the content is a style sheet or a page that is saved
  /// completely.
  var parts: [PagePart] = []
  /// The properties that distinguish a response to the load of a requested page from the response
  /// of a captive portal; nil if it need not be distinguished.
  var firstVisit: FirstVisitResponse?
  /// Whether unencrypted redirects led from the public network to a private one, as captive portals
  /// do.
  var leavesPublicNetwork = false
  /// The URLs of the redirect chain, followed by the URL of the response if there is one.
  var redirectChain: [WebURL] = []
  /// The target of the redirect at which the load failed; nil if there was none.
  var failedTarget: WebURL?
  /// The target of the permanent redirects (301, 308) at the start of the chain; nil if there are
  /// none.
  var permanentTarget: WebURL?
  /// The target of the refresh in a response that was rejected, so that the saved copy is shown
  /// instead; nil if there is none.
  var rejectedRefreshTarget: WebURL?
  /// Whether the saved copy was served because the server's response has no content at all.
  var isInPlaceOfNoContent = false
  /// The content of a robots.txt file.
  var body: [UInt8] = []
  var size: Int64 = 0
  /// The date of the content; nil if no response was stored.
  var date: Date?
  /// The time before which the page should not be requested again, because its server is busy;
  /// otherwise nil.
  var retryAfter: Date?
  /// The reason why the response is not trusted as the page; nil if it is trusted.
  var rejectionReason: RejectionReason?
  /// The media type of the response; nil if it is unknown.
  var mediaType: String?
  /// Whether the response has the directive `no-store`.
  var forbidsStoring = false
  /// The URL that was loaded instead of the requested one, from which it differs only in the scheme
  /// (http or https); nil if there was none.
  var otherURL: WebURL?
  /// Whether the content is a PDF file that cannot be read.
  var isDamaged = false
  /// Whether the response to an image request was an HTML page.
  var isPageForImage = false
  /// Whether the server sent the content of the saved version again.
  var isUnchanged = false
  /// Whether the archive or a seed has a good version under the requested URL, without redirects.
  var hasGoodCopy = false

  init(task: CrawlTask, ending: Ending) { (self.task, self.ending) = (task, ending) }

  /// Whether a response arrived that is not trusted as the page.
  var isRejected: Bool {
    if case .answered(_, .saved(.suspect), _) = ending { return true }
    return rejectionReason != nil && !hasGoodCopy
  }

  /// Whether the load requested an image that does not exist according to the server (404, 410).
  var isMissingImage: Bool {
    guard case .image = task.job, case .answered(let status, _, _) = ending else { return false }
    return status == 404 || status == 410
  }

  /// Whether the saved copy of a page with missing images is used. If so, only the missing images
  /// of the page are requested.
  var isConfirmedForImages: Bool {
    if case .answered(_, let source, _) = ending {
      task.lacksImages && source != .network
    } else {
      false
    }
  }

  /// Whether the saved copy of a page with missing images is used because the load failed. The
  /// server of the page probably does not send the images either.
  var isFailedForImages: Bool {
    switch ending {
    case .answered(_, .saved(.failure), _), .answered(_, .saved(.status), _),
      .answered(_, .saved(.suspect), _):
      task.lacksImages
    case .answered, .failed, .abandoned: false
    }
  }

  /// Whether the load failed for a reason that is probably temporary.
  var isTemporaryFailure: Bool {
    switch ending {
    case .answered(let status, _, _): (500..<600).contains(status) || [408, 429].contains(status)
    case .failed:
      ending.failure.map { $0.kind == .incomplete || $0.kind.facts.isTransient } ?? false
    case .abandoned: retryAfter != nil
    }
  }

  /// Whether the connection was closed before the end of the response.
  var isCutOff: Bool { ending.failure?.kind == .incomplete }

  /// Whether a gateway reported that the server did not respond or is overloaded, even if a saved
  /// copy was served instead (502, 503, 504, and 520 to 524, which Cloudflare sends).
  var isGatewayError: Bool {
    switch ending {
    case .answered(let status, .network, _), .answered(_, .saved(.status(let status)), _):
      (502...504).contains(status) || (520...524).contains(status)
    case .answered, .failed, .abandoned: false
    }
  }

  /// Whether the server refused an image that it may send if the request names the page in
  /// `Referer`.
  var isRefusedImage: Bool {
    guard case .image = task.job, case .answered(let status, .network, _) = ending else {
      return false
    }
    return status == 403 || isPageForImage
  }

  /// Whether the load ended without a response.
  var isGone: Bool {
    if case .answered = ending { false } else { true }
  }

  /// Whether the response is complete, successful and stored.
  var isStored: Bool {
    guard case .answered(let status, _, true) = ending else { return false }
    return ResponseHead.pageStatuses.contains(status)
  }

  /// Whether the response is complete and successful, and comes from the server rather than from
  /// the archive.
  var isComplete: Bool {
    guard case .answered(let status, .network, _) = ending else { return false }
    return ResponseHead.pageStatuses.contains(status)
  }

  enum Ending: Sendable {
    case answered(status: Int, source: LoadedResponse.Source, isStored: Bool)
    case failed(LoadError)
    /// The URL was not requested, for this reason.
    case abandoned(String)

    /// A description of how the load ended, for messages.
    var text: String {
      switch self {
      case .answered(let status, _, let isStored):
        ResponseHead.pageStatuses.contains(status) && !isStored
          ? "not stored" : "the server returned \(status)"
      case .failed(let error): error.text.line
      case .abandoned(let reason): reason
      }
    }

    /// Whether a page found by a link must not be requested again.
    var forbidsRequest: Bool {
      if case .abandoned = self { return true }
      return failure?.kind == .privateAddress || failure?.kind == .blockedPort
    }

    /// The transport failure that prevented a response, even if a saved copy was served instead;
    /// nil if there was none.
    var failure: TransportFailure? {
      switch self {
      case .failed(.transport(let failure)), .answered(_, .saved(.failure(let failure)), _):
        failure
      case .failed, .answered, .abandoned: nil
      }
    }
  }
}

extension CrawlResult {
  /// Returns the outcome of the page.
  func outcome(_ facts: CrawlFacts) -> SaveOutcome.Result {
    let isSaved = facts.isSaved
    func missing(_ reason: String) -> SaveOutcome.Result {
      isSaved ? .kept(reason) : .failed(reason)
    }
    switch ending {
    case .failed(.transport):
      let target = failedTarget.map { "redirected to \($0.withoutCredentials): " } ?? ""
      return missing(target + ending.text)
    case .failed, .abandoned: return missing(ending.text)
    case .answered(let status, let source, let isStored):
      let text = ReaderError.failureText(forStatus: status)
      switch source {
      case .network where ResponseHead.pageStatuses.contains(status):
        guard isSaved, isStored else { return missing(reasonNotStored(facts.warning)) }
        return isUnchanged ? .unchanged : .saved
      case .network: return missing(text)
      case .saved(.offlineMode): return isSaved ? .unchanged : .failed("not saved")
      case .saved(let reason): return missing(SavedReason(reason).text)
      case .validated, .fresh:
        return isSaved ? (task.wasSaved ? .unchanged : .saved) : .failed(text)
      case .seed, .substituted: return .unchanged
      }
    }
  }

  /// Returns the reason why a complete response was not stored as the page.
  private func reasonNotStored(_ warning: ArchiveError?) -> String {
    if let warning { return warning.description }
    if let rejectionReason { return SavedReason(rejectionReason).text }
    if case .answered(206, _, _) = ending { return "the server sent only a part of the page" }
    return forbidsStoring
      ? "its server forbids storing it (no-store)" : "the settings forbid saving it"
  }
}
