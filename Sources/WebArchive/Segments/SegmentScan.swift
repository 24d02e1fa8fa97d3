import Foundation
import WARC

/// Reads a segment from an offset, and returns the events for its records.
struct SegmentScan {
  /// The file name of the segment.
  let segment: String
  /// The end of the last whole record.
  private(set) var end: Int64
  /// The damaged parts that were found so far.
  private(set) var damages: [WARCDamage] = []
  /// The end offsets of the complete records in the last batch.
  private(set) var ends: [Int64] = []

  private let reader: WARCReader
  /// The time at which the file was put into the directory, in milliseconds since 1970; nil for a
  /// segment of this device.
  private let importedSince: Int64?
  private let pace: ScanPace
  private var requests = RecordedRequests()

  /// Begins a scan at an offset.
  ///
  /// The file may grow meanwhile. Nothing beyond `limit` is read: a record that was incomplete at
  /// first and complete a moment later would be reported as damage within the file.
  init(
    _ file: OpenFile, segment: String, from start: Int64, upTo limit: Int64,
    importedSince: Int64? = nil, pace: ScanPace = ScanPace()
  ) {
    self.segment = segment
    self.importedSince = importedSince
    self.pace = pace
    end = start
    reader = WARCReader(at: WARCPosition(offset: start)) { offset, buffer in
      guard !pace.isStopped() else { throw ArchiveError.stopped }
      let count = Int(max(0, min(Int64(buffer.count), limit - offset)))
      return try file.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    if importedSince != nil { reader.maxBlockLength = PayloadDecoder.maxImportedLength }
  }

  /// Returns the events of the next records; empty at the end of the file.
  /// - Throws: `ArchiveError.unreadable`.
  mutating func next() throws(ArchiveError) -> [ArchiveEvent] {
    var events: [ArchiveEvent] = []
    ends = []
    let start = end
    do {
      while events.isEmpty || (events.count < pace.maxEvents && end - start < pace.maxBytes),
        let entry = try reader.next()
      {
        switch entry {
        case .damage(let damage):
          damages.append(damage)
          // Damage that is followed by a record is final, so the scan continues after it.
          if !damage.isTruncated { end = max(end, damage.range.upperBound) }
        case .record(let record, let position):
          let (event, isWhole) = try interpret(record, at: position)
          if let event = withPlausibleDates(event) { events.append(event) }
          if isWhole {
            end = reader.end
            ends.append(end)
          }
        }
      }
    } catch let error as WARCError {
      throw .unreadable("\(segment): \(ErrorMessage.text(error))")
    } catch {
      throw .unreadable("\(segment): \(ErrorMessage.text(error))")
    }
    return events
  }

  /// Returns the id of the first record of a file; nil if the file is empty or damaged at its
  /// beginning.
  static func firstRecord(of file: OpenFile) throws(ArchiveError) -> String? {
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    do throws(WARCError) {
      guard case .record(let record, _)? = try reader.next() else { return nil }
      return record.id
    } catch {
      throw .unreadable("\(file.path): \(ErrorMessage.text(error))")
    }
  }

  /// Returns the event of the record at a position; nil if there is no record, or if it has no
  /// meaning for the index.
  static func event(
    of file: OpenFile, segment: String, at position: WARCPosition, importedSince: Int64?
  ) throws(ArchiveError) -> ArchiveEvent? {
    let reader = WARCReader(at: position) { try file.read(at: $0, into: $1) }
    do {
      guard case .record(let record, let found)? = try reader.next() else { return nil }
      var scan = SegmentScan(segment: segment, reader: reader, importedSince: importedSince)
      return scan.withPlausibleDates(try scan.interpret(record, at: found).event)
    } catch {
      throw .unreadable("\(segment): \(ErrorMessage.text(error))")
    }
  }

  private init(segment: String, reader: WARCReader, importedSince: Int64?) {
    pace = ScanPace()
    self.segment = segment
    self.importedSince = importedSince
    self.reader = reader
    end = 0
  }

  /// Adjusts the dates of an event, if the file came from elsewhere.
  private func withPlausibleDates(_ event: ArchiveEvent?) -> ArchiveEvent? {
    guard let importedSince else { return event }
    return event?.withPlausibleDates(seen: importedSince)
  }

  /// Reads a record's block to its end. Returns the event of the record (nil if it has no meaning
  /// for the index), and whether the whole record could be read.
  private mutating func interpret(
    _ record: WARCRecord, at position: WARCPosition
  ) throws -> (event: ArchiveEvent?, isWhole: Bool) {
    if record.kind == .request { return try interpret(request: record) }
    let isWanted: Bool =
      switch record.kind {
      case .response, .resource, .revisit, .metadata: true
      default: false
      }
    do {
      let limit = importedSince == nil ? PayloadDecoder.maxSize : PayloadDecoder.maxImportedLength
      let content = try RecordContent(record, wanted: isWanted, limit: limit) {
        try reader.nextChunk()
      }
      guard isWanted, content.isComplete else { return (nil, true) }
      let event = ArchiveEvent(
        record, response: content.response, payload: content.payload, segment: segment,
        position: position, size: reader.end - position.offset)
      if case .version(let version) = event {
        return (.version(requests.complete(version, of: record)), true)
      }
      return (event, true)
    } catch let error as WARCError {
      if case .unreadable = error { throw error }
      // The reader reports the damage with the next record.
      return (nil, false)
    }
  }

  /// Reads a request record to its end. Returns the event for the version that it belongs to (see
  /// `RecordedRequests.process`), and whether the whole record could be read.
  private mutating func interpret(
    request record: WARCRecord
  ) throws -> (event: ArchiveEvent?, isWhole: Bool) {
    do throws(WARCError) {
      var block: [UInt8] = []
      while let chunk = try reader.nextChunk() {
        // The rest of a long request is skipped.
        if block.count <= RecordedRequests.maxLength { block += chunk }
      }
      return (requests.process(record, block: block), true)
    } catch .unreadable(let reason) {
      throw WARCError.unreadable(reason)
    } catch {
      return (nil, false)
    }
  }
}

/// The result of reading a record's block: its HTTP head, and digest and length of its content.
private struct RecordContent {
  private(set) var response: ResponseHead?
  private(set) var isComplete = true
  let payload: ArchiveEvent.Payload

