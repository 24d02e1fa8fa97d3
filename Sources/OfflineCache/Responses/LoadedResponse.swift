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
  /// The value of `Retry-After` in a response with status 429, 502, 503 or 504 (RFC 9110 §10.2.3);
  /// also set if a saved copy is served instead. Nil if there is none.
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

extension ResponseHead {
  /// The value of `Retry-After` with which a busy server (status 429 or 503) or its gateway (502,
  /// 504) asks not to be contacted for a time; nil if there is none. Other errors may concern a
  /// single page.
  var retryAfter: String? {
    [429, 502, 503, 504].contains(status) ? fields["Retry-After"] : nil
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
