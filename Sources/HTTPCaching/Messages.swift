/// A request as the cache sees it.
public struct WebRequest: Sendable, Equatable {
  /// The method, case kept; a token (RFC 9110 §9.1), or the load fails.
  public var method: String
  /// What is asked for; who sends it leaves the fragment out.
  public var url: WebURL
  /// The header fields that the client set. Names are tokens and values have no line ends, or the
  /// load fails; `Content-Length` and `Transfer-Encoding` are the transport's.
  public var fields: FieldLines
  /// The content, empty for none.
  public var body: [UInt8]
  /// The proxy, as libcurl takes it; empty for none, nil for what the environment says.
  public var proxy: String?

  /// Makes a request.
  public init(
    method: String = "GET", url: WebURL, fields: FieldLines = FieldLines(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// Whether method and fields are what HTTP allows (RFC 9110 §9.1, §5.1, §5.5): a line end in one of
  /// them would make another message.
  package var isSendable: Bool {
    Self.isToken(method)
      && fields.lines.allSatisfy { field in
        Self.isToken(field.name) && !field.value.utf8.contains { [0, 10, 13].contains($0) }
      }
  }

  /// §5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

/// The head of a response.
public struct ResponseHead: Sendable, Equatable {
  /// The status code as sent, also an unknown one (100 to 999).
  public var status: Int
  /// The reason phrase, possibly empty.
  public var reason: String
  /// The header fields.
  public var fields: FieldLines
  /// Whether it came from an address of the public network, as far as the connection tells; no part of
  /// what is compared.
  package var isFromPublicNetwork: Bool?
  /// Whether nothing but the end of the connection ends its content (RFC 9112 §8), so that nobody can tell
  /// whether all of it came; no part of what is compared.
  package var endsWithConnection = false

  /// Makes a response head.
  public init(status: Int, reason: String = "", fields: FieldLines = FieldLines()) {
    self.status = status
    self.reason = reason
    self.fields = fields
  }

  /// Whether two heads say the same.
  public static func == (a: ResponseHead, b: ResponseHead) -> Bool {
    (a.status, a.reason, a.fields) == (b.status, b.reason, b.fields)
  }
}
