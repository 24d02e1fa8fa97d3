public import Foundation

/// A request to the cache.
public struct WebRequest: Sendable, Equatable {
  /// The method, case-sensitive. If it is not a token (RFC 9110 §9.1), loading fails.
  public var method: String
  /// The URL. The fragment is not sent.
  public var url: WebURL
  /// The header fields set by the client. If a name is not a token or a value contains a line
  /// break, loading fails. `Content-Length` and `Transfer-Encoding` are set by the transport.
  public var fields: FieldLines
  /// The content, or empty.
  public var body: [UInt8]
  /// A file that is sent as the content instead of `body`; nil for none. It is read in pieces while
  /// it is sent, again after a redirect that preserves the content, and must not change until the
  /// load has ended. Loading fails with the kind `unreadableUpload` if it is not a readable file.
  public var bodyFile: URL?
  /// A stream that is sent as the content instead of `body` and `bodyFile`; nil for none. It is
  /// read in pieces while it is sent. Loading fails with the kind `unreadableUpload` if the stream
  /// throws an error, and with `unrepeatableUpload` if it would have to be read again and cannot
  /// be.
  public var bodyStream: BodyStream?
  /// The proxy URL in the form that libcurl accepts; empty for no proxy, nil for the one in the
  /// environment.
  public var proxy: String?

  /// Creates a request.
  public init(
    method: String = "GET", url: WebURL, fields: FieldLines = FieldLines(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// Whether the request has content. A file or a stream counts as content even if it is empty.
  package var hasBody: Bool { !body.isEmpty || bodyInMemory == nil }

  /// The content; nil if it is a file or a stream.
  package var bodyInMemory: [UInt8]? { bodyFile == nil && bodyStream == nil ? body : nil }

  /// Removes the content.
  package mutating func removeBody() { (body, bodyFile, bodyStream) = ([], nil, nil) }

  /// Whether the method and fields are valid (RFC 9110 §9.1, §5.1, §5.5): a line break in them
  /// could inject another message.
  package var isSendable: Bool {
    Self.isToken(method)
      && fields.lines.allSatisfy { field in
        Self.isToken(field.name) && !field.value.utf8.contains { [0, 10, 13].contains($0) }
      }
  }

  /// Whether a text is a token (§5.6.2).
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
