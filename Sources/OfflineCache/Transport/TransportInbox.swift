import Synchronization

/// A buffer for the events of an exchange until a queue processes them. Events that arrive in the
/// meantime are processed together, so that a short response wakes its queue only once.
final class TransportInbox: Sendable {
  private let events = Mutex<[TransportEvent]>([])

  /// The maximum length of a joined piece of content in bytes.
  private static let maxPieceLength = 65_536

  /// Adds an event; a piece of content is joined to a pending piece.
  /// - Returns: Whether the event is the only one in the buffer, so that the consumer must be
  ///   woken.
  func add(_ event: TransportEvent) -> Bool {
    events.withLock { events in
      guard case .data(let bytes) = event, case .data(var piece)? = events.last,
        piece.count + bytes.count <= Self.maxPieceLength
      else {
        events.append(event)
        return events.count == 1
      }
      // The local variable is now the only owner of the piece, so the piece grows in place.
      events.removeLast()
      piece += bytes
      events.append(.data(piece))
      return false
    }
  }

  /// Returns all pending events in order, and clears the buffer.
  func drain() -> [TransportEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
