import Document
import Foundation
import Library
import Reader

/// A page that is open behind the one on the screen, with its history and what is loading for it.
struct Tab: Sendable {
  /// The page, as it was when it was left; nil until it has come, and when it was dropped.
  var view: PageView?
  /// The page that is to be loaded when it is looked at: it was dropped, is of an earlier session or has not
  /// come.
  var dropped: Visit?
  var opening = Opening()
  var history = History()
  /// What is loading for it.
  var loading = Loading.Running()
  /// Where the reader was on the page before the last jump.
  var jump: ReadingPosition?
  /// Whether it was on the screen since its page came.
  var isSeen = true

  /// Whether it waits for the reports of a load.
  func awaits(_ id: LoadID) -> Bool {
    loading.load?.id == id || opening.refresh == .awaited(id) || history.awaits(id)
  }

  /// The address of its page, or of what is loading where there is none yet.
  var url: String {
    view?.page.url ?? dropped?.url ?? loading.load?.request.target ?? ""
  }

  /// The title of its page, or empty.
  var title: String { view?.page.document.title ?? dropped?.title ?? "" }

  /// How much of its pages is in memory, in bytes.
  var size: Int { (view?.page.size ?? 0) + history.size }

  /// Keeps only what cannot be loaded again.
  mutating func drop() {
    history.drop(beyond: 0)
    guard let view, !view.page.isIrreplaceable, loading.load == nil else { return }
    var visit = Visit(page: view.page, opening)
    visit.position = view.position
    visit.anchor = view.anchor(blocks: 6)
    visit.filled = view.values.kept(of: view.page.document.forms)
    visit.page = nil
    // What was filled in exists nowhere else.
    guard visit.filled.isEmpty else { return }
    visit.opening.refresh = .none
    dropped = visit
    opening = visit.opening
    self.view = nil
  }
}

/// The pages that are open: those behind the one on the screen, in their order, and its place among them.
struct Tabs: Sendable {
  /// So many of the pages behind stay in memory, those that were on the screen last; of others the
  /// addresses and places are kept.
  static let inMemory = 8
  /// Bytes of the pages behind that stay in memory.
  static let memoryLimit = 24 << 20

  /// Those behind the page on the screen.
  private(set) var others: [Tab] = []
  /// The place of the page on the screen among all, from 0.
  private(set) var place = 0
  /// The places of `others` that were on the screen, the latest last.
  private var order: [Int] = []
  /// What was written down last.
  private var written: SavedTabs?
  /// Whether what is written down may be out of date.
  var isChanged = false

  /// How many pages are open.
  var count: Int { others.count + 1 }

  /// Which of `others` stands at a place among all; nil for the page on the screen.
  func index(at place: Int) -> Int? {
    place == self.place || !(0..<count).contains(place)
      ? nil : place < self.place ? place : place - 1
  }

  /// The page behind that waits for the reports of a load, as an index in `others`.
  func index(awaiting id: LoadID) -> Int? { others.firstIndex { $0.awaits(id) } }

  /// The place of one of `others` among all.
  func place(of index: Int) -> Int { index < place ? index : index + 1 }

  /// Opens a page behind the one on the screen: after those that were opened from it before.
  mutating func add(_ tab: Tab) {
    let end = others[min(place, others.count)...].prefix { !$0.isSeen }.count
    let index = min(place, others.count) + end
    order = order.map { $0 >= index ? $0 + 1 : $0 }
    others.insert(tab, at: index)
    isChanged = true
  }

  /// Opens the pages of an earlier session behind the one on the screen.
  mutating func restore(_ tabs: [Tab]) {
    others += tabs
    isChanged = true
  }

  /// Gives what is behind another state.
  mutating func replace(_ index: Int, with tab: Tab) { others[index] = tab }

  /// Takes a page from behind to the screen, and the one on the screen behind it.
  /// - Parameters:
  ///   - index: which of `others`.
  ///   - shown: the one on the screen.
  /// - Returns: the page for the screen.
  mutating func exchange(_ index: Int, for shown: Tab) -> Tab {
    let tab = others[index]
    var all = others
    all.insert(shown, at: place)
    let (old, new) = (place, self.place(of: index))
    all.remove(at: new)
    var places = order.map { self.place(of: $0) }.filter { $0 != new }
    places.append(old)
    place = new
    others = all
    order = places.map { $0 < new ? $0 : $0 - 1 }
    save()
    isChanged = true
    return tab
  }

  /// Closes one of `others`.
  @discardableResult
  mutating func close(_ index: Int) -> Tab {
    if index < place { place -= 1 }
    order = order.filter { $0 != index }.map { $0 > index ? $0 - 1 : $0 }
    isChanged = true
    return others.remove(at: index)
  }

  /// Drops pages from memory that were not on the screen for long.
  private mutating func save() {
    let latest = Array(order.reversed()) + others.indices.filter { !order.contains($0) }
    var size = 0
    for (rank, index) in latest.enumerated() {
      size += others[index].size
      if rank >= Self.inMemory || size > Self.memoryLimit { others[index].drop() }
    }
  }

  /// Takes what is to be written down.
  /// - Returns: whether that is something else than before.
  mutating func write(_ saved: SavedTabs?) -> Bool {
    isChanged = false
    defer { written = saved }
    return saved != written
  }
}
