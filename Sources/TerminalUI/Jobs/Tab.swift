import Pages
import Document
import Foundation
import Library

/// A page that is open in the background, with its history and its loads.
struct Tab: Sendable {
  /// The page as it was when it was left; nil until it is loaded, and after it was dropped.
  var view: PageView?
  /// The page to load when the tab is shown, because it was dropped, is from an earlier session or
  /// was never loaded; nil if no page has to be loaded.
  var unloadedEntry: HistoryEntry?
  var opening = Opening()
  var history = History()
  /// The loads for this tab.
  var loads = Loading.TabLoads()
  /// The position before the last jump on the page; nil for none.
  var jumpOrigin: ReadingPosition?
  /// Whether the tab was shown since its page was loaded.
  var isSeen = true

  /// Returns whether the tab waits for the reports of a load.
  func awaits(_ id: LoadID) -> Bool {
    loads.load?.id == id || opening.revalidation == .awaited(id) || history.awaits(id)
  }

  /// Marks the saved copies of the tab and its history that wait for a response as no longer
  /// waiting.
  /// - Returns: The loads to cancel.
  mutating func cancelAwaitedRevalidations() -> [LoadID] {
    var loads = history.cancelAwaitedRevalidations()
    if let page = view?.page, page.isAwaitingResponse, let id = opening.cancelRevalidation() {
      view?.update(provenance: page.abandonedProvenance)
      loads.append(id)
    }
    return loads
  }

  /// The URL of the tab's page, or of the page being loaded if there is none yet.
  var url: String {
    view?.page.url.text ?? unloadedEntry?.url.text ?? loads.load?.request.displayedTarget ?? ""
  }

  /// The title of the tab's page; may be empty.
  var title: String { view?.page.document.title ?? unloadedEntry?.title ?? "" }

  /// The memory used by the pages of the tab, in bytes.
  var memorySize: Int { (view?.page.memorySize ?? 0) + history.memorySize }

  /// Drops everything from memory that can be loaded again.
  mutating func dropFromMemory() {
    history.dropFarthestPages(beyond: 0)
    // The explanation of a failure is small, and shows that there is no page.
    guard let view, !view.page.isNotReloadable, view.page.provenance.source != .explanation,
      loads.load == nil
    else { return }
    var entry = HistoryEntry(page: view.page, opening)
    entry.position = view.position
    entry.anchor = view.topAnchor(followingBlockCount: 6)
    entry.formValues = view.values.transferableValues(of: view.page.document.forms)
    entry.page = nil
    // Form input cannot be restored, so the page stays in memory.
    guard entry.formValues.isEmpty else { return }
    entry.opening.revalidation = .none
    unloadedEntry = entry
    opening = entry.opening
    self.view = nil
  }
}
