public import Foundation

/// The head of an answer, and where the answer comes from.
public struct Answer: Sendable, Equatable {
  /// Status and fields as they came, with `Cache-Status`, `Age` and `Memento-Datetime`.
  public var response: ResponseHead
  /// Where the content comes from.
  public var source: Source
  /// The version in the archive that answers; nil while an answer of the network is not complete.
  public var stored: StoredResponse?
  /// How many good versions older than this one are saved.
  public var olderVersions: Int
  /// Whether the content is fresh: the server has just given or confirmed it, or it answers within the
  /// lifetime that RFC 9111 gives it, also where it is shown as a saved copy.
  public var isFresh: Bool
  /// The request fields, by names in lower case, by which the server chose this for another request: what
  /// stands in for the answer to this one (RFC 9111 §4.1). Empty when it is that answer.
  public var differingFields: [String] = []
  /// What the server asked (401) and nobody here could answer; also when a copy answers in its place.
  public var question: SignInQuestion?
  /// Whether it is the cache's own and leads to the same URL by https, as its host wants (RFC 6797).
  package var isUpgrade = false

  /// Details if the URL was loaded by another scheme than the assumed one; nil otherwise.
  package var otherScheme: OtherScheme?

  /// The cookies of the redirect chain with those of this response, for a load that continues the chain; nil if the
  /// response sets none.
  package var chain: ChainCookies?

  /// Makes an answer.
  package init(
    response: ResponseHead, source: Source, stored: StoredResponse? = nil, olderVersions: Int = 0,
    isFresh: Bool = true
  ) {
    self.response = response
    self.source = source
    self.stored = stored
    self.olderVersions = olderVersions
    self.isFresh = isFresh
  }

  /// Where content comes from.
  public enum Source: Sendable, Equatable {
    /// The server, just now.
    case network
    /// The archive; the server has just confirmed it.
    case validated
    /// The archive, fresh by its own rules, without a question to the server, which as far as is known
    /// could be asked.
    case fresh
    /// The archive, for this reason.
    case saved(CopyReason)
    /// A built-in page.
    case seed
    /// A file that stands in for what the network has; see `Substitution`.
    case substituted
  }
}

/// What a server asks before it gives a page (RFC 9110 §11).
///
/// Answer by `HTTPCache.signIn` with this URL and the realm of a challenge, and load again.
public struct SignInQuestion: Sendable, Equatable {
  /// Where credentials would go: the URL that was sent, which a rewrite or a redirect may have made.
  public var url: WebURL
  /// The challenges that can be answered, the safest first; at least one.
  public var challenges: [Challenge]
}

/// Why a saved copy answers.
public enum CopyReason: Sendable, Hashable {
  /// No complete answer came.
  case failure(TransportFailure)
  /// The server answered with this status.
  case status(Int)
  /// The answer was not trusted.
  case suspect(Suspicion)
  /// The network was not to be asked.
  case offlineMode
  /// The server has not answered yet; the refresh goes on.
  case waiting
  /// This version was asked for.
  case requested
  /// The mode prefers a copy.
  case preferred
  /// The client takes stale answers (`max-stale`), or the server lets them be used for a while
  /// (`stale-while-revalidate`).
  case permitted

  /// The word for `Cache-Status`.
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

/// Why a load failed.
public enum LoadError: Error, Sendable, Equatable {
  /// No complete answer came from the network, and no copy may answer.
  case transport(TransportFailure)
  /// The network was not to be asked, and there is no such copy.
  case notSaved
  /// The copy cannot be read.
  case archive(ArchiveError)
  /// The cache is closed.
  case closed
  /// There is no such built-in page.
  case notFound
  /// The redirects go in a circle.
  case redirectLoop(url: WebURL)
  /// More redirects than allowed.
  case tooManyRedirects(limit: Int)
  /// A redirect to something other than http or https, or of what was sent over https to http; its `Location` as the server wrote it.
  case forbiddenRedirect(location: String)
}

extension LoadError {
  /// The failure, with its kind and what it concerns.
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
      TransportFailure(
        .forbiddenRedirect, "redirected to what is not on the web", about: location)
    }
  }
}

extension LoadError: LocalizedError {
  /// A sentence for users of the library, for `localizedDescription`.
  public var errorDescription: String? { failure.errorDescription }
}

extension LoadError: CustomStringConvertible {
  /// One line for logs: the kind of failure, with the details if there are any.
  public var description: String { failure.description }
}

/// What a load reports: one `response`, any number of `data`, then `finished`; or `failed`, at any
/// point. When a copy answered while the server was still being asked, one of `refreshed` and
/// `checked` follows `finished`.
public enum CacheEvent: Sendable {
  /// The head.
  case response(Answer)
  /// A piece of the content, at most 64 KB.
  case data([UInt8])
  /// The content is complete; the version that holds it, when it is saved.
  case finished(StoredResponse?)
  /// There is no (complete) answer.
  case failed(LoadError)
  /// The server had a newer version, which is saved now.
  case refreshed(StoredResponse)
  /// The server was asked; the copy stays the newest good version.
  case checked(StoredResponse.Check)
}

extension ResponseHead {
  /// The answer that leads from an http URL to the same by https, with method and content.
  static func leading(to url: WebURL) -> ResponseHead {
    ResponseHead(
      status: 307, reason: "Temporary Redirect",
      fields: FieldLines([.init("Location", url.description)]))
  }
}

extension WebRequest {
  /// Makes a request by GET of an address that somebody has written.
  /// - Parameter address: an absolute URL.
  /// - Throws: `transport` with the kind `badURL` when it is none.
  package init(written address: String) throws(LoadError) {
    guard let url = WebURL(address) else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(address)"))
    }
    self.init(url: url)
  }
}
