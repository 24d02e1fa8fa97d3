import Testing

@testable import TerminalUI

@Suite struct ListOrderTests {
  /// Returns titles in the order of a list that is sorted by title.
  private static func sorted(_ titles: [String]) -> [String] {
    let keys = titles.map {
      ListScreen.Order.SortKeys(title: $0, url: "", date: nil, size: 0, readPercent: nil)
    }
    let order = titles.indices.sorted { ListScreen.Order.title.precedes(keys[$0], keys[$1]) }
    return order.map { titles[$0] }
  }

  @Test(arguments: [
    ["Part 1: A", "Part 2", "Part 10: B"], ["9 ropes", "10 keels", "100 boats"],
    ["Log 2026-9-30", "Log 2026-10-1"], ["No 007", "No 8"], ["Room 0", "Room 1"],
    ["a 99999999999999999999", "a 100000000000000000000"],
  ])
  func `numbers in titles are sorted by value`(titles: [String]) {
    #expect(Self.sorted(titles.reversed()) == titles)
  }

  @Test(arguments: [
    ["1984", "A ferry", "ärger", "Boat", "Zebra"],
    ["(Notes)", "1 note", "Note 1", "Note 1a", "Notes"],
    ["Chapter", "Chapter 1", "Chapter one"],
  ])
  func `numbers sort before letters, and case and accents are ignored`(titles: [String]) {
    #expect(Self.sorted(titles.reversed()) == titles)
  }
}
