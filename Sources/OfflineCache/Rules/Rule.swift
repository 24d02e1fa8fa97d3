public import Foundation

/// What is done with requests and answers of a certain kind.
///
/// A rule applies when every condition that it names holds; of several values of one condition any
/// will do. Rules are asked in order, and each setting is taken from the first rule that applies and
/// names it, so a later rule fills in what earlier ones left open.
public struct Rule: Sendable, Hashable {
  // MARK: Conditions

  /// Hosts, exact or with `*` (`*.example.org` is every name below `example.org`, without that one
  /// itself); with a port (`localhost:8080`) only that port.
  public var hosts: [String] = []
  /// Paths with `*` and `?`, percent-encoded or not; a query is no part of the path.
  public var paths: [String] = []
  /// File name extensions, without the dot, in any case.
  public var extensions: [String] = []
  /// Media types, exact or with `*` (`image/*`), without parameters.
  public var mediaTypes: [String] = []
  /// Request methods.
  public var methods: [String] = []
  /// The least length of the decoded content, in bytes.
  public var minimumSize: Int64?
  /// The greatest length of the decoded content, in bytes.
  public var maximumSize: Int64?

  /// A condition in code, asked with the URL and the method.
  var condition: Condition?

  /// A condition in code: the same as itself only.
  final class Condition: Sendable, Hashable {
    let holds: @Sendable (WebURL, String) -> Bool

    init(_ holds: @escaping @Sendable (WebURL, String) -> Bool) { self.holds = holds }

    static func == (a: Condition, b: Condition) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  // MARK: Settings

  /// Whether answers are saved. True also saves what `LoadOptions.respectsNoStore` and
  /// `respectsNoCache` would not.
  public var stores: Bool?
  /// The order in which store and network are asked, unless the load itself names one.
  public var mode: LoadMode?
  /// For how many seconds a stored answer is fresh, whatever the server says of its lifetime
  /// (`max-age`, `Expires`, `no-cache`). What says `no-store` is never used as fresh.
  public var maxAge: TimeInterval?
  /// Whether `Access-Control-Max-Age` is taken for the lifetime of an answer that names no other.
  public var usesAccessControlMaxAge: Bool?
  /// Query parameters, as names with `*` and `?`, that do not tell one stored answer from another.
  public var droppedParameters: [String]?
  /// Whether the order of the query parameters makes no difference either.
  public var sortsQuery: Bool?
  /// Whether upper and lower case of path and query are the same.
  public var foldsCase: Bool?
  /// A key under which every answer is stored: an absolute URL, or a name within the origin.
  public var fixedKey: String?
  /// A request field whose value, when it is there, is the key, as a name within the origin. The
  /// field is not sent.
  public var keyField: String?
  /// A field of the answer whose value, when it is there, is the key, as a name within the origin: the server
  /// says which of its URLs are one entry. A URL leads to the entry once it was asked for; an answer without the
  /// field stays in the entry that its URL leads to. Names of more than 1,024 bytes are none.
  public var answerKeyField: String?

  /// Makes a rule without conditions and settings.
  public init() {}

  /// Makes a rule and sets it up.
  public init(_ configure: (inout Rule) -> Void) {
    configure(&self)
  }

  /// Makes a rule for the requests that code chooses, and sets it up.
  /// - Parameters:
  ///   - matches: asked with the URL and the method, on any thread; it must not wait for the cache.
  ///   - configure: sets further conditions and what is done.
  public init(
    matches: @escaping @Sendable (WebURL, String) -> Bool,
    _ configure: (inout Rule) -> Void = { _ in }
  ) {
    condition = Condition(matches)
    configure(&self)
  }

  /// Whether the conditions can be judged only when an answer's head, or all of it, is there. Such
  /// a rule decides about storing and lifetime only: mode and key are needed earlier.
  package var needsAnswer: Bool {
    !mediaTypes.isEmpty || minimumSize != nil || maximumSize != nil
  }
}
