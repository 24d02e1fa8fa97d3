/// A stream that is the content of a request. It is read into a buffer by a task, which begins when
/// libcurl asks for the first bytes.
final class StreamedContent: RequestContent {
  private(set) var failure: TransportFailure?
  private let stream: BodyStream
  private let didBecomeReadable: @Sendable () -> Void
  /// The buffer that is being filled; nil before the first bytes are read.
  private var buffer: UploadBuffer?
  /// The number of bytes that were read from the buffer.
  private var offset: Int64 = 0

  /// Prepares to read a stream.
  /// - Parameters:
  ///   - stream: The stream.
  ///   - didBecomeReadable: Called, on any thread, when content is available after `read` returned
  ///     `pending`.
  /// - Throws: A failure of the kind `unrepeatableUpload` if the stream was read before and cannot
  ///   be read again.
  init(
    _ stream: BodyStream, didBecomeReadable: @escaping @Sendable () -> Void
  ) throws(TransportFailure) {
    guard !stream.isExhausted else { throw .unrepeatableUpload }
    (self.stream, self.didBecomeReadable) = (stream, didBecomeReadable)
  }

  deinit { buffer?.cancel() }

  var declaredLength: Int64? { stream.length }

  var isRepeatable: Bool { stream.isRepeatable }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ContentRead {
    let missing = stream.length.map { $0 - offset }
    guard missing != 0 else { return .bytes(0) }
    let part = buffer.prefix(Int(clamping: missing ?? .max))
    let source = self.buffer ?? beginReading()
    let result = source.read(into: .init(rebasing: part))
    switch result {
    case .bytes(0):
      guard let missing else { break }
      failure = TransportFailure(
        .unreadableUpload, "the content to send is \(missing) bytes shorter than declared")
      return .failed
    case .bytes(let count): offset += Int64(count)
    case .pending: break
    case .failed: failure = source.failure
    }
    return result
  }

  private func beginReading() -> UploadBuffer {
    let buffer = UploadBuffer(didBecomeReadable: didBecomeReadable)
    self.buffer = buffer
    buffer.fill(from: stream)
    return buffer
  }

  /// Sets the position of the next byte to send. The stream can only be read again from its
  /// beginning.
  func seek(to offset: Int64) -> Bool {
    if offset == self.offset { return true }
    guard offset == 0 else { return false }
    guard stream.isRepeatable else {
      failure = .unrepeatableUpload
      return false
    }
    buffer?.cancel()
    (buffer, self.offset) = (nil, 0)
    return true
  }
}

extension TransportFailure {
  /// The content of the request was sent before, and cannot be sent again.
  static let unrepeatableUpload = TransportFailure(
    .unrepeatableUpload, UnrepeatableBodyError().description)
}
