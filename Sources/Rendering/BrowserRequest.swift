import DOM
import OfflineCache

/// A request of the browser that is paused until offread responds to it.
struct BrowserRequest: Sendable, Equatable {
  /// The identifier that the browser assigned, unique within its target.
  var id: String
  /// The DevTools session of the target; nil for the browser itself.
  var session: String?
  /// The URL without its fragment.
  var url: WebURL
  var method: String
  /// The request field `Accept`; nil if the browser sent none.
  var accept: String?
  /// The request field `Origin`; nil if the browser sent none.
  var origin: String?
  /// The resource type of the DevTools protocol: `Document`, `Script`.
  var kind: String
  /// Whether it is the request for the page itself.
  var isPage = false
  /// The frame that sent the request; nil for a worker.
  var frame: String?
  /// The identifier of the request whose redirect led to this one; nil if no redirect led to it.
  var redirectedFrom: String?
  /// Whether only hosts on the public network may be contacted, since a document or a redirect of
  /// that network named the URL.
  var isPublicOnly = false
  /// For a CORS preflight: the value of `Access-Control-Request-Headers`; nil for other requests.
  private var requestedFieldNames: String?

  /// The resource types that are loaded. Requests for images, fonts and media, pings and reports
  /// are refused.
  private static let kinds: Set<String> = [
    "Document", "Stylesheet", "Script", "XHR", "Fetch", "Other",
  ]

  private static let methods: Set<String> = ["GET", "HEAD"]

  /// Parses the event `Fetch.requestPaused`.
  /// - Returns: nil if the request must be refused.
  init?(_ event: JSONValue, session: String?, page: String) {
    guard let id = event["requestId"]?.string, let request = event["request"],
      let kind = event["resourceType"]?.string, Self.kinds.contains(kind),
      let method = request["method"]?.string,
      let url = request["url"]?.string.flatMap({ WebURL($0) }), url.isWeb
    else { return nil }
    func field(_ name: String) -> String? {
      guard case .object(let fields)? = request["headers"] else { return nil }
      return fields.first { $0.key.lowercased() == name }?.value.string
    }
    if method == "OPTIONS" {
      guard field("origin") != nil, let wanted = field("access-control-request-method"),
        Self.methods.contains(wanted)
      else { return nil }
      requestedFieldNames = field("access-control-request-headers") ?? ""
    } else {
      guard Self.methods.contains(method) else { return nil }
    }
    (self.id, self.session, self.method, self.kind) = (id, session, method, kind)
    self.url = url.withoutFragment
    (accept, origin) = (field("accept"), field("origin"))
    frame = event["frameId"]?.string
    redirectedFrom = event["redirectedRequestId"]?.string
    isPage = kind == "Document" && frame == page
    // Images that the page does not use, such as the icon of the site, are not loaded.
    if kind == "Other", accept?.hasPrefix("image/") ?? false { return nil }
  }

  /// The response to a CORS preflight; nil for other requests. It allows everything, since the
  /// request fields that a page adds are never sent. The CORS fields of the actual response decide
  /// whether the page may read it.
  var permission: DevToolsCommand? {
    guard let requestedFieldNames, let origin else { return nil }
    let fields = [
      ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "GET, HEAD"),
      ("Access-Control-Allow-Headers", requestedFieldNames),
      ("Access-Control-Allow-Credentials", "true"),
    ]
    let head = ResponseHead(
      status: 204, reason: "", fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    return BrowserResponse.response(head, [], version: nil).command(for: self)
  }

  /// The request for the cache. Except for `Accept` and `Origin`, no fields of the browser or the
  /// page are sent.
  var request: WebRequest {
    var request = WebRequest(url: url.withoutCredentials)
    request.method = method
    if let accept { request.fields.append("Accept", accept) }
    if let origin { request.fields.append("Origin", origin) }
    return request
  }
}

extension DevToolsCommand {
  /// Returns the command that blocks a request.
  static func refusing(_ id: String, in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Fetch.failRequest",
      ["requestId": .string(id), "errorReason": .string("BlockedByClient")], to: session)
  }
}
