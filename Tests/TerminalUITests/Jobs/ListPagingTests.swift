import Layout
import Testing

@testable import TerminalUI

/// Paging through lists.
@Suite struct ListPagingTests {
  /// Returns a list with headings before some of its entries.
  private static func list(
    headings: Set<Int>, count: Int, kind: ListScreen.Kind = .library
  ) -> ListScreen {
    var list = ListScreen(kind)
    let entries = (0..<count).flatMap { index -> [ListEntry] in
      let entry = ListEntry("entry \(index)", to: .offset(UInt32(index)))
      return headings.contains(index) ? [.heading("before \(index)"), entry] : [entry]
    }
    list.replaceEntries(entries, widths: DisplayWidth())
    return list
  }

  /// Returns the numbers of the visible entries.
  private static func visible(_ list: ListScreen, _ viewport: ListScreen.Viewport) -> Set<UInt32> {
    Set(
      list.visibleEntries(viewport: viewport).compactMap { position in
        if case .offset(let number) = list.entries[list.shownIndices[position.index]].target {
          number
        } else {
          nil
        }
      })
  }

  @Test func `a row that continues an entry is not counted`() {
    var entries = ["one", "end of one", "two"].map { ListEntry($0, to: .nowhere) }
    entries[1].isContinuation = true
    var list = ListScreen(.messages)
    list.replaceEntries(entries, widths: DisplayWidth())
    #expect(list.entryCounts.shown == 2 && list.entryCounts.all == 2)
    let numbers = entries.indices.map { index in
      list.select(index, viewport: ListScreen.Viewport(rows: 10, gap: 1))
      return list.selectedNumber
    }
    #expect(numbers == [1, 1, 2])
  }

  @Test func `a restored page is selected when it is listed again, unless a key was pressed`() {
    let viewport = ListScreen.Viewport(rows: 10, gap: 1)
    let entries = ["a", "b", "c"].map { ListEntry($0, to: .page("https://\($0).test/")) }
    let moves: [(inout ListScreen) -> Void] = [
      { _ in }, { $0.move(by: -1, viewport: viewport) },
      { $0.select(number: 1, viewport: viewport) },
    ]
    for (isMoved, move) in zip([false, true, true], moves) {
      var list = ListScreen(.history)
      list.replaceEntries([entries[0], entries[2]], widths: DisplayWidth())
      list.select(1, viewport: viewport)
      list.select(restored: .page("https://b.test/"), viewport: viewport)
      #expect(list.selectedEntry == entries[2])
      move(&list)
      list.move(by: 0, viewport: viewport)
      list.replaceEntries(entries, widths: DisplayWidth())
      #expect(list.selectedEntry == (isMoved ? entries[0] : entries[1]))
      list.select(restored: .page("https://c.test/"), viewport: viewport)
      #expect(list.selectedEntry == entries[2])
    }
  }

  /// Returns the entries seen while paging through a list, in a bounded loop.
  private static func seen(
    _ list: ListScreen, _ viewport: ListScreen.Viewport, by step: Int, isHalf: Bool
  ) -> (numbers: Set<UInt32>, list: ListScreen) {
    var list = list
    var numbers = visible(list, viewport)
    for _ in 0..<1000 {
      let old = list.selectedIndex
      list.movePages(by: step, isHalfPage: isHalf, viewport: viewport)
      numbers.formUnion(visible(list, viewport))
      if list.selectedIndex == old { break }
    }
    return (numbers, list)
  }

  private static let cases: [(headings: Set<Int>, count: Int, rows: Int, gap: Int)] = [
    ([0], 40, 10, 1), ([0, 5, 9, 10, 30], 60, 11, 1), ([0, 1, 2, 3, 4, 5, 6], 30, 7, 1),
    ([3, 8, 13, 18, 23], 25, 6, 0), ([], 50, 9, 1), ([0, 9, 19], 30, 4, 1), ([7], 9, 20, 1),
    (Set(0..<20), 20, 5, 1), ([0, 10], 21, 3, 1),
  ]

  @Test(arguments: cases)
  func `no entry is skipped by full or half screens in either direction`(
    headings: Set<Int>, count: Int, rows: Int, gap: Int
  ) {
    let viewport = ListScreen.Viewport(rows: rows, gap: gap)
    for kind in [ListScreen.Kind.library, .search("x")] where rows >= 4 || kind == .library {
      for isHalf in [false, true] {
        var list = Self.list(headings: headings, count: count, kind: kind)
        list.select(0, viewport: viewport)
        let down = Self.seen(list, viewport, by: 1, isHalf: isHalf)
        #expect(down.numbers == Set(0..<UInt32(count)), "down \(headings) \(kind) \(isHalf)")
        #expect(down.list.selectedEntry?.target == .offset(UInt32(count - 1)))
        let up = Self.seen(down.list, viewport, by: -1, isHalf: isHalf)
        #expect(up.numbers == Set(0..<UInt32(count)), "up \(headings) \(kind) \(isHalf)")
        #expect(up.list.selectedEntry?.target == .offset(0))
      }
    }
  }

  @Test func `paging down keeps one entry of the previous screen`() {
    var list = Self.list(headings: [], count: 40)
    let viewport = ListScreen.Viewport(rows: 10, gap: 1)
    list.select(0, viewport: viewport)
    list.movePages(by: 1, isHalfPage: false, viewport: viewport)
    #expect(list.selectedIndex == 9 && list.topIndex == 0)
    list.movePages(by: 1, isHalfPage: false, viewport: viewport)
    #expect(list.selectedIndex == 18 && list.topIndex == 9)
    list.movePages(by: 2, isHalfPage: false, viewport: viewport)
    #expect(list.selectedIndex == 36)
    list.movePages(by: -4, isHalfPage: false, viewport: viewport)
    #expect(list.selectedIndex == 0 && list.topIndex == 0)
  }
}
