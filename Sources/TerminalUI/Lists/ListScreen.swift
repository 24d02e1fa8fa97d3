import Layout
package import Terminal

/// A list screen: the entries, the filter, and the selected entry.
///
/// All lists of the program use this type, so that filtering, scrolling and opening work alike.
package struct ListScreen: Sendable, Equatable {
  /// The kind of list.
  package var kind: Kind
  /// All entries, including headings.
  package private(set) var entries: [ListEntry] = []
  /// The indices of the entries that pass the filter; a heading is included if an entry below it
  /// is.
  package private(set) var shown: [Int] = []
  /// The index in `shown` of the selected entry.
  package private(set) var chosen = 0
  /// The index in `shown` of the first entry on the screen.
  package private(set) var top = 0
  /// The width of the widest text in each column, without empty columns.
  package private(set) var columnWidths: [ListEntry.Column: Int] = [:]
  /// The text that entries must contain.
  package var filter = LineEditor()
  /// Whether keys edit the filter.
  package var isFiltering = false
  /// Whether entries are still being loaded.
  package var isLoading = false
  /// The text shown instead of entries: the reason why the list is empty, or how to fill it.
  package var remark = ""
  /// The order of the pages.
  package var order = Order.date
  /// The list from which this one was opened and to which closing returns; nil for the page.
  package var parent: Kind?
  /// The selection to restore when the entries have been loaded; nil for none.
  private var awaited: Selection?

  /// The selected entry of a list, by its destination and its index in `shown`.
  private struct Selection: Sendable, Equatable {
    var target: ListEntry.Target
    var index: Int
  }

  /// The kind of list.
  package enum Kind: Sendable, Equatable {
    /// All saved pages.
    case library
    /// The results of a search.
    case search(String)
    /// The pages that were read.
    case history
    /// The pages that wait to be fetched.
    case queue
    /// All highlights.
    case highlights
    /// The pages of the collection with this identifier.
    case collection(String)
    /// The feeds.
    case feeds
    /// The items of the feed with this key.
    case feed(String)
    /// The unread items of all feeds.
    case unread
    /// The headings of the page.
    case outline
    /// The links of the page.
    case links
    /// The messages shown so far.
    case messages
    /// The downloads.
    case downloads
    /// The open pages.
    case tabs
    /// The origin of the page, and its saved versions.
    case information
    /// The choices of a control of the page.
    case choices(Int32)
    /// The keys of a screen or prompt, or a menu.
    case help(HelpSubject)
  }

  package init(_ kind: Kind, from parent: Kind? = nil) {
    (self.kind, self.parent) = (kind, parent)
  }

  /// The list without its entries and its filter, which selects the same entry when its entries
  /// have been loaded again.
  var withoutEntries: ListScreen {
    var list = ListScreen(kind, from: parent)
    (list.order, list.awaited) = (order, selection)
    return list
  }

  private var selection: Selection? {
    entry.map { Selection(target: $0.target, index: chosen) } ?? awaited
  }

  /// Whether the entries come from the library.
  package var isOfLibrary: Bool {
    switch kind {
    case .library, .history, .queue, .search, .highlights, .collection, .feeds, .feed, .unread: true
    case .outline, .links, .messages, .information, .choices, .downloads, .help, .tabs: false
    }
  }

  /// The number of rows of each entry.
  package var entryHeight: Int {
    switch kind {
    case .search, .highlights: 2
    default: 1
    }
  }

  /// The selected entry, or nil.
  package var entry: ListEntry? {
    shown.indices.contains(chosen) && !entries[shown[chosen]].isHeading
      ? entries[shown[chosen]] : nil
  }

  /// The number of entries that are shown, and of all, without headings.
  package var counts: (shown: Int, all: Int) {
    (shown.count { !entries[$0].isHeading }, entries.count { !$0.isHeading })
  }

  /// The number of the selected entry among those shown, from 1.
  package var number: Int {
    shown.prefix(chosen + 1).count { !entries[$0].isHeading }
  }

  // MARK: Entries

  /// Replaces the entries and keeps the selected one if it still exists. This does not scroll;
  /// `choose` and `move` do.
  /// - Parameters:
  ///   - new: The entries.
  ///   - widths: The widths of characters.
  mutating func replaceEntries(_ new: [ListEntry], widths: DisplayWidth) {
    let old = selection
    entries = new
    columnWidths = [:]
    for entry in new where !entry.isHeading {
      for (column, text) in entry.details where !text.isEmpty {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let width = isASCII ? text.utf8.count : widths.width(of: text)
        columnWidths[column] = max(columnWidths[column] ?? 0, width)
      }
    }
    filterEntries()
    let isKnown = old != nil && old?.target != .nowhere
    let index = isKnown ? shown.firstIndex { entries[$0].target == old?.target } : nil
    // If the entry no longer exists, the one that now has its index is selected.
    chosen = min(index ?? old?.index ?? chosen, max(0, shown.count - 1))
    awaited = shown.isEmpty && isLoading ? old : nil
  }

  /// Applies the filter: shows the entries that contain all of its words.
  mutating func applyFilter(viewport: Viewport) {
    filterEntries()
    choose(0, viewport: viewport)
  }

  private mutating func filterEntries() {
    let tokens = TextFolding.folded(filter.text).split(separator: " ").map(String.init)
    shown = []
    var heading: Int?
    for (index, entry) in entries.enumerated() {
      if entry.isHeading {
        heading = index
        continue
      }
      guard tokens.allSatisfy({ entry.filterText.contains($0) }) else { continue }
      if let heading { shown.append(heading) }
      heading = nil
      shown.append(index)
    }
  }

  // MARK: Moving

  /// The screen area of a list.
  package struct Viewport: Sendable, Equatable {
    /// The number of rows.
    package var rows: Int
    /// The number of blank rows above a heading that is not at the top.
    package var gap: Int
  }

  /// Returns the number of rows of an entry; `isTop` is true if it is the first one on the screen.
  private func rows(of index: Int, isTop: Bool, _ viewport: Viewport) -> Int {
    entries[shown[index]].isHeading ? (isTop ? 1 : 1 + viewport.gap) : entryHeight
  }

  /// Returns the entries on the screen with their rows, counted from the first row of the list.
  func positions(viewport: Viewport) -> [(index: Int, rows: Range<Int>)] {
    var row = 0
    var indices: [(index: Int, rows: Range<Int>)] = []
    for index in shown.indices.dropFirst(top) {
      let end = row + rows(of: index, isTop: index == top, viewport)
      guard end <= viewport.rows || indices.isEmpty else { break }
      indices.append((index, row..<end))
      row = end
    }
    return indices
  }

  /// Returns the index in `shown` of the entry at a row of the list, or nil.
  func index(atRow row: Int, viewport: Viewport) -> Int? {
    positions(viewport: viewport).first { $0.rows.contains(row) }?.index
  }

  /// Returns the first entry that can be at the top while the entry at `index` is completely
  /// visible.
  private func firstTop(showing index: Int, _ viewport: Viewport) -> Int {
    var first = index
    var used = rows(of: index, isTop: true, viewport)
    while first > 0 {
      let above = entries[shown[first]].isHeading ? viewport.gap : 0
      let more = used + above + rows(of: first - 1, isTop: true, viewport)
      guard more <= viewport.rows else { break }
      (used, first) = (more, first - 1)
    }
    return first
  }

  /// Moves the selection by a number of entries.
  mutating func move(by steps: Int, viewport: Viewport) {
    choose(
      min(max(chosen + steps, 0), shown.count - 1), towards: steps < 0 ? -1 : 1, viewport: viewport)
  }

  /// Moves the selection by a number of screens. No entry in between is skipped: each is visible
  /// before or after a step.
  /// - Parameters:
  ///   - pages: The number of screens; negative towards the first entry.
  ///   - isHalf: Whether each step is half a screen.
  ///   - viewport: The screen area of the list.
  mutating func movePages(by pages: Int, isHalf: Bool, viewport: Viewport) {
    guard shown.indices.contains(chosen) else { return }
    for _ in 0..<abs(pages) {
      let old = chosen
      let target = pages < 0 ? pageAbove(viewport) : pageBelow(viewport)
      let steps = isHalf ? max(1, abs(target - chosen) / 2) : max(1, abs(target - chosen))
      move(by: pages < 0 ? -steps : steps, viewport: viewport)
      if chosen == old { break }
    }
  }

  /// Returns the last entry on a screen with the selected one at its top.
  private func pageBelow(_ viewport: Viewport) -> Int {
    var index = chosen
    var used = rows(of: chosen, isTop: true, viewport)
    while index + 1 < shown.count {
      used += rows(of: index + 1, isTop: false, viewport)
      guard used <= viewport.rows else { break }
      index += 1
    }
    return isHeading(index) && index > chosen ? index - 1 : index
  }

  /// Returns the first entry, below its heading if it has one, on a screen with the selected one at
  /// its bottom.
  private func pageAbove(_ viewport: Viewport) -> Int {
    let first = firstTop(showing: chosen, viewport)
    return first < chosen && (isHeading(first) || first > 0 && isHeading(first - 1))
      ? first + 1 : first
  }

  private func isHeading(_ index: Int) -> Bool {
    shown.indices.contains(index) && entries[shown[index]].isHeading
  }

  /// Selects an entry, or for a heading the next entry in the direction of `step`, and scrolls it
  /// into view.
  mutating func choose(_ index: Int, towards step: Int = 1, viewport: Viewport) {
    guard !shown.isEmpty else {
      (chosen, top) = (0, 0)
      return
    }
    var index = min(max(0, index), shown.count - 1)
    if entries[shown[index]].isHeading {
      // A heading that is shown always has an entry below it.
      index = step < 0 && index > 0 ? index - 1 : index + 1
    }
    chosen = min(index, shown.count - 1)
    // The heading of the first entry is scrolled into view with it.
    let hasHeading = chosen > 0 && entries[shown[chosen - 1]].isHeading
    let lowest = firstTop(showing: chosen, viewport)
    top = min(max(top, lowest), hasHeading ? max(lowest, chosen - 1) : chosen)
    top = min(top, firstTop(showing: shown.count - 1, viewport))
  }
}
