/// The queue of the events that a navigation's consumer has not received yet. Consecutive pieces of
/// content are joined, so that many small pieces need no more memory or time than a few large ones.
struct PendingEvents {
  /// The maximum length of a joined piece in bytes.
  static let maxPiece = 65_536

  private var events: [NavigationEvent?] = []
  /// The index of the next event; those before it are nil.
  private var first = 0
  /// The number of content bytes in the queue.
  private(set) var byteCount = 0
  /// The number of events in the queue.
  var count: Int { events.count - first }

  /// Appends an event.
  mutating func append(_ event: NavigationEvent) {
    guard case .data(let bytes) = event else { return events.append(event) }
    byteCount += bytes.count
    guard count > 0, case .data(var piece)?? = events.last,
      piece.count + bytes.count <= Self.maxPiece
    else { return events.append(event) }
    // The local variable is now the only owner of the piece, which therefore grows in place.
    events.removeLast()
    piece += bytes
    events.append(.data(piece))
  }

  /// Removes the next event.
  /// - Returns: The event, or nil if the queue is empty.
  mutating func pop() -> NavigationEvent? {
    guard first < events.count, let event = events[first] else { return nil }
    events[first] = nil
    first += 1
    if first == events.count {
      events.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64, first * 2 >= events.count {
      events.removeFirst(first)
      first = 0
    }
    if case .data(let bytes) = event { byteCount -= bytes.count }
    return event
  }
}
