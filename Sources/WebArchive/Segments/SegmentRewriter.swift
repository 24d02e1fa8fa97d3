import Foundation
import WARC

/// Copies the records of segments into a new file, without the records to drop. Gzip members and
/// damaged parts are copied unchanged; only a member with several records, some of which are
/// dropped, is encoded again.
struct SegmentRewriter {
  /// The old and new positions of a record.
  struct Move: Sendable, Equatable {
    /// The file name of the old segment.
    var segment: String
    var oldPosition: WARCPosition
    /// The position of the record in the new file.
    var newPosition: WARCPosition
    /// The size of the record in the new file, in bytes; 0 if the record shares a gzip member with
    /// others.
    var size: Int64
  }

  /// The field of a segment's `warcinfo` record that lists an included segment: its name, and the
  /// id of its first record.
  static let includesFieldName = "Offread-Includes"

  /// The records that were copied.
  private(set) var moves: [Move] = []
  /// The number of records that were dropped.
  private(set) var droppedCount = 0
  /// The id of the new file's first record, its `warcinfo` record.
  let firstRecordID: String?

  private let target: OpenFile
  private let rule: RemovalRule
  private var ids: Set<String> = []
  /// The offset in the new file at which the copied records begin.
  private(set) var start: Int64 = 0
  /// The number of bytes that were written.
  private var end: Int64 = 0
  /// The range of the current source that is still to be copied; nil for none.
  private var pendingRange: Range<Int64>?
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// The records of one gzip member, or one uncompressed record.
  private struct Member {
    var offset: Int64
    var end: Int64
    var records: [(position: WARCPosition, isKept: Bool)] = []
  }

  /// Creates a rewriter, and writes a `warcinfo` record to the new file.
  /// - Parameters:
  ///   - target: an empty file.
  ///   - name: the final file name.
  ///   - included: the other segments that the new file will include, each as its name, a space,
  ///     and the id of its first record.
  ///   - rule: selects the records to drop.
  ///   - now: the date of the `warcinfo` record.
  /// - Throws: `ArchiveError` if the file cannot be written.
  init(
    into target: OpenFile, name: String, including included: [String] = [], rule: RemovalRule,
    now: Date
  ) throws(ArchiveError) {
    self.target = target
    self.rule = rule
    var (description, block) = SegmentWriter.description(of: name, now: now)
    for name in included { description.fields.append(Self.includesFieldName, name) }
    firstRecordID = description.id
    var bytes: [UInt8] = []
    do {
      try WARCWriter().write(description, block: block) { bytes.append(contentsOf: $0) }
    } catch {
      throw .unwritable("\(target.path): \(ErrorMessage.text(error))")
    }
    try append(bytes)
    start = end
  }

  /// The length of the new file after `finish`.
  var length: Int64 { end + Int64(pendingRange?.count ?? 0) }

  /// A record that is known to stay and is alone in its gzip member, so it need not be
  /// decompressed.
  struct KnownRecord: Sendable, Equatable {
    var id: String
    /// The range of the record in the segment.
    var range: Range<Int64>
  }

  /// Copies a part of a segment that consists of whole records.
  /// - Parameters:
  ///   - file: the segment.
  ///   - name: the file name of the segment.
  ///   - range: the part to copy.
  ///   - known: records that stay, ordered by offset; all others are read from the file.
  ///   - meter: receives the progress.
  /// - Throws: `ArchiveError`, including `.stopped`.
  mutating func copy(
    _ file: OpenFile, _ name: String, _ range: Range<Int64>, known: [KnownRecord] = [],
    meter: ProgressMeter
  ) throws(ArchiveError) {
    var location = range.lowerBound
    for row in Self.rows(of: known, within: range) {
      let whole = row[0].range.lowerBound..<row[row.count - 1].range.upperBound
      guard try begins(at: whole.lowerBound, file) else { continue }
      if whole.upperBound < range.upperBound {
        guard try begins(at: whole.upperBound, file) else { continue }
      }
      if location < whole.lowerBound {
        try read(file, name, location..<whole.lowerBound, meter: meter)
      }
      for record in row { try process(record, of: file, name) }
      try meter.advance(by: Int64(whole.count))
      location = whole.upperBound
    }
    if location < range.upperBound {
      try read(file, name, location..<range.upperBound, meter: meter)
    }
    try flush(file)
  }

