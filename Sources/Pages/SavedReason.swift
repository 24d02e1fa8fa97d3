import Document
package import OfflineCache

/// The reason why a saved copy is shown instead of a response of the server.
package enum SavedReason: Sendable, Equatable {
  /// There was no complete response.
  case failure(FailureKind)
  /// The server responded with this error status.
  case status(Int)
  /// The response was rejected because it is probably not the page.
  case suspect(RejectionReason)
  /// A captive portal responded.
  case signInPage
  case offlineMode, waiting, requested, preferred, permitted
  /// The user stopped waiting for the server.
  case abandoned
  /// The page was open before, and is no longer in memory.
  case reopened
  /// A browser has rendered the page: its name and version (`chromium 156`).
  case rendered(by: String)
  /// The page is part of an imported book.
  case imported
  /// The text comes from a feed, because the page of the item cannot be read for this reason.
  case feed(reason: String)
  /// The text comes from a feed, because the item has no page of its own.
  case itemWithoutPage
  /// The response could not be saved, for this reason.
  case notStored(reason: String)

  /// Creates the reason why a response of the server was not saved; nil unless the disk is full.
  /// - Parameter warning: The latest error that prevented saving, or nil.
  package init?(notSavedDueTo warning: ArchiveError?) {
    guard let warning, warning == .full else { return nil }
    self = .notStored(reason: warning.reason)
  }

  /// Converts the reason of the cache.
  package init(_ reason: CopyReason) {
    switch reason {
    case .failure(let failure): self = .failure(failure.kind)
    case .status(let status): self.init(status: status)
    case .suspect(let rejectionReason): self.init(rejectionReason)
    case .offlineMode: self = .offlineMode
    case .waiting: self = .waiting
    case .requested: self = .requested
    case .preferred: self = .preferred
    case .permitted: self = .permitted
    }
  }

  /// Creates the reason for an error status.
  package init(status: Int) {
    switch status {
    // These are a 206 or 304 that was not requested, and a redirect without a valid target.
    case 206: self = .failure(.incomplete)
    case 304: self = .failure(.malformed)
    case 301...399: self = .failure(.badRedirect)
    case 511: self = .signInPage
    default: self = .status(status)
    }
  }

  /// Creates the reason for a rejected response.
  package init(_ rejectionReason: RejectionReason) {
    switch rejectionReason {
    case .signInPage, .foreignRedirect: self = .signInPage
    case .cutOff: self = .failure(.incomplete)
    case .unknownCoding: self = .failure(.malformed)
    case .loginWall, .consentPage, .movedAway, .repeatedAnswer, .frontPage, .nearlyEmpty,
      .errorPage, .otherKind:
      self = .suspect(rejectionReason)
    }
  }

  /// Whether no server responded, so that another request may succeed later.
  package var isNetworkFailure: Bool {
    if case .failure(let kind) = self { kind.facts.isTransient } else { false }
  }

  /// Whether the text comes from a feed.
  package var isTextOfFeed: Bool {
    if case .feed = self { true } else { self == .itemWithoutPage }
  }

  /// The reason as it is shown in the banner.
  package var text: String {
    switch self {
    case .failure(let kind): kind.text().banner
    case .status(let status):
      switch status {
      case 404, 410: "page gone (\(status))"
      case 500...599: "server error \(status)"
      default: "refused (\(status))"
      }
    case .suspect(let rejectionReason): Self.text(of: rejectionReason)
    case .signInPage: "sign-in page of this network"
    case .offlineMode: "offline mode"
    case .waiting: "waiting for the network"
    case .requested: "older version"
    case .preferred: "saved copies come first"
    case .permitted: "no check needed yet"
    case .abandoned: "no longer requested"
    case .reopened: "shown before"
    case .imported: "imported"
    case .feed(let reason), .notStored(let reason): reason
    case .itemWithoutPage: "the item has no page of its own"
    case .rendered(let browser): "rendered by \(SafeText.line(browser))"
    }
  }

  /// The reason why the text of a feed is shown instead of a page.
  package var missingPageText: String {
    switch self {
    case .status(let status) where status < 500 && ![404, 410].contains(status):
      "the page was refused (\(status))"
    case .status(let status) where status < 500: "the page is gone (\(status))"
    case .status, .signInPage, .failure: "the page is not saved: \(text)"
    case .suspect, .offlineMode, .waiting, .requested, .preferred, .permitted, .abandoned,
      .reopened, .rendered, .imported, .feed, .itemWithoutPage, .notStored:
      "the page is not saved"
    }
  }

  private static func text(of rejectionReason: RejectionReason) -> String {
    switch rejectionReason {
    case .signInPage, .foreignRedirect: "sign-in page of this network"
    case .loginWall: "sign-in or subscription required"
    case .consentPage: "consent page of the site"
    case .movedAway: "moved to another site"
    case .repeatedAnswer: "same answer as other sites"
    case .frontPage: "front page of the site"
    case .nearlyEmpty: "answer nearly empty"
    case .cutOff: "answer incomplete"
    case .errorPage: "error page of the site"
    case .otherKind: "answer of another type"
    case .unknownCoding: "answer not readable"
    }
  }
}
