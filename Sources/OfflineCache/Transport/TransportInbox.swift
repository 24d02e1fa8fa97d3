import Synchronization

/// Events of an exchange that wait for a queue. Those that come before the queue gets to them are
/// taken together: a short answer then wakes its queue once and not three times.
final class TransportInbox: Sendable {
  private let events = Mutex<[TransportEvent]>([])

  /// Maximum length of a joined piece of content, in bytes.
  private static let maxPiece = 65_536

  /// Adds an event; a piece of content is joined to one that waits already.
  /// - Returns: whether it is the only event, so that the consumer must be woken.
  func add(_ event: TransportEvent) -> Bool {
    events.withLock { events in
      guard case .data(let bytes) = event, case .data(var piece)? = events.last,
        piece.count + bytes.count <= Self.maxPiece
      else {
        events.append(event)
        return events.count == 1
      }
      // The array is the only owner of its piece then, and the piece grows in place.
      events.removeLast()
      piece += bytes
      events.append(.data(piece))
      return false
    }
  }

  /// Everything that has come, in order; empties the box.
  func takeAll() -> [TransportEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
