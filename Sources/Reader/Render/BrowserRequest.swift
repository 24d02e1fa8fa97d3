import DOM
import Foundation
import OfflineCache

/// A request that the browser makes, and that waits for an answer of ours.
struct BrowserRequest: Sendable, Equatable {
  /// The number that the browser gave it, within its target.
  var id: String
  /// The target; nil for the browser itself.
  var session: String?
  /// The address, without fragment.
  var url: WebURL
  var method: String
  /// What kind of content is asked for, and on whose behalf: the fields `Accept` and `Origin`.
  var accept: String?
  var origin: String?
  /// What the browser wants it for: `Document`, `Script`.
  var kind: String
  /// Whether it is that of the page itself.
  var isPage = false
  /// The frame that asks; nil for a worker.
  var frame: String?
  /// The request whose redirect led to this one.
  var redirectedFrom: String?
  /// Whether only hosts on the public network may be asked, since a document or a redirect of that network
  /// named the URL.
  var isPublicOnly = false
  /// Of a question whether a page of another site may ask (a preflight): the fields with which it wants to.
  private var askedFields: String?

  /// What is loaded: neither what is shown as pictures, nor what is sent and not read.
  private static let kinds: Set<String> = [
    "Document", "Stylesheet", "Script", "XHR", "Fetch", "Other",
  ]

  private static let methods: Set<String> = ["GET", "HEAD"]

  /// Reads the event `Fetch.requestPaused`; nil when such a request is not made.
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
      askedFields = field("access-control-request-headers") ?? ""
    } else {
      guard Self.methods.contains(method) else { return nil }
    }
    (self.id, self.session, self.method, self.kind) = (id, session, method, kind)
    self.url = url.withoutFragment
    (accept, origin) = (field("accept"), field("origin"))
    frame = event["frameId"]?.string
    redirectedFrom = event["redirectedRequestId"]?.string
    isPage = kind == "Document" && frame == page
    // Such as the site's icon.
    if kind == "Other", accept?.hasPrefix("image/") ?? false { return nil }
  }

  /// What is answered to a preflight: we would load what it asks for, whatever fields the page adds, as these do
  /// not go out. Whether the page may read it the answer itself says. Nil for any other request.
  var permission: DevToolsCommand? {
    guard let askedFields, let origin else { return nil }
    let fields = [
      ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "GET, HEAD"),
      ("Access-Control-Allow-Headers", askedFields), ("Access-Control-Allow-Credentials", "true"),
    ]
    let head = ResponseHead(
      status: 204, reason: "", fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    return BrowserAnswer.response(head, [], version: nil).command(for: self)
  }

  /// The request as the cache takes it: nothing else of what the browser or the page would say goes out.
  var request: WebRequest {
    var request = WebRequest(url: url.withoutCredentials)
    request.method = method
    if let accept { request.fields.append("Accept", accept) }
    if let origin { request.fields.append("Origin", origin) }
    return request
  }
}

/// What is answered to a request of the browser.
enum BrowserAnswer: Sendable, Equatable {
  /// An answer of the cache, whole; the version of the archive that it is, if it is one.
  case response(ResponseHead, [UInt8], version: String?)
  /// There is none, and why.
  case failure(String)

  /// The command that gives it to the browser.
  func command(for request: BrowserRequest) -> DevToolsCommand {
    guard case .response(let head, let content, _) = self else {
      return .refusing(request.id, in: request.session)
    }
    let fields = head.fields.lines.filter { !Self.dropped.contains($0.name.lowercased()) }
    return DevToolsCommand(
      "Fetch.fulfillRequest",
      [
        "requestId": .string(request.id), "responseCode": .number(Double(head.status)),
        "responseHeaders": .array(
          fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) }),
        "body": .string(Data(content).base64EncodedString()),
      ], to: request.session)
  }

  /// Fields that say how the content came, or that would make the browser keep or send something.
  private static let dropped: Set<String> = [
    "alt-svc", "connection", "content-encoding", "content-length", "keep-alive", "nel",
    "report-to", "reporting-endpoints", "set-cookie", "strict-transport-security",
    "transfer-encoding",
  ]
}

extension DevToolsCommand {
  /// Tells the browser that a request is not made.
  static func refusing(_ id: String, in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Fetch.failRequest",
      ["requestId": .string(id), "errorReason": .string("BlockedByClient")], to: session)
  }
}