  /// Returns the known records in a range, as groups without gaps.
  private static func rows(of known: [KnownRecord], within range: Range<Int64>) -> [[KnownRecord]] {
    var rows: [[KnownRecord]] = []
    var end = range.lowerBound
    // Ranges that overlap are invalid.
    for record in known
    where record.range.lowerBound >= end && record.range.upperBound <= range.upperBound {
      if record.range.lowerBound == end, !rows.isEmpty {
        rows[rows.count - 1].append(record)
      } else {
        rows.append([record])
      }
      end = record.range.upperBound
    }
    return rows
  }

  /// Returns whether the bytes at an offset may begin a gzip member.
  private func begins(at offset: Int64, _ file: OpenFile) throws(ArchiveError) -> Bool {
    try Self.reading(file.path) {
      var bytes: [UInt8] = [0, 0]
      let count = try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
      return count == 2 && bytes == [0x1F, 0x8B]
    }
  }

  private mutating func process(
    _ record: KnownRecord, of file: OpenFile, _ name: String
  ) throws(ArchiveError) {
    guard ids.insert(record.id).inserted else { return }
    moves.append(
      Move(
        segment: name, oldPosition: WARCPosition(offset: record.range.lowerBound),
        newPosition: WARCPosition(offset: length), size: Int64(record.range.count)))
    try copy(record.range, of: file)
  }

  /// Copies a part of a segment record by record.
  private mutating func read(
    _ file: OpenFile, _ name: String, _ range: Range<Int64>, meter: ProgressMeter
  ) throws(ArchiveError) {
    let reader = WARCReader(file, in: range, verifiesDigests: false)
    var member: Member?
    var reported = ReportedOffset(meter: meter, offset: range.lowerBound)
    while let entry = try Self.reading(name, { try reader.next() }) {
      switch entry {
      case .record(let record, let position):
        if let completeMember = member, completeMember.offset != position.offset {
          try process(completeMember, of: file, name)
          member = nil
        }
        var currentMember = member ?? Member(offset: position.offset, end: position.offset)
        currentMember.records.append((position, isKept(record, in: name)))
        let isWhole = try Self.reading(name) { try Self.readBlockToEnd(reader) }
        if isWhole { currentMember.end = reader.end }
        member = currentMember
      // Further records of the member follow.
      case .damage(let damage) where damage.range.isEmpty: break
      case .damage(let damage):
        if var completeMember = member {
          // The damage is in the record whose header was read.
          if completeMember.offset == damage.range.lowerBound {
            completeMember.end = damage.range.upperBound
          }
          try process(completeMember, of: file, name)
          member = nil
          if completeMember.offset == damage.range.lowerBound { continue }
        }
        try copy(damage.range, of: file)
      }
      if let member { try reported.advance(to: member.end) }
    }
    if let member { try process(member, of: file, name) }
    try meter.advance(by: range.upperBound - reported.offset)
  }

  /// Waits until everything is on the disk.
  func finish() throws(ArchiveError) { try target.sync() }

  private mutating func isKept(_ record: WARCRecord, in name: String) -> Bool {
    // The new file has a `warcinfo` record of its own.
    if record.kind == .warcinfo, record.fields["WARC-Filename"] == name { return false }
    guard !rule.drops(record) else {
      droppedCount += 1
      return false
    }
    // Segments that are joined may contain the same records, if an earlier attempt was interrupted.
    return record.id.map { ids.insert(ArchiveEvent.withoutURNPrefix($0)).inserted } ?? true
  }

