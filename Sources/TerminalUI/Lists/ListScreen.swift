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
  package private(set) var shownIndices: [Int] = []
  /// The index in `shownIndices` of the selected entry.
  package private(set) var selectedIndex = 0
  /// The index in `shownIndices` of the first entry on the screen.
  package private(set) var topIndex = 0
  /// The width of the widest text in each column, without empty columns.
  package private(set) var columnWidths: [ListEntry.Column: Int] = [:]
  /// The width of the widest note.
  package private(set) var noteWidth = 0
  /// The width of the widest title.
  private(set) var titleWidth = 0
  /// The text that entries must contain.
  package var filter = LineEditor()
  /// Whether keys edit the filter.
  package var isFiltering = false
  /// How far the entries are loaded.
  package var loadState = LoadState.complete
  /// The text shown instead of entries: the reason why the list is empty, or how to fill it.
  package var emptyListText = ""
  /// The order of the pages.
  package var order = Order.date
  /// The list from which this one was opened and to which closing returns; nil for the page.
  package var parent: Kind?
  /// The selection to restore when the list has entries again: when they have been loaded, or when
  /// a filter that excluded all of them is removed; nil for none.
  private var pendingSelection: Selection?
  /// The target of an entry that was restored, which is selected once it is listed again; nil for
  /// none.
  private var awaitedTarget: ListEntry.Target?

  /// How far the entries of a list are loaded.
  package enum LoadState: Sendable, Equatable {
    case complete
    case loading
    /// Enter was pressed while there was no entry; the first one opens when it arrives.
    case openingFirstEntry
  }

  /// The selected entry of a list, by its destination, or its title if it has none, and its index
  /// in `shownIndices`.
  private struct Selection: Sendable, Equatable {
    var target: ListEntry.Target
    var title: String
    var index: Int

    /// Returns whether an entry may be the selected one; several entries may match.
    func matches(_ entry: ListEntry) -> Bool {
      entry.target == target && !entry.isHeading && (target != .nowhere || entry.title == title)
    }
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
    (list.order, list.pendingSelection) = (order, selection)
    return list
  }

  private var selection: Selection? {
    selectedEntry.map { Selection(target: $0.target, title: $0.title, index: selectedIndex) }
      ?? pendingSelection
  }

  /// Whether the entries come from the library.
  package var showsLibraryData: Bool {
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
  package var selectedEntry: ListEntry? {
    shownIndices.indices.contains(selectedIndex) && !entries[shownIndices[selectedIndex]].isHeading
      ? entries[shownIndices[selectedIndex]] : nil
  }

  /// Whether entries are still being loaded.
  package var isLoading: Bool { loadState != .complete }

  /// The number of entries that are shown, and of all, without headings.
  package var entryCounts: (shown: Int, all: Int) {
    (shownIndices.count { entries[$0].isCounted }, entries.count { $0.isCounted })
  }

  /// The number of the selected entry among those shown, from 1.
  package var selectedNumber: Int {
    shownIndices.prefix(selectedIndex + 1).count { entries[$0].isCounted }
  }

  // MARK: Entries

  /// Replaces the entries and keeps the selected one if it still exists. This does not scroll;
  /// `select` and `move` do.
  /// - Parameters:
  ///   - new: The entries.
  ///   - widths: The widths of characters.
  mutating func replaceEntries(_ new: [ListEntry], widths: DisplayWidth) {
    let old = selection
    entries = new
    (columnWidths, noteWidth, titleWidth) = ([:], 0, 0)
    func width(of text: String) -> Int {
      text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : widths.width(of: text)
    }
    // No text is wider than its number of bytes.
    for entry in new where entry.title.utf8.count > titleWidth {
      titleWidth = max(titleWidth, width(of: entry.title))
    }
    for entry in new where !entry.isHeading {
      for (column, text) in entry.details where !text.isEmpty {
        columnWidths[column] = max(columnWidths[column] ?? 0, width(of: text))
      }
      noteWidth = max(noteWidth, width(of: entry.note))
    }
    filterEntries()
    let index = old.flatMap { self.index(of: $0) }
    // If the entry no longer exists, the one that now has its index is selected.
    selectedIndex = min(index ?? old?.index ?? selectedIndex, max(0, shownIndices.count - 1))
    pendingSelection = shownIndices.isEmpty ? old : nil
    if let target = awaitedTarget, let index = self.index(of: target) {
      (selectedIndex, awaitedTarget) = (index, nil)
    }
  }

  /// Applies the filter: shows the entries that contain all of its words, and selects the first
  /// one. Without a filter, the selected entry stays selected among all entries.
  mutating func applyFilter(viewport: Viewport) {
    let old = selection
    let entry: Int? = selectedEntry == nil ? nil : shownIndices[selectedIndex]
    filterEntries()
    pendingSelection = shownIndices.isEmpty ? old : nil
    guard filter.text.isEmpty else { return select(0, viewport: viewport) }
    let index =
      entry.flatMap { shownIndices.firstIndex(of: $0) }
      ?? old.flatMap { self.index(of: $0) }
    select(index ?? 0, viewport: viewport)
  }

  /// Returns the index in `shownIndices` of a selected entry; nil if it is not shown. Of several
  /// such entries, such as a page in two feeds, the one next to the old index is selected.
  private func index(of selection: Selection) -> Int? {
    shownIndices.indices.filter { selection.matches(entries[shownIndices[$0]]) }
      .min { abs($0 - selection.index) < abs($1 - selection.index) }
  }

  /// Returns the index in `shownIndices` of the first entry with a target; nil if it is not shown.
  private func index(of target: ListEntry.Target) -> Int? {
    shownIndices.firstIndex { index in
      if case .page(let url) = target { return entries[index].pageURL?.isSamePage(as: url) == true }
      return entries[index].target == target
    }
  }

  private mutating func filterEntries() {
    let tokens = TextFolding.folded(filter.text).split(separator: " ").map(String.init)
    shownIndices = []
    var heading: Int?
    for (index, entry) in entries.enumerated() {
      if entry.isHeading {
        heading = index
        continue
      }
      guard tokens.allSatisfy({ entry.filterText.contains($0) }) else { continue }
      if let heading { shownIndices.append(heading) }
      heading = nil
      shownIndices.append(index)
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
  private func rowCount(of index: Int, isTop: Bool, _ viewport: Viewport) -> Int {
    entries[shownIndices[index]].isHeading ? (isTop ? 1 : 1 + viewport.gap) : entryHeight
  }

  /// Returns the entries on the screen with their rows, counted from the first row of the list.
  func visibleEntries(viewport: Viewport) -> [(index: Int, rows: Range<Int>)] {
    var row = 0
    var indices: [(index: Int, rows: Range<Int>)] = []
    for index in shownIndices.indices.dropFirst(topIndex) {
      let end = row + rowCount(of: index, isTop: index == topIndex, viewport)
      guard end <= viewport.rows || indices.isEmpty else { break }
      indices.append((index, row..<end))
      row = end
    }
    return indices
  }

  /// Returns the index in `shownIndices` of the entry at a row of the list, or nil.
  func index(atRow row: Int, viewport: Viewport) -> Int? {
    visibleEntries(viewport: viewport).first { $0.rows.contains(row) }?.index
  }

  /// Returns the first entry that can be at the top while the entry at `index` is completely
  /// visible.
  private func minTopIndex(showing index: Int, _ viewport: Viewport) -> Int {
    var first = index
    var used = rowCount(of: index, isTop: true, viewport)
    while first > 0 {
      let above = entries[shownIndices[first]].isHeading ? viewport.gap : 0
      let more = used + above + rowCount(of: first - 1, isTop: true, viewport)
      guard more <= viewport.rows else { break }
      (used, first) = (more, first - 1)
    }
    return first
  }

  /// Selects the entry with a target that was restored, at once or when it is listed again, unless
  /// the selection is moved before.
  mutating func select(restored target: ListEntry.Target, viewport: Viewport) {
    awaitedTarget = nil
    if let index = index(of: target) {
      select(index, viewport: viewport)
    } else {
      awaitedTarget = target
    }
  }

  /// Moves the selection by a number of entries.
  mutating func move(by steps: Int, viewport: Viewport) {
    select(
      min(max(selectedIndex + steps, 0), shownIndices.count - 1), towards: steps < 0 ? -1 : 1,
      viewport: viewport)
  }

  /// Moves the selection by a number of screens. No entry in between is skipped: each is visible
  /// before or after a step.
  /// - Parameters:
  ///   - pages: The number of screens; negative towards the first entry.
  ///   - isHalfPage: Whether each step is half a screen.
  ///   - viewport: The screen area of the list.
  mutating func movePages(by pages: Int, isHalfPage: Bool, viewport: Viewport) {
    guard shownIndices.indices.contains(selectedIndex) else { return }
    for _ in 0..<abs(pages) {
      let old = selectedIndex
      let target = pages < 0 ? pageUpIndex(viewport) : pageDownIndex(viewport)
      let steps =
        isHalfPage ? max(1, abs(target - selectedIndex) / 2) : max(1, abs(target - selectedIndex))
      move(by: pages < 0 ? -steps : steps, viewport: viewport)
      if selectedIndex == old { break }
    }
  }

  /// Returns the last entry on a screen with the selected one at its top.
  private func pageDownIndex(_ viewport: Viewport) -> Int {
    var index = selectedIndex
    var used = rowCount(of: selectedIndex, isTop: true, viewport)
    while index + 1 < shownIndices.count {
      used += rowCount(of: index + 1, isTop: false, viewport)
      guard used <= viewport.rows else { break }
      index += 1
    }
    return isHeading(index) && index > selectedIndex ? index - 1 : index
  }

  /// Returns the first entry, below its heading if it has one, on a screen with the selected one at
  /// its bottom.
  private func pageUpIndex(_ viewport: Viewport) -> Int {
    let first = minTopIndex(showing: selectedIndex, viewport)
    return first < selectedIndex && (isHeading(first) || first > 0 && isHeading(first - 1))
      ? first + 1 : first
  }

  private func isHeading(_ index: Int) -> Bool {
    shownIndices.indices.contains(index) && entries[shownIndices[index]].isHeading
  }

  /// Selects an entry, or for a heading the next entry in the direction of `step`, and scrolls it
  /// into view.
  mutating func select(_ index: Int, towards step: Int = 1, viewport: Viewport) {
    guard !shownIndices.isEmpty else {
      (selectedIndex, topIndex) = (0, 0)
      return
    }
    var index = min(max(0, index), shownIndices.count - 1)
    if entries[shownIndices[index]].isHeading {
      // A heading that is shown always has an entry below it.
      index = step < 0 && index > 0 ? index - 1 : index + 1
    }
    index = min(index, shownIndices.count - 1)
    if index != selectedIndex { awaitedTarget = nil }
    selectedIndex = index
    // The heading of the first entry is scrolled into view with it.
    let hasHeading = selectedIndex > 0 && entries[shownIndices[selectedIndex - 1]].isHeading
    let lowest = minTopIndex(showing: selectedIndex, viewport)
    topIndex = min(
      max(topIndex, lowest), hasHeading ? max(lowest, selectedIndex - 1) : selectedIndex)
    topIndex = min(topIndex, minTopIndex(showing: shownIndices.count - 1, viewport))
  }
}
