import Synchronization
import WARC

/// The content of a stored response, read from its segment in pieces.
///
/// Content of up to 1 MB is verified before the first piece is returned; longer content is verified
/// at its end.
public final class ArchivedBody: Sendable {
  /// The maximum length in bytes of content that is verified in advance.
  static let maxVerifiedLength: Int64 = 1 << 20

  private struct State {
    var reader: WARCReader
    var block: BlockReader
    var digest: DigestBuilder
    var pendingPieces: [[UInt8]] = []
    var receivedLength: Int64 = 0
    var isEnded = false
    var failure: ArchiveError?
  }

  /// The length of the content in bytes.
  public let length: Int64

  private let digest: String
  private let location: RecordReference
  private let state: Mutex<State>
  private let reportDamage: @Sendable () -> Void

  /// Begins to read a version's content. Content of up to `maxVerifiedLength` is read to its end
  /// and verified.
  /// - Parameters:
  ///   - stored: the version, whose digest and length the content must have.
  ///   - location: the location of the content.
  ///   - file: the segment.
  ///   - reportDamage: called if the content differs from the saved content.
  /// - Throws: `ArchiveError.notFound` if there is no record or another one at its position,
  ///   `.damaged` if verified content differs from the saved content, or `.unreadable`.
  init(
    of stored: StoredResponse, at location: RecordReference, in file: OpenFile,
    reportDamage: @escaping @Sendable () -> Void
  ) throws(ArchiveError) {
    (digest, length) = (stored.payloadDigest, stored.length)
    self.location = location
    self.reportDamage = reportDamage
    let reader = WARCReader(at: location.position, verifiesDigests: false) {
      try file.read(at: $0, into: $1)
    }
    let entry: WARCReader.Entry?
    do {
      entry = try reader.next()
    } catch {
      throw .unreadable("\(location.segment): \(ErrorMessage.text(error))")
    }
    guard case .record(let record, let position)? = entry, position == location.position,
      record.id.map(ArchiveEvent.withoutURNPrefix) == location.record
    else { throw .notFound }
    state = Mutex(
      State(reader: reader, block: BlockReader(record), digest: DigestBuilder(.sha256)))
    if length <= Self.maxVerifiedLength { try readAhead() }
  }

  /// Returns the next piece of the content, at most 64 KB; nil at the end.
  /// - Returns: the bytes.
  /// - Throws: `ArchiveError.damaged` if the content differs from the saved content, or
  ///   `.unreadable`.
  public func next() throws(ArchiveError) -> [UInt8]? {
    try state.withLock { state throws(ArchiveError) in
      if let failure = state.failure { throw failure }
      do throws(ArchiveError) {
        return try next(&state)
      } catch {
        state.failure = error
        throw error
      }
    }
  }

  /// Returns the rest of the content.
  /// - Returns: the bytes.
  /// - Throws: the errors of `next`.
  public func rest() throws(ArchiveError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try next() { bytes.append(contentsOf: chunk) }
    return bytes
  }

  private func readAhead() throws(ArchiveError) {
    let chunks = try state.withLock { state throws(ArchiveError) in
      var chunks: [[UInt8]] = []
      while let chunk = try next(&state) { chunks.append(chunk) }
      return chunks
    }
    state.withLock { $0.pendingPieces = chunks.reversed() }
  }

  private func next(_ state: inout State) throws(ArchiveError) -> [UInt8]? {
    if let pending = state.pendingPieces.popLast() { return pending }
    guard !state.isEnded else { return nil }
    do {
      while true {
        if let content = try state.block.content() {
          state.digest.update(content)
          state.receivedLength += Int64(content.count)
          // The content is longer than the saved content, so there is no need to read on.
          guard state.receivedLength <= length else {
            throw TransportFailure.tooLarge(limit: length)
          }
          return content
        }
        guard let chunk = try state.reader.nextChunk() else { break }
        state.block.push(chunk)
      }
    } catch WARCError.unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      throw damageError()
    }
    state.isEnded = true
    guard state.digest.digest().description == digest else { throw damageError() }
    return nil
  }

  private func damageError() -> ArchiveError {
    reportDamage()
    return .damaged(file: location.segment, offset: location.position.offset)
  }
}
