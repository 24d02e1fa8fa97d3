import Library

/// The open pages: the background tabs in order, and the position of the displayed tab among them.
struct Tabs: Sendable {
  /// The maximum number of background tabs that stay in memory, the most recently shown first. Of
  /// the others, only URL, title and position are kept, unless their page or the user's form input
  /// would be lost.
  static let maxTabsInMemory = 8
  /// The maximum memory for background tabs, in bytes.
  static let maxMemory = 24 << 20

  /// The background tabs.
  private(set) var backgroundTabs: [Tab] = []
  /// The index of the page on the screen among all tabs, from 0.
  private(set) var currentIndex = 0
  /// The indices in `backgroundTabs` of the tabs that were shown, the most recent last.
  private var shownOrder: [Int] = []
  /// The tabs that were closed and can be reopened, the latest last, each with its position among
  /// all.
  private var closedTabs: [(tab: Tab, position: Int)] = []
  /// The maximum number of closed tabs that can be reopened.
  private static let maxClosedTabs = 10
  /// The state that was stored last; nil for none.
  private var lastSavedTabs: SavedTabs?
  /// Whether the stored state may be out of date.
  var needsSaving = false

  /// The number of open pages.
  var count: Int { backgroundTabs.count + 1 }

  /// Returns the index in `backgroundTabs` of the tab at a position among all; nil for the page on
  /// the screen and positions out of range.
  func index(at position: Int) -> Int? {
    position == self.currentIndex || !(0..<count).contains(position)
      ? nil : position < self.currentIndex ? position : position - 1
  }

  /// Returns the index in `backgroundTabs` of the tab that waits for the reports of a load, or nil.
  func index(awaiting id: LoadID) -> Int? { backgroundTabs.firstIndex { $0.awaits(id) } }

  /// Returns the position among all tabs of an element of `backgroundTabs`.
  func position(ofBackgroundTab index: Int) -> Int { index < currentIndex ? index : index + 1 }

  /// Opens a background tab after the page on the screen and the unseen tabs that follow it.
  mutating func add(_ tab: Tab) {
    let end = backgroundTabs[min(currentIndex, backgroundTabs.count)...].prefix { !$0.isSeen }.count
    let index = min(currentIndex, backgroundTabs.count) + end
    shownOrder = shownOrder.map { $0 >= index ? $0 + 1 : $0 }
    backgroundTabs.insert(tab, at: index)
    needsSaving = true
  }

  /// Opens the pages of an earlier session as background tabs.
  mutating func restore(_ tabs: [Tab]) {
    backgroundTabs += tabs
    needsSaving = true
  }

  /// Replaces a background tab.
  mutating func replace(_ index: Int, with tab: Tab) { backgroundTabs[index] = tab }

  /// Shows a background tab and puts the page on the screen into the background.
  /// - Parameters:
  ///   - index: The index in `backgroundTabs` of the tab to show.
  ///   - shown: The page on the screen.
  /// - Returns: The tab to show.
  mutating func switchToTab(_ index: Int, for shown: Tab) -> Tab {
    let tab = backgroundTabs[index]
    var all = backgroundTabs
    all.insert(shown, at: currentIndex)
    let (old, new) = (currentIndex, position(ofBackgroundTab: index))
    all.remove(at: new)
    var positions = shownOrder.map { position(ofBackgroundTab: $0) }.filter { $0 != new }
    positions.append(old)
    currentIndex = new
    backgroundTabs = all
    shownOrder = positions.map { $0 < new ? $0 : $0 - 1 }
    limitMemory()
    needsSaving = true
    return tab
  }

  /// Closes a background tab.
  @discardableResult
  mutating func close(_ index: Int) -> Tab {
    if index < currentIndex { currentIndex -= 1 }
    shownOrder = shownOrder.filter { $0 != index }.map { $0 > index ? $0 - 1 : $0 }
    needsSaving = true
    return backgroundTabs.remove(at: index)
  }

  /// Records that a tab was closed, so that it can be reopened. Its loads must have been cancelled.
  mutating func recordClosed(_ tab: Tab, at position: Int) {
    var tab = tab
    tab.loads = Loading.TabLoads()
    // Reports for closed tabs are not received.
    _ = tab.cancelAwaitedRevalidations()
    tab.dropFromMemory()
    closedTabs.append((tab, position))
    if closedTabs.count > Self.maxClosedTabs { closedTabs.removeFirst() }
  }

  /// Reopens the tab that was closed last in the background.
  /// - Returns: Its position among all; nil if no closed tab is known.
  mutating func reopen() -> Int? {
    guard let (tab, closedPosition) = closedTabs.popLast() else { return nil }
    let position = min(closedPosition, count)
    let index = position <= currentIndex ? position : position - 1
    if position <= currentIndex { currentIndex += 1 }
    shownOrder = shownOrder.map { $0 >= index ? $0 + 1 : $0 }
    backgroundTabs.insert(tab, at: index)
    needsSaving = true
    return position
  }

  /// Drops the least recently shown tabs beyond the limits from memory.
  private mutating func limitMemory() {
    let latest =
      Array(shownOrder.reversed()) + backgroundTabs.indices.filter { !shownOrder.contains($0) }
    var size = 0
    for (rank, index) in latest.enumerated() {
      size += backgroundTabs[index].memorySize
      if rank >= Self.maxTabsInMemory || size > Self.maxMemory {
        backgroundTabs[index].dropFromMemory()
      }
    }
  }

  /// Records the state to store.
  /// - Returns: Whether it differs from the previous one.
  mutating func recordSaved(_ saved: SavedTabs?) -> Bool {
    needsSaving = false
    defer { lastSavedTabs = saved }
    return saved != lastSavedTabs
  }
}
