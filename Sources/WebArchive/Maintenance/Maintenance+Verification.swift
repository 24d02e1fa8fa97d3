import Foundation
import WARC

/// What reading every record came to.
public struct Verification: Sendable, Equatable, Codable {
  /// A place that is not what was saved.
  public struct Damage: Sendable, Equatable, Codable {
    /// The file name of the segment.
    public var file: String
    /// Where in it.
    public var offset: Int64
    /// How many bytes.
    public var length: Int64
    /// The URL of the record, when its head can be read or the index knows what was there.
    public var url: String?
    /// What is wrong.
    public var reason: String

    /// Makes a damage; see the members.
    package init(file: String, offset: Int64, length: Int64, url: String?, reason: String) {
      self.file = file
      self.offset = offset
      self.length = length
      self.url = url
      self.reason = reason
    }
  }

  /// How many segments were read.
  public var segments = 0
  /// How many whole records they have.
  public var records = 0
  /// How many of these have a digest, which was compared.
  public var digests = 0
  /// How many bytes were read.
  public var bytes: Int64 = 0
  /// How many journals of the library were read.
  public var journals = 0
  /// How many lines they have.
  public var lines = 0
  /// What is damaged, in the order of the store.files.
  public var damages: [Damage] = []

  /// Makes a verification of nothing.
  public init() {}

  /// Whether nothing is wrong.
  public var isSound: Bool { damages.isEmpty }
}

extension Maintenance {
  /// See `Archive.verify(progress:)`.
  func verify(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> Verification {
    try index.catchUp()
    let list = try store.segments.list()
    let meter = ProgressMeter(total: list.reduce(0) { $0 + $1.1.size }, progress)
    var result = Verification()
    var losses: [String: SegmentLoss] = [:]
    for loss in try index.whole({ index throws(IndexError) in try index.losses() }) {
      losses[loss.name] = loss
    }
    for (name, status) in list {
      do throws(ArchiveError) {
        // Removed by someone since.
        guard let file = try store.open(name) else { continue }
        let ends = try verify(file, name, losses[name]?.known, into: &result, meter: meter)
        // What was lost has been put back.
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
          file: loss.name, offset: loss.size, length: loss.known - loss.size, url: nil,
          reason: loss.size == 0 ? "the file is gone" : "its end is gone"))
    }
    return result
  }

  /// Returns whether a record ends at some offset.
  private func verify(
    _ file: OpenFile, _ name: String, _ known: Int64?, into result: inout Verification,
    meter: ProgressMeter
  ) throws(ArchiveError) -> Bool {
    var isReached = false
    // What is appended from now on is not looked at; a record that is just being written ends it.
    let size = try file.status().size
    let reader = WARCReader { offset, buffer in
      let count = min(buffer.count, Int(max(0, size - offset)))
      return try file.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    result.segments += 1
    var last: (record: WARCRecord, position: WARCPosition)?
    var told: Int64 = 0
    func tell(_ position: Int64) throws {
      guard position > told else { return }
      try meter.advance(by: position - told)
      told = position
    }
    do {
      while let entry = try reader.next() {
        switch entry {
        case .record(let record, let position):
          last = (record, position)
          if try Self.isWhole(reader, { try meter.advance(by: 0) }) {
            result.records += 1
            if record.fields["WARC-Block-Digest"] ?? record.fields["WARC-Payload-Digest"] != nil {
              result.digests += 1
            }
            try tell(reader.end)
          }
          if reader.end == known { isReached = true }
        case .damage(let damage):
          if damage.isCut, isBeingWritten(file, name, since: size) { continue }
          let offset = damage.range.lowerBound
          let record = last?.position.offset == offset ? last?.record : nil
          let key = try index.whole { index throws(IndexError) in
            try index.key(in: name, at: offset)
          }
          result.damages.append(
            Verification.Damage(
              file: name, offset: offset, length: Int64(damage.range.count),
              url: record?.targetURI ?? key, reason: damage.reason))
        }
      }
      try tell(size)
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw .unreadable("\(name): \(ErrorWords.text(error))")
    }
    result.bytes += size
    return isReached
  }

  /// Reads a record's block to its end.
  /// - Parameters:
  ///   - reader: stands behind the record's head.
  ///   - tell: is called now and then.
  /// - Returns: whether it is whole and right.
  /// - Throws: what `tell` throws, and errors of reading.
  private static func isWhole(
    _ reader: WARCReader, _ tell: () throws -> Void
  ) throws -> Bool {
    while true {
      do {
        guard try reader.nextChunk() != nil else { return true }
      } catch .unreadable(let reason) {
        throw WARCError.unreadable(reason)
      } catch {
        return false
      }
      try tell()
    }
  }

  /// Whether the end of a segment is a record that someone is just appending.
  private func isBeingWritten(_ file: OpenFile, _ name: String, since size: Int64) -> Bool {
    guard store.isOwn(name) else { return false }
    guard (try? file.tryShare()) ?? false else { return true }
    defer { file.unlock() }
    return (try? file.status().size) != size
  }
}
