import Document
@testable import Terminal
import Testing

@Suite struct ProgressLineTests {
  @Test(
    arguments: [
      (0, 0, 0.0, 80, "verifying [..............................] 0 %  0 B of 0 B"),
      (
        2_000_000, 5_000_000, 2.0, 80,
        "verifying [############..................] 40 %  2.0 MB of 5.0 MB, 3 s left"
      ),
      (1, 100, 3000.0, 60, "verifying [.............................] 1 %  1 B of 100 B"),
      (50, 100, 300.0, 60, "verifying [#######........] 50 %  50 B of 100 B, 5 min left"),
      (
        10, 100, 600.0, 60,
        "verifying [#.........] 10 %  10 B of 100 B, 1 h 30 min left"
      ),
      (5, 5, 9.0, 40, "verifying [#########] 100 %  5 B of 5 B"),
      (5, 5, 9.0, 12, "verifying 1"),
      (5, 5, 9.0, 0, ""),
    ] as [(Int64, Int64, Double, Int, String)])
  func `progress is formatted in one row`(
    done: Int64, total: Int64, elapsed: Double, columns: Int, line: String
  ) {
    let text = ProgressLine.text(
      "verifying", completedAmount: done, of: total, elapsed: elapsed, columns: columns)
    #expect(text == line)
    #expect(text.count < max(1, columns))
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (96_400, "96 kB"), (999_499, "999 kB"),
      (999_500, "1.0 MB"), (1_440_000, "1.4 MB"), (51_400_000, "51 MB"), (3_140_000_000, "3.1 GB"),
      (-1600, "-2 kB"), (.max, "9223372 TB"), (.min, "-9223372 TB"),
    ] as [(Int64, String)])
  func `a byte count is formatted with a unit`(bytes: Int64, text: String) {
    #expect(CountFormatter.byteCountText(bytes) == text)
  }

  @Test func `the unit is singular for one`() {
    #expect(CountFormatter.countText(1, "page") == "1 page")
    #expect(CountFormatter.countText(0, "page") == "0 pages")
  }
}
