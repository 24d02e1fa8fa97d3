import TestSupport
import Testing

@Suite("Many loads at once")
struct StressTests {
  #if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
    /// Sanitizers make a load ten times slower and delay the reuse of freed memory. They detect
    /// leaks themselves.
    private static let (count, growth) = (16 * 200, 64 << 20)
  #else
    /// A load leaves less than 1500 bytes behind permanently. Buffers in use vary.
    private static let count = 16 * Effort.rounds(2000, part: 400)
    private static let growth = count * 1500
  #endif

  @Test func `thousands of loads through URLSession complete without accumulating memory`() throws {
    let run = try Program.run(Program.testProcess, ["loads", "\(Self.count)", "\(Self.growth)"])
    #expect(run.status == 0, "\(run.errorText)")
  }
}
