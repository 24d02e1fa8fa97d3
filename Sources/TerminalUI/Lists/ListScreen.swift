import Layout
package import Terminal

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
  /// The widest text of each column that has any.
  package private(set) var columnWidths: [ListEntry.Column: Int] = [:]
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
    /// The passages that are kept.
    case highlights
    /// The headings of the page.
    case outline
    /// The links of the page.
    case links
    /// What was told.
    case messages
    /// What is written to files.
    case downloads
    /// The pages that are open.
    case tabs
    /// How the page came, and its saved versions.
    case information
    /// The choices of a control of the page.
    case choices(Int32)
    /// What the keys do.
    case help(HelpSubject)
  }

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Whether its entries come from the library.
  package var isOfLibrary: Bool {
    switch kind {
    case .library, .history, .queue, .search, .highlights: true
    case .outline, .links, .messages, .information, .choices, .downloads, .help, .tabs: false
    }
  }

  /// Rows of each entry.
  package var entryHeight: Int {
    switch kind {
    case .search, .highlights: 2
    default: 1
    }
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

  /// Takes other entries and keeps the chosen one, if it is still there; `choose` and `move` scroll it
  /// into view.
  /// - Parameters:
  ///   - new: the entries.
  ///   - widths: how wide characters are.
  mutating func take(_ new: [ListEntry], widths: DisplayWidth) {
    let old = entry?.target
    let place = chosen
    entries = new
    columnWidths = [:]
    for entry in new {
      for (column, text) in entry.details where !text.isEmpty {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let width = isASCII ? text.utf8.count : widths.width(of: text)
        columnWidths[column] = max(columnWidths[column] ?? 0, width)
      }
    }
    filterEntries()
    let index = old == .nowhere ? nil : shown.firstIndex { entries[$0].target == old }
    chosen = min(index ?? place, max(0, shown.count - 1))
  }

  /// Shows what the filter leaves: entries that have all of its words.
  mutating func applyFilter(room: Room) {
    filterEntries()
    choose(0, room: room)
  }

  private mutating func filterEntries() {
    let words = TextFolding.folded(filter.text).split(separator: " ").map(String.init)
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
  }

  // MARK: Moving

  /// What a list has on the screen.
  package struct Room: Sendable, Equatable {
    /// Rows.
    package var rows: Int
    /// Blank rows above a heading that is not at the top.
    package var gap: Int
  }

  /// Rows of an entry; `isTop` when it is the first one on the screen.
  private func rows(of index: Int, isTop: Bool, _ room: Room) -> Int {
    entries[shown[index]].isHeading ? (isTop ? 1 : 1 + room.gap) : entryHeight
  }

  /// The entries on the screen with their rows, counted from the first one of the list.
  func places(room: Room) -> [(index: Int, rows: Range<Int>)] {
    var row = 0
    var places: [(index: Int, rows: Range<Int>)] = []
    for index in shown.indices.dropFirst(top) {
      let end = row + rows(of: index, isTop: index == top, room)
      guard end <= room.rows || places.isEmpty else { break }
      places.append((index, row..<end))
      row = end
    }
    return places
  }

  /// The index in `shown` of what stands at a row of the list, or nil.
  func index(atRow row: Int, room: Room) -> Int? {
    places(room: room).first { $0.rows.contains(row) }?.index
  }

  /// The first entry that can be at the top of the screen with another one still on it.
  private func firstTop(showing index: Int, _ room: Room) -> Int {
    var first = index
    var used = rows(of: index, isTop: true, room)
    while first > 0 {
      let above = entries[shown[first]].isHeading ? room.gap : 0
      let more = used + above + rows(of: first - 1, isTop: true, room)
      guard more <= room.rows else { break }
      (used, first) = (more, first - 1)
    }
    return first
  }

  /// Chooses the entry that is some steps away from the chosen one.
  mutating func move(by steps: Int, room: Room) {
    choose(min(max(chosen + steps, 0), shown.count - 1), towards: steps < 0 ? -1 : 1, room: room)
  }

  /// Selects the entry some screens away from the selected one. No entry in between is skipped: each is visible
  /// before or after a step.
  /// - Parameters:
  ///   - pages: the number of screens; negative towards the first entry.
  ///   - isHalf: whether each step is half a screen.
  ///   - room: the screen area of the list.
  mutating func movePages(by pages: Int, isHalf: Bool, room: Room) {
    guard shown.indices.contains(chosen) else { return }
    for _ in 0..<abs(pages) {
      let old = chosen
      let target = pages < 0 ? pageAbove(room) : pageBelow(room)
      let steps = isHalf ? max(1, abs(target - chosen) / 2) : max(1, abs(target - chosen))
      move(by: pages < 0 ? -steps : steps, room: room)
      if chosen == old { break }
    }
  }

  /// Returns the last entry on a screen with the selected one at its top.
  private func pageBelow(_ room: Room) -> Int {
    var index = chosen
    var used = rows(of: chosen, isTop: true, room)
    while index + 1 < shown.count {
      used += rows(of: index + 1, isTop: false, room)
      guard used <= room.rows else { break }
      index += 1
    }
    return isHeading(index) && index > chosen ? index - 1 : index
  }

  /// Returns the first entry, below its heading if it has one, on a screen with the selected one at its bottom.
  private func pageAbove(_ room: Room) -> Int {
    let first = firstTop(showing: chosen, room)
    return first < chosen && (isHeading(first) || first > 0 && isHeading(first - 1))
      ? first + 1 : first
  }

  private func isHeading(_ index: Int) -> Bool {
    shown.indices.contains(index) && entries[shown[index]].isHeading
  }

  /// Chooses an entry, or the nearest one to it, and scrolls it into view.
  mutating func choose(_ index: Int, towards step: Int = 1, room: Room) {
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
    // The heading of the first entry is seen with it.
    let hasHeading = chosen > 0 && entries[shown[chosen - 1]].isHeading
    let lowest = firstTop(showing: chosen, room)
    top = min(max(top, lowest), hasHeading ? max(lowest, chosen - 1) : chosen)
    top = min(top, firstTop(showing: shown.count - 1, room))
  }
}
