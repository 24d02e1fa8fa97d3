public import Foundation

/// A response head together with the source of its content.
public struct LoadedResponse: Sendable, Equatable {
  /// The status and header fields as received, plus `Cache-Status`, `Age` and `Memento-Datetime`.
  public var response: ResponseHead
  /// The source of the content.
  public var source: Source
  /// The archived version that is served; nil if the content does not come from the archive, or as
  /// long as a network response is incomplete.
  public var stored: StoredResponse? {
    get { storedResponse }
    set { storedResponse = newValue }
  }
  @Indirect private var storedResponse: StoredResponse?
  /// The number of good saved versions older than this one.
  public var olderVersions: Int
  /// Whether the content is fresh: the server has just sent or confirmed it, or it is within its
  /// freshness lifetime (RFC 9111 §4.2). This also applies to content served as a saved copy.
  public var isFresh: Bool
  /// The lowercase names of the request fields that differ from those for which the server selected
  /// this response (RFC 9111 §4.1). Empty if the response matches the request, or if these fields
  /// are not known. If not empty, the response is a substitute.
  public var differingFields: [String] = []
  /// The authentication challenge (status 401) that the cache could not answer; also set if a saved
  /// copy is served instead.
  public var question: SignInChallenge? {
    get { signInChallenge }
    set { signInChallenge = newValue }
  }
  @Indirect private var signInChallenge: SignInChallenge?
  /// The connection on which the server responded in this load, and the times of the transfer; also
  /// set if the server confirmed a stored response, or if a saved copy is served instead of its
  /// response. Nil if the server did not respond. Not part of equality.
  public internal(set) var metrics: TransferMetrics? {
    get { response.metrics }
    set { response.metrics = newValue }
  }
  /// The value of `Retry-After` in a response with status 429 or 503 (RFC 9110 §10.2.3); also set
  /// if a saved copy is served instead. Nil if there is none.
  package var retryAfter: String?
  /// The target of a redirect to another site that was rejected, so that a saved copy is served;
  /// nil otherwise.
  package var rejectedTarget: WebURL?
  /// The URL to which a rejected page refreshes (`Refresh`, `meta refresh`), if a saved copy is
  /// served instead of that page; nil otherwise.
  package var rejectedRefreshTarget: WebURL?
  /// Whether a saved copy is served because the server's response has no content at all.
  package var isInPlaceOfNoContent = false
  /// Whether the cache generated this response to redirect to the same URL over HTTPS (HSTS, RFC
  /// 6797).
  package var isHTTPSUpgrade = false

  /// Details if the URL was loaded with a scheme other than the assumed one; nil otherwise.
  @Indirect package var otherScheme: OtherScheme?

  /// The cookies of the redirect chain, including those of this response; they are needed for a
  /// load that continues the chain, and for sending a form on the page. Nil if there are none.
  package var chain: ChainCookies?
  /// Whether this response sets a new cookie of the chain, or changes one.
  package var setsChainCookie = false

  /// Creates a loaded response.
  package init(
    response: ResponseHead, source: Source, stored: StoredResponse? = nil, olderVersions: Int = 0,
    isFresh: Bool = true
  ) {
    self.response = response
    self.source = source
    storedResponse = stored
    self.olderVersions = olderVersions
    self.isFresh = isFresh
  }

  /// Records, at the end of a load, that the response was saved. If its head was delivered before
  /// its content, `Cache-Status` does not yet contain `stored` (RFC 9211 §2.5).
  package mutating func recordSaved() {
    guard source == .network, stored == nil else { return }
    // The entry of this cache is the last one.
    response.fields["Cache-Status"]?.append("; stored")
  }

  /// Counts the good saved versions that are older than the one with the content of this response.
  /// `olderVersions` of a network response includes the newest version, which is not older if the
  /// server sent its content again.
  /// - Parameter saved: The version, as reported at the end of the load; nil if there is none.
  /// - Returns: The number of older versions.
  package func olderVersionCount(besides saved: StoredResponse?) -> Int {
    guard source == .network, let saved, saved.isGood, saved.lastCheck?.result == .unchanged
    else { return olderVersions }
    return max(0, olderVersions - 1)
  }

  /// The source of the content of a response.
  public enum Source: Sendable, Equatable {
    /// The server, which responded in this load.
    case network
    /// The archive, after the server confirmed the stored response.
    case validated
    /// The archive. The response is fresh, and the server was not contacted, although it is not
    /// known to be unreachable.
    case fresh
    /// The archive, for the given reason.
    case saved(CopyReason)
    /// A built-in page.
    case seed
    /// A file that replaces the network response; see `Substitution`.
    case substituted
  }
}

/// An authentication challenge of a server (RFC 9110 §11).
///
/// To respond, call `HTTPCache.signIn` with `url` and the realm of a challenge, then load the page
/// again.
public struct SignInChallenge: Sendable, Equatable {
  /// The URL to which the request was sent, and to which credentials would be sent. It may result
  /// from a rewrite or a redirect.
  public var url: WebURL
  /// The supported challenges, most secure first; never empty.
  public var challenges: [Challenge]
}

