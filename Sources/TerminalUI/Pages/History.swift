import Pages

/// The history of a tab: the pages before and after the one on the screen.
package struct History: Sendable, Equatable {
  /// Earlier pages, the latest last.
  package private(set) var backEntries: [HistoryEntry] = []
  /// Pages that were left by going back, the nearest last.
  package private(set) var forwardEntries: [HistoryEntry] = []

  /// The maximum memory for pages of the history, in bytes. Pages beyond it are loaded again when
  /// needed.
  static let maxMemory = 24 << 20

  /// Appends `entry` when another page is opened from it, and discards the forward entries.
  mutating func push(_ entry: HistoryEntry) {
    backEntries.append(entry)
    forwardEntries = []
    if backEntries.count > 500 { backEntries.removeFirst() }
    dropPages()
  }

  /// Returns the entry a number of steps back (negative) or forward, or the outermost entry if
  /// there are fewer; nil if there are no entries in this direction.
  func entry(after steps: Int) -> HistoryEntry? {
    if steps < 0 {
      return backEntries.isEmpty ? nil : backEntries[max(0, backEntries.count + steps)]
    }
    return forwardEntries.isEmpty || steps == 0
      ? nil : forwardEntries[max(0, forwardEntries.count - steps)]
  }

  /// Moves to `entry(after: steps)`; `current` is the page on the screen.
  mutating func move(by steps: Int, from current: HistoryEntry) {
    var current = current
    for _ in 0..<abs(steps) {
      guard let next = steps < 0 ? backEntries.popLast() : forwardEntries.popLast() else { break }
      if steps < 0 { forwardEntries.append(current) } else { backEntries.append(current) }
      current = next
    }
    dropPages()
  }

  /// Applies a change to the entries that wait for a load, and marks them as no longer waiting.
  mutating func update(waitingFor id: LoadID, _ change: (inout HistoryEntry) -> Void) {
    func update(_ entries: inout [HistoryEntry]) {
      for index in entries.indices where entries[index].opening.revalidation == .awaited(id) {
        entries[index].opening.revalidation = .none
        change(&entries[index])
      }
    }
    update(&backEntries)
    update(&forwardEntries)
  }

  /// Marks the saved copies that wait for a response as no longer waiting.
  /// - Returns: The loads to cancel.
  mutating func cancelAwaitedRevalidations() -> [LoadID] {
    func cancel(_ entries: inout [HistoryEntry]) -> [LoadID] {
      entries.indices.compactMap { index in
        guard let page = entries[index].page, page.isAwaitingResponse,
          let id = entries[index].opening.cancelRevalidation()
        else { return nil }
        entries[index].page?.provenance = page.abandonedProvenance
        return id
      }
    }
    return cancel(&backEntries) + cancel(&forwardEntries)
  }

  private mutating func dropPages() { dropFarthestPages(beyond: Self.maxMemory) }

  /// Creates a history of earlier pages, the latest last.
  init(backEntries: [HistoryEntry] = []) { self.backEntries = backEntries }

  /// Returns whether an entry waits for the reports of a load.
  func awaits(_ id: LoadID) -> Bool {
    (backEntries + forwardEntries).contains { $0.opening.revalidation == .awaited(id) }
  }

  /// The memory used by the pages, in bytes.
  var memorySize: Int {
    (backEntries + forwardEntries).reduce(0) { $0 + ($1.page?.memorySize ?? 0) }
  }

  /// Drops the farthest pages, so that the others need at most `limit` bytes of memory.
  mutating func dropFarthestPages(beyond limit: Int) {
    var total = 0
    for index in backEntries.indices.reversed() {
      Self.dropPage(&backEntries[index], &total, limit)
    }
    for index in forwardEntries.indices.reversed() {
      Self.dropPage(&forwardEntries[index], &total, limit)
    }
  }

  /// Drops a page beyond the limit unless it cannot be loaded again by its URL (standard input,
  /// responses to forms).
  private static func dropPage(
    _ entry: inout HistoryEntry, _ totalBytes: inout Int, _ maxBytes: Int
  ) {
    guard let page = entry.page else { return }
    totalBytes += page.memorySize
    if totalBytes > maxBytes, !page.isNotReloadable { entry.page = nil }
  }
}
