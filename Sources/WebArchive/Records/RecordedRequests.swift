import WARC

/// The requests that other programs recorded. They are needed for their methods, and for the values
/// of the request fields that the `Vary` field of a response lists. A request record is near its
/// response, before it (wget) or after it (warcio, crawlers), and one of the two refers to the
/// other (`WARC-Concurrent-To`).
///
/// The fields of requests with credentials or cookies are ignored: the user to whom they belong is
/// unknown, and secrets do not belong in the index.
struct RecordedRequests {
  /// The maximum number of records between a request and its response.
  private static let maxRecordDistance = 32
  /// The maximum length of a request that is parsed, in bytes.
  static let maxLength = 65_536

  private let vary = Vary(secret: [])
  /// The latest requests with their ids, and the ids of the records that they refer to
  /// (`concurrentIDs`). Those with another method than GET are without their fields.
  private var requests: [(id: String, concurrentIDs: [String], request: WebRequest)] = []
  /// The latest versions whose requests have not been found yet, and the ids of the records that
  /// they refer to (`concurrentIDs`).
  private var versionsWithoutRequest: [(version: ArchivedVersion, concurrentIDs: [String])] = []

  /// Returns a version with the effect of its request (see `demotes` and `varying`), if its request
  /// record was already read. Otherwise, returns it unchanged and remembers it for `process`.
  mutating func complete(_ version: ArchivedVersion, of record: WARCRecord) -> ArchivedVersion {
    let concurrentIDs = Self.concurrentIDs(record)
    let id = version.stored.id
    let known = requests.last {
      concurrentIDs.contains($0.id) || $0.concurrentIDs.contains(id)
    }
    guard let known else {
      if versionsWithoutRequest.count == Self.maxRecordDistance {
        versionsWithoutRequest.removeFirst()
      }
      versionsWithoutRequest.append((version, concurrentIDs))
      return version
    }
    var version = version
    if Self.demotes(known.request) {
      version.order = 0
    } else if version.stored.varying.isEmpty {
      version.stored.varying = varying(of: version, known.request)
    }
    return version
  }

  /// Processes a request record.
  /// - Returns: the event for the version that the request belongs to, if the version preceded the
  ///   request record; otherwise nil.
  mutating func process(_ record: WARCRecord, block: [UInt8]) -> ArchiveEvent? {
    guard let id = record.id.map(ArchiveEvent.withoutURNPrefix), let uri = record.targetURI,
      var request = Self.parse(block, url: uri)
    else { return nil }
    if Self.demotes(request) {
      request.fields = FieldLines([])
    } else if block.count > Self.maxLength || Vary.identifiesRequester(request) {
      return nil
    }
    let concurrentIDs = Self.concurrentIDs(record)
    if requests.count == Self.maxRecordDistance { requests.removeFirst() }
    requests.append((id, concurrentIDs, request))
    let found = versionsWithoutRequest.last {
      concurrentIDs.contains($0.version.stored.id) || $0.concurrentIDs.contains(id)
    }
    guard let version = found?.version else { return nil }
    if Self.demotes(request) { return .demotion(id: version.stored.id) }
    guard version.stored.varying.isEmpty else { return nil }
    let varying = varying(of: version, request)
    return varying.isEmpty ? nil : .varying(varying, id: version.stored.id)
  }

  /// Whether the response to a request is not the page, because its method is not GET. It is
  /// ordered as the oldest version, so that it is shown only if there is no response to GET.
  private static func demotes(_ request: WebRequest) -> Bool { request.method != "GET" }

  /// Returns the values of the fields that `Vary` lists, without `Accept-Encoding`, which is
  /// irrelevant once the codings are removed.
  private func varying(
    of version: ArchivedVersion, _ request: WebRequest
  ) -> [VaryingField] {
    vary.varying(of: version.stored.response, for: request).filter {
      $0.name != "accept-encoding"
    }
  }

  static func concurrentIDs(_ record: WARCRecord) -> [String] {
    record.fields.values(of: "WARC-Concurrent-To").map { value in
      let isBracketed = value.hasPrefix("<") && value.hasSuffix(">")
      return ArchiveEvent.withoutURNPrefix(
        isBracketed ? String(value.dropFirst().dropLast()) : value)
    }
  }

  /// Parses the head of a request; nil if it is not valid.
  static func parse(_ block: [UInt8], url: String) -> WebRequest? {
    guard let url = WebURL(url), let end = block.firstIndex(of: 10) else { return nil }
    let tokens = block[..<end].split(separator: 32)
    guard tokens.count == 3, tokens[2].starts(with: "HTTP/".utf8) else { return nil }
    let head = block[..<(HeadEnd.find(in: block, from: 0) ?? block.count)]
    let fields = WARCFields(parsing: head[(end + 1)...]).lines.map {
      FieldLines.Field($0.name, $0.value)
    }
    return WebRequest(
      method: String(decoding: tokens[0], as: UTF8.self), url: url, fields: FieldLines(fields))
  }
}
