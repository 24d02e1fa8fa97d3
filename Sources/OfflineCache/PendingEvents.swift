/// Events of a navigation that wait for their consumer, in order. Consecutive pieces of content are joined, so that
/// a response of many small pieces takes neither more memory nor more time than one of few large ones.
struct PendingEvents {
  /// Maximum length of a joined piece, in bytes.
  static let maxPiece = 65_536

  private var events: [NavigationEvent?] = []
  /// The index of the next event; those before it are nil.
  private var first = 0
  /// How many bytes of content wait.
  private(set) var byteCount = 0
  /// How many events wait.
  var count: Int { events.count - first }

  /// Adds an event at the end.
  mutating func append(_ event: NavigationEvent) {
    guard case .data(let bytes) = event else { return events.append(event) }
    byteCount += bytes.count
    guard count > 0, case .data(var piece)?? = events.last,
      piece.count + bytes.count <= Self.maxPiece
    else { return events.append(event) }
    // The array is the only owner of its piece then, and the piece grows in place.
    events.removeLast()
    piece += bytes
    events.append(.data(piece))
  }

  /// Removes the next event.
  /// - Returns: The event, or nil when none waits.
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
