import Foundation
import WARC

/// Reads a segment from an offset on and tells what its records mean.
struct SegmentScan {
  /// The file name of the segment.
  let segment: String
  /// The end of the last whole record.
  private(set) var end: Int64
  /// What is damaged.
  private(set) var damages: [WARCDamage] = []
  /// Where the whole records end that were read last.
  private(set) var ends: [Int64] = []

  private let reader: WARCReader
  /// When the file was first seen here, in milliseconds since 1970, if it is from elsewhere.
  private let foreignSince: Int64?
  private let pace: ScanPace
  private var requests = RecordedRequests()

  /// Begins at an offset.
  ///
  /// The file may grow meanwhile. Nothing beyond `limit` is looked at: a record of which only a part
  /// was there at first, and then all, would be taken for damage in the middle of the file.
  init(
    _ file: OpenFile, segment: String, from start: Int64, upTo limit: Int64,
    foreignSince: Int64? = nil, pace: ScanPace = ScanPace()
  ) {
    self.segment = segment
    self.foreignSince = foreignSince
    self.pace = pace
    end = start
    reader = WARCReader(at: WARCPosition(offset: start)) { offset, buffer in
      guard !pace.isStopped() else { throw ArchiveError.stopped }
      let count = Int(max(0, min(Int64(buffer.count), limit - offset)))
      return try file.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    if foreignSince != nil { reader.blockLimit = Self.foreignLimit }
  }

  /// The most bytes of one record from elsewhere, unpacked: no page is as long, and what unpacks to more is
  /// made to do harm.
  static let foreignLimit: Int64 = 256 << 20

  /// The events of the next records; empty at the end of the file.
  /// - Throws: `ArchiveError.unreadable`.
  mutating func next() throws(ArchiveError) -> [ArchiveEvent] {
    var events: [ArchiveEvent] = []
    ends = []
    let start = end
    do {
      while events.isEmpty || (events.count < pace.batch && end - start < pace.stretch),
        let entry = try reader.next()
      {
        switch entry {
        case .damage(let damage):
          damages.append(damage)
          // What follows damage was found, so the damage is behind us.
          if !damage.isCut { end = max(end, damage.range.upperBound) }
        case .record(let record, let position):
          let (event, isWhole) = try interpret(record, at: position)
          if let event = marked(event) { events.append(event) }
          if isWhole {
            end = reader.end
            ends.append(end)
          }
        }
      }
    } catch let error as WARCError {
      throw .unreadable("\(segment): \(ErrorWords.text(error))")
    } catch {
      throw .unreadable("\(segment): \(ErrorWords.text(error))")
    }
    return events
  }

  /// The id of the first record of a file, or nil when there is none.
  static func firstRecord(of file: OpenFile) throws(ArchiveError) -> String? {
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    do throws(WARCError) {
      guard case .record(let record, _)? = try reader.next() else { return nil }
      return record.id
    } catch {
      throw .unreadable("\(file.path): \(ErrorWords.text(error))")
    }
  }

  /// The event of the record at a position; nil when there is none.
  static func event(
    of file: OpenFile, segment: String, at position: WARCPosition, foreignSince: Int64?
  ) throws(ArchiveError) -> ArchiveEvent? {
    let reader = WARCReader(at: position) { try file.read(at: $0, into: $1) }
    do {
      guard case .record(let record, let found)? = try reader.next() else { return nil }
      var scan = SegmentScan(segment: segment, reader: reader, foreignSince: foreignSince)
      return scan.marked(try scan.interpret(record, at: found).event)
    } catch {
      throw .unreadable("\(segment): \(ErrorWords.text(error))")
    }
  }

  private init(segment: String, reader: WARCReader, foreignSince: Int64?) {
    pace = ScanPace()
    self.segment = segment
    self.foreignSince = foreignSince
    self.reader = reader
    end = 0
  }

  /// An event, as a file from elsewhere tells it if this is one.
  private func marked(_ event: ArchiveEvent?) -> ArchiveEvent? {
    guard let foreignSince else { return event }
    return event?.foreign(seen: foreignSince)
  }

  /// Reads a record's block to its end.
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
      let limit = foreignSince == nil ? PayloadDecoder.sizeLimit : Self.foreignLimit
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

  /// Reads a request to its end.
  private mutating func interpret(
    request record: WARCRecord
  ) throws -> (event: ArchiveEvent?, isWhole: Bool) {
    do throws(WARCError) {
      var block: [UInt8] = []
      while let chunk = try reader.nextChunk() {
        // Of a long one, the reader passes over the rest.
        if block.count <= RecordedRequests.lengthLimit { block += chunk }
      }
      return (requests.take(record, block: block), true)
    } catch .unreadable(let reason) {
      throw WARCError.unreadable(reason)
    } catch {
      return (nil, false)
    }
  }
}

/// The block of a record, read to its end: its HTTP head, and digest and length of its content.
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
    var body = BlockReader(record, limit: limit)
    var digest = DigestBuilder(.sha256)
    var length: Int64 = 0
    while let chunk = try next() {
      body.push(chunk)
      // What cannot be decoded ends the content; the rest of the block is still read.
      while let content = try? body.content() {
        digest.update(content)
        length += Int64(content.count)
      }
    }
    isComplete = body.isComplete
    payload = ArchiveEvent.Payload(digest: digest.digest().description, length: length)
    response = body.response
    // A recorded coding that was removed leaves the head; the length then is that of the content.
    if body.removesCodings { response?.fields["Content-Length"] = String(length) }
    if record.kind == .resource { response = RecordedHead.resource(record, length: length) }
  }
}

/// How a segment is read into the index.
struct ScanPace: Sendable {
  /// How many records are read at once: in a big index each of them changes other pages, and a page is
  /// then written once for all.
  var batch = 8000
  /// About how many bytes of the file are read at once at most.
  var stretch: Int64 = 16 << 20
  /// Tells, often, whether to stop.
  var isStopped: @Sendable () -> Bool = { false }

  /// So little at once that nobody waits for the index meanwhile.
  static func behind(_ isStopped: @escaping @Sendable () -> Bool) -> ScanPace {
    ScanPace(batch: 200, stretch: 1 << 20, isStopped: isStopped)
  }
}
