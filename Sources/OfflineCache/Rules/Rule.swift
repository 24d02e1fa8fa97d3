public import Foundation

/// A rule for the handling of certain requests and responses.
///
/// A rule matches if all its conditions hold; a condition with several values holds if any of them
/// matches. Rules are tried in order, and each setting is taken from the first matching rule that
/// specifies it, so a later rule supplies the settings that earlier rules leave unspecified.
public struct Rule: Sendable, Hashable {
  // MARK: Conditions

  /// The host names, exact or with `*` (`*.example.org` matches every subdomain of `example.org`,
  /// but not the domain itself). A pattern with a port (`localhost:8080`) matches only that port.
  public var hosts: [String] = []
  /// The paths with `*` and `?`, percent-encoded or not; the query is not part of the path.
  public var paths: [String] = []
  /// The file name extensions without the dot, case-insensitive.
  public var extensions: [String] = []
  /// The media types, exact or with `*` (`image/*`), without parameters.
  public var mediaTypes: [String] = []
  /// The request methods.
  public var methods: [String] = []
  /// The minimum length of the decoded content in bytes.
  public var minSize: Int64?
  /// The maximum length of the decoded content in bytes.
  public var maxSize: Int64?

  /// A condition implemented by a closure, which receives the URL and the method.
  var condition: Condition?

  /// A condition implemented by a closure, compared by identity.
  final class Condition: Sendable, Hashable {
    let holds: @Sendable (WebURL, String) -> Bool

    init(_ holds: @escaping @Sendable (WebURL, String) -> Bool) { self.holds = holds }

    static func == (a: Condition, b: Condition) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  // MARK: Settings

  /// Whether responses are saved. True also saves responses that `LoadOptions.respectsNoStore` and
  /// `respectsNoCache` would exclude.
  public var stores: Bool?
  /// The order in which the archive and the network are used, unless it was chosen for the load
  /// itself.
  public var mode: LoadMode?
  /// The freshness lifetime of a stored response in seconds. It overrides `max-age`, `Expires` and
  /// `no-cache`; a response with `no-store` is never fresh.
  public var maxAge: TimeInterval?
  /// Whether `Access-Control-Max-Age` is used as the freshness lifetime of responses that specify
  /// no other.
  public var usesAccessControlMaxAge: Bool?
  /// The query parameters to ignore in cache keys, as names with `*` and `?`.
  public var droppedParameters: [String]?
  /// Whether the order of query parameters is ignored in cache keys.
  public var sortsQuery: Bool?
  /// Whether the case of path and query is ignored in cache keys.
  public var ignoresCase: Bool?
  /// A fixed cache key for all responses: an absolute URL, or a name within the origin.
  public var fixedKey: String?
  /// A request field whose value, if present, is the cache key, as a name within the origin. The
  /// field is not sent.
  public var keyField: String?
  /// A response field whose value, if present, is the cache key, as a name within the origin. The
  /// server thereby declares which of its URLs share an entry. A URL is linked to the entry after
  /// its first request; a response without the field is stored in the entry of its URL. Names
  /// longer than 1,024 bytes are ignored.
  public var responseKeyField: String?

  /// Creates a rule without conditions and settings.
  public init() {}

  /// Creates a rule and configures it.
  public init(_ configure: (inout Rule) -> Void) {
    configure(&self)
  }

  /// Creates a rule whose requests are selected by a closure, and configures it.
  /// - Parameters:
  ///   - matches: Returns whether the rule applies to a URL and a method. The closure is called on
  ///     any thread and must not wait for the cache.
  ///   - configure: Sets further conditions and the settings.
  public init(
    matches: @escaping @Sendable (WebURL, String) -> Bool,
    _ configure: (inout Rule) -> Void = { _ in }
  ) {
    condition = Condition(matches)
    configure(&self)
  }

  /// Whether the conditions depend on the response head or the complete response. If so, the rule
  /// affects only storing and lifetime, because the mode and the key are needed before the
  /// response.
  package var needsResponse: Bool {
    !mediaTypes.isEmpty || minSize != nil || maxSize != nil
  }
}
