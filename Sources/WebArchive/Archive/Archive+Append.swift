package import Foundation
import Synchronization
import WARC

/// Saving.
extension Archive {
  /// A place for the content of an answer in flight.
  package func makeSpool() -> Spool { Spool(folder: isReadOnly ? nil : folder, files: files) }

  /// Saves an answer with its content.
  ///
  /// The same content as that of the newest version becomes a note that it is unchanged; the version
  /// then keeps its id and the date of its content.
  /// - Parameters:
  ///   - capture: the answer.
  ///   - body: its content.
  ///   - isDeferred: whether its row may go into the index some milliseconds later, together with
  ///     others. This archive's own answers have it all the same.
  /// - Returns: the response as it is stored now.
  /// - Throws: what keeps the record from being written.
  package func append(
    _ capture: Capture, body: Spool, isDeferred: Bool = false
  ) throws(ArchiveError) -> StoredResponse {
    try reporting { () throws(ArchiveError) in
      if let failure = body.failure { throw failure }
      let digest = body.digest
      var capture = capture
      capture.response = RecordedHead.stored(capture.response, length: body.length)
      let versions = absence.contains(capture.key) ? [] : try versions(of: capture.key)
      let order = order(of: capture.responseTime, after: versions)
      let head = RecordedHead.bytes(capture.response)
      guard head.count <= WARCReader.headLimit else {
        throw .unwritable("the head of \(capture.url) is too long")
      }
      let payload = ArchiveEvent.Payload(digest: digest, length: body.length)
      if let original = unchanged(capture, payload, among: versions) {
        let record = ArchiveRecords.identical(capture, as: original.stored, order: order)
        try write(record, RecordBlock(head: head), payload, now: capture.responseTime)
        let stored = try stored(original.stored.id, of: capture.key)
        keepLimits(afterSaving: capture.key, besides: versions.count - 1)
        return stored
      }
      let record = ArchiveRecords.response(capture, digest: digest, order: order)
      let level = Self.level(for: capture.response, length: body.length)
      let block = RecordBlock(head: head, body: body, level: level)
      // `relatives` does not see what waits.
      let isRelated = capture.response.fields["No-Vary-Search"] != nil
      let request = capture.request.map {
        (ArchiveRecords.request(capture, of: record), RecordBlock(head: $0))
      }
      let event = try write(
        record, block, payload, with: request, now: capture.responseTime,
        isDeferred: isDeferred && !isRelated)
      guard case .version(let version)? = event else { throw .notFound }
      keepLimits(afterSaving: capture.key, besides: versions.count)
      return version.stored
    }
  }

  /// Notes that the server said a response has not changed (304), with its head from now on.
  package func refresh(
    _ stored: StoredResponse, with head: ResponseHead, requestTime: Date, responseTime: Date
  ) throws(ArchiveError) -> StoredResponse {
    try reporting { () throws(ArchiveError) in
      let order = order(of: responseTime, after: try versions(of: stored.key))
      let record = ArchiveRecords.notModified(
        stored, requestTime: requestTime, responseTime: responseTime, order: order)
      let block = RecordBlock(head: RecordedHead.bytes(head, status: "304 Not Modified"))
      try write(record, block, ArchiveEvent.Payload(digest: "", length: 0), now: responseTime)
      return try self.stored(stored.id, of: stored.key)
    }
  }

  /// Notes how an attempt to refresh a version of a key ended; the newest good one when the id is
  /// nil or gone.
  package func record(
    _ check: StoredResponse.Check, of key: String, id: String? = nil
  ) throws(ArchiveError) {
    try reporting { () throws(ArchiveError) in
      let versions = try versions(of: key)
      let named = versions.first { $0.stored.id == id }
      guard let version = named ?? versions.first(where: \.stored.isGood) else { return }
      let (record, block) = ArchiveRecords.check(check, of: version.stored)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try write(record, RecordBlock(head: block), payload, now: check.date)
    }
  }

