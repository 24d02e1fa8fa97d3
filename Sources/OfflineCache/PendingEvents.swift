/// The queue of the events that a navigation's consumer has not received yet. Consecutive pieces of
/// content are joined, so that many small pieces need no more memory or time than a few large ones.
struct PendingEvents {
  /// The maximum length of a joined piece in bytes.
  static let maxPieceLength = 65_536

  private var events: [NavigationEvent?] = []
  /// The index of the next event; the elements before it are nil.
  private var nextIndex = 0
  /// The number of content bytes in the queue.
  private(set) var byteCount = 0
  /// The number of events in the queue.
  var count: Int { events.count - nextIndex }

  /// Appends an event.
  mutating func append(_ event: NavigationEvent) {
    guard case .data(let bytes) = event else { return events.append(event) }
    byteCount += bytes.count
    guard count > 0, case .data(var piece)?? = events.last,
      piece.count + bytes.count <= Self.maxPieceLength
    else { return events.append(event) }
    // The local variable is now the only owner of the piece, so the piece grows in place.
    events.removeLast()
    piece += bytes
    events.append(.data(piece))
  }

  /// Removes the next event.
  /// - Returns: The event, or nil if the queue is empty.
  mutating func pop() -> NavigationEvent? {
    guard nextIndex < events.count, let event = events[nextIndex] else { return nil }
    events[nextIndex] = nil
    nextIndex += 1
    if nextIndex == events.count {
      events.removeAll(keepingCapacity: true)
      nextIndex = 0
    } else if nextIndex >= 64, nextIndex * 2 >= events.count {
      events.removeFirst(nextIndex)
      nextIndex = 0
    }
    if case .data(let bytes) = event { byteCount -= bytes.count }
    return event
  }
}
