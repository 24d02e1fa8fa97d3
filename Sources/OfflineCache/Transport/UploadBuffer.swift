import Dispatch
import Synchronization

/// The part of a request's content that a stream has supplied and libcurl has not sent yet. One
/// task appends to the buffer, and the network thread reads from it.
final class UploadBuffer: Sendable {
  /// The number of bytes at which the task waits until some of them were read.
  static let size = 1 << 18
  /// The maximum number of bytes that are appended at once.
  private static let pieceLength = 1 << 16

  private struct State {
    var bytes: [UInt8] = []
    /// The index of the first byte that was not read.
    var start = 0
    /// The task that appends; nil after the content has ended.
    var task: Task<Void, Never>?
    var phase = Phase.flowing

    var count: Int { bytes.count - start }

    mutating func append(_ piece: ArraySlice<UInt8>) {
      // The bytes that were read are dropped only when they are the greater part, so that each byte
      // is moved once on average.
      if start > bytes.count / 2 {
        bytes.removeFirst(start)
        start = 0
      }
      bytes += piece
    }
  }

  /// What the reader and the task do. The legal transitions are:
  ///
  /// - `flowing` (neither waits): to `awaitingBytes` when the reader finds nothing, to
  ///   `awaitingSpace` when the task has filled the buffer.
  /// - `awaitingBytes` (the reader waits for the task): to `flowing` with the next bytes.
  /// - `awaitingSpace` (the task waits for the reader): to `flowing` when at least half of the
  ///   buffer is free.
  /// - `ended`: final. Every state changes to it with the end of the content.
  private enum Phase {
    case flowing
    case awaitingBytes
    case awaitingSpace(CheckedContinuation<Void, Never>)
    case ended(End)

    /// The end of the content; nil before.
    var end: End? { if case .ended(let end) = self { end } else { nil } }
  }

  /// The end of the content.
  private enum End {
    case complete
    case failed(TransportFailure)
    case cancelled
  }

  private let state = Mutex(State())
  private let didBecomeReadable: @Sendable () -> Void

  /// Creates an empty buffer.
  /// - Parameter didBecomeReadable: Called on any thread when content is available again, after a
  ///   read that found nothing.
  init(didBecomeReadable: @escaping @Sendable () -> Void) {
    self.didBecomeReadable = didBecomeReadable
  }

  /// Begins to read a stream into the buffer.
  func fill(from stream: BodyStream) {
    let task = Task(executorPreference: BlockingExecutor.shared) {
      // Reading a stream makes it unusable for another load if it can be read only once.
      guard self.isNeeded else { return }
      do {
        for try await piece in stream {
          guard await self.append(piece) else { return }
        }
        self.end(.complete)
      } catch {
        self.end(.failed(Self.failure(error)))
      }
    }
    let isOver = state.withLock { state in
      guard state.phase.end == nil else { return true }
      state.task = task
      return false
    }
    if isOver { task.cancel() }
  }

  /// Stops reading the stream, because its content is no longer needed.
  func cancel() { end(.cancelled) }

  /// Reads the next bytes. If the buffer is empty, `didBecomeReadable` is called later.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ContentRead {
    let (result, waiting) = state.withLock { state in
      let count = min(buffer.count, state.count)
      guard count > 0 else {
        if case .flowing = state.phase { state.phase = .awaitingBytes }
        return (Self.result(after: state.phase.end), nil as CheckedContinuation<Void, Never>?)
      }
      state.bytes.withUnsafeBytes { bytes in
        buffer.copyMemory(from: .init(rebasing: bytes[state.start..<state.start + count]))
      }
      state.start += count
      guard state.count <= Self.size / 2, case .awaitingSpace(let continuation) = state.phase else {
        return (.bytes(count), nil)
      }
      state.phase = .flowing
      return (.bytes(count), continuation)
    }
    waiting?.resume()
    return result
  }

  /// The reason why the content is incomplete; nil if there is none.
  var failure: TransportFailure? {
    state.withLock { state in
      if case .ended(.failed(let failure)) = state.phase { failure } else { nil }
    }
  }

  private static func result(after end: End?) -> ContentRead {
    switch end {
    case nil: .pending
    case .complete: .bytes(0)
    case .failed, .cancelled: .failed
    }
  }

  // MARK: In the task

  /// Appends a piece, of any length, and waits while the buffer is full.
  /// - Returns: Whether more content is needed.
  private func append(_ piece: [UInt8]) async -> Bool {
    for start in stride(from: 0, to: piece.count, by: Self.pieceLength) {
      let part = piece[start..<min(piece.count, start + Self.pieceLength)]
      let isAwaited = state.withLock { state in
        guard state.phase.end == nil else { return false }
        state.append(part)
        guard case .awaitingBytes = state.phase else { return false }
        state.phase = .flowing
        return true
      }
      if isAwaited { didBecomeReadable() }
      await waitForCapacity()
    }
    return isNeeded
  }

  /// Whether more content is needed.
  private var isNeeded: Bool { state.withLock { $0.phase.end == nil } }

  private func waitForCapacity() async {
    await withCheckedContinuation { continuation in
      let mayGoOn = state.withLock { state in
        if state.phase.end != nil || state.count < Self.size { return true }
        state.phase = .awaitingSpace(continuation)
        return false
      }
      if mayGoOn { continuation.resume() }
    }
  }

  private func end(_ end: End) {
    let (task, phase) = state.withLock { state in
      defer { (state.task, state.phase) = (nil, .ended(state.phase.end ?? end)) }
      if case .cancelled = end { (state.bytes, state.start) = ([], 0) }
      return (state.task, state.phase)
    }
    if case .awaitingSpace(let continuation) = phase { continuation.resume() }
    switch end {
    case .cancelled:
      // Cancelling calls functions of the application, which must not block the network thread.
      if let task { DispatchQueue.global().async { task.cancel() } }
    case .complete, .failed: if case .awaitingBytes = phase { didBecomeReadable() }
    }
  }

  private static func failure(_ error: any Error) -> TransportFailure {
    switch error {
    case let failure as TransportFailure: failure
    case is UnrepeatableBodyError: .unrepeatableUpload
    default:
      TransportFailure(
        .unreadableUpload, "the content to send cannot be read: \(ErrorMessage.text(error))")
    }
  }
}
