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
