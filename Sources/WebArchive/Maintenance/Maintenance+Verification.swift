import Foundation
import WARC

extension Maintenance {
  /// See `Archive.verify(progress:)`.
  func verify(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> Verification {
    try index.catchUp()
    let list = try store.segments.list()
    let meter = ProgressMeter(total: list.reduce(0) { $0 + $1.1.size }, progress)
    var result = Verification()
    var losses: [String: SegmentLoss] = [:]
    for loss in try index.withCompleteIndex({ index throws(IndexError) in try index.losses() }) {
      losses[loss.name] = loss
    }
    for (name, status) in list {
      do throws(ArchiveError) {
        // Another process may have removed the segment in the meantime.
        guard let file = try store.open(name) else { continue }
        let ends = try verify(file, name, losses[name]?.indexedSize, into: &result, meter: meter)
        // The lost end has been restored.
        if ends { losses[name] = nil }
      } catch {
        guard case .unreadable(let reason) = error else { throw error }
        result.damages.append(
          Verification.Damage(
            file: name, offset: 0, length: status.size, url: nil, reason: reason))
      }
    }
    for loss in losses.values.sorted(by: { $0.name < $1.name }) {
      result.damages.append(
        Verification.Damage(
          file: loss.name, offset: loss.size, length: loss.indexedSize - loss.size, url: nil,
          reason: loss.size == 0 ? "the file is missing" : "the file is truncated"))
    }
    return result
  }

  /// Verifies a segment.
  /// - Returns: whether a record ends at the offset up to which the index knows the segment.
  private func verify(
    _ file: OpenFile, _ name: String, _ knownEnd: Int64?, into result: inout Verification,
    meter: ProgressMeter
  ) throws(ArchiveError) -> Bool {
    var reachesKnownEnd = false
    // Records that are appended from now on are not verified; an incomplete record at the end may
    // be one of them.
    let size = try file.status().size
    let reader = WARCReader(file, in: 0..<size)
    result.segments += 1
    var lastRecord: (record: WARCRecord, position: WARCPosition)?
    var reported = ReportedOffset(meter: meter, offset: 0)
    do {
      while let entry = try reader.next() {
        switch entry {
        case .record(let record, let position):
          lastRecord = (record, position)
          if try Self.readToEnd(reader, { try meter.advance(by: 0) }) {
            result.records += 1
            if record.fields["WARC-Block-Digest"] ?? record.fields["WARC-Payload-Digest"] != nil {
              result.digests += 1
            }
            try reported.advance(to: reader.end)
          }
          if reader.end == knownEnd { reachesKnownEnd = true }
        case .damage(let damage):
          if damage.isTruncated, isBeingWritten(file, name, since: size) { continue }
          result.damages.append(try self.damage(damage, after: lastRecord, in: name))
        }
      }
      try reported.advance(to: size)
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw .unreadable("\(name): \(ErrorMessage.text(error))")
    }
    result.bytes += size
    return reachesKnownEnd
  }

  private func damage(
    _ damage: WARCDamage, after last: (record: WARCRecord, position: WARCPosition)?,
    in name: String
  ) throws(ArchiveError) -> Verification.Damage {
    let offset = damage.range.lowerBound
    let record = last?.position.offset == offset ? last?.record : nil
    let key = try index.withCompleteIndex { index throws(IndexError) in
      try index.key(in: name, at: offset)
    }
    return Verification.Damage(
      file: name, offset: offset, length: Int64(damage.range.count),
      url: record?.targetURI ?? key, reason: damage.reason)
  }

  /// Reads a record's block to its end.
  /// - Parameters:
  ///   - reader: the reader, positioned after the record's header.
  ///   - report: called after each chunk.
  /// - Returns: whether the block is complete and its digests are correct.
  /// - Throws: errors of `report`, and read errors.
  private static func readToEnd(
    _ reader: WARCReader, _ report: () throws -> Void
  ) throws -> Bool {
    while true {
      do {
        guard try reader.nextChunk() != nil else { return true }
      } catch .unreadable(let reason) {
        throw WARCError.unreadable(reason)
      } catch {
        return false
      }
      try report()
    }
  }

  /// Returns whether the incomplete record at the end of a segment is one that another process is
  /// just appending.
  private func isBeingWritten(_ file: OpenFile, _ name: String, since size: Int64) -> Bool {
    guard store.isOwn(name) else { return false }
    guard (try? file.tryShare()) ?? false else { return true }
    defer { file.unlock() }
    return (try? file.status().size) != size
  }
}
