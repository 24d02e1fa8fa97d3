/// A description of how a cache handled a request, in terms of RFC 9211.
public struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
  /// Whether the response came from the store or the request was forwarded.
  public enum Outcome: Sendable, Hashable, CustomStringConvertible {
    /// The response came from the store.
    case hit
    /// The request was forwarded for the given reason (§2.2).
    case forwarded(Reason)
    /// Neither: the cache itself generated the response.
    case generated

    /// The parameter of the field (`hit` or `fwd=…`), or `generated`.
    public var description: String {
      switch self {
      case .hit: "hit"
      case .forwarded(let reason): "fwd=\(reason.rawValue)"
      case .generated: "generated"
      }
    }
  }

  /// The reason for forwarding a request.
  public enum Reason: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The cache was configured not to handle the request.
    case bypass
    /// The semantics of the method require that the request is forwarded.
    case method
    /// Nothing stored could be used, for a reason that the cache does not report.
    case miss
    /// A stored response is fresh, but the request does not permit its use.
    case request
    /// The stored response is stale.
    case stale
    /// The stored response contains only a part of the content.
    case partial
    /// Nothing is stored for the URL.
    case uriMiss = "uri-miss"
    /// The responses stored for the URL are for other values of the fields that `Vary` names.
    case varyMiss = "vary-miss"

    /// The value of the parameter `fwd`.
    public var description: String { rawValue }
  }

  /// The reason for using a stored response that the freshness rules would not choose, or for
  /// generating or substituting a response.
  ///
  /// A cache may define its own values (§2.9).
  public struct Detail: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The value of the parameter `detail`.
    public let rawValue: String

    /// Creates a detail.
    /// - Parameter rawValue: The value of the parameter.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The value of the parameter.
    public var description: String { rawValue }

    /// The user is offline, or set the cache to offline mode.
    public static let offline = Detail(rawValue: "offline")
    /// The server could not be reached.
    public static let unreachable = Detail(rawValue: "unreachable")
    /// The server did not respond in time.
    public static let timeout = Detail(rawValue: "timeout")
    /// The request failed for another reason, or the response was not usable.
    public static let error = Detail(rawValue: "error")
    /// The response of the server is still awaited.
    public static let waiting = Detail(rawValue: "waiting")
    /// The stored response belongs to a request that differs in a field named by `Vary` (RFC 9111
    /// §4.1).
    public static let variant = Detail(rawValue: "variant")
    /// A local file replaces the response from the network; see `Substitution`.
    public static let substitute = Detail(rawValue: "substitute")
    /// The request did not allow network access, and nothing is stored (RFC 9111 §5.2.1.7).
    public static let onlyIfCached = Detail(rawValue: "only-if-cached")
    /// The host only accepts HTTPS (HSTS, RFC 6797).
    public static let hsts = Detail(rawValue: "hsts")
  }

  /// Whether the response came from the store or the request was forwarded.
  public var outcome: Outcome
  /// The status code of the next server's response; nil if the request was not forwarded.
  public var forwardStatus: Int?
  /// The remaining freshness lifetime of a hit in seconds, negative if stale; nil if unknown.
  public var timeToLive: Int?
  /// Whether the response to the forwarded request was stored (§2.5). A cache that sends the head
  /// before it has stored the content leaves this false, because storing may still fail.
  public var isStored: Bool
  /// Whether the request was collapsed with an identical one that was already in progress (§2.6).
  public var isCollapsed = false
  /// The reason for using a stored response against the freshness rules, or for generating or
  /// substituting the response; nil for none.
  public var detail: Detail?

  /// Returns the status of a hit.
  /// - Parameters:
  ///   - timeToLive: The remaining freshness lifetime in seconds, or nil.
  ///   - detail: The reason for using a response against the freshness rules, or nil.
  /// - Returns: The status.
  public static func hit(timeToLive: Int?, detail: Detail? = nil) -> CacheStatus {
    CacheStatus(outcome: .hit, timeToLive: timeToLive, isStored: false, detail: detail)
  }

  /// Returns the status of a forwarded request.
  /// - Parameters:
  ///   - reason: The reason for forwarding it.
  ///   - status: The status code of the response.
  ///   - isStored: Whether the response was stored.
  ///   - isCollapsed: Whether the response to an identical request in progress was used.
  /// - Returns: The status.
  public static func forwarded(
    _ reason: Reason, status: Int, isStored: Bool, isCollapsed: Bool = false
  ) -> CacheStatus {
    CacheStatus(
      outcome: .forwarded(reason), forwardStatus: status, isStored: isStored,
      isCollapsed: isCollapsed)
  }

  /// Returns the status of a response that the cache itself generated.
  /// - Parameter detail: The reason.
  /// - Returns: The status.
  public static func generated(_ detail: Detail) -> CacheStatus {
    CacheStatus(outcome: .generated, isStored: false, detail: detail)
  }

  /// Returns the value of the `Cache-Status` field.
  /// - Parameter cache: The name of the cache (§2), for example its host.
  /// - Returns: One member of the list.
  public func text(by cache: String) -> String {
    var text = Self.item(cache)
    switch outcome {
    case .hit: text += "; hit"
    case .forwarded(let reason): text += "; fwd=\(reason.rawValue)"
    case .generated: break
    }
    if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
    if isStored { text += "; stored" }
    if isCollapsed { text += "; collapsed" }
    if let timeToLive { text += "; ttl=\(timeToLive)" }
    if let detail { text += "; detail=\(Self.item(detail.rawValue))" }
    return text
  }

  /// The parameters of the field without the name of the cache, for logs.
  public var description: String { String(text(by: "cache").dropFirst("cache; ".count)) }

  /// Returns a text as a token, or as a string if it is not one (RFC 9651 §3.3.3, §3.3.4). Octets
  /// that a string cannot contain are replaced by `?`.
  private static func item(_ text: String) -> String {
    let isToken = text.utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "*"): true
      case 0x30...0x39: index > 0
      default: index > 0 && "!#$%&'+-.^_`|~:/".utf8.contains(byte)
      }
    }
    guard !isToken || text.isEmpty else { return text }
    let content = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case " "..."~": String(scalar)
      default: "?"
      }
    }
    return "\"\(content.joined())\""
  }
}
