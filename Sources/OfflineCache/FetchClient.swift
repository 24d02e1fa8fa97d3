import Foundation

/// The client's side of a load: the receiver of the events, and the stored content that is
/// delivered to it.
struct FetchClient {
  /// The receiver of the events; nil after the last one, because it may retain the load.
  private var receiver: (@Sendable (CacheEvent) -> Void)?
  /// Whether the client acknowledges the content that it has consumed.
  let acknowledgesManually: Bool
  /// The counters of this load.
  var counters = RequestCounters()
  /// The source of the response that the client receives; nil before its head.
  private var source: LoadedResponse.Source?
  /// The stored content that is being delivered; nil if there is none.
  private var content: StoredContent?
  private let window = FlowWindow()

  /// The reason why the delivery of stored content stopped.
  enum Pause {
    /// The flow-control window is closed, or no stored content is being delivered.
    case suspended
    /// The content is complete; the value is the version that holds it, if there is one.
    case complete(StoredResponse?)
    /// The content cannot be read.
    case failed(ArchiveError)
  }

  init(acknowledgesManually: Bool, receive: @escaping @Sendable (CacheEvent) -> Void) {
    self.acknowledgesManually = acknowledgesManually
    receiver = receive
  }

  /// Counts an event and delivers it to the client.
  mutating func report(_ event: CacheEvent) {
    if case .response(let response) = event { source = response.source }
    counters.count(event, isFromStore: source.map { $0 != .network } ?? false)
    receiver?(event)
  }

  /// Begins the delivery of stored content, whose head was reported.
  mutating func begin(_ content: StoredContent) -> Pause {
    self.content = content
    return deliverContent()
  }

  /// Continues the delivery after the client has consumed `count` bytes of content.
  mutating func resume(after count: Int) -> Pause {
    window.remove(count) ? deliverContent() : .suspended
  }

  /// Discards the stored content that has not been delivered yet.
  mutating func dropContent() { content = nil }

  /// Releases the receiver and the content.
  mutating func end() { (receiver, content) = (nil, nil) }

  /// Delivers stored content while the flow-control window is open.
  private mutating func deliverContent() -> Pause {
    do throws(ArchiveError) {
      while let content, window.requestCapacity() {
        let chunk = if let first = content.firstPiece { first } else { try content.next() }
        guard let chunk else {
          self.content = nil
          return .complete(content.stored)
        }
        self.content?.firstPiece = nil
        if acknowledgesManually { window.add(chunk.count) }
        report(.data(chunk))
      }
      return .suspended
    } catch {
      content = nil
      return .failed(error)
    }
  }
}
