public import Foundation

/// Options of a load. Times are in seconds; a limit of zero or less fails immediately, and an
/// infinite limit never applies.
public struct LoadOptions: Sendable, Hashable {
  /// The order in which the archive and the network are used.
  public var mode = LoadMode.networkFirst {
    didSet { isModeChosen = true }
  }
  /// Whether `mode` was chosen for this load and overrides the rules. Setting `mode` sets this.
  package var isModeChosen = false
  /// Whether the server is contacted even if the stored response is fresh (a reload by the user).
  public var isReload = false
  /// Whether the user typed no scheme, so that the scheme of the URL is assumed, and the other one
  /// of http and https may be tried; see `SchemeChoice`.
  package var isSchemeAssumed = false
  /// The cookies of the redirect chain that this load continues; nil if the load begins a chain.
  package var chain: ChainCookies?
  /// Whether the redirect chain that this load continues began with a form.
  package var isAfterForm = false
  /// Whether the client itself loads the target of a page that sets a cookie and refreshes. If so,
  /// such a page is delivered even if a better copy is saved.
  package var followsRefreshes = false
  /// Whether the user entered this URL. If so, its origin is contacted even if it was unreachable a
  /// moment ago. `isReload` has the same effect.
  public var isUserEntered = false
  /// Whether redirects led from the URL that the user entered to this URL. If so, a stored error
  /// for this URL is requested again although it is fresh, as for the URL that the user entered.
  package var isTargetOfUserEntered = false
  /// The time, in seconds since 1970, since which a page that was requested by https is fresh,
  /// whatever its lifetime, unless the user entered its URL; infinite if only lifetimes count. Thus
  /// the target of a redirect is not requested again in a run that has saved it.
  package var pagesFreshSince = TimeInterval.infinity
  /// Whether the archive may be used after a failure; false selects strict RFC 9111 behaviour.
  public var allowsFallback = true
  /// Whether responses with `no-store` are not stored.
  public var respectsNoStore = false
  /// Whether responses with `no-cache` are not stored; `Pragma` counts if `Cache-Control` is
  /// absent.
  public var respectsNoCache = false
  /// The saved version that is served.
  public var copy = CopySelection.latest
  /// The time to wait for the response head before an available copy is served; 0 serves the copy
  /// immediately and contacts the server in the background.
  public var fallbackDelay: TimeInterval = 2
  /// Whether `fallbackDelay` applies to the complete response, for a screen on which a user waits.
  /// If not, it applies only to the response head.
  public var fallbackDelayCoversContent = false
  /// The longest pause within the content before an available copy is served; nil if only the time
  /// limits of the transfer apply.
  package var pauseFallbackDelay: TimeInterval?
  /// The time limit for the connection, including the DNS lookup.
  public var connectTimeout: TimeInterval = 10
  /// The time limit from sending the request to receiving the response head.
  public var firstByteTimeout: TimeInterval = 30
  /// The time limit for a pause within the transfer.
  public var stallTimeout: TimeInterval = 30
  /// The time limit for the whole transfer.
  public var totalTimeout: TimeInterval = 300
  /// The maximum number of decoded bytes of a response, counted while it is decoded. A longer
  /// response fails with the kind `tooLarge`, and nothing is saved.
  public var maxSize: Int64 = 1 << 30
  /// The maximum number of decoded bytes of a response that may be a stream without an end: it
  /// states no length, and neither its media type nor another field indicates a file.
  package var maxStreamSize: Int64 = .max
  /// Whether a response that never ends fails as soon as its head shows this.
  package var refusesEndless = false
  /// The maximum number of decoded bytes of a response that is rendered as a page. The cache itself
  /// ignores this limit.
  package var maxRenderedSize: Int64 = 100 << 20

  /// The useful range of time limits, in seconds; no response arrives in less than the minimum.
  package static let timeLimitRange: ClosedRange<TimeInterval> = 0.1...86_400

  /// Whether the content is omitted if the server confirms the stored response, for callers that
  /// need only the head. If so, the content is neither read nor verified.
  package var omitsValidatedContent = false

  /// Whether a permanent redirect (301, 308) to another site is followed although a page is saved;
  /// the caller validates the target.
  package var acceptsPermanentMoves = false

  /// Whether only public network addresses may be contacted, because only a page from the public
  /// network supplied the URL.
  package var isPublicOnly = false
  /// Whether the URL comes from a page, a feed or another program, so that blocked ports are
  /// refused (Fetch standard, "port blocking"). Redirects to a blocked port of another origin are
  /// always refused.
  package var isFromPage = false
  /// Whether redirects are followed without a user watching. If so, a redirect from the public
  /// network to another network is refused.
  package var isUnattended = false
  /// Whether the request is anonymous: it carries no cookies, passwords or client certificates, and
  /// cookies in the response are discarded.
  package var isAnonymous = false
  /// The check that a response must pass before it is trusted as the page.
  package var trust = ResponseTrust.compared(withCopy: true)
  /// The lowercase names of the request fields that the user specified. A stored response for other
  /// values of these fields is not used as a substitute.
  package var userSetFields: Set<String> = []
  /// Whether the request head is saved with a new version, without secrets.
  package var recordsRequest = false

  /// Changes the options for the target of a redirect, because the user entered only the first URL.
  mutating func followRedirect() {
    isTargetOfUserEntered = isTargetOfUserEntered || isUserEntered
    isUserEntered = false
  }

  /// The response directives against storing that the cache respects.
  package var respectedDirectives: RespectedDirectives {
    get {
      var respectedDirectives: RespectedDirectives = []
      if respectsNoStore { respectedDirectives.insert(.noStore) }
      if respectsNoCache { respectedDirectives.insert(.noCache) }
      return respectedDirectives
    }
    set {
      respectsNoStore = newValue.contains(.noStore)
      respectsNoCache = newValue.contains(.noCache)
    }
  }

  /// Creates options with the default values.
  public init() {}

  /// Sets the time limit for the whole transfer and lowers the limits for connecting and for the
  /// response head to at most that value.
  public mutating func limitTotal(to seconds: TimeInterval) {
    totalTimeout = seconds
    connectTimeout = min(connectTimeout, seconds)
    firstByteTimeout = min(firstByteTimeout, seconds)
  }
}
