import DOM
import Document
package import Foundation
package import OfflineCache

/// From the cache's vocabulary to the banner's.
extension Provenance {
  /// Reads what is known of an answer.
  /// - Parameters:
  ///   - answer: the answer whose content is shown.
  ///   - now: when it was complete; the date of content that came from the network.
  package init(_ answer: Answer, now: Date) {
    let source: Source =
      switch answer.source {
      case .network, .validated: .network
      case .fresh: .fresh
      case .saved(let reason): .saved(SavedReason(reason))
      case .seed: .builtIn
      case .substituted: .substituted
      }
    let date: Date? =
      switch source {
      case .builtIn: nil
      case .substituted:
        answer.response.fields["Last-Modified"].flatMap { HTTPDate.parse($0, now: now) }
      default:
        answer.stored?.generationDate
          ?? now.addingTimeInterval(
            -Freshness.receivedAge(of: answer.response, requestTime: now, responseTime: now))
      }
    self.init(
      source: source, contentDate: date,
      lastCheck: answer.stored?.lastCheck.map(Check.init)
        ?? (source == .network ? Check(date: now) : nil),
      olderVersions: answer.olderVersions,
      isFresh: answer.isFresh && source.isCopy, foreignFile: answer.stored?.foreignFile,
      archiveHost: answer.stored?.sourceURI.flatMap { WebURL($0)?.host })
    differingFields = answer.differingFields
  }
}

extension Provenance.Source {
  /// Whether it is a response of before.
  fileprivate var isCopy: Bool {
    switch self {
    case .fresh, .saved: true
    case .network, .substituted, .builtIn, .file, .explanation: false
    }
  }
}

extension Provenance.Check {
  /// Reads the result of a check of the archive.
  package init(_ check: StoredResponse.Check) {
    let failure: SavedReason? =
      switch check.result {
      case .unchanged, .replaced: nil
      case .status(let status): SavedReason(status: status)
      case .suspect(let suspicion): SavedReason(suspicion)
      case .failed(let failure): SavedReason(failure)
      }
    self.init(date: check.date, failure: failure)
  }
}

extension SavedReason {
  /// Why the cache gave a copy.
  package init(_ reason: CopyReason) {
    switch reason {
    case .failure(let failure): self.init(failure)
    case .status(let status): self.init(status: status)
    case .suspect(let suspicion): self.init(suspicion)
    case .offlineMode: self = .offlineMode
    case .waiting: self = .waiting
    case .requested: self = .requested
    case .preferred: self = .other("saved copies come first")
    case .permitted: self = .other("the server need not be asked yet")
    }
  }

  /// What an error status says of the page.
  package init(status: Int) {
    switch status {
    // A part or "unchanged" that nobody asked for, and a redirect that leads nowhere.
    case 206: self = .incomplete
    case 304: self = .other("answer not readable")
    case 300...399: self = .other("redirected nowhere")
    case 404, 410: self = .pageGone(status)
    case 511: self = .signInPage
    case 500...599: self = .serverError(status)
    default: self = .refused(status)
    }
  }

  /// What a suspicion says of the answer.
  package init(_ suspicion: Suspicion) {
    switch suspicion {
    case .signInPage, .foreignRedirect: self = .signInPage
    case .loginWall: self = .other("sign-in page of the site")
    case .consentPage: self = .other("consent page of the site")
    case .movedAway: self = .other("moved to another site")
    case .repeatedAnswer: self = .other("the answer is that of other sites")
    case .frontPage: self = .other("front page of the site")
    case .nearlyEmpty: self = .other("answer nearly empty")
    case .cutOff: self = .incomplete
    case .errorPage: self = .other("error page of the site")
    case .otherKind: self = .other("answer of another kind")
    case .unknownCoding: self = .other("answer not readable")
    }
  }

  /// What a failure of the network is called.
  package init(_ failure: TransportFailure) {
    switch failure.kind {
    case .noNetwork: self = .noNetwork
    case .hostNotFound: self = .hostNotFound
    case .connectionRefused: self = .connectionRefused
    case .hostUnreachable: self = .hostUnreachable
    case .timedOut, .connectTimedOut: self = .timedOut
    case .notTrusted: self = .notTrusted
    case .noSecureConnection: self = .noSecureConnection
    case .incomplete: self = .incomplete
    case .certificateRequired: self = .other("client certificate wanted")
    case .malformed, .tooLarge, .badRedirect, .badURL, .cancelled, .other:
      self = .other(ReaderError.words(for: failure))
    }
  }
}

extension OtherScheme {
  /// Returns a notice that http was used although the user typed no scheme; nil for a page over https.
  /// - Parameter url: the URL of the page.
  /// - Returns: the notice.
  package func notice(for url: String) -> String? {
    guard url.hasScheme("http") else { return nil }
    guard let failure else { return "only the page of http is saved: \(SafeText.line(url))" }
    return "not encrypted: http was used, as https failed (\(SavedReason(failure).text))"
  }
}
