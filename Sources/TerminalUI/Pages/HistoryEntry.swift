import DOM
package import Document
package import Layout
import Library
package import Pages
package import ReaderMode
import Saving

/// The state of the background revalidation of a page that is shown.
enum Revalidation: Sendable, Equatable {
  case none
  /// A load that may deliver a newer version.
  case awaited(LoadID)
  /// A newer version that has been received and saved.
  case received(Page)

  /// The newer version, or nil.
  var newerPage: Page? { if case .received(let page) = self { page } else { nil } }
}

/// How a page was opened, and the state of its revalidation.
struct Opening: Sendable, Equatable {
  /// The sequence number of the page among all that were shown, from 1.
  var pageNumber = 0
  /// The initiator of the load; a reload must have no more permissions than the first load.
  var origin = LoadRequest.Origin.user
  /// The state of the background revalidation.
  var revalidation = Revalidation.none
  /// The list from which the page was opened; nil for none.
  var list: ListScreen?
  /// The sequence from which the page was opened; nil for none.
  var sequence: ReadingSequence?
  /// The collection or feed that the page was found to be in; nil for none.
  var foundSequence: ReadingSequence?
  /// The feed of which the page is an item; nil for none.
  var feed: FeedName?
  /// Whether the end of the page was reached and the next page was announced.
  var isNextAnnounced = false
  /// Whether the page, whose absence is explained on the screen, was fetched from the queue later.
  var hasArrived = false
}

extension Opening {
  /// Stops waiting for a newer version.
  /// - Returns: The load that might have delivered it; nil if none is awaited.
  mutating func cancelRevalidation() -> LoadID? {
    guard case .awaited(let id) = revalidation else { return nil }
    revalidation = .none
    return id
  }
}

/// An entry of the history: a page, the reading position, and the state of its revalidation.
package struct HistoryEntry: Sendable, Equatable {
  /// The page; nil if it was dropped to save memory or is not loaded yet.
  package var page: Page?
  /// The URL from which the page can be loaded again.
  package var url: String
  /// The view in which the page is shown.
  package var view: PageViewMode
  /// How the page was opened.
  var opening: Opening
  /// The reading position.
  package var position = ReadingPosition()
  /// The form values.
  package var formValues = FormValues.TransferableValues()
  /// The text at the top of the screen, to find it again if a different version is loaded later.
  var anchor: TextAnchor?
  /// The title of the page, kept after the page is dropped; may be empty.
  var title = ""
  /// Whether the page was never loaded, so that it is unknown whether its URL may be stored.
  var wasNeverLoaded = false

  init(page: Page, _ opening: Opening) {
    self.page = page
    self.opening = opening
    url = page.requestedURL
    view = page.view
    title = page.document.title
  }

  /// Creates an entry for a page that is not loaded yet.
  init(_ url: String, origin: LoadRequest.Origin) {
    self.url = url
    view = .page
    opening = Opening(origin: origin)
    wasNeverLoaded = true
  }

  /// Creates an entry for a page of an earlier session, which is loaded when it is shown.
  init(_ step: SavedTabs.Step) {
    url = step.url
    title = step.title
    view = step.isReader ? .reader(ReaderOptions()) : .page
    anchor = step.anchor
    opening = Opening()
    position.source = UInt32(clamping: step.anchor?.offset ?? 0)
    position.topLine = -1
  }
}

/// A position on a page that survives changes of the width.
package struct ReadingPosition: Sendable, Equatable {
  /// The offset in `Document.text` of the top line's text.
  package var source: UInt32 = 0
  /// The top line, valid as long as the layout is unchanged; -1 if unknown.
  package var topLine = 0
  /// The focused target; nil for none.
  package var focus: PageLayout.Target?
  /// The folds that the user has opened or closed.
  package var toggledFolds: Set<Int32> = []

  package init() {}
}

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

extension Page {
  /// The approximate memory use, in bytes.
  var memorySize: Int {
    document.text.count + (content?.bytes.count ?? 0) + (attachment?.content?.count ?? 0)
  }

  /// Whether the page is a saved copy, or the beginning of a page, that is shown while the response
  /// is being received.
  var isAwaitingResponse: Bool { provenance.source == .saved(.waiting) || isArriving }

  /// The provenance of a page whose response is no longer awaited.
  var abandonedProvenance: Provenance {
    var provenance = provenance
    if !isArriving { provenance.source = .saved(.abandoned) }
    return provenance
  }

  /// Whether the page cannot be loaded again by its URL.
  var isNotReloadable: Bool { requestedURL.hasScheme("stdin") || sentForm != nil }
}
