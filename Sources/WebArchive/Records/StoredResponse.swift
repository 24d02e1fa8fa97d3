public import Foundation

/// A response in the archive: its head, its dates and validation state. The content is read from
/// the archive on demand.
public struct StoredResponse: CachedResponse, Identifiable {
  /// The lower-case UUID of the WARC record that began this version (`WARC-Record-ID` without
  /// `urn:uuid:`); the argument of `--copy`.
  public var id: String
  /// The cache key: the normalized URL.
  public var key: String
  /// Status and fields, updated by every validation (RFC 9111 §4.3.4).
  public var response: ResponseHead
  /// The time at which the request of the response, or of its last validation, was sent.
  public var requestTime: Date
  /// The time at which the response, or its last validation, arrived.
  public var responseTime: Date
  /// The time at which the content was fetched. A validation never changes it.
  public var contentDate: Date
  /// The time at which the content was generated on the origin server, estimated from `Age`: a
  /// shared cache may have stored it for some time. A validation of the response limits this age.
  public var generationDate: Date {
    let age = Freshness.receivedAge(
      of: response, requestTime: requestTime, responseTime: responseTime)
    return age == 0 ? contentDate : min(contentDate, responseTime.addingTimeInterval(-age))
  }
  /// The last attempt to refresh this version, successful or not; nil if there was none.
  public var lastCheck: Check?
  /// The request fields that `Vary` lists, with their values in the original request.
  public var varying: [VaryingField]
  /// The reason why the response is not trusted as the page; nil if it is trusted.
  public var rejectionReason: RejectionReason?
  /// The labelled digest of the content (`sha256:` and Base32), as in `WARC-Payload-Digest`.
  public var payloadDigest: String
  /// The length of the decoded content in bytes.
  public var length: Int64
  /// The file of the archive that contains this response, if another device or program wrote it;
  /// such a response is only used as a saved copy. Nil for a response that this device received or
  /// validated.
  public var importedFile: String?
  /// The origin of the record in `importedFile`, if the record came from another archive
  /// (`WARC-Source-URI`).
  public var sourceURI: String?
  /// The freshness lifetime in seconds that a rule of the application sets, overriding the server;
  /// nil if no rule does. Not stored.
  public package(set) var lifetimeOverride: Double?
  /// The location of the content, if it is in a seed; not stored.
  package var seed: SeedLocation?
  /// Whether this came with the application or the system instead of from the archive; see `Seed`.
  public var isSeed: Bool { seed != nil }

  package init(
    id: String, key: String, response: ResponseHead, requestTime: Date, responseTime: Date,
    contentDate: Date, lastCheck: Check? = nil, varying: [VaryingField] = [],
    rejectionReason: RejectionReason? = nil, payloadDigest: String = "", length: Int64 = 0
  ) {
    self.id = id
    self.key = key
    self.response = response
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.contentDate = contentDate
    self.lastCheck = lastCheck
    self.varying = varying
    self.rejectionReason = rejectionReason
    self.payloadDigest = payloadDigest
    self.length = length
  }

  /// Whether this may be shown as the page: a complete response with the status of a page (2xx,
  /// 300), or a redirect, that is trusted.
  public var isGood: Bool {
    rejectionReason == nil && !isRendered
      && (ResponseHead.pageStatuses.contains(response.status) && !isPart || isRedirect)
  }

  /// Whether the response is trusted as the page.
  public var isTrusted: Bool { rejectionReason == nil }

  /// The URL of the key, without fragment and credentials; nil if a rule gave the response a key
  /// that is not a URL.
  public var url: WebURL? { WebURL(key) }

  /// Whether this is a redirect with a target.
  public var isRedirect: Bool { Redirection.isRedirect(response) }

  /// An attempt to refresh a version.
  public struct Check: Sendable, Equatable {
    /// The time at which the attempt ended.
    public var date: Date
    /// The result of the attempt.
    public var result: Result

    package init(date: Date, result: Result) {
      self.date = date
      self.result = result
    }

    /// The result of an attempt to refresh.
    public enum Result: Sendable, Equatable {
      /// The content has not changed: the server sent 304, or the same content again.
      case unchanged
      /// A newer version was stored.
      case replaced
      /// The server responded with this error status.
      case status(Int)
      /// The response was not trusted.
      case suspect(RejectionReason)
      /// No complete response was received.
      case failed(TransportFailure)
    }
  }
}
