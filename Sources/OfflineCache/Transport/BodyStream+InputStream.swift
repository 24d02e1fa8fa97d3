public import Foundation
import Synchronization

extension BodyStream {
  /// Creates a stream that reads an `InputStream`, and can be read once.
  /// - Parameters:
  ///   - stream: The stream, which is not open and must not be used otherwise. It is opened when
  ///     the content is sent, and closed at its end. It may block, because a thread of its own
  ///     reads it.
  ///   - length: The length of the content in bytes; nil or negative if it is unknown.
  public convenience init(_ stream: sending InputStream, length: Int64? = nil) {
    let stream = SoleInputStream(stream)
    self.init(length: length, isRepeatable: false) { InputStreamPieces(try stream.claim()) }
  }

  /// Creates a stream that reads an `InputStream`, and can be read any number of times.
  /// - Parameters:
  ///   - length: The length of the content in bytes; nil or negative if it is unknown.
  ///   - makeStream: Returns a stream with the content from its beginning; called each time that
  ///     the content is sent.
  public convenience init(
    length: Int64? = nil,
    replaying makeStream: @escaping @Sendable () async throws -> sending InputStream
  ) {
    self.init(length: length, isRepeatable: true, makeStream)
  }

  /// Creates a stream from a function that returns a stream with the content from its beginning. It
  /// is called once if the stream is not repeatable.
  package convenience init(
    length: Int64? = nil, isRepeatable: Bool,
    _ makeStream: @escaping @Sendable () async throws -> sending InputStream
  ) {
    self.init(length: length, isRepeatable: isRepeatable) {
      InputStreamPieces(try await makeStream())
    }
  }
}

/// A stream that one reader can claim.
private final class SoleInputStream: Sendable {
  private let stream: Mutex<InputStream?>

  init(_ stream: sending InputStream) { self.stream = Mutex(stream) }

  func claim() throws -> sending InputStream {
    let claimed = stream.withLock { stream in
      let claimed = stream
      stream = nil
      return claimed
    }
    guard let claimed else { throw UnrepeatableBodyError() }
    return claimed
  }
}

/// The content of an `InputStream` in pieces. Waiting for a piece blocks the thread.
private struct InputStreamPieces: AsyncSequence {
  private let reader: InputStreamReader

  init(_ stream: sending InputStream) { reader = InputStreamReader(stream) }

  func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: InputStreamReader

    mutating func next() async throws -> [UInt8]? { try reader.next() }
  }
}

/// A reader that closes its stream at the end.
private final class InputStreamReader {
  private static let pieceLength = 1 << 16
  private let stream: InputStream

  init(_ stream: InputStream) {
    self.stream = stream
    stream.open()
  }

  deinit { stream.close() }

  func next() throws -> [UInt8]? {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, filledCount in
      if let start = buffer.baseAddress {
        count = stream.read(start, maxLength: buffer.count)
      }
      filledCount = max(0, count)
    }
    guard count >= 0 else {
      // On Linux, a stream that is in no state of error has no `streamError`, not even nil.
      if stream.streamStatus == .error, let error = stream.streamError { throw error }
      throw TransportFailure(.unreadableUpload, "the content to send cannot be read")
    }
    return count > 0 ? piece : nil
  }
}