  /// Notes that a version turned out not to be the page: it stays among the versions, and is not shown
  /// unless it is asked for.
  package func doubt(
    _ stored: StoredResponse, because suspicion: Suspicion, at date: Date
  ) throws(ArchiveError) {
    try reporting { () throws(ArchiveError) in
      let (record, block) = ArchiveRecords.doubt(suspicion, of: stored, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// Notes that a request invalidated what is stored for a key (RFC 9111 §4.4): in a record, or, where nothing
  /// is stored that was not invalidated before, in the index alone, for answers of requests that are still running.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - method: the method of the request.
  ///   - date: when it was answered.
  /// - Throws: `ArchiveError` when it cannot be written.
  package func invalidate(_ key: String, by method: String, at date: Date) throws(ArchiveError) {
    try reporting { () throws(ArchiveError) in
      let before = try invalidation(of: key) ?? .distantPast
      let isStored = try versions(of: key).contains {
        Storability.isReusable($0.stored) && $0.stored.requestTime > before
      }
      guard isStored else {
        return try usingIndex { index throws(IndexError) in
          try index.noteInvalidation(of: key, at: date)
        }
      }
      let (record, block) = ArchiveRecords.invalidation(of: key, by: method, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// Notes that the answer of an address named its entry, unless that is known.
  /// - Parameters:
  ///   - address: the key that the address has by itself.
  ///   - key: that of the entry.
  ///   - date: when it was answered.
  /// - Throws: `ArchiveError` when it cannot be written.
  package func lead(_ address: String, to key: String, at date: Date) throws(ArchiveError) {
    guard try entry(of: address) != key else { return }
    try reporting { () throws(ArchiveError) in
      let (record, block) = ArchiveRecords.entry(of: address, key: key, at: date)
      let payload = ArchiveEvent.Payload(digest: "", length: 0)
      try write(record, RecordBlock(head: block), payload, now: date)
    }
  }

  /// The key of the entry that an address leads to, or nil.
  package func entry(of address: String) throws(ArchiveError) -> String? {
    try settled { index throws(IndexError) in try index.entry(of: address) }
  }

  /// Writes a record, and what belongs behind it, and takes it into the index.
  /// - Returns: what the record means, or nil when it says nothing about a web page.
  @discardableResult
  func write(
    _ record: WARCRecord, _ block: RecordBlock, _ payload: ArchiveEvent.Payload,
    with companion: (record: WARCRecord, block: RecordBlock)? = nil, now: Date,
    isDeferred: Bool = false
  ) throws(ArchiveError) -> ArchiveEvent? {
    // As much as possible is done before the segment is locked.
    let packed = try PackedRecord(record, block, encoders)
    var request: PackedRecord?
    if let companion { request = try PackedRecord(companion.record, companion.block, encoders) }
    let behind = request
    return try writer.withLock { writer throws(ArchiveError) -> ArchiveEvent? in
      var segment = try writer.lock(now: now, sizeLimit: segmentLimit)
      let before = segment.end
      defer { segment.file.unlock() }
      var first = try level(&segment, writer.indexed)
      writer.indexed = nil
      let start = segment.end
      var ends: [Int64] = []
      if segment.end == 0 {
        // A new file: its name is on the disk before anything is in it.
        try files.syncFolder(folder)
        let (description, content) = SegmentWriter.description(of: segment.name, now: now)
        try SegmentWriter.append(to: &segment) { sink in
          try WARCWriter().write(description, block: content, into: sink)
        }
        first = description.id
        ends.append(segment.end)
      }
      let position = WARCPosition(offset: segment.end)
      var written = packed.record
      var end = position.offset
      // Both or none: what is behind the record belongs to it.
      try SegmentWriter.append(to: &segment) { sink in
        written = try packed.write {
          end += Int64($0.count)
          try sink($0)
        }
        _ = try behind?.write(into: sink)
      }
      scheduleSync(segment.file, segment.name)
      // Interpreted from its bytes, as a scan would.
      guard let read = WARCRecord(parsing: written.bytes),
        let status = try? segment.file.status()
      else { return nil }
      let response =
        read.kind == .resource
        ? RecordedHead.resource(read, length: payload.length) : packed.response
      let event = ArchiveEvent(
        read, response: response, payload: payload, segment: segment.name,
        position: position, size: end - position.offset)
      let state = SegmentState(name: segment.name, seen: segment.end, status: status, first: first)
      let generation = self.state.withLock(\.generation)
      ends.append(end)
      if segment.end > end { ends.append(segment.end) }
      if case .version(let version)? = event { noteVersion(version.stored) }
      backlog.add(IndexBacklog.Row(event: event, state: state, start: start, ends: ends))
      if isDeferred {
        backlog.flushSoon { [weak self] in self?.settle() }
      } else {
        settle()
      }
      writer.indexed = SegmentWriter.Indexed(state: state, generation: generation)
      noteSaved(segment.end - before)
      return event
    }
  }

  /// Brings the index up to date with the locked segment, as another process may have written to it, or
  /// have been killed while it did.
  /// - Parameters:
  ///   - segment: where its next record goes; brought up to date.
  ///   - indexed: what the index was given last, if that is known.
  /// - Returns: the id of the segment's first record.
  /// - Throws: `ArchiveError` when the segment or the index cannot be read.
  func level(
    _ segment: inout SegmentWriter.Locked, _ indexed: SegmentWriter.Indexed? = nil
  ) throws(ArchiveError) -> String? {
    let (file, name) = (segment.file, segment.name)
    if let indexed, indexed.state.name == name, indexed.state.seen == segment.end,
      indexed.generation == state.withLock(\.generation),
      // Not another file of that name and size.
      indexed.state.inode == Int64(bitPattern: segment.inode)
    {
      return indexed.state.first
    }
    let known = try self.settled { index throws(IndexError) in try index.segment(name) }
    if let known, known.seen == segment.end, known.size == segment.end { return known.first }
    if segment.end == 0 {
      // The segment was removed behind our back.
      if let known {
        try self.settled { index throws(IndexError) in
          try noticeLoss(of: known, size: 0, index)
          try index.forget(segment: name)
        }
      }
      return nil
    }
    let first = try SegmentScan.firstRecord(of: file)
    let isKnown = known != nil && known?.first == first && known?.seen ?? 0 <= segment.end
    do {
      try self.settled { index throws(IndexError) in
        if let known, first == nil || first == known.first {
          try noticeLoss(of: known, size: segment.end, index)
        }
        do {
          try self.settle(
            file, name, from: isKnown ? known?.seen ?? 0 : 0, first: first,
            replacing: isKnown ? nil : known, index)
        } catch let error as IndexError {
          throw error
        } catch {
          throw .unusable(ErrorWords.text(error))
        }
      }
    }
    segment.end = try file.status().size
    return segment.end == 0 ? nil : first
  }

  /// Takes records just written into the index. They are safe whatever happens here: what the index
  /// does not take now is read at the next catch-up.
  func settle() {
    backlog.settle { rows in
      var rest = rows[...]
      do {
        while let state = rest.first?.state {
          let group = rest.prefix { $0.state.name == state.name }
          try usingIndex { index throws(IndexError) in
            let isTaken = try index.apply(
              group.compactMap(\.event), group.last?.state ?? state,
              after: group.first?.start ?? 0, ends: group.flatMap(\.ends))
            // Another process has forgotten the segment, and may never read it again.
            if !isTaken { try self.catchUp(index, leavesNewFiles: true) }
          }
          rest = rest.dropFirst(group.count)
        }
      } catch {
        leaveIndex(because: ErrorWords.text(error))
      }
    }
  }

  /// Goes on with an index in memory, as the one that is open does not take what it should.
  func leaveIndex(because reason: String) {
    guard let unwilling = state.withLock(\.index) else { return }
    let index = indexInMemory(insteadOf: unwilling, reason: reason)
    state.withLock { state in
      state.index = index
      state.generation += 1
    }
  }

  /// Content that is compressed already is stored as it is; much content is compressed quickly.
  private static func level(for response: ResponseHead, length: Int64) -> Int {
    let type = (response.fields["Content-Type"] ?? "").lowercased()
    if isCompressed(type) || response.fields["Content-Encoding"] != nil { return 0 }
    return length > Int64(Spool.memoryLimit) ? 1 : 6
  }

  /// Whether content of a media type is compressed already.
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

  /// The version that an answer confirms: same variant, status, trust and content, and the newest of
  /// its kind. Its content is read, for there may be nothing to confirm any more.
  private func unchanged(
    _ capture: Capture, _ payload: ArchiveEvent.Payload, among versions: [ArchivedVersion]
  ) -> ArchivedVersion? {
    var new = StoredResponse(
      id: "", key: capture.key, response: capture.response, requestTime: capture.requestTime,
      responseTime: capture.responseTime, contentDate: capture.responseTime)
    new.suspicion = capture.suspicion
    let variant = versions.filter { $0.stored.varying == capture.varying }
    let newest = new.isGood ? variant.first { $0.stored.isGood } : variant.first
    guard let newest, newest.stored.payloadDigest == payload.digest,
      newest.stored.length == payload.length, newest.stored.suspicion == capture.suspicion,
      newest.stored.response.status == capture.response.status,
      // Another target is another redirect.
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

  private func order(of date: Date, after versions: [ArchivedVersion]) -> Int64 {
    max(date.milliseconds, versions.map(\.order).max() ?? .min)
  }

  func versions(of key: String) throws(ArchiveError) -> [ArchivedVersion] {
    let moment = absence.moment
    if backlog.holds(key) { settle() }
    let versions = try usingIndex { index throws(IndexError) in try index.versions(of: key) }
    if versions.isEmpty { absence.note(key, at: moment) }
    return versions
  }

  private func noteVersion(_ stored: StoredResponse) {
    if stored.response.fields["No-Vary-Search"] == nil {
      absence.remove(stored.key)
    } else {
      absence.removeAll()
    }
  }

  private func stored(_ id: String, of key: String) throws(ArchiveError) -> StoredResponse {
    if let stored = try known(of: key).first(where: { $0.id == id }) { return stored }
    // Another process may have forgotten its segment, and be reading it again.
    try catchUp()
    guard let stored = try known(of: key).first(where: { $0.id == id }) else {
      throw .notFound
    }
    return stored
  }

  /// Sees whether saving is possible, and remembers how it went in `warning`.
  func reporting<Value: Sendable>(
    _ save: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let warning {
      // The folder may be usable by now, and the disk have space again.
      if isReadOnly { throw warning }
      if let still = prepareFolder() { throw still }
    }
    do throws(ArchiveError) {
      let value = try save()
      state.withLock { $0.warning = nil }
      return value
    } catch {
      switch error {
      case .full, .unwritable, .noFolder: state.withLock { $0.warning = error }
      case .damaged, .unreadable, .cookies, .credentials, .notFound, .stopped: break
      }
      throw error
    }
  }
}