/// The reason why a saved copy is served.
public enum CopyReason: Sendable, Hashable {
  /// The network delivered no complete response.
  case failure(TransportFailure)
  /// The server responded with this status.
  case status(Int)
  /// The response was rejected as untrustworthy.
  case suspect(RejectionReason)
  /// Network access was not allowed.
  case offlineMode
  /// The server has not responded yet; the revalidation continues in the background.
  case waiting
  /// The caller requested this version.
  case requested
  /// The load mode prefers a saved copy.
  case preferred
  /// The client accepts stale responses (`max-stale`), or the server permits their use for a time
  /// (`stale-while-revalidate`).
  case permitted

  /// The `detail` parameter for `Cache-Status` (RFC 9211 §2.8); nil if the reason needs none.
  var detail: CacheStatus.Detail? {
    switch self {
    case .failure(let failure): failure.kind.facts.detail
    case .status, .suspect: .error
    case .offlineMode: .offline
    case .waiting: .waiting
    case .requested, .preferred, .permitted: nil
    }
  }
}

/// The reason why a load failed.
public enum LoadError: Error, Sendable, Equatable {
  /// The network delivered no complete response, and no saved copy may be served.
  case transport(TransportFailure)
  /// Network access was not allowed, and no matching copy is saved.
  case notSaved
  /// The saved copy cannot be read.
  case archive(ArchiveError)
  /// The cache is closed.
  case closed
  /// The built-in page does not exist.
  case notFound
  /// The redirects form a loop; `url` is the URL that would be requested again.
  case redirectLoop(url: WebURL)
  /// The number of redirects exceeds the limit.
  case tooManyRedirects(limit: Int)
  /// A redirect led to a scheme other than http or https, to a blocked port of another origin, or
  /// from https to http with request content. `location` is the value of `Location` as sent by the
  /// server, or the resolved URL for a blocked port.
  case forbiddenRedirect(location: String)
}

extension LoadError {
  /// This error in the form of a `TransportFailure`, which has a kind, a message and, if known, a
  /// subject.
  public var failure: TransportFailure {
    switch self {
    case .transport(let failure): failure
    case .notSaved: TransportFailure(.notSaved)
    case .closed: TransportFailure(.closed)
    case .archive(let error): TransportFailure(.unreadableCopy, error.description)
    case .notFound: TransportFailure(.noBuiltInPage)
    case .redirectLoop(let url):
      TransportFailure(.redirectLoop, "redirected in a circle", about: url.description)
    case .tooManyRedirects(let limit):
      TransportFailure(
        .tooManyRedirects, "redirected more than \(limit) times", about: "\(limit)")
    case .forbiddenRedirect(let location):
      Self.blockedPort(of: location)
        ?? TransportFailure(
          .forbiddenRedirect, "redirected to what is not on the web", about: location)
    }
  }

  private static func blockedPort(of location: String) -> TransportFailure? {
    guard let url = WebURL(location), url.isWeb, url.hasBlockedPort else { return nil }
    return url.port.map(TransportFailure.blockedPort)
  }
}

extension LoadError: LocalizedError {
  /// A message for users of the library, used as `localizedDescription`.
  public var errorDescription: String? { failure.errorDescription }
}

extension LoadError: CustomStringConvertible {
  /// A line for logs: the kind of failure, followed by details if available.
  public var description: String { failure.description }
}

/// An event of a load: one `response`, any number of `data`, then `finished`; or `failed` at any
/// point. If a saved copy was served while the server was still being contacted, `refreshed` or
/// `checked` follows `finished`.
public enum CacheEvent: Sendable, Equatable {
  /// The response head was received.
  case response(LoadedResponse)
  /// A piece of the content, at most 64 KB.
  case data([UInt8])
  /// The content is complete; the value is the saved version that holds it, if there is one.
  case finished(StoredResponse?)
  /// No complete response is available.
  case failed(LoadError)
  /// The server sent a newer version, which is now saved.
  case refreshed(StoredResponse)
  /// The server was contacted; the served copy remains the newest good version.
  case checked(StoredResponse.Check)
}

extension ResponseHead {
  /// The value of `Retry-After` with which a busy server (status 429 or 503) asks not to be
  /// contacted for a time; nil if there is none.
  var retryAfter: String? {
    [429, 503].contains(status) ? fields["Retry-After"] : nil
  }

  /// Returns a redirect from an http URL to the given https URL that preserves method and content.
  static func leading(to url: WebURL) -> ResponseHead {
    ResponseHead(
      status: 307, reason: "Temporary Redirect",
      fields: FieldLines([.init("Location", url.description)]))
  }
}

extension WebRequest {
  /// Creates a GET request for a URL given as text.
  /// - Parameter address: An absolute URL.
  /// - Throws: `transport` with the kind `badURL` if the text is not a valid URL.
  package init(written address: String) throws(LoadError) {
    guard let url = WebURL(address) else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(address)"))
    }
    self.init(url: url)
  }
}
