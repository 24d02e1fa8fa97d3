import DOM
package import Document
import Library
package import Pages
package import ReaderMode

/// An entry of the history: a page, the reading position, and the state of its revalidation.
package struct HistoryEntry: Sendable, Equatable {
  /// The page; nil if it was dropped to save memory or is not loaded yet.
  package var page: Page?
  /// The URL from which the page can be loaded again.
  package var url: DocumentAddress
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
  init(_ url: DocumentAddress, origin: LoadRequest.Origin) {
    self.url = url
    view = .page
    opening = Opening(origin: origin)
    wasNeverLoaded = true
  }

  /// Creates an entry for a page of an earlier session, which is loaded when it is shown.
  init(_ step: SavedTabs.Step) {
    url = DocumentAddress(step.url)
    title = step.title
    view = step.isReader ? .reader(ReaderOptions()) : .page
    anchor = step.anchor
    opening = Opening()
    position.source = UInt32(clamping: step.anchor?.offset ?? 0)
    position.topLine = nil
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
