import Foundation
import WARC

/// The meaning of a record for the index. Both appending and scanning use this type, so a rebuilt
/// index is the same as one that was updated incrementally.
///
/// Extension fields in the records (WARC 1.1 §"Extensions"):
/// - `Offread-Key`: the cache key, if it cannot be derived from the target URI, or is not an
///   http(s) URL.
/// - `Offread-Request-Time`: the time at which the request was sent.
/// - `Offread-Varying`: a request field that `Vary` lists, as `name: value` (secret values as a
///   keyed hash), or the name alone if the request did not have it; one field for each. A revisit
///   has these fields only if they replace those of the version.
/// - `Offread-Suspicion`: the reason why the response is not trusted.
/// - `Offread-Order`: the sort key of the version, if the clock had been set back.
/// - `Offread-Head: complete`: the block of the revisit contains the whole updated head.
/// - `Offread-Check`: in a metadata record, the result of an attempt to refresh.
/// - `Offread-Doubted`: in a metadata record, the reason why a version is not the requested page
///   after all.
/// - `Offread-Invalidated`: in a metadata record, the method of a request that invalidated the
///   stored responses of the target URI (RFC 9111 §4.4).
/// - `Offread-Entry: named`: in a metadata record, a response for the target URI specified
///   `Offread-Key` as its cache key; see `Rule.responseKeyField`.
/// - `Offread-Rendered-By`: in a resource record, the browser that rendered the page; see
///   `RenderedPage`.
/// - `Offread-Removed`, `Offread-Evicted`: in a metadata record without a target URI, the id of a
///   record that was removed; see `Tombstone`.
enum ArchiveEvent: Sendable, Equatable {
  case version(ArchivedVersion)
  /// A version was validated, or received again.
  case revisit(Revisit)
  /// The result of an attempt to refresh a version.
  case check(StoredResponse.Check, id: String, key: String, location: RecordReference)
  /// A version is not the requested page after all, according to the device that saved it.
  case rejection(RejectionReason, id: String, key: String, location: RecordReference)
  /// The stored responses of a key must be validated before they are used again.
  case invalidation(Date, key: String)
  /// A response specified the cache key of its URL (`Rule.responseKeyField`); `address` is the
  /// default key of that URL.
  case entry(Date, address: String, key: String)
  /// The request of a version had these values of the fields that `Vary` lists.
  case varying([VaryingField], id: String)
  /// The request of a version had another method than GET, so that it is ordered as the oldest one.
  case demotion(id: String)
  /// Records were removed.
  case removal(Tombstone)

  /// A revisit record.
  struct Revisit: Sendable, Equatable {
    /// The head, key and dates of this record, as a version that is located at the revisit record.
    /// The version is added to the index only if the record refers to the content of another URL.
    var version: ArchivedVersion
    /// The id of the record with the content, if given.
    var refersTo: String?
    /// The key of the record with the content.
    var originalKey: String
    /// The date of the record with the content, in milliseconds since 1970, if given.
    var originalDate: Int64?
    /// Whether the content was received again and was identical.
    var isIdentical: Bool
    /// Whether the block contains a head.
    var hasHead: Bool
    /// Whether the head replaces the stored head, instead of updating it.
    var isHeadComplete: Bool
  }

  /// The content of a record.
  struct Payload: Sendable, Equatable {
    /// The labelled SHA-256 digest of the decoded content.
    var digest: String
    /// The length in bytes.
    var length: Int64
  }

