import TestSupport
import Testing

@Suite struct MemoryGrowthTests {
  @Test func `thousands of loads through URLSession do not accumulate memory`() throws {
    let count = 16 * Effort.rounds(2000, part: 400)
    // A load leaves less than 1500 bytes behind permanently. Buffers in use vary.
    let growth = count * 1500
    let run = try Program.run(Program.built("TestProcess"), ["loads", "\(count)", "\(growth)"])
    #expect(run.status == 0, "\(run.errorText)")
  }
}
