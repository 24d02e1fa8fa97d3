import Synchronization

/// Events of an exchange that wait for a queue. Those that come before the queue gets to them are
/// taken together: a short answer then wakes its queue once and not three times.
final class TransportInbox: Sendable {
  private let events = Mutex<[TransportEvent]>([])

  /// Adds an event.
  /// - Returns: whether it is the first one, so that somebody has to be sent to take it.
  func add(_ event: TransportEvent) -> Bool {
    events.withLock { events in
      events.append(event)
      return events.count == 1
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
