import Dates
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, 0, 0), (1.5, 1, 1500), (-1.5, -2, -1500), (1e300, 253_402_300_799, 253_402_300_799_000),
      (-.infinity, -62_135_596_800, -62_135_596_800_000), (.nan, 0, 0),
    ] as [(Double, Int, Int64)])
  func `a time is clamped to the representable years`(
    _ time: Double, _ seconds: Int, _ milliseconds: Int64
  ) {
    #expect(Timestamp.clampedSeconds(time) == seconds)
    #expect(Timestamp.clampedMilliseconds(time) == milliseconds)
  }
}