  private mutating func process(
    _ member: Member, of file: OpenFile, _ name: String
  ) throws(ArchiveError) {
    let kept = member.records.filter(\.isKept)
    guard !kept.isEmpty else { return }
    let offset = length
    if kept.count == member.records.count {
      let isAlone = kept.count == 1 && kept[0].position.memberOffset == 0
      for (position, _) in kept {
        moves.append(
          Move(
            segment: name, oldPosition: position,
            newPosition: WARCPosition(offset: offset, memberOffset: position.memberOffset),
            size: isAlone ? member.end - member.offset : 0))
      }
      return try copy(member.offset..<member.end, of: file)
    }
    try flush(file)
    for (position, _) in kept { try encode(position, of: file, name) }
  }

  /// Copies a record from a member with several records to a member of its own.
  private mutating func encode(
    _ position: WARCPosition, of file: OpenFile, _ name: String
  ) throws(ArchiveError) {
    let reader = WARCReader(at: position, verifiesDigests: false) {
      try file.read(at: $0, into: $1)
    }
    guard case .record(let record, _)? = try Self.reading(name, { try reader.next() }) else {
      return
    }
    let startOfMember = end
    let deflater = Deflater(format: .gzip)
    var bytes: [UInt8] = []
    func emit(_ piece: [UInt8]) { deflater.deflate(piece) { bytes.append(contentsOf: $0) } }
    emit(record.bytes)
    while true {
      let chunk: [UInt8]?
      do {
        chunk = try reader.nextChunk()
      } catch {
        // The record cannot be read to its end, so nothing of it is copied.
        try target.truncate(to: startOfMember)
        end = startOfMember
        return
      }
      guard let chunk else { break }
      emit(chunk)
      if bytes.count >= buffer.count {
        try append(bytes)
        bytes = []
      }
    }
    emit([13, 10, 13, 10])
    deflater.finish { bytes.append(contentsOf: $0) }
    try append(bytes)
    moves.append(
      Move(
        segment: name, oldPosition: position, newPosition: WARCPosition(offset: startOfMember),
        size: end - startOfMember))
  }

  private mutating func copy(_ range: Range<Int64>, of file: OpenFile) throws(ArchiveError) {
    guard let waiting = pendingRange else {
      pendingRange = range
      return
    }
    if waiting.upperBound == range.lowerBound, waiting.count < 1 << 22 {
      pendingRange = waiting.lowerBound..<range.upperBound
    } else {
      try flush(file)
      pendingRange = range
    }
  }

  private mutating func flush(_ file: OpenFile) throws(ArchiveError) {
    guard let range = pendingRange else { return }
    pendingRange = nil
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(buffer.count), range.upperBound - offset))
      let read = try fill(count, from: file, at: offset)
      guard read > 0 else { throw .unreadable("\(file.path): it is truncated") }
      try write(read)
      offset += Int64(read)
    }
  }

  private mutating func fill(
    _ count: Int, from file: OpenFile, at offset: Int64
  ) throws(ArchiveError) -> Int {
    try Self.reading(file.path) {
      try buffer.withUnsafeMutableBytes {
        try file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }

  private mutating func write(_ count: Int) throws(ArchiveError) {
    try Self.reading(target.path) {
      try buffer.withUnsafeBytes {
        try target.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: end)
      }
    }
    end += Int64(count)
  }

  private mutating func append(_ bytes: [UInt8]) throws(ArchiveError) {
    try Self.reading(target.path) { try bytes.withUnsafeBytes { try target.write($0, at: end) } }
    end += Int64(bytes.count)
  }

  /// Reads a record's block to its end.
  /// - Returns: whether the block is complete; if not, the reader reports the damage.
  private static func readBlockToEnd(_ reader: WARCReader) throws -> Bool {
    do {
      while try reader.nextChunk() != nil {}
      return true
    } catch .unreadable(let reason) {
      throw WARCError.unreadable(reason)
    } catch {
      return false
    }
  }

  private static func reading<Value>(
    _ name: String, _ read: () throws -> Value
  ) throws(ArchiveError) -> Value {
    do {
      return try read()
    } catch let error as ArchiveError {
      throw error
    } catch WARCError.unreadable(let reason) {
      throw .unreadable("\(name): \(reason)")
    } catch {
      throw .unreadable("\(name): \(ErrorMessage.text(error))")
    }
  }
}
