import Commands
import Saving
import Library
import Reader

/// The lists over the page: the open one, what is below help, the loaded data of the library, and
/// what can be restored by `undo`.
struct Lists: Sendable {
  /// The list and the input mode below help.
  struct Below: Sendable {
    var list: ListScreen?
    var mode: Browser.Mode
  }

  /// Something that was removed.
  enum Removal: Sendable, Equatable {
    /// The saved copies of the page with this URL.
    case page(String)
    /// Highlights of a page.
    case highlights([Highlight], of: String)
  }

  private enum Cover: Sendable {
    case none
    case list(ListScreen)
    case help(ListScreen, over: Below)
  }

  private var cover = Cover.none
  /// The pages of the library; nil until they have been loaded.
  private(set) var library: LibraryContents?
  /// The last search terms.
  private(set) var words = ""
  private var found: [SearchIndex.Hit] = []
  private var kept: [HighlightedPage] = []
  /// The pages that were removed in this session, by `pageKey`.
  private var hidden: Set<String> = []
  /// The removals that can be undone, the latest last.
  private var removals: [Removal] = []

  // MARK: The open list

  /// The list that is open over the page. Setting a list other than help also discards what was
  /// below help.
  var open: ListScreen? {
    get {
      switch cover {
      case .none: nil
      case .list(let list), .help(let list, over: _): list
      }
    }
    set {
      switch (newValue, cover) {
      case (nil, _): cover = .none
      case (let list?, .help(_, let below)) where list.kind.screen == .help:
        cover = .help(list, over: below)
      case (let list?, _): cover = .list(list)
      }
    }
  }

  /// The list and the input mode below help; nil if help is not open.
  var below: Below? {
    get { if case .help(_, over: let below) = cover { below } else { nil } }
    set {
      guard case .help(let list, over: _) = cover, let newValue else { return }
      cover = .help(list, over: newValue)
    }
  }

  /// Opens help over the current list and mode.
  mutating func openHelp(about subject: HelpSubject, over mode: Browser.Mode) {
    cover = .help(ListScreen(.help(subject)), over: Below(list: open, mode: mode))
  }

  /// Restores the list that was below help.
  /// - Returns: The input mode below help.
  mutating func closeHelp() -> Browser.Mode {
    let below = below
    open = below?.list
    return below?.mode ?? .page
  }

  // MARK: Loaded data

  /// The pages of the library, without those that were removed.
  var rows: [LibraryContents.Row] {
    (library?.rows ?? []).filter { !hidden.contains($0.key.pageKey) }
  }

  /// The results of the last search, without pages that were removed.
  var hits: [SearchIndex.Hit] { found.filter { !hidden.contains($0.key.pageKey) } }

  /// All highlights, grouped by page.
  var passages: [HighlightedPage] { kept.filter { !hidden.contains($0.key.pageKey) } }

  /// Begins a search; the results for other terms are discarded.
  mutating func search(_ words: String) {
    if words != self.words { found = [] }
    self.words = words
  }

  /// Stores loaded data.
  /// - Returns: Whether the open list shows this data.
  mutating func take(_ contents: ListContents) -> Bool {
    switch contents {
    case .library(let contents, let isComplete):
      library = contents
      guard let kind = open?.kind, [.library, .history, .queue].contains(kind) else { return false }
      open?.isLoading = !isComplete
    case .search(let hits, let words):
      guard open?.kind == .search(words) else { return false }
      found = hits
      open?.isLoading = false
    case .highlights(let pages):
      kept = pages
      guard open?.kind == .highlights else { return false }
      open?.isLoading = false
    case .failed: open?.isLoading = false
    }
    return true
  }

  // MARK: Removing

  /// Hides a page from the lists.
  mutating func remove(page url: String) {
    removals.append(.page(url))
    hidden.insert(url.pageKey)
  }

  /// Hides highlights of a page from the list.
  mutating func remove(_ highlights: [Highlight], of url: String) {
    removals.append(.highlights(highlights, of: url))
    for index in kept.indices where kept[index].key.isSamePage(as: url) {
      kept[index].highlights.removeAll { placed in
        highlights.contains { $0.id == placed.highlight.id }
      }
    }
    kept.removeAll(where: \.highlights.isEmpty)
  }

  /// Takes back the last removal and returns it; nil if nothing was removed.
  mutating func undo() -> Removal? {
    let last = removals.popLast()
    if case .page(let url) = last { hidden.remove(url.pageKey) }
    return last
  }

  /// Lists a removed page again because it was opened.
  mutating func show(page url: String) { hidden.remove(url.pageKey) }
}
