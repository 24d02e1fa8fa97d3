public import Foundation

/// In what order the store and the network are asked; the five names of the field.
public enum LoadMode: String, Sendable, Equatable, CaseIterable {
  /// A fresh response answers alone (RFC 9111); otherwise the network gets `patience`, then the
  /// archive answers.
  case networkFirst = "network-first"
  /// Any good copy answers, fresh or not; the network only when there is none.
  case cacheFirst = "cache-first"
  /// Any good copy answers at once and is refreshed afterwards.
  case staleWhileRevalidate = "stale-while-revalidate"
  /// The store is not asked; what comes is stored.
  case networkOnly = "network-only"
  /// The network is not asked.
  case cacheOnly = "cache-only"
}

/// Which saved version answers.
public enum CopySelection: Sendable, Hashable {
  /// The newest good one.
  case latest
  /// The newest good one older than the newest capture.
  case previous
  /// The one with this record id (a unique prefix is enough).
  case id(String)
}

/// The check that a response must pass before it is trusted as the requested page.
package enum ResponseTrust: Sendable, Hashable {
  /// Against the saved copy; or against none, as that copy may itself be a captive portal's.
  case compared(withCopy: Bool)
  /// None: the user accepts any response as the page.
  case accepted
}

/// How a load is carried out. Times are in seconds; a limit of zero or less fails at once, one of
/// infinity never.
public struct LoadOptions: Sendable, Hashable {
  /// The order in which store and network are asked.
  public var mode = LoadMode.networkFirst {
    didSet { isModeChosen = true }
  }
  /// Whether `mode` was chosen for this load, so that no rule changes it; setting `mode` makes it so.
  package var isModeChosen = false
  /// Ask the server even when the stored response is fresh (a user's reload).
  public var isReload = false
  /// Whether the user typed no scheme, so that https (or http) is an assumption and the other of the two may be
  /// tried; see `SchemeChoice`.
  package var isSchemeAssumed = false
  /// The cookies of the redirect chain that this load continues; nil if it begins one.
  package var chain: ChainCookies?
  /// Whether that chain began with a form.
  package var isAfterForm = false
  /// Whether a person named this very URL: then its origin is asked although it could not be
  /// reached a moment ago. A reload is always named.
  public var isUserNamed = false
  /// Whether the archive may answer after a failure; false is strict RFC 9111.
  public var allowsFallback = true
  /// Do not store what says no-store.
  public var respectsNoStore = false
  /// Do not store what says `no-cache`, by `Cache-Control` or, where there is none, by `Pragma`.
  public var respectsNoCache = false
  /// Which saved version answers.
  public var copy = CopySelection.latest
  /// While a copy is held: how long the response head may take before the copy answers; 0 gives the
  /// copy at once, and asks behind it.
  public var patience: TimeInterval = 2
  /// Whether patience ends only with the complete answer, for a screen on which a person waits;
  /// else it ends with the response head.
  public var patienceCoversContent = false
  /// While a copy is held and the response head has come: how long nothing of the content may come before the copy
  /// answers; nil for as long as the transfer may take.
  package var pausePatience: TimeInterval?
  /// Limit for the connection, including name look-up.
  public var connectTimeout: TimeInterval = 10
  /// Limit from the request sent to the response head.
  public var firstByteTimeout: TimeInterval = 30
  /// Limit for a pause within the transfer.
  public var stallTimeout: TimeInterval = 30
  /// Limit for the whole transfer.
  public var totalTimeout: TimeInterval = 300
  /// The most decoded bytes of one response that are accepted and stored, counted while they are
  /// unpacked; beyond it the load fails with the kind `tooLarge`, and nothing is saved.
  public var sizeLimit: Int64 = 1 << 30
  /// The most decoded bytes of one response that a reader makes a page of. The cache itself does
  /// not look at it.
  package var renderLimit: Int64 = 100 << 20

  /// The times, in seconds, that make sense as a limit: no answer comes in less.
  package static let timeLimits: ClosedRange<TimeInterval> = 0.1...86_400

  /// Whether an answer has no content when the server has confirmed that what is stored still holds, for who
  /// needs to know only that; its head is as ever. The content is not read then, nor verified.
  package var leavesOutValidated = false

  /// Whether a permanent redirect (301, 308) to another site is followed although a page is saved: the caller
  /// verifies what is there.
  package var acceptsPermanentMoves = false

  /// Whether only addresses of the public network are connected to: nobody but a page of that network has
  /// named the URL.
  package var isPublicOnly = false
  /// Whether the URL comes from a page, a feed or another program: ports of other protocols are refused then
  /// (Fetch standard, "port blocking"). Those of redirects are refused in any case.
  package var isPageNamed = false
  /// Whether no person follows the redirects: one of the public network then leads to no other.
  package var isUnattended = false
  /// Whether it is made on nobody's behalf: without cookies, passwords and certificates, and what the answer sets
  /// is not kept.
  package var isAnonymous = false
  /// The check that a response must pass before it is trusted as the page.
  package var trust = ResponseTrust.compared(withCopy: true)
  /// The fields of the request that a person wrote, by names in lower case: no answer to another value of
  /// them stands in.
  package var givenFields: Set<String> = []
  /// Whether the head of the request is saved beside a new version, without what is secret.
  package var recordsRequest = false

  /// What of a response's words against storing it is kept.
  package var respected: RespectedDirectives {
    get {
      var respected: RespectedDirectives = []
      if respectsNoStore { respected.insert(.noStore) }
      if respectsNoCache { respected.insert(.noCache) }
      return respected
    }
    set {
      respectsNoStore = newValue.contains(.noStore)
      respectsNoCache = newValue.contains(.noCache)
    }
  }

  /// Makes options with the defaults.
  public init() {}

  /// Sets the limit for the whole transfer; the limits for its parts become no longer than that.
  public mutating func limitTotal(to seconds: TimeInterval) {
    totalTimeout = seconds
    connectTimeout = min(connectTimeout, seconds)
    firstByteTimeout = min(firstByteTimeout, seconds)
  }
}
