import Commands
import Saving
import Library
import Reader

/// The lists over the page: which one is open, what is below help, what is known of the library, and what
/// was removed and can be brought back.
struct Lists: Sendable {
  /// What is below help, until it is closed.
  struct Below: Sendable {
    var list: ListScreen?
    var mode: Browser.Mode
  }

  /// Something that was removed.
  enum Removal: Sendable, Equatable {
    /// What is saved of a page.
    case page(String)
    /// Passages of a page.
    case highlights([Highlight], of: String)
  }

  private enum Cover: Sendable {
    case none
    case list(ListScreen)
    case help(ListScreen, over: Below)
  }

  private var cover = Cover.none
  /// What is saved, kept, read and waiting, as far as it is known.
  private(set) var library: LibraryContents?
  /// The words for which the library was searched last.
  private(set) var words = ""
  private var found: [SearchIndex.Hit] = []
  private var kept: [HighlightedPage] = []
  /// Pages that are no longer listed, by `pageKey`.
  private var hidden: Set<String> = []
  /// What was removed, the latest last.
  private var removals: [Removal] = []

  // MARK: What is open

  /// The list that is open over the page; without help, what was below it is gone, too.
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

  /// What is below help; nil where help is not open.
  var below: Below? {
    get { if case .help(_, over: let below) = cover { below } else { nil } }
    set {
      guard case .help(let list, over: _) = cover, let newValue else { return }
      cover = .help(list, over: newValue)
    }
  }

  /// Opens help over what is open.
  mutating func openHelp(about subject: HelpSubject, over mode: Browser.Mode) {
    cover = .help(ListScreen(.help(subject)), over: Below(list: open, mode: mode))
  }

  /// Puts the list back that was below help.
  /// - Returns: the mode that was.
  mutating func closeHelp() -> Browser.Mode {
    let below = below
    open = below?.list
    return below?.mode ?? .page
  }

  // MARK: What is known

  /// The pages that are known, without those that were removed.
  var rows: [LibraryContents.Row] {
    (library?.rows ?? []).filter { !hidden.contains($0.key.pageKey) }
  }

  /// What the last search found.
  var hits: [SearchIndex.Hit] { found.filter { !hidden.contains($0.key.pageKey) } }

  /// The passages that are kept, with their pages.
  var passages: [HighlightedPage] { kept.filter { !hidden.contains($0.key.pageKey) } }

  /// Begins to search for words; what others found is dropped.
  mutating func search(_ words: String) {
    if words != self.words { found = [] }
    self.words = words
  }

  /// Takes what the world has found.
  /// - Returns: whether the open list changes by it.
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

  /// Lists a page no longer.
  mutating func remove(page url: String) {
    removals.append(.page(url))
    hidden.insert(url.pageKey)
  }

  /// Lists passages of a page no longer.
  mutating func remove(_ highlights: [Highlight], of url: String) {
    removals.append(.highlights(highlights, of: url))
    for index in kept.indices where kept[index].key.isSamePage(as: url) {
      kept[index].highlights.removeAll { placed in
        highlights.contains { $0.id == placed.highlight.id }
      }
    }
    kept.removeAll(where: \.highlights.isEmpty)
  }

  /// Takes back what was removed last, or nothing.
  mutating func undo() -> Removal? {
    let last = removals.popLast()
    if case .page(let url) = last { hidden.remove(url.pageKey) }
    return last
  }

  /// Lists a page again, which was opened.
  mutating func show(page url: String) { hidden.remove(url.pageKey) }
}
