package import Foundation
import HTTPCaching
import WARC

extension Archive {
  /// Returns a spool for the content of a response that is being received.
  package func makeSpool() -> Spool { versionStore.makeSpool() }

  /// Saves a response with its content.
  ///
  /// If the newest version of the same variant has the same content, only a revisit record is
  /// written; the existing version then keeps its id and the date of its content.
  /// - Parameters:
  ///   - capture: the head of the response, with its dates and URL.
  ///   - body: the content of the response.
  ///   - isDeferred: whether the row may be added to the index some milliseconds later, in one
  ///     transaction with others. Calls of this archive always see the response.
  /// - Returns: the response as it is stored now.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func append(
    _ capture: Capture, body: Spool, isDeferred: Bool = false
  ) throws(ArchiveError) -> StoredResponse {
    try store.reporting { () throws(ArchiveError) in
      if let failure = body.failure { throw failure }
      let digest = body.digest
      var capture = capture
      capture.response = RecordedHead.storedHead(capture.response, length: body.length)
      let versions = try index.versions(of: capture.key)
      let order = order(of: capture.responseTime, after: versions)
      let head = try Self.head(of: capture)
      let payload = ArchiveEvent.Payload(digest: digest, length: body.length)
      if let original = unchangedVersion(capture, payload, among: versions) {
        let record = ArchiveRecords.identicalRevisit(capture, as: original.stored, order: order)
        try versionStore.write(record, RecordBlock(head: head), payload, now: capture.responseTime)
        let updatedResponse = try storedResponse(original.stored.id, of: capture.key)
        try maintenance.enforceLimits(afterSaving: updatedResponse, besides: versions.count - 1)
        return updatedResponse
      }
      let record = ArchiveRecords.response(capture, digest: digest, order: order)
      let level = Self.deflateLevel(for: capture.response, length: body.length)
      let block = RecordBlock(head: head, body: body, level: level)
      try maintenance.checkSpace(
        for: capture.key, upTo: block.length + block.length / 1000, isGood: isGood(capture)
      ) { () throws(ArchiveError) in
        try versionStore.packedSize(of: record, block)
      }
      // `relatives` reads only the index, not the deferred rows.
      let isRelated = capture.response.fields["No-Vary-Search"] != nil
      let request = capture.request.map {
        (ArchiveRecords.request(capture, of: record), RecordBlock(head: $0))
      }
      let event = try versionStore.write(
        record, block, payload, with: request, now: capture.responseTime,
        isDeferred: isDeferred && !isRelated)
      guard case .version(let version)? = event else { throw .notFound }
      try maintenance.enforceLimits(afterSaving: version.stored, besides: versions.count)
      return version.stored
    }
  }

  private static func head(of capture: Capture) throws(ArchiveError) -> [UInt8] {
    let head = RecordedHead.bytes(capture.response)
    guard head.count <= WARCReader.maxHeadLength else {
      throw .unwritable("the header section of \(capture.url) is too long")
    }
    return head
  }

  /// Records that the server has validated a stored response (304), together with its updated head.
  /// - Parameters:
  ///   - stored: the stored response.
  ///   - head: the updated head of the stored response.
  ///   - varying: the request fields that select the stored response now; nil if they are the same
  ///     as before.
  ///   - requestTime: the time at which the request was sent.
  ///   - responseTime: the time at which the head of the 304 arrived.
  /// - Returns: the updated response.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func refresh(
    _ stored: StoredResponse, with head: ResponseHead, varying: [VaryingField]? = nil,
    requestTime: Date, responseTime: Date
  ) throws(ArchiveError) -> StoredResponse {
    try store.reporting { () throws(ArchiveError) in
      let order = order(of: responseTime, after: try index.versions(of: stored.key))
      let changed = varying.flatMap { $0 == stored.varying ? nil : $0 } ?? []
      let record = ArchiveRecords.notModified(
        stored, varying: changed, requestTime: requestTime, responseTime: responseTime,
        order: order)
      let block = RecordBlock(head: RecordedHead.bytes(head, status: "304 Not Modified"))
      try versionStore.write(
        record, block, ArchiveEvent.Payload(digest: "", length: 0), now: responseTime)
      return try self.storedResponse(stored.id, of: stored.key)
    }
  }

  /// Records the result of an attempt to refresh a version of a key: the version with the given id,
  /// or the newest good one if the id is nil or unknown.
  package func record(
    _ check: StoredResponse.Check, of key: String, id: String? = nil
  ) throws(ArchiveError) {
    try store.reporting { () throws(ArchiveError) in
      let versions = try index.versions(of: key)
      let named = versions.first { $0.stored.id == id }
      guard let version = named ?? versions.first(where: \.stored.isGood) else { return }
      let (record, block) = ArchiveRecords.check(check, of: version.stored)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try versionStore.write(record, RecordBlock(head: block), payload, now: check.date)
    }
  }

  /// Records that a version is not the requested page after all. It stays in the list of versions,
  /// but is only shown on request.
  package func markUntrusted(
    _ stored: StoredResponse, reason rejectionReason: RejectionReason, at date: Date
  ) throws(ArchiveError) {
    try store.reporting { () throws(ArchiveError) in
      let (record, block) = ArchiveRecords.rejection(rejectionReason, of: stored, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try versionStore.write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// Records that a request invalidated the stored responses of a key (RFC 9111 §4.4).
  ///
  /// If a stored response can still be reused, a record is written. Otherwise, only the index is
  /// updated, for the responses to requests that are still running.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - method: the method of the request.
  ///   - date: the time at which the response to the request arrived.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func invalidate(_ key: String, by method: String, at date: Date) throws(ArchiveError) {
    try store.reporting { () throws(ArchiveError) in
      let before = try invalidation(of: key) ?? .distantPast
      let isStored = try index.versions(of: key).contains {
        Storability.isReusable($0.stored) && $0.stored.requestTime > before
      }
      guard isStored else {
        return try index.withCurrentIndex { index throws(IndexError) in
          try index.recordInvalidation(of: key, at: date)
        }
      }
      let (record, block) = ArchiveRecords.invalidation(of: key, by: method, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try versionStore.write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// Records that a response specified the cache key of its URL (`Rule.responseKeyField`), unless
  /// this mapping is already known.
  /// - Parameters:
  ///   - address: the default key of the URL.
  ///   - key: the key that the response specified.
  ///   - date: the time at which the response arrived.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func recordKey(_ address: String, to key: String, at date: Date) throws(ArchiveError) {
    guard try assignedKey(of: address) != key else { return }
    try store.reporting { () throws(ArchiveError) in
      let (record, block) = ArchiveRecords.keyAssignment(of: address, key: key, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try versionStore.write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// Returns the cache key that a response specified for its URL, whose default key is `address`;
  /// nil if no response specified one.
  package func assignedKey(of address: String) throws(ArchiveError) -> String? {
    try index.withFlushedIndex { index throws(IndexError) in try index.entry(of: address) }
  }

  /// Returns the deflate level for the content of a response: 0 if the content is already
  /// compressed, 1 if it is longer than `Spool.maxMemory`, otherwise 6.
  private static func deflateLevel(for response: ResponseHead, length: Int64) -> Int {
    let type = (response.fields["Content-Type"] ?? "").lowercased()
    if isCompressed(type) || response.fields["Content-Encoding"] != nil { return 0 }
    return length > Int64(Spool.maxMemory) ? 1 : 6
  }

  /// Returns whether content of a media type is already compressed.
  static func isCompressed(_ type: String) -> Bool {
    let name = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 32 }
    let media = String(decoding: name, as: UTF8.self)
    if ["image/svg+xml", "image/bmp", "image/x-icon"].contains(media) { return false }
    if ["audio/wav", "audio/x-wav"].contains(media) { return false }
    if ["image/", "video/", "audio/", "font/woff"].contains(where: media.hasPrefix) { return true }
    return [
      "application/zip", "application/gzip", "application/x-gzip", "application/x-xz",
      "application/x-bzip2", "application/x-7z-compressed", "application/zstd",
      "application/vnd.rar", "application/java-archive", "application/epub+zip",
      "application/pdf", "application/x-brotli",
    ].contains(media) || media.hasPrefix("application/vnd.openxmlformats-officedocument")
  }

  /// Returns the version that a response confirms: the newest one of the same variant, if its
  /// status, rejection reason, redirect target and content are the same, and if a right clock dated
  /// it. The stored content is read to its end, because damaged content cannot be confirmed.
  private func unchangedVersion(
    _ capture: Capture, _ payload: ArchiveEvent.Payload, among versions: [ArchivedVersion]
  ) -> ArchivedVersion? {
    let variant = versions.filter { $0.stored.varying == capture.varying }
    let newest = isGood(capture) ? variant.first { $0.stored.isGood } : variant.first
    guard let newest, newest.stored.payloadDigest == payload.digest,
      newest.stored.length == payload.length,
      newest.stored.rejectionReason == capture.rejectionReason,
      !Self.isDatedAhead(newest.stored, of: capture),
      newest.stored.response.status == capture.response.status,
      // A redirect to a different target is a new version.
      newest.stored.response.fields["Location"] == capture.response.fields["Location"],
      let body = try? body(of: newest.stored)
    else { return nil }
    do throws(ArchiveError) {
      while try body.next() != nil {}
      return newest
    } catch {
      return nil
    }
  }

  /// The maximum difference in seconds between two clocks that are right.
  private static let maxClockSkew: TimeInterval = 86_400

  /// Returns whether a wrong clock dated the content of a version: it is later than a response
  /// whose time its server confirms (`Date`).
  private static func isDatedAhead(_ version: StoredResponse, of capture: Capture) -> Bool {
    let now = capture.responseTime
    guard version.contentDate.timeIntervalSince(now) > maxClockSkew,
      let date = capture.response.fields["Date"].flatMap({ HTTPDate.parse($0, now: now) })
    else { return false }
    return abs(date.timeIntervalSince(now)) <= maxClockSkew
  }

  /// Returns whether a response may be shown as the page.
  private func isGood(_ capture: Capture) -> Bool {
    var new = StoredResponse(
      id: "", key: capture.key, response: capture.response, requestTime: capture.requestTime,
      responseTime: capture.responseTime, contentDate: capture.responseTime)
    new.rejectionReason = capture.rejectionReason
    return new.isGood
  }

  private func order(of date: Date, after versions: [ArchivedVersion]) -> Int64 {
    max(date.milliseconds, versions.map(\.order).max() ?? .min)
  }

  private func storedResponse(_ id: String, of key: String) throws(ArchiveError) -> StoredResponse {
    if let stored = try indexedVersions(of: key).first(where: { $0.id == id }) { return stored }
    // Another process may have removed the segment from the index, and be reading it again.
    try catchUp()
    guard let stored = try indexedVersions(of: key).first(where: { $0.id == id }) else {
      throw .notFound
    }
    return stored
  }
}
