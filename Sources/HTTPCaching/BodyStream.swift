import Synchronization

/// The content of a request as a stream, which is read in pieces while it is sent, so that it is
/// never in memory as a whole.
///
/// A request is sent again after a redirect that preserves its content (307, 308) and after a
/// challenge that the cache answers (401). A stream that is created with a function can then be
/// read again from its beginning. Any other stream can be read once, and a load that would have to
/// send it again fails with the kind `unrepeatableUpload`.
public final class BodyStream: AsyncSequence, Sendable {
  /// A piece of the content.
  public typealias Element = [UInt8]
  /// The error of the sequence that supplies the content, or `UnrepeatableBodyError`.
  public typealias Failure = any Error

  /// Returns the next piece of the content; nil at its end.
  fileprivate typealias Source = () async throws -> [UInt8]?

  /// The length of the content in bytes, which is sent as `Content-Length`; nil if it is unknown.
  /// The transport then marks the end of the content itself: with the chunked coding in HTTP/1.1.
  public let length: Int64?
  /// Whether the content can be read more than once.
  public let isRepeatable: Bool
  private let hasBegun = Atomic(false)
  private let origin: any BodyOrigin

  /// Creates a stream that can be read once.
  /// - Parameters:
  ///   - pieces: The content in pieces of any length, such as arrays or `Data`. The next piece is
  ///     requested when less than about 256 KB wait to be sent.
  ///   - length: The length of the content in bytes; nil or negative if it is unknown. If there are
  ///     fewer bytes, the load fails; further bytes are not sent.
  public convenience init<Pieces: AsyncSequence & Sendable>(
    _ pieces: Pieces, length: Int64? = nil
  ) where Pieces.Element: Sequence<UInt8> {
    self.init(length: length, isRepeatable: false) { pieces }
  }

  /// Creates a stream that can be read any number of times.
  /// - Parameters:
  ///   - length: The length of the content in bytes; nil or negative if it is unknown.
  ///   - makePieces: Returns the content from its beginning; called each time that the content is
  ///     sent. An error that it throws ends the load, as an error of the sequence does.
  public convenience init<Pieces: AsyncSequence>(
    length: Int64? = nil, replaying makePieces: @escaping @Sendable () async throws -> Pieces
  ) where Pieces.Element: Sequence<UInt8> {
    self.init(length: length, isRepeatable: true, makePieces)
  }

  /// Creates a stream from a function that returns the content from its beginning. It is called
  /// once if the stream is not repeatable.
  package init<Pieces: AsyncSequence>(
    length: Int64?, isRepeatable: Bool,
    _ makePieces: @escaping @Sendable () async throws -> Pieces
  ) where Pieces.Element: Sequence<UInt8> {
    // Foundation uses a negative number for an unknown length.
    self.length = length.flatMap { $0 < 0 ? nil : $0 }
    self.isRepeatable = isRepeatable
    origin = PieceOrigin(makePieces: makePieces)
  }

  /// Whether the content was read, and cannot be read again.
  public var isExhausted: Bool { !isRepeatable && hasBegun.load(ordering: .relaxed) }

  /// Creates an iterator, which begins to read with its first piece.
  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  /// An iterator over the content.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let stream: BodyStream
    private var source: Source?

    fileprivate init(stream: BodyStream) { self.stream = stream }

    /// Waits for the next piece.
    /// - Returns: The bytes; nil at the end of the content.
    /// - Throws: The error of the sequence that supplies the content, or `UnrepeatableBodyError` if
    ///   the content was read before and cannot be read again.
    public mutating func next() async throws -> [UInt8]? {
      if let source { return try await source() }
      let source = try await stream.begin()
      self.source = source
      return try await source()
    }
  }

  private func begin() async throws -> Source {
    guard !hasBegun.exchange(true, ordering: .relaxed) || isRepeatable else {
      throw UnrepeatableBodyError()
    }
    return try await origin.makeSource()
  }
}

/// A function that supplies the content of a stream, for sequences of any type.
private protocol BodyOrigin: Sendable {
  func makeSource() async throws -> BodyStream.Source
}

private struct PieceOrigin<Pieces: AsyncSequence>: BodyOrigin
where Pieces.Element: Sequence<UInt8> {
  let makePieces: @Sendable () async throws -> Pieces

  func makeSource() async throws -> BodyStream.Source {
    var iterator = try await makePieces().makeAsyncIterator()
    return { try await iterator.next().map { [UInt8]($0) } }
  }
}

extension BodyStream: Equatable {
  /// Returns whether two streams are identical.
  public static func == (a: BodyStream, b: BodyStream) -> Bool { a === b }
}
