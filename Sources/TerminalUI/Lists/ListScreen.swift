/// A list over the page: its entries, which of them are shown, and the chosen one.
///
/// Every list of the program is one of these; they filter, scroll and open alike.
package struct ListScreen: Sendable, Equatable {
  /// What is listed.
  package var kind: Kind
  /// All entries, with the headings between them.
  package private(set) var entries: [ListEntry] = []
  /// The indices of the entries that the filter leaves; a heading stays while something follows it.
  package private(set) var shown: [Int] = []
  /// The index in `shown` of the chosen entry.
  package private(set) var chosen = 0
  /// The index in `shown` of the first entry on the screen.
  package private(set) var top = 0
  /// What the titles have to have.
  package var filter = LineEditor()
  /// Whether keys go to the filter.
  package var isFiltering = false
  /// Whether entries are still being looked for.
  package var isLoading = false
  /// Why there are no entries, or what is to be done to have some.
  package var remark = ""
  /// In which order the pages stand.
  package var order = Order.date

  /// What is listed.
  package enum Kind: Sendable, Equatable {
    /// Everything saved.
    case library
    /// What a search found.
    case search(String)
    /// What was read.
    case history
    /// What waits to be fetched.
    case queue
    /// The headings of the page.
    case outline
    /// The links of the page.
    case links
    /// What was told.
    case messages
    /// What is written to files.
    case downloads
    /// How the page came, and its saved versions.
    case information
    /// The choices of a control of the page.
    case choices(Int32)
    /// What the keys do.
    case help(HelpSubject)
  }

  /// The order of pages.
  package enum Order: String, CaseIterable, Sendable {
    case date, title, size, site
  }

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Whether its entries come from the library.
  package var isOfLibrary: Bool {
    switch kind {
    case .library, .history, .queue, .search: true
    case .outline, .links, .messages, .information, .choices, .downloads, .help: false
    }
  }

  /// Rows of each entry.
  package var entryHeight: Int {
    if case .search = kind { 2 } else { 1 }
  }

  /// The chosen entry.
  package var entry: ListEntry? {
    shown.indices.contains(chosen) && !entries[shown[chosen]].isHeading
      ? entries[shown[chosen]] : nil
  }

  /// How many entries there are, and how many are shown, without headings.
  package var counts: (shown: Int, all: Int) {
    (shown.count { !entries[$0].isHeading }, entries.count { !$0.isHeading })
  }

  /// The number of the chosen entry among those shown, from 1.
  package var number: Int {
    shown.prefix(chosen + 1).count { !entries[$0].isHeading }
  }

  // MARK: Entries

  /// Takes other entries and keeps the chosen one, if it is still there.
  mutating func take(_ new: [ListEntry], height: Int) {
    let old = entry?.target
    let (place, first) = (chosen, top)
    entries = new
    applyFilter(height: height)
    top = first
    if let old, old != .nowhere, let index = shown.firstIndex(where: { entries[$0].target == old })
    {
      choose(index, height: height)
    } else {
      choose(place, height: height)
    }
  }

  /// Shows what the filter leaves: entries that have all of its words.
  mutating func applyFilter(height: Int) {
    let words = ListEntry.folded(filter.text).split(separator: " ").map(String.init)
    shown = []
    var heading: Int?
    for (index, entry) in entries.enumerated() {
      if entry.isHeading {
        heading = index
        continue
      }
      guard words.allSatisfy({ entry.words.contains($0) }) else { continue }
      if let heading { shown.append(heading) }
      heading = nil
      shown.append(index)
    }
    choose(0, height: height)
  }

  // MARK: Moving

  /// Chooses the entry that is some steps away from the chosen one.
  mutating func move(by steps: Int, height: Int) {
    choose(
      min(max(chosen + steps, 0), shown.count - 1), towards: steps < 0 ? -1 : 1, height: height)
  }

  /// Chooses an entry, or the nearest one to it, and scrolls it into view.
  mutating func choose(_ index: Int, towards step: Int = 1, height: Int) {
    guard !shown.isEmpty else {
      (chosen, top) = (0, 0)
      return
    }
    var index = min(max(0, index), shown.count - 1)
    if entries[shown[index]].isHeading {
      // Behind each heading that is shown there is an entry.
      index = step < 0 && index > 0 ? index - 1 : index + 1
    }
    chosen = min(index, shown.count - 1)
    let room = max(1, height / entryHeight)
    // The heading of the first entry is seen with it.
    let first = chosen > 0 && entries[shown[chosen - 1]].isHeading && room > 1 ? chosen - 1 : chosen
    top = min(max(top, chosen - room + 1), first)
    top = max(0, min(top, shown.count - room))
  }
}
