public import Foundation

/// A response in the archive: its head, its dates and what is needed to judge it. The content is
/// read from the archive on demand.
public struct StoredResponse: CachedResponse, Identifiable {
  /// Lower-case UUID of the WARC record that began this version (`WARC-Record-ID` without the
  /// `urn:uuid:`); what `--copy ID` takes.
  public var id: String
  /// The cache key: the normalised URL.
  public var key: String
  /// Status and fields, updated by every validation (RFC 9111 §4.3.4).
  public var response: ResponseHead
  /// When the request of the response, or of its last validation, was sent.
  public var requestTime: Date
  /// When the response, or its last validation, arrived.
  public var responseTime: Date
  /// When the content was fetched. A validation never changes it.
  public var contentDate: Date
  /// When the content is from, as far as is known: a shared cache may have had it for long before it gave it
  /// (`Age`). What was validated since is no older than the validation says.
  public var generationDate: Date {
    let age = Freshness.receivedAge(
      of: response, requestTime: requestTime, responseTime: responseTime)
    return age == 0 ? contentDate : min(contentDate, responseTime.addingTimeInterval(-age))
  }
  /// The last attempt to refresh this version, successful or not.
  public var lastCheck: Check?
  /// The request fields that `Vary` names, with the values of the request that was answered.
  public var varying: [VaryingField]
  /// Why the answer is not trusted as the page, or nil.
  public var suspicion: Suspicion?
  /// Labelled digest of the content (`sha256:` and Base32), as in `WARC-Payload-Digest`.
  public var payloadDigest: String
  /// Length of the content in bytes, decoded.
  public var length: Int64
  /// The file of the archive that this is known from when another machine or program wrote it: it answers
  /// as a saved copy only. Nil for what this machine got from the server, or the server has confirmed to it.
  public var foreignFile: String?
  /// Where that file says that the record is from, when another archive has given it (`WARC-Source-URI`).
  public var sourceURI: String?
  /// For how many seconds this is fresh by an application's rules, whatever the server says; never
  /// kept.
  public package(set) var ruledLifetime: Double?
  /// Where the content is when a seed has it; never kept.
  package var seed: SeedPlace?
  /// Whether this is none of the archive's but came with the application or the system; see `Seed`.
  public var isSeed: Bool { seed != nil }

  /// Makes a stored response from its parts.
  package init(
    id: String, key: String, response: ResponseHead, requestTime: Date, responseTime: Date,
    contentDate: Date, lastCheck: Check? = nil, varying: [VaryingField] = [],
    suspicion: Suspicion? = nil, payloadDigest: String = "", length: Int64 = 0
  ) {
    self.id = id
    self.key = key
    self.response = response
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.contentDate = contentDate
    self.lastCheck = lastCheck
    self.varying = varying
    self.suspicion = suspicion
    self.payloadDigest = payloadDigest
    self.length = length
  }

  /// Whether this may be shown as the page: a complete 2xx or a redirect, and not suspect.
  public var isGood: Bool {
    suspicion == nil && !isRendered
      && ((200..<300).contains(response.status) && !isPart || isRedirect)
  }

  /// Whether the answer is trusted as the page.
  public var isTrusted: Bool { suspicion == nil }

  /// Whether this is a redirect with a target.
  public var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(response.status) && response.fields["Location"] != nil
  }

  /// An attempt to refresh a version.
  public struct Check: Sendable, Equatable {
    /// When it ended.
    public var date: Date
    /// How it ended.
    public var result: Result

    /// Makes a record of an attempt.
    package init(date: Date, result: Result) {
      self.date = date
      self.result = result
    }

    /// How an attempt to refresh ended.
    public enum Result: Sendable, Equatable {
      /// The server said that the content has not changed (304, or the same content again).
      case unchanged
      /// A newer version was stored.
      case replaced
      /// The server answered with this error status.
      case status(Int)
      /// The answer was not trusted.
      case suspect(Suspicion)
      /// No complete answer came.
      case failed(TransportFailure)
    }
  }
}

/// Why an answer is not trusted as the new version of a page.
///
/// The raw values are stored. Version 1.0.0 takes a response with a value that it does not know for a trusted one, so
/// none may be added: a finer reason has to be stored beside one of these.
public enum Suspicion: String, Sendable, Equatable, CaseIterable {
  /// 511, or the marks of a network's own sign-in page.
  case signInPage = "sign-in-page"
  /// A redirect to another site where the saved copy had none, by http: a network's doing, as
  /// likely as not.
  case foreignRedirect = "foreign-redirect"
  /// A redirect to another site where the saved copy had none, by the site itself (https).
  case movedAway = "moved-away"
  /// A redirect to the front page of the site where there was a page.
  case frontPage = "front-page"
  /// A short page of the site itself that asks the reader to sign in, where an article was.
  case loginWall = "login-wall"
  /// A short page that asks for consent, where an article was.
  case consentPage = "consent-page"
  /// The same page that unrelated sites answered a moment ago.
  case repeatedAnswer = "repeated-answer"
  /// An empty or nearly empty page where the saved copy has text.
  case nearlyEmpty = "nearly-empty"
  /// A page that stops before its end, where the saved copy has one.
  case cutOff = "cut-off"
  /// A short page titled like an error, or like a check of who asks, where an article was.
  case errorPage = "error-page"
  /// A page where the saved copy is a picture, a document, a feed, or some other file, or a picture where it is a page.
  case otherKind = "other-kind"
  /// A content coding that nobody here can take off, where a readable page was.
  case unknownCoding = "unknown-coding"
}
