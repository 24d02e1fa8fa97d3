import Testing

@testable import Pages

@Suite struct PartListTests {
  private static func list(_ shown: Int?) -> PartList {
    let parts = [("one", true), ("notes", false), ("two", true), ("answers", false)]
    return PartList(
      title: "Book", contentsURL: "b/",
      parts: parts.map { .init(url: DocumentAddress($0), title: $0, isLinear: $1) },
      index: shown)
  }

  @Test(
    arguments: [
      (nil, 1, "one"), (nil, 2, "two"), (nil, 3, nil), (nil, -1, nil), (0, 1, "two"), (0, -1, "b/"),
      (0, -2, nil), (2, -1, "one"), (2, 1, nil), (1, 1, "two"), (1, -1, "one"), (3, -1, "two"),
      (3, 1, nil), (3, -3, "b/"),
    ] as [(Int?, Int, DocumentAddress?)])
  func `non-linear parts are left out of the reading order`(
    shown: Int?, steps: Int, expected: DocumentAddress?
  ) {
    #expect(Self.list(shown).url(steps) == expected)
  }

  @Test(
    arguments: [
      (nil, true, [0, 1, 2, 3]), (nil, false, [3, 2, 1, 0]), (0, true, [1, 2, 3]),
      (0, false, [3, 2, 1]), (2, true, [3, 0, 1]), (2, false, [1, 0, 3]), (3, true, [0, 1, 2]),
    ] as [(Int?, Bool, [Int])])
  func `a search goes through all other parts, and goes on at the other end`(
    shown: Int?, isForward: Bool, expected: [Int]
  ) {
    #expect(Self.list(shown).searchOrder(isForward: isForward) == expected)
  }

  @Test func `a file that is a part twice is not searched again`() {
    let parts = ["one", "two", "one"].map {
      PartList.Part(url: DocumentAddress($0), title: $0)
    }
    let list = PartList(title: "Book", contentsURL: "b/", parts: parts, index: 0)
    #expect(list.searchOrder(isForward: true) == [1])
    let single = PartList(title: "Book", contentsURL: "b/", parts: [parts[0]], index: 0)
    #expect(single.searchOrder(isForward: true) == [])
  }

  @Test func `the navigation links of a part skip non-linear parts`() throws {
    let frame = try #require(Self.list(0).frame)
    #expect(frame.head.contains("Next: two") && !frame.head.contains("notes"))
    #expect(Self.list(nil).frame == nil)
  }
}