  /// Interprets a record; nil if it has no meaning for the index.
  /// - Parameters:
  ///   - record: the record's header.
  ///   - response: the head of the HTTP message in its block, if any.
  ///   - payload: the content.
  ///   - segment: the file name of the segment.
  ///   - position: the position of the record in it.
  ///   - size: the size in the segment, in bytes; 0 if the record shares a gzip member with others.
  init?(
    _ record: WARCRecord, response: ResponseHead?, payload: Payload, segment: String,
    position: WARCPosition, size: Int64
  ) {
    if let tombstone = Tombstone(record) {
      self = .removal(tombstone)
      return
    }
    let fields = record.fields
    guard let uri = record.targetURI, let id = record.id.map(Self.withoutURNPrefix),
      let date = fields["WARC-Date"].flatMap({ WARCDate.milliseconds(parsing: $0) }),
      // Earlier versions wrote keys in which unreserved characters are percent-encoded.
      let key = fields["Offread-Key"].map(CacheKey.normalized)
        ?? CacheKey.make(uri).flatMap({ Self.isWeb($0) ? $0 : nil })
    else { return nil }
    if record.kind == .metadata {
      let location = RecordReference(segment: segment, position: position, record: id, size: size)
      self.init(metadata: record, about: uri, key, Date(milliseconds: date), location)
      return
    }
    let requestTime = fields["Offread-Request-Time"].flatMap { WARCDate.milliseconds(parsing: $0) }
    let stored = StoredResponse(
      id: id, key: key, response: response ?? ResponseHead(status: 200, reason: "OK"),
      requestTime: Date(milliseconds: requestTime ?? date),
      responseTime: Date(milliseconds: date), contentDate: Date(milliseconds: date),
      varying: fields.values(of: "Offread-Varying").map { VaryingField(text: $0) },
      rejectionReason: fields["Offread-Suspicion"].map { RejectionReason(stored: $0) },
      payloadDigest: payload.digest, length: payload.length)
    let order = fields["Offread-Order"].flatMap { WARCDate.milliseconds(parsing: $0) }
    // Revisits must not find other content by the digest of zero bytes.
    let named = fields["WARC-Payload-Digest"].flatMap { WARCDigest($0) }
      .flatMap { $0.isOfNothing && payload.length > 0 ? nil : $0 }
    let version = ArchivedVersion(
      stored: stored, order: order ?? date,
      location: RecordReference(
        segment: segment, position: position, record: id, size: max(0, size)),
      recordedDigest: named.map(\.description).flatMap { $0 == payload.digest ? nil : $0 },
      source: segment, origin: fields["WARC-Source-URI"])
    switch record.kind {
    case .response where response != nil, .resource:
      // Content that the writer truncated or segmented is not complete.
      guard fields["WARC-Truncated"] == nil, fields["WARC-Segment-Number"] == nil else {
        return nil
      }
      self = .version(version)
    case .revisit:
      self.init(revisit: record, version: version, hasHead: response != nil)
    default: return nil
    }
  }

  /// Interprets a metadata record about a URI; nil if it has no meaning for the index.
  private init?(
    metadata record: WARCRecord, about uri: String, _ key: String, _ date: Date,
    _ location: RecordReference
  ) {
    let fields = record.fields
    if fields["Offread-Invalidated"] != nil {
      self = .invalidation(date, key: key)
      return
    }
    if fields["Offread-Entry"] != nil {
      guard let address = CacheKey.make(uri), Self.isWeb(key) else { return nil }
      self = .entry(date, address: address, key: key)
      return
    }
    guard let refersTo = record.refersTo.map(Self.withoutURNPrefix) else { return nil }
    if let rejectionReason = fields["Offread-Doubted"].map({ RejectionReason(stored: $0) }) {
      self = .rejection(rejectionReason, id: refersTo, key: key, location: location)
      return
    }
    guard let result = fields["Offread-Check"].flatMap({ StoredResponse.Check.Result(text: $0) })
    else { return nil }
    let check = StoredResponse.Check(date: date, result: result)
    self = .check(check, id: refersTo, key: key, location: location)
  }

