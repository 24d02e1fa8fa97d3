import Testing

@testable import Session

@Suite struct ImageScheduleTests {
  private enum Step: Sendable {
    case draw([Int], begins: [Int])
    case end(Int, begins: [Int])
  }

  private static let tables: [(name: String, steps: [Step])] = [
    ("six at a time", [.draw(Array(1...8), begins: Array(1...6)), .end(3, begins: [7])]),
    ("each once", [.draw([1, 2], begins: [1, 2]), .draw([2, 1, 3], begins: [3])]),
    (
      "an image that has begun and is no longer wanted delays no other",
      [
        .draw(Array(1...6), begins: Array(1...6)), .draw([7, 8], begins: [7, 8]),
        .draw([1, 9], begins: [9]), .end(1, begins: []),
      ]
    ),
    (
      "an image that has not begun and is no longer wanted does not begin",
      [.draw(Array(1...7), begins: Array(1...6)), .draw([], begins: []), .end(1, begins: [])]
    ),
    (
      "an image that has ended may begin again",
      [.draw([1], begins: [1]), .end(1, begins: []), .draw([1], begins: [1])]
    ),
    ("the end of an unknown image", [.end(5, begins: []), .draw([5], begins: [5])]),
  ]

  @Test(arguments: tables.indices)
  func `images start loading in order, at most six wanted ones at a time`(_ row: Int) {
    var schedule = ImageSchedule<Int>()
    let (name, steps) = Self.tables[row]
    for (index, step) in steps.enumerated() {
      switch step {
      case .draw(let images, let begins):
        #expect(schedule.setWanted(images) == begins, "\(name), \(index)")
      case .end(let image, let begins):
        #expect(schedule.recordEnd(image) == begins, "\(name), \(index)")
      }
    }
  }
}