  init(
    _ record: WARCRecord, wanted: Bool, limit: Int64, next: () throws -> [UInt8]?
  ) throws {
    guard wanted else {
      while try next() != nil {}
      payload = ArchiveEvent.Payload(digest: "", length: 0)
      return
    }
    var body = BlockReader(record, maxLength: limit)
    var digest = DigestBuilder(.sha256)
    var length: Int64 = 0
    while let chunk = try next() {
      body.push(chunk)
      // Content that cannot be decoded ends here, but the rest of the block is still read.
      while let content = try? body.content() {
        digest.update(content)
        length += Int64(content.count)
      }
    }
    isComplete = body.isComplete
    payload = ArchiveEvent.Payload(digest: digest.digest().description, length: length)
    response = body.response
    // Browsers request media with the range `bytes=0-`, so programs record the whole content as a
    // partial response (206); it becomes a complete response here. A partial response to a known
    // range stays partial.
    if let head = response, record.fields["Offread-Varying"] == nil {
      response = ByteRange.withoutWholeRange(head, length: body.removesCodings ? nil : length)
    }
    // If a coding was removed, the length is that of the decoded content.
    if body.removesCodings { response?.fields["Content-Length"] = String(length) }
    if record.kind == .resource, response == nil {
      response = RecordedHead.resource(record, length: length)
    }
  }
}

extension WARCReader {
  /// Creates a reader of a part of a file, which may grow meanwhile.
  convenience init(_ file: OpenFile, in range: Range<Int64>, verifiesDigests: Bool = true) {
    self.init(at: WARCPosition(offset: range.lowerBound), verifiesDigests: verifiesDigests) {
      offset, buffer in
      let count = min(buffer.count, Int(max(0, range.upperBound - offset)))
      return try file.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
