import WARC

/// The head of a response in the form that the archive writes into records and index rows.
package enum RecordedHead {
  /// Response fields that contain secrets of the user. They are neither stored nor replayed.
  package static let secretFields = ["Set-Cookie", "Set-Cookie2", "Authentication-Info"]

  /// Returns a head without secret fields.
  static func withoutSecrets(_ response: ResponseHead) -> ResponseHead {
    var response = response
    for name in secretFields { response.fields[name] = nil }
    return response
  }

  /// Returns a head as an HTTP/1.1 message, including the empty line, but without secret fields.
  /// - Parameters:
  ///   - response: the head.
  ///   - status: replaces the status code and reason phrase of the head.
  /// - Returns: the bytes.
  package static func bytes(_ response: ResponseHead, status: String? = nil) -> [UInt8] {
    var bytes = Array("HTTP/1.1 \(status ?? "\(response.status) \(response.reason)")".utf8)
    removeSecrets(&bytes, from: 0)
    bytes.append(contentsOf: [13, 10])
    for line in withoutSecrets(response).fields.lines {
      let start = bytes.count
      bytes.append(contentsOf: line.name.utf8)
      bytes.append(contentsOf: [0x3A, 0x20])
      bytes.append(contentsOf: line.value.utf8)
      removeSecrets(&bytes, from: start)
      bytes.append(contentsOf: [13, 10])
    }
    bytes.append(contentsOf: [13, 10])
    return bytes
  }

  /// Parses the head of a response of any HTTP version, and also a status line without a version
  /// (`HTTP 200 Document follows`, NCSA).
  /// - Returns: the head; nil if the first line is not a status line.
  package static func parse(_ bytes: [UInt8]) -> ResponseHead? {
    guard let head = HTTPHead(parsing: bytes),
      case .response(let status, let reason) = head.startLine
    else { return nil }
    let fields = head.fields.lines.map { FieldLines.Field($0.name, $0.value) }
    return ResponseHead(status: status, reason: reason, fields: FieldLines(fields))
  }

  /// Returns the head for a `resource` record, which contains none.
  static func resource(_ record: WARCRecord, length: Int64) -> ResponseHead {
    var fields = FieldLines([
      FieldLines.Field("Content-Type", record.fields["Content-Type"] ?? "application/octet-stream"),
      FieldLines.Field("Content-Length", String(length)),
    ])
    if let browser = record.fields[RenderedPage.browserField],
      let url = record.targetURI.flatMap({ RenderedPage.page(of: $0) })
    {
      fields.append("Content-Location", url)
      fields.append(RenderedPage.browserField, browser)
    }
    return ResponseHead(status: 200, reason: "OK", fields: fields)
  }

  /// The content codings that the cache removes before it stores a response.
  static let knownCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"]

  /// Returns a head as it is stored: without the codings that were removed, and with the length of
  /// the decoded content. Codings that were passed through, because they are unknown or too many,
  /// stay in the head.
  static func storedHead(_ response: ResponseHead, length: Int64) -> ResponseHead {
    var stored = withoutSecrets(response)
    stored.fields["Transfer-Encoding"] = nil
    let named = stored.fields["Content-Encoding"].map(codings) ?? []
    if named.count <= ContentDecoding.maxCodings, named.allSatisfy(isKnownCoding) {
      stored.fields["Content-Encoding"] = nil
    }
    stored.fields["Content-Length"] = response.status == 204 ? nil : String(length)
    return stored
  }

  /// Returns the codings in a field value, in lower case.
  static func codings(_ value: String) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ",")).map { part in
      String(decoding: part.filter { $0 != 32 && $0 != 9 }, as: UTF8.self).lowercased()
    }
  }

  private static func isKnownCoding(_ coding: String) -> Bool { knownCodings.contains(coding) }

  private static func removeSecrets(_ bytes: inout [UInt8], from start: Int) {
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte == 0 || byte == 10 || byte == 13 { bytes[index] = 32 }
    }
  }
}