  private init(revisit record: WARCRecord, version: ArchivedVersion, hasHead: Bool) {
    let fields = record.fields
    var version = version
    if let named = fields["WARC-Payload-Digest"].flatMap({ WARCDigest($0) }) {
      version.stored.payloadDigest = named.description
    }
    // If all records of a file have one id, a revisit refers to itself.
    let refersTo = record.refersTo == record.id ? nil : record.refersTo
    self = .revisit(
      Revisit(
        version: version, refersTo: refersTo.map(Self.withoutURNPrefix),
        originalKey: fields["WARC-Refers-To-Target-URI"].flatMap { CacheKey.make($0) }
          ?? version.stored.key,
        originalDate: fields["WARC-Refers-To-Date"].flatMap {
          WARCDate.milliseconds(parsing: $0)
        },
        isIdentical: !(fields["WARC-Profile"] ?? "").hasSuffix("server-not-modified"),
        hasHead: hasHead, isHeadComplete: fields["Offread-Head"] == "complete"))
  }

  /// The key of the earlier version that the record refers to; nil for records that refer to none:
  /// versions, removals and recorded requests.
  var mentionedKey: String? {
    switch self {
    case .version, .removal, .varying, .demotion: nil
    case .check(_, _, let key, _), .rejection(_, _, let key, _), .invalidation(_, let key),
      .entry(_, _, let key):
      key
    case .revisit(let revisit): revisit.version.stored.key
    }
  }

  /// Returns the id of a record as a URI: with `urn:uuid:` if it is a UUID, otherwise unchanged.
  static func uri(_ id: String) -> String {
    UUID(uuidString: id) == nil ? id : "urn:uuid:" + id
  }

  /// Returns a record id without `urn:uuid:`, in lower case.
  static func withoutURNPrefix(_ id: String) -> String {
    let id = id.lowercased()
    return id.hasPrefix("urn:uuid:") ? String(id.dropFirst(9)) : id
  }

  private static func isWeb(_ key: String) -> Bool {
    key.hasPrefix("http://") || key.hasPrefix("https://")
  }
}

extension ArchiveEvent.Revisit {
  /// Returns the version that results from applying this revisit to the version with the content.
  /// - Parameters:
  ///   - original: the version with the content.
  ///   - isOwn: returns whether a segment is from this device.
  /// - Returns: the updated version, or, for another URL, a new version that shares the content.
  func applied(
    to original: ArchivedVersion, isOwn: (String) -> Bool = { _ in true }
  ) -> ArchivedVersion {
    let response = version.stored
    guard response.key == original.stored.key else {
      // Another URL with the same content is a separate version.
      var copy = version
      copy.stored.payloadDigest = original.stored.payloadDigest
      copy.stored.length = original.stored.length
      copy.location = original.location
      copy.isDamaged = original.isDamaged
      if !hasHead { copy.stored.response = original.stored.response }
      return copy
    }
    var updated = original
    updated.stored.record(
      StoredResponse.Check(date: response.responseTime, result: .unchanged))
    // A record of another device never changes a state that this device received from the server.
    // Conversely, a record of this device replaces the state from another device, even a later one.
    switch (isOwn(original.source), isOwn(version.source)) {
    case (true, false): return updated
    case (false, true): break
    case (true, true), (false, false):
      guard version.order >= original.order else { return updated }
    }
    updated.order = max(version.order, original.order)
    (updated.source, updated.origin) = (version.source, version.origin)
    updated.stored.requestTime = response.requestTime
    updated.stored.responseTime = response.responseTime
    if !response.varying.isEmpty { updated.stored.varying = response.varying }
    if hasHead { updated.stored.response = updatedHead(of: original.stored.response) }
    return updated
  }

  private func updatedHead(of original: ResponseHead) -> ResponseHead {
    let new = version.stored.response
    var head = original
    if isHeadComplete {
      head.fields = new.fields
      return head
    }
    // RFC 9111 §3.2: every field is replaced, except those that describe the stored content.
    let kept = ["content-length", "content-encoding", "transfer-encoding", "content-range"]
    for name in Set(new.fields.lines.map { $0.name.lowercased() }) where !kept.contains(name) {
      head.fields[name] = nil
    }
    for line in new.fields.lines where !kept.contains(line.name.lowercased()) {
      head.fields.append(line.name, line.value)
    }
    return head
  }
}
